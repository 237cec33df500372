/* bearoff.c - the bear-off table against a full enumeration through the rules, published means, and the
 * equities of GNU Backgammon. */
#include "tests/support/facts.h"
#include "tests/support/test.h"

#include "base/clock.h"
#include "games/backgammon/cube.h"
#include "manyply/manyply.h"

#include <math.h>
#include <stdlib.h>

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

/* ---- Pairs of boards --------------------------------------------------------------------------------- */

enum { FEW = 3, FEW_BOARDS = 84 }; /* at most three chequers a side: C(9, 6) boards */

/* Values by the rules of the game and the definition of the cube, and nothing else. */
static struct {
    int count[FEW_BOARDS][21], next[FEW_BOARDS][21][MOST_MOVES / 64];
    uint32_t weights[21];
    double thrown[3][FEW_BOARDS][FEW_BOARDS]; /* by the owner of the cube; NAN: not known yet */
    double cubeless[FEW_BOARDS][FEW_BOARDS];
} few;
enum { MIDDLE, MINE, YOURS };

static void list_few(const struct bearoff *bearoff)
{
    static mp_move moves[MOST_MOVES];
    mp_move rolls[21];
    for (uint32_t board = 1; board < FEW_BOARDS; board++) {
        struct backgammon s = {.opp = {[0] = 14, [1] = 1}}, thrown, next;
        bearoff_men(bearoff, board, s.own);
        s.own[0] = BACKGAMMON_MEN;
        for (int p = 1; p <= 6; p++)
            s.own[0] = (uint8_t)(s.own[0] - s.own[p]);
        game->chances(game, &s, rolls, few.weights, 21);
        for (int roll = 0; roll < 21; roll++) {
            game->play(game, &s, rolls[roll], &thrown);
            few.count[board][roll] = game->list(game, &thrown, moves, MOST_MOVES);
            assert_in_range(few.count[board][roll], 1, MOST_MOVES / 64);
            for (int i = 0; i < few.count[board][roll]; i++) {
                game->play(game, &thrown, moves[i], &next);
                few.next[board][roll][i] = (int)bearoff_number(bearoff, next.opp);
            }
        }
    }
}

static double turn(int own, int opp, int owner);

static double throw_dice(int own, int opp, int owner)
{
    static const int seen_by_other[] = {MIDDLE, YOURS, MINE};
    double *known = &few.thrown[owner][own][opp], sum = 0;
    if (!isnan(*known))
        return *known;
    for (int roll = 0; roll < 21; roll++) {
        double best = -INFINITY;
        for (int i = 0; i < few.count[own][roll]; i++)
            best = fmax(best, -turn(opp, few.next[own][roll][i], seen_by_other[owner]));
        sum += few.weights[roll] * best;
    }
    return *known = sum / 36;
}

static double turn(int own, int opp, int owner)
{
    if (opp == 0)
        return -1;
    double rolled = throw_dice(own, opp, owner);
    return owner == YOURS ? rolled : fmax(rolled, fmin(1, 2 * throw_dice(own, opp, YOURS)));
}

static double without_cube(int own, int opp)
{
    double *known = &few.cubeless[own][opp], sum = 0;
    if (opp == 0)
        return -1;
    if (!isnan(*known))
        return *known;
    for (int roll = 0; roll < 21; roll++) {
        double best = -INFINITY;
        for (int i = 0; i < few.count[own][roll]; i++)
            best = fmax(best, -without_cube(opp, few.next[own][roll][i]));
        sum += few.weights[roll] * best;
    }
    return *known = sum / 36;
}

static void compare_pair(int own, int opp, const char *kind, int found, double expected)
{
    if (fabs((double)found / BEAROFF_PAIRS_ONE - expected) > 0.00002)
        fail_msg("boards %d and %d, %s: %.6f, expected %.6f", own, opp, kind,
                 (double)found / BEAROFF_PAIRS_ONE, expected);
}

static void agrees_with_a_recursion_for_both_sides(void **state)
{
    (void)state;
    const struct bearoff *bearoff = ((struct backgammon_tables *)game->data)->bearoff;
    struct bearoff_pair *table = malloc(bearoff_pairs_size()), *again = malloc(bearoff_pairs_size());
    assert_true(table && again && bearoff_pairs_make(bearoff, table, 3, NULL));
    list_few(bearoff);
    for (int own = 0; own < FEW_BOARDS; own++)
        for (int opp = 0; opp < FEW_BOARDS; opp++) {
            few.cubeless[own][opp] = NAN;
            for (int owner = 0; owner < 3; owner++)
                few.thrown[owner][own][opp] = NAN;
        }
    for (int own = 1; own < FEW_BOARDS; own++)
        for (int opp = 1; opp < FEW_BOARDS; opp++) {
            const struct bearoff_pair *pair = &table[own * BEAROFF_PAIRS_BOARDS + opp];
            compare_pair(own, opp, "cubeless", pair->cubeless, without_cube(own, opp));
            compare_pair(own, opp, "centred", pair->centred, throw_dice(own, opp, MIDDLE));
            compare_pair(own, opp, "owned", pair->owned, throw_dice(own, opp, MINE));
            compare_pair(own, opp, "lent", pair->lent, throw_dice(own, opp, YOURS));
        }
    /* Threads change nothing. */
    assert_true(bearoff_pairs_make(bearoff, again, 1, NULL));
    assert_memory_equal(table, again, bearoff_pairs_size());
    free(table);
    free(again);
}

/* A game with the table uses it where both have at most six chequers at home; whatever its bytes are, values stay within the
 * bounds of the game. */
static void reads_the_table_of_pairs(void **state)
{
    (void)state;
    struct mp_game *cube = mp_game_open("backgammon:cube=on", NULL);
    assert_non_null(cube);
    assert_int_equal(game->tables->size(game), 0);
    assert_int_equal(cube->tables->size(cube), bearoff_pairs_size());
    struct bearoff_pair *table = malloc(bearoff_pairs_size());
    assert_true(table && cube->tables->make(cube, table, 2, NULL));
    cube->table = table;
    struct backgammon s = backgammon_blank(cube);
    /* Two chequers on the 5 point against one on the 1 point: 33, 44, 55, 66 and 65 win at once, nothing else does. */
    s.own[0] = 13, s.own[5] = 2, s.opp[0] = 14, s.opp[1] = 1;
    mp_value value, low, high;
    assert_true(cube->features->known(cube, &s, &value));
    assert_int_equal(value, -6667);
    /* The other doubles and wins, so it is worth nothing to own the cube; a double would be beavered. */
    s.phase = BACKGAMMON_ANSWERING;
    backgammon_turn(&s);
    assert_true(cube->features->known(cube, &s, &value));
    assert_in_range(value, 13332, 13334);
    backgammon_turn(&s);
    /* Each place of the cube has its number. */
    struct bearoff_pair *entry = (struct bearoff_pair *)bearoff_pairs_find(
        ((struct backgammon_tables *)cube->data)->bearoff, table, s.own, s.opp);
    *entry = (struct bearoff_pair){100, 8000, 12000, 6000};
    const struct {
        uint8_t phase, log, owner;
        double points;
    } cases[] = {{BACKGAMMON_PLAYING, 0, BACKGAMMON_NO_OWNER, 8000},
                 {BACKGAMMON_PLAYING, 1, 0, 2 * 12000},
                 {BACKGAMMON_PLAYING, 1, 1, 2 * 6000},
                 {BACKGAMMON_PLAYING, 5, 1, 32 * 100},
                 {BACKGAMMON_CHOOSING, 0, BACKGAMMON_NO_OWNER, 12000},
                 {BACKGAMMON_CHOOSING, 2, 0, 4 * 12000},
                 {BACKGAMMON_CHOOSING, 4, 0, 16 * 12000}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        s.phase = cases[i].phase, s.cube_log = cases[i].log, s.cube_owner = cases[i].owner;
        assert_true(cube->features->known(cube, &s, &value));
        assert_int_equal(value, lround(cases[i].points / BEAROFF_PAIRS_ONE * BACKGAMMON_UNITS));
    }
    for (int byte = 0; byte < 256; byte += 51) {
        memset(table, byte, bearoff_pairs_size());
        for (s.cube_log = 0; s.cube_log <= BACKGAMMON_CUBE_LOG_MAX; s.cube_log++)
            for (s.cube_owner = 0; s.cube_owner <= BACKGAMMON_NO_OWNER;
                 s.cube_owner = s.cube_owner ? s.cube_owner + 2 : 1)
                for (s.phase = BACKGAMMON_PLAYING; s.phase <= BACKGAMMON_CHOOSING; s.phase++) {
                    if (s.phase == BACKGAMMON_CHOOSING && !backgammon_may_double(&s))
                        continue;
                    cube->bounds(cube, &s, &low, &high);
                    assert_true(cube->features->known(cube, &s, &value));
                    assert_in_range(value - low, 0, high - low);
                }
    }
    cube->table = NULL;
    mp_game_close(cube);
    free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_full_enumeration),
        cmocka_unit_test(has_the_known_means),
        cmocka_unit_test(agrees_with_gnu_backgammon),
        cmocka_unit_test(agrees_with_a_recursion_for_both_sides),
        cmocka_unit_test(reads_the_table_of_pairs),
    };
    return cmocka_run_group_tests_name("bearoff", tests, open_game, close_game);
}
