/* exactness.c - the contract of every exact strategy: the value that plain minimax gives, and a move that has
 * it. Checked on random positions of every game, with the game's evaluations, a network and random ones, at every
 * depth whose minimax tree has at most 200,000 leaves (in a large run of nine positions in ten: 4,000).
 *
 *     exactness [POSITIONS [PART PARTS]]
 *
 * POSITIONS of each game, 100 by default; of the games only every PARTS-th, beginning with the PART-th from
 * 0.
 *
 * The reference is the negamax of tests/support/reference.h, which shares no code with the library's
 * searches. */
#include "tests/support/random_network.h"
#include "tests/support/reference.h"
#include "tests/support/strategies.h"
#include "tests/support/subjects.h"
#include "tests/support/test.h"

#include "base/clock.h"
#include "search/random_evaluation.h"

enum { MOST_LEAVES = 200000, FEWER_LEAVES = 4000, MOST_PLIES = 80 };

static int position_count = 100;

/* A large run tries all of them with every strategy on every position, a small one each in turn. */
static const int thread_counts[] = {1, 2, 3, 8};
enum { THREAD_COUNTS = 4, LARGE_RUN = 1000 };

struct subject {
    struct mp_game *game;
    uint64_t searches;
    int turn; /* of the numbers of threads */
};

/* The expected line begins with the move and can be played. */
static void check_line(const struct mp_position *position, const struct mp_result *result, const char *text)
{
    struct mp_position *end = mp_position_copy(position, NULL);
    assert_true(result->pv_length > 0 && result->pv[0] == result->move);
    for (int ply = 0; ply < result->pv_length && !mp_position_is_chance(end); ply++)
        if ((ply > 0 && mp_position_drawn(end)) || !mp_position_play(end, result->pv[ply], NULL))
            fail_msg("%s: move %d of the expected line is not legal", text, ply);
    mp_position_free(end);
}

static void check(struct subject *subject, const struct mp_position *position, const char *strategy,
                  const char *eval, int depth, const mp_move *moves, const mp_value *values, int count)
{
    char text[500], place[4096];
    struct mp_error error = {0};
    struct mp_result result = {MP_SIZE(struct mp_result)};
    snprintf(text, sizeof text, "%s,depth=%d,eval=%s", strategy, depth, eval);
    struct mp_search *search = mp_search_new(subject->game, text, &error);
    if (!search || !mp_search_run(search, position, NULL, NULL, &result, &error))
        fail_msg("%s: %s", text, error.text);
    mp_search_free(search);
    check_line(position, &result, text);
    subject->searches++;
    mp_value best = values[0], chosen = -MP_INFINITE;
    for (int i = 0; i < count; i++) {
        best = values[i] > best ? values[i] : best;
        chosen = moves[i] == result.move ? values[i] : chosen;
    }
    bool deep_enough = result.depth == depth || (result.depth < depth && result.complete);
    if (result.value == best && chosen == best && result.exact && deep_enough)
        return;
    subject->game->print_position(subject->game, mp_position_state(position), place, sizeof place);
    fail_msg("%s on %s '%s': value %d, move worth %d, expected %d", text, subject->game->name, place,
             result.value, chosen, best);
}

/* With every number of threads, or with the next. */
static void check_threads(struct subject *subject, const struct mp_position *position, const char *strategy,
                          const char *eval, int depth, const mp_move *moves, const mp_value *values,
                          int count)
{
    bool splits = strstr(strategy, "%d"), large = position_count >= LARGE_RUN;
    if (!strategy_suits(strategy, subject->game))
        return;
    for (int i = 0; i < (splits && large ? THREAD_COUNTS : 1); i++) {
        char text[400];
        int turn = large || !splits ? i : subject->turn++;
        strategy_fill_in(strategy, thread_counts[turn % THREAD_COUNTS], text, sizeof text);
        check(subject, position, text, eval, depth, moves, values, count);
    }
}

static void check_position(struct subject *subject, const struct mp_position *position, uint64_t most_leaves,
                           const struct mp_evaluation *evaluation, const char *eval)
{
    const struct mp_game *game = subject->game;
    mp_move moves[REFERENCE_MOST_MOVES];
    mp_value values[REFERENCE_MOST_MOVES];
    int count = mp_position_moves(position, moves, NULL, REFERENCE_MOST_MOVES);
    for (int depth = 1; depth <= REFERENCE_MOST_DEPTH; depth++) {
        uint64_t leaves;
        assert_true(mp_perft(position, depth, 1, false, NULL, NULL, &leaves, NULL));
        if (leaves > most_leaves)
            break;
        reference_values(game, evaluation, position, depth, moves, count, values);
        for (const char *const *strategy = exact_strategies; *strategy; strategy++)
            check_threads(subject, position, *strategy, eval, depth, moves, values, count);
    }
}

static void agrees_with_minimax(void **test_state)
{
    struct mp_error error = {0};
    struct subject subject = {.game = mp_game_open(*test_state, &error)};
    if (!subject.game)
        fail_msg("%s", error.text);
    int evaluations = 0;
    while (subject.game->evaluations[evaluations].name)
        evaluations++;
    struct random_network network;
    bool has_network = random_network_init(&network, subject.game, 16, 16, true);
    int64_t start = clock_ns();
    /* A variant of a game has most of its code in common with the game. */
    int positions = strchr(*test_state, ':') ? (position_count + 4) / 5 : position_count;
    for (int i = 0; i < positions; i++) {
        struct mp_position *position = subjects_position(subject.game, (uint64_t)i, MOST_PLIES);
        bool small = position_count >= LARGE_RUN && i / 2 % 10 != 0;
        uint64_t most_leaves = small ? FEWER_LEAVES : MOST_LEAVES;
        /* Every other position with a random evaluation, the rest with the game's and a network's in turn. */
        int which = i / 2 % (evaluations + has_network);
        if (i % 2 == 0) {
            char eval[32];
            snprintf(eval, sizeof eval, "random:%d", i);
            struct random_evaluation random = random_evaluation((uint64_t)i);
            check_position(&subject, position, most_leaves, &random.evaluation, eval);
        } else if (which == evaluations) {
            char eval[128];
            snprintf(eval, sizeof eval, "network:%s", network.path);
            check_position(&subject, position, most_leaves, &network.evaluation.evaluation, eval);
        } else {
            const struct mp_evaluation *e = &subject.game->evaluations[which];
            check_position(&subject, position, most_leaves, e, e->name);
        }
        mp_position_free(position);
    }
    print_message("%s: %d positions, %llu searches agree with minimax (%.1f s)\n", subject.game->name,
                  positions, (unsigned long long)subject.searches, clock_seconds_since(start));
    if (has_network)
        random_network_free(&network);
    mp_game_close(subject.game);
}

int main(int argc, char **argv)
{
    enum { MOST = 64 };
    struct CMUnitTest tests[MOST];
    size_t count = 0;
    if (argc > 1)
        position_count = atoi(argv[1]);
    int part = argc > 3 ? atoi(argv[2]) : 0, parts = argc > 3 ? atoi(argv[3]) : 1, index = 0;
    for (const char *const *name = subjects_names(); *name && count < MOST; name++, index++)
        if (index % parts == part)
            tests[count++] = (struct CMUnitTest){*name, agrees_with_minimax, NULL, NULL, (void *)*name};
    return _cmocka_run_group_tests("exactness", tests, count, NULL, NULL);
}
