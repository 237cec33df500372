/* play_game.c - the game that is played at the terminal, move by move, and as a file. */
#include "cli/play_inner.h"

#include "base/memory.h"
#include "lab/json_parts.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *play_name(const struct play *play, int side)
{
    return play->game->players[side];
}

int play_side(const struct play *play)
{
    return play->game->side(play->game, mp_position_state(play->position));
}

bool play_is_over(const struct play *play)
{
    return play->resigned >= 0 || mp_position_is_over(play->position);
}

/* Plays a move on a position and remembers where it was on the board. */
static bool advance(struct play *play, struct mp_position *position, mp_move move, struct mp_error *error)
{
    bool chance = mp_position_is_chance(position);
    struct board_mark mark = board_mark_move(play->game, mp_position_state(position), move);
    if (!mp_position_play(position, move, error))
        return false;
    if (!chance)
        play->mark = mark;
    return true;
}

bool play_move(struct play *play, mp_move move, struct mp_error *error)
{
    mp_move *moves = memory_grow(play->moves, play->count, sizeof *moves);
    if (!moves)
        return mp_fail(error, "out of memory");
    play->moves = moves;
    if (!advance(play, play->position, move, error))
        return false;
    moves[play->count++] = move;
    play->board_shown = play->over_said = false;
    return true;
}

bool play_rewind(struct play *play, int count)
{
    struct mp_error error;
    struct mp_position *position = mp_position_new(play->game, play->start, &error);
    bool ok = position != NULL;
    play->mark = (struct board_mark){-1, -1};
    for (int i = 0; ok && i < count; i++)
        ok = advance(play, position, play->moves[i], &error);
    if (!ok) {
        printf("%s\n", shown(error.text));
        mp_position_free(position);
        return false;
    }
    mp_position_free(play->position);
    play->position = position;
    play->count = count;
    play->resigned = -1;
    play->board_shown = play->over_said = false;
    return true;
}

bool play_asks(const struct play *play)
{
    return mp_position_is_chance(play->position) ? play->typed_dice : play->human[play_side(play)];
}

/* Writes beside the file first, so that a full disk loses nothing. */
bool play_save(const struct play *play, const char *path)
{
    char beside[CLI_TEXT];
    snprintf(beside, sizeof beside, "%s.new", path);
    struct mp_position *start = mp_position_new(play->game, play->start, NULL);
    json_t *record = start
                         ? json_pack("{s:s, s:s, s:o}", "game", play->cli->arguments[0], "start", play->start,
                                     "moves", json_line(play->game, start, play->moves, play->count))
                         : NULL;
    mp_position_free(start);
    bool ok = record && json_dump_file(record, beside, JSON_INDENT(2)) == 0 && rename(beside, path) == 0;
    if (!ok)
        unlink(beside);
    json_decref(record);
    return ok;
}

/* Plays the moves that a file has. */
static bool play_texts(struct mp_position *position, const json_t *moves, const char *path,
                       struct mp_error *error)
{
    for (size_t i = 0; i < json_array_size(moves); i++) {
        const char *text = json_string_value(json_array_get(moves, i));
        struct mp_error why = {.text = "expected a string"};
        mp_move move;
        if (!text || !mp_position_parse_move(position, text, &move, &why) ||
            !mp_position_play(position, move, &why))
            return mp_fail(error, "%.200s, move %zu: %.200s", path, i + 1, why.text);
    }
    return true;
}

bool play_load(struct play *play, const char *path, struct mp_error *error)
{
    json_error_t where;
    json_t *record = json_load_file(path, 0, &where), *moves;
    if (!record && where.line < 0)
        return mp_fail(error, "%.200s cannot be read", path);
    if (!record)
        return mp_fail(error, "%.200s, line %d: %s", path, where.line, where.text);
    const char *game, *start;
    bool ok = !json_unpack_ex(record, &where, 0, "{s:s, s:s, s:o}", "game", &game, "start", &start, "moves",
                              &moves);
    if (!ok)
        mp_fail(error, "%.200s: %s; expected a file that `save` has written", path, where.text);
    else if (strcmp(game, play->cli->arguments[0]) != 0)
        ok = mp_fail(error, "%.200s is a game of %.60s, expected %.60s", path, game, play->cli->arguments[0]);
    struct mp_position *position = ok ? mp_position_new(play->game, start, error) : NULL;
    ok = position && play_texts(position, moves, path, error);
    if (ok) {
        size_t count;
        const mp_move *played = mp_position_played(position, &count);
        snprintf(play->start, sizeof play->start, "%s", start);
        ok = play_rewind(play, 0);
        for (size_t i = 0; ok && i < count; i++)
            ok = play_move(play, played[i], error);
    }
    mp_position_free(position);
    json_decref(record);
    return ok;
}
