#include "search/driver.h"

#include <string.h>

void driver_run(const struct driver *driver, mp_move fallback, struct mp_result *result)
{
    result->move = fallback;
    struct iteration previous, found;
    found.standard_error = 0; /* most schemes have none to tell */
    for (int depth = driver->first_depth; depth <= driver->last_depth; depth++) {
        if (!driver->iterate(driver->context, depth, result->depth ? &previous : NULL, &found)) {
            result->stopped = true;
            break;
        }
        result->move = found.pv[0];
        result->value = found.value;
        result->standard_error = found.standard_error;
        result->depth = depth;
        result->exact = driver->settings->exact;
        result->pv_length = found.pv_length;
        memcpy(result->pv, found.pv, (size_t)found.pv_length * sizeof *found.pv);
        previous = found;
        if (driver->report)
            driver->report(driver->report_context);
        if (control_stopped(driver->control)) {
            result->stopped = depth < driver->last_depth;
            break;
        }
    }
    if (result->depth == 0) {
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
        found->value = w->settings->search(w, 0, depth, alpha, beta);
        if (w->stopped)
            return false;
        width = width < MP_PROVEN ? width * 4 : MP_INFINITE;
        if (found->value <= alpha)
            alpha = width < MP_INFINITE ? found->value - width : -MP_INFINITE;
        else if (found->value >= beta)
            beta = width < MP_INFINITE ? found->value + width : MP_INFINITE;
        else
            break;
    }
    driver_take_line(w, found);
    return true;
}
