/* gnubg.c - fuzzes the reader of GNU Backgammon's boards: what it takes is a position that the game can
 * print, read and play on. */
#include "tests/fuzz/fuzz.h"

#include "protocols/gnubg.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct mp_game *game = fuzzed_game();
    struct mp_error error = {0};
    struct gnubg_request request;
    char *line = fuzzed_text(data, size), text[256];
    if (!gnubg_read_board(line, &request, &error)) {
        require_sentence(&error);
    } else {
        game->print_position(game, &request.state, text, sizeof text);
        struct mp_position *position = mp_position_new(game, text, &error);
        require(position, error.text);
        require(mp_position_moves(position, NULL, NULL, 0) > 0, "a game that goes on has moves");
        mp_position_free(position);
    }
    free(line);
    return 0;
}
