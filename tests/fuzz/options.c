/* options.c - fuzzes the options after the name of a game, `halma:rules=free`. */
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *name = getenv("MANYPLY_FUZZ_GAME");
    fuzzed_game(); /* stays open: a plug-in that is unloaded would take the fuzzer's counters with it */
    struct mp_error error = {0};
    char *options = fuzzed_text(data, size);
    size_t length = strlen(name) + strlen(options) + 2;
    char *text = malloc(length);
    require(text, "memory");
    snprintf(text, length, "%s:%s", name, options);
    /* A slash would make it the name of some file. */
    struct mp_game *game = strchr(options, '/') ? NULL : mp_game_open(text, &error);
    if (!game && !strchr(options, '/'))
        require_sentence(&error);
    for (int i = 0; game && game->options && game->options[i].name; i++)
        require(game->options[i].words || (game->option[i] >= game->options[i].minimum &&
                                           game->option[i] <= game->options[i].maximum),
                "a number is in its range");
    mp_game_close(game);
    free(text);
    free(options);
    return 0;
}
