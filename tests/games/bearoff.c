/* bearoff.c - the bear-off table against a full enumeration through the rules, published means, and the
 * equities of GNU Backgammon. */
#include "tests/support/facts.h"
#include "tests/support/test.h"

#include "base/clock.h"
#include "games/backgammon/cube.h"
#include "manyply/manyply.h"

#include <math.h>

enum { MOST_MOVES = 4096 };

static struct mp_game *game;

static int open_game(void **state)
{
    (void)state;
    game = mp_game_open("backgammon", NULL);
    return game == NULL;
}

static int close_game(void **state)
{
    (void)state;
    mp_game_close(game);
    return 0;
}

static double mean_throws(const uint8_t men[32])
{
    const uint32_t *left = bearoff_left(((struct backgammon_tables *)game->data)->bearoff, men);
    double mean = 0;
    for (int k = 0; k < BEAROFF_THROWS; k++)
        mean += left[k];
    return mean / BEAROFF_ONE;
}

/* Throws that are needed on average, by the rules and nothing else; known ones are looked up by the men. */
static double enumerate(const struct backgammon *s, double *known)
{
    size_t place = 0;
    for (int p = 6; p >= 1; p--)
        place = place * 5 + s->own[p];
    if (s->own[0] == BACKGAMMON_MEN || known[place] > 0)
        return known[place];
    mp_move rolls[21], moves[MOST_MOVES];
    uint32_t weights[21];
    double sum = 36;
    game->chances(game, s, rolls, weights, 21);
    for (int i = 0; i < 21; i++) {
        struct backgammon thrown, next, again;
        game->play(game, s, rolls[i], &thrown);
        int count = game->list(game, &thrown, moves, MOST_MOVES);
        double best = INFINITY;
        for (int j = 0; j < count; j++) {
            game->play(game, &thrown, moves[j], &next);
            /* The same side throws again. */
            again = *s;
            memcpy(again.own, next.opp, sizeof again.own);
            double mean = enumerate(&again, known);
            best = mean < best ? mean : best;
        }
        sum += weights[i] * best;
    }
    return known[place] = sum / 36;
}

static void agrees_with_full_enumeration(void **state)
{
    (void)state;
    static double known[15625];
    int checked = 0;
    for (int code = 1; code < 15625; code++) {
        struct backgammon s = {.opp = {[0] = 14, [1] = 1}};
        int men = 0, rest = code;
        for (int p = 1; p <= 6; p++, rest /= 5) {
            s.own[p] = (uint8_t)(rest % 5);
            men += rest % 5;
        }
        if (men > 4)
            continue;
        s.own[0] = (uint8_t)(BACKGAMMON_MEN - men);
        double expected = enumerate(&s, known), found = mean_throws(s.own);
        if (fabs(found - expected) > 1e-6)
            fail_msg("position %d: %.8f throws, expected %.8f", code, found, expected);
        checked++;
    }
    assert_int_equal(checked, 209); /* C(10, 6) without the empty board */
}

/* Means as GNU Backgammon's bearoffdump prints them. */
static void has_the_known_means(void **state)
{
    (void)state;
    const uint8_t one[32] = {[0] = 14, [6] = 1}, two[32] = {[0] = 13, [6] = 2},
                  spread[32] = {[0] = 9, 1, 1, 1, 1, 1, 1}, full[32] = {[6] = 15};
    assert_float_equal(mean_throws(one), 1.25, 1e-6);
    assert_float_equal(mean_throws(two), 2.109611, 1e-6);
    assert_float_equal(mean_throws(spread), 3.463648, 1e-6);
    assert_float_equal(mean_throws(full), 12.266, 1e-3);
}

static void agrees_with_gnu_backgammon(void **state)
{
    (void)state;
    struct facts facts;
    double worst = 0;
    facts_open(&facts, "backgammon_bearoff.txt");
    for (const char *line; (line = facts_next(&facts));) {
        struct backgammon s;
        char id[16];
        double equity;
        int end = 0;
        if (sscanf(line, "%15s %lf%n", id, &equity, &end) != 2 || line[end] ||
            !game->parse_position(game, id, &s, NULL) || !bearoff_is_home(s.own) || !bearoff_is_home(s.opp))
            facts_malformed(&facts, "a position ID with all men home, and an equity");
        double found = (double)bearoff_equity(((struct backgammon_tables *)game->data)->bearoff, &s, true) /
                       BEAROFF_ONE;
        worst = fabs(found - equity) > worst ? fabs(found - equity) : worst;
        if (fabs(found - equity) > 0.0001)
            fail_msg("%s: equity %.6f, expected %.6f", id, found, equity);
    }
    facts_close(&facts, 93);
    print_message("%d positions, largest difference %.6f\n", facts.entries, worst);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_full_enumeration),
        cmocka_unit_test(has_the_known_means),
        cmocka_unit_test(agrees_with_gnu_backgammon),
    };
    return cmocka_run_group_tests_name("bearoff", tests, open_game, close_game);
}
