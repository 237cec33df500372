/* uci.c - fuzzes the chess engine's protocol: any lines, then `isready`, which must be answered. Searches
 * that were begun go on meanwhile, and end with the engine. */
#include "tests/fuzz/fuzz.h"

#include "protocols/uci.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = fuzzed_text(data, size), *answers = NULL, ready[] = "isready";
    size_t length;
    /* A strategy may ask for all the memory there is; that is its right, but not what is looked for here. */
    if (!strstr(text, "hash=") && !strstr(text, "threads=")) {
        FILE *out = open_memstream(&answers, &length);
        struct uci *uci = uci_open(out, 1, 2);
        require(out && uci, "memory");
        bool going = true;
        for (char *rest = text, *line; going && (line = strsep(&rest, "\n"));) {
            going = uci_command(uci, line);
            uci_tick(uci);
        }
        if (going)
            require(uci_command(uci, ready), "isready does not end the engine");
        uci_close(uci);
        fclose(out);
        require(!going || strstr(answers, "readyok"), "isready is answered");
        free(answers);
    }
    free(text);
    return 0;
}
