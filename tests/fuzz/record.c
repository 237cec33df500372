/* record.c - fuzzes the reading of moves: as a record from the initial position, and one by one. A record
 * that is refused must leave the position as it was. */
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct mp_game *game = fuzzed_game();
    struct mp_error error = {0};
    char *text = fuzzed_text(data, size);
    struct mp_position *position = mp_position_new(game, NULL, NULL);
    require(position, "a game has an initial position");
    mp_move move;
    if (mp_position_parse_move(position, text, &move, &error)) {
        char name[256];
        game->print_move(game, mp_position_state(position), move, name, sizeof name);
        mp_move again;
        require(mp_position_parse_move(position, name, &again, &error) && again == move,
                "a move that was printed is read as the same move");
    } else {
        require_sentence(&error);
    }
    char *before = fuzzed_print(game, position);
    if (!mp_position_play_text(position, text, &error)) {
        require_sentence(&error);
        char *after = fuzzed_print(game, position);
        require(!strcmp(before, after), "a refused record leaves the position alone");
        require(mp_position_history(position).count == 0, "a refused record leaves the history alone");
        free(after);
    }
    free(before);
    mp_position_free(position);
    free(text);
    return 0;
}
