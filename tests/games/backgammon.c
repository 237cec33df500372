/* backgammon.c - the rules against counts of GNU Backgammon and against a slow generator that shares no code
 * with the fast one; positions and plays in text; how games end. */
#include "tests/support/facts.h"
#include "tests/support/subjects.h"
#include "tests/support/test.h"

#include "base/random.h"
#include "games/backgammon/backgammon.h"

enum { MOST_MOVES = 4096, TEXT = 1024 };

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

static struct mp_position *position_of(const char *text)
{
    struct mp_error error = {0};
    struct mp_position *position = mp_position_new(game, text, &error);
    if (!position)
        fail_msg("'%s': %s", text, error.text);
    return position;
}

static const struct backgammon *state_of(const struct mp_position *position)
{
    return mp_position_state(position);
}

/* ---- Counts -------------------------------------------------------------------------------------------- */

static void counts_lines_of_play(void **state)
{
    (void)state;
    const uint64_t expected[] = {1, 447, 202782, 116154993};
    struct mp_position *position = position_of("4HPwATDgc/ABMA");
    for (int depth = 0; depth <= 3; depth++) {
        uint64_t leaves;
        assert_true(mp_perft(position, depth, 1, false, NULL, NULL, &leaves, NULL));
        assert_int_equal(leaves, expected[depth]);
    }
    mp_position_free(position);
}

static uint64_t weighted_perft(const void *state, int depth)
{
    mp_move rolls[21], moves[MOST_MOVES];
    uint32_t weights[21];
    struct backgammon thrown, next;
    uint64_t leaves = 0;
    assert_int_equal(game->chances(game, state, rolls, weights, 21), 21);
    for (int i = 0; i < 21; i++) {
        game->play(game, state, rolls[i], &thrown);
        int count = game->list(game, &thrown, moves, MOST_MOVES);
        if (depth == 1) {
            leaves += weights[i] * (uint64_t)count;
            continue;
        }
        for (int j = 0; j < count; j++) {
            game->play(game, &thrown, moves[j], &next);
            leaves += weights[i] * weighted_perft(&next, depth - 1);
        }
    }
    return leaves;
}

static void counts_weighted_lines(void **state)
{
    (void)state;
    const struct {
        const char *id;
        uint64_t first, second, third; /* 0: not known */
    } cases[] = {{"4HPwATDgc/ABMA", 637, 419783, 346692108},
                 {"7HYDBAyb3WMAAA", 276, 311099, 0},
                 {"izvDBgA2uyEgBg", 1153, 1047328, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct mp_position *position = position_of(cases[i].id);
        assert_int_equal(weighted_perft(mp_position_state(position), 1), cases[i].first);
        assert_int_equal(weighted_perft(mp_position_state(position), 2), cases[i].second);
        if (cases[i].third)
            assert_int_equal(weighted_perft(mp_position_state(position), 3), cases[i].third);
        mp_position_free(position);
    }
}

/* How many plays a roll has; that none can be played counts 0. */
static int count_plays(const char *id, int a, int b)
{
    char text[32];
    snprintf(text, sizeof text, "%s %d%d", id, a, b);
    struct mp_position *position = position_of(text);
    mp_move moves[MOST_MOVES];
    int count = mp_position_moves(position, moves, NULL, MOST_MOVES);
    bool pass = count == 1 && game->is_pass(game, moves[0]);
    mp_position_free(position);
    return count - pass;
}

static void counts_as_gnu_backgammon_does(void **state)
{
    (void)state;
    struct facts facts;
    facts_open(&facts, "backgammon_plays.txt");
    for (const char *line; (line = facts_next(&facts));) {
        char id[16];
        int at = 0, expected, length;
        if (sscanf(line, "%14s%n", id, &at) != 1)
            facts_malformed(&facts, "a position ID and 21 counts");
        for (int a = 1; a <= 6; a++)
            for (int b = 1; b <= a; b++, at += length) {
                if (sscanf(line + at, " %d%n", &expected, &length) != 1)
                    facts_malformed(&facts, "a position ID and 21 counts");
                int count = count_plays(id, a, b);
                if (count != expected)
                    fail_msg("%s %d%d: %d plays, expected %d", id, a, b, count, expected);
            }
        if (line[at])
            facts_malformed(&facts, "nothing after the 21 counts");
    }
    facts_close(&facts, 120);
}

/* ---- A slow generator: every order of the dice, step by step on a board, all results compared ------ */

struct results {
    struct board {
        int own[26], opp[26];
    } boards[20000];
    int count, steps, first_die; /* the longest play so far, and the die of a single step */
};

static bool may_step(const struct board *b, int from, int die)
{
    if (b->own[from] == 0 || (from != 25 && b->own[25]))
        return false;
    if (from > die)
        return b->opp[25 - (from - die)] < 2;
    int highest = 25;
    while (b->own[highest] == 0)
        highest--;
    return highest <= 6 && (from == die || from == highest);
}

static void keep(struct results *r, const struct board *b, int steps, int die)
{
    if (steps < r->steps || (steps == r->steps && steps == 1 && die < r->first_die))
        return;
    if (steps > r->steps || (steps == 1 && die > r->first_die))
        r->count = 0;
    r->steps = steps;
    r->first_die = die;
    for (int i = 0; i < r->count; i++)
        if (!memcmp(&r->boards[i], b, sizeof *b))
            return;
    assert_true(r->count < 20000);
    r->boards[r->count++] = *b;
}

static void step_on(struct results *r, const struct board *b, const int *dice, int left, int steps)
{
    if (steps)
        keep(r, b, steps, dice[-1]);
    for (int from = 25; left && from > 0; from--) {
        if (!may_step(b, from, dice[0]))
            continue;
        struct board next = *b;
        int to = from > dice[0] ? from - dice[0] : 0;
        next.own[from]--;
        next.own[to]++;
        if (to && next.opp[25 - to]) {
            next.opp[25 - to]--;
            next.opp[25]++;
        }
        step_on(r, &next, dice + 1, left - 1, steps + 1);
    }
}

static struct board board_of(const uint8_t *own, const uint8_t *opp)
{
    struct board b;
    for (int p = 0; p < 26; p++) {
        b.own[p] = own[p];
        b.opp[p] = opp[p];
    }
    return b;
}

/* The steps of a play, one by one, are legal and lead where the play leads. */
static void check_steps(const struct backgammon *s, mp_move move, const struct board *result)
{
    struct backgammon_step steps[4];
    struct board board = board_of(s->own, s->opp);
    int count = backgammon_steps(s, move, steps);
    for (int i = 0; i < count; i++) {
        int from = steps[i].from, to = steps[i].to;
        bool legal = false, hits = to && board.opp[25 - to] == 1;
        for (int die = 0; die < 2; die++)
            legal = legal || (may_step(&board, from, s->die[die]) &&
                              to == (from > s->die[die] ? from - s->die[die] : 0));
        assert_true(legal);
        assert_int_equal(steps[i].hits, hits);
        board.own[from]--;
        board.own[to]++;
        if (hits) {
            board.opp[25 - to]--;
            board.opp[25]++;
        }
    }
    assert_memory_equal(&board, result, sizeof board);
}

static void compare_with_slow(const struct backgammon *s)
{
    static struct results r;
    mp_move moves[MOST_MOVES];
    char text[TEXT];
    int a = s->die[0], b = s->die[1], count = game->list(game, s, moves, MOST_MOVES);
    struct board board = board_of(s->own, s->opp);
    r.count = r.steps = r.first_die = 0;
    if (a == b) {
        step_on(&r, &board, (int[]){a, a, a, a}, 4, 0);
    } else {
        step_on(&r, &board, (int[]){a, b}, 2, 0);
        step_on(&r, &board, (int[]){b, a}, 2, 0);
    }
    game->print_position(game, s, text, sizeof text);
    if (r.count == 0) {
        if (count != 1 || moves[0] != BACKGAMMON_PASS)
            fail_msg("%s: %d plays, expected a pass", text, count);
        return;
    }
    if (count != r.count)
        fail_msg("%s: %d plays, expected %d", text, count, r.count);
    for (int i = 0; i < count; i++) {
        struct backgammon next;
        game->play(game, s, moves[i], &next);
        struct board result = board_of(next.opp, next.own);
        int at = 0;
        while (at < r.count && memcmp(&r.boards[at], &result, sizeof result) != 0)
            at++;
        if (at == r.count)
            fail_msg("%s: a play leads where it must not", text);
        check_steps(s, moves[i], &result);
        r.boards[at].own[0] = -1; /* each result once */
        for (int j = 0; j < i; j++)
            assert_int_not_equal(moves[i] & 0xffff, moves[j] & 0xffff);
    }
}

/* A board with chequers anywhere, most of them low when the seed says so: bars, primes and bear-offs. */
static struct backgammon random_board(uint64_t seed)
{
    uint64_t stream = seed;
    struct backgammon s = {.cube_owner = BACKGAMMON_NO_OWNER};
    uint32_t reach = (uint32_t[]){25, 12, 8, 6}[seed % 4];
    uint8_t *men[2] = {s.own, s.opp};
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < BACKGAMMON_MEN; i++) {
            uint32_t high = random_below(random_next(&stream), 16) == 0 ? 25 : reach;
            uint32_t place = random_below(random_next(&stream), high + 1);
            bool taken = side == 1 && place >= 1 && place <= 24 && s.own[25 - place];
            men[side][taken ? 0 : place]++;
        }
    for (int side = 0; side < 2; side++)
        if (men[side][0] == BACKGAMMON_MEN) {
            men[side][0]--;
            men[side][25]++;
        }
    int a = 1 + (int)random_below(random_next(&stream), 6),
        b = 1 + (int)random_below(random_next(&stream), 6);
    s.die[0] = (uint8_t)(a > b ? a : b);
    s.die[1] = (uint8_t)(a > b ? b : a);
    return s;
}

static void lists_what_the_slow_generator_lists(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 8000; seed++) {
        struct backgammon s = random_board(seed);
        compare_with_slow(&s);
    }
    for (uint64_t seed = 0; seed < 300; seed++) {
        struct mp_position *position = subjects_position(game, seed, 120);
        compare_with_slow(mp_position_state(position));
        mp_position_free(position);
    }
}

/* ---- Positions in text ----------------------------------------------------------------------------- */

static void reads_and_writes_positions(void **state)
{
    (void)state;
    const struct {
        const char *text, *written;
    } cases[] = {
        {"4HPwATDgc/ABMA", "4HPwATDgc/ABMA"},
        {"4HPwATDgc/ABMA 13", "4HPwATDgc/ABMA 31"},
        {"4HPwATDgc/ABMA:cAkAAAAAAAAA", "4HPwATDgc/ABMA:cAkAAAAAAAAA"},
        {"4HPwATDgc/ABMA:MAEAAAAAAAAE", "4HPwATDgc/ABMA"},
    };
    char text[TEXT];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct mp_position *position = position_of(cases[i].text);
        game->print_position(game, mp_position_state(position), text, sizeof text);
        assert_string_equal(text, cases[i].written);
        mp_position_free(position);
    }
}

static void reads_xgid(void **state)
{
    (void)state;
    /* As GNU Backgammon converts it. */
    struct mp_position *position = position_of("XGID=-c---BEaD-A--Bb--a-b-bbAb-:1:-1:1:62:5:8:0:15:10");
    const struct backgammon *s = state_of(position);
    char text[TEXT];
    game->print_position(game, s, text, sizeof text);
    assert_memory_equal(text, "s5kYEDiwzxMDEA:", 15);
    assert_int_equal(s->die[0], 6);
    assert_int_equal(s->die[1], 2);
    assert_int_equal(s->side, 1);
    assert_int_equal(s->cube_log, 1);
    assert_int_equal(s->cube_owner, 0);
    assert_int_equal(s->match_length, 15);
    assert_int_equal(s->score[1], 5);
    assert_int_equal(s->score[0], 8);
    mp_position_free(position);
    /* The other side of the same board. */
    position = position_of("XGID=-c---BEaD-A--Bb--a-b-bbAb-:0:0:-1:00:0:0:1:0:10");
    s = state_of(position);
    assert_int_equal(s->side, 0);
    assert_int_equal(s->jacoby, 1);
    assert_int_equal(s->own[24], 3);
    assert_int_equal(s->opp[6], 5);
    mp_position_free(position);
}

static void refuses_bad_positions(void **state)
{
    (void)state;
    const char *const cases[][2] = {
        {"", "0 characters, expected 14"},
        {"4HPwATDgc/ABM", "13 characters, expected 14"},
        {"4HPwATDgc/AB!A", "expected letters, digits"},
        {"//////////////", "expected letters, digits"},
        {"////////////8A", "more than 30 chequers"},
        {"////DwAAAAAAAA", "chequers of the opponent, expected at most 15"},
        {"AAAAAAAAAAAAAA", "no chequers at all"},
        {"4HPwATDgc/ABMA 71", "expected a roll"},
        {"4HPwATDgc/ABMA 311", "expected a roll"},
        {"4HPwATDgc/ABMA:cAk", "3 characters, expected 12"},
        {"4HPwATDgc/ABMA:cAkAAAAAA!AA", "expected letters, digits"},
        {"4HPwATDgc/ABMA:cBkAAAAAAAAA", "the turn is not clear"},
        {"4HPwATDgc/ABMA:MBkAAAAAAAAA", "expected backgammon:cube=on"},
        {"4HPwATDgc/ABMA nodding", "expected backgammon:cube=on"},
        {"4HPwATDgc/ABMA:cAkAIAkAAAAA", "a match to"},
        {"XGID=-b----E-C---eE---c-e----B:0:0:1:00:0:0:0:0:10", "expected 26"},
        {"XGID=-b----E-C---eE---c-e----B-:0:0:1", "expected"},
        {"XGID=-b----E-C---eE---c-e--?-B-:0:0:1:00:0:0:0:0:10", "expected"},
        {"XGID=-b----E-C---eE---c-e----B-:0:0:1:D:0:0:0:0:10", "expected"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct mp_error error = {0};
        assert_null(mp_position_new(game, cases[i][0], &error));
        assert_contains(error.text, cases[i][1]);
    }
}

/* ---- Plays in text --------------------------------------------------------------------------------- */

static void reads_plays(void **state)
{
    (void)state;
    const char *const cases[][3] = {
        /* position, spelling, how it is written */
        {"4HPwATDgc/ABMA 31", "8/5 6/5", "8/5 6/5"},
        {"4HPwATDgc/ABMA 31", "6/5 8/5", "8/5 6/5"},
        {"4HPwATDgc/ABMA 31", "13/10/9", "13/9"},
        {"4HPwATDgc/ABMA 31", "13/9", "13/9"},
        {"4HPwATDgc/ABMA 66", "24/18(2) 13/7(2)", "24/18(2) 13/7(2)"},
        {"4HPwATDgc/ABMA 22", "13/5", "13/5"},
        {"4HPwATDgc/ABMA 11", "8/7(2),6/5(2)", "8/7(2) 6/5(2)"},
    };
    char text[TEXT];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct mp_position *position = position_of(cases[i][0]);
        struct mp_error error = {0};
        mp_move move;
        if (!mp_position_parse_move(position, cases[i][1], &move, &error))
            fail_msg("%s", error.text);
        game->print_move(game, mp_position_state(position), move, text, sizeof text);
        assert_string_equal(text, cases[i][2]);
        mp_position_free(position);
    }
}

/* One chequer on the 13 point and a roll of 32: the blots on the way decide how many plays there are. */
static void tells_hits_apart(void **state)
{
    (void)state;
    const struct {
        const char *id;
        int plays;
        const char *spelling, *written; /* written null: the spelling does not say enough */
    } cases[] = {
        {"XGID=-------------A----------a-:0:0:1:32:0:0:0:0:10", 1, "13/11/8", "13/8"},
        {"XGID=-----------a-A----------a-:0:0:1:32:0:0:0:0:10", 2, "13/8", "13/8"},
        {"XGID=-----------a-A----------a-:0:0:1:32:0:0:0:0:10", 2, "13/11/8", "13/11*/8"},
        {"XGID=-----------a-A----------a-:0:0:1:32:0:0:0:0:10", 2, "13/11*/8", "13/11*/8"},
        {"XGID=----------aa-A----------a-:0:0:1:32:0:0:0:0:10", 2, "13/10*/8", "13/10*/8"},
        {"XGID=----------aa-A----------a-:0:0:1:32:0:0:0:0:10", 2, "13/8", NULL},
        {"XGID=----------ba-A----------a-:0:0:1:32:0:0:0:0:10", 1, "13/8", "13/11*/8"},
    };
    char text[TEXT];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct mp_position *position = position_of(cases[i].id);
        struct mp_error error = {0};
        mp_move move;
        assert_int_equal(mp_position_moves(position, NULL, NULL, 0), cases[i].plays);
        bool read = mp_position_parse_move(position, cases[i].spelling, &move, &error);
        assert_int_equal(read, cases[i].written != NULL);
        if (read) {
            game->print_move(game, mp_position_state(position), move, text, sizeof text);
            assert_string_equal(text, cases[i].written);
        } else {
            assert_contains(error.text, "different hits");
        }
        mp_position_free(position);
    }
}

static void names_what_is_wrong(void **state)
{
    (void)state;
    const char *const cases[][3] = {
        {"4HPwATDgc/ABMA 31", "7/4 6/5", "no chequer of yours on the 7 point"},
        {"4HPwATDgc/ABMA 65", "24/19 13/7", "the 19 point is closed"},
        {"4HPwATDgc/ABMA 31", "bar/22 6/5", "no chequer of yours is on the bar"},
        {"4HPwATDgc/ABMA 31", "6/off 6/5", "only when all are home"},
        {"4HPwATDgc/ABMA 31", "8/5", "does not use the roll 31"},
        {"4HPwATDgc/ABMA 22", "13/7", "does not use the roll 22"},
        {"4HPwATDgc/ABMA 31", "8/5* 6/5", "no blot to hit on the 5 point"},
        {"4HPwATDgc/ABMA 31", "31", "expected a play"},
        {"4HPwATDgc/ABMA", "8/5 6/5", "expected a roll"},
        {"4HPwATDgc/ABMA", "70", "expected a roll"},
        {"4HPwATDgc/ABMA 31", "pass", "can be played"},
        {"4HPwATDgc/ABMA 31", "8", "expected steps"},
        {"4HPwATDgc/ABMA 31", "8/5(5)", "expected steps"},
        {"4HPwATDgc/ABMA 31", "5/8 6/5", "expected steps"},
        {"4HPwATDgc/ABMA 31", "", "expected steps"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct mp_position *position = position_of(cases[i][0]);
        struct mp_error error = {0};
        mp_move move;
        assert_false(mp_position_parse_move(position, cases[i][1], &move, &error));
        assert_contains(error.text, cases[i][2]);
        mp_position_free(position);
    }
}

/* Plays have blanks in them; a record is read by the longest play that fits. */
static void plays_records(void **state)
{
    (void)state;
    const char *const same[] = {"31 8/5 6/5 42 8/4 6/4 55 13/3(2) 21",
                                "13, 6/5 8/5, 24, 6/4, 8/4, 55, 13/8(2), 8/3(2), 12",
                                " 31\t8/5 6/5\n42 8/4 6/4 55 13/8 13/8 8/3 8/3 21 "};
    char text[TEXT], first[TEXT] = "";
    struct mp_error error = {0};
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        struct mp_position *position = mp_position_new(game, NULL, NULL);
        if (!mp_position_play_text(position, same[i], &error))
            fail_msg("'%s': %s", same[i], error.text);
        game->print_position(game, mp_position_state(position), text, sizeof text);
        if (i == 0)
            strcpy(first, text);
        assert_string_equal(text, first);
        mp_position_free(position);
    }
    /* A turn without a play may be left out. */
    const char *const passed[] = {"66 pass 21", "66 12"};
    for (size_t i = 0; i < 2; i++) {
        struct mp_position *position = position_of("7HYDBAyb3WMAAA");
        assert_true(mp_position_play_text(position, passed[i], &error));
        assert_int_equal(state_of(position)->side, 1);
        assert_int_equal(state_of(position)->die[0], 2);
        mp_position_free(position);
    }
    /* An error names the place and leaves the position as it was. */
    const char *const wrong[][2] = {{"31 8/5 6/4 42", "after 1 move: backgammon play '8/5 6/4'"},
                                    {"31 8/5 6/5 8/4", "after 2 moves: backgammon: '8/4' is not a move here"},
                                    {"31 8/5", "after 1 move: backgammon play '8/5'"},
                                    {"31 42", "after 1 move: backgammon: '42' is not a move here"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct mp_position *position = mp_position_new(game, NULL, NULL);
        assert_false(mp_position_play_text(position, wrong[i][0], &error));
        assert_contains(error.text, wrong[i][1]);
        game->print_position(game, mp_position_state(position), text, sizeof text);
        assert_string_equal(text, "4HPwATDgc/ABMA");
        mp_position_free(position);
    }
}

/* Texts with a few characters changed: whatever is read can be written and read again, the rest is refused
 * with a sentence, and nothing is read outside the text (the sanitizers watch). */
static void survives_garbage(void **state)
{
    (void)state;
    const char *const good[] = {"4HPwATDgc/ABMA 31", "4HPwATDgc/ABMA:cAkAAAAAAAAA", "8/5(2) 6/off bar/20*/18",
                                "XGID=-c---BEaD-A--Bb--a-b-bbAb-:1:-1:1:62:5:8:0:15:10"};
    const char letters[] = "0123456789/*()-: barofXGIDaAzZ+=";
    struct mp_position *start = position_of("4HPwATDgc/ABMA 55");
    int read = 0;
    for (uint64_t seed = 0; seed < 40000; seed++) {
        uint64_t stream = seed;
        char text[128], written[TEXT];
        strcpy(text, good[seed % 4]);
        size_t length = strlen(text);
        for (uint32_t n = random_below(random_next(&stream), 4); n > 0; n--)
            text[random_below(random_next(&stream), (uint32_t)length)] =
                letters[random_below(random_next(&stream), sizeof letters)];
        struct mp_error error = {0};
        mp_move move;
        struct mp_position *position = mp_position_new(game, text, &error);
        if (position) {
            game->print_position(game, mp_position_state(position), written, sizeof written);
            struct mp_position *again = position_of(written);
            assert_int_equal(game->key(game, mp_position_state(position)),
                             game->key(game, mp_position_state(again)));
            mp_position_free(again);
            mp_position_free(position);
            read++;
        } else {
            assert_true(strlen(error.text) > 20);
        }
        error.text[0] = 0;
        if (!mp_position_parse_move(start, text, &move, &error))
            assert_true(strlen(error.text) > 20);
    }
    mp_position_free(start);
    assert_in_range(read, 5000, 35000);
}

/* ---- Ends ------------------------------------------------------------------------------------------ */

static int margin_after(const uint8_t loser[32], uint8_t cube_log, bool jacoby)
{
    struct backgammon s = {.cube_owner = BACKGAMMON_NO_OWNER, .cube_log = cube_log, .jacoby = jacoby};
    memcpy(s.own, loser, sizeof s.own);
    s.opp[BACKGAMMON_OFF] = BACKGAMMON_MEN;
    assert_int_equal(game->chances(game, &s, NULL, NULL, 0), 0);
    assert_int_equal(game->list(game, &s, NULL, 0), 0);
    return game->margin(game, &s);
}

static void scores_gammons(void **state)
{
    (void)state;
    const uint8_t one_off[32] = {[0] = 1, [24] = 14}, home[32] = {[6] = 15},
                  outside[32] = {[6] = 14, [18] = 1}, behind[32] = {[6] = 14, [19] = 1},
                  bar[32] = {[6] = 14, [25] = 1};
    assert_int_equal(margin_after(one_off, 0, false), -1);
    assert_int_equal(margin_after(home, 0, false), -2);
    assert_int_equal(margin_after(outside, 0, false), -2);
    assert_int_equal(margin_after(behind, 0, false), -3);
    assert_int_equal(margin_after(bar, 0, false), -3);
    assert_int_equal(margin_after(bar, 2, false), -12);
    assert_int_equal(margin_after(bar, 0, true), -1);
    /* Jacoby's rule is one for money: a match counts all, whatever its state says of the rule. */
    const struct backgammon match = {.cube_owner = BACKGAMMON_NO_OWNER, .match_length = 7, .jacoby = 1};
    assert_int_equal(backgammon_stake(&match, bar), 3);
    assert_int_equal(backgammon_stake(&match, home), 2);
}

/* ---- Dice ------------------------------------------------------------------------------------------ */

static void throws_fair_dice(void **state)
{
    (void)state;
    struct mp_position *position = position_of("4HPwATDgc/ABMA");
    enum { THROWS = 36000 };
    int count[64] = {0};
    for (uint64_t i = 0; i < THROWS; i++)
        count[mp_position_throw(position, 7, i % 100, i / 100) & 63]++;
    for (int a = 1; a <= 6; a++)
        for (int b = 1; b <= a; b++) {
            int expected = THROWS / (a == b ? 36 : 18);
            assert_in_range(count[a << 3 | b], expected * 8 / 10, expected * 12 / 10);
        }
    mp_move again = mp_position_throw(position, 7, 3, 5);
    assert_int_equal(mp_position_throw(position, 7, 3, 5), again);
    mp_position_free(position);
}

/* White's margin in a game on the dice of a seed. */
static int play_game(struct mp_search *search, const char *start, uint64_t seed, uint64_t number)
{
    struct mp_position *position = position_of(start);
    struct mp_result result = {MP_SIZE(struct mp_result)};
    for (uint64_t throws = 0; mp_position_moves(position, NULL, NULL, 0) > 0;) {
        if (mp_position_is_chance(position))
            result.move = mp_position_throw(position, seed, number, throws++);
        else
            assert_true(mp_search_run(search, position, NULL, NULL, &result, NULL));
        assert_true(mp_position_play(position, result.move, NULL));
    }
    int margin = mp_position_margin(position);
    mp_position_free(position);
    return margin;
}

/* The same dice with Black to begin: all that White did Black does, so the sum of both games is 0. */
static void mirrored_dice_cancel(void **state)
{
    (void)state;
    const char *const strategies[] = {"expectiminimax,depth=1,eval=pubeval", "star2,depth=2,keep=3",
                                      "expectiminimax,depth=1,eval=report"};
    for (size_t i = 0; i < sizeof strategies / sizeof *strategies; i++) {
        struct mp_search *search = mp_search_new(game, strategies[i], NULL);
        assert_non_null(search);
        int sum = 0, most = 0;
        for (uint64_t number = 0; number < 20; number++) {
            int white = play_game(search, "4HPwATDgc/ABMA", 11, number);
            sum += white + play_game(search, "4HPwATDgc/ABMA:cAkAAAAAAAAE", 11, number);
            most = abs(white) > most ? abs(white) : most;
        }
        assert_int_equal(sum, 0);
        assert_in_range(most, 1, 3);
        mp_search_free(search);
    }
}

/* ---- What a network sees ----------------------------------------------------------------------------- */

/* Of 36 throws, how many hit, as the inputs say: those from FIRST_SHOT on, one for each number. */
static int seen_shots(const struct backgammon *s)
{
    enum { FIRST_SHOT = 430, LAST_SHOT = FIRST_SHOT + 36 };
    uint16_t inputs[64];
    int count = game->features->list(game, s, 0, inputs), shots = 0;
    for (int i = 0; i < count; i++)
        if (inputs[i] >= FIRST_SHOT && inputs[i] <= LAST_SHOT)
            shots = inputs[i] - FIRST_SHOT;
    return shots;
}

/* The same by all plays of all throws. */
static int played_shots(struct backgammon s)
{
    int shots = 0;
    for (int a = 1; a <= 6; a++)
        for (int b = 1; b <= a; b++) {
            mp_move moves[MOST_MOVES];
            bool hits = false;
            s.die[0] = (uint8_t)a;
            s.die[1] = (uint8_t)b;
            int count = game->list(game, &s, moves, MOST_MOVES);
            for (int i = 0; i < count; i++) {
                struct backgammon next;
                game->play(game, &s, moves[i], &next);
                hits = hits || next.own[BACKGAMMON_BAR] > s.opp[BACKGAMMON_BAR];
            }
            shots += hits ? a == b ? 1 : 2 : 0;
        }
    return shots;
}

/* What every book says of a lonely blot, by its distance; and any board by all plays. What is left out, that a throw
 * may have to be played without hitting, and bearing off on the way, changes one board in a hundred. */
static void sees_shots(void **state)
{
    (void)state;
    static const int known[25] = {0, 11, 12, 14, 15, 15, 17, 6, 6, 5, 3, 2, 3,
                                  0, 0,  1,  1,  0,  1,  0,  1, 0, 0, 0, 1};
    for (int distance = 1; distance < 24; distance++) {
        struct backgammon s = {.cube_owner = BACKGAMMON_NO_OWNER};
        s.own[24] = 2;
        s.own[0] = BACKGAMMON_MEN - 2;
        s.opp[25 - (24 - distance)] = 1;
        s.opp[0] = BACKGAMMON_MEN - 1;
        assert_int_equal(seen_shots(&s), known[distance]);
    }
    int compared = 0, different = 0;
    for (uint64_t seed = 0; seed < 400; seed++) {
        struct backgammon s = random_board(seed);
        s.die[0] = s.die[1] = 0;
        if (!game->features->head(game, &s)) {
            compared++;
            different += seen_shots(&s) != played_shots(s);
        }
    }
    assert_true(compared > 100);
    assert_in_range(different, 0, compared / 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_lines_of_play),
        cmocka_unit_test(counts_weighted_lines),
        cmocka_unit_test(counts_as_gnu_backgammon_does),
        cmocka_unit_test(lists_what_the_slow_generator_lists),
        cmocka_unit_test(reads_and_writes_positions),
        cmocka_unit_test(reads_xgid),
        cmocka_unit_test(refuses_bad_positions),
        cmocka_unit_test(reads_plays),
        cmocka_unit_test(tells_hits_apart),
        cmocka_unit_test(names_what_is_wrong),
        cmocka_unit_test(plays_records),
        cmocka_unit_test(survives_garbage),
        cmocka_unit_test(scores_gammons),
        cmocka_unit_test(throws_fair_dice),
        cmocka_unit_test(mirrored_dice_cancel),
        cmocka_unit_test(sees_shots),
    };
    return cmocka_run_group_tests_name("backgammon", tests, open_game, close_game);
}
