/* halma_files.c - the file format of a university course (USC CSCI-561, 2019) that public 16x16 programs use.
 *
 * The input: SINGLE or GAME; BLACK or WHITE, who is to move; the seconds left for this move or for the rest
 * of the game; sixteen rows of B, W and '.', Black's corner first. The answer: `E x,y x,y` for a step, or one
 * `J x,y x,y` for each jump of a chain; x is the column, y the row, both from 0. Processor time counts over
 * all threads there, so one thread thinks. */
#include "protocols/halma_files.h"

#include "games/halma/halma.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { SIZE = 16, LINE = 80 };

/* Of the time for a whole game a move gets a fiftieth (a side makes 60 to 100), of that for a single move a
 * half, and never more than ten seconds. Below SHORT there is time for one look only. */
static const double GAME_SHARE = 0.02, SINGLE_SHARE = 0.5, MOST_SECONDS = 10, SHORT_SECONDS = 0.002;

struct halma_request {
    bool single;
    int side;
    double seconds_left;
    char position[SIZE * (SIZE + 1) + 8];
};

/* The next line without its end and the blanks before it; false: there is none, or it is too long. */
static bool read_line(FILE *file, char line[LINE])
{
    if (!fgets(line, LINE, file))
        return false;
    size_t length = strlen(line);
    bool whole = (length > 0 && line[length - 1] == '\n') || feof(file);
    while (length > 0 && isspace((unsigned char)line[length - 1]))
        line[--length] = 0;
    return whole;
}

/* Which of two words the next line is: 0 or 1; -1: neither. */
static int read_choice(FILE *file, const char *first, const char *second, char line[LINE])
{
    line[0] = 0;
    if (!read_line(file, line))
        return -1;
    return !strcmp(line, first) ? 0 : !strcmp(line, second) ? 1 : -1;
}

static bool read_rows(FILE *file, const char *name, struct halma_request *request, struct mp_error *error)
{
    char *at = request->position;
    for (int row = 0; row < SIZE; row++) {
        char line[LINE] = "";
        if (!read_line(file, line) || strlen(line) != SIZE || strspn(line, "BW.") != SIZE)
            return mp_fail(error, "%.200s line %d: '%.30s', expected %d squares of B, W and '.'", name,
                           row + 4, line, SIZE);
        at += sprintf(at, "%s%c", line, row + 1 < SIZE ? '/' : ' ');
    }
    char line[LINE] = "";
    while (read_line(file, line) && !*line)
        ;
    if (*line)
        return mp_fail(error, "%.200s: '%.30s' after the board, expected nothing more", name, line);
    sprintf(at, "%c", request->side ? 'w' : 'b');
    return true;
}

static bool read_request(FILE *file, const char *name, struct halma_request *request, struct mp_error *error)
{
    char line[LINE], *end;
    int game = read_choice(file, "SINGLE", "GAME", line);
    if (game < 0)
        return mp_fail(error, "%.200s line 1: '%.30s', expected SINGLE or GAME", name, line);
    request->single = game == 0;
    request->side = read_choice(file, "BLACK", "WHITE", line);
    if (request->side < 0)
        return mp_fail(error, "%.200s line 2: '%.30s', expected BLACK or WHITE", name, line);
    line[0] = 0;
    bool there = read_line(file, line);
    request->seconds_left = strtod(line, &end);
    if (!there || end == line || *end || !(request->seconds_left >= 0 && request->seconds_left < 1e9))
        return mp_fail(error, "%.200s line 3: '%.30s', expected the seconds left", name, line);
    return read_rows(file, name, request, error);
}

/* ---- The answer --------------------------------------------------------------------------------------- */

static bool find_move(const struct mp_game *game, const struct mp_position *position,
                      const struct halma_request *request, double most_seconds, mp_move *move,
                      struct mp_error *error)
{
    double seconds = request->seconds_left * (request->single ? SINGLE_SHARE : GAME_SHARE);
    double most = most_seconds > 0 ? most_seconds : MOST_SECONDS;
    seconds = seconds < most ? seconds : most;
    struct mp_limits limits = {MP_SIZE(struct mp_limits), .depth = seconds < SHORT_SECONDS,
                               .seconds = seconds};
    struct mp_search *search = mp_search_new(game, NULL, error);
    struct mp_result result = {MP_SIZE(struct mp_result)};
    bool ok = search && mp_search_run_within(search, position, &limits, NULL, NULL, &result, error);
    if (ok)
        *move = result.move;
    mp_search_free(search);
    return ok;
}

/* Written beside the output and put in its place when it is complete. */
static bool write_answer(const char *name, const uint8_t *squares, int count, struct mp_error *error)
{
    size_t length = strlen(name) + sizeof ".new";
    char *fresh = malloc(length);
    if (!fresh)
        return mp_fail(error, "out of memory");
    snprintf(fresh, length, "%s.new", name);
    FILE *file = fopen(fresh, "w");
    int rows = abs(squares[1] / SIZE - squares[0] / SIZE),
        columns = abs(squares[1] % SIZE - squares[0] % SIZE);
    char kind = rows < 2 && columns < 2 ? 'E' : 'J';
    for (int i = 0; file && i + 1 < count; i++)
        fprintf(file, "%s%c %d,%d %d,%d", i ? "\n" : "", kind, squares[i] % SIZE, squares[i] / SIZE,
                squares[i + 1] % SIZE, squares[i + 1] / SIZE);
    bool ok = file && !ferror(file);
    ok = (!file || fclose(file) == 0) && ok && rename(fresh, name) == 0;
    if (!ok)
        mp_fail(error, "%.200s cannot be written: %s", name, strerror(errno));
    if (!ok && file)
        remove(fresh);
    free(fresh);
    return ok;
}

static bool answer(const struct mp_game *game, const struct mp_position *position,
                   const struct halma_request *request, const struct halma_files *files,
                   struct mp_error *error)
{
    mp_move move;
    uint8_t squares[HALMA_MOST_SQUARES];
    if (!find_move(game, position, request, files->seconds, &move, error))
        return false;
    if (game->is_pass(game, move))
        return mp_fail(error, "%.200s: no piece can move, expected a position with a legal move",
                       files->input);
    int count = halma16_chain(game, mp_position_state(position), move, squares);
    return write_answer(files->output, squares, count, error);
}

bool halma_files_answer(const struct halma_files *files, struct mp_error *error)
{
    struct halma_request request;
    FILE *file = fopen(files->input, "r");
    if (!file)
        return mp_fail(error, "%.200s cannot be read: %s", files->input, strerror(errno));
    bool ok = read_request(file, files->input, &request, error);
    fclose(file);
    if (!ok)
        return false;
    struct mp_game *game = mp_game_open("halma16:rules=usc", error);
    struct mp_position *position = game ? mp_position_new(game, request.position, error) : NULL;
    ok = position && answer(game, position, &request, files, error);
    mp_position_free(position);
    mp_game_close(game);
    return ok;
}
