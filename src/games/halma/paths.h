/* paths.h - every path of a piece, one by one: the steps, then every chain of jumps that comes down on no
 * square twice, in the order of the report's program. Their number explodes (15,703 in one position of a game
 * on 16 x 16 were seen), so no search lists them unless it is asked to (moves=paths). */
#ifndef GAMES_HALMA_PATHS_H
#define GAMES_HALMA_PATHS_H

#include "games/halma/moves.h"

/* More paths than this in one position are not looked at. */
enum { HALMA_MOST_PATHS = 1 << 16 };

/* Looks at a path of count squares, origin and end included. False: enough, no more paths. */
typedef bool halma_path_visitor(void *context, const uint8_t *squares, int count);

struct halma_paths {
    const struct halma_jumps *jumps;
    halma_path_visitor *visit;
    void *context;
    halma_set visited;
    uint8_t squares[HALMA_MOST_SQUARES];
};

/* Goes on from the last of count squares. */
static inline bool halma_visit_jumps(struct halma_paths *paths, int count)
{
    int square = paths->squares[count - 1];
#define X(number, rows, columns)                                                                             \
    if (halma_has(paths->jumps->from[number], square)) {                                                     \
        int landing = square + 2 * ((rows)*HALMA_SIZE + (columns));                                          \
        if (!halma_has(paths->visited, landing)) {                                                           \
            paths->squares[count] = (uint8_t)landing;                                                        \
            paths->visited ^= halma_at(landing);                                                             \
            if (!paths->visit(paths->context, paths->squares, count + 1) ||                                  \
                !halma_visit_jumps(paths, count + 1))                                                        \
                return false;                                                                                \
            paths->visited ^= halma_at(landing);                                                             \
        }                                                                                                    \
    }
    HALMA_DIRECTIONS(X)
#undef X
    return true;
}

/* All paths of the piece on a square, by steps and jumps alone. False: the visitor had enough. */
static inline bool halma_visit_paths(const struct halma_jumps *jumps, int square, halma_path_visitor *visit,
                                     void *context)
{
    struct halma_paths paths = {.jumps = jumps, .visit = visit, .context = context};
    paths.visited = halma_at(square);
    paths.squares[0] = (uint8_t)square;
    int target;
    /* In the order of the squares, which is that of the directions. */
    HALMA_EACH(target, halma_spread(halma_at(square)) & jumps->empty)
    {
        paths.squares[1] = (uint8_t)target;
        if (!visit(context, paths.squares, 2))
            return false;
    }
    return halma_visit_jumps(&paths, 1);
}

#endif
