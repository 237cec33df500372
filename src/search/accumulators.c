/* accumulators.c - keeps the accumulators of a network up with the line of a worker. */
#include "search/accumulators.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

struct summed_ply {
    bool known[2]; /* by player: are there accumulators? */
    int counts[2]; /* of the lists */
    char *state;
    int16_t *sums[2];
    uint16_t *inputs[2]; /* what is active, where the game does not say what changes between two states */
};

struct accumulators {
    const struct network_evaluation *evaluation;
    struct summed_ply slots[LINE_PLIES];
    uint16_t *marks;            /* by input; all zero between two comparisons */
    struct feature_lists fresh; /* of the state at hand */
    uint16_t gone[FEATURES_MOST_ACTIVE], come[FEATURES_MOST_ACTIVE];
    char memory[] __attribute__((aligned(MEMORY_LINE)));
};

struct accumulators *accumulators_new(const struct network_evaluation *evaluation)
{
    const struct features *f = &evaluation->features;
    const size_t state = memory_lines(f->game->state_size),
                 sums = memory_lines(network_shape(evaluation->network)->width * sizeof(int16_t)),
                 list = features_change(f) ? 0 : memory_lines(f->most * sizeof(uint16_t)),
                 marks = memory_lines(f->count * sizeof(uint16_t)), slot = state + 2 * sums + 2 * list;
    struct accumulators *a = aligned_alloc(MEMORY_LINE, memory_lines(sizeof *a) + marks + LINE_PLIES * slot);
    if (!a)
        return NULL;
    a->evaluation = evaluation;
    a->marks = (uint16_t *)memset(a->memory, 0, marks);
    for (int ply = 0; ply < LINE_PLIES; ply++) {
        char *at = a->memory + marks + (size_t)ply * slot;
        a->slots[ply] = (struct summed_ply){.state = at};
        at += state;
        for (int player = 0; player < 2; player++, at += sums + list) {
            a->slots[ply].sums[player] = (int16_t *)at;
            a->slots[ply].inputs[player] = (uint16_t *)(at + sums);
        }
    }
    return a;
}

void accumulators_free(struct accumulators *a)
{
    free(a);
}

/* ---- One slot ------------------------------------------------------------------------------------------ */

/* From a list to the fresh one. */
static struct network_change compare(struct accumulators *a, const struct summed_ply *base, int player)
{
    const uint16_t *old = base->inputs[player], *new = a->fresh.inputs[player];
    struct network_change change = {.gone = a->gone, .come = a->come};
    for (int i = 0; i < base->counts[player]; i++)
        a->marks[old[i]]++;
    for (int i = 0; i < a->fresh.counts[player]; i++) {
        if (a->marks[new[i]])
            a->marks[new[i]]--;
        else
            a->come[change.come_count++] = new[i];
    }
    for (int i = 0; i < base->counts[player]; i++)
        if (a->marks[old[i]]) {
            a->gone[change.gone_count++] = old[i];
            a->marks[old[i]]--;
        }
    return change;
}

static struct network_change change_from(struct accumulators *a, const struct summed_ply *base,
                                         const void *state, int player)
{
    const struct mp_game *game = a->evaluation->features.game;
    feature_change *hook = features_change(&a->evaluation->features);
    if (!base)
        return (struct network_change){.come = a->fresh.inputs[player],
                                       .come_count = a->fresh.counts[player]};
    if (!hook)
        return compare(a, base, player);
    struct network_change change = {.gone = a->gone, .come = a->come};
    hook(game, base->state, state, player, a->gone, &change.gone_count, a->come, &change.come_count);
    return change;
}

static void take_list(struct accumulators *a, struct summed_ply *slot, int player)
{
    slot->counts[player] = a->fresh.counts[player];
    memcpy(slot->inputs[player], a->fresh.inputs[player],
           (size_t)slot->counts[player] * sizeof *slot->inputs[player]);
}

/* Makes a slot that of a state, from another slot or what it holds itself. */
static void turn(struct accumulators *a, struct summed_ply *slot, const struct summed_ply *base,
                 const void *state)
{
    const struct features *f = &a->evaluation->features;
    const bool lists = !features_change(f);
    const int side = f->game->side(f->game, state);
    bool listed = lists;
    if (lists)
        features_players(f, state, &a->fresh);
    for (int player = 0; player < 2; player++) {
        if (f->views == 1 && player != side) {
            slot->known[player] = false; /* the copy is of another state from now on */
            continue;
        }
        const struct summed_ply *from = base->known[player] ? base : NULL;
        if (!from && !listed) {
            features_players(f, state, &a->fresh);
            listed = true;
        }
        struct network_change change = change_from(a, from, state, player);
        network_accumulate(a->evaluation->network, from ? from->sums[player] : NULL, &change,
                           slot->sums[player]);
        slot->known[player] = true;
        if (lists)
            take_list(a, slot, player);
    }
    memcpy(slot->state, state, f->game->state_size);
}

/* ---- The line ------------------------------------------------------------------------------------------ */

static bool is_of(const struct accumulators *a, const struct line *line, int ply)
{
    const struct summed_ply *slot = &a->slots[ply];
    return (slot->known[0] || slot->known[1]) &&
           !memcmp(slot->state, line_state(line, ply), a->evaluation->features.game->state_size);
}

/* The accumulators of the state at ply, from those of its parent if that has been valued, else from the last state that
 * was valued at this ply. The states of other plies are compared and nothing else: who has joined a line has none there. */
static const struct summed_ply *slot_at(struct accumulators *a, const struct line *line, int ply)
{
    struct summed_ply *slot = &a->slots[ply];
    if (is_of(a, line, ply))
        return slot;
    /* With one view the parent is another player's. */
    bool from_parent = ply > 0 && a->evaluation->features.views == 2 && is_of(a, line, ply - 1);
    turn(a, slot, from_parent ? slot - 1 : slot, line_state(line, ply));
    return slot;
}

mp_value accumulators_value(struct accumulators *a, const struct line *line, int ply)
{
    const struct network_evaluation *e = a->evaluation;
    const struct mp_game *game = e->features.game;
    const void *state = line_state(line, ply);
    mp_value value;
    if (network_shape(e->network)->width == NETWORK_TABLE)
        return e->evaluation.evaluate(game, &e->evaluation, state);
    if (network_evaluation_knows(e, state, &value))
        return value;
    const struct summed_ply *slot = slot_at(a, line, ply);
    int side = game->side(game, state);
    return network_evaluation_value(e, state, (const int16_t *[]){slot->sums[side], slot->sums[!side]});
}

int accumulators_children(struct accumulators *a, struct line *line, int ply, const mp_move *moves, int count,
                          mp_value enough, mp_value *values)
{
    for (int i = 0; i < count; i++) {
        line_play(line, ply, moves[i]);
        values[i] = accumulators_value(a, line, ply + 1);
        if (values[i] <= enough)
            return i + 1;
    }
    return count;
}

void accumulators_shares(struct accumulators *a, const struct line *line, int ply,
                         int32_t shares[NETWORK_MOST_OUTPUTS])
{
    const struct network_evaluation *e = a->evaluation;
    const void *state = line_state(line, ply);
    const struct summed_ply *slot = slot_at(a, line, ply);
    int side = e->features.game->side(e->features.game, state);
    network_shares(e->network, (const int16_t *[]){slot->sums[side], slot->sums[!side]},
                   features_head(&e->features, state), shares);
}

void accumulators_forget(struct accumulators *a)
{
    for (int ply = 0; ply < LINE_PLIES; ply++)
        a->slots[ply].known[0] = a->slots[ply].known[1] = false;
}
