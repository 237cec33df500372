/* learn.c - the loop of playing, training and testing. */
#include "lab/learn.h"

#include "base/clock.h"
#include "games/games.h"
#include "lab/arena.h"
#include "lab/harvest.h"
#include "lab/td.h"
#include "lab/train.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LINE = 2 * LEARN_PATH, MOST_WINDOW = 64 };

/* Of one run. */
struct lesson {
    const struct learn *learn;
    struct learn_journal *journal;
    struct learn_generation *g; /* the present one ... */
    int number;                 /* ... and its number */
    int64_t start_ns;           /* of the present step */
    double before;              /* seconds that it had taken when this run took it up */
    struct arena *arena;        /* while it plays */
    struct mp_error *error;
};

/* ---- Time ---------------------------------------------------------------------------------------------- */

static double *step_seconds(struct lesson *l)
{
    return &l->g->seconds[l->g->state <= LEARN_ARENA ? l->g->state : LEARN_ARENA];
}

/* Takes the time, and stops where it is over. */
static void look_at_clock(struct lesson *l)
{
    const struct learn *learn = l->learn;
    *step_seconds(l) = l->before + clock_seconds_since(l->start_ns);
    if (learn->seconds > 0 && learn_journal_seconds(l->journal) >= learn->seconds)
        atomic_store(learn->stop, true);
    if (l->arena && atomic_load(learn->stop))
        atomic_store(&l->arena->stop, true);
}

static bool is_stopped(const struct lesson *l)
{
    return atomic_load(l->learn->stop);
}

static void tell(struct lesson *l, const char *doing, double share)
{
    look_at_clock(l);
    if (l->learn->tell)
        l->learn->tell(l->journal, doing, share, l->learn->context);
}

static void begin_step(struct lesson *l)
{
    l->start_ns = clock_ns();
    l->before = *step_seconds(l);
}

/* The step is done: the next one, or the end of the generation, goes into the journal. */
static bool end_step(struct lesson *l, enum learn_state next)
{
    look_at_clock(l);
    l->g->state = next;
    return learn_journal_write(l->learn->directory, l->journal, l->error);
}

/* ---- Playing ------------------------------------------------------------------------------------------- */

void learn_evaluation(const char *directory, const char *from, int generation, char text[LEARN_PATH])
{
    char path[LEARN_PATH];
    learn_path(directory, generation, "net", path);
    if (generation > 0)
        snprintf(text, LEARN_PATH, "network:%.*s", LEARN_PATH - 10, path);
    else if (!strcmp(from, "random"))
        snprintf(text, LEARN_PATH, "random:1");
    else if (!strcmp(from, "eval"))
        text[0] = 0;
    else
        snprintf(text, LEARN_PATH, "network:%.*s", LEARN_PATH - 10, from);
}

/* Is it a network that plays the games of this generation? */
static bool plays_by_network(const struct learn *learn, int generation)
{
    return generation > 0 || (strcmp(learn->from, "random") != 0 && strcmp(learn->from, "eval") != 0);
}

/* The strategy with the evaluation of a generation, so many nodes a move and a table that is quickly cleared. */
static struct mp_strategy *strategy_of(const struct learn *learn, int generation, int64_t nodes,
                                       struct mp_error *error)
{
    char evaluation[LEARN_PATH];
    learn_evaluation(learn->directory, learn->from, generation, evaluation);
    struct mp_strategy *strategy = mp_strategy_new(learn->game, learn->strategy, error);
    if (!strategy)
        return NULL;
    bool ok = !evaluation[0] || mp_strategy_set(strategy, "eval", evaluation, error);
    if (ok && !mp_strategy_is_limited(strategy))
        ok = mp_strategy_set_number(strategy, mp_strategy_has(strategy, "nodes") ? "nodes" : "depth",
                                    mp_strategy_has(strategy, "nodes") ? nodes : 1, error);
    if (ok && mp_strategy_has(strategy, "hash") && !mp_strategy_given(strategy, "hash"))
        ok = mp_strategy_set(strategy, "hash", nodes > 20000 ? "16" : "1", error);
    if (ok)
        return strategy;
    mp_strategy_free(strategy);
    return NULL;
}

static void show_games(const struct harvest_report *so_far, void *context)
{
    struct lesson *l = context;
    l->g->games = so_far->games;
    l->g->positions = so_far->positions;
    tell(l, "playing", (double)so_far->games / (double)l->learn->games);
}

static bool play_games(struct lesson *l)
{
    const struct learn *learn = l->learn;
    char path[LEARN_PATH];
    struct harvest_report report;
    learn_path(learn->directory, l->number, "games", path);
    int64_t nodes = plays_by_network(learn, l->g->parent) ? learn->nodes : learn->first_nodes;
    struct mp_strategy *strategy = strategy_of(learn, l->g->parent, nodes, l->error);
    if (!strategy)
        return false;
    struct harvest h = {.game = learn->game,
                        .strategy = mp_strategy_text(strategy),
                        .games = learn->games,
                        .threads = learn->threads,
                        .seed = learn->seed + (uint64_t)l->number,
                        .least_random = learn->least_random,
                        .most_random = learn->most_random,
                        .decided = learn->decided,
                        .most_plies = learn->most_plies,
                        .stop = learn->stop};
    bool ok = harvest_run(&h, path, show_games, l, &report, l->error);
    mp_strategy_free(strategy);
    l->g->games = report.games;
    l->g->positions = report.positions;
    return ok && (is_stopped(l) || end_step(l, LEARN_TRAIN));
}

/* ---- Training ------------------------------------------------------------------------------------------ */

static bool show_pass(const struct train_report *report, void *context)
{
    struct lesson *l = context;
    l->g->error = report->held_back;
    tell(l, "training", (double)report->pass / l->learn->passes);
    return !is_stopped(l);
}

/* Written to another name first: a file that is there is whole. */
static bool write_network(struct lesson *l, const struct network *network, const char *path)
{
    char fresh[LEARN_PATH + 8], made[NETWORK_MADE], game[NETWORK_NAME];
    games_describe(l->learn->game, game, sizeof game);
    snprintf(fresh, sizeof fresh, "%s.new", path);
    snprintf(made, sizeof made, "manyply learn, generation %d from %.200s, seed %llu", l->number,
             l->learn->from, (unsigned long long)l->learn->seed);
    return network_write(network, game, made, fresh, l->error) &&
           (rename(fresh, path) == 0 ||
            mp_fail_with(l->error, MP_ERROR_SYSTEM, "%.200s cannot be written: %s", path, strerror(errno)));
}

static bool train_network(struct lesson *l)
{
    const struct learn *learn = l->learn;
    char path[LEARN_PATH], files[MOST_WINDOW][LEARN_PATH];
    const char *paths[MOST_WINDOW];
    struct train_report report;
    struct train t = {.game = learn->game,
                      .paths = paths,
                      .width = learn->width,
                      .dense_count = learn->dense_count,
                      .passes = learn->passes,
                      .batch = 4096,
                      .threads = learn->threads,
                      .rate = learn->rate,
                      .result_share = learn->result_share,
                      .lambda = learn->lambda,
                      .scale = learn->scale,
                      .buffer = 4000000,
                      .seed = learn->seed + (uint64_t)l->number,
                      .stop = learn->stop,
                      .progress = show_pass,
                      .context = l};
    memcpy(t.dense, learn->dense, sizeof t.dense);
    for (int i = l->number - learn->window + 1; i <= l->number; i++)
        if (i >= 1) {
            learn_path(learn->directory, i, "games", files[t.path_count]);
            paths[t.path_count] = files[t.path_count];
            t.path_count++;
            t.results_only += !strcmp(learn->from, "random") && l->journal->generations[i - 1].parent == 0;
        }
    learn_path(learn->directory, l->number, "net", path);
    struct network *network = train_run(&t, &report, l->error);
    l->g->error = report.held_back;
    look_at_clock(l);
    bool ok = network && (is_stopped(l) || (write_network(l, network, path) && end_step(l, LEARN_ARENA)));
    network_free(network);
    return ok;
}

/* ---- Both at once, in games with dice ---------------------------------------------------------------- */

static bool show_round(const struct td_report *report, void *context)
{
    struct lesson *l = context;
    l->g->error = report->error;
    l->g->games = (int64_t)report->games;
    l->g->positions += (int64_t)report->positions;
    tell(l, "playing and training", (double)report->games / (double)l->learn->games);
    return !is_stopped(l);
}

/* The network that a generation goes on from; null: none. */
static bool read_parent(struct lesson *l, struct network **network)
{
    char evaluation[LEARN_PATH], name[NETWORK_NAME], made[NETWORK_MADE];
    *network = NULL;
    if (!plays_by_network(l->learn, l->g->parent))
        return true;
    learn_evaluation(l->learn->directory, l->learn->from, l->g->parent, evaluation);
    return (*network = network_read(evaluation + strlen("network:"), name, made, l->error));
}

static bool td_network(struct lesson *l)
{
    const struct learn *learn = l->learn;
    char path[LEARN_PATH];
    struct network *parent, *network = NULL;
    l->g->positions = 0;
    learn_path(learn->directory, l->number, "net", path);
    if (!read_parent(l, &parent))
        return false;
    struct td td = {.game = learn->game,
                    .shape = {.width = (uint32_t)learn->width, .dense_count = (uint32_t)learn->dense_count},
                    .begin = parent,
                    .threads = learn->threads,
                    .batch = 4096,
                    .games = (uint64_t)learn->games,
                    .round = (uint64_t)(learn->games < 4000 ? learn->games : 4000),
                    .rate = learn->rate,
                    .last_rate = learn->rate / 10,
                    .lambda = learn->lambda,
                    .ahead = learn->ahead,
                    .seed = learn->seed + (uint64_t)l->number,
                    .progress = show_round,
                    .context = l};
    for (int i = 0; i < learn->dense_count; i++)
        td.shape.dense[i] = (uint32_t)learn->dense[i];
    network = td_run(&td, l->error);
    look_at_clock(l);
    bool ok = network && (is_stopped(l) || (write_network(l, network, path) && end_step(l, LEARN_ARENA)));
    network_free(network);
    network_free(parent);
    return ok;
}

/* ---- Testing ------------------------------------------------------------------------------------------- */

static void show_match(const struct arena *arena, const struct tallies *tallies, int64_t number,
                       const struct match_game *match, void *context)
{
    struct lesson *l = context;
    (void)number, (void)match;
    struct pairing_tally tally = tallies_of(tallies, 0, 1);
    l->g->lost = tally.games[0];
    l->g->drawn = tally.games[1];
    l->g->won = tally.games[2];
    tell(l, "testing", (double)tally_games(&tally) / (double)arena->games);
}

static bool set_player(struct lesson *l, struct arena *arena, int generation)
{
    static const struct time_control none = {0};
    char text[LINE];
    struct mp_strategy *strategy = strategy_of(l->learn, generation, l->learn->nodes, l->error);
    if (!strategy)
        return false;
    char asked[LINE - 64];
    snprintf(text, sizeof text, "\"%s\" name=%s%d", mp_strategy_asked(strategy, asked, sizeof asked),
             generation ? "generation-" : "beginning-", generation);
    mp_strategy_free(strategy);
    if (!player_setup_read(l->learn->game, text, &none, 30, &arena->players[arena->player_count], l->error))
        return false;
    arena->player_count++;
    return true;
}

/* Elo that stays finite where all games were won. */
static double sober_elo(const struct pairing_tally *tally)
{
    double games = (double)tally_games(tally);
    double points = (double)tally->games[2] + 0.5 * (double)tally->games[1];
    return elo_of_score((points + 0.5) / (games + 1));
}

static bool judge(struct lesson *l, const struct arena *arena, const struct tallies *tallies)
{
    struct pairing_tally tally = tallies_of(tallies, 0, 1);
    struct learn_generation *g = l->g;
    struct elo elo;
    g->lost = tally.games[0];
    g->drawn = tally.games[1];
    g->won = tally.games[2];
    tally_elo(&tally, &elo);
    g->elo = sober_elo(&tally);
    g->low = isfinite(elo.low) ? elo.low : g->elo;
    g->high = isfinite(elo.high) ? elo.high : g->elo;
    g->rating = (g->parent ? l->journal->generations[g->parent - 1].rating : 0) + g->elo;
    enum sprt_verdict verdict = arena_verdict(arena, tallies, NULL);
    bool kept = verdict == SPRT_GO_ON ? g->won > g->lost : verdict == SPRT_ACCEPT_ELO1;
    if (kept)
        l->journal->best = l->number;
    return end_step(l, kept ? LEARN_KEPT : LEARN_DROPPED);
}

static bool play_match(struct lesson *l, struct arena *arena, struct results *results)
{
    struct tallies tallies;
    int64_t played;
    if (!arena_prepare(arena, results, l->error) || !results_tally(results, 2, &tallies, l->error))
        return false;
    l->arena = arena;
    bool ok = arena_run(arena, results, &tallies, &played, l->error);
    l->arena = NULL;
    ok = ok && (is_stopped(l) || judge(l, arena, &tallies));
    tallies_free(&tallies);
    return ok;
}

static bool test_network(struct lesson *l)
{
    const struct learn *learn = l->learn;
    char path[LEARN_PATH];
    struct arena *arena = calloc(1, sizeof *arena);
    if (!arena)
        return mp_fail_with(l->error, MP_ERROR_MEMORY, "out of memory");
    *arena = (struct arena){.game = learn->game,
                            .game_text = learn->game_text,
                            .games = learn->arena_games,
                            .seed = learn->seed,
                            .random_plies = learn->arena_random,
                            .rules = {.most_plies = learn->most_plies, .margin = 0.2},
                            .sprt = learn->sprt,
                            .concurrency = learn->threads,
                            .shards = 1,
                            .on_game = show_match,
                            .context = l};
    learn_path(learn->directory, l->number, "db", path);
    struct results *results = NULL;
    bool ok = set_player(l, arena, l->number) && set_player(l, arena, l->g->parent) &&
              (results = results_open(path, RESULTS_WRITE, l->error)) && play_match(l, arena, results);
    results_close(results);
    for (int i = 0; i < arena->player_count; i++)
        player_setup_free(&arena->players[i]);
    free(arena);
    return ok;
}

/* ---- All of it ----------------------------------------------------------------------------------------- */

/* A link to the best network, under a name that stays. */
static bool link_best(struct lesson *l)
{
    char path[LEARN_PATH], fresh[LEARN_PATH], target[64];
    if (l->journal->best == 0)
        return true;
    snprintf(path, sizeof path, "%s/best.net", l->learn->directory);
    snprintf(fresh, sizeof fresh, "%s/best.net.new", l->learn->directory);
    snprintf(target, sizeof target, "generation-%03d.net", l->journal->best);
    unlink(fresh);
    return (symlink(target, fresh) == 0 && rename(fresh, path) == 0) ||
           mp_fail_with(l->error, MP_ERROR_SYSTEM, "%.200s cannot be written: %s", path, strerror(errno));
}

static bool run_generation(struct lesson *l)
{
    typedef bool step_function(struct lesson *);
    static step_function *const kinds[2][3] = {{play_games, train_network, test_network},
                                               {td_network, td_network, test_network}};
    step_function *const *steps = kinds[td_fits(l->learn->game)];
    l->number = l->journal->count;
    l->g = &l->journal->generations[l->number - 1];
    bool ok = true;
    while (ok && !is_stopped(l) && l->g->state <= LEARN_ARENA) {
        begin_step(l);
        ok = steps[l->g->state](l);
    }
    /* What was found out so far, and the time that it took, is kept. */
    if (ok && l->g->state <= LEARN_ARENA)
        ok = learn_journal_write(l->learn->directory, l->journal, l->error);
    else if (ok)
        ok = link_best(l);
    if (ok && l->g->state > LEARN_ARENA && l->learn->tell)
        l->learn->tell(l->journal, NULL, 1, l->learn->context);
    return ok;
}

static bool is_over(const struct learn *learn, const struct learn_journal *j)
{
    int done = j->count && j->generations[j->count - 1].state <= LEARN_ARENA ? j->count - 1 : j->count;
    return (learn->generations > 0 && done >= learn->generations) ||
           (learn->seconds > 0 && learn_journal_seconds(j) >= learn->seconds) || atomic_load(learn->stop);
}

static bool run_generations(struct lesson *l)
{
    struct learn_journal *j = l->journal;
    if (!link_best(l)) /* a kill may have come before it */
        return false;
    while (!is_over(l->learn, j)) {
        bool begins = j->count == 0 || j->generations[j->count - 1].state > LEARN_ARENA;
        if (begins && !learn_journal_add(j))
            return mp_fail_with(l->error, MP_ERROR_MEMORY, "out of memory");
        if (!run_generation(l))
            return false;
    }
    return true;
}

/* The journal of a new directory, or one that fits. */
static bool open_journal(const struct learn *learn, struct learn_journal *j, struct mp_error *error)
{
    bool is_new;
    if (!learn_journal_read(learn->directory, j, &is_new, error))
        return false;
    if (is_new) {
        j->game = strdup(learn->game->name);
        j->from = strdup(learn->from);
        j->seed = learn->seed;
        return (j->game && j->from) || mp_fail_with(error, MP_ERROR_MEMORY, "out of memory");
    }
    if (strcmp(j->game, learn->game->name) != 0)
        return mp_fail(error, "%.200s is about %s, expected %s", learn->directory, j->game,
                       learn->game->name);
    if (strcmp(j->from, learn->from) != 0 || j->seed != learn->seed)
        return mp_fail(error, "%.200s began from %.100s with seed %llu, expected %.100s and %llu to go on",
                       learn->directory, j->from, (unsigned long long)j->seed, learn->from,
                       (unsigned long long)learn->seed);
    return true;
}

bool learn_run(const struct learn *learn, struct learn_journal *journal, struct mp_error *error)
{
    *journal = (struct learn_journal){0};
    struct lesson l = {.learn = learn, .journal = journal, .error = error};
    if (mkdir(learn->directory, 0777) != 0 && errno != EEXIST)
        return mp_fail_with(error, MP_ERROR_SYSTEM, "%.200s cannot be made: %s", learn->directory,
                            strerror(errno));
    int lock = open(learn->directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (lock < 0)
        return mp_fail_with(error, MP_ERROR_SYSTEM, "%.200s cannot be read: %s", learn->directory,
                            strerror(errno));
    bool ok = (flock(lock, LOCK_EX | LOCK_NB) == 0 ||
               mp_fail(error, "another program is learning in %.200s, expected nobody else to",
                       learn->directory)) &&
              open_journal(learn, journal, error) && run_generations(&l);
    close(lock);
    return ok;
}
