/* perft.c - the move generator of chess against known counts.
 *
 *     perft [MOST_NODES [SUITE...]]     the file of known counts, and suites that are named, are counted to
 *                                       at most this many nodes each position and depth; 1,000,000 by
 *                                       default, 0 for no bound
 *
 * The positions in this source are the classic ones (chessprogramming.org, "Perft Results"). */
#include "tests/support/facts.h"
#include "tests/support/test.h"

#include "base/level.h"
#include "games/chess/chess.h"
#include "manyply/manyply.h"

static uint64_t most_nodes = 1000000;

static uint64_t perft(const struct mp_game *game, const char *fen, int depth)
{
    struct mp_error error = {0};
    uint64_t leaves = 0;
    struct mp_position *position = mp_position_new(game, fen, &error);
    if (!position || !mp_perft(position, depth, 1, true, NULL, NULL, &leaves, &error))
        fail_msg("%s: %s", fen, error.text);
    mp_position_free(position);
    return leaves;
}

static const struct known {
    const char *fen;
    int depth;
    uint64_t leaves;
} classics[] = {
    {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 5, 4865609},
    {"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 4, 4085603},
    {"8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 6, 11030083},
    {"r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 5, 15833292},
    {"r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ - 0 1", 4, 422333},
    {"rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 4, 2103487},
    {"r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10", 4, 3894594},
};

static void counts_classics(void **test_state)
{
    (void)test_state;
    struct mp_game *game = mp_game_open("chess", NULL);
    for (size_t i = 0; i < sizeof classics / sizeof *classics; i++)
        assert_int_equal(perft(game, classics[i].fen, classics[i].depth), classics[i].leaves);
    mp_game_close(game);
}

/* Every copy that this CPU can run, not only the best one. */
static void counts_alike_at_every_level(void **test_state)
{
    (void)test_state;
    const struct mp_game *const levels[] = LEVEL_TABLES(chess_table);
    for (int level = 0; level <= level_best(); level++) {
        levels[level]->open(NULL, NULL);
        for (size_t i = 1; i < 3; i++)
            assert_int_equal(perft(levels[level], classics[i].fen, classics[i].depth), classics[i].leaves);
    }
    print_message("%d levels\n", level_best() + 1);
}

/* The draw rules end a game but are no part of a perft. */
static void ignores_draw_rules(void **test_state)
{
    (void)test_state;
    struct mp_game *game = mp_game_open("chess", NULL);
    assert_int_equal(perft(game, "8/8/8/3k4/8/8/8/K7 w - - 0 1", 1), 3);
    assert_int_equal(perft(game, "4k3/8/8/8/8/8/8/4K2R w K - 99 80", 3), 1197);
    mp_game_close(game);
}

/* ---- Files --------------------------------------------------------------------------------------------- */

struct tally {
    const struct mp_game *game;
    int checks;
    uint64_t nodes;
};

static void check_count(struct tally *tally, const char *fen, int depth, uint64_t expected)
{
    if (most_nodes && expected > most_nodes)
        return;
    uint64_t leaves = perft(tally->game, fen, depth);
    if (leaves != expected)
        fail_msg("%s depth %d: %llu, expected %llu", fen, depth, (unsigned long long)leaves,
                 (unsigned long long)expected);
    tally->checks++;
    tally->nodes += leaves;
}

static void report(const struct tally *tally, const char *name)
{
    print_message("%s: %d counts, %llu nodes\n", name, tally->checks, (unsigned long long)tally->nodes);
}

/* Lines `FEN ; 20 400 8902`, the leaves at depth 1, 2 and so on. */
static void counts_facts(void **test_state)
{
    (void)test_state;
    struct mp_game *game = mp_game_open("chess", NULL);
    struct tally tally = {.game = game};
    struct facts facts;
    facts_open(&facts, "chess_perft.txt");
    for (const char *line; (line = facts_next(&facts));) {
        const char *field = strstr(line, " ; ");
        char fen[128], *end;
        if (!field || field - line >= (ptrdiff_t)sizeof fen)
            facts_malformed(&facts, "FEN ; leaves at depth 1, at depth 2, ...");
        snprintf(fen, sizeof fen, "%.*s", (int)(field - line), line);
        field += 3;
        for (int depth = 1; depth == 1 || *field; depth++, field = end) {
            unsigned long long expected = strtoull(field, &end, 10);
            if (end == field || (*end && *end != ' '))
                facts_malformed(&facts, "numbers of leaves after the ;");
            check_count(&tally, fen, depth, expected);
        }
    }
    facts_close(&facts, 127);
    report(&tally, facts.name);
    assert_true(tally.checks >= 127); /* at least depth 1 of each, whatever the bound */
    mp_game_close(game);
}

/* The counts of a line `FEN ;D1 20 ;D2 400`. */
static void check_line(struct tally *tally, char *line)
{
    int depth;
    unsigned long long expected;
    char *field = strtok(line, ";"), *fen = field;
    while ((field = strtok(NULL, ";")))
        if (sscanf(field, "D%d %llu", &depth, &expected) == 2)
            check_count(tally, fen, depth, expected);
}

/* A suite in one of the forms that they are published in: lines `FEN ;D1 20 ;D2 400`, or lines `epd FEN` with
 * lines `perft DEPTH LEAVES` below. All else is names and comments. */
static void counts_suite(void **test_state)
{
    const char *name = *test_state;
    FILE *file = fopen(name, "r");
    if (!file)
        fail_msg("%s cannot be opened, expected a file of positions and their counts", name);
    struct mp_game *game = mp_game_open("chess", NULL);
    struct tally tally = {.game = game};
    char line[1024], fen[1024] = "";
    while (fgets(line, sizeof line, file)) {
        int depth;
        unsigned long long expected;
        line[strcspn(line, "\r\n")] = 0;
        if (!strncmp(line, "epd ", 4))
            strcpy(fen, line + 4);
        else if (sscanf(line, "perft %d %llu", &depth, &expected) == 2)
            check_count(&tally, fen, depth, expected);
        else
            check_line(&tally, line);
    }
    fclose(file);
    report(&tally, name);
    assert_true(tally.checks > 0);
    mp_game_close(game);
}

int main(int argc, char **argv)
{
    if (argc > 1)
        most_nodes = strtoull(argv[1], NULL, 10);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_classics),
        cmocka_unit_test(counts_alike_at_every_level),
        cmocka_unit_test(ignores_draw_rules),
        cmocka_unit_test(counts_facts),
    };
    int failed = cmocka_run_group_tests_name("chess_perft", tests, NULL, NULL);
    for (int i = 2; i < argc; i++) {
        const struct CMUnitTest suite[] = {{argv[i], counts_suite, NULL, NULL, argv[i]}};
        failed += cmocka_run_group_tests_name(argv[i], suite, NULL, NULL);
    }
    return failed;
}
