/* bench.c - the arithmetic of a benchmark on samples that are known, its table, and small real runs. */
#include "tests/lab/golden.h"

#include "lab/bench.h"
#include "lab/bench_print.h"
#include "lab/compare.h"
#include "lab/machine.h"
#include "lab/positions.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

static void check_near(double actual, double expected, double tolerance)
{
    if (!(fabs(actual - expected) <= tolerance))
        fail_msg("%.15g, expected %.15g", actual, expected);
}

/* Two positions, three rounds: sequential, two copies, ybwc on two threads. */
enum { POSITIONS = 2, ROUNDS = 3 };
static struct bench_sample sequential[] = {
    {1, 1000, 0, .cpu_seconds = 0.9},   {4, 8000, 0, .cpu_seconds = 3.9},
    {1.1, 1000, 0, .cpu_seconds = 0.9}, {4.4, 8000, 0, .cpu_seconds = 3.9},
    {0.9, 1000, 0, .cpu_seconds = 0.9}, {3.6, 8000, 0, .cpu_seconds = 3.5}};
static struct bench_sample copies[] = {{1.25, 2000, 0, .cpu_seconds = 0}, {5, 16000, 0, .cpu_seconds = 0},
                                       {1.1, 2000, 0, .cpu_seconds = 0},  {4.4, 16000, 0, .cpu_seconds = 0},
                                       {0.9, 2000, 0, .cpu_seconds = 0},  {3.6, 16000, 0, .cpu_seconds = 0}};
static struct bench_sample ybwc[] = {{0.5, 1100, 10, .cpu_seconds = 0},  {2, 8800, 30, .cpu_seconds = 0},
                                     {0.55, 1100, 10, .cpu_seconds = 0}, {2.2, 8800, 30, .cpu_seconds = 0},
                                     {0.9, 1100, 10, .cpu_seconds = 0},  {1.8, 8800, 30, .cpu_seconds = 0}};

static struct bench known(struct mp_game *game, struct mp_position **positions, struct bench_row rows[3])
{
    static int depths[] = {9, 11};
    rows[0] = (struct bench_row){BENCH_SEQUENTIAL, 1,    0,          -1,        "pvs,hash=16",
                                 depths,           NULL, sequential, .tasks = 0};
    rows[1] = (struct bench_row){BENCH_COPIES, 2, 0, -1, "pvs,hash=16", NULL, NULL, copies, .tasks = 0};
    rows[2] = (struct bench_row){
        BENCH_PARALLEL,   2,         0, 1, "pvs,hash=16,split=ybwc,threads=2", NULL, NULL, ybwc,
        "pvs,split=auto", .tasks = 0};
    return (struct bench){game, POSITIONS, 3, ROUNDS, 12.3, positions, .rows = rows};
}

static void figures_are_right(void **state)
{
    (void)state;
    struct bench_row rows[3];
    struct bench bench = known(NULL, NULL, rows);
    assert_true(bench_summarise(&bench, NULL));
    /* Rounds: 2 s, 2.2 s, 1.8 s as geometric means of the positions. */
    check_near(rows[0].seconds.middle, 2, 1e-12);
    check_near(rows[0].seconds.low, 1.8, 1e-12);
    check_near(rows[0].seconds.high, 2.2, 1e-12);
    check_near(rows[0].speed_up.middle, 1, 1e-12);
    check_near(rows[0].nodes_per_second, 27000 / 15.0, 1e-9);
    /* Two copies do twice the work: 2 * 1 / 1.25 = 1.6 in the first round, 2 in the others. */
    check_near(rows[1].speed_up.low, 1.6, 1e-12);
    check_near(rows[1].speed_up.middle, 2, 1e-12);
    check_near(rows[1].nodes.middle, 1, 1e-12);
    /* 2, 2, and the geometric mean of 1 and 2. */
    check_near(rows[2].speed_up.middle, 2, 1e-12);
    check_near(rows[2].speed_up.low, sqrt(2), 1e-12);
    check_near(rows[2].nodes.middle, 1.1, 1e-12);
    check_near(rows[2].rate.middle, 2.2, 1e-12);
    /* Shares are taken in each round: 2 / 1.6, 2 / 2, sqrt 2 / 2. */
    check_near(rows[2].share.middle, 1, 1e-12);
    check_near(rows[2].share.high, 1.25, 1e-12);
    check_near(rows[2].share.low, sqrt(2) / 2, 1e-12);
    check_near(rows[2].rate_share.middle, 1.1, 1e-12);
    check_near(rows[2].tasks, 20, 1e-12);
}

static void is_printed_as_before(void **state)
{
    (void)state;
    struct mp_game *game = mp_game_open("othello", NULL);
    struct mp_position *positions[] = {positions_random(game, 1, 0), positions_random(game, 1, 1)};
    struct bench_row rows[3];
    struct bench bench = known(game, positions, rows);
    assert_true(bench_summarise(&bench, NULL));
    static char text[1 << 14];
    FILE *out = fmemopen(text, sizeof text, "w");
    bench_print_table(&bench, out);
    bench_print_plots(&bench, out, 60, false);
    fclose(out);
    check_golden("bench.txt", text);
    json_t *machine = json_pack("{s:s, s:i}", "command", "manyply bench", "cpus", 2);
    char directory[] = "/tmp/manyply-bench-XXXXXX", path[64];
    assert_non_null(mkdtemp(directory));
    snprintf(path, sizeof path, "%s/samples.csv", directory);
    assert_true(bench_write_csv(&bench, machine, path, NULL));
    FILE *file = fopen(path, "r");
    memset(text, 0, sizeof text);
    assert_true(fread(text, 1, sizeof text - 1, file) > 0);
    fclose(file);
    unlink(path);
    check_golden("bench.csv", text);
    assert_true(bench_write_svg(&bench, directory, NULL));
    snprintf(path, sizeof path, "%s/othello-1-pvs.svg", directory);
    assert_int_equal(access(path, R_OK), 0);
    unlink(path);
    rmdir(directory);
    json_t *json = bench_json(&bench, machine);
    char *dumped = json_dumps(json, JSON_INDENT(1) | JSON_REAL_PRECISION(6));
    check_golden("bench.json", dumped);
    free(dumped);
    json_decref(json);
    mp_position_free(positions[0]);
    mp_position_free(positions[1]);
    mp_game_close(game);
}

/* Nine rounds: the second sequential search takes 5% longer, and in two rounds something disturbed it. */
static void contestants_are_compared(void **state)
{
    (void)state;
    enum { MANY = 9 };
    struct bench_sample first[MANY * POSITIONS], second[MANY * POSITIONS];
    for (int i = 0; i < MANY * POSITIONS; i++) {
        first[i] = (struct bench_sample){1, 1000, 0, .cpu_seconds = 1 + i % POSITIONS + 0.001 * i};
        second[i] = first[i];
        second[i].cpu_seconds *= i == 3 ? 9 : i == 8 ? 0.8 : 1.05;
    }
    struct bench_row rows[] = {{BENCH_SEQUENTIAL, 1, 0, -1, "pvs,hash=16", NULL, NULL, first, .tasks = 0},
                               {BENCH_SEQUENTIAL, 1, 1, -1, "pvs,hash=17", NULL, NULL, second, .tasks = 0}};
    struct bench bench = {NULL, POSITIONS, 2, MANY, 1, .rows = rows};
    struct comparison_result r = compare_rows(&bench, 0, 1);
    assert_int_equal(r.verdict, SLOWER);
    check_near(r.ratio, 1.05, 1e-9);
    assert_int_equal(compare_rows(&bench, 1, 0).verdict, FASTER);
    assert_int_equal(compare_rows(&bench, 0, 0).verdict, SAME);
    static char text[1000];
    FILE *out = fmemopen(text, sizeof text, "w");
    bench_print_comparisons(&bench, out);
    fclose(out);
    assert_non_null(strstr(text, "pvs,hash=17"));
    assert_non_null(strstr(text, " 1.050 0.0"));
    assert_non_null(strstr(text, " slower\n"));
}

static struct bench *run_small(struct bench_plan plan, const char *game_name, struct mp_game **game)
{
    struct mp_error error;
    *game = mp_game_open(game_name, &error);
    plan.game = *game;
    struct bench *bench = bench_run(&plan, &error);
    if (!bench)
        fail_msg("%s", error.text);
    return bench;
}

static void real_runs_are_consistent(void **state)
{
    (void)state;
    static const char *const games[] = {"othello", "backgammon", CONNECT4_PLUGIN};
    for (int g = 0; g < 3; g++) {
        bool dice = g == 1;
        struct bench_plan plan = {
            .strategy_count = 3,
            .strategies = {dice ? "star2,depth=2,split=top" : "pvs,depth=5,split=ybwc",
                           "minimax,depth=2,split=levels,eager=on,threads=3",
                           dice ? "star2,depth=2,split=levels" : "pvs,depth=5,split=abdada"},
            .thread_count = 2,
            .threads = {1, 2},
            .position_count = 3,
            .seed = 7,
            .rounds = 2};
        struct mp_game *game;
        struct bench *bench = run_small(plan, games[g], &game);
        assert_int_equal(bench->rounds, 2);
        assert_int_equal(bench->position_count, 3);
        /* sequential, copies, 2 x 2 rows; sequential, copies, 1 row */
        static const enum bench_kind kinds[] = {BENCH_SEQUENTIAL, BENCH_COPIES,   BENCH_PARALLEL,
                                                BENCH_PARALLEL,   BENCH_PARALLEL, BENCH_PARALLEL,
                                                BENCH_SEQUENTIAL, BENCH_COPIES,   BENCH_PARALLEL};
        assert_int_equal(bench->row_count, 9);
        for (int i = 0; i < 9; i++) {
            const struct bench_row *row = &bench->rows[i];
            assert_int_equal(row->kind, kinds[i]);
            assert_int_equal(row->base, i < 6 ? 0 : 6);
            assert_true(row->seconds.low > 0 && row->nodes_per_second > 0);
            assert_true(row->speed_up.low <= row->speed_up.middle &&
                        row->speed_up.middle <= row->speed_up.high);
            if (row->kind == BENCH_COPIES)
                check_near(row->nodes.middle, 1, 1e-12);
        }
        assert_int_equal(bench->rows[8].threads, 3);
        assert_int_equal(bench->rows[8].ceiling, 7);
        assert_int_equal(bench->rows[2].ceiling, -1);
        /* One thread of ybwc searches the tree of the sequential algorithm; so does minimax on three. */
        if (!dice)
            check_near(bench->rows[2].nodes.middle, 1, 1e-12);
        check_near(bench->rows[8].nodes.middle, 1, 1e-12);
        bench_free(bench);
        mp_game_close(game);
    }
}

/* Two rows that run the same are told apart by what was asked: in the table, the plots, the comparisons, the
 * JSON and the samples. */
static void what_auto_chose_is_said_beside_auto(void **state)
{
    (void)state;
    static const char *const names[] = {"split=ybwc", "split=auto (ybwc)", "split=auto (levels),levels=2"};
    static const char *const asked[] = {"pvs,depth=3,split=ybwc", "pvs,depth=3,split=auto",
                                        "minimax,split=auto,depth=2,threads=2"};
    struct bench_plan plan = {.strategy_count = 3,
                              .strategies = {asked[0], asked[1], asked[2]},
                              .thread_count = 1,
                              .threads = {2},
                              .position_count = 1,
                              .rounds = 1};
    struct mp_game *game;
    struct bench *bench = run_small(plan, "othello", &game);
    json_t *json = bench_json(bench, json_null()), *rows = json_object_get(json, "rows");
    int found = 0;
    assert_int_equal(json_array_size(rows), (size_t)bench->row_count);
    for (int i = 0; i < bench->row_count; i++) {
        const json_t *row = json_array_get(rows, (size_t)i), *text = json_object_get(row, "asked");
        if (bench->rows[i].kind != BENCH_PARALLEL) {
            assert_null(text);
            continue;
        }
        char name[BENCH_TEXT];
        bench_row_name(&bench->rows[i], name);
        assert_string_equal(name, names[found]);
        assert_string_equal(json_string_value(text), asked[found]);
        assert_string_equal(json_string_value(json_object_get(row, "strategy")), bench->rows[i].strategy);
        assert_null(strstr(bench->rows[i].strategy, "split=auto"));
        found++;
    }
    assert_int_equal(found, 3);
    json_decref(json);
    static char table[1 << 14], plots[1 << 14], comparisons[1 << 12];
    FILE *out = fmemopen(table, sizeof table, "w");
    bench_print_table(bench, out);
    fclose(out);
    out = fmemopen(plots, sizeof plots, "w");
    bench_print_plots(bench, out, 60, false);
    fclose(out);
    out = fmemopen(comparisons, sizeof comparisons, "w");
    bench_print_comparisons(bench, out);
    fclose(out);
    for (int i = 0; i < 3; i++) {
        assert_non_null(strstr(table, names[i]));
        assert_non_null(strstr(plots, names[i]));
    }
    assert_non_null(
        strstr(comparisons, "pvs,depth=3,eval=positional,hash=auto,split=auto (ybwc),threads=2 "));
    bench_free(bench);
    mp_game_close(game);
}

static void depths_are_chosen_by_time(void **state)
{
    (void)state;
    struct bench_plan plan = {.strategy_count = 2,
                              .strategies = {"alphabeta,eval=discs", "pvs,hash=1"},
                              .position_count = 2,
                              .at_least = 5e-3, /* more than their default depths take */
                              .rounds = 1};
    struct mp_game *game;
    struct bench *bench = run_small(plan, "othello", &game);
    assert_int_equal(bench->row_count, 2);
    for (int i = 0; i < 2; i++) {
        assert_null(strstr(bench->rows[i].strategy, "depth="));
        for (int j = 0; j < 2; j++)
            assert_in_range(bench->rows[i].depths[j], 2, 60);
    }
    bench_free(bench);
    mp_game_close(game);
}

static void depths_are_open(void **state)
{
    (void)state;
    static const struct {
        const char *strategy;
        bool is_open;
    } cases[] = {{"pvs,split=top,depth=4", false},
                 {"pvs,split=top", true},
                 {"pvs,time=1s", false},
                 {"horizon", false},
                 {"alphabeta", true},
                 {"MinimaxSeq,4", false}};
    struct mp_game *game = mp_game_open("chess-pm", NULL);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bool is_open;
        assert_true(bench_is_open(game, cases[i].strategy, &is_open, NULL));
        assert_int_equal(is_open, cases[i].is_open);
    }
    mp_game_close(game);
}

/* A sequential search is what stands before split= in the text of a parallel one, for every scheme there
 * is. */
static void every_scheme_has_its_sequential_search(void **state)
{
    (void)state;
    struct mp_game *game = mp_game_open("othello", NULL);
    struct mp_info info = {MP_SIZE(struct mp_info)};
    for (int i = 0; mp_scheme_at(i, &info); i++) {
        char text[BENCH_TEXT];
        snprintf(text, sizeof text, "pvs,depth=3,killers=off,split=%s", info.name);
        struct mp_search *search = mp_search_new(game, text, NULL);
        if (!search || !strcmp(info.name, "none")) { /* a scheme for other algorithms */
            mp_search_free(search);
            continue;
        }
        snprintf(text, sizeof text, "%s", mp_search_strategy(search));
        char *split = strstr(text, ",split=");
        assert_non_null(split);
        *split = 0;
        mp_search_free(search);
        search = mp_search_new(game, text, NULL);
        assert_non_null(search);
        assert_string_equal(mp_search_strategy(search), text);
        mp_search_free(search);
    }
    mp_game_close(game);
}

static void positions_are_reproducible(void **state)
{
    (void)state;
    for (int g = 0; mp_game_name(g); g++) {
        struct mp_game *game = mp_game_open(mp_game_name(g), NULL);
        char texts[3][2048];
        int different = 0;
        for (int i = 0; i < 20; i++) {
            for (int j = 0; j < 3; j++) {
                struct mp_position *p = positions_random(game, j == 2 ? 2 : 1, i);
                assert_true(mp_position_moves(p, NULL, NULL, 0) > 0);
                assert_false(mp_position_is_chance(p));
                game->print_position(game, mp_position_state(p), texts[j], sizeof texts[j]);
                mp_position_free(p);
            }
            assert_string_equal(texts[0], texts[1]);
            different += strcmp(texts[0], texts[2]) != 0;
        }
        assert_in_range(different, 18, 20);
        mp_game_close(game);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figures_are_right),
        cmocka_unit_test(is_printed_as_before),
        cmocka_unit_test(contestants_are_compared),
        cmocka_unit_test(real_runs_are_consistent),
        cmocka_unit_test(what_auto_chose_is_said_beside_auto),
        cmocka_unit_test(depths_are_chosen_by_time),
        cmocka_unit_test(depths_are_open),
        cmocka_unit_test(every_scheme_has_its_sequential_search),
        cmocka_unit_test(positions_are_reproducible),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
