/* auto.c - split=auto: the scheme that should be fastest for a search.
 *
 * The table is the one place that says so, each row for the reason beside it. `bench/auto` measures the
 * candidates of each row on all games (with `manyply bench`, as shares of the machine's ceiling) and prints
 * the winners, so that it can be checked. On one thread any scheme is the sequential search, so there is
 * nothing to choose. */
#include "parallel/auto.h"

#include "search/algorithms.h"

#include <string.h>

static const struct choice {
    search_function *search; /* null: any */
    bool dice, table;        /* with dice, with a transposition table */
    const char *scheme;
} choices[] = {
    {minimax, false, false, "levels"}, /* nothing to share, so tasks without bounds lose nothing */
    {minimax, true, false, "rolls+moves"},
    {expectiminimax, true, false, "rolls+moves"}, /* full windows at throws anyway */
    {NULL, true, false, "ybwc"},                  /* star1 and star2 live on their bounds */
    {NULL, false, true, "ybwc"},
    {NULL, true, true, "ybwc"},
    {NULL, false, false, "ybwc"},
};

static const struct scheme *scheme_named(const char *name)
{
    const struct scheme *scheme = schemes;
    while (strcmp(scheme->name, name) != 0)
        scheme++;
    return scheme;
}

const struct scheme *auto_scheme(const struct mp_game *game, const struct settings *settings, bool table)
{
    const struct choice *choice = choices;
    if (settings->algorithm->samples)
        return scheme_named("tree");
    if (settings->search == rollout)
        return scheme_named("games");
    while ((choice->search && choice->search != settings->search) ||
           choice->dice != (game->chances != NULL) || (!choice->search && choice->table != table))
        choice++;
    return scheme_named(choice->scheme);
}
