/* fit_cuts.c - what shallow searches say of deep ones: found again where it is known, the same on any number of threads,
 * read as it was written, and refused where it is not right. And what the library has makes a search smaller without
 * changing its values much. */
#include "tests/support/subjects.h"
#include "tests/support/test.h"

#include "base/random.h"
#include "lab/fit_cuts.h"

#include <unistd.h>

static const char path[] = "fit_cuts_test.cuts";

/* Half as deep or less, and the same side moves last. */
static void pairs_have_the_same_parity(void **state)
{
    (void)state;
    for (int deep = 3; deep <= CUTS_DEEPEST; deep++) {
        int shallow = fit_shallow(deep);
        assert_in_range(shallow, 1, deep / 2);
        assert_int_equal((deep - shallow) % 2, 0);
        assert_true(deep / 2 - shallow < 2);
    }
}

static void a_known_line_is_found(void **state)
{
    (void)state;
    enum { COUNT = 1000 };
    double shallow[COUNT], deep[COUNT];
    struct fit_row row = {0};
    uint64_t stream = 1;
    for (int i = 0; i < COUNT; i++) {
        shallow[i] = (double)random_below(random_next(&stream), 401) - 200;
        deep[i] = 0.5 * shallow[i] - 7 + (i % 2 ? 3 : -3); /* errors of exactly 3 */
    }
    assert_true(fit_line(shallow, deep, COUNT, &row));
    assert_float_equal(row.cut.slope, 0.5, 0.01);
    assert_float_equal(row.cut.offset, -7, 0.3);
    assert_float_equal(row.cut.sigma, 3, 0.02);
    assert_float_equal(row.mean_error, 3, 0.02);
    assert_in_range(1000 * row.r2, 980, 999);
    assert_int_equal(row.positions, COUNT);
    assert_false(fit_line(shallow, deep, 5, &row)); /* too few */
    for (int i = 0; i < COUNT; i++)
        deep[i] = -deep[i];
    assert_false(fit_line(shallow, deep, COUNT, &row)); /* the better, the worse */
}

static void assert_same(const struct cuts *a, const struct cuts *b, double within)
{
    assert_string_equal(a->evaluation, b->evaluation);
    assert_int_equal(a->stage_plies, b->stage_plies);
    assert_float_equal(a->confidence, b->confidence, within);
    for (int stage = 0; stage < CUTS_STAGES; stage++)
        for (int deep = 0; deep <= CUTS_DEEPEST; deep++) {
            const struct cut *x = &a->at[stage][deep], *y = &b->at[stage][deep];
            assert_int_equal(x->shallow, y->shallow);
            assert_float_equal(x->slope, y->slope, within);
            assert_float_equal(x->offset, y->offset, within);
            assert_float_equal(x->sigma, y->sigma, within);
        }
}

static void threads_find_the_same_and_files_keep_it(void **state)
{
    (void)state;
    struct mp_game *game = mp_game_open("othello", NULL);
    struct mp_error error = {0};
    static struct fit_report one, three;
    struct fit_cuts fit = {.game = game,
                           .strategy = "pvs,selective=on,probcut=off,hash=1",
                           .positions = 120,
                           .depth = 4,
                           .threads = 1,
                           .seed = 7,
                           .least_random = 4,
                           .most_random = 8,
                           .most_plies = 40,
                           .stage_plies = 30,
                           .confidence = 1.25};
    assert_true(fit_cuts_run(&fit, NULL, NULL, &one, &error));
    fit.threads = 3;
    assert_true(fit_cuts_run(&fit, NULL, NULL, &three, &error));
    assert_int_equal(one.row_count, 4); /* two stages, depths 3 and 4 */
    assert_same(&one.cuts, &three.cuts, 0);
    for (int i = 0; i < one.row_count; i++) {
        assert_in_range(1000 * one.rows[i].cut.slope, 300, 1500);
        assert_in_range(one.rows[i].cut.sigma, 1, 300);
    }
    static struct cuts read;
    assert_true(fit_cuts_write(&one, "a test", path, &error));
    assert_true(cuts_read(game, "positional", path, &read, &error));
    assert_same(&one.cuts, &read, 0.006);
    assert_false(cuts_read(game, "discs", path, &read, &error));
    assert_contains(error.text,
                    "has the cuts of othello with eval=positional, expected othello with eval=discs");
    fit.positions = 5;
    assert_false(fit_cuts_run(&fit, NULL, NULL, &one, &error));
    assert_contains(error.text, "expected more --positions");
    unlink(path);
    assert_false(cuts_read(game, "positional", path, &read, &error));
    assert_contains(error.text, "No such file");
    mp_game_close(game);
}

#define HEAD "Manyply cuts 1\ngame othello\neval positional\nconfidence 1\nstage 9\n"

static void what_is_wrong_is_refused(void **state)
{
    (void)state;
    static const char *const wrong[] = {
        "",
        "Manyply cuts 2\n",
        "Manyply cuts 1\ngame othello\neval positional\nconfidence 1\n",
        HEAD "cut 0 4 4 1 0 1\n",
        HEAD "cut 0 4 0 1 0 1\n",
        HEAD "cut -1 4 2 1 0 1\n",
        HEAD "cut 16 4 2 1 0 1\n",
        HEAD "cut 0 33 2 1 0 1\n",
        HEAD "cut 0 4 2 0 0 1\n",
        HEAD "cut 0 4 2 nan 0 1\n",
        HEAD "cut 0 4 2 1 inf 1\n",
        HEAD "cut 0 4 2 1 0 -1\n",
        HEAD "cut 0 4 2 1 0\n",
        HEAD "cut 0 4 2 1 0 1 1\n",
        HEAD "cut 0 4 2 1 0 1\ncut 0 4 2 1 0 1\n",
        HEAD "confidence nan\n",
        HEAD "stage 0\n",
        HEAD "nonsense\n",
    };
    struct mp_game *game = mp_game_open("othello", NULL);
    static struct cuts cuts;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct mp_error error = {0};
        if (cuts_read_text(game, "positional", wrong[i], "x", &cuts, &error))
            fail_msg("'%s' is taken", wrong[i]);
        assert_contains(error.text, "expected");
    }
    struct mp_error error = {0};
    char longest[sizeof HEAD + 400] = HEAD;
    memset(longest + sizeof HEAD - 1, ' ', 300);
    assert_false(cuts_read_text(game, "positional", longest, "x", &cuts, &error));
    assert_true(cuts_read_text(game, "positional", HEAD "# why\n\ncut 0 4 2 1 0 1\n", "x", &cuts, &error));
    assert_int_equal(cuts.at[0][4].shallow, 2);
    mp_game_close(game);
}

/* By the plies to the end; further away than all stages is the last one. */
static void a_stage_is_so_many_plies(void **state)
{
    (void)state;
    struct mp_game *game = mp_game_open("othello", NULL), *other = mp_game_open("chess", NULL);
    static struct cuts cuts = {.stage_plies = 7};
    struct mp_position *position = mp_position_new(game, NULL, NULL),
                       *board = mp_position_new(other, NULL, NULL);
    const void *at = mp_position_state(position);
    assert_int_equal(cuts_stage(&cuts, game, at), 60 / 7);
    cuts.at[60 / 7][6] = (struct cut){2, 1, 0, 1};
    assert_ptr_equal(cuts_find(&cuts, game, at, 6), &cuts.at[60 / 7][6]);
    assert_null(cuts_find(&cuts, game, at, 5));
    assert_null(cuts_find(&cuts, game, at, CUTS_DEEPEST + 1));
    assert_null(cuts_find(NULL, game, at, 6));
    cuts.stage_plies = 2;
    assert_int_equal(cuts_stage(&cuts, game, at), CUTS_STAGES - 1);
    assert_int_equal(cuts_stage(&cuts, other, mp_position_state(board)), 0);
    mp_position_free(position);
    mp_position_free(board);
    mp_game_close(game);
    mp_game_close(other);
}

static struct mp_result searched(const struct mp_game *game, uint64_t seed, const char *strategy)
{
    struct mp_error error = {0};
    struct mp_result result = {MP_SIZE(struct mp_result)};
    struct mp_position *position = subjects_position(game, seed, 30);
    struct mp_search *search = mp_search_new(game, strategy, &error);
    if (!search || !mp_search_run(search, position, NULL, NULL, &result, &error))
        fail_msg("%s: %s", strategy, error.text);
    mp_search_free(search);
    mp_position_free(position);
    return result;
}

/* Cuts that are wrong would show: with their offsets on the other side, or half as wide, values go astray. */
static void the_library_s_cuts_save_nodes(void **state)
{
    (void)state;
    struct mp_game *game = mp_game_open("othello", NULL);
    uint64_t with = 0, without = 0;
    double error = 0;
    enum { POSITIONS = 30 };
    for (uint64_t seed = 0; seed < POSITIONS; seed++) {
        struct mp_result cut = searched(game, seed, "pvs,selective=on,depth=8,hash=1");
        struct mp_result whole = searched(game, seed, "pvs,selective=on,depth=8,hash=1,probcut=off");
        with += cut.counters.nodes;
        without += whole.counters.nodes;
        error += abs(cut.value - whole.value) / (double)POSITIONS;
        assert_false(cut.exact);
    }
    print_message("%llu nodes, %llu without cuts, values differ by %.1f\n", (unsigned long long)with,
                  (unsigned long long)without, error);
    assert_true(with < without);
    assert_true(error < 20);
    mp_game_close(game);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_have_the_same_parity),
        cmocka_unit_test(a_known_line_is_found),
        cmocka_unit_test(threads_find_the_same_and_files_keep_it),
        cmocka_unit_test(what_is_wrong_is_refused),
        cmocka_unit_test(a_stage_is_so_many_plies),
        cmocka_unit_test(the_library_s_cuts_save_nodes),
    };
    return cmocka_run_group_tests_name("fit_cuts", tests, NULL, NULL);
}
