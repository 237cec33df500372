/* position.c - fuzzes the position parser of a game: what it takes must survive printing, and can be played
 * and drawn. */
#include "tests/fuzz/fuzz.h"

static void check_moves(const struct mp_game *game, const char *text, const struct mp_position *position)
{
    int count = mp_position_moves(position, NULL, NULL, 0);
    require(count >= 0, "a position has some number of moves");
    mp_move *moves = malloc(((size_t)count + 1) * sizeof *moves);
    require(moves, "memory");
    require(mp_position_moves(position, moves, NULL, count) == count, "moves are counted alike twice");
    for (int i = 0; i < count; i++) {
        char name[256];
        int length = game->print_move(game, mp_position_state(position), moves[i], name, sizeof name);
        require(length > 0 && (size_t)length < sizeof name, "a move has a name");
        struct mp_position *child = mp_position_new(game, text, NULL);
        require(child && mp_position_play(child, moves[i], NULL), "a listed move can be played");
        mp_position_free(child);
    }
    if (count == 0)
        mp_position_margin(position);
    free(moves);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct mp_game *game = fuzzed_game();
    struct mp_error error = {0};
    char *text = fuzzed_text(data, size);
    struct mp_position *position = mp_position_new(game, text, &error);
    if (!position) {
        require_sentence(&error);
    } else {
        char *printed = fuzzed_print(game, position);
        struct mp_position *again = mp_position_new(game, printed, &error);
        require(again, "what was printed can be read");
        char *printed_again = fuzzed_print(game, again);
        require(!strcmp(printed, printed_again), "a position prints alike after reading it again");
        require(game->key(game, mp_position_state(position)) == game->key(game, mp_position_state(again)),
                "equal positions have equal keys");
        check_moves(game, printed, position);
        if (game->draw) {
            char picture[8192];
            require(game->draw(game, mp_position_state(position), picture, sizeof picture) > 0,
                    "a position can be drawn");
        }
        game->evaluations->evaluate(game, game->evaluations, mp_position_state(position));
        free(printed_again);
        free(printed);
        mp_position_free(again);
        mp_position_free(position);
    }
    free(text);
    return 0;
}
