/* conformance.c - what every game promises in game.h, checked on random games of each. A new game gets all
 * of this for free. */
#include "tests/support/subjects.h"
#include "tests/support/test.h"

#include "base/random.h"

#include <ctype.h>

/* Of games with long lists of moves fewer are played, until so many moves have been checked. */
enum { GAMES = 40, ENOUGH_MOVES = 100000, LONGEST = 400, TEXT = 4096, MOST_MOVES = 4096 };

struct line {
    struct mp_game *game;
    struct mp_position *position;
    mp_move moves[MOST_MOVES];
    int count;
};

static void check_text(const struct line *line)
{
    const struct mp_game *game = line->game;
    const void *state = mp_position_state(line->position);
    char text[TEXT], again[TEXT];
    int length = game->print_position(game, state, text, sizeof text);
    assert_int_equal(length, strlen(text));
    struct mp_error error = {""};
    struct mp_position *copy = mp_position_new(game, text, &error);
    if (!copy)
        fail_msg("%s prints '%s' but does not read it: %s", game->name, text, error.text);
    game->print_position(game, mp_position_state(copy), again, sizeof again);
    assert_string_equal(text, again);
    assert_int_equal(game->key(game, state), game->key(game, mp_position_state(copy)));
    assert_int_equal(game->side(game, state), game->side(game, mp_position_state(copy)));
    mp_position_free(copy);
    /* A buffer that is too small is not overrun, and the length is still told. */
    char small[4] = "abc";
    assert_int_equal(game->print_position(game, state, small, 3), length);
    assert_true(strlen(small) < 3);
}

static void check_moves(const struct line *line)
{
    const struct mp_game *game = line->game;
    const void *state = mp_position_state(line->position);
    bool chance = mp_position_is_chance(line->position);
    char text[TEXT];
    for (int i = 0; i < line->count; i++) {
        for (int j = 0; j < i; j++)
            assert_int_not_equal(line->moves[i], line->moves[j]);
        mp_move read;
        struct mp_error error = {""};
        int length = game->print_move(game, state, line->moves[i], text, sizeof text);
        assert_int_equal(length, strlen(text));
        if (!mp_position_parse_move(line->position, text, &read, &error))
            fail_msg("%s does not read its move '%s': %s", game->name, text, error.text);
        assert_int_equal(read, line->moves[i]);
    }
    /* A list that does not fit is cut, and the count is still told. */
    mp_move cut[3] = {0, 0, 12345};
    uint32_t weights[3] = {0, 0, 12345};
    if (chance)
        assert_int_equal(game->chances(game, state, cut, weights, 2), line->count);
    else
        assert_int_equal(game->list(game, state, cut, 2), line->count);
    assert_int_equal(cut[2], 12345);
    assert_int_equal(weights[2], 12345);
    for (int i = 0; i < 2 && i < line->count; i++)
        assert_int_equal(cut[i], line->moves[i]);
}

/* What can be reached lies within the bounds of where it is reached from. */
static void check_bounds(const struct line *line)
{
    const struct mp_game *game = line->game;
    const void *state = mp_position_state(line->position);
    bool chance = mp_position_is_chance(line->position);
    char *child = aligned_alloc(64, (game->state_size + 63) / 64 * 64);
    mp_value low, high, below, above;
    game->bounds(game, state, &low, &high);
    assert_true(low <= high);
    for (int i = 0; i < line->count; i++) {
        game->play(game, state, line->moves[i], child);
        game->bounds(game, child, &below, &above);
        assert_true((chance ? below : -above) >= low && (chance ? above : -below) <= high);
    }
    free(child);
}

/* Playing on a copy leaves the original alone, hands the turn on, and makes different states of different
 * moves have different keys exactly when they differ. */
static void check_play(const struct line *line)
{
    const struct mp_game *game = line->game;
    const void *state = mp_position_state(line->position);
    bool chance = mp_position_is_chance(line->position);
    size_t size = (game->state_size + 63) / 64 * 64;
    char *before = malloc(game->state_size), *child = aligned_alloc(64, size);
    char first[TEXT] = "", text[TEXT];
    uint64_t first_key = 0;
    memcpy(before, state, game->state_size);
    for (int i = 0; i < line->count; i++) {
        memset(child, 0, size);
        game->play(game, state, line->moves[i], child);
        assert_memory_equal(before, state, game->state_size);
        int side = game->side(game, state), next = game->side(game, child);
        assert_int_equal(next, chance ? side : !side);
        game->print_position(game, child, text, sizeof text);
        uint64_t key = game->key(game, child);
        if (i > 0)
            assert_int_equal(key == first_key, !strcmp(text, first));
        else {
            first_key = key;
            strcpy(first, text);
        }
    }
    free(before);
    free(child);
}

static bool belongs_to(char piece, int side)
{
    return side == 0 ? piece >= 'A' && piece <= 'Z' : piece >= 'a' && piece <= 'z';
}

/* The board has cells, and every move on a grid takes a piece of the mover from its first cell and leaves
 * one on its last; in backgammon the steps add up to what the play does. */
static void check_board(const struct line *line)
{
    struct mp_board before, after;
    const struct mp_game *game = line->game;
    const void *state = mp_position_state(line->position);
    int side = game->side(game, state), size = (int)(game->state_size + 63) / 64 * 64;
    mp_position_board(line->position, &before);
    bool grid = before.form == MP_BOARD_GRID;
    int cell_count = grid ? before.rows * before.columns : 28;
    assert_in_range(cell_count, 1, MP_MAX_CELLS);
    for (int i = 0; i < MP_MAX_CELLS; i++)
        assert_true(before.pieces[i] == '.' ||
                    (i < cell_count && (belongs_to(before.pieces[i], 0) || belongs_to(before.pieces[i], 1))));
    if (mp_position_is_chance(line->position))
        return;
    char *child = aligned_alloc(64, (size_t)size);
    for (int i = 0; i < line->count; i++) {
        uint16_t cells[MP_MAX_CELLS], cut[2] = {0, 12345};
        int count = game->board->move_cells(game, state, line->moves[i], cells, MP_MAX_CELLS);
        assert_in_range(count, 0, MP_MAX_CELLS);
        assert_int_equal(game->board->move_cells(game, state, line->moves[i], cut, 1), count);
        assert_int_equal(cut[1], 12345);
        for (int c = 0; c < count; c++)
            assert_in_range(cells[c], 0, cell_count - 1);
        game->play(game, state, line->moves[i], child);
        after = (struct mp_board){.cube_owner = -1};
        memset(after.pieces, '.', sizeof after.pieces);
        game->board->describe(game, child, &after);
        if (count == 0) { /* a pass, or what is said about the cube: all pieces stay where they are */
            assert_memory_equal(after.pieces, before.pieces, sizeof after.pieces);
            continue;
        }
        if (grid) {
            assert_true(belongs_to(after.pieces[cells[count - 1]], side));
            assert_true(count == 1 || belongs_to(before.pieces[cells[0]], side));
            assert_true(count == 1 || after.pieces[cells[0]] == '.');
        } else {
            int change[28] = {0};
            for (int c = 0; c < count; c++)
                change[cells[c]] += c % 2 ? 1 : -1;
            for (int cell = 0; cell < cell_count; cell++) {
                bool own = belongs_to(before.pieces[cell], side), owns = belongs_to(after.pieces[cell], side);
                int was = own ? before.counts[cell] : 0, is = owns ? after.counts[cell] : 0;
                assert_int_equal(is - was, change[cell]);
            }
        }
    }
    free(child);
}

static void check_hooks(const struct line *line, uint64_t seed)
{
    const struct mp_game *game = line->game;
    const void *state = mp_position_state(line->position);
    bool chance = mp_position_is_chance(line->position);
    mp_move moves[MOST_MOVES];
    int32_t scores[MOST_MOVES];
    if (chance)
        return;
    if (game->count)
        assert_int_equal(game->count(game, state), line->count);
    if (game->ordering->list_scored)
        for (int depth = 1; depth <= 4; depth++) {
            assert_int_equal(game->ordering->list_scored(game, state, depth, moves, scores, MOST_MOVES),
                             line->count);
            for (int i = 0; i < line->count; i++) {
                assert_int_equal(moves[i], line->moves[i]);
                assert_in_range(scores[i] + 100000, 0, 200000);
            }
        }
    if (game->selective->list_noisy) {
        int noisy = game->selective->list_noisy(game, state, moves, MOST_MOVES);
        for (int i = 0; i < noisy; i++) {
            int at = 0;
            while (at < line->count && line->moves[at] != moves[i])
                at++;
            assert_true(at < line->count);
        }
    }
    if (game->selective->list_quiet) {
        /* Every move is noisy or quiet, and the gains tell which. */
        int noisy = game->selective->list_noisy(game, state, moves, MOST_MOVES);
        int all = noisy + game->selective->list_quiet(game, state, moves + noisy, MOST_MOVES - noisy);
        assert_int_equal(all, line->count);
        game->selective->gains(game, state, moves, all, scores);
        for (int i = 0; i < all; i++) {
            assert_int_equal(scores[i] != 0, i < noisy);
            int times = 0;
            for (int j = 0; j < all; j++)
                times += line->moves[j] == moves[i];
            assert_int_equal(times, 1);
        }
    }
    for (int i = 0; game->selective->exchange && i < line->count; i++) {
        /* What gains much gains less too, and nothing gains more than it takes. */
        int32_t gain;
        game->selective->gains(game, state, &line->moves[i], 1, &gain);
        assert_false(game->selective->exchange(game, state, line->moves[i], gain + 1));
        bool before = true;
        for (mp_value least = -2 * MP_EVAL_MAX; least <= gain; least = least < -2000 ? -2000 : least + 50) {
            bool now = game->selective->exchange(game, state, line->moves[i], least);
            assert_true(before || !now);
            before = now;
        }
    }
    for (int i = 0; game->selective->gives_check && i < line->count; i++) {
        _Alignas(64) char child[1024];
        game->play(game, state, line->moves[i], child);
        assert_int_equal(game->selective->gives_check(game, state, line->moves[i]),
                         game->selective->in_check(game, child));
    }
    if (game->selective->null_move) {
        _Alignas(64) char skipped[1024], back[1024];
        if (game->selective->null_move(game, state, skipped)) {
            assert_false(game->selective->in_check && game->selective->in_check(game, state));
            assert_int_equal(game->side(game, skipped), !game->side(game, state));
            assert_true(game->key(game, skipped) != game->key(game, state));
            if (game->selective->null_move(game, skipped, back))
                assert_int_equal(game->side(game, back), game->side(game, state));
            /* Parts are of what is on the board, whoever is to move. */
            uint64_t here[MP_MAX_PARTS], there[MP_MAX_PARTS];
            int parts = game->selective->parts ? game->selective->parts(game, state, here) : 0;
            assert_in_range(parts, 0, MP_MAX_PARTS);
            if (parts) {
                assert_int_equal(game->selective->parts(game, skipped, there), parts);
                assert_memory_equal(here, there, (size_t)parts * sizeof *here);
            }
        }
    }
    for (int i = 0; game->selective->recall && i < line->count; i++) {
        mp_move move;
        assert_true(game->selective->recall(game, state, (uint16_t)line->moves[i], &move));
        assert_int_equal(move, line->moves[i]);
    }
    if (game->ordering->index_moves) {
        uint16_t indices[MOST_MOVES];
        game->ordering->index_moves(game, state, line->moves, line->count, indices);
        for (int i = 0; i < line->count; i++)
            assert_in_range(indices[i], 0, game->ordering->index_count - 1);
    }
    if (game->playout) {
        int margin = game->playout(game, state, seed);
        assert_in_range(margin + game->margin_max, 0, 2 * game->margin_max);
        assert_int_equal(margin, game->playout(game, state, seed));
    }
}

static void check_evaluations(const struct line *line)
{
    const struct mp_game *game = line->game;
    const void *state = mp_position_state(line->position);
    char *child = aligned_alloc(64, (game->state_size + 63) / 64 * 64);
    mp_value values[MOST_MOVES], low = -MP_INFINITE, high = MP_INFINITE;
    if (game->bounds)
        game->bounds(game, state, &low, &high);
    for (const struct mp_evaluation *e = game->evaluations; e->name; e++) {
        mp_value value = e->evaluate(game, e, state);
        assert_int_equal(value, e->evaluate(game, e, state));
        assert_true(value >= low && value <= high);
        if (value > MP_EVAL_MAX || value < -MP_EVAL_MAX) {
            assert_int_equal(line->count, 0);
            assert_int_equal(value, mp_state_final_value(game, state, 0));
        }
        if (!e->children || mp_position_is_chance(line->position))
            continue;
        assert_int_equal(e->children(game, e, state, line->moves, line->count, -MP_INFINITE, values),
                         line->count);
        for (int i = 0; i < line->count; i++) {
            game->play(game, state, line->moves[i], child);
            assert_int_equal(values[i], e->evaluate(game, e, child));
        }
        /* It stops after the first that is enough. */
        for (int i = 0, least = MP_INFINITE; i < line->count; i++)
            if (values[i] < least) {
                least = values[i];
                mp_value again[MOST_MOVES];
                assert_int_equal(e->children(game, e, state, line->moves, line->count, least, again), i + 1);
                assert_memory_equal(again, values, (size_t)(i + 1) * sizeof *values);
            }
    }
    free(child);
}

/* Turned and mirrored positions have as many lines of play, and equal keys only if they are the same. */
static void check_symmetries(const struct line *line)
{
    const struct mp_game *game = line->game;
    const void *state = mp_position_state(line->position);
    char text[TEXT], turned_text[TEXT];
    char *turned = aligned_alloc(64, (game->state_size + 63) / 64 * 64);
    uint64_t leaves, turned_leaves;
    int depth = line->count > 60 ? 2 : 3;
    assert_true(mp_perft(line->position, depth, 1, true, NULL, NULL, &leaves, NULL));
    game->print_position(game, state, text, sizeof text);
    for (int way = 0; way < game->symmetry_count; way++) {
        game->transform(game, state, way, turned);
        game->print_position(game, turned, turned_text, sizeof turned_text);
        assert_int_equal(!strcmp(text, turned_text), game->key(game, state) == game->key(game, turned));
        struct mp_position *position = mp_position_new(game, turned_text, NULL);
        assert_non_null(position);
        assert_true(mp_perft(position, depth, 1, true, NULL, NULL, &turned_leaves, NULL));
        assert_int_equal(leaves, turned_leaves);
        mp_position_free(position);
    }
    free(turned);
}

static void check_end(const struct line *line)
{
    const struct mp_game *game = line->game;
    const void *state = mp_position_state(line->position);
    struct mp_history history = mp_position_history(line->position);
    bool drawn = game->drawn && game->drawn(game, state, &history);
    assert_int_equal(mp_position_drawn(line->position), drawn);
    if (drawn) {
        /* Those who do not claim the draw can go on. */
        assert_int_equal(mp_position_margin(line->position), 0);
        assert_int_equal(line->count, game->list(game, state, NULL, 0));
        check_moves(line);
        check_play(line);
        return;
    }
    assert_int_equal(line->count, 0);
    int margin = game->margin(game, state);
    assert_in_range(margin + game->margin_max, 0, 2 * game->margin_max);
    mp_value low = -MP_INFINITE, high = MP_INFINITE, value = mp_state_final_value(game, state, 0);
    if (game->bounds)
        game->bounds(game, state, &low, &high);
    assert_true(value >= low && value <= high);
    int first = mp_position_margin(line->position);
    assert_int_equal(first, game->side(game, state) ? -margin : margin);
}

static void plays_random_games(void **test_state)
{
    struct mp_error error = {""};
    struct line line = {.game = mp_game_open(*test_state, &error)};
    if (!line.game)
        fail_msg("%s", error.text);
    int finished = 0, played = 0, checked = 0;
    for (uint64_t seed = 0; seed < GAMES && checked < ENOUGH_MOVES; seed++, played++) {
        uint64_t stream = seed;
        line.position = mp_position_new(line.game, NULL, NULL);
        for (int ply = 0; ply < LONGEST; ply++) {
            line.count = mp_position_moves(line.position, line.moves, NULL, MOST_MOVES);
            assert_in_range(line.count, 0, MOST_MOVES);
            checked += line.count;
            check_text(&line);
            check_evaluations(&line);
            if (mp_position_is_over(line.position)) {
                check_end(&line);
                finished++;
                break;
            }
            check_moves(&line);
            check_play(&line);
            check_hooks(&line, seed);
            if (line.game->bounds)
                check_bounds(&line);
            if (line.game->board->describe)
                check_board(&line);
            if (ply % 7 == 0 && line.game->symmetry_count)
                check_symmetries(&line);
            uint32_t choice = random_below(random_next(&stream), (uint32_t)line.count);
            assert_true(mp_position_play(line.position, line.moves[choice], NULL));
        }
        mp_position_free(line.position);
    }
    print_message("%s: %d of %d games ended\n", line.game->name, finished, played);
    mp_game_close(line.game);
}

/* ---- Keys ----------------------------------------------------------------------------------------------- */

/* States that were met, by the key that an exact search looks them up under. */
struct met {
    uint64_t key;
    size_t at; /* of the state in states */
};
struct meetings {
    struct mp_game *game;
    struct met *met;
    char *states;
    size_t count, capacity, stride;
};

static const struct mp_history no_history = {NULL, 0};

static uint64_t table_key(const struct mp_game *game, const void *state)
{
    uint64_t key = game->key(game, state);
    return game->history_key ? key ^ game->history_key(game, state, &no_history) : key;
}

static void meet(struct meetings *m, const void *state)
{
    if (m->count == m->capacity)
        return;
    memcpy(m->states + m->count * m->stride, state, m->game->state_size);
    m->met[m->count] = (struct met){table_key(m->game, state), m->count};
    m->count++;
}

static int by_key(const void *a, const void *b)
{
    uint64_t x = ((const struct met *)a)->key, y = ((const struct met *)b)->key;
    return (x > y) - (x < y);
}

/* Can nobody tell two states apart by what a search asks of them? (The number of a move in chess is printed,
 * but nothing depends on it.) */
static bool play_alike(const struct mp_game *game, const void *a, const void *b)
{
    static mp_move moves[2][MOST_MOVES];
    static uint32_t weights[2][MOST_MOVES];
    const void *both[2] = {a, b};
    int counts[2];
    if (game->side(game, a) != game->side(game, b))
        return false;
    for (int i = 0; i < 2; i++) {
        memset(weights[i], 0, sizeof weights[i]);
        counts[i] = game->chances ? game->chances(game, both[i], moves[i], weights[i], MOST_MOVES) : 0;
        if (counts[i] == 0)
            counts[i] = game->list(game, both[i], moves[i], MOST_MOVES);
    }
    if (counts[0] != counts[1] || memcmp(moves[0], moves[1], (size_t)counts[0] * sizeof **moves) != 0 ||
        memcmp(weights[0], weights[1], (size_t)counts[0] * sizeof **weights) != 0)
        return false;
    for (const struct mp_evaluation *e = game->evaluations; e->name; e++)
        if (e->evaluate(game, e, a) != e->evaluate(game, e, b))
            return false;
    return counts[0] > 0 || mp_state_final_value(game, a, 0) == mp_state_final_value(game, b, 0);
}

/* No two different states have one key. */
static void check_meetings(struct meetings *m)
{
    const struct mp_game *game = m->game;
    qsort(m->met, m->count, sizeof *m->met, by_key);
    for (size_t i = 1; i < m->count; i++) {
        const void *a = m->states + m->met[i - 1].at * m->stride, *b = m->states + m->met[i].at * m->stride;
        char text[2][TEXT];
        if (m->met[i - 1].key != m->met[i].key || play_alike(game, a, b))
            continue;
        game->print_position(game, a, text[0], TEXT);
        game->print_position(game, b, text[1], TEXT);
        fail_msg("%s has one key for '%s' and '%s'", game->name, text[0], text[1]);
    }
    m->count = 0;
}

static struct meetings new_meetings(const char *name, size_t capacity)
{
    struct meetings m = {.game = mp_game_open(name, NULL), .capacity = capacity};
    assert_non_null(m.game);
    m.stride = (m.game->state_size + 63) / 64 * 64;
    m.met = malloc(capacity * sizeof *m.met);
    m.states = aligned_alloc(64, capacity * m.stride);
    assert_true(m.met && m.states);
    return m;
}

static void free_meetings(struct meetings *m)
{
    mp_game_close(m->game);
    free(m->met);
    free(m->states);
}

/* The states near the beginning of a game, breadth first. */
static void early_states_have_keys(void **test_state)
{
    enum { MOST_STATES = 20000 };
    struct meetings m = new_meetings(*test_state, MOST_STATES);
    const struct mp_game *game = m.game;
    char *state = aligned_alloc(64, m.stride), *child = aligned_alloc(64, m.stride);
    memset(child, 0, m.stride);
    game->initial(game, child);
    meet(&m, child);
    for (size_t i = 0; i < m.count && m.count < m.capacity; i++) {
        static mp_move moves[MOST_MOVES];
        memcpy(state, m.states + i * m.stride, game->state_size);
        int count = game->chances ? game->chances(game, state, moves, NULL, MOST_MOVES) : 0;
        count = count ? count : game->list(game, state, moves, MOST_MOVES);
        for (int j = 0; j < count; j++) {
            game->play(game, state, moves[j], child);
            meet(&m, child);
        }
    }
    assert_true(m.count > 100);
    check_meetings(&m);
    free(state);
    free(child);
    free_meetings(&m);
}

/* All that can be read when one character of a text is another one, of those that such texts have; for those
 * with the other side to move, once more. */
static int meet_twins(struct meetings *m, const char *text, const char *letters, bool again)
{
    const struct mp_game *game = m->game;
    char twin[TEXT];
    int met = 0, side;
    struct mp_position *self = mp_position_new(game, text, NULL);
    if (!self)
        return 0;
    side = game->side(game, mp_position_state(self));
    mp_position_free(self);
    for (size_t i = 0; text[i]; i++)
        for (const char *letter = letters; *letter; letter++) {
            snprintf(twin, sizeof twin, "%s", text);
            twin[i] = *letter;
            struct mp_position *position = mp_position_new(game, twin, NULL);
            if (!position)
                continue;
            const void *state = mp_position_state(position);
            meet(m, state);
            met++;
            if (again && game->side(game, state) != side)
                met += meet_twins(m, twin, letters, false);
            mp_position_free(position);
        }
    return met;
}

/* The same with the pieces of both sides exchanged, where that is two letters or capitals for small ones. */
static int meet_opposites(struct meetings *m, const char *text, const char *letters)
{
    enum { FEW_LETTERS = 8 };
    size_t count = strlen(letters);
    char opposite[TEXT];
    int met = 0;
    for (size_t i = 0; i < count && count <= FEW_LETTERS; i++)
        for (size_t j = 0; j < i; j++) {
            snprintf(opposite, sizeof opposite, "%s", text);
            for (char *c = opposite; *c; c++)
                *c = *c == letters[i] ? letters[j] : *c == letters[j] ? letters[i] : *c;
            met += meet_twins(m, opposite, letters, true);
        }
    snprintf(opposite, sizeof opposite, "%s", text);
    for (char *c = opposite; *c && strcspn(opposite, " ") > (size_t)(c - opposite); c++)
        *c = isupper(*c) ? (char)tolower(*c) : (char)toupper(*c);
    return met + meet_twins(m, opposite, letters, true);
}

/* States that differ in a cell, in a counter, in the side to move, or in that and one of the others; and
 * those that differ in this way from what the position is for the other side. */
static void twins_have_keys(void **test_state)
{
    enum { POSITIONS = 12, MOST_TWINS = 60000 };
    struct meetings m = new_meetings(*test_state, MOST_TWINS);
    char letters[128] = {0};
    int twins = 0;
    for (uint64_t seed = 0; seed < 2 * POSITIONS; seed++) {
        struct mp_position *position = subjects_position(m.game, seed % POSITIONS, 60);
        char text[TEXT];
        m.game->print_position(m.game, mp_position_state(position), text, sizeof text);
        mp_position_free(position);
        /* The first time only to see which letters there are. */
        for (const char *c = text; *c && seed < POSITIONS; c++)
            if (!strchr(letters, *c))
                letters[strlen(letters)] = *c;
        if (seed >= POSITIONS) {
            twins += meet_twins(&m, text, letters, true) + meet_opposites(&m, text, letters);
            assert_true(m.count < m.capacity);
            check_meetings(&m);
        }
    }
    print_message("%s: %d twins\n", m.game->name, twins);
    assert_true(twins >= 10 * POSITIONS);
    free_meetings(&m);
}

/* With and without the game's own perft, and on any number of threads, the count is the same. */
static void counts_alike(void **test_state)
{
    struct mp_game *game = mp_game_open(*test_state, NULL);
    assert_non_null(game);
    struct mp_game plain = *game;
    plain.perft = NULL;
    plain.count = NULL;
    for (uint64_t seed = 0; seed < 20; seed++) {
        struct mp_position *position = subjects_position(game, seed, 60);
        char text[TEXT];
        game->print_position(game, mp_position_state(position), text, sizeof text);
        struct mp_position *same = mp_position_new(&plain, text, NULL);
        for (int depth = 0; depth <= 3; depth++)
            for (int drop = 0; drop < 2; drop++) {
                uint64_t leaves, others;
                assert_true(mp_perft(same, depth, 1, drop, NULL, NULL, &leaves, NULL));
                for (int threads = 1; threads <= 3; threads++) {
                    assert_true(mp_perft(position, depth, threads, drop, NULL, NULL, &others, NULL));
                    assert_int_equal(leaves, others);
                }
            }
        mp_position_free(position);
        mp_position_free(same);
    }
    mp_game_close(game);
}

int main(void)
{
    static const struct {
        const char *what;
        CMUnitTestFunction test;
    } promises[] = {{"plays random games", plays_random_games},
                    {"counts alike", counts_alike},
                    {"has keys for its early states", early_states_have_keys},
                    {"has keys for twins", twins_have_keys}};
    enum { MOST = 128, PROMISES = sizeof promises / sizeof *promises };
    struct CMUnitTest tests[MOST];
    char names[MOST][64];
    size_t count = 0;
    for (const char *const *name = subjects_names(); *name; name++)
        for (size_t i = 0; i < PROMISES && count < MOST; i++, count++) {
            const char *slash = strrchr(*name, '/');
            snprintf(names[count], sizeof names[count], "%s %s", slash ? slash + 1 : *name, promises[i].what);
            tests[count] = (struct CMUnitTest){names[count], promises[i].test, NULL, NULL, (void *)*name};
        }
    return _cmocka_run_group_tests("conformance", tests, count, NULL, NULL);
}
