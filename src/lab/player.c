/* player.c - reads the description of a player, and plays with a strategy of ours. */
#include "lab/player.h"

#include "base/text.h"
#include "lab/process.h"
#include "lab/waits.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Time controls ---------------------------------------------------------------------------------- */

/* "2", "0.02", or with a unit. */
static bool read_seconds(const char *text, double *seconds)
{
    char with_unit[32];
    if (text_to_seconds(text, seconds))
        return true;
    if (!strcmp(text, "0")) {
        *seconds = 0;
        return true;
    }
    int length = snprintf(with_unit, sizeof with_unit, "%ss", text);
    return length < (int)sizeof with_unit && text_to_seconds(with_unit, seconds);
}

bool time_control_parse(const char *text, struct time_control *control, struct mp_error *error)
{
    *control = (struct time_control){0};
    char copy[64];
    int64_t number;
    snprintf(copy, sizeof copy, "%s", text);
    char *plus = strchr(copy, '+');
    if (strlen(text) < sizeof copy) {
        if (!strcmp(text, "none") || text_to_seconds(text, &control->move))
            return true;
        if (!strncmp(text, "nodes=", 6) && text_to_int(text + 6, 1, INT64_MAX, &number)) {
            control->nodes = (uint64_t)number;
            return true;
        }
        if (!strncmp(text, "depth=", 6) && text_to_int(text + 6, 1, MP_MAX_DEPTH, &number)) {
            control->depth = (int)number;
            return true;
        }
        if (plus) {
            *plus = 0;
            if (read_seconds(copy, &control->base) && control->base > 0 &&
                read_seconds(plus + 1, &control->increment))
                return true;
        }
    }
    return mp_fail(
        error,
        "time control '%.60s', expected a form such as 2+0.02 (seconds for the game and for each move), "
        "10ms (each move), nodes=1000, depth=6 or none",
        text);
}

/* ---- Reading a description -------------------------------------------------------------------------- */

/* The next word of *text, on the heap, with its quotes taken off; null at the end. */
static char *next_word(const char **text, struct mp_error *error)
{
    const char *at = *text;
    while (isspace((unsigned char)*at))
        at++;
    char *word = *at ? malloc(strlen(at) + 1) : NULL, *out = word, quote = 0;
    if (!word)
        return NULL;
    for (; *at && (quote || !isspace((unsigned char)*at)); at++) {
        if (quote ? *at == quote : *at == '\'' || *at == '"')
            quote = quote ? 0 : *at;
        else
            *out++ = *at;
    }
    *out = 0;
    *text = at;
    if (!quote)
        return word;
    mp_fail(error, "player: a quote (%c) is not closed in '%.100s'", quote, word);
    free(word);
    return NULL;
}

static bool keep_word(struct player_setup *setup, char *word, int *count, struct mp_error *error)
{
    if (!strncmp(word, "name=", 5) && word[5]) {
        free(setup->name);
        setup->name = strdup(word + 5);
        free(word);
        return setup->name || mp_fail(error, "out of memory");
    }
    if (!strncmp(word, "tc=", 3)) {
        bool ok = time_control_parse(word + 3, &setup->control, error);
        free(word);
        return ok;
    }
    bool is_option = !strncmp(word, "option.", 7);
    if (*count == PLAYER_MOST_WORDS || setup->option_count == PLAYER_MOST_WORDS) {
        free(word);
        return mp_fail(error, "player: more than %d words", PLAYER_MOST_WORDS);
    }
    if (!is_option) {
        setup->words[(*count)++] = word;
        return true;
    }
    if (!strchr(word, '=') || word[7] == '=') {
        mp_fail(error, "player: '%.100s', expected option.NAME=VALUE", word);
        free(word);
        return false;
    }
    memmove(word, word + 7, strlen(word + 7) + 1);
    setup->options[setup->option_count++] = word;
    return true;
}

/* A limit of the time control is a key of the strategy, which may not say another. */
static bool set_limit(const struct player_setup *setup, struct mp_strategy *strategy, const char *key,
                      const char *value, struct mp_error *error)
{
    if (mp_strategy_given(strategy, key))
        return mp_fail(error,
                       "player '%.60s': %s= in the strategy and in its time control, expected one of them",
                       setup->name, key);
    return mp_strategy_set(strategy, key, value, error);
}

/* A clock is a limit of time, too: how much is said at each move. */
static bool set_control(const struct player_setup *setup, struct mp_strategy *strategy,
                        struct mp_error *error)
{
    const struct time_control *control = &setup->control;
    double seconds = control->move > 0 ? control->move : control->base;
    char nodes[32], depth[16], time[32];
    snprintf(nodes, sizeof nodes, "%llu", (unsigned long long)control->nodes);
    snprintf(depth, sizeof depth, "%d", control->depth);
    snprintf(time, sizeof time, "%.6fs", seconds);
    return (!control->nodes || set_limit(setup, strategy, "nodes", nodes, error)) &&
           (!control->depth || set_limit(setup, strategy, "depth", depth, error)) &&
           (seconds <= 0 || set_limit(setup, strategy, "time", time, error));
}

/* The value of a key that is a number; 0: it means nothing for the strategy. */
static uint64_t key_number(const struct mp_strategy *strategy, const char *key)
{
    char text[32];
    return mp_strategy_get(strategy, key, text, sizeof text) ? strtoull(text, NULL, 10) : 0;
}

/* The setup with the strategy and its limits. */
static bool take_strategy(struct player_setup *setup, const struct mp_strategy *strategy,
                          struct mp_error *error)
{
    enum { MOST_TEXT = 512 };
    char *text = malloc(MOST_TEXT);
    if (!text)
        return mp_fail(error, "out of memory");
    mp_strategy_asked(strategy, text, MOST_TEXT);
    free(setup->words[0]);
    setup->words[0] = text;
    setup->threads = (int)key_number(strategy, "threads");
    setup->depth = (int)key_number(strategy, "depth");
    setup->nodes = key_number(strategy, "nodes");
    return true;
}

static bool check_strategy(const struct mp_game *game, struct player_setup *setup, struct mp_error *error)
{
    if (setup->words[1])
        return mp_fail(error, "player '%.60s': '%.60s' after the strategy, expected name=, tc= or nothing",
                       setup->name, setup->words[1]);
    if (setup->option_count)
        return mp_fail(error, "player '%.60s': option.%.60s is for programs, expected keys of the strategy",
                       setup->name, setup->options[0]);
    struct mp_strategy *strategy = mp_strategy_new(game, setup->words[0], error);
    bool ok = strategy && set_control(setup, strategy, error) && take_strategy(setup, strategy, error);
    mp_strategy_free(strategy);
    return ok;
}

static bool check_program(struct player_setup *setup, struct mp_error *error)
{
    const struct time_control *control = &setup->control;
    if (control->base <= 0 && control->move <= 0 && !control->nodes && !control->depth)
        return mp_fail(error, "player '%.60s' has no time control, expected --tc or tc= such as tc=2+0.02",
                       setup->name);
    setup->threads = 1;
    for (int i = 0; i < setup->option_count; i++)
        if (!strncasecmp(setup->options[i], "Threads=", 8))
            setup->threads = atoi(setup->options[i] + 8);
    struct process *process = process_start(setup->words, error);
    process_end(process);
    return process != NULL;
}

/* uci:/usr/games/toga2 is named toga2, a strategy as it is written. */
static bool name_player(struct player_setup *setup, struct mp_error *error)
{
    if (!setup->name) {
        const char *slash = setup->program ? strrchr(setup->words[0], '/') : NULL;
        setup->name = strdup(slash ? slash + 1 : setup->words[0]);
    }
    return setup->name || mp_fail(error, "out of memory");
}

static bool read_words(struct player_setup *setup, struct mp_error *error)
{
    static const struct {
        const char *prefix;
        const struct player_kind *kind;
    } protocols[] = {{"gtp:", &player_gtp}, {"nboard:", &player_nboard}, {"uci:", &player_uci}};
    const char *rest = setup->text;
    int count = 0;
    struct mp_error reason = {0};
    for (char *word; (word = next_word(&rest, &reason));)
        if (!keep_word(setup, word, &count, error))
            return false;
    if (*reason.text)
        return mp_fail(error, "%s", reason.text);
    for (size_t i = 0; count > 0 && !setup->program && i < sizeof protocols / sizeof *protocols; i++) {
        size_t length = strlen(protocols[i].prefix);
        if (strncmp(setup->words[0], protocols[i].prefix, length) != 0)
            continue;
        setup->program = protocols[i].kind;
        memmove(setup->words[0], setup->words[0] + length, strlen(setup->words[0] + length) + 1);
    }
    if (count == 0 || !*setup->words[0])
        return mp_fail(error,
                       "player '%.100s' does not name a player, expected a strategy, uci:PROGRAM, "
                       "gtp:PROGRAM or nboard:PROGRAM",
                       setup->text);
    if (setup->program == &player_gtp && setup->option_count > 0)
        return mp_fail(error, "player '%.100s' has an option, expected none: GTP does not know any",
                       setup->text);
    return true;
}

bool player_setup_read(const struct mp_game *game, const char *text,
                       const struct time_control *default_control, double patience,
                       struct player_setup *setup, struct mp_error *error)
{
    *setup = (struct player_setup){.text = strdup(text), .control = *default_control, .patience = patience};
    bool ok = setup->text ? read_words(setup, error) : mp_fail(error, "out of memory");
    if (ok && setup->program && setup->program->game && strcmp(setup->program->game, game->name) != 0)
        ok = mp_fail(error, "player '%.100s' is for %s, not for %s", text, setup->program->game, game->name);
    ok = ok && name_player(setup, error) &&
         (setup->program ? check_program(setup, error) : check_strategy(game, setup, error));
    if (!ok)
        player_setup_free(setup);
    return ok;
}

void player_setup_free(struct player_setup *setup)
{
    for (int i = 0; i < PLAYER_MOST_WORDS; i++) {
        free(setup->words[i]);
        free(setup->options[i]);
    }
    free(setup->text);
    free(setup->name);
    *setup = (struct player_setup){0};
}

/* ---- Strategies of ours ----------------------------------------------------------------------------- */

static void end_strategy(struct player *player)
{
    mp_search_free(player->data);
    player->data = NULL;
}

/* A new search for each game, so that a game does not depend on which were played before it. */
static enum player_answer begin_strategy(struct player *player, struct mp_error *error)
{
    end_strategy(player);
    pace_new_game(&player->delay);
    player->data = mp_search_new(player->game, player->setup->words[0], error);
    return player->data ? PLAYER_MOVED : PLAYER_FAILED;
}

/* A run on a clock. */
struct timed_run {
    const struct mp_position *position;
    struct mp_search *search;
    double soft;
    struct pace_course course;
};

static void stop_when_enough(const struct mp_result *so_far, void *context)
{
    struct timed_run *run = context;
    double stretch = pace_stretch(
        &run->course, &(struct pace_iteration){so_far->move, so_far->value, so_far->depth, so_far->effort});
    if (so_far->seconds > run->soft * stretch || mp_position_moves(run->position, NULL, NULL, 0) == 1)
        mp_search_stop(run->search);
}

static bool run_on_clock(struct player *player, const struct turn *turn, struct mp_result *result,
                         struct mp_error *error)
{
    static const double overhead = 0.005; /* nothing is between the clock and the search but the system */
    double left = turn->left[turn->side];
    pace_begins(&player->delay, left);
    struct pace_clock clock = {.left = left,
                               .increment = turn->increment[turn->side],
                               .move = -1,
                               .overhead = overhead,
                               .delay = player->delay.longest,
                               .mean_delay = player->delay.mean};
    struct pace_budget budget = pace_budget(&clock);
    struct timed_run run = {turn->position, player->data, budget.soft, {0}};
    struct mp_limits limits = {MP_SIZE(struct mp_limits), .depth = player->setup->depth,
                               .nodes = player->setup->nodes, .seconds = budget.hard};
    bool ok = mp_search_run_within(player->data, turn->position, &limits, stop_when_enough, &run, result,
                                   error);
    if (ok)
        pace_moved(&player->delay, &clock, budget.hard, result->seconds);
    return ok;
}

static double mean_depth(const struct mp_counters *counters)
{
    if (counters->alternatives)
        return (double)counters->alternative_plies / (double)counters->alternatives;
    return counters->leaves ? (double)counters->leaf_plies / (double)counters->leaves : 0;
}

static enum player_answer think_strategy(struct player *player, const struct turn *turn,
                                         struct thought *thought, struct mp_error *error)
{
    struct mp_result result = {MP_SIZE(struct mp_result)};
    bool is_timed = isfinite(turn->allowed);
    int64_t waited_before = is_timed ? waits_of_this_thread() : 0;
    bool ok = player->setup->control.base > 0
                  ? run_on_clock(player, turn, &result, error)
                  : mp_search_run(player->data, turn->position, NULL, NULL, &result, error);
    if (!ok)
        return PLAYER_FAILED;
    const struct mp_counters *counters = &result.counters;
    double waited = is_timed ? (double)(waits_of_this_thread() - waited_before) * 1e-9 : 0;
    waited = fmin(waited, fmin(result.seconds, WAITS_MOST_SECONDS));
    *thought = (struct thought){
        .move = result.move,
        .seconds = result.seconds,
        .waited = waited,
        .has_value = result.depth > 0,
        .value = result.value,
        .depth = result.depth,
        .max_depth = counters->max_ply,
        .mean_depth = mean_depth(counters),
        .alternatives = counters->alternatives,
        .nodes = counters->nodes,
        .alpha_cuts = counters->alpha_cuts,
        .beta_cuts = counters->beta_cuts,
        .tasks = counters->tasks_created,
        .tasks_stolen = counters->tasks_stolen,
    };
    return PLAYER_MOVED;
}

static const struct player_kind player_strategy = {NULL, begin_strategy, think_strategy, end_strategy};

const char *player_strategy_text(const struct player *player)
{
    return player->kind == &player_strategy && player->data ? mp_search_strategy(player->data) : NULL;
}

/* ---- Programs --------------------------------------------------------------------------------------- */

enum player_answer player_give_up(struct player *player, struct process *process, enum process_answer answer,
                                  const char *question, struct mp_error *error)
{
    bool killed = answer == PROCESS_GONE && process_was_killed(process);
    mp_fail(error,
            answer == PROCESS_LATE ? "no answer in time to `%.60s`"
            : killed               ? "was killed by somebody else (out of memory?) before it answered `%.60s`"
                                   : "ended before it answered `%.60s`",
            question);
    player_end(player);
    return killed ? PLAYER_FAILED : answer == PROCESS_LATE ? PLAYER_LATE : PLAYER_GONE;
}

/* ---- All players ------------------------------------------------------------------------------------ */

struct player *player_new(const struct mp_game *game, const struct player_setup *setup)
{
    struct player *player = malloc(sizeof *player);
    if (player)
        *player = (struct player){
            .kind = setup->program ? setup->program : &player_strategy, .setup = setup, .game = game};
    return player;
}

void player_end(struct player *player)
{
    player->kind->end(player);
}

void player_free(struct player *player)
{
    if (player)
        player_end(player);
    free(player);
}

enum player_answer player_begin(struct player *player, struct mp_error *error)
{
    return player->kind->begin(player, error);
}

enum player_answer player_think(struct player *player, const struct turn *turn, struct thought *thought,
                                struct mp_error *error)
{
    return player->kind->think(player, turn, thought, error);
}
