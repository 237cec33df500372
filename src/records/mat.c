/* mat.c - backgammon games as .mat text. */
#include "records/mat.h"

#include "base/text.h"
#include "games/backgammon/backgammon.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { NAME = 64, LINE = 512, RIGHT_COLUMN = 20 };

/* ---- Reading: lines -------------------------------------------------------------------------------- */

/* The next line that is not blank, without its end; false at the end of the file. */
static bool next_line(struct record_reader *in, char line[LINE])
{
    while (fgets(line, LINE, in->file)) {
        in->line++;
        size_t length = strlen(line);
        while (length > 0 && isspace((unsigned char)line[length - 1]))
            line[--length] = 0;
        if (line[strspn(line, " \t")])
            return true;
    }
    return false;
}

static bool fail_at(const struct record_reader *in, struct mp_error *error, const char *what,
                    const char *line)
{
    return mp_fail(error, "line %d: %s: '%.60s'", in->line, what, line + strspn(line, " \t"));
}

/* A tag of the file: `; [EventDate "2026.11.15"]`. False: out of memory. */
static bool read_tag(const char *line, struct record_tag *tags, int *count, int most)
{
    char name[NAME], value[NAME];
    if (*count < most && sscanf(line, " ; [%63[A-Za-z0-9] \"%63[^\"]\"]", name, value) == 2) {
        struct record_tag tag = {strdup(name), strdup(value)};
        if (tag.name && tag.value) {
            tags[(*count)++] = tag;
            return true;
        }
        free(tag.name);
        free(tag.value);
        return false;
    }
    return true;
}

/* Cuts `name : 3` off a line; false if it is something else. */
static bool read_player(const char **at, char name[NAME], int *score)
{
    const char *colon = strstr(*at, " : ");
    int length = 0;
    *at += strspn(*at, " \t");
    if (!colon || colon < *at || sscanf(colon, " : %6d%n", score, &length) != 1 || *score < 0 ||
        !strchr(" \t", colon[length]) || memchr(*at, ':', (size_t)(colon - *at)))
        return false;
    snprintf(name, NAME, "%.*s", colon - *at < NAME ? (int)(colon - *at) : NAME - 1, *at);
    *at = colon + length;
    return true;
}

/* ---- Reading: one game ----------------------------------------------------------------------------- */

struct reading {
    struct record_reader *in;
    struct record *record; /* null until it is known who throws first */
    struct record_tag tags[16];
    int tag_count;
    int number, score[2];
    char name[2][NAME];
    bool open_roll; /* a throw that has not been played, as a resignation leaves it */
    bool ended;
};

static const struct backgammon *state_of(const struct reading *r)
{
    return mp_position_state(r->record->position);
}

static bool begin_record(struct reading *r, int first_player, struct mp_error *error)
{
    const struct mp_game *game = r->in->game;
    struct backgammon s;
    char start[128], number[16];
    struct mp_error reason;
    game->initial(game, &s);
    s.match_length = (uint16_t)r->in->match_length;
    s.jacoby = s.jacoby && s.match_length == 0;
    s.side = (uint8_t)first_player;
    bool one_away = false;
    for (int i = 0; i < 2 && s.match_length; i++) {
        s.score[i] = (uint16_t)r->score[i];
        one_away = one_away || s.score[i] + 1 == s.match_length;
    }
    s.crawford = one_away && !r->in->crawford_is_over;
    r->in->crawford_is_over = one_away;
    game->print_position(game, &s, start, sizeof start);
    r->record = record_new(game, start, &reason);
    if (!r->record)
        return mp_fail(error, "line %d: %.400s", r->in->line, reason.text);
    snprintf(number, sizeof number, "%d", r->number);
    bool ok = record_set_tag(r->record, "Game", number) && record_set_tag(r->record, "White", r->name[0]) &&
              record_set_tag(r->record, "Black", r->name[1]);
    for (int i = 0; i < r->tag_count; i++)
        ok = ok && record_set_tag(r->record, r->tags[i].name, r->tags[i].value);
    return ok || mp_fail(error, "out of memory");
}

static bool add(struct reading *r, mp_move move, struct mp_error *error)
{
    struct mp_error reason;
    return record_add_move(r->record, move, &reason) ||
           mp_fail(error, "line %d: %.400s", r->in->line, reason.text);
}

static bool add_text(struct reading *r, const char *text, struct mp_error *error)
{
    struct mp_error reason;
    mp_move move;
    if (!mp_position_parse_move(r->record->position, text, &move, &reason))
        return mp_fail(error, "line %d: %.400s", r->in->line, reason.text);
    return add(r, move, error);
}

/* `52: 13/11 13/8`: a roll and its play. */
static bool add_turn(struct reading *r, const char *text, struct mp_error *error)
{
    char roll[3] = {text[0], text[1], 0};
    const char *play = text + 3 + strspn(text + 3, " \t");
    if (state_of(r)->phase == BACKGAMMON_CHOOSING &&
        !(add(r, backgammon_action(BACKGAMMON_SAY_ROLL), error) && add(r, BACKGAMMON_PASS, error)))
        return false;
    if (!add_text(r, roll, error))
        return false;
    mp_move only;
    bool must_pass = mp_position_moves(r->record->position, &only, NULL, 1) == 1 && only == BACKGAMMON_PASS;
    if (*play && strncmp(play, "Cannot", 6) != 0)
        return add_text(r, play, error);
    if (must_pass)
        return add(r, only, error);
    r->open_roll = true;
    return true;
}

/* `Wins 2 points`, which must be what the moves say where they end the game. */
static bool end_record(struct reading *r, int winner, const char *text, struct mp_error *error)
{
    int points, length = 0;
    char number[16];
    if (sscanf(text, "Wins %6d point%n", &points, &length) != 1 || !length || points < 1)
        return fail_at(r->in, error, "expected a line such as Wins 2 points", text);
    if (mp_position_is_over(r->record->position)) {
        int margin = mp_position_margin(r->record->position);
        if (margin != (winner == 0 ? points : -points))
            return mp_fail(error, "line %d: %s wins %d point%s, but by the moves %s wins %d", r->in->line,
                           r->name[winner], points, points == 1 ? "" : "s", r->name[margin < 0], abs(margin));
    }
    snprintf(number, sizeof number, "%d", points);
    r->ended = true;
    return (record_set_tag(r->record, "Points", number) &&
            record_set_result(r->record, winner ? "0-1" : "1-0")) ||
           mp_fail(error, "out of memory");
}

static bool is_roll(const char *text)
{
    return text[0] >= '1' && text[0] <= '6' && text[1] >= '1' && text[1] <= '6' && text[2] == ':';
}

/* What one player does in a line. */
static bool add_item(struct reading *r, int player, const char *text, struct mp_error *error)
{
    static const struct {
        const char *word, *action;
    } words[] = {{"Doubles", "double"}, {"Takes", "take"}, {"Drops", "drop"}};
    if (!r->record && !begin_record(r, player, error))
        return false;
    if (!strncmp(text, "Wins", 4))
        return end_record(r, player, text, error);
    if (r->ended || r->open_roll)
        return fail_at(r->in, error,
                       r->ended ? "the game is over, expected the next game"
                                : "the roll before this "
                                  "has not been played, expected its play",
                       text);
    if (state_of(r)->side != player)
        return fail_at(r->in, error, "it is the turn of the other player, expected that player's column",
                       text);
    if (is_roll(text))
        return add_turn(r, text, error);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (!strncmp(text, words[i].word, strlen(words[i].word)))
            return add_text(r, words[i].action, error);
    return fail_at(r->in, error, "expected a roll with its play, Doubles, Takes, Drops or Wins", text);
}

/* Where the next item of a line begins: at a roll with its colon, or at a word. Null: there is none. */
static char *next_item(char *at)
{
    for (; *at; at++)
        if (is_roll(at) || !strncmp(at, "Doubles", 7) || !strncmp(at, "Takes", 5) ||
            !strncmp(at, "Drops", 5) || !strncmp(at, "Wins", 4))
            return at;
    return NULL;
}

/* `  1) 41: 13/9 24/23    65: 24/18 18/13`; a single item far to the right belongs to the right player. */
static bool read_moves(struct reading *r, char *line, struct mp_error *error)
{
    char *at = strchr(line, ')');
    at = at ? at + 1 : line;
    char *first = next_item(at), *second = first ? next_item(first + 1) : NULL;
    if (!first || first == line || first[-1] != ' ')
        return fail_at(r->in, error, "expected a roll with its play, Doubles, Takes, Drops or Wins", line);
    if (second && next_item(second + 1))
        return fail_at(r->in, error, "more than one turn of each player, expected at most two per line",
                       line);
    int player = first - at >= RIGHT_COLUMN;
    if (second) {
        char *end = second;
        while (end > first && isspace((unsigned char)end[-1]))
            *--end = 0;
    }
    return add_item(r, player, first, error) && (!second || add_item(r, 1, second, error));
}

/* What stands before the moves: the match, the number of the game and the players. False with an empty
 * *error: no game follows. */
static bool read_header(struct reading *r, char line[LINE], struct mp_error *error)
{
    int number;
    struct record_reader *in = r->in;
    const char *at;
    do {
        if (!next_line(in, line))
            return false;
        if (!read_tag(line, r->tags, &r->tag_count, (int)(sizeof r->tags / sizeof *r->tags)))
            return mp_fail(error, "line %d: out of memory for a tag", in->line);
        int length = 0;
        if (sscanf(line, " %6d point match%n", &number, &length) == 1 && length) {
            if (number < 0 || number > BACKGAMMON_LONGEST_MATCH)
                return mp_fail(error, "line %d: a match to %d points, expected 0 to %d", in->line, number,
                               BACKGAMMON_LONGEST_MATCH);
            in->match_length = number;
            in->crawford_is_over = false;
        } else if (sscanf(line, " Game %6d", &r->number) != 1 && line[strspn(line, " \t")] != ';') {
            return fail_at(in, error, "expected a match length, a Game or a remark (;)", line);
        }
    } while (!r->number);
    if (!next_line(in, line))
        return mp_fail(error, "line %d: the file ends inside game %d, expected the names of the players",
                       in->line, r->number);
    at = line;
    if (!read_player(&at, r->name[0], &r->score[0]) || !read_player(&at, r->name[1], &r->score[1]))
        return fail_at(in, error, "expected the players and their scores, such as a : 0  b : 2", line);
    for (int i = 0; i < 2; i++)
        if (in->match_length && r->score[i] >= in->match_length)
            return mp_fail(error, "line %d: a score of %d in a match to %d, expected less", in->line,
                           r->score[i], in->match_length);
    return true;
}

static bool read_game(struct reading *r, struct mp_error *error)
{
    char line[LINE];
    if (!read_header(r, line, error))
        return false;
    while (!r->ended) {
        if (!next_line(r->in, line))
            return mp_fail(error, "line %d: the file ends inside game %d, expected a line with Wins",
                           r->in->line, r->number);
        if (!read_moves(r, line, error))
            return false;
    }
    return true;
}

struct record *mat_read(struct record_reader *in, struct mp_error *error)
{
    struct reading r = {.in = in};
    error->text[0] = 0;
    if (strcmp(in->game->name, "backgammon") != 0) {
        mp_fail(error, ".mat files hold games of backgammon, expected that instead of %s", in->game->name);
        return NULL;
    }
    bool ok = read_game(&r, error);
    for (int i = 0; i < r.tag_count; i++) {
        free(r.tags[i].name);
        free(r.tags[i].value);
    }
    if (ok)
        return r.record;
    record_free(r.record);
    return NULL;
}

/* ---- The stake ------------------------------------------------------------------------------------- */

/* What it is worth to the side to move that one side has borne off and the other nearly so. */
static mp_value plain_end(const struct mp_game *game, struct backgammon s, bool won)
{
    uint8_t *winner = won ? s.own : s.opp, *loser = won ? s.opp : s.own;
    memset(s.own, 0, sizeof s.own);
    memset(s.opp, 0, sizeof s.opp);
    winner[BACKGAMMON_OFF] = BACKGAMMON_MEN;
    loser[BACKGAMMON_OFF] = 1;
    loser[1] = BACKGAMMON_MEN - 1;
    s.die[0] = s.die[1] = 0;
    s.phase = BACKGAMMON_PLAYING;
    return mp_state_final_value(game, &s, 0);
}

double mat_stake(const struct mp_position *position)
{
    const struct mp_game *game = mp_position_game(position);
    const struct backgammon *s = mp_position_state(position);
    return (plain_end(game, *s, true) - plain_end(game, *s, false)) / 2.0;
}

/* ---- Writing --------------------------------------------------------------------------------------- */

struct writing {
    FILE *file;
    int number;    /* of the line */
    bool has_left; /* a line has been begun */
};

static void write_item(struct writing *w, int player, const char *text)
{
    if (player == 0 || !w->has_left) {
        if (w->has_left)
            fprintf(w->file, "\n");
        fprintf(w->file, "%3d) ", ++w->number);
    }
    if (player == 0)
        fprintf(w->file, "%-27s ", text);
    else
        fprintf(w->file, w->has_left ? "%s\n" : "%28s%s\n", w->has_left ? text : "", text);
    w->has_left = player == 0;
}

static void write_turn(struct writing *w, const struct backgammon *s, mp_move play)
{
    struct backgammon_step steps[4];
    int count = backgammon_steps(s, play, steps);
    char text[128];
    snprintf(text, sizeof text, "%d%d:", s->die[0], s->die[1]);
    for (int i = 0; i < count; i++)
        text_append(text, sizeof text, " %d/%d%s", steps[i].from, steps[i].to, steps[i].hits ? "*" : "");
    write_item(w, s->side, text);
}

static void write_action(struct writing *w, const struct backgammon *s, int action)
{
    char text[32];
    if (action == BACKGAMMON_SAY_DOUBLE)
        snprintf(text, sizeof text, " Doubles => %d", 2 << s->cube_log);
    else
        snprintf(text, sizeof text, "%s", action == BACKGAMMON_SAY_TAKE ? " Takes" : " Drops");
    if (action != BACKGAMMON_SAY_ROLL)
        write_item(w, s->side, text);
}

/* A number that is a tag of the record; 0: there is none. */
static int number_of(const struct record *r, const char *tag)
{
    int64_t number = 0;
    const char *text = record_tag(r, tag);
    return text && text_to_int(text, 0, 1000000, &number) ? (int)number : 0;
}

/* The name of a player as the reader takes it: it begins with something visible and has no colon. */
static void player_name(const struct record *r, const char *tag, char name[NAME])
{
    const char *text = record_tag(r, tag);
    text = text ? text + strspn(text, " ") : "";
    snprintf(name, NAME, "%.*s", NAME - 1, *text ? text : tag);
    for (char *colon = name; (colon = strchr(colon, ':'));)
        *colon = ';';
}

static void write_header(const struct record *r, const struct backgammon *s, FILE *file)
{
    int number = number_of(r, "Game");
    char white[NAME], black[NAME];
    player_name(r, "White", white);
    player_name(r, "Black", black);
    if (number <= 1) {
        for (int i = 0; i < r->tag_count; i++)
            if (strcmp(r->tags[i].name, "Game") && strcmp(r->tags[i].name, "White") &&
                strcmp(r->tags[i].name, "Black") && strcmp(r->tags[i].name, "Points"))
                fprintf(file, "; [%s \"%s\"]\n", r->tags[i].name, r->tags[i].value);
        fprintf(file, "\n %d point match\n\n", s->match_length);
    }
    char left[NAME + 16];
    snprintf(left, sizeof left, "%s : %d", white, s->score[0]);
    fprintf(file, " Game %d\n %-31s %s : %d\n", number ? number : 1, left, black, s->score[1]);
}

/* `Wins 2 points` in the column of the winner. */
static void write_end(const struct record *r, FILE *file)
{
    int margin = mp_position_is_over(r->position) ? mp_position_margin(r->position)
                 : !strcmp(r->result, "1-0")      ? number_of(r, "Points")
                 : !strcmp(r->result, "0-1")      ? -number_of(r, "Points")
                                                  : 0;
    if (margin)
        fprintf(file, "%*sWins %d point%s\n\n", margin > 0 ? 6 : 34, "", abs(margin),
                abs(margin) == 1 ? "" : "s");
}

bool mat_write(const struct record *r, FILE *file)
{
    const struct mp_game *game = r->game;
    struct mp_position *start = strcmp(game->name, "backgammon") ? NULL
                                                                 : mp_position_new(game, r->start, NULL);
    struct backgammon initial, s, next;
    if (!start)
        return false;
    s = *(const struct backgammon *)mp_position_state(start);
    mp_position_free(start);
    game->initial(game, &initial);
    if (memcmp(s.own, initial.own, sizeof s.own) != 0 || memcmp(s.opp, initial.opp, sizeof s.opp) != 0 ||
        s.die[0])
        return false;
    struct writing w = {.file = file};
    write_header(r, &s, file);
    int depth = 0;
    for (int i = 0; i < r->item_count; i++) {
        depth += (r->items[i].kind == RECORD_OPEN) - (r->items[i].kind == RECORD_CLOSE);
        if (depth || r->items[i].kind != RECORD_MOVE)
            continue;
        mp_move move = r->items[i].move;
        if (move & BACKGAMMON_ACTION)
            write_action(&w, &s, (int)(move & 7));
        else if (!backgammon_is_roll(move) && s.die[0])
            write_turn(&w, &s, move);
        game->play(game, &s, move, &next);
        s = next;
    }
    if (s.die[0] && !backgammon_is_over(&s)) /* resigned with dice on the board */
        write_turn(&w, &s, BACKGAMMON_PASS);
    if (w.has_left)
        fprintf(file, "\n");
    write_end(r, file);
    return !ferror(file);
}
