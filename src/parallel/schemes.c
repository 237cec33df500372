/* schemes.c - the list of parallel schemes, a row each. */
#include "parallel/scheme.h"

/* clang-format off */
#define SCHEMES(ROW)                                                                                         \
    ROW(none)                                                                                                \
    ROW(top)                                                                                                 \
    ROW(levels)                                                                                              \
    ROW(chunked)                                                                                             \
    ROW(bfs)                                                                                                 \
    ROW(shared)                                                                                              \
    ROW(pvsplit)                                                                                             \
    ROW(ybwc)                                                                                                \
    ROW(abdada)                                                                                              \
    ROW(lazy)                                                                                                \
    ROW(games)                                                                                               \
    ROW(root)                                                                                                \
    ROW(leaf)                                                                                                \
    ROW(tree)                                                                                                \
    ROW(gpu)                                                                                                 \
    ROW(rolls)                                                                                               \
    ROW(rolls_moves)
/* clang-format on */

#define DECLARED(name) extern const struct scheme scheme_##name;
SCHEMES(DECLARED)

#define LISTED(name) &scheme_##name,
const struct scheme *const schemes[] = {SCHEMES(LISTED) NULL};
