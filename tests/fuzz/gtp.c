/* gtp.c - fuzzes the engine that speaks GTP: any lines, then a question, which must be answered. */
#include "tests/fuzz/fuzz.h"

#include "protocols/gtp.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    /* However long it is told to think, it does not. */
    static struct mp_strategy *strategy;
    struct mp_game *game = fuzzed_game();
    struct mp_error error = {0};
    if (!strategy)
        strategy = mp_strategy_new(game, "random,seed=1", &error);
    require(strategy, error.text);
    char *text = fuzzed_text(data, size), *answers = NULL;
    size_t length;
    if (!strstr(text, "quit") && strlen(text) == size) {
        static const char question[] = "\n4711 protocol_version\n", answer[] = "=4711 2\n\n";
        FILE *in = tmpfile(), *out = open_memstream(&answers, &length);
        require(in && out, "files");
        fwrite(data, 1, size, in);
        fputs(question, in);
        rewind(in);
        require(gtp_run(game, strategy, in, out, &error), error.text);
        fclose(out);
        fclose(in);
        size_t last = sizeof answer - 1;
        require(length >= last && !strcmp(answers + length - last, answer), "a question is answered last");
        free(answers);
    }
    free(text);
    return 0;
}
