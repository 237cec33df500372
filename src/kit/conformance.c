/* conformance.c - what every game promises in game.h beyond what vetting sees, checked on every position of
 * random games: that hooks agree with the functions they stand for, that texts are read again, that boards
 * show the moves, and that counting lines of play gives one number however it is done. */
#include "kit/walk.h"

#include "base/random.h"

#include <malloc.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 400, MOST_CHANCES_IN_A_ROW = 64 };

/* The position that is being looked at, with room for whatever the checks ask. */
struct look {
    struct kit *kit;
    const struct mp_game *game;
    const void *state;
    const mp_move *moves;
    int count;
    bool chance;
    char *child, *other;
    mp_move found[MP_MAX_MOVES];
    int32_t scores[MP_MAX_MOVES];
    mp_value values[MP_MAX_MOVES], again[MP_MAX_MOVES];
    char text[KIT_TEXT], first[KIT_TEXT];
};

/* What move a sentence is about. */
static const char *move_text(struct look *l, mp_move move)
{
    l->game->print_move(l->game, l->state, move, l->text, sizeof l->text);
    l->text[60] = 0;
    return l->text;
}

/* ---- Texts --------------------------------------------------------------------------------------------- */

static bool check_move_texts(struct look *l)
{
    const struct mp_game *game = l->game;
    for (int i = 0; i < l->count; i++) {
        mp_move read = MP_NO_MOVE;
        struct mp_error error = {.text = "no reason given"};
        game->print_move(game, l->state, l->moves[i], l->text, sizeof l->text);
        if (!mp_position_parse_move(l->kit->position, l->text, &read, &error))
            return kit_fault(l->kit, "print_move.read",
                             "the move '%.60s' is not read as it is printed: %.200s", l->text, error.text);
        if (read != l->moves[i])
            return kit_fault(
                l->kit, "print_move.same",
                "the move %llu is printed '%.60s', which is read as the move %llu, expected the same",
                (unsigned long long)l->moves[i], l->text, (unsigned long long)read);
    }
    return true;
}

/* Texts that no search asks for. */
static bool check_pictures(struct look *l)
{
    const struct mp_game *game = l->game;
    if (game->draw) {
        memset(l->text, 'x', sizeof l->text);
        int length = game->draw(game, l->state, l->text, sizeof l->text);
        char small[16] = "xxxxxxxxxxxxxxx";
        int again = game->draw(game, l->state, small, 3);
        if (length < 1 || length >= KIT_TEXT || !memchr(l->text, 0, sizeof l->text) ||
            (int)strlen(l->text) != length)
            return kit_fault(l->kit, "draw.text", "draw returns %d, expected the length of its text, 1 to %d",
                             length, KIT_TEXT - 1);
        if (small[3] != 'x' || again != length || !memchr(small, 0, 3))
            return kit_fault(l->kit, "draw.size",
                             "draw does not keep to a buffer of 3 bytes or does not tell the length %d",
                             length);
    }
    for (int i = 0; game->print_record_move && i < l->count; i++) {
        int length = game->print_record_move(game, l->state, l->moves[i], l->text, sizeof l->text);
        if (length < 1 || length >= KIT_TEXT || (int)strlen(l->text) != length)
            return kit_fault(l->kit, "print_record_move",
                             "print_record_move returns %d, expected the length of its text", length);
    }
    return true;
}

/* A text that is no position of any game is refused, with a sentence. */
static bool check_refusal(struct look *l)
{
    static const char nonsense[] = "~this is no position of any game~";
    struct mp_error error = {0};
    if (l->game->parse_position(l->game, nonsense, l->child, &error))
        return kit_fault(l->kit, "parse_position.refuses", "parse_position accepts '%s', expected an error",
                         nonsense);
    if (!*error.text)
        return kit_fault(l->kit, "parse_position.error",
                         "parse_position refuses '%s' without a sentence, expected one from mp_fail",
                         nonsense);
    return true;
}

/* ---- Moves --------------------------------------------------------------------------------------------- */

/* States have different keys exactly when their texts differ. */
static bool check_keys(struct look *l)
{
    const struct mp_game *game = l->game;
    uint64_t first_key = 0;
    for (int i = 0; i < l->count; i++) {
        game->play(game, l->state, l->moves[i], l->child);
        uint64_t key = game->key(game, l->child);
        game->print_position(game, l->child, l->text, sizeof l->text);
        if (i > 0 && (key == first_key) != !strcmp(l->text, l->first))
            return kit_fault(l->kit, key == first_key ? "key.different" : "key.equal",
                             "key is %s for '%.100s' and '%.100s', expected that it tells positions apart",
                             key == first_key ? "the same" : "different", l->first, l->text);
        if (i == 0) {
            first_key = key;
            strcpy(l->first, l->text);
        }
    }
    return true;
}

/* What can be reached lies within the bounds of where it is reached from. */
static bool check_bounds(struct look *l)
{
    const struct mp_game *game = l->game;
    mp_value low, high, below, above;
    game->bounds(game, l->state, &low, &high);
    if (low > high)
        return kit_fault(l->kit, "bounds.order", "bounds says %d to %d, expected the lower one first", low,
                         high);
    for (int i = 0; i < l->count; i++) {
        game->play(game, l->state, l->moves[i], l->child);
        game->bounds(game, l->child, &below, &above);
        mp_value least = l->chance ? below : -above, most = l->chance ? above : -below;
        if (least < low || most > high)
            return kit_fault(l->kit, "bounds", "bounds says %d to %d, but %d to %d can be reached by '%.60s'",
                             low, high, least, most, move_text(l, l->moves[i]));
    }
    return true;
}

static bool belongs_to(char piece, int side)
{
    return side == 0 ? piece >= 'A' && piece <= 'Z' : piece >= 'a' && piece <= 'z';
}

static void describe(const struct mp_game *game, const void *state, struct mp_board *board)
{
    *board = (struct mp_board){.cube_owner = -1};
    memset(board->pieces, '.', sizeof board->pieces);
    game->board->describe(game, state, board);
}

/* Every move on a grid takes a piece of the mover from its first cell and leaves one on its last; in
 * backgammon the steps add up to what the play does. */
static bool check_board(struct look *l)
{
    const struct mp_game *game = l->game;
    struct mp_board before = {MP_SIZE(struct mp_board)}, after = {MP_SIZE(struct mp_board)};
    int side = game->side(game, l->state);
    describe(game, l->state, &before);
    bool grid = before.form == MP_BOARD_GRID;
    for (int i = 0; i < l->count; i++) {
        uint16_t cells[MP_MAX_CELLS];
        int count = game->board->move_cells(game, l->state, l->moves[i], cells, MP_MAX_CELLS);
        game->play(game, l->state, l->moves[i], l->child);
        describe(game, l->child, &after);
        bool right = true;
        if (count == 0) /* a pass, or what is said about the cube: all pieces stay where they are */
            right = !memcmp(after.pieces, before.pieces, sizeof after.pieces);
        else if (grid)
            right = belongs_to(after.pieces[cells[count - 1]], side) &&
                    (count == 1 ||
                     (belongs_to(before.pieces[cells[0]], side) && after.pieces[cells[0]] == '.'));
        else {
            int change[28] = {0};
            for (int c = 0; c < count; c++)
                change[cells[c]] += c % 2 ? 1 : -1;
            for (int cell = 0; cell < 28; cell++) {
                bool own = belongs_to(before.pieces[cell], side), owns = belongs_to(after.pieces[cell], side);
                int was = own ? before.counts[cell] : 0, is = owns ? after.counts[cell] : 0;
                right = right && is - was == change[cell];
            }
        }
        if (!right)
            return kit_fault(
                l->kit, "move_cells",
                "the board after '%.60s' is not what move_cells says: expected a piece of the mover on the "
                "last cell, and none on the first of several",
                move_text(l, l->moves[i]));
    }
    return true;
}

/* ---- Hooks --------------------------------------------------------------------------------------------- */

static int place_of(const struct look *l, mp_move move)
{
    int at = 0;
    while (at < l->count && l->moves[at] != move)
        at++;
    return at < l->count ? at : -1;
}

static bool check_scored(struct look *l)
{
    for (int depth = 1; depth <= 4; depth++) {
        int count = l->game->ordering->list_scored(l->game, l->state, depth, l->found, l->scores,
                                                   MP_MAX_MOVES);
        if (count != l->count || memcmp(l->found, l->moves, (size_t)count * sizeof *l->found) != 0)
            return kit_fault(l->kit, "list_scored",
                             "list_scored with depth %d does not list the moves of list in their order",
                             depth);
        for (int i = 0; i < count; i++)
            if (l->scores[i] < -100000 || l->scores[i] > 100000)
                return kit_fault(l->kit, "list_scored.range",
                                 "list_scored guesses %d for '%.60s', expected -100000 to 100000",
                                 l->scores[i], move_text(l, l->moves[i]));
    }
    return true;
}

/* Every move is noisy or quiet, and the gains tell which. */
static bool check_stages(struct look *l)
{
    const struct mp_selective *s = l->game->selective;
    if (!s->list_noisy)
        return !s->list_quiet ||
               kit_fault(l->kit, "list_quiet", "there is list_quiet, expected list_noisy with it");
    int noisy = s->list_noisy(l->game, l->state, l->found, MP_MAX_MOVES), all = noisy;
    if (noisy < 0 || noisy > l->count)
        return kit_fault(l->kit, "list_noisy", "list_noisy returns %d, expected at most the %d of list",
                         noisy, l->count);
    if (s->list_quiet)
        all += s->list_quiet(l->game, l->state, l->found + noisy, MP_MAX_MOVES - noisy);
    if (s->list_quiet && all != l->count)
        return kit_fault(l->kit, "list_quiet",
                         "list_noisy and list_quiet return %d moves together, expected the %d of list", all,
                         l->count);
    for (int i = 0; i < all; i++) {
        if (place_of(l, l->found[i]) < 0)
            return kit_fault(l->kit, i < noisy ? "list_noisy" : "list_quiet",
                             "%s lists the move %llu, which list does not",
                             i < noisy ? "list_noisy" : "list_quiet", (unsigned long long)l->found[i]);
        for (int j = 0; j < i; j++)
            if (l->found[j] == l->found[i])
                return kit_fault(l->kit, "list_quiet", "list_noisy and list_quiet list '%.60s' twice",
                                 move_text(l, l->found[i]));
    }
    if (!s->gains)
        return true;
    s->gains(l->game, l->state, l->found, all, l->scores);
    for (int i = 0; i < all; i++)
        if ((l->scores[i] != 0) != (i < noisy))
            return kit_fault(l->kit, "gains",
                             "gains says %d of '%.60s', expected 0 for quiet moves and for no other",
                             l->scores[i], move_text(l, l->found[i]));
    return true;
}

/* What gains much gains less too, and nothing gains more than it takes. */
static bool check_exchange(struct look *l)
{
    const struct mp_selective *s = l->game->selective;
    for (int i = 0; i < l->count; i++) {
        int32_t gain = 0;
        if (s->gains)
            s->gains(l->game, l->state, &l->moves[i], 1, &gain);
        bool before = true, right = !s->gains || !s->exchange(l->game, l->state, l->moves[i], gain + 1);
        for (mp_value least = -2 * MP_EVAL_MAX; right && least <= gain;
             least = least < -2000 ? -2000 : least + 50) {
            bool now = s->exchange(l->game, l->state, l->moves[i], least);
            right = before || !now;
            before = now;
        }
        if (!right)
            return kit_fault(l->kit, "exchange",
                             "exchange says that '%.60s' gains more than it takes (%d), or much but not less",
                             move_text(l, l->moves[i]), gain);
    }
    return true;
}

static bool check_threats(struct look *l)
{
    const struct mp_game *game = l->game;
    const struct mp_selective *s = game->selective;
    for (int i = 0; s->gives_check && s->in_check && i < l->count; i++) {
        game->play(game, l->state, l->moves[i], l->child);
        if (s->gives_check(game, l->state, l->moves[i]) != s->in_check(game, l->child))
            return kit_fault(l->kit, "gives_check",
                             "gives_check of '%.60s' is not what in_check says after it",
                             move_text(l, l->moves[i]));
    }
    if (!s->null_move || !s->null_move(game, l->state, l->child))
        return true;
    if (s->in_check && s->in_check(game, l->state))
        return kit_fault(l->kit, "null_move.check", "null_move skips a turn in check, expected false");
    if (game->side(game, l->child) != !game->side(game, l->state))
        return kit_fault(l->kit, "null_move",
                         "null_move does not hand the turn over, expected the other side to move");
    if (game->key(game, l->child) == game->key(game, l->state))
        return kit_fault(l->kit, "key.side",
                         "key is the same whoever is to move (after null_move), expected another one");
    if (s->null_move(game, l->child, l->other) && game->side(game, l->other) != game->side(game, l->state))
        return kit_fault(l->kit, "null_move", "null_move twice does not give the turn back");
    uint64_t here[MP_MAX_PARTS], there[MP_MAX_PARTS];
    int parts = s->parts ? s->parts(game, l->state, here) : 0;
    /* Parts are of what is on the board, whoever is to move. */
    if (parts < 0 || parts > MP_MAX_PARTS ||
        (parts && (s->parts(game, l->child, there) != parts ||
                   memcmp(here, there, (size_t)parts * sizeof *here) != 0)))
        return kit_fault(l->kit, "parts",
                         "parts returns %d, expected 0 to %d, the same when the turn is handed over", parts,
                         MP_MAX_PARTS);
    return true;
}

static bool check_recall(struct look *l)
{
    const struct mp_game *game = l->game;
    for (int i = 0; i < l->count; i++) {
        mp_move move = MP_NO_MOVE;
        if (!game->selective->recall(game, l->state, (uint16_t)l->moves[i], &move) || move != l->moves[i])
            return kit_fault(l->kit, "recall", "recall does not find '%.60s' by its low 16 bits",
                             move_text(l, l->moves[i]));
    }
    for (uint32_t i = 0; i < 64; i++) {
        uint16_t low = (uint16_t)random_at(7, i);
        mp_move move = MP_NO_MOVE;
        if (game->selective->recall(game, l->state, low, &move) && place_of(l, move) < 0)
            return kit_fault(l->kit, "recall.legal",
                             "recall finds the move %llu for %u, which list does not have",
                             (unsigned long long)move, low);
    }
    return true;
}

static bool check_playout(struct look *l, uint64_t seed)
{
    int margin = l->game->playout(l->game, l->state, seed), most = l->game->margin_max;
    if (margin < -most || margin > most)
        return kit_fault(l->kit, "playout.range", "playout returns %d, expected -%d to %d", margin, most,
                         most);
    if (margin != l->game->playout(l->game, l->state, seed))
        return kit_fault(l->kit, "playout.pure", "playout gives another margin for the same state and seed");
    return true;
}

static void check_hooks(struct look *l, uint64_t seed)
{
    const struct mp_game *game = l->game;
    if (game->ordering->list_scored)
        check_scored(l);
    check_stages(l);
    if (game->selective->exchange)
        check_exchange(l);
    check_threats(l);
    if (game->selective->recall)
        check_recall(l);
    if (game->playout)
        check_playout(l, seed);
    for (int i = 0; game->is_pass && i < l->count; i++)
        game->is_pass(game, l->moves[i]);
}

/* The evaluations of the children in one call are those that evaluate gives, up to the first that is enough.
 * */
static bool check_children(struct look *l, const struct mp_evaluation *e)
{
    const struct mp_game *game = l->game;
    int count = e->children(game, e, l->state, l->moves, l->count, -MP_INFINITE, l->values);
    if (count != l->count)
        return kit_fault(l->kit, "children.count", "children of '%.40s' values %d of %d moves, expected all",
                         e->name, count, l->count);
    for (int i = 0; i < l->count; i++) {
        game->play(game, l->state, l->moves[i], l->child);
        mp_value value = e->evaluate(game, e, l->child);
        if (l->values[i] != value)
            return kit_fault(l->kit, "children",
                             "children of '%.40s' says %d after '%.60s', expected %d as evaluate does",
                             e->name, l->values[i], move_text(l, l->moves[i]), value);
    }
    for (int i = 0, least = MP_INFINITE; i < l->count; i++)
        if (l->values[i] < least) {
            least = l->values[i];
            int valued = e->children(game, e, l->state, l->moves, l->count, least, l->again);
            if (valued != i + 1 || memcmp(l->again, l->values, (size_t)(i + 1) * sizeof *l->values) != 0)
                return kit_fault(l->kit, "children.enough",
                                 "children of '%.40s' values %d moves where %d is enough, expected %d",
                                 e->name, valued, least, i + 1);
        }
    return true;
}

static void check_evaluations(struct look *l)
{
    const struct mp_game *game = l->game;
    mp_value low = -MP_INFINITE, high = MP_INFINITE;
    if (game->bounds)
        game->bounds(game, l->state, &low, &high);
    for (const struct mp_evaluation *e = game->evaluations; e->name; e++) {
        mp_value value = e->evaluate(game, e, l->state);
        if (value < low || value > high)
            kit_fault(l->kit, "bounds.evaluation", "bounds says %d to %d, but evaluation '%.40s' says %d",
                      low, high, e->name, value);
        if (e->children && !l->chance)
            check_children(l, e);
    }
}

/* Turned and mirrored positions have as many lines of play, and equal keys only if they are the same. */
static bool check_symmetries(struct look *l)
{
    const struct mp_game *game = l->game;
    uint64_t leaves, turned_leaves;
    int depth = l->count > 60 ? 2 : 3;
    struct mp_error error;
    mp_perft(l->kit->position, depth, 1, true, NULL, NULL, &leaves, NULL);
    game->print_position(game, l->state, l->first, sizeof l->first);
    for (int way = 0; way < game->symmetry_count; way++) {
        game->transform(game, l->state, way, l->child);
        game->print_position(game, l->child, l->text, sizeof l->text);
        if (!strcmp(l->text, l->first) != (game->key(game, l->state) == game->key(game, l->child)))
            return kit_fault(l->kit, "transform.key",
                             "key does not tell the position from its transform %d, '%.200s'", way, l->text);
        struct mp_position *position = mp_position_new(game, l->text, &error);
        if (!position)
            return kit_fault(l->kit, "transform.text",
                             "transform %d prints '%.100s', which is not read: %.200s", way, l->text,
                             error.text);
        mp_perft(position, depth, 1, true, NULL, NULL, &turned_leaves, NULL);
        mp_position_free(position);
        if (leaves != turned_leaves)
            return kit_fault(l->kit, "transform",
                             "transform %d has %llu lines of %d plies, expected %llu as before", way,
                             (unsigned long long)turned_leaves, depth, (unsigned long long)leaves);
    }
    return true;
}

/* ---- Positions and games ------------------------------------------------------------------------------- */

static bool check_history(struct look *l)
{
    const struct mp_game *game = l->game;
    struct mp_history history = mp_position_history(l->kit->position);
    if (game->drawn(game, l->state, &history) != game->drawn(game, l->state, &history) ||
        game->history_key(game, l->state, &history) != game->history_key(game, l->state, &history))
        return kit_fault(l->kit, "drawn.pure",
                         "drawn or history_key answers twice in two ways, expected one answer");
    return true;
}

static bool check_end(struct look *l)
{
    const struct mp_game *game = l->game;
    if (mp_position_drawn(l->kit->position))
        return true;
    mp_value low = -MP_INFINITE, high = MP_INFINITE, value = mp_state_final_value(game, l->state, 0);
    if (game->bounds)
        game->bounds(game, l->state, &low, &high);
    if (value < low || value > high)
        return kit_fault(l->kit, "bounds.end", "bounds says %d to %d of a finished state that is worth %d",
                         low, high, value);
    if (game->scoring == MP_SCORE_POINTS && (value < -MP_EVAL_MAX || value > MP_EVAL_MAX))
        return kit_fault(l->kit, "final_value", "final_value says %d, expected -%d to %d", value, MP_EVAL_MAX,
                         MP_EVAL_MAX);
    return true;
}

static void check_position(struct look *l, uint64_t seed, int ply)
{
    const struct mp_game *game = l->game;
    check_move_texts(l);
    check_pictures(l);
    check_evaluations(l);
    check_keys(l);
    if (game->drawn)
        check_history(l);
    if (ply == 0)
        check_refusal(l);
    if (mp_position_is_over(l->kit->position))
        check_end(l);
    if (game->bounds)
        check_bounds(l);
    if (l->chance || l->count == 0)
        return;
    check_hooks(l, seed);
    if (game->board->describe)
        check_board(l);
    if (ply % 7 == 0 && game->symmetry_count)
        check_symmetries(l);
}

/* Bytes that have been allocated and not freed; 0 where that cannot be told. */
static size_t allocated(void)
{
#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 33)
    struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
#else
    return 0;
#endif
}

/* Vets the position; once a game it is seen that this leaves no memory behind. */
static bool vet_position(struct look *l, bool measure)
{
    size_t before = measure ? allocated() : 0;
    bool right = kit_vet(l->kit);
    size_t after = measure ? allocated() : 0;
    if (right && after > before)
        kit_fault(l->kit, "allocation",
                  "its functions keep %zu bytes of memory after they return, expected no allocation",
                  after - before);
    return right;
}

/* False: the game is broken in a way that leaves nothing to go on with. */
static bool play_game(struct look *l, uint64_t seed)
{
    struct kit *kit = l->kit;
    uint64_t stream = seed;
    int chances = 0;
    if (!kit_start(kit))
        return false;
    for (int ply = 0; ply < LONGEST && kit_goes_on(kit); ply++) {
        if (!vet_position(l, ply < 2))
            return false;
        l->state = mp_position_state(kit->position);
        l->moves = vet_moves(kit->vet, &l->count, &l->chance);
        kit->report->positions++;
        kit->report->moves += (uint64_t)l->count;
        check_position(l, seed, ply);
        chances = l->chance ? chances + 1 : 0;
        if (chances > MOST_CHANCES_IN_A_ROW)
            return kit_fault(
                kit, "chances.end",
                "chances has outcomes %d times in a row, expected that a player is to move at some time",
                chances);
        if (mp_position_is_over(kit->position)) {
            kit->report->finished++;
            return true;
        }
        if (!kit_step(kit, l->moves[random_below(random_next(&stream), (uint32_t)l->count)]))
            return false;
    }
    return true;
}

void kit_play_games(struct kit *kit, int games, uint64_t enough_moves)
{
    struct look *l = calloc(1, sizeof *l);
    if (l) {
        *l = (struct look){.kit = kit, .game = kit->game};
        l->child = kit_state(kit->game);
        l->other = kit_state(kit->game);
    }
    bool right = l && l->child && l->other;
    for (int i = 0; right && i < games && kit->report->moves < enough_moves && kit_goes_on(kit); i++) {
        kit_does(kit, "playing", (double)i / games);
        right = play_game(l, (uint64_t)i);
        kit->report->games++;
    }
    if (l) {
        free(l->child);
        free(l->other);
    }
    free(l);
}

/* ---- Counts -------------------------------------------------------------------------------------------- */

static bool compare_counts(struct kit *kit, const struct mp_position *plain)
{
    for (int depth = 0; depth <= 3 && kit_goes_on(kit); depth++)
        for (int drop = 0; drop < 2; drop++) {
            uint64_t leaves, others;
            mp_perft(plain, depth, 1, drop, NULL, NULL, &leaves, NULL);
            for (int threads = 1; threads <= 3; threads++) {
                mp_perft(kit->position, depth, threads, drop, NULL, NULL, &others, NULL);
                kit->report->counts++;
                if (leaves != others)
                    return kit_fault(kit, "perft",
                                     "perft counts %llu leaves at depth %d, %s finished games, with the "
                                     "hooks perft and count "
                                     "and %llu without them, expected the same",
                                     (unsigned long long)others, depth, drop ? "without" : "with",
                                     (unsigned long long)leaves);
            }
        }
    return true;
}

void kit_count_lines(struct kit *kit, int positions)
{
    struct mp_game plain = *kit->game;
    plain.perft = NULL;
    plain.count = NULL;
    for (int i = 0; i < positions && kit_goes_on(kit); i++) {
        char text[KIT_TEXT];
        kit_does(kit, "counting", (double)i / positions);
        if (!kit_walk(kit, (uint64_t)i, 60))
            return;
        plain.print_position(&plain, mp_position_state(kit->position), text, sizeof text);
        struct mp_position *same = mp_position_new(&plain, text, NULL);
        bool right = same && compare_counts(kit, same);
        mp_position_free(same);
        if (!right)
            return;
    }
}
