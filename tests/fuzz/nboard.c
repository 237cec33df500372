/* nboard.c - fuzzes the engine that speaks NBoard's protocol: any lines, then `ping`, which must be answered. */
#include "tests/fuzz/fuzz.h"

#include "protocols/nboard.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    /* However deep it is told to think, it does not. */
    static struct mp_strategy *strategy;
    struct mp_game *game = fuzzed_game();
    struct mp_error error = {0};
    if (!strategy)
        strategy = mp_strategy_new(game, "random,seed=1", &error);
    require(strategy, error.text);
    char *text = fuzzed_text(data, size), *answers = NULL;
    size_t length;
    if (!strstr(text, "quit") && strlen(text) == size) {
        static const char question[] = "\nping 4711\n", answer[] = "pong 4711\n";
        FILE *in = tmpfile(), *out = open_memstream(&answers, &length);
        require(in && out, "files");
        fwrite(data, 1, size, in);
        fputs(question, in);
        rewind(in);
        require(nboard_run(game, strategy, in, out, &error), error.text);
        fclose(out);
        fclose(in);
        size_t last = sizeof answer - 1;
        require(length >= last && !strcmp(answers + length - last, answer), "ping is answered last");
        free(answers);
    }
    free(text);
    return 0;
}
