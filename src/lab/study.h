/* study.h - how the ways to share a Monte-Carlo search compare as the search grows: lines of speed-up over
 * the number of playouts, and where they cross. The study that the report on Othello asks for. */
#ifndef LAB_STUDY_H
#define LAB_STUDY_H

#include "lab/progress.h"
#include "lab/statistics.h"
#include "manyply/manyply.h"

enum { STUDY_MOST_LINES = 6, STUDY_MOST_KEYS = 2, STUDY_MOST_SIZES = 24, STUDY_TEXT = 256 };

/* One line is one way to search, with as many playouts as the size says. */
struct study_line {
    const char *name;
    const char *keys[STUDY_MOST_KEYS][2]; /* of an mcts strategy, with their values; split first */
    bool chunks;                          /* with the plan's chunk= */
    bool divided; /* an iteration makes a playout for each thread, so there are fewer iterations */
};

struct study {
    const char *name, *summary;
    struct study_line lines[STUDY_MOST_LINES]; /* the first is one thread; ends with a null name */
    int pairs[STUDY_MOST_LINES][2]; /* whose crossings are told: first, who may overtake it; 0, 0 ends */
};
extern const struct study studies[]; /* ends with a null name */

struct study_plan {
    const struct study *study;
    const struct mp_game *game;
    int threads, chunk, positions, rounds;
    int64_t least, most; /* playouts of a search */
    uint64_t seed;
    struct progress *progress;
};

struct study_result {
    int line_count, size_count;
    double sizes[STUDY_MOST_SIZES];
    double seconds[STUDY_MOST_LINES][STUDY_MOST_SIZES]; /* of one search */
    struct interval speed_up[STUDY_MOST_LINES][STUDY_MOST_SIZES];
    char strategies[STUDY_MOST_LINES][STUDY_TEXT]; /* of the largest size */
};

bool study_run(const struct study_plan *plan, struct study_result *result, struct mp_error *error);

/* From which size on one line stays above another. Zero: at every size; infinite: not at the largest. */
double study_crossing(const struct study_result *result, int below, int above);

#endif
