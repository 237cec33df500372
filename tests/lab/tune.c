/* tune.c - the terms that a game tells of add up to its evaluation, and tuning finds weights that are known.
 *
 * Results of games are made from known weights: the tuner, which begins with the game's own, must come
 * near. */
#include "tests/support/subjects.h"
#include "tests/support/test.h"

#include "games/chess/terms.h"
#include "lab/tune.h"

#include <math.h>

static const char *const games[] = {"chess", "halma"};

static double sum_of_shares(const struct mp_game *game, const void *state, double changed)
{
    struct mp_share shares[4096];
    int count = game->tuning->shares(game, state, shares, 4096);
    double sum = 0;
    assert_in_range(count, 1, 4096);
    for (int i = 0; i < count; i++)
        sum += (game->tuning->weight(game, (int)shares[i].term) +
                (shares[i].term == 2 * TERM_TEMPO ? changed : 0)) *
               (double)shares[i].share;
    return sum;
}

static void terms_add_up(void **state)
{
    (void)state;
    for (size_t g = 0; g < sizeof games / sizeof *games; g++) {
        struct mp_game *game = mp_game_open(games[g], NULL);
        assert_string_equal(game->tuning->evaluation, game->evaluations->name);
        for (uint64_t seed = 0; seed < 200; seed++) {
            struct mp_position *position = subjects_position(game, seed, 80);
            const void *at = mp_position_state(position);
            mp_value value = game->evaluations->evaluate(game, game->evaluations, at);
            if (game->side(game, at) == 1)
                value = -value;
            double difference = fabs(sum_of_shares(game, at, 0) - value);
            if (abs(value) < MP_PROVEN && difference > 2)
                fail_msg("%s, seed %d: value %d, sum of terms %f", games[g], (int)seed, value,
                         sum_of_shares(game, at, 0));
            mp_position_free(position);
        }
        mp_game_close(game);
    }
}

static void finds_known_weights(void **state)
{
    (void)state;
    enum { POSITIONS = 12000 };
    const double changed = 60, scale = 0.01;
    struct mp_game *game = mp_game_open("chess", NULL);
    char path[] = "/tmp/positions-XXXXXX", board[128];
    const char *const paths[] = {path};
    FILE *file = fdopen(mkstemp(path), "w");
    for (uint64_t seed = 0; seed < POSITIONS; seed++) {
        struct mp_position *position = subjects_position(game, seed, 80);
        const void *at = mp_position_state(position);
        game->print_position(game, at, board, sizeof board);
        double value = sum_of_shares(game, at, changed);
        fprintf(file, "%s\t%.6f\t%.3f\n", board, 1 / (1 + exp(-scale * value)), value);
        mp_position_free(position);
    }
    fclose(file);
    const struct tune_settings settings = {.rounds = 300, .threads = 2};
    struct tune_report report;
    struct mp_error error = {0};
    bool ok = tune_run(game, paths, 1, &settings, NULL, NULL, &report, &error);
    remove(path);
    if (!ok)
        fail_msg("%s", error.text);
    assert_int_equal(report.positions + report.held_back, POSITIONS);
    assert_true(report.after < report.before && report.held_after < report.held_before);
    /* The move of the middle game is worth more, but for the scale, which is found with the old weight. */
    double tempo = report.weights[2 * TERM_TEMPO] * report.scale / scale;
    double wanted = game->tuning->weight(game, 2 * TERM_TEMPO) + changed;
    if (fabs(tempo - wanted) > 10)
        fail_msg("the move is worth %f, expected about %f", tempo, wanted);
    free(report.weights);
    mp_game_close(game);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(terms_add_up), cmocka_unit_test(finds_known_weights)};
    return cmocka_run_group_tests_name("tune", tests, NULL, NULL);
}
