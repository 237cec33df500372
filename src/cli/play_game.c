/* play_game.c - the game that is played at the terminal, move by move, and as a file. */
#include "cli/play_inner.h"

#include "base/memory.h"
#include "lab/json_parts.h"
#include "records/formats.h"

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

/* The game as a record; null: no memory. */
static struct record *record_of(const struct play *play)
{
    char initial[CLI_TEXT];
    struct mp_error error;
    struct mp_position *first = mp_position_new(play->game, NULL, &error);
    if (first)
        print_position_text(play->game, first, initial);
    /* .mat says of every game at which score it began. */
    bool from_start = first && !play->game->chances && !strcmp(initial, play->start);
    mp_position_free(first);
    struct record *record = record_new(play->game, from_start ? NULL : play->start, &error);
    bool ok = record;
    for (int i = 0; ok && i < play->count; i++)
        ok = record_add_move(record, play->moves[i], &error);
    for (int side = 0; ok && side < 2; side++)
        ok = record_set_tag(record, play_name(play, side), play->human[side] ? "player" : "Manyply");
    if (ok && play->resigned >= 0 && play->game->chances) /* .mat has to say for how much */
        ok = record_set_tag(record, "Points", "1");
    if (ok) {
        bool first_is_white = record_white_is_first(play->game);
        record_set_result(record, play->resigned < 0                        ? record_result_by_rules(record)
                                  : (play->resigned == 0) == first_is_white ? "0-1"
                                                                            : "1-0");
        return record;
    }
    record_free(record);
    return NULL;
}

/* A file whose name says so is one that other programs read. */
static const struct record_format *format_of(const char *path)
{
    const struct record_format *format = record_format_of_file(path);
    return format && !format->positions ? format : NULL;
}

static bool write_record(const struct play *play, const struct record_format *format, const char *beside)
{
    struct record *record = record_of(play);
    FILE *file = record ? fopen(beside, "w") : NULL;
    bool ok = file && format->write(record, file);
    if (file && fclose(file) != 0)
        ok = false;
    record_free(record);
    return ok;
}

/* Writes beside the file first, so that a full disk loses nothing. */
bool play_save(const struct play *play, const char *path)
{
    char beside[CLI_TEXT];
    snprintf(beside, sizeof beside, "%s.new", path);
    const struct record_format *format = format_of(path);
    if (format) {
        bool written = write_record(play, format, beside) && rename(beside, path) == 0;
        if (!written)
            unlink(beside);
        return written;
    }
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

/* Goes on with a game from its start and its moves. */
static bool take_over(struct play *play, const char *start, const mp_move *moves, size_t count,
                      struct mp_error *error)
{
    snprintf(play->start, sizeof play->start, "%s", start);
    bool ok = play_rewind(play, 0);
    for (size_t i = 0; ok && i < count; i++)
        ok = play_move(play, moves[i], error);
    return ok;
}

/* The first game of a file. */
static bool load_record(struct play *play, const struct record_format *format, const char *path,
                        struct mp_error *error)
{
    FILE *file = fopen(path, "r");
    struct mp_error reason = {0};
    if (!file)
        return mp_fail(error, "%.200s cannot be read", path);
    struct record_reader reader = record_reader(play->game, file);
    struct record *record = format->read(&reader, &reason);
    fclose(file);
    if (!record)
        return mp_fail(error, "%.200s: %.200s", path, *reason.text ? reason.text : "it has no game");
    char start[CLI_TEXT];
    size_t count;
    const mp_move *moves = mp_position_played(record->position, &count);
    struct mp_position *first = mp_position_new(play->game, record->start, error);
    if (first)
        print_position_text(play->game, first, start);
    bool ok = first && take_over(play, start, moves, count, error);
    mp_position_free(first);
    record_free(record);
    return ok;
}

bool play_load(struct play *play, const char *path, struct mp_error *error)
{
    if (format_of(path))
        return load_record(play, format_of(path), path, error);
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
        ok = take_over(play, start, played, count, error);
    }
    mp_position_free(position);
    json_decref(record);
    return ok;
}
