/* exactness.c - searches of a game against plain minimax: what does not agree is a hook, a key or a rule of
 * the game that searches lean on. */
#include "kit/reference.h"
#include "kit/walk.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_DEPTH = 8, MOST_PLIES = 60 };

/* One of each kind: full width, cut-offs, a table, and several threads on one tree. */
static const char *const with_moves[] = {
    "minimax",
    "alphabeta",
    "pvs,hash=1",
    "alphabeta,split=ybwc,eager=on,threads=2",
    "pvs,hash=1,split=abdada,eager=on,threads=2",
    "minimax,split=levels,eager=on,threads=2",
    "alphabeta,split=shared,levels=3,min=2,eager=on,threads=2",
    NULL,
};
static const char *const with_dice[] = {
    "expectiminimax", "star1", "star2", "star2,hash=1", "star1,split=ybwc,eager=on,threads=2", NULL,
};

/* The position that is searched: its moves, and what each is worth. */
struct truth {
    int count;
    mp_move moves[MP_MAX_MOVES];
    mp_value values[MP_MAX_MOVES];
};

static bool compare(struct kit *kit, const char *strategy, int depth, const struct truth *truth)
{
    struct mp_error error = {0};
    struct mp_result result = {MP_SIZE(struct mp_result)};
    struct mp_search *search = mp_search_new(kit->game, strategy, &error);
    bool ran = search && mp_search_run(search, kit->position, NULL, NULL, &result, &error);
    mp_search_free(search);
    if (!ran)
        return kit_fault(kit, "search", "the search %s fails: %.200s", strategy, error.text);
    kit->report->searches++;
    mp_value best = truth->values[0], chosen = -MP_INFINITE;
    for (int i = 0; i < truth->count; i++) {
        best = truth->values[i] > best ? truth->values[i] : best;
        chosen = truth->moves[i] == result.move ? truth->values[i] : chosen;
    }
    if (result.value != best)
        return kit_fault(kit, "exactness",
                         "the search %s finds the value %d, expected %d, as plain minimax says", strategy,
                         result.value, best);
    if (chosen != best)
        return kit_fault(kit, "exactness", "the search %s finds a move worth %d, expected one worth %d",
                         strategy, chosen, best);
    return result.depth == depth || result.complete ||
           kit_fault(kit, "exactness", "the search %s ends at depth %d, expected %d", strategy, result.depth,
                     depth);
}

static bool compare_all(struct kit *kit, const struct mp_evaluation *evaluation, int depth,
                        struct truth *truth)
{
    uint64_t horizon;
    if (!kit_reference_values(kit->game, evaluation, kit->position, depth, truth->moves, truth->count,
                              truth->values, &horizon))
        return false;
    const char *const *strategies = kit->game->chances ? with_dice : with_moves;
    for (int i = 0; strategies[i] && kit_goes_on(kit); i++) {
        struct mp_strategy *strategy = mp_strategy_new(kit->game, strategies[i], NULL);
        bool ok = strategy && mp_strategy_set_number(strategy, "depth", depth, NULL) &&
                  mp_strategy_set(strategy, "eval", evaluation->name, NULL);
        if (ok)
            mp_strategy_asked(strategy, kit->report->strategy, sizeof kit->report->strategy);
        mp_strategy_free(strategy);
        if (!ok || !compare(kit, kit->report->strategy, depth, truth))
            return false;
    }
    kit->report->strategy[0] = 0;
    return true;
}

/* At every depth whose tree has at most this many leaves. */
static bool compare_position(struct kit *kit, const struct mp_evaluation *evaluation, uint64_t most_leaves,
                             struct truth *truth)
{
    truth->count = mp_position_moves(kit->position, truth->moves, NULL, MP_MAX_MOVES);
    for (int depth = 1; depth <= MOST_DEPTH && kit_goes_on(kit); depth++) {
        uint64_t leaves;
        if (!mp_perft(kit->position, depth, 1, false, NULL, NULL, &leaves, NULL) ||
            (depth > 1 && leaves > most_leaves))
            break;
        if (!compare_all(kit, evaluation, depth, truth))
            return false;
    }
    return true;
}

void kit_compare_searches(struct kit *kit, int positions, uint64_t most_leaves)
{
    struct truth *truth = malloc(sizeof *truth);
    int evaluations = 0;
    while (kit->game->evaluations[evaluations].name)
        evaluations++;
    bool right = truth;
    for (int i = 0; right && i < positions && kit_goes_on(kit); i++) {
        kit_does(kit, "searching", (double)i / positions);
        right = kit_walk(kit, (uint64_t)i, MOST_PLIES) &&
                compare_position(kit, &kit->game->evaluations[i % evaluations], most_leaves, truth);
        kit->report->search_positions += right;
    }
    free(truth);
}
