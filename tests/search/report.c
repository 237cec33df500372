/* report.c - compat=report against the report's algorithms, written here a second time on a plain 8x8 array
 * straight from its text, and against what is known of its faults. */
#include "tests/support/subjects.h"
#include "tests/support/test.h"

/* ---- The report's program, on its own kind of board ------------------------------------------------ */

struct board {
    int cell[8][8]; /* 0 empty, 1 and 2 */
    int player;
};

static const int directions[8][2] = {{-1, -1}, {-1, 0}, {-1, 1}, {0, -1}, {0, 1}, {1, -1}, {1, 0}, {1, 1}};

static bool inside(int i, int j)
{
    return i >= 0 && i < 8 && j >= 0 && j < 8;
}

/* How many discs turn in one direction. */
static int flanked(const struct board *b, int i, int j, const int *d)
{
    int count = 0;
    for (i += d[0], j += d[1]; inside(i, j) && b->cell[i][j] == 3 - b->player; i += d[0], j += d[1])
        count++;
    return inside(i, j) && b->cell[i][j] == b->player ? count : 0;
}

static bool is_legal(const struct board *b, int i, int j)
{
    int sum = 0;
    for (int k = 0; k < 8; k++)
        sum += flanked(b, i, j, directions[k]);
    return b->cell[i][j] == 0 && sum > 0;
}

static int legal_moves(const struct board *b, int moves[64])
{
    int count = 0;
    for (int i = 0; i < 64; i++)
        if (is_legal(b, i / 8, i % 8))
            moves[count++] = i;
    return count;
}

static struct board after(const struct board *b, int move)
{
    struct board next = *b;
    for (int k = 0; k < 8; k++)
        for (int n = flanked(b, move / 8, move % 8, directions[k]); n > 0; n--)
            next.cell[move / 8 + n * directions[k][0]][move % 8 + n * directions[k][1]] = b->player;
    next.cell[move / 8][move % 8] = b->player;
    next.player = 3 - b->player;
    return next;
}

static int evaluate_board(const struct board *b)
{
    int corners = 0, lead = 0, moves[64];
    for (int i = 0; i < 64; i++) {
        int cell = b->cell[i / 8][i % 8];
        lead += cell == b->player ? 1 : cell ? -1 : 0;
    }
    for (int i = 0; i < 8; i += 7)
        for (int j = 0; j < 8; j += 7)
            corners += b->cell[i][j] == b->player ? 2 : 0;
    int third = lead / 3 - (lead < 0 && lead % 3 != 0);
    return 2 * corners + legal_moves(b, moves) + third;
}

static int plain(const struct board *b, int depth, bool maximising)
{
    int moves[64], count = legal_moves(b, moves), best = 0;
    if (depth == 0 || count == 0)
        return evaluate_board(b);
    for (int i = 0; i < count; i++) {
        struct board next = after(b, moves[i]);
        int value = plain(&next, depth - 1, !maximising);
        if (i == 0 || (maximising ? value > best : value < best))
            best = value;
    }
    return best;
}

static int pruned(const struct board *b, int depth, bool maximising, int alpha, int beta)
{
    int moves[64], count = legal_moves(b, moves), value = maximising ? 0 : 10000;
    if (depth == 0)
        return evaluate_board(b);
    for (int i = 0; i < count; i++) {
        struct board next = after(b, moves[i]);
        int below = pruned(&next, depth - 1, !maximising, alpha, beta);
        if (maximising) {
            value = below > value ? below : value;
            if (value >= beta)
                return value;
            alpha = value > alpha ? value : alpha;
        } else {
            value = below < value ? below : value;
            if (value <= alpha)
                return value;
            beta = value < beta ? value : beta;
        }
    }
    return value;
}

/* ---- The comparison -------------------------------------------------------------------------------- */

static struct board board_of(const struct mp_game *game, const struct mp_position *position)
{
    char text[128];
    struct board board = {{{0}}, 1};
    game->print_position(game, mp_position_state(position), text, sizeof text);
    for (int i = 0; i < 64; i++)
        board.cell[i / 8][i % 8] = text[i] == 'X' ? 1 : text[i] == 'O' ? 2 : 0;
    board.player = text[65] == 'X' ? 1 : 2;
    return board;
}

static void plays_as_the_report_does(void **state)
{
    (void)state;
    struct mp_game *game = mp_game_open("othello", NULL);
    int compared = 0, unlike_minimax = 0;
    for (uint64_t seed = 0; compared < 120; seed++) {
        struct mp_position *position = subjects_position(game, seed, 58);
        struct board board = board_of(game, position);
        int moves[64], count = legal_moves(&board, moves);
        const char *const strategies[] = {"minimax,compat=report,eval=report,depth=4",
                                          "alphabeta,compat=report,eval=report,depth=4"};
        for (int prune = 0; prune < 2 && count > 0; prune++) {
            int best = -1000000, move = -1;
            for (int i = 0; i < count; i++) {
                struct board next = after(&board, moves[i]);
                int value = prune ? pruned(&next, 3, true, 0, 100000) : plain(&next, 3, true);
                if (value >= best) {
                    best = value;
                    move = moves[i];
                }
            }
            struct mp_search *search = mp_search_new(game, strategies[prune], NULL);
            struct mp_result result = {MP_SIZE(struct mp_result)};
            assert_true(mp_search_run(search, position, NULL, NULL, &result, NULL));
            assert_int_equal(result.value, best);
            assert_int_equal(result.move, move);
            assert_false(result.exact);
            mp_search_free(search);
            search = mp_search_new(game, "minimax,eval=report,depth=4", NULL);
            assert_true(mp_search_run(search, position, NULL, NULL, &result, NULL));
            unlike_minimax += result.move != (mp_move)move;
            mp_search_free(search);
            compared++;
        }
        mp_position_free(position);
    }
    /* The faults matter: it mostly plays other moves than minimax with the same evaluation. */
    assert_true(unlike_minimax > compared / 4);
    mp_game_close(game);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(plays_as_the_report_does)};
    return cmocka_run_group_tests_name("report", tests, NULL, NULL);
}
