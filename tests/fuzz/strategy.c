/* strategy.c - fuzzes the text form of strategies: what is understood is described in a form that is
 * understood in the same way. It parses only: a search would allocate what the text asks for. */
#include "tests/fuzz/fuzz.h"

/* Changes a key, as a page or a protocol does: refused, it leaves the strategy as it was. */
static void change(struct mp_strategy *strategy, const char *key, const char *value)
{
    struct mp_error error = {0};
    char before[1024];
    snprintf(before, sizeof before, "%s", mp_strategy_text(strategy));
    if (!mp_strategy_set(strategy, key, value, &error)) {
        require_sentence(&error);
        require(!strcmp(before, mp_strategy_text(strategy)), "a refused change changes nothing");
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct mp_game *game = fuzzed_game();
    struct mp_error error = {0};
    char *text = fuzzed_text(data, size), threads[16];
    struct mp_strategy *first = mp_strategy_new(game, text, &error);
    if (!first) {
        require_sentence(&error);
    } else {
        struct mp_strategy *second = mp_strategy_new(game, mp_strategy_text(first), &error);
        require(second, "a described strategy can be read");
        require(!strcmp(mp_strategy_text(first), mp_strategy_text(second)),
                "a strategy is described alike after reading it again");
        require(mp_strategy_get(first, "threads", threads, sizeof threads) && atoi(threads) >= 1 &&
                    atoi(threads) <= MP_MAX_THREADS,
                "threads are in range");
        mp_strategy_free(second);
        change(first, "split", size % 2 ? "auto" : NULL);
        change(first, "threads", "3");
        change(first, "depth", size % 3 ? "5" : NULL);
    }
    mp_strategy_free(first);
    free(text);
    return 0;
}
