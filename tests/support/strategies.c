/* strategies.c - the list of exact strategies, and which of them suit a game. */
#include "tests/support/strategies.h"

#include "tests/support/test.h"

/* eager=on: the trees of tests would be done before they are shared. */
const char *const exact_strategies[] = {
    "minimax",
    "alphabeta",
    "pvs,hash=1",
    "pvs,hash=0",
    "pvs,hash=1,aspiration=off,killers=off,history=off",
    "minimax,split=top,eager=on,threads=%d",
    "minimax,split=levels,eager=on,threads=%d",
    "alphabeta,split=levels,levels=3,eager=on,threads=%d",
    "alphabeta,split=chunked,chunk=3,eager=on,threads=%d",
    "pvs,hash=1,split=chunked,eager=on,threads=%d",
    "minimax,split=bfs,eager=on,threads=%d",
    "pvs,hash=1,split=bfs,cap=20,eager=on,threads=%d",
    "alphabeta,split=shared,levels=3,min=2,eager=on,threads=%d",
    "pvs,hash=1,split=pvsplit,eager=on,threads=%d",
    "alphabeta,split=ybwc,eager=on,threads=%d",
    "pvs,hash=1,split=ybwc,eager=on,threads=%d",
    "pvs,hash=1,split=abdada,eager=on,threads=%d",
    "pvs,hash=1,split=lazy,eager=on,threads=%d",
    "pvs,hash=1," NOTHING_SELECTIVE,
    "pvs,hash=0,split=ybwc,eager=on,threads=%d," NOTHING_SELECTIVE,
    "expectiminimax",
    "star1",
    "star2",
    "star2,hash=1",
    "star2,split=top,eager=on,threads=%d",
    "star1,split=ybwc,eager=on,threads=%d",
    "expectiminimax,split=rolls,eager=on,threads=%d",
    "star1,split=rolls,eager=on,threads=%d",
    "star2,split=rolls,eager=on,threads=%d",
    "star1,split=rolls+moves,eager=on,threads=%d",
    NULL,
};

bool strategy_suits(const char *strategy, const struct mp_game *game)
{
    return game->chances || !strstr(strategy, "split=rolls");
}

void strategy_fill_in(const char *strategy, int threads, char *text, size_t size)
{
    const char *place = strstr(strategy, "%d");
    if (place)
        snprintf(text, size, "%.*s%d%s", (int)(place - strategy), strategy, threads, place + 2);
    else
        snprintf(text, size, "%s", strategy);
}
