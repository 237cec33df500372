#include "search/driver.h"

#include <string.h>

static void take(struct mp_result *result, const struct iteration *found, int depth, int line, int bound)
{
    result->move = found->pv[0];
    result->value = found->value;
    result->standard_error = found->standard_error;
    result->depth = depth;
    result->line = line + 1;
    result->bound = bound;
    result->pv_length = found->pv_length;
    memcpy(result->pv, found->pv, (size_t)found->pv_length * sizeof *found->pv);
}

/* Of a line at the last depth and at the one before. */
struct values {
    mp_value last, before;
};

/* All lines of one depth, each without the first moves of those before it. False: stopped before all were
 * done; the result is as far as the first line has come. */
static bool run_depth(const struct driver *driver, int depth, struct values values[],
                      struct mp_result *result)
{
    struct iteration best = {.pv_length = 0}, previous, found = {.standard_error = 0};
    bool done = true;
    driver->root->but_count = 0;
    for (int line = 0; line < driver->lines && done; line++) {
        /* Without quiescence the side that moves last has the better of it: the value two plies before is
         * nearer. */
        bool two_back = driver->settings->exact && depth > driver->first_depth + 1;
        previous.value = two_back ? values[line].before : values[line].last;
        found.pv_length = 0;
        found.standard_error = 0; /* most schemes have none to tell */
        done = driver->iterate(driver->context, depth, depth > driver->first_depth ? &previous : NULL,
                               &found);
        if (done) {
            values[line] = (struct values){found.value, values[line].last};
            driver->root->but[driver->root->but_count++] = found.pv[0];
            take(result, &found, depth, line, 0);
            result->exact = driver->settings->exact;
            if (driver->report)
                driver->report(driver->report_context);
        }
        if (line == 0 && (done || (found.pv_length > 0 && !driver->settings->exact)))
            best = found;
    }
    if (best.pv_length > 0)
        take(result, &best, result->depth, 0, 0);
    driver->root->but_count = 0;
    return done;
}

void driver_run(const struct driver *driver, mp_move fallback, struct mp_result *result)
{
    struct values values[MP_MAX_LINES];
    result->move = fallback;
    result->line = 1;
    for (int depth = driver->first_depth; depth <= driver->last_depth; depth++) {
        if (!run_depth(driver, depth, values, result)) {
            result->stopped = true;
            break;
        }
        if (control_stopped(driver->control)) {
            result->stopped = depth < driver->last_depth;
            break;
        }
    }
    if (result->pv_length == 0) {
        result->pv[0] = fallback;
        result->pv_length = 1;
    }
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
