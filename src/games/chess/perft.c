/* perft.c - counts the lines of play. Compiled once for each CPU level.
 *
 * The last ply is never listed, only counted; the plies above it play on small copies without a key. The
 * two sides are two functions that call each other, so that the side is a constant in both. */
#include "games/chess/play.h"

#include "base/level.h"

struct counting {
    unsigned finished; /* what a game that is over above the last ply counts */
};

static uint64_t count_black(const struct chess *s, int depth, struct counting counting);
static uint64_t count_white(const struct chess *s, int depth, struct counting counting);

CHESS_INLINE uint64_t count_lines(const struct chess *s, int depth, struct counting counting, int us)
{
    mp_move moves[CHESS_MOST_MOVES];
    const mp_move *end = chess_list_moves(s, us, CHESS_ALL, moves);
    struct chess child;
    uint64_t leaves = 0;
    if (end == moves)
        return counting.finished;
    for (const mp_move *move = moves; move < end; move++) {
        chess_play_pieces(s, *move, us, &child);
        if (depth > 2) {
            leaves += us ? count_white(&child, depth - 1, counting)
                         : count_black(&child, depth - 1, counting);
            continue;
        }
        int count = chess_count_moves(&child, !us);
        leaves += count ? (unsigned)count : counting.finished;
    }
    return leaves;
}

static uint64_t count_white(const struct chess *s, int depth, struct counting counting)
{
    return count_lines(s, depth, counting, 0);
}

static uint64_t count_black(const struct chess *s, int depth, struct counting counting)
{
    return count_lines(s, depth, counting, 1);
}

uint64_t LEVELED(chess_perft)(const struct mp_game *game, const void *state, int depth, bool drop_finished)
{
    (void)game;
    const struct chess *s = state;
    struct counting counting = {.finished = !drop_finished};
    if (depth > 1)
        return s->side ? count_black(s, depth, counting) : count_white(s, depth, counting);
    int count = s->side ? chess_count_moves(s, 1) : chess_count_moves(s, 0);
    return count ? (unsigned)count : counting.finished;
}
