/* reproduce.c - what the reproductions of all reports share. */
#include "reports/reproduce.h"

#include "lab/calibrate.h"
#include "lab/statistics.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

const struct report reports[] = {
    {"pm", "parallel min-max chess", reproduce_pm},
    {"halma", "Halma with chunked parallelism", reproduce_halma},
    {"backgammon", "expectiminimax with forward pruning", reproduce_backgammon},
    {"othello", "minimax and Monte-Carlo tree search", reproduce_othello},
    {"horizon", "chess with a moving horizon", reproduce_horizon},
    {0},
};

/* Breaks lines between words, so that none is longer than this where it can be helped. */
enum { LINE = 98 };

static void print_wrapped(const char *text, FILE *out)
{
    int column = 0;
    while (*text) {
        int length = (int)strcspn(text, " \n");
        if (column > 0 && column + 1 + length > LINE) {
            fputc('\n', out);
            column = 0;
        }
        column += fprintf(out, "%s%.*s", column > 0 && length > 0 ? " " : "", length, text);
        text += length;
        if (*text == '\n') {
            fputc('\n', out);
            column = 0;
        }
        text += *text != 0;
    }
}

void reproduction_text(struct reproduction *r, const char *format, ...)
{
    char text[4096];
    if (!r->out)
        return;
    progress_end(&r->progress);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    print_wrapped(text, r->out);
    fflush(r->out);
}

bool reproduction_table(struct reproduction *r, const char *title, struct text_table *table)
{
    bool ok = !table->failed || mp_fail(r->error, "out of memory for a table");
    progress_end(&r->progress);
    if (ok && r->out) {
        fprintf(r->out, "\n### %s\n\n", title);
        text_table_print(table, r->out);
        fflush(r->out);
    }
    if (ok && r->tables)
        json_array_append_new(r->tables, json_pack("{s:s, s:s, s:o}", "report", r->name, "title", title,
                                                   "rows", text_table_json(table)));
    text_table_end(table);
    return ok;
}

void reproduction_plot(struct reproduction *r, const struct plot *plot)
{
    enum { COLUMNS = 80 };
    if (!r->out)
        return;
    progress_end(&r->progress);
    fprintf(r->out, "\n```\n");
    plot_print(plot, r->out, COLUMNS, r->unicode);
    fprintf(r->out, "```\n");
    fflush(r->out);
}

void reproduction_stage(struct reproduction *r, double to, int steps)
{
    r->from = r->to;
    r->to = to;
    r->done = 0;
    r->steps = steps;
}

void reproduction_step(struct reproduction *r)
{
    double part = r->steps ? (double)r->done++ / r->steps : 0;
    progress_show(&r->progress, r->name, r->from + (r->to - r->from) * part);
}

void reproduction_seconds(double seconds, char *text, size_t size)
{
    snprintf(text, size, seconds < 0.0995 ? "%.4f" : seconds < 9.995 ? "%.2f" : "%.1f", seconds);
}

bool reproduction_vary(struct reproduction *r, const struct mp_game *game, const char *strategy,
                       const char *keys, int threads, char *text, size_t size)
{
    struct mp_strategy *s = mp_strategy_new(game, strategy, r->error);
    bool ok = s && mp_strategy_set_all(s, keys ? keys : "", r->error) &&
              (!threads || mp_strategy_set_number(s, "threads", threads, r->error));
    if (ok)
        mp_strategy_asked(s, text, size);
    mp_strategy_free(s);
    return ok;
}

bool reproduction_machine(struct reproduction *r, const struct mp_game *game, const char *position_text,
                          const char *strategy)
{
    char costs[128];
    struct mp_position *position = mp_position_new(game, position_text, r->error);
    struct mp_strategy *s = position ? mp_strategy_new(game, strategy, r->error) : NULL;
    if (r->costs.steal == 0)
        calibrate_machine(&r->costs);
    bool ok = s && calibrate_node(s, position, &r->costs.node, r->error);
    costs_print(&r->costs, costs, sizeof costs);
    snprintf(r->simulate, sizeof r->simulate, "simulate=%s", costs);
    mp_strategy_free(s);
    mp_position_free(position);
    return ok;
}

bool reproduction_vary_simulated(struct reproduction *r, const struct mp_game *game, const char *strategy,
                                 const char *keys, int threads, char *text, size_t size)
{
    struct mp_strategy *s = mp_strategy_new(game, strategy, r->error);
    bool ok = s && mp_strategy_set_all(s, keys ? keys : "", r->error) &&
              mp_strategy_set_number(s, "threads", threads, r->error) &&
              mp_strategy_set_all(s, r->simulate, r->error) &&
              (!mp_strategy_has(s, "eager") || mp_strategy_given(s, "eager") || /* by a name */
               mp_strategy_set(s, "eager", "on", r->error));
    if (ok)
        mp_strategy_asked(s, text, size);
    mp_strategy_free(s);
    return ok;
}

/* ---- Searches that are timed ----------------------------------------------------------------------- */

static bool run_trial(struct trial *trial, struct mp_error *error)
{
    struct mp_position *position = mp_position_new(trial->game, trial->position, error);
    struct mp_search *search = position ? mp_search_new(trial->game, trial->strategy, error) : NULL;
    trial->result = (struct mp_result){MP_SIZE(struct mp_result)};
    bool ok = search && mp_search_run(search, position, NULL, NULL, &trial->result, error);
    mp_search_free(search);
    mp_position_free(position);
    return ok;
}

bool reproduction_time(struct reproduction *r, struct trial *trials, int count, int rounds)
{
    double *seconds = calloc((size_t)(count * rounds), sizeof *seconds);
    if (!seconds)
        return mp_fail(r->error, "out of memory for %d searches", count);
    bool ok = true;
    for (int i = 0; ok && i < count * rounds; i++) {
        struct trial *trial = &trials[i % count];
        reproduction_step(r);
        ok = run_trial(trial, r->error);
        seconds[i % count * rounds + i / count] = trial->result.seconds;
    }
    for (int i = 0; ok && i < count; i++)
        trials[i].seconds = statistics_median(seconds + i * rounds, rounds);
    free(seconds);
    return ok;
}

/* ---- Games ----------------------------------------------------------------------------------------- */

bool reproduction_match(struct reproduction *r, const struct mp_game *game, const char *const strategies[2],
                        int random_plies, int most_plies, uint64_t seed, struct match_game *match)
{
    static const struct time_control none;
    struct player_setup setups[2] = {0};
    struct player *players[2] = {NULL, NULL};
    bool ok = true;
    reproduction_step(r);
    for (int side = 0; ok && side < 2; side++) {
        ok = player_setup_read(game, strategies[side], &none, 0, &setups[side], r->error);
        players[side] = ok ? player_new(game, &setups[side]) : NULL;
        ok = ok && (players[side] || mp_fail(r->error, "out of memory for a player"));
    }
    *match = (struct match_game){
        .game = game, .players = {players[0], players[1]}, .rules = {.most_plies = most_plies}, .seed = seed};
    ok = ok && match_begin(match, NULL, r->error) &&
         match_open_at_random(match, random_plies, seed, r->error) && match_play(match, r->error);
    for (int side = 0; side < 2; side++) {
        player_free(players[side]);
        player_setup_free(&setups[side]);
    }
    return ok;
}

bool reproduction_play(struct reproduction *r, struct series *s)
{
    s->won = s->drawn = 0;
    s->seconds = s->tasks = s->stolen = 0;
    for (int number = 1; number <= s->games; number++) {
        char random[32];
        struct match_game match;
        struct mp_strategy *any = mp_strategy_new(s->game, "random", r->error);
        if (!any || !mp_strategy_set_number(any, "seed", number, r->error))
            return false;
        mp_strategy_asked(any, random, sizeof random);
        mp_strategy_free(any);
        int side = s->side == 2 ? (number - 1) % 2 : s->side;
        const char *strategies[2];
        strategies[side] = s->strategy;
        strategies[1 - side] = s->opponent ? s->opponent : random;
        int seed = s->side == 2 ? (number + 1) / 2 : number;
        bool ok = reproduction_match(r, s->game, strategies, s->random_plies, 0, (uint64_t)seed, &match);
        int margin = side == 0 ? match.margin : -match.margin;
        s->won += margin > 0;
        s->drawn += margin == 0;
        s->seconds += match.seconds[side] / s->games;
        for (int i = 0; i < match.count; i++)
            if (match.moves[i].side == side) {
                s->tasks += (double)match.moves[i].thought.tasks / s->games;
                s->stolen += (double)match.moves[i].thought.tasks_stolen / s->games;
            }
        match_free(&match);
        if (!ok)
            return false;
    }
    return true;
}
