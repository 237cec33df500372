/* play_text.c - rolls and plays in text: "31", "8/5 6/5", "bar/20*", "6/off(2)", "pass"; where a blot is hit
 * on the way, the point between is named too.
 *
 * A play is read by what it does, not by how it is spelled: the legal play that moves the same chequers is
 * taken, and if there are two (one hits on the way, the other does not) the points that the text names
 * decide. */
#include "games/backgammon/backgammon.h"

#include "base/text.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { MOST_PATHS = 4, PLACES = 26 };

/* What a play does: how many chequers each place of the mover gains, and which blots are hit. */
struct effect {
    int8_t gain[PLACES];
    uint32_t hits;
};

static int landing(int from, int die)
{
    return from > die ? from - die : BACKGAMMON_OFF;
}

static bool is_blot(const struct backgammon *s, int point)
{
    return point >= 1 && point <= 24 && s->opp[25 - point] == 1;
}

static struct effect effect_of(const struct backgammon *s, mp_move move)
{
    struct effect effect = {0};
    for (int i = 0; i < 4; i++) {
        int from = backgammon_from(move, i);
        if (!from)
            continue;
        int to = landing(from, backgammon_step_die(s, i));
        effect.gain[from]--;
        effect.gain[to]++;
        if (is_blot(s, to))
            effect.hits |= 1u << to;
    }
    return effect;
}

/* May a chequer make this step on a board that the steps before have left? */
static bool can_step(const struct backgammon *s, const uint8_t men[32], int from, int die)
{
    int highest = BACKGAMMON_BAR;
    while (highest > 0 && men[highest] == 0)
        highest--;
    if (men[from] == 0 || (highest == BACKGAMMON_BAR && from != highest))
        return false;
    if (from > die)
        return s->opp[25 - (from - die)] < 2;
    return highest <= 6 && (from == die || from == highest);
}

int backgammon_steps(const struct backgammon *s, mp_move move, struct backgammon_step steps[4])
{
    uint8_t men[32];
    memcpy(men, s->own, sizeof men);
    bool made[4] = {false};
    int count = 0;
    uint32_t hit = 0;
    for (int i = 0; i < 4; i++) {
        int from = backgammon_from(move, i), die = backgammon_step_die(s, i);
        if (!from || made[i] || !can_step(s, men, from, die))
            continue;
        int to = landing(from, die);
        men[from]--;
        men[to]++;
        steps[count++] = (struct backgammon_step){from, to, is_blot(s, to) && !(hit >> to & 1)};
        hit |= 1u << to;
        made[i] = true;
        i = -1; /* a step that had to wait may be possible now */
    }
    return count;
}

/* ---- Writing --------------------------------------------------------------------------------------- */

/* The way of one chequer: where it starts, where it rests, and the blots it hits between. */
struct path {
    int from, to, between[3], hits_between, times;
};

static int by_start(const void *a, const void *b)
{
    const struct path *x = a, *y = b;
    return x->from != y->from ? y->from - x->from : y->to - x->to;
}

/* Joins the steps to paths; a step that starts where another ended goes on with it. */
static int find_paths(const struct backgammon *s, mp_move move, struct path *paths)
{
    struct path steps[4];
    int count = 0, total = 0;
    uint32_t hit = 0;
    for (int i = 0; i < 4; i++) {
        int from = backgammon_from(move, i);
        if (from)
            steps[total++] = (struct path){.from = from, .to = landing(from, backgammon_step_die(s, i))};
    }
    qsort(steps, (size_t)total, sizeof *steps, by_start);
    for (int i = 0; i < total; i++) {
        int at = 0;
        while (at < count && paths[at].to != steps[i].from)
            at++;
        if (at == count) {
            paths[count] = steps[i];
            paths[count++].times = 1;
            continue;
        }
        struct path *path = &paths[at];
        if (is_blot(s, path->to) && !(hit >> path->to & 1)) {
            hit |= 1u << path->to;
            path->between[path->hits_between++] = path->to;
        }
        path->to = steps[i].to;
    }
    qsort(paths, (size_t)count, sizeof *paths, by_start);
    return count;
}

static bool are_alike(const struct path *a, const struct path *b)
{
    return a->from == b->from && a->to == b->to && !a->hits_between && !b->hits_between;
}

static void write_place(int place, char *text, size_t size)
{
    if (place == BACKGAMMON_BAR)
        text_append(text, size, "bar");
    else if (place == BACKGAMMON_OFF)
        text_append(text, size, "off");
    else
        text_append(text, size, "%d", place);
}

/* What is said about the cube, in the order of BACKGAMMON_SAY_..., and other words for it. */
static const struct {
    const char *name, *other;
    enum backgammon_phase phase;
} actions[] = {{"roll", "no double", BACKGAMMON_CHOOSING},
               {"double", "redouble", BACKGAMMON_CHOOSING},
               {"take", "accept", BACKGAMMON_ANSWERING},
               {"drop", "pass", BACKGAMMON_ANSWERING}};

int backgammon_print_move(const struct mp_game *game, const void *state, mp_move move, char *text,
                          size_t size)
{
    (void)game;
    const struct backgammon *s = state;
    if (move & BACKGAMMON_ACTION)
        return snprintf(text, size, "%s", actions[(move & 7) - 1].name);
    if (backgammon_is_roll(move))
        return snprintf(text, size, "%d%d", (int)(move >> 3 & 7), (int)(move & 7));
    if (move == BACKGAMMON_PASS)
        return snprintf(text, size, "pass");
    struct path paths[MOST_PATHS];
    int count = find_paths(s, move, paths);
    char line[128] = "";
    for (int i = 0; i < count; i += paths[i].times) {
        while (i + paths[i].times < count && are_alike(&paths[i], &paths[i + paths[i].times]))
            paths[i].times++;
        text_append(line, sizeof line, "%s", i ? " " : "");
        write_place(paths[i].from, line, sizeof line);
        for (int j = 0; j < paths[i].hits_between; j++)
            text_append(line, sizeof line, "/%d*", paths[i].between[j]);
        text_append(line, sizeof line, "/");
        write_place(paths[i].to, line, sizeof line);
        text_append(line, sizeof line, "%s", is_blot(s, paths[i].to) ? "*" : "");
        if (paths[i].times > 1)
            text_append(line, sizeof line, "(%d)", paths[i].times);
    }
    return snprintf(text, size, "%s", line);
}

/* ---- Reading --------------------------------------------------------------------------------------- */

struct hop {
    int from, to;
};

/* A play as it is spelled. */
struct spelling {
    const char *text;
    struct hop hops[16];
    int count;
    int8_t gain[PLACES];
    uint32_t named, starred; /* points that are landed on, and those said to be hit */
};

static bool malformed(const char *text, struct mp_error *error)
{
    return mp_fail(error, "backgammon play '%.60s': expected steps such as 8/5, bar/20* or 6/off(2)", text);
}

/* Reads a place and moves *at behind it; -1: there is none. */
static int read_place(const char **at)
{
    if (!strncasecmp(*at, "bar", 3) || !strncasecmp(*at, "off", 3)) {
        *at += 3;
        return tolower((unsigned char)(*at)[-3]) == 'b' ? BACKGAMMON_BAR : BACKGAMMON_OFF;
    }
    int place = 0, digits = 0;
    for (; isdigit((unsigned char)**at) && digits < 2; digits++)
        place = 10 * place + *(*at)++ - '0';
    return digits && place <= BACKGAMMON_BAR ? place : -1;
}

/* Reads places between slashes, each with a star if it hits, and an optional `(2)`. */
static bool read_path(const char **at, struct spelling *spelling)
{
    int first = spelling->count, from = read_place(at);
    while (from >= 0 && **at == '/' && spelling->count < 16) {
        (*at)++;
        int to = read_place(at);
        if (to < 0 || to >= from)
            return false;
        spelling->hops[spelling->count++] = (struct hop){from, to};
        spelling->named |= 1u << to;
        if (**at == '*') {
            spelling->starred |= 1u << to;
            (*at)++;
        }
        from = to;
    }
    int length = spelling->count - first, times = 1;
    if (**at == '(' && (*at)[1] >= '1' && (*at)[1] <= '4' && (*at)[2] == ')') {
        times = (*at)[1] - '0';
        *at += 3;
    }
    if (length == 0 || spelling->count + length * (times - 1) > 16)
        return false;
    for (; times > 1; times--) {
        memcpy(&spelling->hops[spelling->count], &spelling->hops[first], (size_t)length * sizeof(struct hop));
        spelling->count += length;
    }
    return true;
}

static int from_above(const void *a, const void *b)
{
    return ((const struct hop *)b)->from - ((const struct hop *)a)->from;
}

static bool read_play(const char *text, struct spelling *spelling, struct mp_error *error)
{
    *spelling = (struct spelling){.text = text};
    const char *at = text;
    while (*(at += strspn(at, " ,\t")))
        if (!read_path(&at, spelling) || (*at && !strchr(" ,\t", *at)))
            return malformed(text, error);
    if (spelling->count == 0)
        return malformed(text, error);
    for (int i = 0; i < spelling->count; i++) {
        spelling->gain[spelling->hops[i].from]--;
        spelling->gain[spelling->hops[i].to]++;
    }
    qsort(spelling->hops, (size_t)spelling->count, sizeof *spelling->hops, from_above);
    return true;
}

/* The legal play that does what the spelling says: MP_NO_MOVE if there is none; *several if more than one
 * does and the text does not say which blots are meant. */
static mp_move choose(const struct backgammon *s, const struct spelling *spelling, const mp_move *moves,
                      int count, bool *several)
{
    mp_move found = MP_NO_MOVE;
    uint32_t blots = 0;
    for (int p = 1; p <= 24; p++)
        blots |= (uint32_t)is_blot(s, p) << p;
    *several = false;
    for (int i = 0; i < count; i++) {
        struct effect effect = effect_of(s, moves[i]);
        if (memcmp(effect.gain, spelling->gain, sizeof effect.gain) != 0 ||
            (spelling->starred & ~effect.hits) != 0)
            continue;
        if (effect.hits == (blots & spelling->named)) {
            *several = false;
            return moves[i];
        }
        *several = found != MP_NO_MOVE;
        found = moves[i];
    }
    return *several ? MP_NO_MOVE : found;
}

/* Why a play that is spelled well is not legal. */
static bool refuse(const struct backgammon *s, const struct spelling *spelling, struct mp_error *error)
{
    const char *text = spelling->text;
    uint8_t men[32];
    memcpy(men, s->own, sizeof men);
    for (int i = 0; i < spelling->count; i++) {
        int from = spelling->hops[i].from, to = spelling->hops[i].to, outside = 0;
        for (int p = 7; p <= BACKGAMMON_BAR; p++)
            outside += men[p];
        if (from == BACKGAMMON_BAR && men[from] == 0)
            return mp_fail(error, "backgammon play '%.60s': no chequer of yours is on the bar", text);
        if (men[from] == 0)
            return mp_fail(error, "backgammon play '%.60s': no chequer of yours on the %d point", text, from);
        if (from != BACKGAMMON_BAR && men[BACKGAMMON_BAR])
            return mp_fail(error, "backgammon play '%.60s': a chequer on the bar has to enter first", text);
        if (to != BACKGAMMON_OFF && s->opp[25 - to] > 1)
            return mp_fail(error, "backgammon play '%.60s': the %d point is closed", text, to);
        if (to == BACKGAMMON_OFF && outside)
            return mp_fail(error, "backgammon play '%.60s': chequers are borne off only when all are home",
                           text);
        men[from]--;
        men[to]++;
    }
    for (uint32_t set = spelling->starred; set; set &= set - 1)
        if (!is_blot(s, __builtin_ctz(set)))
            return mp_fail(error, "backgammon play '%.60s': there is no blot to hit on the %d point", text,
                           __builtin_ctz(set));
    return mp_fail(error,
                   "backgammon play '%.60s' does not use the roll %d%d as the rules require: all dice that "
                   "can be played, or else the larger",
                   text, s->die[0], s->die[1]);
}

static bool read_action(const struct backgammon *s, const char *text, mp_move *move, struct mp_error *error)
{
    for (int i = 0; i < 4; i++)
        if (actions[i].phase == s->phase &&
            (!strcasecmp(text, actions[i].name) || !strcasecmp(text, actions[i].other))) {
            *move = backgammon_action(i + 1);
            return true;
        }
    *move = BACKGAMMON_PASS;
    if (s->phase == BACKGAMMON_NODDING)
        return !strcasecmp(text, "pass") ||
               mp_fail(
                   error,
                   "backgammon: '%.60s' is not a move here: the other player is about to roll, expected pass",
                   text);
    return mp_fail(error, "backgammon: '%.60s' is not a move here: %s", text,
                   s->phase == BACKGAMMON_CHOOSING
                       ? "the dice are to be thrown or the cube turned, expected roll or double"
                       : "a double is to be answered, expected take or drop");
}

static bool is_roll_text(const char *text)
{
    return text[0] >= '1' && text[0] <= '6' && text[1] >= '1' && text[1] <= '6' && !text[2];
}

static bool read_roll(const char *text, mp_move *move, struct mp_error *error)
{
    if (!is_roll_text(text))
        return mp_fail(error,
                       "backgammon: '%.60s' is not a move here: the dice are to be thrown, expected a roll "
                       "such as 31",
                       text);
    int a = text[0] - '0', b = text[1] - '0';
    *move = a > b ? backgammon_roll(a, b) : backgammon_roll(b, a);
    return true;
}

bool backgammon_parse_move(const struct mp_game *game, const void *state, const char *text, mp_move *move,
                           struct mp_error *error)
{
    const struct backgammon *s = state;
    if (backgammon_is_over(s))
        return mp_fail(error, "backgammon: '%.60s' is not a move here: the game is over", text);
    if (s->phase != BACKGAMMON_PLAYING)
        return read_action(s, text, move, error);
    if (s->die[0] == 0)
        return read_roll(text, move, error);
    if (is_roll_text(text))
        return mp_fail(error, "backgammon: '%.60s' is not a move here: %d%d has been thrown, expected a play",
                       text, s->die[0], s->die[1]);
    int count = game->list(game, state, NULL, 0);
    mp_move *moves = malloc((size_t)count * sizeof *moves);
    if (!moves)
        return mp_fail_with(error, MP_ERROR_MEMORY, "out of memory");
    game->list(game, state, moves, count);
    struct spelling spelling;
    bool ok, several = false, is_pass = !strcasecmp(text, "pass");
    if (is_pass) {
        *move = moves[0];
        ok = moves[0] == BACKGAMMON_PASS ||
             mp_fail(error, "backgammon play 'pass': the roll %d%d can be played", s->die[0], s->die[1]);
    } else if ((ok = read_play(text, &spelling, error))) {
        *move = choose(s, &spelling, moves, count, &several);
        if (several)
            ok = mp_fail(error,
                         "backgammon play '%.60s' can be made with different hits: expected the way, "
                         "such as 13/11*/8",
                         text);
        else if (*move == MP_NO_MOVE)
            ok = refuse(s, &spelling, error);
    }
    free(moves);
    return ok;
}
