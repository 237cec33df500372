/* manyply.c - the public interface of games; positions are in position.c, strategies in strategy/, searches in
 * engine/. */
#include "manyply/manyply.h"

#include "base/cpus.h"
#include "games/games.h"

const char *mp_version(void)
{
    return MANYPLY_VERSION;
}

int mp_cpu_count(void)
{
    int cpus = cpus_allowed();
    return cpus < MP_MAX_THREADS ? cpus : MP_MAX_THREADS;
}

/* ---- Games ------------------------------------------------------------------------------------------ */

const char *mp_game_name(int index)
{
    return games_name(index);
}

struct mp_game *mp_game_open(const char *name, struct mp_error *error)
{
    return games_open(name, error);
}

void mp_game_close(struct mp_game *game)
{
    games_close(game);
}
