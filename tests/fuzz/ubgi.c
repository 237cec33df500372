/* ubgi.c - fuzzes the backgammon engine's protocol: any lines, then `isready`, which must be answered. */
#include "tests/fuzz/fuzz.h"

#include "protocols/ubgi.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    /* Deep searches are an engine's right, but not what is looked for here. */
    static const char quick[] = "setoption name engine.strategy value star1,depth=1,eval=pips\n";
    static const char *const slow[] = {"engine.", "depth", "go role", "ply", "quit"};
    char *text = fuzzed_text(data, size), *answers = NULL;
    size_t length;
    bool is_slow = false;
    for (size_t i = 0; i < sizeof slow / sizeof *slow; i++)
        is_slow = is_slow || strstr(text, slow[i]);
    if (!is_slow) {
        FILE *in = tmpfile(), *out = open_memstream(&answers, &length);
        require(in && out, "files");
        fputs(quick, in);
        fwrite(data, 1, size, in);
        fputs("\nisready\n", in);
        rewind(in);
        require(ubgi_run(in, out, NULL) == 0, "nothing that is sent ends the engine");
        fclose(out);
        fclose(in);
        require(length >= 8 && !strcmp(answers + length - 8, "readyok\n"), "isready is answered last");
        free(answers);
    }
    free(text);
    return 0;
}
