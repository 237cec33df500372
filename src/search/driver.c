/* driver.c - deepens step by step until a limit or the end of the tree, for one line or several. */
#include "search/driver.h"

#include <string.h>

static void take(struct mp_result *result, const struct iteration *found, int depth, int line)
{
    result->move = found->pv[0];
    result->value = found->value;
    result->standard_error = found->standard_error;
    result->depth = depth;
    result->line = line + 1;
    result->bound = 0;
    result->pv_length = found->pv_length;
    memcpy(result->pv, found->pv, (size_t)found->pv_length * sizeof *found->pv);
}

static void report(const struct driver *driver)
{
    if (driver->report)
        driver->report(driver->report_context);
}

/* A selective search may find more in a later line than in an earlier one. Of equals the first stays. */
static void sort_lines(struct iteration **lines, int count)
{
    for (int i = 1; i < count; i++) {
        struct iteration *line = lines[i];
        int j = i;
        for (; j > 0 && lines[j - 1]->value < line->value; j--)
            lines[j] = lines[j - 1];
        lines[j] = line;
    }
}

/* Of a line at the last depth and at the one before. */
struct values {
    mp_value last, before;
};

/* All lines of one depth, each without the first moves of those before it. Returns how many were finished;
 * the next one then has what the selective search has found to be better, if its pv_length is not 0. */
static int search_lines(const struct driver *driver, int depth, const struct values values[])
{
    struct iteration previous;
    int line = 0;
    driver->root->excluded_count = 0;
    for (; line < driver->lines; line++) {
        /* Without quiescence the side that moves last has the better of it: the value two plies before is
         * nearer. */
        bool two_back = driver->settings->exact && depth > driver->first_depth + 1;
        previous.value = two_back ? values[line].before : values[line].last;
        struct iteration *found = driver->found[line];
        found->pv_length = 0;
        found->standard_error = 0; /* most schemes have none to tell */
        if (!driver->iterate(driver->context, depth, depth > driver->first_depth ? &previous : NULL, found))
            break;
        driver->root->excluded[driver->root->excluded_count++] = found->pv[0];
    }
    driver->root->excluded_count = 0;
    return line;
}

/* Searches one depth and reports its lines, the best first; the result is the best. False: stopped before all
 * were done; the result is as far as the first line has come, and that has been reported too. */
static bool run_depth(const struct driver *driver, int depth, struct values values[],
                      struct mp_result *result)
{
    int done = search_lines(driver, depth, values);
    if (done == 0) {
        if (driver->found[0]->pv_length > 0 && !driver->settings->exact) {
            take(result, driver->found[0], result->depth, 0);
            report(driver);
        }
        return false;
    }
    sort_lines(driver->found, done);
    for (int line = 0; line < done; line++)
        values[line] = (struct values){driver->found[line]->value, values[line].last};
    result->exact = driver->settings->exact;
    for (int line = 0; line < done; line++) {
        take(result, driver->found[line], depth, line);
        report(driver);
    }
    take(result, driver->found[0], depth, 0);
    return done == driver->lines;
}

void driver_guess(struct worker *w, struct mp_result *result)
{
    w->stopped = false;
    result->value = -MP_INFINITE;
    worker_count_node(w, 0);
    struct move_list list = worker_list(w, 0);
    for (int i = 0; i < list.count; i++) {
        worker_play(w, 0, list.moves[i]);
        mp_value value = -worker_leaf(w, 1);
        if (value > result->value) {
            result->value = value;
            result->move = list.moves[i];
        }
    }
    worker_drop(w, list);
    result->pv[0] = result->move;
    result->depth = result->line = result->pv_length = 1;
    result->exact = w->settings->exact;
}

/* Has the depth that was just searched, with its lines, left nothing to be found by a deeper one? */
static bool is_complete(const struct driver *driver, uint64_t open_ends_before)
{
    if (!driver->open_ends || driver->open_ends(driver->context) == open_ends_before)
        return driver->open_ends;
    for (int line = 0; line < driver->lines; line++)
        if (!worker_counts_to_end(driver->first, driver->found[line]->value))
            return false;
    return true;
}

void driver_run(const struct driver *driver, struct mp_result *result)
{
    struct values values[MP_MAX_LINES];
    for (int depth = driver->first_depth; depth <= driver->last_depth; depth++) {
        uint64_t open_ends = driver->open_ends ? driver->open_ends(driver->context) : 0;
        if (!run_depth(driver, depth, values, result)) {
            result->stopped = true;
            break;
        }
        result->complete = is_complete(driver, open_ends);
        if (result->complete)
            break;
        if (control_stopped(driver->control)) {
            result->stopped = depth < driver->last_depth;
            break;
        }
    }
    if (result->pv_length == 0)
        driver_guess(driver->first, result);
}

/* How far the value of the next iteration may be from the last before it has to be searched again;
 * doubled each time. */
enum { ASPIRATION_DEPTH = 4, ASPIRATION_WINDOW = 32 };

void driver_take_line(const struct worker *w, struct iteration *found)
{
    found->standard_error = w->standard_error;
    found->pv_length = w->pv_length[0];
    memcpy(found->pv, w->pv[0], (size_t)found->pv_length * sizeof *found->pv);
}

bool driver_iterate(void *context, int depth, const struct iteration *previous, struct iteration *found)
{
    struct worker *w = context;
    mp_value alpha = -MP_INFINITE, beta = MP_INFINITE;
    if (w->settings->aspiration && previous && depth >= ASPIRATION_DEPTH) {
        alpha = previous->value - ASPIRATION_WINDOW;
        beta = previous->value + ASPIRATION_WINDOW;
    }
    for (mp_value width = ASPIRATION_WINDOW;;) {
        mp_value value = w->settings->search(w, 0, depth, alpha, beta);
        if (w->pv_length[0] > 0) {
            found->value = value;
            driver_take_line(w, found);
        }
        if (w->stopped)
            return false;
        bool low = value <= alpha, high = value >= beta;
        if (!low && !high)
            return true;
        if (w->report_bound)
            w->report_bound(w->report_context, depth, value, low ? -1 : 1);
        width = width < MP_PROVEN ? width * 4 : MP_INFINITE;
        if (low)
            alpha = width < MP_INFINITE ? value - width : -MP_INFINITE;
        else
            beta = width < MP_INFINITE ? value + width : MP_INFINITE;
    }
}
