/* consumer.c - somebody else's program: it has the installed headers and library and nothing else. */
#include <manyply/manyply.h>

int main(void)
{
    struct mp_error error = {0};
    struct mp_result result = {MP_SIZE(struct mp_result)};
    struct mp_game *game = mp_game_open("othello", &error);
    struct mp_position *position = game ? mp_position_new(game, NULL, &error) : NULL;
    struct mp_search *search = position ? mp_search_new(game, "minimax,depth=4,eval=discs", &error) : NULL;
    bool ok = search && mp_search_run(search, position, NULL, NULL, &result, &error);
    char move[16] = "";
    if (ok)
        game->print_move(game, mp_position_state(position), result.move, move, sizeof move);
    printf("%s %d%s\n", move, ok ? result.depth : 0, error.text);
    mp_search_free(search);
    mp_position_free(position);
    mp_game_close(game);
    return ok ? 0 : 1;
}
