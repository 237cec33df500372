/* ubgi.c - the loop that answers the commands of UBGI, and the keys that it can set. */
#include "protocols/ubgi.h"

#include "base/text.h"
#include "protocols/command_table.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT = 256 };

/* Lines are answered one after another: a search is over before the next line is read. */
struct ubgi {
    FILE *out;
    struct backgammon_engine engine;
    char strategy[TEXT], default_strategy[TEXT]; /* in use, and at first */
    int64_t ply;                                 /* 0: as the strategy says */
    const struct backgammon_table_keeper *keeper;
    bool has_position;
    bool doubled;            /* who is on roll has doubled: the other is to answer */
    struct backgammon state; /* without dice until they are given, and without the cube */
};

/* ---- Answers ------------------------------------------------------------------------------------------- */

__attribute__((format(printf, 2, 3))) static void say(struct ubgi *u, const char *format, ...)
{
    char line[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    for (char *c = line; *c; c++) /* an error quotes what came */
        if (*c < ' ' || *c > '~')
            *c = '?';
    fprintf(u->out, "%s\n", line);
    fflush(u->out);
}

static void refuse(struct ubgi *u, const char *code, const struct mp_error *error)
{
    say(u, "error %s %s", code, error->text);
}

/* ---- Keys ---------------------------------------------------------------------------------------------- */

enum { MOST_PLY = 3 };

static void set_strategy(struct ubgi *u, const char *value)
{
    struct backgammon_engine engine;
    struct mp_error error = {0};
    if (strlen(value) >= sizeof u->strategy || !backgammon_engine_open(&engine, value, u->keeper, &error)) {
        if (*error.text) {
            backgammon_engine_close(&engine);
            refuse(u, "bad_value", &error);
        } else {
            say(u, "error bad_value engine.strategy is longer than %d characters", TEXT - 1);
        }
        return;
    }
    backgammon_engine_close(&u->engine);
    u->engine = engine;
    snprintf(u->strategy, sizeof u->strategy, "%s", value);
}

static void set_ply(struct ubgi *u, const char *value)
{
    if (!text_to_int(value, 0, MOST_PLY, &u->ply))
        say(u, "error bad_value engine.ply is '%.60s', expected 0 to %d", value, MOST_PLY);
}

static void get_strategy(struct ubgi *u)
{
    say(u, "value engine.strategy %s", u->strategy);
}

static void get_ply(struct ubgi *u)
{
    say(u, "value engine.ply %d", (int)u->ply);
}

static const struct {
    const char *name, *type, *initial, *summary; /* initial null: the strategy in use at first */
    void (*set)(struct ubgi *u, const char *value);
    void (*get)(struct ubgi *u);
} keys[] = {
    {"engine.strategy", "string *", NULL, "how plays are found", set_strategy, get_strategy},
    {"engine.ply", "int 0..3", "0", "plies of a play, the own one included; 0 is what the strategy says",
     set_ply, get_ply},
};
enum { KEYS = sizeof keys / sizeof *keys };

static int find_key(struct ubgi *u, const char *name)
{
    for (int i = 0; i < KEYS; i++)
        if (!strcmp(keys[i].name, name))
            return i;
    say(u, "error unsupported key '%.60s', expected one that `keys` lists", name);
    return -1;
}

/* ---- Decisions ----------------------------------------------------------------------------------------- */

struct ubgi_request {
    bool cube, play; /* what is asked for */
    struct mp_limits limits;
    bool limited;
};

static bool read_limit(const char *name, const char *value, struct ubgi_request *r)
{
    int64_t n;
    if (!value || !text_to_int(value, 1, INT32_MAX, &n))
        return false;
    r->limited = true;
    if (!strcmp(name, "depth"))
        r->limits.depth = n < MOST_PLY ? (int)n : MOST_PLY;
    else if (!strcmp(name, "nodes"))
        r->limits.nodes = (uint64_t)n;
    else if (!strcmp(name, "movetime"))
        r->limits.seconds = (double)n / 1000;
    else
        return false;
    return true;
}

/* `go`, `go chequer`, `go role turn movetime 500`. */
static bool read_request(struct ubgi *u, char *rest, struct ubgi_request *r)
{
    *r = (struct ubgi_request){
        .play = true, .limits = {MP_SIZE(struct mp_limits), .depth = (int)u->ply}, .limited = u->ply > 0};
    for (char *word; (word = strsep(&rest, " "));) {
        if (!*word || !strcmp(word, "role") || !strcmp(word, "chequer"))
            continue;
        if (!strcmp(word, "cube") || !strcmp(word, "turn")) {
            r->cube = true;
            r->play = *word == 't';
        } else if (!read_limit(word, strsep(&rest, " "), r)) {
            say(u,
                "error bad_command go %.60s, expected chequer, cube or turn, then depth, nodes or movetime "
                "with a number",
                word);
            return false;
        }
    }
    return true;
}

/* The equities, in points or, in a match, 2 P - 1. */
static void tell_cube(struct ubgi *u, const struct cube_judgement *cube)
{
    say(u, "info cube nodouble %+.4f take %+.4f drop %+.4f verdict %s",
        (double)cube->rolled / BACKGAMMON_UNITS, (double)cube->taken / BACKGAMMON_UNITS,
        (double)cube->dropped / BACKGAMMON_UNITS, cube->verdict);
}

static void do_go(struct ubgi *u, char *rest)
{
    struct ubgi_request r;
    struct mp_error error = {0};
    struct cube_judgement cube = {0};
    mp_move play = BACKGAMMON_PASS;
    char steps[TEXT];
    bool may_double = false;
    if (!read_request(u, rest, &r))
        return;
    if (!u->has_position || (r.play && !u->state.die[0])) {
        say(u, "error bad_state missing %s", u->has_position ? "dice" : "position");
        return;
    }
    if ((r.cube &&
         !backgammon_engine_cube(&u->engine, &u->state, r.limits.depth, &may_double, &cube, &error)) ||
        (r.play &&
         !backgammon_engine_decide(&u->engine, &u->state, r.limited ? &r.limits : NULL, &play, &error))) {
        refuse(u, "bad_state", &error);
        return;
    }
    const char *action = u->doubled     ? cube.beavers ? "beaver"
                                          : cube.takes ? "take"
                                                       : "drop"
                         : cube.doubles ? "double"
                                        : "nodouble";
    backgammon_engine_steps(&u->state, play, steps, sizeof steps);
    if (may_double)
        tell_cube(u, &cube);
    if (r.cube && r.play)
        say(u, "bestturn cube=%s move=%s", action, *steps ? steps : "pass");
    else if (r.cube)
        say(u, "bestcube %s", action);
    else
        say(u, "bestmove %s", *steps ? steps : "pass");
}

/* ---- Commands ------------------------------------------------------------------------------------------ */

static void do_ubgi(struct ubgi *u, char *rest)
{
    (void)rest;
    say(u, "id name Manyply %s", mp_version());
    say(u, "id author the authors of Manyply");
    say(u, "proto 0.2");
    say(u, "ubgiok");
}

static void do_isready(struct ubgi *u, char *rest)
{
    (void)rest;
    say(u, "readyok");
}

static void do_newgame(struct ubgi *u, char *rest)
{
    (void)rest;
    u->has_position = false;
    backgammon_engine_forget(&u->engine);
}

/* `position gnubgid ID` or `position gnubgid ID:MATCHID`, `position xgid XGID=...`; the old one stays if the
 * new one is bad. */
static void do_position(struct ubgi *u, char *rest)
{
    const char *kind = strsep(&rest, " ");
    struct backgammon state;
    struct mp_error error = {0};
    char text[TEXT];
    bool is_xg = kind && !strcmp(kind, "xgid");
    if (!rest || (!is_xg && strcmp(kind, "gnubgid") != 0)) {
        say(u, "error bad_command expected: position gnubgid ID, or position xgid ID");
        return;
    }
    snprintf(text, sizeof text, "%s%s", is_xg && strncmp(rest, "XGID=", 5) != 0 ? "XGID=" : "", rest);
    const struct mp_game *game = u->engine.game[1];
    if (!game->parse_position(game, text, &state, &error)) {
        refuse(u, "bad_value", &error);
        return;
    }
    if (backgammon_is_over(&state)) {
        say(u, "error bad_value the game is over, expected one that goes on");
        return;
    }
    u->doubled = state.phase == BACKGAMMON_ANSWERING;
    if (u->doubled)
        backgammon_turn(&state);
    state.phase = BACKGAMMON_PLAYING;
    state.cube_in_use = false;
    u->state = state;
    u->has_position = true;
}

static void do_dice(struct ubgi *u, char *rest)
{
    int64_t a, b;
    const char *first = strsep(&rest, " ");
    if (!first || !rest || !text_to_int(first, 1, 6, &a) || !text_to_int(rest, 1, 6, &b)) {
        say(u, "error bad_value expected: dice D1 D2, each 1 to 6");
        return;
    }
    if (!u->has_position) {
        say(u, "error bad_state missing position");
        return;
    }
    u->state.die[0] = (uint8_t)(a > b ? a : b);
    u->state.die[1] = (uint8_t)(a > b ? b : a);
}

static void do_set(struct ubgi *u, char *rest)
{
    const char *name = strsep(&rest, " ");
    if (!rest) {
        say(u, "error bad_command expected: set KEY VALUE");
        return;
    }
    int key = find_key(u, name);
    if (key >= 0)
        keys[key].set(u, rest);
}

/* `setoption name KEY value VALUE` */
static void do_setoption(struct ubgi *u, char *rest)
{
    char *value = rest ? strstr(rest, " value ") : NULL;
    if (!value || strncmp(rest, "name ", 5) != 0) {
        say(u, "error bad_command expected: setoption name KEY value VALUE");
        return;
    }
    *value = 0;
    int key = find_key(u, rest + strlen("name "));
    if (key >= 0)
        keys[key].set(u, value + strlen(" value "));
}

static void do_get(struct ubgi *u, char *rest)
{
    int key = find_key(u, rest ? rest : "");
    if (key >= 0)
        keys[key].get(u);
}

static void do_keys(struct ubgi *u, char *rest)
{
    (void)rest;
    for (int i = 0; i < KEYS; i++)
        say(u, "key %s %s %s %s", keys[i].name, keys[i].type,
            keys[i].initial ? keys[i].initial : u->default_strategy, keys[i].summary);
}

/* There is never a search under way. */
static void do_stop(struct ubgi *u, char *rest)
{
    (void)u, (void)rest;
}

static const struct {
    const char *name;
    void (*run)(struct ubgi *u, char *rest);
} commands[] = {
    {"ubgi", do_ubgi},       {"isready", do_isready},
    {"newgame", do_newgame}, {"position", do_position},
    {"dice", do_dice},       {"go", do_go},
    {"set", do_set},         {"get", do_get},
    {"keys", do_keys},       {"setoption", do_setoption},
    {"stop", do_stop},
};

enum { COMMANDS = sizeof commands / sizeof *commands };

static bool answer(void *engine, char *line)
{
    struct ubgi *u = engine;
    char *rest = line;
    const char *word = strsep(&rest, " ");
    size_t i = command_find(word, commands, sizeof *commands, COMMANDS);
    if (!strcmp(word, "quit") && !rest)
        return false;
    if (i < COMMANDS)
        commands[i].run(u, rest);
    else if (*word)
        say(u, "error bad_command unknown command '%.60s'", word);
    return true;
}

int ubgi_run(FILE *in, FILE *out, const struct backgammon_table_keeper *keeper)
{
    struct ubgi u = {.out = out, .keeper = keeper};
    struct mp_error error;
    struct mp_game *game = mp_game_open("backgammon", &error);
    bool ok = game;
    if (ok) {
        struct mp_strategy *strategy = mp_strategy_new(game, NULL, &error);
        ok = strategy;
        if (ok)
            mp_strategy_asked(strategy, u.default_strategy, sizeof u.default_strategy);
        mp_strategy_free(strategy);
        snprintf(u.strategy, sizeof u.strategy, "%s", u.default_strategy);
        ok = ok && backgammon_engine_open(&u.engine, u.strategy, keeper, &error);
    }
    mp_game_close(game);
    if (!ok)
        refuse(&u, "bad_state", &error);
    if (ok)
        command_loop(in, answer, &u);
    backgammon_engine_close(&u.engine);
    return ok ? 0 : 1;
}
