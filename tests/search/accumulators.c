/* accumulators.c - a network that follows a line says what it says of a state from nothing, bit for bit: whatever was
 * played and taken back, handed over or joined, and the same on every level of the CPU. `test_accumulators N` makes N moves in
 * each game instead of a few thousand. */
#include "search/accumulators.h"
#include "base/level.h"
#include "base/random.h"
#include "games/backgammon/backgammon.h"
#include "games/chess/chess.h"
#include "games/halma/halma.h"
#include "games/othello/othello.h"
#include "network/network_inner.h"

#include "tests/support/random_network.h"
#include "tests/support/subjects.h"
#include "tests/support/test.h"

#include <stdlib.h>

static uint64_t moves_each = 3000;

struct walk {
    const struct mp_game *game;
    const struct network_evaluation *evaluation;
    struct accumulators *accumulators;
    struct line line, other;
    int depth; /* the last ply that has a state */
    uint64_t stream, values, digest;
};

/* The copies of the games that see something of their own, which a game that is opened has the best of. */
static const struct mp_game *const tables[][LEVEL_COUNT] = {
    LEVEL_TABLES(backgammon_table), LEVEL_TABLES(chess_table),    LEVEL_TABLES(halma8_table),
    LEVEL_TABLES(halma10_table),    LEVEL_TABLES(halma16_table), LEVEL_TABLES(othello_table),
};

/* A game as this level of the CPU sees it. */
static struct mp_game at_level(const struct mp_game *game, int level)
{
    struct mp_game copy = *game;
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        if (!strcmp(tables[i][level]->name, game->name))
            copy.features = tables[i][level]->features;
    return copy;
}

static uint32_t below(struct walk *w, uint32_t bound)
{
    return random_below(random_next(&w->stream), bound);
}

/* A move or a throw, from ply to the next; false: the game is over. */
static bool play(struct walk *w, struct line *line, int ply)
{
    mp_move moves[MP_MAX_MOVES];
    uint32_t weights[MP_MAX_MOVES];
    const void *state = line_state(line, ply);
    int count = w->game->chances ? w->game->chances(w->game, state, moves, weights, MP_MAX_MOVES) : 0;
    if (count == 0)
        count = w->game->list(w->game, state, moves, MP_MAX_MOVES);
    if (count > 0)
        line_play(line, ply, moves[below(w, (uint32_t)count)]);
    return count > 0;
}

static void check(struct walk *w, int ply)
{
    const struct mp_evaluation *e = &w->evaluation->evaluation;
    mp_value fresh = e->evaluate(w->game, e, line_state(&w->line, ply));
    mp_value followed = accumulators_value(w->accumulators, &w->line, ply);
    if (fresh != followed)
        fail_msg("%s: %d from nothing, %d along the line", w->game->name, fresh, followed);
    w->values += fresh != 0;
    w->digest = w->digest * 31 + (uint32_t)fresh;
}

/* All moves at the last ply in one call, up to one that is enough: each as from nothing. The place after it is used. */
static void check_children(struct walk *w)
{
    const struct mp_evaluation *e = &w->evaluation->evaluation;
    mp_move moves[MP_MAX_MOVES];
    mp_value values[MP_MAX_MOVES], fresh[MP_MAX_MOVES];
    const void *state = line_state(&w->line, w->depth);
    int count = w->game->list(w->game, state, moves, MP_MAX_MOVES), expected = count;
    for (int i = 0; i < count; i++) {
        w->game->play(w->game, state, moves[i], line_state(&w->other, 0));
        fresh[i] = e->evaluate(w->game, e, line_state(&w->other, 0));
    }
    w->game->initial(w->game, line_state(&w->other, 0));
    mp_value enough = count > 0 && below(w, 2) ? fresh[below(w, (uint32_t)count)] : -MP_INFINITE;
    for (int i = count - 1; i >= 0; i--)
        expected = fresh[i] <= enough ? i + 1 : expected;
    int found = accumulators_children(w->accumulators, &w->line, w->depth, moves, count, enough, values);
    assert_int_equal(found, expected);
    for (int i = 0; i < found; i++)
        assert_int_equal(values[i], fresh[i]);
}

/* Another line of which a ply is taken over, as a helper does that joins a node. */
static void join(struct walk *w)
{
    int ply = 0, wanted = (int)below(w, 12) + 1;
    while (ply < wanted && play(w, &w->other, ply))
        ply++;
    memcpy(line_state(&w->line, ply), line_state(&w->other, ply), w->game->state_size);
    w->depth = ply;
}

static void step(struct walk *w)
{
    enum { DEEPEST = 30 };
    uint32_t kind = below(w, 20);
    if (kind == 0) {
        w->depth = (int)below(w, (uint32_t)w->depth + 1); /* taken back */
    } else if (kind == 1) {
        join(w);
    } else if (kind == 2 && w->game->selective->null_move) {
        if (w->game->selective->null_move(w->game, line_state(&w->line, w->depth),
                                          line_state(&w->line, w->depth + 1)))
            w->depth++;
    } else if (kind == 3 && w->depth < DEEPEST) {
        check_children(w);
    } else if (w->depth >= DEEPEST || !play(w, &w->line, w->depth)) {
        w->depth /= 2;
    } else {
        w->depth += below(w, 3) > 0; /* or a sibling comes next */
        if (below(w, 2))
            check(w, w->depth);
        return;
    }
    check(w, w->depth);
}

/* What all values come to; 0: the game has neither features nor a grid. */
static uint64_t walk_level(const struct mp_game *game, int level, uint32_t width, uint32_t dense)
{
    static const struct network_rows *const rows[LEVEL_COUNT] = LEVEL_TABLES(network_rows);
    struct random_network random;
    if (!random_network_init(&random, game, width, dense, false))
        return 0;
    random.evaluation.network->level = rows[level];
    struct walk w = {.game = game, .evaluation = &random.evaluation, .stream = 7};
    w.accumulators = accumulators_new(w.evaluation);
    assert_true(line_init(&w.line, game) && line_init(&w.other, game) && w.accumulators);
    game->initial(game, line_state(&w.line, 0));
    game->initial(game, line_state(&w.other, 0));
    for (uint64_t i = 0; i < moves_each; i++)
        step(&w);
    assert_true(w.values > moves_each / 20);
    line_free(&w.line);
    line_free(&w.other);
    accumulators_free(w.accumulators);
    random_network_free(&random);
    return w.digest;
}

static void walk_game(const char *name, uint32_t width, uint32_t dense)
{
    struct mp_error error = {0};
    struct mp_game *game = mp_game_open(name, &error);
    uint64_t digest = 0;
    assert_non_null(game);
    for (int level = 0; level <= level_best(); level++) {
        struct mp_game copy = at_level(game, level);
        uint64_t found = walk_level(&copy, level, width, dense);
        assert_true(level == 0 || found == digest);
        digest = found;
    }
    mp_game_close(game);
}

static void what_follows_a_line_is_what_it_is_from_nothing(void **state)
{
    (void)state;
    for (const char *const *name = subjects_names(); *name; name++) {
        walk_game(*name, 16, 0);
        walk_game(*name, 80, 32);
    }
}

int main(int count, char **arguments)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_follows_a_line_is_what_it_is_from_nothing)};
    if (count > 1)
        moves_each = strtoull(arguments[1], NULL, 10);
    return cmocka_run_group_tests_name("accumulators", tests, NULL, NULL);
}
