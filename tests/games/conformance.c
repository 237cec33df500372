/* conformance.c - what every game promises in game.h, checked by the kit (src/kit) on random games of each. A
 * new game gets all of this for free. */
#include "tests/support/subjects.h"
#include "tests/support/test.h"

#include "kit/kit.h"

struct looked {
    struct mp_game *game;
    struct kit kit;
    struct kit_report report;
};

static struct looked *look_at(const char *name)
{
    struct mp_error error = {0};
    struct looked *l = calloc(1, sizeof *l);
    assert_non_null(l);
    l->game = mp_game_open(name, &error);
    if (!l->game || !kit_open(&l->kit, l->game, &l->report, &error))
        fail_msg("%s: %s", name, error.text);
    return l;
}

/* Fails with the first fault, if there is one. */
static struct kit_report judge(struct looked *l)
{
    struct kit_report report = l->report;
    kit_close(&l->kit);
    mp_game_close(l->game);
    free(l);
    for (int i = 0; i < report.fault_count; i++)
        print_message("%s: %s in '%s'\n", report.game, report.faults[i].text,
                      report.faults[i].place.position);
    assert_int_equal(report.fault_count, 0);
    assert_false(report.time_is_over);
    return report;
}

static void plays_random_games(void **test_state)
{
    /* Of games with long lists of moves fewer are played, until this many moves have been checked. */
    enum { GAMES = 40, ENOUGH_MOVES = 100000 };
    struct looked *l = look_at(*test_state);
    kit_play_games(&l->kit, GAMES, ENOUGH_MOVES);
    struct kit_report report = judge(l);
    print_message("%s: %d of %d games ended\n", report.game, (int)report.finished, (int)report.games);
    assert_true(report.games == GAMES || report.moves >= ENOUGH_MOVES);
    assert_true(report.positions > report.games);
}

static void early_states_have_keys(void **test_state)
{
    struct looked *l = look_at(*test_state);
    kit_meet_early_states(&l->kit, 20000);
    assert_true(judge(l).keys > 100);
}

static void twins_have_keys(void **test_state)
{
    enum { POSITIONS = 12 };
    struct looked *l = look_at(*test_state);
    kit_meet_twins(&l->kit, POSITIONS);
    struct kit_report report = judge(l);
    print_message("%s: %d twins\n", report.game, (int)report.twins);
    assert_true(report.twins >= 10 * POSITIONS);
}

/* With and without the game's own perft, and on any number of threads, the count is the same. */
static void counts_alike(void **test_state)
{
    enum { POSITIONS = 20, COUNTS_EACH = 4 * 2 * 3 };
    struct looked *l = look_at(*test_state);
    kit_count_lines(&l->kit, POSITIONS);
    assert_int_equal(judge(l).counts, POSITIONS * COUNTS_EACH);
}

static void searches_as_minimax(void **test_state)
{
    enum { POSITIONS = 10, MOST_LEAVES = 4000 };
    struct looked *l = look_at(*test_state);
    kit_compare_searches(&l->kit, POSITIONS, MOST_LEAVES);
    struct kit_report report = judge(l);
    assert_int_equal(report.search_positions, POSITIONS);
    assert_true(report.searches >= 5 * POSITIONS);
}

int main(void)
{
    static const struct {
        const char *what;
        CMUnitTestFunction test;
    } promises[] = {{"plays random games", plays_random_games},
                    {"counts alike", counts_alike},
                    {"has keys for its early states", early_states_have_keys},
                    {"has keys for twins", twins_have_keys},
                    {"is searched as by minimax", searches_as_minimax}};
    enum { MOST = 128, PROMISES = sizeof promises / sizeof *promises };
    struct CMUnitTest tests[MOST];
    char names[MOST][64];
    size_t count = 0;
    for (const char *const *name = subjects_names(); *name; name++)
        for (size_t i = 0; i < PROMISES && count < MOST; i++, count++) {
            const char *slash = strrchr(*name, '/');
            snprintf(names[count], sizeof names[count], "%s %s", slash ? slash + 1 : *name, promises[i].what);
            tests[count] = (struct CMUnitTest){names[count], promises[i].test, NULL, NULL, (void *)*name};
        }
    return _cmocka_run_group_tests("conformance", tests, count, NULL, NULL);
}
