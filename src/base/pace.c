/* pace.c - divides the clock among the moves to come, and notes what is lost on the way. */
#include "base/pace.h"

#include <math.h>

/* Without a word on how many moves are left, as if for this many. With it, 0.13 s are left after 40 moves of
 * 1 s + 0.01 s (bench/clock-use). */
enum { MOVES_LEFT = 14, MOST_MOVES_LEFT = 40 };

/* Kept back for the end of the clock: times the overhead of a move, times the longest delay that was seen, and what this many
 * moves lose beyond the increment. */
enum { RESERVE_OVERHEADS = 2, RESERVE_DELAYS = 4, RESERVE_MOVES = 40 };

struct pace_budget pace_budget(const struct pace_clock *clock)
{
    static const double shortest = 0.001;
    /* A delay as long as all that is left cannot be provided for. */
    double delay = fmin(clock->delay, (clock->move >= 0 ? clock->move : clock->left) / 2);
    double overhead = fmax(clock->overhead, delay);
    if (clock->move >= 0)
        return (struct pace_budget){0, fmax(clock->move - overhead, shortest)};
    if (clock->left < 0)
        return (struct pace_budget){0, 0};
    /* Never more than is there, whatever the clock says about later. */
    double left = fmax(clock->left - overhead, shortest);
    double reserve = RESERVE_OVERHEADS * clock->overhead + RESERVE_DELAYS * delay +
                     RESERVE_MOVES * fmax(clock->mean_delay - clock->increment, 0);
    double spare = fmax(left - reserve, left / 20), gained = fmax(clock->increment - clock->mean_delay, 0);
    bool is_short = spare <= reserve && clock->moves_to_go != 1;
    int moves = clock->moves_to_go > 0 ? clock->moves_to_go : MOVES_LEFT;
    moves = moves < MOST_MOVES_LEFT ? moves : MOST_MOVES_LEFT;
    double share = spare / moves + (is_short ? 0.4 : 1.15) * gained;
    double most = moves == 1 ? 0.9 * left : 0.4 * left;
    double hard = fmin((is_short ? 1.5 : 3.5) * share, most);
    return (struct pace_budget){fmin(0.6 * share, hard), hard};
}

double pace_stretch(struct pace_course *course, const struct pace_iteration *done)
{
    bool same = course->depth > 0 && course->move == done->move;
    int drop = course->depth > 0 ? course->value - done->value : 0;
    course->steady = same ? course->steady + 1 : 0;
    course->move = done->move;
    course->value = done->value;
    course->depth = done->depth;
    double stretch = 1.5 - 0.1 * (course->steady < 8 ? course->steady : 8);
    if (drop > 15)
        stretch *= drop < 60 ? 1.2 : 1.5;
    /* A move that takes nearly all nodes leaves little to decide; one that takes few has rivals. */
    if (done->effort > 0)
        stretch *= 1.4 * (1.45 - fmin(done->effort, 1));
    return stretch;
}

/* ---- Delays ----------------------------------------------------------------------------------------- */

/* Longer ones say nothing of the next move: somebody set the clock, or stopped the program. */
static const double longest_delay = 1;

static void note(struct pace_delay *delay, double seconds)
{
    if (seconds > delay->longest)
        delay->longest = fmin(seconds, longest_delay);
}

void pace_begins(struct pace_delay *delay, double left)
{
    double lost = delay->is_expected ? delay->expected - left : 0;
    delay->longest *= 0.95; /* half of it after 14 moves */
    if (delay->is_expected && lost < longest_delay) {
        note(delay, lost);
        delay->mean += 0.1 * (fmax(lost, 0) - delay->mean);
    }
    delay->is_expected = false;
}

void pace_moved(struct pace_delay *delay, const struct pace_clock *clock, double hard, double seconds)
{
    if (hard > 0)
        note(delay, seconds - hard);
    delay->is_expected = clock->left >= 0 && clock->moves_to_go == 0;
    delay->expected = clock->left - seconds + clock->increment;
}

void pace_new_game(struct pace_delay *delay)
{
    delay->is_expected = false;
}
