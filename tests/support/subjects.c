/* subjects.c - opens the games under test and plays random moves in them. */
#include "tests/support/subjects.h"

#include "base/random.h"

#include <stdlib.h>

const char *const *subjects_names(void)
{
    enum { MOST = 32 };
    static const char *names[MOST];
    int count = 0;
    while (mp_game_name(count)) {
        names[count] = mp_game_name(count);
        count++;
    }
    names[count++] = "backgammon:cube=on,match=5,ids=xg";
    names[count++] = CONNECT4_PLUGIN;
    names[count++] = DICE_PLUGIN;
    names[count++] = CIRCLE_PLUGIN;
    names[count] = NULL;
    return names;
}

/* One random step; false: the game is over. */
static bool step(struct mp_position *position, uint64_t random)
{
    if (mp_position_is_over(position))
        return false;
    int total = mp_position_moves(position, NULL, NULL, 0);
    mp_move *moves = malloc((size_t)total * sizeof *moves);
    mp_position_moves(position, moves, NULL, total);
    mp_position_play(position, moves[random_below(random, (uint32_t)total)], NULL);
    free(moves);
    return true;
}

struct mp_position *subjects_position(const struct mp_game *game, uint64_t seed, int most_plies)
{
    for (uint64_t attempt = 0;; attempt++) {
        uint64_t stream = random_at(seed, attempt);
        struct mp_position *position = mp_position_new(game, NULL, NULL);
        int plies = (int)random_below(random_next(&stream), (uint32_t)most_plies + 1);
        bool alive = true;
        for (int i = 0; (i < plies || mp_position_is_chance(position)) && alive; i++)
            alive = step(position, random_next(&stream));
        if (alive && !mp_position_is_over(position))
            return position;
        mp_position_free(position);
    }
}

bool subjects_is_over(const struct mp_position *position)
{
    return mp_position_moves(position, NULL, NULL, 0) == 0;
}
