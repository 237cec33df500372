/* manyply.c - the public interface of games; positions are in position.c, strategies in strategy/, searches in
 * engine/. */
#include "manyply/manyply.h"

#include "base/cpus.h"
#include "games/games.h"
#include "parallel/perft_pool.h"

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

/* ---- Perft ------------------------------------------------------------------------------------------ */

bool mp_perft(const struct mp_position *position, int depth, int threads, bool drop_finished,
              mp_perft_progress progress, void *context, uint64_t *leaves, struct mp_error *error)
{
    *leaves = 0;
    if (depth < 0 || depth > MP_MAX_DEPTH)
        return mp_fail_with(error, MP_ERROR_MISUSE, "perft depth %d, expected 0 to %d", depth, MP_MAX_DEPTH);
    if (threads < 1 || threads > MP_MAX_THREADS)
        return mp_fail_with(error, MP_ERROR_MISUSE, "%d threads, expected 1 to %d", threads, MP_MAX_THREADS);
    return parallel_perft(mp_position_game(position), mp_position_state(position), depth, threads,
                          drop_finished, progress, context, leaves, error);
}
