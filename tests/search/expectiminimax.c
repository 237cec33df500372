/* expectiminimax.c - forward pruning with keep=k against a reference that shares no code with it, for all
 * three algorithms; and that star1 and star2 leave out what they promise to leave out. (That they are exact
 * without keep is checked by exactness.c.) */
#include "tests/support/subjects.h"
#include "tests/support/test.h"

enum { MOST_MOVES = 4096, POSITIONS = 40 };

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

/* Negamax over the k best moves by static value, k for each depth to go; at the last ply all moves count. */
static mp_value reference(const struct mp_game *game, const void *state, int depth, const int *keep)
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
            sum += weights[i] * (int64_t)reference(game, child, depth, keep);
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
    for (int i = 0; i < count && (i < keep[depth] || depth == 1); i++) {
        game->play(game, state, ranked[i].move, child);
        mp_value value = -reference(game, child, depth - 1, keep);
        best = value > best ? value : best;
    }
    free(ranked);
    return best;
}

static void run(struct mp_game *game, const struct mp_position *position, const char *text,
                struct mp_result *result)
{
    struct mp_error error = {""};
    struct mp_search *search = mp_search_new(game, text, &error);
    if (!search || !mp_search_run(search, position, NULL, NULL, result, &error))
        fail_msg("%s: %s", text, error.text);
    mp_search_free(search);
}

static void keeps_the_best(void **state)
{
    struct mp_game *game = mp_game_open(*state, NULL);
    assert_non_null(game);
    assert_true(game->state_size <= 256);
    for (uint64_t seed = 0; seed < POSITIONS; seed++) {
        struct mp_position *position = subjects_position(game, seed, 80);
        int depth = 2 + (int)(seed % 2), keep[4] = {0, 0, 1 + (int)(seed % 3), 1 + (int)(seed % 5)};
        bool alike = seed % 4 == 0; /* one number for all levels, or one for each */
        if (alike)
            keep[2] = keep[3];
        mp_value expected = reference(game, mp_position_state(position), depth, keep);
        for (int i = 0; i < 3; i++) {
            struct mp_result result;
            char text[128];
            int length = snprintf(text, sizeof text, "%s,depth=%d,keep=%d", algorithms[i], depth,
                                  keep[depth]);
            if (!alike && depth == 3)
                length += snprintf(text + length, sizeof text - (size_t)length, "/%d", keep[2]);
            if (seed % 3 == 0)
                snprintf(text + length, sizeof text - (size_t)length, ",hash=1");
            run(game, position, text, &result);
            if (result.value != expected)
                fail_msg("%s, seed %llu: value %d, expected %d", text, (unsigned long long)seed, result.value,
                         expected);
            assert_false(result.exact);
        }
        mp_position_free(position);
    }
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
            struct mp_result result;
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
        struct mp_result without, with;
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        {"keeps the best, backgammon", keeps_the_best, NULL, NULL, (void *)"backgammon"},
        {"keeps the best, dice", keeps_the_best, NULL, NULL, (void *)DICE_PLUGIN},
        cmocka_unit_test(stars_leave_out),
        cmocka_unit_test(tables_save_work),
    };
    return cmocka_run_group_tests_name("expectiminimax", tests, NULL, NULL);
}
