/* uci_time.c - divides the clock among the moves to come, and stretches the share when the search wavers. */
#include "protocols/uci_time.h"

/* Without a word on how many moves are left, as if for this many. Tuned by hand in matches at 2 s + 0.02
 * s. */
enum { MOVES_LEFT = 16, MOST_MOVES_LEFT = 40 };

/* Times the overhead of a move. */
enum { RESERVE = 10 };

struct uci_budget uci_budget(const struct uci_clock *clock)
{
    if (clock->movetime >= 0) {
        int64_t time = clock->movetime - clock->overhead;
        return (struct uci_budget){0, (double)(time > 1 ? time : 1) * 1e-3};
    }
    if (clock->left < 0)
        return (struct uci_budget){0, 0};
    /* Never more than is there, whatever the clock says about later. */
    double left = (double)(clock->left - clock->overhead), increment = (double)clock->increment;
    left = left > 1 ? left : 1;
    /* On a busy machine the system itself may take a tenth of a second now and then: near the end of the
     * clock a reserve is kept, and part of each increment saved. */
    double reserve = RESERVE * (double)clock->overhead;
    reserve = reserve < left / 2 ? reserve : left / 2;
    double spare = left - reserve;
    bool is_short = spare <= reserve && clock->moves_to_go != 1;
    int moves = clock->moves_to_go > 0 ? clock->moves_to_go : MOVES_LEFT;
    moves = moves < MOST_MOVES_LEFT ? moves : MOST_MOVES_LEFT;
    double share = spare / moves + (is_short ? 0.4 : 0.75) * increment;
    double most = moves == 1 ? 0.9 * left : 0.4 * left;
    double hard = (is_short ? 1.5 : 3.5) * share;
    hard = hard < most ? hard : most;
    double soft = 0.6 * share < hard ? 0.6 * share : hard;
    return (struct uci_budget){soft * 1e-3, hard * 1e-3};
}

double uci_stretch(struct uci_course *course, const struct mp_result *so_far)
{
    bool same = course->depth > 0 && course->move == so_far->move;
    mp_value drop = course->depth > 0 ? course->value - so_far->value : 0;
    course->steady = same ? course->steady + 1 : 0;
    course->move = so_far->move;
    course->value = so_far->value;
    course->depth = so_far->depth;
    double stretch = 1.5 - 0.1 * (course->steady < 8 ? course->steady : 8);
    if (drop > 15)
        stretch *= drop < 60 ? 1.2 : 1.5;
    return stretch;
}
