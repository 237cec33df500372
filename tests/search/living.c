/* living.c - searches that live on are as exact as new ones: what they have learned in one position, at one
 * depth, with some of the moves or before a stop must not answer for another.
 *
 *     living [POSITIONS [TESTS]]
 *
 * POSITIONS of each game, 20 by default, and only tests with such a name, as in 'halma*'. One object of each
 * strategy of tests/support/strategies.c goes through all of them, and all that it finishes is compared with
 * plain minimax. */
#include "tests/support/faults.h"
#include "tests/support/strategies.h"
#include "tests/support/subjects.h"
#include "tests/support/test.h"
#include "tests/support/verdict.h"

#include "base/clock.h"
#include "base/random.h"
#include "search/random_evaluation.h"

#include <pthread.h>
#include <unistd.h>

enum {
    MOST_LEAVES = 2000,
    MOST_DEPTH = 8,
    MOST_PLIES = 80,
    MOST_OBJECTS = 64,
    MOST_EVALUATIONS = 16,
    TEXT = 4096,
    RANDOM_SEED = 1,
    GUARD_SECONDS = 20, /* a search that should have been stopped long ago */
};

static int position_count = 20;
static const int thread_counts[] = {1, 2, 3, 8};
enum { THREAD_COUNTS = sizeof thread_counts / sizeof *thread_counts };

/* ---- Objects --------------------------------------------------------------------------------------- */

struct object {
    char text[500];
    struct mp_search *search;
    int evaluation; /* of the subject */
};

struct subject {
    struct mp_game *game;
    struct random_evaluation random;
    const struct mp_evaluation *evaluations[MOST_EVALUATIONS]; /* the game's, and then the random one */
    int evaluation_count;
    struct object objects[MOST_OBJECTS];
    int object_count;
    struct truth *truths[MOST_EVALUATIONS]; /* of the position, where they were asked for */
    uint64_t stream;
    uint64_t compared, stopped, twins;
    struct faults faults;
};

/* Every other object has the random evaluation, the rest the game's in turn. */
static void open_objects(struct subject *s, int turn)
{
    int random = s->evaluation_count - 1;
    for (int i = 0; exact_strategies[i]; i++) {
        if (!strategy_suits(exact_strategies[i], s->game))
            continue;
        assert_true(s->object_count < MOST_OBJECTS);
        struct object *o = &s->objects[s->object_count++];
        struct mp_error error = {0};
        char filled[400];
        o->evaluation = (i + i / THREAD_COUNTS + turn) % 2 ? random : i / 2 % random;
        strategy_fill_in(exact_strategies[i], thread_counts[(i + turn) % THREAD_COUNTS], filled,
                         sizeof filled);
        if (o->evaluation == random)
            snprintf(o->text, sizeof o->text, "%s,eval=random:%d", filled, RANDOM_SEED);
        else
            snprintf(o->text, sizeof o->text, "%s,eval=%s", filled, s->evaluations[o->evaluation]->name);
        o->search = mp_search_new(s->game, o->text, &error);
        if (!o->search)
            fail_msg("%s: %s", o->text, error.text);
    }
}

static void open_subject(struct subject *s, const char *name, int turn)
{
    struct mp_error error = {0};
    s->game = mp_game_open(name, &error);
    if (!s->game)
        fail_msg("%s", error.text);
    s->random = random_evaluation(RANDOM_SEED);
    while (s->game->evaluations[s->evaluation_count].name) {
        s->evaluations[s->evaluation_count] = &s->game->evaluations[s->evaluation_count];
        s->evaluation_count++;
        assert_true(s->evaluation_count < MOST_EVALUATIONS);
    }
    s->evaluations[s->evaluation_count++] = &s->random.evaluation;
    open_objects(s, turn);
}

static void close_subject(struct subject *s)
{
    for (int i = 0; i < s->object_count; i++)
        mp_search_free(s->objects[i].search);
    mp_game_close(s->game);
}

static const struct truth *truth_for(struct subject *s, const struct object *o,
                                     const struct mp_position *position)
{
    struct truth **truth = &s->truths[o->evaluation];
    if (!*truth)
        *truth = truth_new(s->game, s->evaluations[o->evaluation], mp_position_copy(position, NULL),
                           MOST_LEAVES, MOST_DEPTH);
    return *truth;
}

static void forget_truths(struct subject *s)
{
    for (int i = 0; i < s->evaluation_count; i++) {
        truth_free(s->truths[i]);
        s->truths[i] = NULL;
    }
}

static int below(struct subject *s, int bound)
{
    return (int)random_below(random_next(&s->stream), (uint32_t)bound);
}

/* ---- Runs ------------------------------------------------------------------------------------------ */

struct lines {
    int depth, count;
    mp_move moves[MP_MAX_LINES];
    mp_value values[MP_MAX_LINES];
};

static void note_line(const struct mp_result *so_far, void *context)
{
    struct lines *lines = context;
    if (so_far->line == 1)
        *lines = (struct lines){.depth = so_far->depth};
    if (lines->count < MP_MAX_LINES) {
        lines->moves[lines->count] = so_far->move;
        lines->values[lines->count++] = so_far->value;
    }
}

static bool lines_are_right(const struct truth *truth, const struct mp_limits *limits,
                            const struct mp_result *result, const struct lines *lines, struct mp_error *error)
{
    int wanted = limits->lines < truth->count ? limits->lines : truth->count;
    if (result->stopped || wanted <= 1)
        return true;
    if (lines->count != wanted)
        return mp_fail(error, "there are %d lines, expected %d", lines->count, wanted);
    for (int i = 0; i < wanted; i++) {
        mp_value expected = truth_line(truth, lines->depth, (struct some_moves){0}, i + 1);
        if (lines->values[i] != expected || truth_of(truth, lines->depth, lines->moves[i]) != expected)
            return mp_fail(error, "wrong line %d at depth %d: value %d, a move worth %d, expected %d", i + 1,
                           lines->depth, lines->values[i], truth_of(truth, lines->depth, lines->moves[i]),
                           expected);
    }
    return true;
}

static void run(struct subject *s, const struct object *o, const struct truth *truth,
                const struct mp_limits *limits, struct mp_result *result, const char *what)
{
    struct mp_error error = {0};
    struct lines lines = {0};
    char tried[800];
    *result = (struct mp_result){MP_SIZE(struct mp_result)};
    bool ok = mp_search_run_within(o->search, truth->position, limits, note_line, &lines, result, &error) &&
              verdict_sound(truth, limits, result, &error) && verdict_exact(truth, limits, result, &error) &&
              lines_are_right(truth, limits, result, &lines, &error);
    if (ok && !limits->nodes && limits->depth <= truth->depth && result->stopped)
        ok = mp_fail(&error, "stopped, and nothing was to stop it");
    s->compared += result->depth > 0 && result->depth <= truth->depth;
    s->stopped += result->stopped;
    if (ok)
        return;
    snprintf(tried, sizeof tried, "%s, %s, %s", s->game->name, o->text, what);
    faults_add(&s->faults, s->game, truth->position, tried, error.text);
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

static void run_and_stop(struct subject *s, const struct object *o, const struct truth *truth)
{
    struct mp_limits limits = {MP_SIZE(struct mp_limits), .depth = MP_MAX_DEPTH, .seconds = GUARD_SECONDS};
    struct order order = {o->search, (unsigned)below(s, 1000)};
    struct mp_result result = {MP_SIZE(struct mp_result)};
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, stop_later, &order), 0);
    run(s, o, truth, &limits, &result, "stopped by another thread");
    pthread_join(thread, NULL);
    assert_true(result.seconds < GUARD_SECONDS);
    if (!result.stopped)
        mp_search_clear_stop(o->search);
}

/* Ends somewhere on the way, with what is known of it now or with nothing, and then goes all the way. */
static void run_out_of_nodes(struct subject *s, const struct object *o, const struct truth *truth)
{
    enum { TIMES = 3 };
    struct mp_limits limits = {MP_SIZE(struct mp_limits), .depth = truth->depth};
    struct mp_result result = {MP_SIZE(struct mp_result)};
    run(s, o, truth, &limits, &result, "before it runs out of nodes");
    for (int i = 0; i < TIMES; i++) {
        if (i > 0)
            mp_search_forget(o->search);
        limits.nodes = 1 + (uint64_t)below(s, (int)result.counters.nodes + 1);
        run(s, o, truth, &limits, &result, "out of nodes");
        limits.nodes = 0;
        run(s, o, truth, &limits, &result, "after it ran out of nodes");
    }
}

/* Plays this many random moves; false: there were not that many, or dice are to be thrown. */
static bool play_on(struct subject *s, struct mp_position *position, int plies)
{
    mp_move moves[REFERENCE_MOST_MOVES];
    for (int ply = 0; ply <= plies; ply++) {
        if (mp_position_is_chance(position) || subjects_is_over(position))
            return false;
        int count = mp_position_moves(position, moves, NULL, REFERENCE_MOST_MOVES);
        if (ply < plies)
            assert_true(mp_position_play(position, moves[below(s, count)], NULL));
    }
    return true;
}

/* Searches only one move of positions some plies below, as deep as they will be searched from above: what is
 * known then is not their value. */
static void run_below(struct subject *s, const struct object *o, const struct truth *truth)
{
    enum { TIMES = 10, MOST_BELOW = 3 };
    for (int i = 0; i < TIMES; i++) {
        int plies = 1 + below(s, MOST_BELOW);
        struct mp_position *position = mp_position_copy(truth->position, NULL);
        if (truth->depth > plies && play_on(s, position, plies)) {
            mp_move moves[REFERENCE_MOST_MOVES];
            int count = mp_position_moves(position, moves, NULL, REFERENCE_MOST_MOVES);
            mp_move *only = &moves[below(s, count)];
            struct mp_limits limits = {MP_SIZE(struct mp_limits), .depth = truth->depth - plies,
                                       .moves = only, .move_count = 1};
            struct mp_result result = {MP_SIZE(struct mp_result)};
            assert_true(mp_search_run_within(o->search, position, &limits, NULL, NULL, &result, NULL));
            assert_int_equal(result.move, *only);
        }
        mp_position_free(position);
    }
}

enum { WHOLE, FALLING, SOME, LINES, FEW_NODES, BELOW, STOPPED, RUNS };

/* One kind of run. */
static void run_one(struct subject *s, const struct object *o, const struct truth *truth, int kind)
{
    struct mp_limits limits = {MP_SIZE(struct mp_limits), .depth = truth->depth};
    struct mp_result result = {MP_SIZE(struct mp_result)};
    mp_move some[3];
    switch (kind) {
    case WHOLE:
        run(s, o, truth, &limits, &result, "as deep as is known");
        break;
    case FALLING:
        limits.depth = 1 + below(s, truth->depth);
        run(s, o, truth, &limits, &result, "less deep");
        break;
    case SOME:
        limits.depth = 1 + below(s, truth->depth);
        limits.moves = some;
        limits.move_count = 1 + below(s, 3);
        for (int i = 0; i < limits.move_count; i++)
            some[i] = truth->moves[below(s, truth->count)];
        run(s, o, truth, &limits, &result, "some moves");
        break;
    case LINES:
        limits.depth = 1 + below(s, truth->depth);
        limits.lines = 2 + below(s, 3);
        run(s, o, truth, &limits, &result, "several lines");
        break;
    case FEW_NODES:
        run_out_of_nodes(s, o, truth);
        break;
    case BELOW:
        run_below(s, o, truth);
        run(s, o, truth, &limits, &result, "after some moves of the positions below");
        break;
    default:
        /* Takes a moment, so not each time. */
        if (below(s, 8) == 0)
            run_and_stop(s, o, truth);
    }
}

/* All kinds in random order, then once more as deep as is known and less deep. */
static void run_all(struct subject *s, const struct object *o, const struct truth *truth)
{
    int order[RUNS];
    for (int i = 0; i < RUNS; i++) {
        int place = below(s, i + 1);
        order[i] = order[place];
        order[place] = i;
    }
    for (int i = 0; i < RUNS; i++)
        run_one(s, o, truth, order[i]);
    if (below(s, 4) == 0)
        mp_search_forget(o->search);
    run_one(s, o, truth, WHOLE);
    run_one(s, o, truth, FALLING);
}

/* ---- Near twins ------------------------------------------------------------------------------------ */

/* A position that can be searched; null: the text is not one. */
static struct mp_position *searchable(const struct mp_game *game, const char *text)
{
    struct mp_position *position = mp_position_new(game, text, NULL);
    if (position && !mp_position_is_chance(position) && !subjects_is_over(position))
        return position;
    mp_position_free(position);
    return NULL;
}

/* The other side is to move: in most notations that is a word of one letter. */
static void turn_over(char *text)
{
    static const char *const sides[] = {" w", " b", " X", " O"};
    for (int i = 0; i < 4; i++) {
        char *found = strstr(text, sides[i]);
        if (found && (found[2] == ' ' || !found[2])) {
            found[1] = sides[i ^ 1][1];
            return;
        }
    }
}

/* A position whose text differs in a character or two, and perhaps in the side to move; null: none found. */
static struct mp_position *near_twin(struct subject *s, const struct mp_position *position)
{
    enum { ATTEMPTS = 40 };
    char text[TEXT], twin[TEXT];
    int length = s->game->print_position(s->game, mp_position_state(position), text, sizeof text);
    assert_true(length > 0 && length < TEXT);
    for (int i = 0; i < ATTEMPTS; i++) {
        int to = below(s, length), from = below(s, length);
        strcpy(twin, text);
        twin[to] = text[from];
        if (below(s, 2))
            twin[from] = text[to];
        if (below(s, 2))
            turn_over(twin);
        struct mp_position *found = strcmp(twin, text) ? searchable(s->game, twin) : NULL;
        if (found)
            return found;
    }
    return NULL;
}

/* One after the other, and back again, by all that have a table. */
static void search_twins(struct subject *s, const struct mp_position *position, struct mp_position *twin)
{
    if (!twin)
        return;
    for (int e = 0; e < s->evaluation_count; e++) {
        struct truth *pair[2] = {
            truth_new(s->game, s->evaluations[e], mp_position_copy(position, NULL), MOST_LEAVES, MOST_DEPTH),
            truth_new(s->game, s->evaluations[e], mp_position_copy(twin, NULL), MOST_LEAVES, MOST_DEPTH)};
        int depth = pair[0]->depth < pair[1]->depth ? pair[0]->depth : pair[1]->depth;
        struct mp_limits limits = {MP_SIZE(struct mp_limits), .depth = depth};
        for (int i = 0; i < s->object_count; i++) {
            struct mp_result result = {MP_SIZE(struct mp_result)};
            if (s->objects[i].evaluation != e || !strstr(s->objects[i].text, "hash=1"))
                continue;
            for (int k = 0; k < 3; k++)
                run(s, &s->objects[i], pair[k % 2], &limits, &result, "a near twin");
        }
        truth_free(pair[0]);
        truth_free(pair[1]);
    }
    s->twins++;
    mp_position_free(twin);
}

/* ---- Othello --------------------------------------------------------------------------------------- */

/* The same with the colours exchanged, and one disc more of the side to move on a1: its discs as a number are
 * then one more, as if the number of the side had been added to them. Null: there is none. */
static struct mp_position *othello_twin(const struct mp_game *game, const struct mp_position *position)
{
    char text[TEXT];
    game->print_position(game, mp_position_state(position), text, sizeof text);
    const char *side = strrchr(text, ' ') + 1;
    if (text[0] != '-' || *side != 'O')
        return NULL;
    for (char *c = text; *c; c++)
        *c = *c == 'X' ? 'O' : *c == 'O' ? 'X' : *c;
    text[0] = 'X';
    return searchable(game, text);
}

static bool is_exact(struct mp_search *search, const struct truth *truth, int depth, struct faults *faults,
                     const struct mp_game *game)
{
    struct mp_limits limits = {MP_SIZE(struct mp_limits), .depth = depth};
    struct mp_error error = {0};
    struct mp_result result = {MP_SIZE(struct mp_result)};
    if (mp_search_run_within(search, truth->position, &limits, NULL, NULL, &result, &error) &&
        verdict_exact(truth, &limits, &result, &error))
        return true;
    faults_add(faults, game, truth->position, mp_search_strategy(search), error.text);
    return false;
}

/* Twins are searched one after the other by one object, which must not take one for the other. */
static void othello_twins_stay_apart(void **state)
{
    (void)state;
    enum { LEAST_PAIRS = 60, TWIN_LEAVES = 20000, TWIN_PLIES = 50 };
    static const char *const strategies[] = {"pvs,hash=1", "pvs,hash=1,split=ybwc,eager=on,threads=2",
                                             "pvs,hash=1,split=abdada,eager=on,threads=3",
                                             "pvs,hash=1,split=lazy,eager=on,threads=2", "star2,hash=1"};
    enum { STRATEGIES = sizeof strategies / sizeof *strategies };
    struct mp_game *game = mp_game_open("othello", NULL);
    struct mp_search *searches[STRATEGIES];
    for (int i = 0; i < STRATEGIES; i++)
        searches[i] = mp_search_new(game, strategies[i], NULL);
    struct faults faults = {0};
    int pairs = 0, wrong = 0, wanted = position_count > LEAST_PAIRS ? position_count : LEAST_PAIRS;
    for (uint64_t seed = 0; pairs < wanted; seed++) {
        struct mp_position *position = subjects_position(game, seed, TWIN_PLIES);
        struct mp_position *twin = othello_twin(game, position);
        if (!twin) {
            mp_position_free(position);
            continue;
        }
        struct truth *a = truth_new(game, game->evaluations, position, TWIN_LEAVES, MOST_DEPTH);
        struct truth *b = truth_new(game, game->evaluations, twin, TWIN_LEAVES, MOST_DEPTH);
        int depth = a->depth < b->depth ? a->depth : b->depth;
        struct mp_search *search = searches[pairs % STRATEGIES];
        bool ok = is_exact(search, a, depth, &faults, game);
        ok = is_exact(search, b, depth, &faults, game) && ok;
        ok = is_exact(search, a, depth, &faults, game) && ok;
        pairs++;
        wrong += !ok;
        truth_free(a);
        truth_free(b);
    }
    for (int i = 0; i < STRATEGIES; i++)
        mp_search_free(searches[i]);
    mp_game_close(game);
    print_message("othello: %d pairs of twins\n", pairs);
    if (wrong)
        fail_msg("%d of %d pairs of twins have a wrong value", wrong, pairs);
}

/* ---- Games ----------------------------------------------------------------------------------------- */

struct task {
    const char *name;
    int turn;
};

static void stays_exact(void **state)
{
    const struct task *task = *state;
    static struct subject subject;
    struct subject *s = &subject;
    *s = (struct subject){.stream = (uint64_t)task->turn};
    open_subject(s, task->name, task->turn);
    int64_t start = clock_ns();
    for (int i = 0; i < position_count; i++) {
        struct mp_position *position = subjects_position(s->game, (uint64_t)i, MOST_PLIES);
        for (int k = 0; k < s->object_count; k++)
            run_all(s, &s->objects[k], truth_for(s, &s->objects[k], position));
        search_twins(s, position, near_twin(s, position));
        forget_truths(s);
        mp_position_free(position);
    }
    print_message("%s: %d positions, %d objects, %llu searches compared with minimax, %llu stopped, %llu "
                  "pairs of twins (%.1f s)\n",
                  s->game->name, position_count, s->object_count, (unsigned long long)s->compared,
                  (unsigned long long)s->stopped, (unsigned long long)s->twins, clock_seconds_since(start));
    faults_tell(&s->faults);
    bool enough = s->compared > (uint64_t)(5 * position_count * s->object_count);
    close_subject(s);
    if (s->faults.count)
        fail_msg("%s: %d faults", task->name, s->faults.count);
    assert_true(enough);
}

int main(int argc, char **argv)
{
    enum { MOST = 64 };
    static struct CMUnitTest tests[MOST];
    static struct task tasks[MOST];
    size_t count = 0;
    if (argc > 1)
        position_count = atoi(argv[1]);
    if (argc > 2)
        cmocka_set_test_filter(argv[2]);
    for (const char *const *name = subjects_names(); *name && count < MOST - 1; name++, count++) {
        tasks[count] = (struct task){*name, (int)count};
        tests[count] = (struct CMUnitTest){*name, stays_exact, NULL, NULL, &tasks[count]};
    }
    tests[count++] = (struct CMUnitTest)cmocka_unit_test(othello_twins_stay_apart);
    return _cmocka_run_group_tests("living", tests, count, NULL, NULL);
}
