/* features.c - what a network sees of Othello, as the side to move: what stands in each pattern (patterns.h), how many
 * moves either side has, and how many quadrants have an odd number of empty squares. Compiled once for each CPU level. */
#include "games/othello/board.h"
#include "games/othello/othello.h"
#include "games/othello/patterns.h"

enum {
    MOST_MOVES = 31, /* more count as so many */
    OWN_MOVES = PATTERN_INPUTS,
    OPP_MOVES = OWN_MOVES + MOST_MOVES + 1,
    ODD_QUADRANTS = OPP_MOVES + MOST_MOVES + 1,
    INPUTS = ODD_QUADRANTS + 5,
    ACTIVE = PATTERN_COUNT + 3,
    FIRST_STAGE = 10, /* discs up to which all is one stage */
    STAGE = 5,
    STAGES = (64 - FIRST_STAGE) / STAGE + 1,
    VECTORS = PATTERN_LANES / PATTERN_STEP,
};

/* The numbers of all patterns. */
struct numbers {
    pattern_lanes lanes[VECTORS];
};

static inline void add(struct numbers *n, const struct patterns *p, uint64_t squares)
{
    for (; squares; squares = bits_rest(squares))
        for (int i = 0; i < VECTORS; i++)
            n->lanes[i] += p->squares[bits_first(squares)][i];
}

/* Own discs count once, the others twice. */
static inline struct numbers count_discs(const struct patterns *p, uint64_t own, uint64_t opp)
{
    struct numbers n = {0};
    add(&n, p, opp);
    for (int i = 0; i < VECTORS; i++)
        n.lanes[i] += n.lanes[i];
    add(&n, p, own);
    return n;
}

static inline int quadrants_odd(uint64_t empty)
{
    const uint64_t quadrant = UINT64_C(0x0f0f0f0f);
    return (bits_count(empty & quadrant) & 1) + (bits_count(empty & quadrant << 4) & 1) +
           (bits_count(empty & quadrant << 32) & 1) + (bits_count(empty & quadrant << 36) & 1);
}

static inline uint16_t capped(int first, int moves)
{
    return (uint16_t)(first + (moves < MOST_MOVES ? moves : MOST_MOVES));
}

static inline int write_inputs(const struct patterns *p, const struct numbers *n, uint64_t empty,
                               int own_moves, int opp_moves, uint16_t *inputs)
{
    const uint16_t *numbers = (const uint16_t *)n->lanes;
    for (int i = 0; i < PATTERN_COUNT; i++)
        inputs[i] = p->inputs[p->offsets[i] + numbers[i]];
    inputs[PATTERN_COUNT] = capped(OWN_MOVES, own_moves);
    inputs[PATTERN_COUNT + 1] = capped(OPP_MOVES, opp_moves);
    inputs[PATTERN_COUNT + 2] = (uint16_t)(ODD_QUADRANTS + quadrants_odd(empty));
    return ACTIVE;
}

static inline int stage(uint64_t discs)
{
    int count = bits_count(discs);
    return count < FIRST_STAGE ? 0 : (count - FIRST_STAGE) / STAGE;
}

static int list(const struct mp_game *game, const void *state, int player, uint16_t *inputs)
{
    (void)player; /* the one to move */
    const struct patterns *p = game->data;
    const struct othello *s = state;
    struct numbers n = count_discs(p, s->own, s->opp);
    return write_inputs(p, &n, ~(s->own | s->opp), bits_count(othello_mobility(s->own, s->opp)),
                        bits_count(othello_mobility(s->opp, s->own)), inputs);
}

static int head(const struct mp_game *game, const void *state)
{
    (void)game;
    const struct othello *s = state;
    return stage(s->own | s->opp);
}

static bool known(const struct mp_game *game, const void *state, mp_value *value)
{
    const struct othello *s = state;
    if (othello_mobility(s->own, s->opp) || othello_mobility(s->opp, s->own))
        return false;
    *value = mp_final_value(game, othello_margin(s->own, s->opp), 0);
    return true;
}

/* As the other side sees a state: what its children begin with. */
static void prepare(const struct mp_game *game, const void *state, void *scratch)
{
    const struct othello *s = state;
    _Static_assert(sizeof(struct numbers) <= MP_FEATURES_SCRATCH, "the numbers are kept there");
    *(struct numbers *)scratch = count_discs(game->data, s->opp, s->own);
}

static int list_child(const struct mp_game *game, const void *state, const void *scratch, mp_move move,
                      uint16_t *inputs, int *child_head, mp_value *value)
{
    const struct patterns *p = game->data;
    const struct othello *s = state;
    struct numbers n = *(const struct numbers *)scratch;
    uint64_t turned = 0, placed = 0;
    if (move != OTHELLO_PASS) {
        turned = othello_flips(s->own, s->opp, (int)move);
        placed = UINT64_C(1) << move;
    }
    uint64_t own = s->opp ^ turned, opp = s->own ^ turned ^ placed;
    int own_moves = bits_count(othello_mobility(own, opp)),
        opp_moves = bits_count(othello_mobility(opp, own));
    if (own_moves + opp_moves == 0) {
        *value = mp_final_value(game, othello_margin(own, opp), 0);
        return -1;
    }
    *child_head = stage(own | opp);
    add(&n, p, placed); /* a disc of the other side, which counts twice, where there was none */
    add(&n, p, placed | turned);
    return write_inputs(p, &n, ~(own | opp), own_moves, opp_moves, inputs);
}

const struct mp_features LEVELED(othello_features) = {
    MP_SIZE(struct mp_features),
    .count = INPUTS,
    .most = ACTIVE,
    .views = 1,
    .heads = STAGES,
    .list = list,
    .head = head,
    .known = known,
    .prepare = prepare,
    .list_child = list_child,
};
