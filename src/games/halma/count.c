/* count.c - how many moves there are, and how many lines of play. Nothing is listed on the way: destinations
 * are walked as bits and, at the last ply, only counted. Compiled for each board and CPU level. */
#include "games/halma/moves.h"
#include "games/halma/paths.h"

#include "base/level.h"

/* All steps at once, direction by direction; then the jumps of the pieces that have any. */
HALMA_INLINE int count_destinations(const struct halma_turn *turn)
{
    int from, count = 0;
    if (turn->duty != HALMA_NO_DUTY) {
        HALMA_EACH(from, turn->movers)
        count += halma_count(halma_targets(turn, from));
        return count;
    }
    halma_set home = halma_home(turn->side), goal = halma_goal(turn->side);
    bool goal_locks = turn->rules != HALMA_FREE, home_shuts = goal_locks && turn->rules != HALMA_LOCK;
    halma_set locked = turn->movers & goal, outside = turn->movers & ~home;
#define X(number, rows, columns)                                                                             \
    {                                                                                                        \
        halma_set targets = halma_step(turn->movers, rows, columns) & turn->jumps.empty;                     \
        if (goal_locks)                                                                                      \
            targets &= ~(halma_step(locked, rows, columns) & ~goal);                                         \
        if (home_shuts)                                                                                      \
            targets &= ~(halma_step(outside, rows, columns) & home);                                         \
        count += halma_count(targets);                                                                       \
    }
    HALMA_DIRECTIONS(X)
#undef X
    HALMA_EACH(from, turn->movers & turn->jumps.any)
    {
        halma_set landings = halma_flood(&turn->jumps, halma_at(from));
        count += halma_count(landings & halma_allowed(turn->rules, turn->side, from));
    }
    return count;
}

/* The paths of one piece to each square. */
struct path_counts {
    uint32_t to[HALMA_SQUARES];
    int total;
};

static bool count_path(void *context, const uint8_t *squares, int count)
{
    struct path_counts *counts = context;
    counts->to[squares[count - 1]]++;
    return ++counts->total < HALMA_MOST_PATHS;
}

static struct path_counts paths_of(const struct halma_turn *turn, int from)
{
    struct path_counts counts = {.total = 0};
    halma_visit_paths(&turn->jumps, from, count_path, &counts);
    return counts;
}

static int count_paths(const struct halma_turn *turn)
{
    int from, to, count = 0;
    HALMA_EACH(from, turn->movers)
    {
        struct path_counts counts = paths_of(turn, from);
        HALMA_EACH(to, halma_targets(turn, from))
        count += (int)counts.to[to];
    }
    return count < HALMA_MOST_PATHS ? count : HALMA_MOST_PATHS;
}

HALMA_INLINE bool is_won(enum halma_rules rules, const halma_set pieces[2], int side, int ply)
{
    return halma_has_won(rules, pieces, !side, ply) || halma_has_won(rules, pieces, side, ply);
}

int LEVELED(HALMA_NAMED(count))(const struct mp_game *game, const void *state)
{
    const struct halma *s = state;
    enum halma_rules rules = halma_rules_of(game);
    int side = halma_side(s);
    if (is_won(rules, s->pieces, side, s->ply))
        return 0;
    struct halma_turn turn = halma_turn_of(rules, s->pieces, side);
    int count = halma_lists_paths(game) ? count_paths(&turn) : count_destinations(&turn);
    return count ? count : halma_must_pass(rules, s->pieces, side);
}

/* The leaves below a board; finished is what a finished game counts. */
typedef uint64_t leaves_function(const halma_set *pieces, int side, int ply, int depth, unsigned finished);

/* A turn that is skipped, or the end of the game. */
HALMA_INLINE uint64_t leaves_without_move(leaves_function *recur, enum halma_rules rules,
                                          const halma_set *pieces, int side, int ply, int depth,
                                          unsigned finished)
{
    if (!halma_must_pass(rules, pieces, side))
        return finished;
    return depth == 1 ? 1 : recur(pieces, !side, ply + 1, depth - 1, finished);
}

/* Inlined into one function for each set of rules, so that what they do not ask costs nothing. */
HALMA_INLINE uint64_t leaves(leaves_function *recur, enum halma_rules rules, const halma_set *pieces,
                             int side, int ply, int depth, unsigned finished)
{
    if (is_won(rules, pieces, side, ply))
        return finished;
    struct halma_turn turn = halma_turn_of(rules, pieces, side);
    uint64_t sum = 0;
    bool moved = false;
    if (depth == 1) {
        sum = (uint64_t)count_destinations(&turn);
        moved = sum > 0;
    } else {
        int from, to;
        HALMA_EACH(from, turn.movers)
        {
            halma_set targets = halma_targets(&turn, from);
            HALMA_EACH(to, targets)
            {
                halma_set after[2] = {pieces[0], pieces[1]};
                after[side] ^= halma_at(from) | halma_at(to);
                sum += recur(after, !side, ply + 1, depth - 1, finished);
                moved = true;
            }
        }
    }
    return moved ? sum : leaves_without_move(recur, rules, pieces, side, ply, depth, finished);
}

#define LEAVES(name, rules)                                                                                  \
    static uint64_t name(const halma_set *pieces, int side, int ply, int depth, unsigned finished)           \
    {                                                                                                        \
        return leaves(name, rules, pieces, side, ply, depth, finished);                                      \
    }
LEAVES(leaves_standard, HALMA_STANDARD)
LEAVES(leaves_free, HALMA_FREE)
LEAVES(leaves_lock, HALMA_LOCK)
LEAVES(leaves_usc, HALMA_USC)
#undef LEAVES

/* The paths between two squares lead to the same board: one count, times their number. */
static uint64_t leaves_of_paths(enum halma_rules rules, const halma_set *pieces, int side, int ply, int depth,
                                unsigned finished)
{
    if (is_won(rules, pieces, side, ply))
        return finished;
    struct halma_turn turn = halma_turn_of(rules, pieces, side);
    uint64_t sum = 0;
    int from, to;
    HALMA_EACH(from, turn.movers)
    {
        struct path_counts counts = paths_of(&turn, from);
        HALMA_EACH(to, halma_targets(&turn, from))
        {
            halma_set after[2] = {pieces[0], pieces[1]};
            after[side] ^= halma_at(from) | halma_at(to);
            sum += counts.to[to] *
                   (depth == 1 ? 1 : leaves_of_paths(rules, after, !side, ply + 1, depth - 1, finished));
        }
    }
    if (halma_can_move(&turn) || !halma_must_pass(rules, pieces, side))
        return halma_can_move(&turn) ? sum : finished;
    return depth == 1 ? 1 : leaves_of_paths(rules, pieces, !side, ply + 1, depth - 1, finished);
}

uint64_t LEVELED(HALMA_NAMED(perft))(const struct mp_game *game, const void *state, int depth,
                                     bool drop_finished)
{
    static leaves_function *const by_rules[] = {
        [HALMA_STANDARD] = leaves_standard,
        [HALMA_FREE] = leaves_free,
        [HALMA_LOCK] = leaves_lock,
        [HALMA_USC] = leaves_usc,
    };
    const struct halma *s = state;
    enum halma_rules rules = halma_rules_of(game);
    if (halma_lists_paths(game))
        return leaves_of_paths(rules, s->pieces, halma_side(s), s->ply, depth, !drop_finished);
    return by_rules[rules](s->pieces, halma_side(s), s->ply, depth, !drop_finished);
}
