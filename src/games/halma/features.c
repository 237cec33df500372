/* features.c - what a network sees of a Halma position. Compiled for each board and CPU level.
 *
 * An input for each square with a piece, own or not, and one for each jump forward that a piece could make at once,
 * all as the side that looks sees the board: its own corner first. A move changes the two squares of its piece and the
 * jumps near them. */
#include "games/halma/moves.h"

#include "base/level.h"

enum {
    FORWARD = 3, /* directions in which a jump leads forward */
    OWN = 0,
    OTHER = HALMA_SQUARES,
    OWN_JUMPS = 2 * HALMA_SQUARES,
    OTHER_JUMPS = OWN_JUMPS + FORWARD * HALMA_SQUARES,
    INPUTS = OTHER_JUMPS + FORWARD * HALMA_SQUARES,
    STAGES = 8,
};

/* The directions by number, as each side sees them: along the diagonal, then along either edge. */
static const int forward[2][FORWARD] = {{7, 6, 4}, {0, 1, 3}};

enum { SETS = 2 + 2 * FORWARD };
static const uint16_t first_inputs[SETS] = {
    OWN,
    OTHER,
    OWN_JUMPS,
    OWN_JUMPS + HALMA_SQUARES,
    OWN_JUMPS + 2 * HALMA_SQUARES,
    OTHER_JUMPS,
    OTHER_JUMPS + HALMA_SQUARES,
    OTHER_JUMPS + 2 * HALMA_SQUARES,
};

/* The squares of each set of inputs. */
HALMA_INLINE void find_sets(const struct halma *s, int viewer, halma_set sets[SETS])
{
    halma_set own = s->pieces[viewer], other = s->pieces[!viewer];
    struct halma_jumps jumps = halma_jumps_of(own | other);
    sets[0] = own;
    sets[1] = other;
    for (int i = 0; i < FORWARD; i++) {
        sets[2 + i] = own & jumps.from[forward[viewer][i]];
        sets[2 + FORWARD + i] = other & jumps.from[forward[!viewer][i]];
    }
}

HALMA_INLINE int add(uint16_t *inputs, int count, int first, int viewer, halma_set set)
{
    int square;
    HALMA_EACH(square, set)
    inputs[count++] = (uint16_t)(first + halma_seen(viewer, square));
    return count;
}

static int list(const struct mp_game *game, const void *state, int viewer, uint16_t *inputs)
{
    (void)game;
    halma_set sets[SETS];
    int count = 0;
    find_sets(state, viewer, sets);
    for (int i = 0; i < SETS; i++)
        count = add(inputs, count, first_inputs[i], viewer, sets[i]);
    return count;
}

static void change(const struct mp_game *game, const void *from, const void *to, int viewer, uint16_t *gone,
                   int *gone_count, uint16_t *come, int *come_count)
{
    (void)game;
    halma_set before[SETS], after[SETS];
    *gone_count = *come_count = 0;
    find_sets(from, viewer, before);
    find_sets(to, viewer, after);
    for (int i = 0; i < SETS; i++) {
        *gone_count = add(gone, *gone_count, first_inputs[i], viewer, before[i] & ~after[i]);
        *come_count = add(come, *come_count, first_inputs[i], viewer, after[i] & ~before[i]);
    }
}

/* The stages are equal parts of the way that both armies have to go together. */
static int head(const struct mp_game *game, const void *state)
{
    (void)game;
    const struct halma *s = state;
    enum { CORNERS = 2 * (HALMA_SIZE - 1), NEAR = HALMA_SIZE == 8 ? 20 : HALMA_SIZE == 10 ? 40 : 60 };
    enum { LEAST = 2 * NEAR, MOST = 2 * (HALMA_PIECES * CORNERS - NEAR) };
    int gone = MOST - s->distance[0] - s->distance[1];
    int stage = gone * STAGES / (MOST - LEAST + 1);
    return stage < 0 ? 0 : stage < STAGES ? stage : STAGES - 1;
}

const struct mp_features LEVELED(HALMA_NAMED(features)) = {
    MP_SIZE(struct mp_features),
    .count = INPUTS,
    .most = 2 * HALMA_PIECES * (1 + FORWARD),
    .views = 2,
    .heads = STAGES,
    .list = list,
    .head = head,
    .change = change,
};
