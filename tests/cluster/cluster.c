/* cluster.c - what manyply-mpi rests on, without MPI: the ledger whatever is left of its file, and the top of a tree whose
 * leaves are searched in any order, with windows that change, by ranks that are killed; and the hand, whose jobs are
 * stopped at any moment. */
#include "cluster/hand.h"
#include "cluster/ledger.h"
#include "cluster/tree.h"

#include "base/random.h"
#include "engine/engine.h"
#include "tests/support/reference.h"
#include "tests/support/subjects.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <limits.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static int positions = 30; /* of each game */

/* ---- The ledger ---------------------------------------------------------------------------------------- */

static char path[64];

static int make_path(void **state)
{
    (void)state;
    snprintf(path, sizeof path, "/tmp/manyply-ledger-XXXXXX");
    int fd = mkstemp(path);
    close(fd);
    return fd < 0;
}

static int remove_path(void **state)
{
    (void)state;
    return unlink(path);
}

static size_t read_bytes(char *bytes, size_t size)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size = fread(bytes, 1, size, file);
    fclose(file);
    return size;
}

static void write_bytes(const char *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

enum { RECORDS = 100 };

static void write_ledger(void)
{
    struct mp_error error = {0};
    char key[32], value[32];
    write_bytes("", 0);
    struct ledger *ledger = ledger_open(path, "count sheep", &error);
    assert_non_null(ledger);
    for (int i = 0; i < RECORDS; i++) {
        snprintf(key, sizeof key, "sheep %d", i % (RECORDS / 2));
        snprintf(value, sizeof value, "%d", i);
        assert_true(ledger_add(ledger, key, value, &error));
    }
    ledger_close(ledger);
}

static void records_are_kept(void **state)
{
    (void)state;
    struct mp_error error = {0};
    write_ledger();
    struct ledger *ledger = ledger_open(path, "count sheep", &error);
    assert_non_null(ledger);
    assert_int_equal(ledger_found(ledger), RECORDS / 2);
    for (int i = 0; i < RECORDS / 2; i++) {
        char key[32], value[32];
        snprintf(key, sizeof key, "sheep %d", i);
        snprintf(value, sizeof value, "%d", i + RECORDS / 2); /* the last counts */
        assert_string_equal(ledger_find(ledger, key), value);
    }
    assert_null(ledger_find(ledger, "goat 1"));
    ledger_close(ledger);
    ledger = ledger_open(NULL, "nothing on disk", &error);
    assert_null(ledger_find(ledger, "sheep 1"));
    assert_true(ledger_add(ledger, "sheep 1", "one", &error));
    assert_string_equal(ledger_find(ledger, "sheep 1"), "one");
    ledger_close(ledger);
}

/* Cut at every byte: all lines that are whole are there, and it can be gone on with. */
static void torn_ledgers_go_on(void **state)
{
    (void)state;
    char bytes[16384];
    write_ledger();
    size_t size = read_bytes(bytes, sizeof bytes);
    for (size_t cut = 0; cut <= size; cut += cut < 200 ? 1 : 7) {
        struct mp_error error = {0};
        int lines = 0;
        char last[32];
        for (size_t i = 0; i < cut; i++)
            lines += bytes[i] == '\n';
        write_bytes(bytes, cut);
        struct ledger *ledger = ledger_open(path, "count sheep", &error);
        if (!ledger)
            fail_msg("cut at %zu: %s", cut, error.text);
        int kept = lines > 0 ? lines - 1 : 0;
        assert_int_equal(ledger_found(ledger), kept < RECORDS / 2 ? kept : RECORDS / 2);
        assert_true(ledger_add(ledger, "after", "the cut", &error));
        ledger_close(ledger);
        ledger = ledger_open(path, "count sheep", &error);
        assert_non_null(ledger);
        assert_string_equal(ledger_find(ledger, "after"), "the cut");
        if (kept > 0) {
            snprintf(last, sizeof last, "sheep %d", (kept - 1) % (RECORDS / 2));
            assert_non_null(ledger_find(ledger, last));
        }
        ledger_close(ledger);
    }
}

static void refuse(const char *job, const char *expected)
{
    struct mp_error error = {0};
    char before[16384], after[16384];
    size_t size = read_bytes(before, sizeof before);
    struct ledger *ledger = ledger_open(path, job, &error);
    assert_null(ledger);
    if (!strstr(error.text, expected))
        fail_msg("'%s', expected it to say '%s'", error.text, expected);
    assert_int_equal(read_bytes(after, sizeof after), size); /* and it is left as it was */
    assert_memory_equal(before, after, size);
}

static void other_files_are_refused(void **state)
{
    (void)state;
    char bytes[16384];
    write_ledger();
    size_t size = read_bytes(bytes, sizeof bytes);
    refuse("count goats", "ledger of another job: count sheep; expected count goats");
    bytes[size / 2] ^= 1;
    write_bytes(bytes, size);
    refuse("count sheep", "is damaged");
    write_bytes("dear diary", 10);
    refuse("count sheep", "is no ledger");
    write_bytes("dear diary\nall is well\n", 23);
    refuse("count sheep", "line 1 is damaged or not of a ledger");
}

/* ---- The tree ------------------------------------------------------------------------------------------ */

enum { MOST_JOBS = 4, MOST_FACTS = 4096 };

/* What has been found out, which outlives the tree. */
struct fact {
    mp_move path[TREE_PATH];
    int length, depth;
    bool is_large;
    mp_value low, high;
};

struct ranks {
    struct tree *tree;
    struct mp_search *search;
    const struct mp_position *position;
    uint64_t random;
    struct fact facts[MOST_FACTS];
    int fact_count;
    int jobs[MOST_JOBS], job_count;
    int cancelled, told;
};

static void recall(void *context, const mp_move *moves, int length, struct tree_node *leaf)
{
    const struct ranks *r = context;
    for (int i = 0; i < r->fact_count; i++) {
        const struct fact *f = &r->facts[i];
        if (f->depth != leaf->depth || f->length != length ||
            memcmp(f->path, moves, (size_t)length * sizeof *moves) != 0)
            continue;
        leaf->is_large = f->is_large;
        leaf->low = f->low > leaf->low ? f->low : leaf->low;
        leaf->high = f->high < leaf->high ? f->high : leaf->high;
    }
}

static void note(struct ranks *r, int node)
{
    const struct tree_node *n = tree_at(r->tree, node);
    assert_in_range(r->fact_count, 0, MOST_FACTS - 1);
    struct fact *f = &r->facts[r->fact_count++];
    *f = (struct fact){.depth = n->depth, .is_large = n->is_large, .low = n->low, .high = n->high};
    f->length = tree_path(r->tree, node, f->path);
}

static void review(void *context, int node, mp_value alpha, mp_value beta)
{
    struct ranks *r = context;
    struct tree_node *n = tree_at(r->tree, node);
    if (alpha >= beta) {
        r->cancelled++;
        n->job = 0;
        for (int i = 0; i < r->job_count; i++)
            if (r->jobs[i] == node)
                r->jobs[i--] = r->jobs[--r->job_count];
    } else if ((alpha > n->alpha || beta < n->beta) &&
               random_next(&r->random) % 2) { /* else it came too late */
        r->told++;
        n->alpha = alpha;
        n->beta = beta;
    }
}

/* One of the jobs is done. */
static void finish_one(struct ranks *r)
{
    int which = (int)random_below(random_next(&r->random), (uint32_t)r->job_count);
    int node = r->jobs[which];
    struct tree_node *n = tree_at(r->tree, node);
    r->jobs[which] = r->jobs[--r->job_count];
    n->job = 0;
    if (tree_may_grow(r->tree, node) && random_next(&r->random) % 4 == 0) {
        n->is_large = true;
    } else {
        mp_move moves[TREE_PATH];
        struct mp_error error = {0};
        struct mp_result result = {MP_SIZE(struct mp_result)};
        struct mp_position *position = mp_position_copy(r->position, NULL);
        int length = tree_path(r->tree, node, moves);
        for (int i = 0; i < length; i++)
            assert_true(mp_position_play(position, moves[i], NULL));
        mp_value low = n->low, high = n->high;
        assert_true(n->alpha < n->beta && low < high);
        if (!engine_run_window(r->search, position, n->depth, 0, n->alpha, n->beta, &result, &error))
            fail_msg("%s", error.text);
        mp_position_free(position);
        assert_false(result.stopped);
        tree_take(r->tree, node, n->alpha, n->beta, result.value);
        n = tree_at(r->tree, node);
        assert_true(n->low > low || n->high < high); /* each answer tells something */
        assert_true(n->low <= n->high);
    }
    note(r, node);
    tree_review(r->tree, review, r);
}

static void begin(struct ranks *r, int depth, int leaf_depth)
{
    struct mp_error error = {0};
    tree_free(r->tree);
    r->tree = tree_new(r->position, depth, leaf_depth, NULL, 0, recall, r, &error);
    assert_non_null(r->tree);
    if (random_next(&r->random) % 2) /* right or wrong */
        tree_guess(r->tree, (mp_value)(random_next(&r->random) % 200) - 100);
    r->job_count = 0;
}

/* The value of the position, by ranks that are slow, wrong about sizes and killed now and then. */
static void solve(struct ranks *r, int depth, mp_value *value, mp_move *move)
{
    int leaf_depth = (int)random_below(random_next(&r->random), (uint32_t)depth);
    int ranks = 1 + (int)random_below(random_next(&r->random), MOST_JOBS);
    r->fact_count = 0;
    begin(r, depth, leaf_depth);
    while (!tree_is_solved(r->tree, value, move)) {
        struct mp_error error = {0};
        mp_value alpha, beta;
        int node = -1;
        if (r->job_count < ranks) {
            node = tree_next(r->tree, false, &alpha, &beta, &error);
            if (node == -1)
                node = tree_next(r->tree, true, &alpha, &beta, &error);
            assert_true(node >= -1);
        }
        if (node >= 0) {
            struct tree_node *n = tree_at(r->tree, node);
            n->job = 1;
            n->alpha = alpha;
            n->beta = beta;
            r->jobs[r->job_count++] = node;
        } else if (!tree_is_solved(r->tree, value, move)) {
            assert_true(r->job_count > 0); /* there is always something to do */
            finish_one(r);
        }
        if (random_next(&r->random) % 50 == 0)
            begin(r, depth, leaf_depth); /* all are killed */
    }
}

static void trees_have_the_value_of_minimax(void **state)
{
    (void)state;
    struct ranks *r = calloc(1, sizeof *r);
    uint64_t searched = 0;
    for (const char *const *name = subjects_names(); *name; name++) {
        struct mp_error error = {0};
        struct mp_game *game = mp_game_open(*name, &error);
        assert_non_null(game);
        r->search = mp_search_new(game, game->chances ? "star2" : "pvs,hash=1", &error);
        assert_non_null(r->search);
        for (int i = 0; i < positions; i++) {
            struct truth *truth = truth_new(game, game->evaluations, subjects_position(game, (uint64_t)i, 60),
                                            3000, 6);
            r->position = truth->position;
            r->random = (uint64_t)i + 1;
            for (int depth = 1; depth <= truth->depth; depth++) {
                mp_value value;
                mp_move move;
                solve(r, depth, &value, &move);
                mp_value best = truth_best(truth, depth, (struct some_moves){0});
                if (value != best)
                    fail_msg("%s, position %d, depth %d: value %d, expected %d", *name, i, depth, value,
                             best);
                if (depth > 1)
                    assert_int_equal(truth_of(truth, depth, move), best);
                searched++;
            }
            truth_free(truth);
        }
        mp_search_free(r->search);
        mp_game_close(game);
    }
    tree_free(r->tree);
    printf("%llu values, %d jobs cancelled and %d told of another window\n", (unsigned long long)searched,
           r->cancelled, r->told);
    assert_true(searched > 0 && r->cancelled > 0 && r->told > 0);
    free(r);
}

/* ---- The hand ------------------------------------------------------------------------------------------ */

/* Work that ends by itself after a moment ("short") or only when it is stopped ("long"). */
static bool spin(void *self, struct hand *hand, const char *job, char result[CLUSTER_TEXT], uint64_t *nodes,
                 struct mp_error *error)
{
    atomic_bool *stop = self;
    char news[CLUSTER_TEXT];
    int left = strcmp(job, "long") ? 20 : INT_MAX;
    *result = 0;
    *nodes = 1;
    for (; left > 0; left--) {
        sched_yield();
        if (!atomic_load(stop))
            continue;
        bool told, wanted = hand_is_wanted(hand, &told, news);
        if (!wanted)
            return true;
        if (!told)
            return mp_fail(error, "a job was stopped that nobody had asked to stop");
        if (!strcmp(news, "enough"))
            left = 1;
    }
    nanosleep(&(struct timespec){.tv_nsec = 50000}, NULL); /* a stop that comes now comes too late */
    strcpy(result, "done");
    return true;
}

static void set_stop(void *self)
{
    atomic_store((atomic_bool *)self, true);
}

static void clear_stop(void *self)
{
    atomic_store((atomic_bool *)self, false);
}

/* What is to become of a job: long ones are cancelled, or told that it is enough; short ones end by themselves, unless they
 * are cancelled before. */
enum { HAND_TEST_JOBS = 100, WAITING = 3 };

static bool is_long(uint64_t id)
{
    return random_at(1, id) & 1;
}

static bool is_cancelled(uint64_t id)
{
    return random_at(2, id) % 3 == 0;
}

static void disturb(struct hand *hand, uint64_t id, uint64_t number)
{
    if (number % 4 == 0)
        hand_tell(hand, id, "something else"); /* whether it is there or not, at work or not */
    else if (id > HAND_TEST_JOBS)
        return;
    else if (is_cancelled(id))
        hand_cancel(hand, id);
    else if (is_long(id))
        hand_tell(hand, id, "enough");
}

static void check_result(const struct hand_result *result, uint64_t expected)
{
    if (result->is_failed)
        fail_msg("job %llu: %s", (unsigned long long)result->id, result->text);
    assert_int_equal(result->id, expected);
    if (!is_cancelled(expected))
        assert_string_equal(result->text, "done");
    else if (is_long(expected))
        assert_string_equal(result->text, "");
}

/* Stops that come at any moment reach the job they are for, and no other; each job is answered once. */
static void stops_reach_their_job(void **state)
{
    (void)state;
    static const struct hand_skill skill = {spin, set_stop, clear_stop};
    atomic_bool stop = false;
    struct mp_error error = {0};
    struct hand *hand = hand_new(&skill, &stop, &error);
    struct hand_result result;
    uint64_t random = 1, given = 0, fetched = 0;
    assert_non_null(hand);
    while (fetched < HAND_TEST_JOBS) {
        uint64_t number = random_next(&random);
        if (given < HAND_TEST_JOBS && given - fetched < WAITING) {
            given++;
            hand_give(hand, given, is_long(given) ? "long" : "short");
        } else {
            disturb(hand, fetched + 1 + number % WAITING, number >> 8);
        }
        if (number >> 16 & 1)
            hand_wait(hand, 20000);
        while (hand_fetch(hand, &result))
            check_result(&result, ++fetched);
    }
    hand_give(hand, HAND_TEST_JOBS + 1, "long"); /* the end stops it */
    hand_free(hand);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(records_are_kept, make_path, remove_path),
        cmocka_unit_test_setup_teardown(torn_ledgers_go_on, make_path, remove_path),
        cmocka_unit_test_setup_teardown(other_files_are_refused, make_path, remove_path),
        cmocka_unit_test(trees_have_the_value_of_minimax),
        cmocka_unit_test(stops_reach_their_job),
    };
    if (argc > 1)
        positions = atoi(argv[1]);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
