/* expectiminimax.c - all three algorithms, with and without forward pruning, on any number of threads,
 * against a reference that shares no code with them; and that star1 and star2 leave out what they promise to
 * leave out.
 *
 *     expectiminimax [POSITIONS]
 *
 * of each game, 40 by default. In exactness.c are more schemes and evaluations, but only trees of 200,000
 * leaves, which leaves out most positions of backgammon at depth 2. */
#include "base/text.h"

#include "tests/support/subjects.h"
#include "tests/support/test.h"

enum { MOST_MOVES = 4096 };

static uint64_t positions = 40;

static const char *const algorithms[] = {"expectiminimax", "star1", "star2"};

struct ranked {
    mp_move move;
    mp_value value;
    int place;
};

static int by_value(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;
    return x->value != y->value ? (x->value < y->value ? 1 : -1) : x->place - y->place;
}

/* Depth 1 and 2 with all moves; depth 2 and 3 with a few, one number for all levels or one for each, or those near the best
 * move. */
struct task {
    int depth;
    int keep[4]; /* by the depth to go; ALL: not said */
    int within;
    char text[48];
};
enum { ALL = INT32_MAX };

/* Negamax over the k best moves by static value, k for each depth to go, that are near enough to the best; at the last ply
 * all moves count. */
static mp_value reference(const struct mp_game *game, const void *state, int depth, const struct task *task)
{
    const struct mp_evaluation *e = game->evaluations;
    _Alignas(64) char child[256];
    mp_move moves[MOST_MOVES];
    uint32_t weights[MOST_MOVES];
    if (depth == 0)
        return e->evaluate(game, e, state);
    int count = game->chances(game, state, moves, weights, MOST_MOVES);
    if (count > 0) {
        int64_t sum = 0, total = 0;
        for (int i = 0; i < count; i++) {
            game->play(game, state, moves[i], child);
            sum += weights[i] * (int64_t)reference(game, child, depth, task);
            total += weights[i];
        }
        int64_t size = (2 * llabs(sum) + total) / (2 * total);
        return (mp_value)(sum < 0 ? -size : size);
    }
    count = game->list(game, state, moves, MOST_MOVES);
    if (count == 0)
        return mp_state_final_value(game, state, 0);
    struct ranked *ranked = malloc((size_t)count * sizeof *ranked);
    for (int i = 0; i < count; i++) {
        game->play(game, state, moves[i], child);
        ranked[i] = (struct ranked){moves[i], -e->evaluate(game, e, child), i};
    }
    qsort(ranked, (size_t)count, sizeof *ranked, by_value);
    mp_value best = -MP_INFINITE;
    for (int i = 0; i < count; i++) {
        bool far = task->within && ranked[i].value < ranked[0].value - task->within;
        if (depth > 1 && (i >= task->keep[depth] || far))
            break;
        game->play(game, state, ranked[i].move, child);
        mp_value value = -reference(game, child, depth - 1, task);
        best = value > best ? value : best;
    }
    free(ranked);
    return best;
}

static void run(struct mp_game *game, const struct mp_position *position, const char *text,
                struct mp_result *result)
{
    struct mp_error error = {0};
    struct mp_search *search = mp_search_new(game, text, &error);
    if (!search || !mp_search_run(search, position, NULL, NULL, result, &error))
        fail_msg("%s: %s", text, error.text);
    mp_search_free(search);
}

static struct task task_of(uint64_t seed, int number)
{
    int few = 1 + (int)(seed % 3), more = 1 + (int)(seed % 5);
    struct task task = {.depth = number < 2 ? number + 1 : number, .keep = {0, 0, ALL, ALL}};
    if (number == 2) {
        task.keep[2] = seed % 2 ? few : ALL;
        task.within = seed % 4 == 2 ? 0 : 100 * few;
        if (seed % 2)
            text_append(task.text, sizeof task.text, ",keep=%d", few);
        if (task.within)
            text_append(task.text, sizeof task.text, ",within=%d", task.within);
    } else if (number == 3 && seed % 4) {
        task.keep[2] = few;
        task.keep[3] = more;
        snprintf(task.text, sizeof task.text, ",keep=%d/%d", more, few);
    } else if (number == 3) {
        task.keep[2] = task.keep[3] = more;
        snprintf(task.text, sizeof task.text, ",keep=%d", more);
    }
    return task;
}

static void agrees(void **state)
{
    enum { TASKS = 4 };
    static const char *const schemes[] = {"", ",hash=1", ",split=rolls", ",split=rolls+moves", ",split=ybwc"};
    static const int thread_counts[] = {1, 2, 3, 8};
    struct mp_game *game = mp_game_open(*state, NULL);
    assert_non_null(game);
    assert_true(game->state_size <= 256);
    uint64_t searches = 0;
    for (uint64_t seed = 0; seed < positions; seed++) {
        struct mp_position *position = subjects_position(game, seed, 80);
        for (int number = 0; number < TASKS; number++) {
            struct task task = task_of(seed, number);
            mp_value expected = reference(game, mp_position_state(position), task.depth, &task);
            for (int i = 0; i < 3; i++) {
                struct mp_result result = {MP_SIZE(struct mp_result)};
                char text[128];
                const char *scheme = schemes[searches % (sizeof schemes / sizeof *schemes)];
                int length = snprintf(text, sizeof text, "%s,depth=%d%s%s", algorithms[i], task.depth,
                                      task.text, scheme);
                if (strstr(scheme, "split"))
                    snprintf(text + length, sizeof text - (size_t)length, ",eager=on,threads=%d",
                             thread_counts[searches / 3 % 4]);
                run(game, position, text, &result);
                if (result.value != expected)
                    fail_msg("%s, seed %llu: value %d, expected %d", text, (unsigned long long)seed,
                             result.value, expected);
                assert_int_equal(result.exact, !*task.text);
                searches++;
            }
        }
        mp_position_free(position);
    }
    print_message("%s: %llu positions, %llu searches agree\n", game->name, (unsigned long long)positions,
                  (unsigned long long)searches);
    mp_game_close(game);
}

static void stars_leave_out(void **state)
{
    (void)state;
    struct mp_game *game = mp_game_open("backgammon", NULL);
    uint64_t leaves[3] = {0};
    for (uint64_t seed = 0; seed < 10; seed++) {
        struct mp_position *position = subjects_position(game, seed, 60);
        for (int i = 0; i < 3; i++) {
            struct mp_result result = {MP_SIZE(struct mp_result)};
            char text[128];
            snprintf(text, sizeof text, "%s,depth=3,keep=4", algorithms[i]);
            run(game, position, text, &result);
            leaves[i] += result.counters.leaves;
        }
        mp_position_free(position);
    }
    print_message("leaves: expectiminimax %llu, star1 %llu, star2 %llu\n", (unsigned long long)leaves[0],
                  (unsigned long long)leaves[1], (unsigned long long)leaves[2]);
    assert_true(leaves[1] < leaves[0]);
    assert_true(leaves[2] < leaves[1]);
    mp_game_close(game);
}

/* Positions that several rolls lead to are searched once. */
static void tables_save_work(void **state)
{
    (void)state;
    struct mp_game *game = mp_game_open("backgammon", NULL);
    uint64_t leaves[2] = {0};
    for (uint64_t seed = 0; seed < 6; seed++) {
        struct mp_position *position = subjects_position(game, seed, 60);
        struct mp_result without = {MP_SIZE(struct mp_result)}, with = {MP_SIZE(struct mp_result)};
        run(game, position, "star2,depth=3,keep=6", &without);
        run(game, position, "star2,depth=3,keep=6,hash=16", &with);
        assert_int_equal(with.value, without.value);
        assert_int_equal(with.move, without.move);
        leaves[0] += without.counters.leaves;
        leaves[1] += with.counters.leaves;
        mp_position_free(position);
    }
    print_message("leaves: %llu, with a table %llu\n", (unsigned long long)leaves[0],
                  (unsigned long long)leaves[1]);
    assert_true(leaves[1] < leaves[0]);
    mp_game_close(game);
}

int main(int argc, char **argv)
{
    if (argc > 1)
        positions = strtoull(argv[1], NULL, 10);
    const struct CMUnitTest tests[] = {
        {"agrees, backgammon", agrees, NULL, NULL, (void *)"backgammon"},
        {"agrees, dice", agrees, NULL, NULL, (void *)DICE_PLUGIN},
        cmocka_unit_test(stars_leave_out),
        cmocka_unit_test(tables_save_work),
    };
    return cmocka_run_group_tests_name("expectiminimax", tests, NULL, NULL);
}
