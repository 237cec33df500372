/* examples_file.c - reads lines of positions, results and values. */
#include "lab/examples_file.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 1000, HELD_BACK = 10 };

bool examples_held_back(size_t number)
{
    return number / BLOCK % HELD_BACK == HELD_BACK - 1;
}

/* A line is a position, a tab, the result for player 0, a tab, the value of the search for player 0. */
static bool split_line(char *line, double *result, double *value)
{
    char *tab = strchr(line, '\t'), *end;
    if (!tab)
        return false;
    *tab++ = 0;
    *result = strtod(tab, &end);
    if (end == tab || *end != '\t' || !(*result >= 0 && *result <= 1))
        return false;
    tab = end + 1;
    *value = strtod(tab, &end);
    return end != tab && *end == '\n' && isfinite(*value);
}

bool examples_read(const struct mp_game *game, FILE *file, examples_take *take, void *context,
                   struct mp_error *error)
{
    static const char expected[] = "a position, a tab, a result from 0 to 1, a tab and a value";
    char *line = NULL;
    size_t size = 0, number = 0;
    void *state = aligned_alloc(MEMORY_LINE, memory_lines(game->state_size));
    bool ok = state || mp_fail(error, "out of memory");
    while (ok && getline(&line, &size, file) > 0) {
        struct mp_error reason = {0};
        double result, value;
        number++;
        if (!split_line(line, &result, &value))
            ok = mp_fail(error, "line %zu: expected %s", number, expected);
        else if (!game->parse_position(game, line, state, &reason))
            ok = mp_fail(error, "line %zu: %.400s", number, reason.text);
        else
            ok = take(context, state, result, value, number, error);
    }
    ok = ok && (number > 0 || mp_fail(error, "the file has no positions"));
    free(line);
    free(state);
    return ok;
}
