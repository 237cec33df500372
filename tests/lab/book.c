/* book.c - books: made in one go or in pieces they are the same, they hold what follows from their positions, a search
 * plays from them where it may, and a file that is damaged or lies is refused or not believed. */
#include "tests/support/subjects.h"
#include "tests/support/test.h"

#include "lab/book_make.h"
#include "lab/opening_names.h"

#include <unistd.h>

static const char path[] = "book_test.book", other[] = "book_test_other.book";
static const char strategy[] = "pvs,selective=on,nodes=300,hash=1";

static struct book_report make(const struct mp_game *game, const char *file, int positions)
{
    struct mp_error error = {0};
    struct book_report report;
    struct mp_position *root = mp_position_new(game, NULL, NULL);
    struct book_make make = {
        .root = root, .strategy = strategy, .positions = positions, .ply_cost = 50, .save_seconds = 1000};
    if (!book_make(&make, file, NULL, NULL, &report, &error))
        fail_msg("%s", error.text);
    mp_position_free(root);
    return report;
}

static char *contents(const char *file, size_t *size)
{
    FILE *f = fopen(file, "rb");
    char *bytes = calloc(1, 1 << 20);
    assert_non_null(f);
    *size = fread(bytes, 1, (1 << 20) - 1, f);
    fclose(f);
    return bytes;
}

static void write_file(const char *file, const char *bytes, size_t size)
{
    FILE *f = fopen(file, "wb");
    assert_int_equal(fwrite(bytes, 1, size, f), size);
    fclose(f);
}

static void a_book_made_in_pieces_is_the_same(void **state)
{
    (void)state;
    static const char *const games[] = {"othello", "chess", "halma"};
    for (size_t i = 0; i < sizeof games / sizeof *games; i++) {
        struct mp_game *game = mp_game_open(games[i], NULL);
        size_t size, other_size;
        unlink(path);
        unlink(other);
        struct book_report report = make(game, path, 60);
        assert_true(report.positions >= 60 && report.opened > 1 && !report.is_whole && report.found == 0);
        make(game, other, 10);
        make(game, other, 30);
        struct book_report last = make(game, other, 60);
        assert_int_equal(last.positions, report.positions);
        assert_int_equal(last.opened, report.opened);
        assert_true(last.found >= 30);
        char *whole = contents(path, &size), *pieces = contents(other, &other_size);
        assert_int_equal(size, other_size);
        assert_memory_equal(whole, pieces, size);
        free(whole);
        free(pieces);
        mp_game_close(game);
    }
}

/* The value of a position by plain minimax over the book. */
static mp_value follows(const struct mp_game *game, struct book *book, const void *state)
{
    mp_move moves[512];
    _Alignas(64) unsigned char after[4096];
    struct book_entry *entry = book_entry(book, book_find(book, state));
    mp_value best = -MP_INFINITE;
    assert_true(game->state_size <= sizeof after);
    if (!entry->is_open)
        return entry->searched;
    int count = game->list(game, state, moves, 512);
    for (int i = 0; i < count; i++) {
        game->play(game, state, moves[i], after);
        mp_value value = -follows(game, book, after);
        best = value > best ? value : best;
    }
    return best;
}

static void values_follow_from_what_comes_after(void **state)
{
    (void)state;
    struct mp_game *game = mp_game_open("othello", NULL);
    unlink(path);
    struct book_report report = make(game, path, 300);
    struct book *book = book_read(game, path, NULL);
    int open = 0, changed = 0;
    for (int place = 0; place < book_count(book); place++) {
        struct book_entry *entry = book_entry(book, place);
        assert_int_equal(entry->value, follows(game, book, book_state(book, place)));
        open += entry->is_open;
        changed += entry->value != entry->searched;
    }
    assert_int_equal(open, report.opened);
    assert_true(changed > open / 2);
    assert_string_equal(book_made(book), "pvs,nodes=300,eval=positional,hash=1,selective=on");
    book_free(book);
    mp_game_close(game);
}

/* How far a line of best, or of worst, moves stays in the book. */
static int plies_known(const struct mp_game *game, struct book *book, bool best)
{
    struct mp_position *position = mp_position_new(game, NULL, NULL);
    for (int ply = 0;; ply++) {
        mp_move moves[512], chosen = 0;
        mp_value value, least = MP_INFINITE;
        int depth, count = mp_position_moves(position, moves, NULL, 512);
        if (!book_answer(book, mp_position_state(position), &chosen, &value, &depth)) {
            mp_position_free(position);
            return ply;
        }
        for (int i = 0; !best && i < count; i++)
            if (book_move_value(book, mp_position_state(position), moves[i], &value, &depth) &&
                value < least) {
                least = value;
                chosen = moves[i];
            }
        assert_true(mp_position_play(position, chosen, NULL));
    }
}

static void good_lines_are_longest(void **state)
{
    (void)state;
    struct mp_game *game = mp_game_open("othello", NULL);
    struct book *book = book_read(game, path, NULL); /* of the test before */
    int best = plies_known(game, book, true), worst = plies_known(game, book, false);
    assert_true(best > worst);
    book_free(book);
    mp_game_close(game);
}

static void turned_positions_are_one(void **state)
{
    (void)state;
    struct mp_game *game = mp_game_open("othello", NULL);
    struct mp_error error = {0};
    struct book *book = book_new(game, NULL);
    const struct book_entry entry = {.searched = 5, .value = 7, .depth = 3};
    _Alignas(64) unsigned char turned[256];
    int added = 0;
    for (uint64_t seed = 0; seed < 200; seed++) {
        struct mp_position *position = subjects_position(game, seed, 40);
        const void *at = mp_position_state(position);
        bool is_new = book_find(book, at) < 0;
        int place = is_new ? book_add(book, at, &entry, NULL) : book_find(book, at);
        added += is_new;
        assert_int_equal(book_add(book, at, &entry, &error), -1);
        assert_contains(error.text, "expected each once");
        for (int way = 0; way < game->symmetry_count; way++) {
            game->transform(game, at, way, turned);
            assert_int_equal(book_find(book, turned), place);
        }
        mp_position_free(position);
    }
    assert_int_equal(book_count(book), added);
    assert_true(added > 100);
    book_free(book);
    mp_game_close(game);
}

static struct mp_result search(const struct mp_game *game, const char *text, const struct mp_limits *limits)
{
    struct mp_error error = {0};
    struct mp_result result = {MP_SIZE(struct mp_result)};
    struct mp_position *position = mp_position_new(game, NULL, NULL);
    struct mp_search *search = mp_search_new(game, text, &error);
    bool ok = search && (limits ? mp_search_run_within(search, position, limits, NULL, NULL, &result, &error)
                                : mp_search_run(search, position, NULL, NULL, &result, &error));
    if (!ok)
        fail_msg("%s: %s", text, error.text);
    mp_search_free(search);
    mp_position_free(position);
    return result;
}

/* Only where the best move is asked for. */
static void a_search_plays_from_its_book(void **state)
{
    (void)state;
    struct mp_game *game = mp_game_open("othello", NULL);
    char with[128];
    unlink(path);
    struct book_report report = make(game, path, 40);
    snprintf(with, sizeof with, "pvs,depth=3,book=%s", path);
    struct mp_result result = search(game, with, NULL);
    assert_int_equal(result.counters.nodes, 0);
    assert_int_equal(result.value, report.value);
    assert_true(result.pv_length == 1 && result.pv[0] == result.move && result.depth >= 1 && !result.exact);
    struct mp_limits limits = {MP_SIZE(struct mp_limits), .nodes = 1000};
    assert_int_equal(search(game, with, &limits).counters.nodes, 0);
    limits.lines = 2;
    assert_true(search(game, with, &limits).counters.nodes > 0);
    limits = (struct mp_limits){MP_SIZE(struct mp_limits), .depth = 2, .moves = &result.move,
                                .move_count = 1};
    assert_true(search(game, with, &limits).counters.nodes > 0);
    snprintf(with, sizeof with, "pvs,depth=3");
    assert_true(search(game, with, NULL).counters.nodes > 0);
    mp_game_close(game);
}

static void what_is_damaged_is_refused(void **state)
{
    (void)state;
    struct mp_game *game = mp_game_open("othello", NULL), *chess = mp_game_open("chess", NULL);
    struct mp_error error = {0};
    size_t size;
    unlink(path);
    make(game, path, 5);
    char *bytes = contents(path, &size);
    for (size_t i = 0; i < size; i++) {
        bytes[i] ^= 1;
        write_file(other, bytes, size);
        error.text[0] = 0;
        struct book *book = book_read(game, other, &error);
        if (book)
            fail_msg("byte %zu of %zu can be changed", i, size);
        assert_contains(error.text, "expected");
        bytes[i] ^= 1;
        write_file(other, bytes, i); /* cut off */
        assert_null(book_read(game, other, &error));
    }
    free(bytes);
    assert_null(book_read(chess, path, &error));
    assert_contains(error.text, "it is a book of othello, expected one of chess");
    assert_null(book_read(game, "/nowhere/x.book", &error));
    assert_contains(error.text, "/nowhere/x.book: No such file or directory, expected a book");
    mp_game_close(game);
    mp_game_close(chess);
}

/* A position that says it is open, and is not. */
static void a_book_that_lies_is_not_believed(void **state)
{
    (void)state;
    struct mp_game *game = mp_game_open("othello", NULL);
    struct mp_position *position = mp_position_new(game, NULL, NULL);
    struct book *book = book_new(game, NULL);
    const struct book_entry open = {.value = 7, .depth = 3, .is_open = true};
    mp_move move;
    mp_value value;
    int depth;
    assert_true(book_add(book, mp_position_state(position), &open, NULL) == 0);
    assert_false(book_answer(book, mp_position_state(position), &move, &value, &depth));
    assert_true(book_write(book, "by hand", path, NULL));
    book_free(book);
    struct mp_result result = search(game, "pvs,depth=2,book=book_test.book", NULL);
    assert_true(result.counters.nodes > 0);
    mp_position_free(position);
    mp_game_close(game);
}

static void openings_have_names(void **state)
{
    (void)state;
    struct mp_game *game = mp_game_open("othello", NULL), *chess = mp_game_open("chess", NULL);
    const char *name, *moves;
    int count = 0;
    for (; opening_at(game, count, &name, &moves); count++) {
        struct mp_error error = {0};
        struct mp_position *position = mp_position_new(game, NULL, NULL);
        if (!mp_position_play_text(position, moves, &error))
            fail_msg("%s: %s", name, error.text);
        assert_string_equal(opening_name(game, mp_position_state(position)), name);
        mp_position_free(position);
    }
    assert_int_equal(count, 26);
    static const char *const turned[][2] = {{"f5d6c3d3c4", "Tiger"},
                                            {"f5f6e6f4g5", "Heath"},
                                            {"f5d6c5f4e3c6d3f6e6d7", "Rose"},
                                            {"f5f6e6f4c3", "Buffalo"},
                                            {"e6f4c3c4d3", "Tiger"}};
    for (size_t i = 0; i < sizeof turned / sizeof *turned; i++) {
        struct mp_position *position = mp_position_new(game, NULL, NULL);
        assert_true(mp_position_play_text(position, turned[i][0], NULL));
        name = opening_name(game, mp_position_state(position));
        assert_string_equal(name ? name : "none", turned[i][1]);
        mp_position_free(position);
    }
    struct mp_position *start = mp_position_new(chess, NULL, NULL);
    assert_null(opening_name(chess, mp_position_state(start)));
    mp_position_free(start);
    mp_game_close(game);
    mp_game_close(chess);
}

static int clean(void **state)
{
    (void)state;
    unlink(path);
    unlink(other);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_book_made_in_pieces_is_the_same),
        cmocka_unit_test(values_follow_from_what_comes_after),
        cmocka_unit_test(good_lines_are_longest),
        cmocka_unit_test(turned_positions_are_one),
        cmocka_unit_test(a_search_plays_from_its_book),
        cmocka_unit_test(what_is_damaged_is_refused),
        cmocka_unit_test(a_book_that_lies_is_not_believed),
        cmocka_unit_test(openings_have_names),
    };
    return cmocka_run_group_tests_name("book", tests, NULL, clean);
}
