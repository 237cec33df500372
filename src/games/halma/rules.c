/* rules.c - the rules of Halma as a table of functions. Compiled for each board and CPU level. */
#include "games/halma/moves.h"
#include "games/halma/paths.h"

#include "base/level.h"

static void initial(const struct mp_game *game, void *state)
{
    (void)game;
    struct halma *s = state;
    *s = (struct halma){.pieces = {HALMA_CAMP_BLACK, HALMA_CAMP_WHITE}};
    halma_refresh(s);
}

/* ---- Listing ------------------------------------------------------------------------------------------ */

/* Moves as they are found, with or without scores, as far as they fit. */
struct listing {
    mp_move *moves;
    int32_t *scores; /* null: not wanted */
    int count, capacity;
    const struct halma_turn *turn;
    uint16_t seen[HALMA_SQUARES]; /* paths of one piece to each square */
};

HALMA_INLINE void add(struct listing *l, int side, mp_move move)
{
    if (l->count < l->capacity) {
        l->moves[l->count] = move;
        if (l->scores)
            l->scores[l->count] = halma_worth(side, halma_to(move)) - halma_worth(side, halma_from(move));
    }
    l->count++;
}

static bool add_path(void *context, const uint8_t *squares, int count)
{
    struct listing *l = context;
    int from = squares[0], to = squares[count - 1];
    if (halma_has(halma_targets(l->turn, from), to))
        add(l, l->turn->side, halma_move(from, to) | (mp_move)l->seen[to]++ << 16);
    return l->count < HALMA_MOST_PATHS;
}

static void list_paths(struct listing *l)
{
    int from;
    HALMA_EACH(from, l->turn->movers)
    {
        for (int i = 0; i < HALMA_SQUARES; i++)
            l->seen[i] = 0;
        if (!halma_visit_paths(&l->turn->jumps, from, add_path, l))
            return;
    }
}

HALMA_INLINE int list_moves(const struct mp_game *game, const struct halma *s, mp_move *moves,
                            int32_t *scores, int capacity)
{
    enum halma_rules rules = halma_rules_of(game);
    int side = halma_side(s);
    if (halma_winner(rules, s) >= 0)
        return 0;
    struct halma_turn turn = halma_turn_of(rules, s->pieces, side);
    struct listing l;
    l.moves = moves;
    l.scores = scores;
    l.count = 0;
    l.capacity = capacity;
    l.turn = &turn;
    if (halma_lists_paths(game)) {
        list_paths(&l);
    } else {
        int from, to;
        HALMA_EACH(from, turn.movers)
        {
            halma_set targets = halma_targets(&turn, from);
            HALMA_EACH(to, targets)
            add(&l, side, halma_move(from, to));
        }
    }
    if (l.count == 0 && halma_must_pass(rules, s->pieces, side))
        add(&l, side, HALMA_PASS);
    return l.count;
}

static int list(const struct mp_game *game, const void *state, mp_move *moves, int capacity)
{
    return list_moves(game, state, moves, NULL, capacity);
}

/* The moves that gain most first; a guess that looks further costs more than it saves. */
static int list_scored(const struct mp_game *game, const void *state, int depth, mp_move *moves,
                       int32_t *scores, int capacity)
{
    (void)depth;
    return list_moves(game, state, moves, scores, capacity);
}

/* ---- Playing ------------------------------------------------------------------------------------------ */

static void play(const struct mp_game *game, const void *from, mp_move move, void *to)
{
    (void)game;
    halma_play(from, move, to);
}

static int margin(const struct mp_game *game, const void *state)
{
    const struct halma *s = state;
    int winner = halma_winner(halma_rules_of(game), s);
    return winner < 0 ? 0 : winner == halma_side(s) ? 1 : -1;
}

static int side_to_move(const struct mp_game *game, const void *state)
{
    (void)game;
    return halma_side(state);
}

static uint64_t key(const struct mp_game *game, const void *state)
{
    (void)game;
    return halma_key(state);
}

static bool is_pass(const struct mp_game *game, mp_move move)
{
    (void)game;
    return move == HALMA_PASS;
}

/* ---- Rules that look back ----------------------------------------------------------------------------- */

/* The keys of the history that the position can still meet again. */
static size_t live_keys(const struct halma *s, const struct mp_history *history)
{
    return s->quiet < history->count ? s->quiet : history->count;
}

/* Two moves of each side bring a position back at the earliest, so the third occurrence is the eighth ply. */
static bool drawn(const struct mp_game *game, const void *state, const struct mp_history *history)
{
    const struct halma *s = state;
    if (game->option[HALMA_OPTION_RULES] != HALMA_STANDARD)
        return false;
    if (s->ply >= HALMA_PLY_CAP)
        return halma_winner(HALMA_STANDARD, s) < 0;
    size_t live = live_keys(s, history);
    uint64_t now = halma_key(s);
    int occurrences = 0;
    for (size_t back = 4; live >= 8 && back <= live; back += 2)
        occurrences += history->keys[history->count - back] == now;
    return occurrences >= 2;
}

/* The ply decides over the cap and over the full camp; and how often each position has occurred that can
 * occur again, in whatever order. */
static uint64_t history_key(const struct mp_game *game, const void *state, const struct mp_history *history)
{
    const struct halma *s = state;
    if (game->option[HALMA_OPTION_RULES] != HALMA_STANDARD)
        return 0;
    uint64_t sum = s->ply;
    for (size_t live = live_keys(s, history), back = 1; back <= live; back++)
        sum += random_mix(history->keys[history->count - back]);
    return random_mix(sum);
}

/* ---- Hooks -------------------------------------------------------------------------------------------- */

/* The mirror image along the diagonal between the camps: the only one that leaves both where they are. */
static void transform(const struct mp_game *game, const void *state, int way, void *to)
{
    (void)game;
    (void)way;
    const struct halma *s = state;
    struct halma *t = to;
    *t = *s;
    for (int side = 0; side < 2; side++) {
        int square;
        t->pieces[side] &= ~t->pieces[side];
        HALMA_EACH(square, s->pieces[side])
        t->pieces[side] |= halma_at(square % HALMA_SIZE * HALMA_SIZE + square / HALMA_SIZE);
    }
    halma_refresh(t);
}

static void index_moves(const struct mp_game *game, const void *state, const mp_move *moves, int count,
                        uint16_t *indices)
{
    (void)game;
    (void)state;
    for (int i = 0; i < count; i++)
        indices[i] = (uint16_t)(halma_from(moves[i]) * HALMA_SQUARES + halma_to(moves[i]));
}

static const char *const rule_words[] = {"standard", "free", "lock", "usc", NULL};
static const char *const move_words[] = {"distinct", "paths", NULL};
#if HALMA_SIZE != 16
static const char *const race_words[] = {"off", "on", NULL};
#endif
static const struct mp_option options[] = {
    {.name = "rules", .summary = "which moves are legal and when a game ends", .words = rule_words},
    {.name = "moves", .summary = "list each destination once, or every jump path", .words = move_words},
#if HALMA_SIZE != 16
    {.name = "race", .summary = "solve races exactly, with a table of distances", .words = race_words},
#endif
    {0},
};

static const struct mp_ordering ordering = {
    MP_SIZE(struct mp_ordering),
    .list_scored = list_scored,
    .index_moves = index_moves,
    .index_count = HALMA_SQUARES * HALMA_SQUARES,
};

static const struct mp_board_hooks board_hooks = {
    MP_SIZE(struct mp_board_hooks),
    .describe = HALMA_NAMED(board),
    .move_cells = HALMA_NAMED(move_cells),
};

const struct mp_game LEVELED(HALMA_NAMED(table)) = {
    MP_GAME_SIZES,
#if HALMA_SIZE == 8
    .name = "halma",
    .summary = "Halma on 8x8 with 10 pieces; positions are rows such as BBBB4/BBB5/.../4WWWW, then b or w",
#elif HALMA_SIZE == 10
    .name = "halma10",
    .summary = "Halma on 10x10 with 15 pieces",
#else
    .name = "halma16",
    .summary = "Halma on 16x16 with 19 pieces",
#endif
    .players = {"Black", "White"},
    .state_size = sizeof(struct halma),
    .scoring = MP_SCORE_WIN,
    .margin_max = 1,
    .symmetry_count = 1,
    .evaluations = LEVELED(HALMA_NAMED(evaluations)),
    .options = options,
    .initial = initial,
    .list = list,
    .play = play,
    .margin = margin,
    .side = side_to_move,
    .key = key,
    .parse_position = HALMA_NAMED(parse_position),
    .print_position = HALMA_NAMED(print_position),
    .print_move = HALMA_NAMED(print_move),
    .drawn = drawn,
    .history_key = history_key,
    .parse_move = HALMA_NAMED(parse_move),
    .is_pass = is_pass,
    .draw = HALMA_NAMED(draw),
    .transform = transform,
    .count = LEVELED(HALMA_NAMED(count)),
    .perft = LEVELED(HALMA_NAMED(perft)),
    .playout = LEVELED(HALMA_NAMED(playout)),
    .ordering = &ordering,
    .board = &board_hooks,
    .tuning = &LEVELED(HALMA_NAMED(tuning)),
    .features = &LEVELED(HALMA_NAMED(features)),
#if HALMA_SIZE != 16
    .solve = LEVELED(HALMA_NAMED(solve)),
    .tables = &LEVELED(HALMA_NAMED(tables)),
#endif
};
