/* matrix.c - what was asked of a search is what was done: every algorithm with every parallel scheme that a
 * game accepts, on every game, in every situation that the public interface promises something about.
 *
 *     matrix [POSITIONS [SHARE [TESTS]]]
 *
 * POSITIONS for each game and situation, 1 by default; of the combinations only every SHARE-th, another one
 * in each situation; and only tests with such a name, as in 'othello: *'.
 *
 * All that is wrong is counted, and the first of each situation are told. The trees are tiny: the reference
 * (tests/support/reference.h) visits at most 2,000 leaves at the depth that is asked for. */
#include "tests/support/combinations.h"
#include "tests/support/faults.h"
#include "tests/support/reference.h"
#include "tests/support/strategies.h"
#include "tests/support/subjects.h"
#include "tests/support/test.h"
#include "tests/support/verdict.h"

#include "base/clock.h"
#include "base/random.h"

#include <math.h>
#include <pthread.h>
#include <unistd.h>

enum {
    MOST_LEAVES = 2000,
    MOST_DEPTH = 8,
    MOST_PLIES = 40,
    EARLY_PLIES = 6, /* so early no game is searched to its end in a moment */
    TRUTHS = 4,
    SAMPLED_NODES = 400, /* an ordinary run of Monte-Carlo search, */
    REPORT_NODES = 20,   /* of one that plays all games to their end, */
    NOISY_NODES = 20000, /* and of a search that may go on and on */
    GUARD_SECONDS = 20,  /* a search that should have been stopped long ago */
};

static int positions_each = 1, share = 1;
static const int thread_counts[] = {1, 2, 3, 5, 7};
enum { THREAD_COUNTS = sizeof thread_counts / sizeof *thread_counts };

/* ---- A game and what is tried on it ---------------------------------------------------------------- */

struct subject {
    const char *name;
    struct mp_game *game;
    struct combinations all;
    struct truth *truths[TRUTHS]; /* the last is from near the end of a game, or null */
    struct truth *early;
    struct mp_position *finished, *chance; /* null: could not be found, or there is none */
    const struct subject *foreign;         /* another game */
    int turn;                              /* of the numbers of threads */
    int proven;                            /* values by Monte-Carlo search */
};

struct report {
    int depth, line, bound;
    mp_move move;
    mp_value value;
};

enum { MOST_REPORTS = 4096 };

/* One combination in one situation. */
struct trial {
    struct subject *subject;
    const char *situation;
    const struct combination *c;
    const struct truth *truth;
    uint64_t stream;
    int threads;
    struct faults *faults;
    char text[500];
    struct mp_search *search;
    int report_count;
    struct report reports[MOST_REPORTS];
};

/* The name of a game without the path of its plug-in. */
static const char *short_name(const char *name)
{
    const char *slash = strrchr(name, '/');
    return slash ? slash + 1 : name;
}

/* Says what is wrong. */
__attribute__((format(printf, 2, 3))) static void complain(struct trial *t, const char *format, ...)
{
    char sentence[700], tried[900];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    snprintf(tried, sizeof tried, "%s, %s, %s", short_name(t->subject->name), t->situation, t->text);
    faults_add(t->faults, t->subject->game, t->truth->position, tried, sentence);
}

/* A random number below another. */
static int below(struct trial *t, int bound)
{
    return (int)random_below(random_next(&t->stream), (uint32_t)bound);
}

/* ---- Positions ------------------------------------------------------------------------------------- */

/* A random position with a choice of moves, and two plies of it known where that can be had. */
static struct truth *random_truth(const struct mp_game *game, uint64_t seed, int most_plies)
{
    enum { ATTEMPTS = 60 };
    struct truth *truth = NULL;
    for (uint64_t attempt = 0; attempt < ATTEMPTS; attempt++) {
        truth_free(truth);
        struct mp_position *position = subjects_position(game, random_at(seed, attempt), most_plies);
        truth = truth_new(game, game->evaluations, position, MOST_LEAVES, MOST_DEPTH);
        if (truth->count > 1 && truth->depth > 1)
            break;
    }
    return truth;
}

/* Plays from the beginning to the end, mostly the move that looks best, and keeps the positions on the way.
 * Returns how many there are; 0: the game did not end. */
enum { MOST_WALK = 400 };

static int walk(const struct mp_game *game, uint64_t seed, struct mp_position *on_the_way[])
{
    struct mp_search *search = mp_search_new(game, "alphabeta,depth=1", NULL);
    struct mp_position *position = mp_position_new(game, NULL, NULL);
    uint64_t stream = seed;
    int count = 0;
    while (count < MOST_WALK) {
        on_the_way[count++] = mp_position_copy(position, NULL);
        if (subjects_is_over(position))
            break;
        struct mp_result result = {MP_SIZE(struct mp_result)};
        bool greedy = !mp_position_is_chance(position) && random_next(&stream) % 4 &&
                      mp_search_run(search, position, NULL, NULL, &result, NULL);
        int moves = mp_position_moves(position, NULL, NULL, 0);
        mp_move *all = malloc((size_t)moves * sizeof *all);
        mp_position_moves(position, all, NULL, moves);
        mp_move move = greedy ? result.move : all[random_below(random_next(&stream), (uint32_t)moves)];
        free(all);
        assert_true(mp_position_play(position, move, NULL));
    }
    bool over = subjects_is_over(on_the_way[count - 1]);
    mp_position_free(position);
    mp_search_free(search);
    for (int i = 0; !over && i < count; i++)
        mp_position_free(on_the_way[i]);
    return over ? count : 0;
}

/* Null: there is no choice of moves, or more than the reference can see. */
static struct truth *whole_truth(const struct mp_game *game, const struct mp_position *position)
{
    if (mp_position_is_chance(position))
        return NULL;
    struct truth *truth = truth_new(game, game->evaluations, mp_position_copy(position, NULL), MOST_LEAVES,
                                    MOST_DEPTH);
    if (truth->count > 1 && truth->depth > 1 && truth_is_whole(truth))
        return truth;
    truth_free(truth);
    return NULL;
}

/* A finished game, and the truth of a position shortly before the end of one, all of whose tree is known. */
static void find_ends(struct subject *s, uint64_t seed)
{
    enum { WALKS = 12, NEAR = 8 };
    struct truth **near = &s->truths[TRUTHS - 1];
    for (uint64_t i = 0; i < WALKS && !(s->finished && *near); i++) {
        struct mp_position *on_the_way[MOST_WALK];
        int count = walk(s->game, random_at(seed, i), on_the_way);
        if (count > 0 && !s->finished)
            s->finished = mp_position_copy(on_the_way[count - 1], NULL);
        for (int k = count - 2; k >= 0 && k >= count - NEAR && !*near; k--)
            *near = whole_truth(s->game, on_the_way[k]);
        for (int k = 0; k < count; k++)
            mp_position_free(on_the_way[k]);
    }
}

static void find_chance(struct subject *s)
{
    struct truth *truth = s->truths[0];
    struct mp_position *position = mp_position_copy(truth->position, NULL);
    for (int i = 0; i < 8 && !mp_position_is_chance(position) && !subjects_is_over(position); i++) {
        mp_move move;
        mp_position_moves(position, &move, NULL, 1);
        assert_true(mp_position_play(position, move, NULL));
    }
    if (mp_position_is_chance(position))
        s->chance = position;
    else
        mp_position_free(position);
}

static void drop_positions(struct subject *s)
{
    for (int i = 0; i < TRUTHS; i++)
        truth_free(s->truths[i]);
    truth_free(s->early);
    memset(s->truths, 0, sizeof s->truths);
    mp_position_free(s->finished);
    mp_position_free(s->chance);
    s->early = NULL;
    s->finished = s->chance = NULL;
}

static void find_positions(struct subject *s, int number)
{
    uint64_t seed = (uint64_t)number + 1;
    drop_positions(s);
    for (int i = 0; i < TRUTHS - 1; i++)
        s->truths[i] = random_truth(s->game, random_at(seed, (uint64_t)i), MOST_PLIES);
    s->early = random_truth(s->game, random_at(seed, TRUTHS), EARLY_PLIES);
    find_ends(s, random_at(seed, TRUTHS + 1));
    if (s->game->chances)
        find_chance(s);
}

static void open_subject(struct subject *s, const char *name)
{
    struct mp_error error = {0};
    *s = (struct subject){.name = name, .game = mp_game_open(name, &error)};
    if (!s->game)
        fail_msg("%s: %s", name, error.text);
    s->all = combinations_of(s->game);
}

static void open_with_positions(struct subject *s, const char *name)
{
    open_subject(s, name);
    find_positions(s, 0);
}

static void close_subject(struct subject *s)
{
    drop_positions(s);
    combinations_free(&s->all);
    mp_game_close(s->game);
}

/* ---- A run and what is always true of it ----------------------------------------------------------- */

/* A search with more keys than the combination has. */
static void open_search(struct trial *t, const char *keys)
{
    char filled[400];
    struct mp_error error = {0};
    strategy_fill_in(t->c->text, t->threads, filled, sizeof filled);
    snprintf(t->text, sizeof t->text, "%s%s", filled, keys);
    mp_search_free(t->search);
    t->search = mp_search_new(t->subject->game, t->text, &error);
    if (!t->search)
        fail_msg("%s: %s", t->text, error.text);
}

static void note(const struct mp_result *so_far, void *context)
{
    struct trial *t = context;
    if (t->report_count < MOST_REPORTS)
        t->reports[t->report_count++] = (struct report){so_far->depth, so_far->line, so_far->bound,
                                                        so_far->move, so_far->value};
}

static void judge_reports(struct trial *t, const struct mp_limits *limits)
{
    int lines = limits->lines > 1 ? limits->lines : 1;
    for (int i = 0; i < t->report_count; i++) {
        const struct report *r = &t->reports[i];
        if (truth_of(t->truth, 1, r->move) == -MP_INFINITE || !verdict_allows(limits, r->move)) {
            complain(t, "a report is of a move that was not to be searched: %llx",
                     (unsigned long long)r->move);
            return;
        }
        if (r->line < 1 || r->line > lines) {
            complain(t, "a report has line %d, expected 1 to %d", r->line, lines);
            return;
        }
        if (r->bound != 0 && !limits->bounds) {
            complain(t, "a report has bound %d, and nobody asked for bounds", r->bound);
            return;
        }
    }
}

static struct some_moves allowed(const struct mp_limits *limits)
{
    return (struct some_moves){limits->moves, limits->move_count};
}

/* Does the reference say the same one ply deeper? Also true where that would take too long. */
static bool deeper_is_the_same(const struct trial *t, const struct mp_result *result)
{
    enum { MORE_LEAVES = 100 * MOST_LEAVES };
    const struct truth *truth = t->truth;
    const struct mp_game *game = t->subject->game;
    for (int depth = truth->depth + 1; depth <= result->depth + 1; depth++) {
        uint64_t leaves;
        assert_true(mp_perft(truth->position, depth, 1, false, NULL, NULL, &leaves, NULL));
        if (leaves > MORE_LEAVES)
            return true;
    }
    mp_value *values = malloc((size_t)truth->count * sizeof *values), best = -MP_INFINITE;
    reference_values(game, game->evaluations, truth->position, result->depth + 1, truth->moves, truth->count,
                     values);
    for (int i = 0; i < truth->count; i++)
        best = values[i] > best ? values[i] : best;
    free(values);
    return result->value == best;
}

/* May a search of all moves that was neither stopped nor has reached its depth know all that a deeper one
 * would find? One that leaves moves out may have come to the end of the rest. */
static bool knows_all(const struct trial *t, const struct mp_result *result)
{
    const struct truth *truth = t->truth;
    if (!t->c->exact)
        return result->depth > 1 || abs(result->value) > MP_PROVEN || truth_is_whole(truth);
    if (result->depth < truth->depth || truth_is_whole(truth))
        return result->value == truth_best(truth, truth->depth, (struct some_moves){0});
    return deeper_is_the_same(t, result);
}

/* Depth where an algorithm is not exact, and proofs where it may have some. */
static bool other_verdict(const struct trial *t, const struct mp_limits *limits,
                          const struct mp_result *result, struct mp_error *error)
{
    const struct truth *truth = t->truth;
    bool whole = truth_is_whole(truth);
    if (t->c->deepens && limits->depth && !result->stopped && result->depth != limits->depth &&
        !knows_all(t, result))
        return mp_fail(error, "depth %d, asked for %d", result->depth, limits->depth);
    if (result->exact && !t->c->proves)
        return mp_fail(error, "the value is called exact, which nobody promises");
    if (!result->exact || !whole)
        return true;
    mp_value best = truth_best(truth, truth->depth, allowed(limits));
    mp_value of_move = truth_of(truth, truth->depth, result->move);
    if (result->value != best || of_move != best)
        return mp_fail(error, "proven: value %d, a move worth %d, expected %d", result->value, of_move, best);
    return true;
}

static void judge(struct trial *t, const struct mp_limits *limits, const struct mp_result *result)
{
    struct mp_error error = {0};
    if (!verdict_sound(t->truth, limits, result, &error))
        complain(t, "%s", error.text);
    if (t->c->exact ? !verdict_exact(t->truth, limits, result, &error)
                    : !other_verdict(t, limits, result, &error))
        complain(t, "%s", error.text);
    if (result->threads != (t->c->splits ? t->threads : 1))
        complain(t, "%d threads, asked for %d", result->threads, t->threads);
    judge_reports(t, limits);
    t->subject->proven += t->c->samples && result->exact;
}

/* Runs within limits; false: refused, which is told. */
static bool run(struct trial *t, const struct mp_limits *limits, struct mp_result *result)
{
    struct mp_error error = {0};
    t->report_count = 0;
    *result = (struct mp_result){MP_SIZE(struct mp_result)};
    if (!mp_search_run_within(t->search, t->truth->position, limits, note, t, result, &error)) {
        complain(t, "refused: %s", error.text);
        return false;
    }
    judge(t, limits, result);
    return true;
}

/* Limits of an ordinary run that comes to its end. */
static struct mp_limits ordinary(const struct trial *t)
{
    if (t->c->samples)
        return (struct mp_limits){MP_SIZE(struct mp_limits),
                                  .nodes = t->c->proves ? SAMPLED_NODES : REPORT_NODES};
    /* Who goes on where it gets noisy may never come to an end. */
    return (struct mp_limits){MP_SIZE(struct mp_limits), .depth = t->truth->depth,
                              .nodes = t->c->exact ? 0 : NOISY_NODES};
}

/* Did it end by its limits and by nothing else? */
static bool is_complete(const struct trial *t, const struct mp_limits *limits, const struct mp_result *result)
{
    bool all_nodes = limits->nodes && result->counters.nodes >= limits->nodes;
    return all_nodes || (t->c->samples ? result->exact : !result->stopped);
}

static void run_to_the_end(struct trial *t, struct mp_limits limits, const char *when)
{
    struct mp_result result = {MP_SIZE(struct mp_result)};
    if (run(t, &limits, &result) && !is_complete(t, &limits, &result))
        complain(t, "%s: ended at depth %d after %llu nodes, %s, expected a complete run", when, result.depth,
                 (unsigned long long)result.counters.nodes, result.stopped ? "stopped" : "not stopped");
}

/* May a run without a limit of depth end by itself? Random moves are no search, and a rollout has played its
 * games; others may where nothing is left to be found. */
static bool may_end_alone(const struct trial *t, const struct mp_result *result)
{
    if (!t->c->looks || (!t->c->samples && !t->c->deepens))
        return true;
    if (t->c->samples)
        return result->exact;
    return result->depth == MP_MAX_DEPTH || knows_all(t, result);
}

/* Keys that would end any search at once, if they applied. */
static void open_tight(struct trial *t)
{
    char keys[80];
    snprintf(keys, sizeof keys, ",nodes=1,time=1ms%s", t->c->own_limit);
    open_search(t, keys);
}

/* ---- Situations ------------------------------------------------------------------------------------ */

/* The limits of a run replace those of the strategy, and a search goes on until its time is over. */
static void keeps_to_the_time(struct trial *t)
{
    struct mp_limits limits = {MP_SIZE(struct mp_limits), .seconds = 0.01 + 0.001 * below(t, 4)};
    struct mp_result result = {MP_SIZE(struct mp_result)};
    t->truth = t->subject->early;
    open_tight(t);
    if (!run(t, &limits, &result))
        return;
    bool early = result.seconds < limits.seconds - 1e-6; /* as whole nanoseconds a limit may be a bit less */
    if (result.stopped ? early : !may_end_alone(t, &result))
        complain(t, "ended after %.4f s of %.4f s at depth %d, %llu iterations, %s", result.seconds,
                 limits.seconds, result.depth, (unsigned long long)result.counters.iterations,
                 result.stopped ? "stopped" : "not stopped");
}

static void keeps_to_the_nodes(struct trial *t)
{
    static const uint64_t counts[] = {1, 60, 700, 2000};
    struct mp_limits limits = {MP_SIZE(struct mp_limits), .nodes = counts[below(t, 4)]};
    struct mp_result result = {MP_SIZE(struct mp_result)};
    /* Workers look up every 256 nodes, and value the children of a node in one call; an iteration of
     * Monte-Carlo search is as long as a line may be. */
    uint64_t each = t->c->samples ? 256 + 2 * MP_MAX_DEPTH : t->subject->game->chances ? 1024 : 300;
    open_tight(t);
    if (!run(t, &limits, &result))
        return;
    uint64_t most = limits.nodes + each * (uint64_t)(t->threads + 1);
    if (result.counters.nodes > most)
        complain(t, "%llu nodes, asked for %llu", (unsigned long long)result.counters.nodes,
                 (unsigned long long)limits.nodes);
    if (result.stopped ? result.counters.nodes < limits.nodes : !may_end_alone(t, &result))
        complain(t, "ended after %llu of %llu nodes at depth %d, %s",
                 (unsigned long long)result.counters.nodes, (unsigned long long)limits.nodes, result.depth,
                 result.stopped ? "stopped" : "not stopped");
}

static void keeps_to_the_depth(struct trial *t)
{
    struct mp_limits limits = ordinary(t);
    struct mp_result result = {MP_SIZE(struct mp_result)};
    open_tight(t);
    for (int i = 0; i < 2; i++) {
        if (!t->c->samples)
            limits.depth = i ? t->truth->depth : 1 + below(t, t->truth->depth);
        run_to_the_end(t, limits, "a limit of depth");
    }
    /* More time than anybody has is no limit. */
    limits.seconds = 1e10;
    run_to_the_end(t, limits, "1e10 seconds");
    /* The strategy's own depth. */
    if (!t->c->deepens)
        return;
    struct mp_limits own = {MP_SIZE(struct mp_limits), .depth = limits.depth, .nodes = limits.nodes};
    struct mp_error error = {0};
    char keys[40], nodes[40] = "";
    bool horizon = strstr(t->c->own_limit, "hmin");
    if (own.nodes)
        snprintf(nodes, sizeof nodes, ",nodes=%d", (int)own.nodes);
    snprintf(keys, sizeof keys, ",%s=%d%.20s", horizon ? "hmin" : "depth", own.depth - horizon, nodes);
    open_search(t, keys);
    t->report_count = 0;
    if (!mp_search_run(t->search, t->truth->position, note, t, &result, &error)) {
        complain(t, "refused: %s", error.text);
        return;
    }
    judge(t, &own, &result);
    if (!is_complete(t, &own, &result))
        complain(t, "stopped at depth %d, and nothing was to stop it", result.depth);
}

/* The last report of each line, at a depth or, for depth 0, in the last stage; returns how many there are. */
static int lines_at(const struct trial *t, int depth, const struct report *lines[])
{
    int count = 0;
    for (int i = 0; i < t->report_count; i++) {
        const struct report *r = &t->reports[i];
        if (r->bound != 0 || (depth > 0 && r->depth != depth))
            continue;
        /* A stage begins with its first line. */
        if (depth == 0 && r->line == 1)
            count = 0;
        while (count < r->line && count < MP_MAX_LINES)
            lines[++count] = NULL;
        if (r->line >= 1 && r->line <= count)
            lines[r->line] = r;
    }
    return count;
}

static bool judge_line(struct trial *t, const struct mp_limits *limits, int depth,
                       const struct report *const lines[], int line)
{
    const struct report *r = lines[line];
    if (!r) {
        complain(t, "there is no line %d at depth %d", line, depth);
        return false;
    }
    for (int before = 1; before < line; before++)
        if (lines[before]->move == r->move) {
            complain(t, "the same move is in lines %d and %d of depth %d", before, line, depth);
            return false;
        }
    if (!t->c->samples && line > 1 && r->value > lines[line - 1]->value)
        complain(t, "line %d at depth %d is better than the line before: %d and %d", line, depth, r->value,
                 lines[line - 1]->value);
    if (!t->c->exact || depth > t->truth->depth)
        return true;
    mp_value expected = truth_line(t->truth, depth, allowed(limits), line);
    mp_value of_move = truth_of(t->truth, depth, r->move);
    if (r->value != expected || of_move != expected)
        complain(t, "wrong line %d at depth %d: value %d, a move worth %d, expected %d", line, depth,
                 r->value, of_move, expected);
    return true;
}

/* As many lines as asked for, each with another move, the best first; for exact searches the best moves, at
 * every depth. */
static void judge_lines(struct trial *t, const struct mp_limits *limits, const struct mp_result *result)
{
    int wanted = truth_count(t->truth, allowed(limits));
    wanted = limits->lines < wanted ? limits->lines : wanted;
    wanted = MP_MAX_LINES < wanted ? MP_MAX_LINES : wanted;
    bool samples = t->c->samples;
    int last_depth = samples ? 0 : result->depth - result->stopped;
    for (int depth = samples ? 0 : 1; depth <= last_depth; depth++) {
        const struct report *lines[MP_MAX_LINES + 1] = {NULL};
        int count = lines_at(t, depth, lines);
        /* Near the end of the game a search goes there at once. */
        if (count == 0 && depth < last_depth && t->subject->game->endgame)
            continue;
        /* Where all is proven there was no need to look at the rest. */
        if (count > wanted || (count < wanted && !(samples && result->exact && count > 0)))
            complain(t, "there are %d lines at depth %d, expected %d", count, depth, wanted);
        for (int line = 1; line <= count && line <= wanted; line++)
            if (!judge_line(t, limits, depth, lines, line))
                return;
        bool last = depth == last_depth && (samples || !result->stopped);
        if (last && count > 0 && (lines[1]->move != result->move || lines[1]->value != result->value))
            complain(t, "the result is not line 1: %llx with %d, and %llx with %d",
                     (unsigned long long)result->move, result->value, (unsigned long long)lines[1]->move,
                     lines[1]->value);
    }
}

/* A bound holds of its line. */
static void judge_bounds(struct trial *t)
{
    for (int i = 0; i < t->report_count && t->c->exact; i++) {
        const struct report *r = &t->reports[i];
        if (r->bound == 0 || r->depth > t->truth->depth)
            continue;
        mp_value value = truth_line(t->truth, r->depth, (struct some_moves){0}, r->line);
        if (r->bound > 0 ? value < r->value : value > r->value)
            complain(t, "line %d at depth %d is called %s %d, and is %d", r->line, r->depth,
                     r->bound > 0 ? "at least" : "at most", r->value, value);
    }
}

/* Enough for every root move to be tried in every tree. */
static uint64_t nodes_to_see_all(const struct trial *t)
{
    return 4 * (uint64_t)t->truth->count * (uint64_t)t->threads;
}

static void finds_several_lines(struct trial *t)
{
    struct mp_limits limits = ordinary(t);
    struct mp_result result = {MP_SIZE(struct mp_result)};
    limits.lines = 3;
    limits.bounds = below(t, 2);
    open_search(t, "");
    for (int i = 0; i < 2; i++) {
        if (t->c->samples)
            limits.nodes += nodes_to_see_all(t);
        if (!run(t, &limits, &result))
            return;
        judge_lines(t, &limits, &result);
        judge_bounds(t);
        /* And once more lines than there are moves, at a depth that is quickly done. */
        limits.lines = 1000;
        limits.depth = t->c->samples ? 0 : 1;
    }
}

static mp_move random_move(struct trial *t)
{
    return t->truth->moves[below(t, t->truth->count)];
}

static void searches_only_some_moves(struct trial *t)
{
    struct mp_limits limits = ordinary(t);
    struct mp_result result = {MP_SIZE(struct mp_result)};
    mp_move some[4] = {random_move(t), random_move(t)};
    limits.moves = some;
    open_search(t, "");
    limits.move_count = 1 + below(t, 2);
    run_to_the_end(t, limits, "some moves");
    /* The same twice, and more lines than moves. */
    some[2] = some[0];
    some[3] = some[1];
    limits.move_count = 4;
    limits.lines = 3;
    if (run(t, &limits, &result))
        judge_lines(t, &limits, &result);
    limits.lines = 0;
    /* What was left out is not lost. */
    for (int i = 0; i < 3; i++) {
        some[0] = random_move(t);
        limits.move_count = 1;
        run_to_the_end(t, limits, "one move after another");
    }
    limits.move_count = 0;
    run_to_the_end(t, limits, "all moves after some");
    limits.lines = t->truth->count < MP_MAX_LINES ? t->truth->count : MP_MAX_LINES;
    if (t->c->samples)
        limits.nodes += nodes_to_see_all(t);
    else
        limits.depth = 1;
    if (run(t, &limits, &result))
        judge_lines(t, &limits, &result);
}

/* A search that takes longer than the test, if nobody stops it. */
static struct mp_limits endless(const struct trial *t)
{
    return (struct mp_limits){MP_SIZE(struct mp_limits), .seconds = GUARD_SECONDS,
                              .depth = t->c->samples ? 0 : MP_MAX_DEPTH};
}

static void obeys_a_stop_before(struct trial *t)
{
    struct mp_limits limits = endless(t);
    struct mp_result result = {MP_SIZE(struct mp_result)};
    open_search(t, "");
    for (int i = 0; i < 2; i++) {
        mp_search_stop(t->search);
        if (run(t, &limits, &result) && !result.stopped && !may_end_alone(t, &result))
            complain(t, "not stopped by a stop before the run, depth %d", result.depth);
        if (result.stopped && result.depth > 1 && !t->c->samples)
            complain(t, "not stopped at once: depth %d after %llu nodes", result.depth,
                     (unsigned long long)result.counters.nodes);
        run_to_the_end(t, ordinary(t), "after a stop before a run");
    }
    mp_search_stop(t->search);
    mp_search_clear_stop(t->search);
    run_to_the_end(t, ordinary(t), "after a stop that was taken back");
}

struct order {
    struct mp_search *search;
    unsigned delay_us;
};

static void *stop_later(void *argument)
{
    const struct order *order = argument;
    usleep(order->delay_us);
    mp_search_stop(order->search);
    return NULL;
}

static void obeys_a_stop_during(struct trial *t)
{
    struct mp_limits limits = endless(t);
    struct mp_result result = {MP_SIZE(struct mp_result)};
    open_search(t, "");
    struct order order = {t->search, (unsigned)below(t, 3000)};
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, stop_later, &order), 0);
    bool ran = run(t, &limits, &result);
    pthread_join(thread, NULL);
    if (ran && result.seconds >= GUARD_SECONDS)
        complain(t, "a stop during the run was not obeyed for %d s", GUARD_SECONDS);
    if (ran && !result.stopped && !may_end_alone(t, &result))
        complain(t, "ended at depth %d before the stop", result.depth);
    /* The run has taken the stop back, unless it was over before. */
    if (!ran || !result.stopped)
        mp_search_clear_stop(t->search);
    run_to_the_end(t, ordinary(t), "after a stop during a run");
}

/* A run that should be refused, and an ordinary one after it. */
static void expect_refusal(struct trial *t, const struct mp_position *position, struct mp_limits limits,
                           const char *what, const char *named)
{
    struct mp_error error = {0};
    struct mp_result result = {MP_SIZE(struct mp_result)};
    if (limits.nodes == 0)
        limits.nodes = 500; /* where it is not refused */
    if (mp_search_run_within(t->search, position, &limits, NULL, NULL, &result, &error))
        complain(t, "%s is not refused", what);
    else if (strlen(error.text) < 10 || strchr(error.text, '\n'))
        complain(t, "%s is refused without a sentence: '%s'", what, error.text);
    else if (!strstr(error.text, named))
        complain(t, "%s is refused without a word about %s: '%s'", what, named, error.text);
    run_to_the_end(t, ordinary(t), what);
}

static void refuses_what_cannot_be(struct trial *t)
{
    const struct subject *s = t->subject;
    const struct mp_position *position = t->truth->position;
    open_search(t, "");
    if (s->finished)
        expect_refusal(t, s->finished, ordinary(t), "a finished game", "");
    if (s->chance)
        expect_refusal(t, s->chance, ordinary(t), "a position with dice to be thrown", "");
    /* A stop is taken back by any run that returns. */
    mp_search_stop(t->search);
    if (s->finished || s->chance)
        expect_refusal(t, s->finished ? s->finished : s->chance, ordinary(t), "a refusal after a stop", "");
    mp_search_clear_stop(t->search);
    expect_refusal(t, position, (struct mp_limits){MP_SIZE(struct mp_limits), .depth = -1}, "a depth of -1",
                   "depth");
    expect_refusal(t, position, (struct mp_limits){MP_SIZE(struct mp_limits), .lines = -1}, "-1 lines",
                   "lines");
    expect_refusal(t, position, (struct mp_limits){MP_SIZE(struct mp_limits), .seconds = -1}, "-1 seconds",
                   "seconds");
    expect_refusal(t, position, (struct mp_limits){MP_SIZE(struct mp_limits), .seconds = NAN}, "NaN seconds",
                   "seconds");
    expect_refusal(t, position,
                   (struct mp_limits){MP_SIZE(struct mp_limits), .moves = t->truth->moves, .move_count = -1},
                   "-1 moves", "move_count");
}

static void refuses_illegal_moves(struct trial *t)
{
    const struct mp_position *position = t->truth->position;
    mp_move moves[2] = {t->truth->moves[0], t->truth->moves[0]};
    while (truth_of(t->truth, 1, moves[1]) != -MP_INFINITE)
        moves[1] ^= (mp_move)below(t, 64);
    open_search(t, "");
    expect_refusal(t, position,
                   (struct mp_limits){MP_SIZE(struct mp_limits), .moves = moves, .move_count = 2},
                   "a move that is not legal, after one that is", "");
    expect_refusal(t, position,
                   (struct mp_limits){MP_SIZE(struct mp_limits), .moves = moves + 1, .move_count = 1},
                   "a move that is not legal", "");
}

static void refuses_another_game(struct trial *t)
{
    open_search(t, "");
    const struct mp_position *position = t->subject->foreign->truths[below(t, TRUTHS - 1)]->position;
    expect_refusal(t, position, ordinary(t), "a position of another game", "");
}

static bool is_same(const struct mp_result *a, const struct mp_result *b)
{
    return a->move == b->move && a->value == b->value && a->depth == b->depth &&
           a->counters.nodes == b->counters.nodes && a->counters.iterations == b->counters.iterations;
}

/* One search over all positions, at falling and rising depths. */
static void can_be_used_again(struct trial *t)
{
    const struct truth *first_truth = t->truth;
    struct mp_limits limits = ordinary(t);
    struct mp_result first = {MP_SIZE(struct mp_result)}, again = {MP_SIZE(struct mp_result)};
    open_search(t, "");
    if (!run(t, &limits, &first))
        return;
    for (int i = 0; i < 2 * TRUTHS; i++) {
        const struct truth *truth = t->subject->truths[below(t, TRUTHS)];
        if (!truth)
            continue;
        t->truth = truth;
        limits = ordinary(t);
        run_to_the_end(t, limits, "used again");
        if (!t->c->samples)
            limits.depth = 1 + below(t, truth->depth);
        run_to_the_end(t, limits, "used again at a smaller depth");
        if (below(t, 4) == 0)
            mp_search_forget(t->search);
    }
    t->truth = first_truth;
    limits = ordinary(t);
    run_to_the_end(t, limits, "used again at last");
    mp_search_forget(t->search);
    if (!run(t, &limits, &again))
        return;
    /* Who does what is up to the threads. */
    if (!t->c->splits && !is_same(&first, &again))
        complain(t,
                 "after mp_search_forget: move %llx, value %d, depth %d, %llu nodes; the first run: %llx, "
                 "%d, %d, %llu",
                 (unsigned long long)again.move, again.value, again.depth,
                 (unsigned long long)again.counters.nodes, (unsigned long long)first.move, first.value,
                 first.depth, (unsigned long long)first.counters.nodes);
}

/* ---- All combinations in one situation ------------------------------------------------------------- */

static const struct situation {
    const char *name;
    void (*check)(struct trial *trial);
} situations[] = {
    {"time", keeps_to_the_time},
    {"nodes", keeps_to_the_nodes},
    {"depth", keeps_to_the_depth},
    {"lines", finds_several_lines},
    {"moves", searches_only_some_moves},
    {"stop before", obeys_a_stop_before},
    {"stop during", obeys_a_stop_during},
    {"again", can_be_used_again},
    {"refusal", refuses_what_cannot_be},
    {"illegal moves", refuses_illegal_moves},
    {"another game", refuses_another_game},
};
enum { SITUATIONS = sizeof situations / sizeof *situations };

/* Returns whether it has a fault. */
static bool try_one(struct subject *s, const struct situation *situation, const struct combination *c,
                    const struct truth *truth, uint64_t seed, struct faults *faults)
{
    int before = faults->count;
    struct trial *t = calloc(1, sizeof *t);
    assert_non_null(t);
    *t = (struct trial){.subject = s, .situation = situation->name, .c = c, .truth = truth, .stream = seed};
    t->faults = faults;
    t->threads = thread_counts[s->turn++ % THREAD_COUNTS];
    situation->check(t);
    mp_search_free(t->search);
    free(t);
    return faults->count > before;
}

struct cell {
    struct subject *subject;
    int situation;
};

static void holds(void **state)
{
    const struct cell *cell = *state;
    struct subject *s = cell->subject;
    const struct situation *situation = &situations[cell->situation];
    struct faults faults = {0};
    int faulty = 0, trials = 0;
    int64_t start = clock_ns();
    for (int number = 0; number < positions_each; number++) {
        if (positions_each > 1)
            find_positions(s, number);
        for (int i = 0; i < s->all.count; i++) {
            if ((i + cell->situation) % share != 0)
                continue;
            int turn = i + cell->situation + number;
            const struct truth *truth = s->truths[turn % TRUTHS];
            faulty += try_one(s, situation, &s->all.list[i], truth ? truth : s->truths[0],
                              random_at((uint64_t)turn, (uint64_t)cell->situation), &faults);
            trials++;
        }
    }
    assert_true(trials > 0);
    print_message("%s, %s: %d trials (%.1f s)\n", short_name(s->name), situation->name, trials,
                  clock_seconds_since(start));
    faults_tell(&faults);
    if (faults.count)
        fail_msg("%s, %s: %d faults, in %d of %d trials", short_name(s->name), situation->name, faults.count,
                 faulty, trials);
}

/* ---- Matches --------------------------------------------------------------------------------------- */

/* The end of a game of a match is worth what it does to the chance of winning the match. */
static const struct match {
    const char *game, *position;
} matches[] = {
    {"backgammon:match=7", "XGID=-A----A-----------------a-:0:0:1:21:0:0:0:7:10"},
    {"backgammon:match=7", "XGID=-A----A-----------------a-:0:0:1:21:3:5:0:7:10"},
    {"backgammon:match=7", "XGID=-A----A-----------------a-:1:1:1:21:2:5:0:7:10"},
    {"backgammon:match=7", "XGID=-B-A-------------------b--:0:0:1:31:6:0:1:7:10"},
    {"backgammon:match=7", "XGID=-B----------------o-------:0:0:1:11:4:4:0:7:10"}, /* a gammon */
    {"backgammon:match=5,cube=on", "XGID=-A----A-----------------a-:1:-1:1:21:1:2:0:5:10"},
    {"backgammon", "XGID=-A----A-----------------a-:0:0:1:21:0:0:0:0:10"}, /* for money */
};
enum { MATCHES = sizeof matches / sizeof *matches };

static void values_the_end(struct trial *t)
{
    struct mp_limits limits = ordinary(t);
    if (t->c->samples)
        limits.nodes = 60000;
    open_search(t, "");
    run_to_the_end(t, limits, "the end of a game");
}

static void values_the_end_of_a_match(void **state)
{
    const struct match *match = *state;
    static const struct situation situation = {"match", values_the_end};
    struct mp_error error = {0};
    struct subject s;
    struct faults faults = {0};
    open_subject(&s, match->game);
    struct mp_position *position = mp_position_new(s.game, match->position, &error);
    if (!position)
        fail_msg("%s: %s", match->position, error.text);
    struct truth *truth = truth_new(s.game, s.game->evaluations, position, 20 * MOST_LEAVES, MOST_DEPTH);
    assert_true(truth_is_whole(truth));
    for (int i = 0; i < s.all.count; i++)
        if (i % share == 0)
            try_one(&s, &situation, &s.all.list[i], truth, (uint64_t)i, &faults);
    int proven = s.proven;
    truth_free(truth);
    close_subject(&s);
    faults_tell(&faults);
    if (faults.count || (proven == 0 && share == 1))
        fail_msg("%s on %s: %d faults, %d proven values", match->position, match->game, faults.count, proven);
}

/* What a game accepts and what was found in it, so that nothing is lost unseen. */
static void accepts_what_it_should(void **state)
{
    const struct subject *s = *state;
    enum { WITHOUT_DICE = 97, WITH_DICE = 112, NOISY_TOO = 18 };
    int expected = (s->game->chances ? WITH_DICE : WITHOUT_DICE) +
                   (s->game->selective->list_noisy ? NOISY_TOO : 0);
    if (s->all.count != expected)
        fail_msg("%s accepts %d combinations of algorithm and scheme, and refuses %d, expected %d and %d: if "
                 "an algorithm or a scheme was added, the numbers are here",
                 short_name(s->name), s->all.count, s->all.refused, expected,
                 s->all.count + s->all.refused - expected);
    assert_non_null(s->finished);
    assert_int_equal(s->chance != NULL, s->game->chances != NULL);
    for (int i = 0; i < TRUTHS - 1; i++)
        assert_true(s->truths[i]->count > 1 && s->truths[i]->depth > 1);
}

/* The subject whose game has another name, the next in the list. */
static void find_foreign(struct subject *subjects, int count)
{
    for (int i = 0; i < count; i++) {
        int other = (i + 1) % count;
        while (!strcmp(subjects[other].game->name, subjects[i].game->name))
            other = (other + 1) % count;
        subjects[i].foreign = &subjects[other];
    }
}

enum { MOST_SUBJECTS = 32, MOST_TESTS = MOST_SUBJECTS * (SITUATIONS + 1) + MATCHES };

static void add_test(struct CMUnitTest *test, const struct subject *s, const char *what,
                     void (*function)(void **state), void *state)
{
    char name[100];
    snprintf(name, sizeof name, "%s: %s", short_name(s->name), what);
    *test = (struct CMUnitTest){strdup(name), function, NULL, NULL, state};
}

int main(int argc, char **argv)
{
    static struct subject subjects[MOST_SUBJECTS];
    static struct cell cells[MOST_TESTS];
    static struct CMUnitTest tests[MOST_TESTS];
    size_t count = 0;
    int subject_count = 0;
    positions_each = argc > 1 ? atoi(argv[1]) : 1;
    share = argc > 2 ? atoi(argv[2]) : 1;
    if (argc > 3)
        cmocka_set_test_filter(argv[3]);
    for (const char *const *name = subjects_names(); *name && subject_count < MOST_SUBJECTS; name++) {
        struct subject *s = &subjects[subject_count++];
        open_with_positions(s, *name);
        add_test(&tests[count++], s, "combinations", accepts_what_it_should, s);
    }
    find_foreign(subjects, subject_count);
    for (int i = 0; i < MATCHES; i++, count++)
        tests[count] = (struct CMUnitTest){strdup(matches[i].position), values_the_end_of_a_match, NULL, NULL,
                                           (void *)&matches[i]};
    for (int i = 0; i < SITUATIONS; i++)
        for (int k = 0; k < subject_count; k++, count++) {
            cells[count] = (struct cell){&subjects[k], i};
            add_test(&tests[count], &subjects[k], situations[i].name, holds, &cells[count]);
        }
    int failed = _cmocka_run_group_tests("matrix", tests, count, NULL, NULL);
    for (int i = 0; i < subject_count; i++)
        close_subject(&subjects[i]);
    for (size_t i = 0; i < count; i++)
        free((char *)tests[i].name);
    return failed;
}
