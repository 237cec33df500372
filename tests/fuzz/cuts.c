/* cuts.c - fuzzes the reader of what fit-cuts writes: a text is refused with a sentence, or all that it says is within
 * bounds, so that a search can use it. */
#include "tests/fuzz/fuzz.h"

#include "search/cuts.h"

static void use(const struct mp_game *game, const struct cuts *cuts)
{
    struct mp_position *position = mp_position_new(game, NULL, NULL);
    require(position, "memory");
    for (int depth = 0; depth <= CUTS_DEEPEST + 1; depth++) {
        const struct cut *cut = cuts_find(cuts, game, mp_position_state(position), depth);
        if (!cut)
            continue;
        require(cut->shallow >= 1 && cut->shallow < depth, "a shallow search is one");
        double high = cut_high(cut, cuts->confidence, 0), low = cut_low(cut, cuts->confidence, 0);
        require(isfinite(high) && isfinite(low) && high >= low, "bounds are numbers, and in order");
    }
    mp_position_free(position);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct mp_game *game = fuzzed_game();
    struct mp_error error = {0};
    struct cuts cuts;
    char *text = fuzzed_text(data, size);
    if (cuts_read_text(game, game->evaluations->name, text, "text", &cuts, &error))
        use(game, &cuts);
    else
        require_sentence(&error);
    free(text);
    return 0;
}
