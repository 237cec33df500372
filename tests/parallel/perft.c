/* perft.c - the leaves of a tree, counted on any number of threads, against a count that shares no code with
 * the library's; also where games end on the way, and where dice are thrown. */
#include "tests/support/subjects.h"
#include "tests/support/test.h"

enum { MOST_MOVES = 4096, STATE = 1024, ENOUGH_LEAVES = 3000, MOST_DEPTH = 6, MOST_THREADS = 4 };

/* A finished game above the horizon counts as one leaf, or as none. */
static uint64_t count(const struct mp_game *game, const void *state, int depth, bool drop_finished)
{
    _Alignas(64) char child[STATE];
    mp_move moves[MOST_MOVES];
    if (depth == 0)
        return 1;
    int throws = game->chances ? game->chances(game, state, moves, NULL, MOST_MOVES) : 0;
    int number = throws ? throws : game->list(game, state, moves, MOST_MOVES);
    if (number == 0)
        return !drop_finished;
    uint64_t leaves = 0;
    for (int i = 0; i < number; i++) {
        game->play(game, state, moves[i], child);
        leaves += count(game, child, throws ? depth : depth - 1, drop_finished);
    }
    return leaves;
}

struct shares {
    double last;
    int calls, steps_back;
};

static void note_share(double share, void *context)
{
    struct shares *shares = context;
    shares->calls++;
    shares->steps_back += share < shares->last || share > 1;
    shares->last = share;
}

static void counts_on_any_number_of_threads(void **state)
{
    struct mp_game *game = mp_game_open(*state, NULL);
    assert_non_null(game);
    assert_true(game->state_size <= STATE);
    for (uint64_t seed = 0; seed < 6; seed++) {
        /* Early and late: in the end many games are over above the horizon. */
        struct mp_position *position = subjects_position(game, seed, seed % 2 ? 200 : 10);
        for (int depth = 0; depth <= MOST_DEPTH; depth++) {
            uint64_t expected[2], leaves;
            for (int drop = 0; drop < 2; drop++)
                expected[drop] = count(game, mp_position_state(position), depth, drop);
            for (int threads = 1; threads <= MOST_THREADS; threads++)
                for (int drop = 0; drop < 2; drop++) {
                    struct shares shares = {0};
                    assert_true(mp_perft(position, depth, threads, drop, note_share, &shares, &leaves, NULL));
                    if (leaves != expected[drop])
                        fail_msg("%s, seed %d, depth %d, %d threads: %llu leaves, expected %llu", game->name,
                                 (int)seed, depth, threads, (unsigned long long)leaves,
                                 (unsigned long long)expected[drop]);
                    assert_int_equal(shares.steps_back, 0);
                }
            if (expected[0] > ENOUGH_LEAVES)
                break;
        }
        mp_position_free(position);
    }
    mp_game_close(game);
}

int main(void)
{
    enum { MOST = 64 };
    struct CMUnitTest tests[MOST];
    size_t number = 0;
    for (const char *const *name = subjects_names(); *name && number < MOST; name++)
        tests[number++] = (struct CMUnitTest){*name, counts_on_any_number_of_threads, NULL, NULL,
                                              (void *)*name};
    return _cmocka_run_group_tests("perft", tests, number, NULL, NULL);
}
