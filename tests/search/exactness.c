/* exactness.c - the contract of every exact strategy: the value that plain minimax gives, and a move that has
 * it. Checked on random positions of every game, with the game's evaluations and with random ones, at every
 * depth whose minimax tree has at most 200,000 leaves (in a large run of nine positions in ten: 4,000).
 *
 *     exactness [POSITIONS [PART PARTS]]
 *
 * POSITIONS of each game, 100 if not said; of the games only every PARTS-th, beginning with the PART-th from
 * 0.
 *
 * The reference is the negamax below, which shares no code with the library's searches. */
#include "tests/support/subjects.h"
#include "tests/support/test.h"

#include "base/clock.h"
#include "search/random_evaluation.h"

enum { MOST_LEAVES = 200000, FEWER_LEAVES = 4000, MOST_DEPTH = 10, MOST_PLIES = 80, MOST_MOVES = 4096 };

static int position_count = 100;

#define NOTHING_SELECTIVE                                                                                    \
    "selective=on,quiescence=off,exchange=off,nullmove=off,lmr=off,rfp=off,futility=off,lmp=off,checks=off," \
    "iir=off,deeper=off,repetition=off,correction=off"

/* %d is the number of threads. eager=on: these trees would be done before they are shared. */
static const char *const strategies[] = {
    "minimax",
    "alphabeta",
    "pvs,hash=1",
    "pvs,hash=0",
    "pvs,hash=1,aspiration=off,killers=off,history=off",
    "minimax,split=top,eager=on,threads=%d",
    "minimax,split=levels,eager=on,threads=%d",
    "alphabeta,split=levels,levels=3,eager=on,threads=%d",
    "alphabeta,split=chunked,chunk=3,eager=on,threads=%d",
    "pvs,hash=1,split=chunked,eager=on,threads=%d",
    "minimax,split=bfs,eager=on,threads=%d",
    "pvs,hash=1,split=bfs,cap=20,eager=on,threads=%d",
    "alphabeta,split=shared,levels=3,min=2,eager=on,threads=%d",
    "pvs,hash=1,split=pvsplit,eager=on,threads=%d",
    "alphabeta,split=ybwc,eager=on,threads=%d",
    "pvs,hash=1,split=ybwc,eager=on,threads=%d",
    "pvs,hash=1,split=abdada,eager=on,threads=%d",
    "pvs,hash=1,split=lazy,eager=on,threads=%d",
    "pvs,hash=1," NOTHING_SELECTIVE,
    "pvs,hash=0,split=ybwc,eager=on,threads=%d," NOTHING_SELECTIVE,
    "expectiminimax",
    "star1",
    "star2",
    "star2,hash=1",
    "star2,split=top,eager=on,threads=%d",
    "star1,split=ybwc,eager=on,threads=%d",
    "expectiminimax,split=rolls,eager=on,threads=%d",
    "star1,split=rolls,eager=on,threads=%d",
    "star2,split=rolls,eager=on,threads=%d",
    "star1,split=rolls+moves,eager=on,threads=%d",
};
enum { STRATEGIES = sizeof strategies / sizeof *strategies };

/* A large run tries all of them with every strategy on every position, a small one each in turn. */
static const int thread_counts[] = {1, 2, 3, 8};
enum { THREAD_COUNTS = 4, LARGE_RUN = 1000 };

/* ---- The reference ------------------------------------------------------------------------------------- */

struct reference {
    const struct mp_game *game;
    const struct mp_evaluation *evaluation;
    uint64_t keys[1024];
    size_t key_count;
    uint64_t leaves;
};

static mp_value negamax(struct reference *r, const void *state, int ply, int depth)
{
    const struct mp_game *game = r->game;
    struct mp_history history = {r->keys, r->key_count};
    if (ply > 0 && game->drawn && game->drawn(game, state, &history))
        return 0;
    if (depth == 0) {
        r->leaves++;
        mp_value value = r->evaluation->evaluate(game, r->evaluation, state);
        if (game->scoring == MP_SCORE_WIN && abs(value) > MP_PROVEN)
            value += value > 0 ? -ply : ply;
        return value;
    }
    _Alignas(64) char child[1024];
    mp_move moves[MOST_MOVES];
    uint32_t weights[MOST_MOVES];
    int count = game->chances ? game->chances(game, state, moves, weights, MOST_MOVES) : 0;
    if (count > 0) {
        int64_t sum = 0, total = 0;
        for (int i = 0; i < count; i++) {
            game->play(game, state, moves[i], child);
            sum += weights[i] * (int64_t)negamax(r, child, ply + 1, depth);
            total += weights[i];
        }
        /* To the nearest, halves away from zero. */
        int64_t size = (2 * llabs(sum) + total) / (2 * total);
        return (mp_value)(sum < 0 ? -size : size);
    }
    count = game->list(game, state, moves, MOST_MOVES);
    if (count == 0)
        return mp_state_final_value(game, state, ply);
    mp_value best = -MP_INFINITE;
    r->keys[r->key_count++] = game->key(game, state);
    for (int i = 0; i < count; i++) {
        game->play(game, state, moves[i], child);
        mp_value value = -negamax(r, child, ply + 1, depth - 1);
        best = value > best ? value : best;
    }
    r->key_count--;
    return best;
}

/* ---- The check ----------------------------------------------------------------------------------------- */

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
    char text[256], place[4096];
    struct mp_error error = {""};
    struct mp_result result;
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
    if (result.value == best && chosen == best && result.exact && result.depth == depth)
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
    const char *place = strstr(strategy, "%d");
    if (strstr(strategy, "split=rolls") && !subject->game->chances)
        return;
    bool large = position_count >= LARGE_RUN;
    for (int i = 0; i < (place && large ? THREAD_COUNTS : 1); i++) {
        char text[200];
        snprintf(text, sizeof text, "%s", strategy);
        if (place) {
            int threads = thread_counts[large ? i : subject->turn++ % THREAD_COUNTS];
            snprintf(text + (place - strategy), sizeof text - (size_t)(place - strategy), "%d", threads);
        }
        check(subject, position, text, eval, depth, moves, values, count);
    }
}

static void check_position(struct subject *subject, const struct mp_position *position, uint64_t most_leaves,
                           const struct mp_evaluation *evaluation, const char *eval)
{
    const struct mp_game *game = subject->game;
    const void *state = mp_position_state(position);
    mp_move moves[MOST_MOVES];
    mp_value values[MOST_MOVES];
    _Alignas(64) char child[1024];
    assert_true(game->state_size <= sizeof child);
    int count = mp_position_moves(position, moves, NULL, MOST_MOVES);
    for (int depth = 1; depth <= MOST_DEPTH; depth++) {
        uint64_t leaves;
        assert_true(mp_perft(position, depth, 1, false, NULL, NULL, &leaves, NULL));
        if (leaves > most_leaves)
            break;
        struct reference r = {.game = game, .evaluation = evaluation};
        struct mp_history history = mp_position_history(position);
        if (game->drawn && history.count) {
            memcpy(r.keys, history.keys, history.count * sizeof *r.keys);
            r.key_count = history.count;
        }
        r.keys[r.key_count++] = game->key(game, state);
        for (int i = 0; i < count; i++) {
            game->play(game, state, moves[i], child);
            values[i] = -negamax(&r, child, 1, depth - 1);
        }
        for (int i = 0; i < STRATEGIES; i++)
            check_threads(subject, position, strategies[i], eval, depth, moves, values, count);
    }
}

static void agrees_with_minimax(void **test_state)
{
    struct mp_error error = {""};
    struct subject subject = {.game = mp_game_open(*test_state, &error)};
    if (!subject.game)
        fail_msg("%s", error.text);
    int evaluations = 0;
    while (subject.game->evaluations[evaluations].name)
        evaluations++;
    int64_t start = clock_ns();
    /* A variant of a game has most of its code in common with the game. */
    int positions = strchr(*test_state, ':') ? (position_count + 4) / 5 : position_count;
    for (int i = 0; i < positions; i++) {
        struct mp_position *position = subjects_position(subject.game, (uint64_t)i, MOST_PLIES);
        bool small = position_count >= LARGE_RUN && i / 2 % 10 != 0;
        uint64_t most_leaves = small ? FEWER_LEAVES : MOST_LEAVES;
        /* Every other position with a random evaluation, the rest with the game's in turn. */
        if (i % 2 == 0) {
            char eval[32];
            snprintf(eval, sizeof eval, "random:%d", i);
            struct random_evaluation random = random_evaluation((uint64_t)i);
            check_position(&subject, position, most_leaves, &random.evaluation, eval);
        } else {
            const struct mp_evaluation *e = &subject.game->evaluations[i / 2 % evaluations];
            check_position(&subject, position, most_leaves, e, e->name);
        }
        mp_position_free(position);
    }
    print_message("%s: %d positions, %llu searches agree with minimax (%.1f s)\n", subject.game->name,
                  positions, (unsigned long long)subject.searches, clock_seconds_since(start));
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
