/* position.c - positions of the public interface: a state of a game with the moves that led to it. */
#include "manyply/manyply.h"

#include "search/dice.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

struct mp_position {
    const struct mp_game *game;
    void *state, *next; /* next: where a move is played before it becomes the state */
    uint64_t *keys;     /* of the states so far, the current one excluded */
    mp_move *played;    /* the moves between them */
    size_t count, capacity;
};

/* A position without a state yet; null without memory. */
static struct mp_position *blank_position(const struct mp_game *game, struct mp_error *error)
{
    struct mp_position *p = calloc(1, sizeof *p);
    size_t size = memory_lines(game->state_size);
    if (p) {
        p->game = game;
        p->state = aligned_alloc(64, size);
        p->next = aligned_alloc(64, size);
    }
    if (!p || !p->state || !p->next) {
        mp_position_free(p);
        mp_fail_with(error, MP_ERROR_MEMORY, "out of memory for a position");
        return NULL;
    }
    memset(p->state, 0, size);
    memset(p->next, 0, size);
    return p;
}

struct mp_position *mp_position_new(const struct mp_game *game, const char *text, struct mp_error *error)
{
    struct mp_position *p = blank_position(game, error);
    if (p && !text) {
        game->initial(game, p->state);
    } else if (p && !game->parse_position(game, text, p->state, error)) {
        mp_position_free(p);
        return NULL;
    }
    return p;
}

/* Room for this many moves before the state. */
static bool reserve_history(struct mp_position *p, size_t capacity, struct mp_error *error)
{
    uint64_t *keys = realloc(p->keys, capacity * sizeof *keys);
    p->keys = keys ? keys : p->keys;
    mp_move *played = realloc(p->played, capacity * sizeof *played);
    p->played = played ? played : p->played;
    if (!keys || !played)
        return mp_fail_with(error, MP_ERROR_MEMORY, "out of memory for the history of a game");
    p->capacity = capacity;
    return true;
}

struct mp_position *mp_position_copy(const struct mp_position *position, struct mp_error *error)
{
    struct mp_position *p = blank_position(position->game, error);
    if (p && position->count && !reserve_history(p, position->capacity, error)) {
        mp_position_free(p);
        return NULL;
    }
    if (p) {
        memcpy(p->state, position->state, p->game->state_size);
        p->count = position->count;
    }
    if (p && p->count) {
        memcpy(p->keys, position->keys, p->count * sizeof *p->keys);
        memcpy(p->played, position->played, p->count * sizeof *p->played);
    }
    return p;
}

void mp_position_free(struct mp_position *p)
{
    if (p) {
        free(p->state);
        free(p->next);
        free(p->keys);
        free(p->played);
        free(p);
    }
}

const struct mp_game *mp_position_game(const struct mp_position *p)
{
    return p->game;
}

const void *mp_position_state(const struct mp_position *p)
{
    return p->state;
}

struct mp_history mp_position_history(const struct mp_position *p)
{
    return (struct mp_history){p->keys, p->count};
}

const mp_move *mp_position_played(const struct mp_position *p, size_t *count)
{
    *count = p->count;
    return p->played;
}

bool mp_position_is_chance(const struct mp_position *p)
{
    return p->game->chances && p->game->chances(p->game, p->state, NULL, NULL, 0) > 0;
}

int mp_position_moves(const struct mp_position *p, mp_move *moves, uint32_t *weights, int capacity)
{
    const struct mp_game *game = p->game;
    if (mp_position_is_chance(p))
        return game->chances(game, p->state, moves, weights, capacity);
    int count = game->list(game, p->state, moves, capacity);
    for (int i = 0; weights && i < count && i < capacity; i++)
        weights[i] = 1;
    return count;
}

bool mp_position_drawn(const struct mp_position *p)
{
    struct mp_history history = mp_position_history(p);
    return p->game->drawn && p->game->drawn(p->game, p->state, &history);
}

bool mp_position_is_over(const struct mp_position *p)
{
    return !mp_position_is_chance(p) &&
           (mp_position_drawn(p) || p->game->list(p->game, p->state, NULL, 0) == 0);
}

int mp_position_margin(const struct mp_position *p)
{
    const struct mp_game *game = p->game;
    if (mp_position_drawn(p))
        return 0;
    int margin = game->margin(game, p->state);
    return game->side(game, p->state) == 0 ? margin : -margin;
}

bool mp_position_board(const struct mp_position *p, struct mp_board *board)
{
    *board = (struct mp_board){.struct_size = board->struct_size, .cube_owner = -1};
    memset(board->pieces, '.', sizeof board->pieces);
    if (p->game->board->describe)
        p->game->board->describe(p->game, p->state, board);
    return p->game->board->describe;
}

/* All moves or outcomes, on the heap; *count is 0 when there are none, -1 without memory. */
static mp_move *all_moves(const struct mp_position *p, int *count)
{
    int total = mp_position_moves(p, NULL, NULL, 0);
    mp_move *moves = malloc(((size_t)total + 1) * sizeof *moves);
    *count = moves ? mp_position_moves(p, moves, NULL, total) : -1;
    return moves;
}

bool mp_position_play(struct mp_position *p, mp_move move, struct mp_error *error)
{
    int count;
    mp_move *moves = all_moves(p, &count);
    bool legal = false;
    for (int i = 0; i < count && !legal; i++)
        legal = moves[i] == move;
    free(moves);
    if (!legal)
        return mp_fail(error, "the move is not legal here");
    if (p->count == p->capacity && !reserve_history(p, p->capacity ? 2 * p->capacity : 64, error))
        return false;
    p->played[p->count] = move;
    p->keys[p->count++] = p->game->key(p->game, p->state);
    p->game->play(p->game, p->state, move, p->next);
    void *state = p->state;
    p->state = p->next;
    p->next = state;
    return true;
}

/* The longest legal move that text begins with; 0 if none, else its length. */
static size_t match_prefix(const struct mp_position *p, const char *text, mp_move *move)
{
    int count;
    mp_move *moves = all_moves(p, &count);
    size_t longest = 0;
    for (int i = 0; i < count; i++) {
        char name[128];
        int length = p->game->print_move(p->game, p->state, moves[i], name, sizeof name);
        if (length > 0 && (size_t)length < sizeof name && (size_t)length > longest &&
            !strncmp(text, name, (size_t)length)) {
            longest = (size_t)length;
            *move = moves[i];
        }
    }
    free(moves);
    return longest;
}

static bool parse_own_spelling(const struct mp_position *p, const char *text, mp_move *move,
                               struct mp_error *error)
{
    if (match_prefix(p, text, move) == strlen(text) && *text)
        return true;
    return mp_fail(error, "%s move '%.60s' is not legal here", p->game->name, text);
}

bool mp_position_parse_move(const struct mp_position *p, const char *text, mp_move *move,
                            struct mp_error *error)
{
    if (p->game->parse_move) {
        if (mp_position_moves(p, NULL, NULL, 0) == 0)
            return mp_fail(error, "%s move '%.60s': the game is over", p->game->name, text);
        return p->game->parse_move(p->game, p->state, text, move, error);
    }
    return parse_own_spelling(p, text, move, error);
}

/* A turn that can only be skipped, unless the text says so itself. */
static bool play_silent_pass(struct mp_position *p, struct mp_error *error)
{
    mp_move move;
    return p->game->is_pass && !mp_position_is_chance(p) && mp_position_moves(p, &move, NULL, 1) == 1 &&
           p->game->is_pass(p->game, move) && mp_position_play(p, move, error);
}

/* Plays what stands between two separators: one move, or several without blanks. */
static bool play_word(struct mp_position *p, const char *word, struct mp_error *error)
{
    while (*word) {
        mp_move move;
        size_t length = strlen(word);
        if (!mp_position_parse_move(p, word, &move, error) && (length = match_prefix(p, word, &move)) == 0) {
            if (!play_silent_pass(p, NULL))
                return false;
            continue;
        }
        if (!mp_position_play(p, move, error))
            return false;
        word += length;
    }
    return true;
}

/* How many words the longest legal move has: more than one where moves are written with blanks. */
static int most_words(const struct mp_position *p)
{
    int count, most = 1;
    mp_move *moves = all_moves(p, &count);
    for (int i = 0; i < count; i++) {
        char name[128];
        p->game->print_move(p->game, p->state, moves[i], name, sizeof name);
        int words = 1;
        for (const char *at = name; *at; at++)
            words += *at == ' ';
        most = words > most ? words : most;
    }
    free(moves);
    return most;
}

static const char separators[] = " ,\t\n";

/* Copies the first words of text, with single blanks between them; returns how long they are in text, 0 if
 * there are not that many. */
static size_t copy_words(const char *text, int words, char *copy)
{
    const char *at = text;
    for (int i = 0; i < words; i++) {
        at += strspn(at, separators);
        size_t length = strcspn(at, separators);
        if (length == 0)
            return 0;
        if (i > 0)
            *copy++ = ' ';
        memcpy(copy, at, length);
        copy += length;
        at += length;
    }
    *copy = 0;
    return (size_t)(at - text);
}

/* A move may be spelled in this many words. */
enum { MOST_WORDS = 4 };

/* Plays what stands next in a record: a move of several words if these words are one, else one word, which
 * may be several moves. Returns how much was read, 0 on an error. */
static size_t play_next(struct mp_position *p, const char *text, char *copy, struct mp_error *error)
{
    for (int words = MOST_WORDS; words > 1; words--) {
        mp_move move;
        size_t length = copy_words(text, words, copy);
        if (length && mp_position_parse_move(p, copy, &move, NULL))
            return mp_position_play(p, move, error) ? length : 0;
    }
    size_t length = copy_words(text, 1, copy);
    if (play_word(p, copy, error))
        return length;
    /* The sentence about as many words as a move has here says most. */
    for (int words = most_words(p); words > 1; words--) {
        mp_move move;
        if (copy_words(text, words, copy)) {
            mp_position_parse_move(p, copy, &move, error);
            break;
        }
    }
    return 0;
}

bool mp_position_play_text(struct mp_position *p, const char *record, struct mp_error *error)
{
    char *copy = malloc(strlen(record) + 1), *start = malloc(p->game->state_size);
    size_t count = p->count;
    bool ok = copy && start;
    if (ok)
        memcpy(start, p->state, p->game->state_size);
    else
        mp_fail_with(error, MP_ERROR_MEMORY, "out of memory");
    for (const char *rest = record; ok && *(rest += strspn(rest, separators));) {
        struct mp_error reason = {0};
        size_t length = play_next(p, rest, copy, &reason);
        rest += length;
        ok = length || mp_fail(error, "after %zu %s: %.400s", p->count - count,
                               p->count - count == 1 ? "move" : "moves", reason.text);
    }
    if (!ok && start) {
        memcpy(p->state, start, p->game->state_size);
        p->count = count;
    }
    free(copy);
    free(start);
    return ok;
}

mp_move mp_position_throw(const struct mp_position *p, uint64_t seed, uint64_t game, uint64_t throws_before)
{
    enum { MOST = 4096 };
    mp_move outcomes[MOST];
    uint32_t weights[MOST];
    int count = mp_position_moves(p, outcomes, weights, MOST);
    return outcomes[dice_outcome(weights, count < MOST ? count : MOST, seed, game, throws_before)];
}

/* ---- Text and values -------------------------------------------------------------------------------- */

int mp_position_side(const struct mp_position *p)
{
    return p->game->side(p->game, p->state);
}

int mp_position_text(const struct mp_position *p, char *text, size_t size)
{
    return p->game->print_position(p->game, p->state, text, size);
}

int mp_position_move_text(const struct mp_position *p, mp_move move, char *text, size_t size)
{
    return p->game->print_move(p->game, p->state, move, text, size);
}

int mp_position_line_text(const struct mp_position *p, const mp_move *moves, int count, char *text,
                          size_t size)
{
    size_t bytes = memory_lines(p->game->state_size), used = 0;
    char *states = aligned_alloc(64, 2 * bytes);
    if (size > 0)
        *text = 0;
    if (states)
        memcpy(states, p->state, p->game->state_size);
    for (int i = 0; states && i < count; i++) {
        const char *now = states + (size_t)(i % 2) * bytes;
        char *next = states + (size_t)((i + 1) % 2) * bytes;
        size_t left = used < size ? size - used : 0;
        used += (size_t)snprintf(text + (left ? used : 0), left, "%s", i ? " " : "");
        left = used < size ? size - used : 0;
        used += (size_t)p->game->print_move(p->game, now, moves[i], text + (left ? used : 0), left);
        p->game->play(p->game, now, moves[i], next);
    }
    free(states);
    return (int)used;
}

bool mp_position_evaluate(const struct mp_position *p, const char *name, mp_value *value,
                          struct mp_error *error)
{
    const struct mp_evaluation *evaluation = p->game->evaluations;
    while (name && evaluation->name && strcmp(evaluation->name, name) != 0)
        evaluation++;
    if (!evaluation->name)
        return mp_fail(error, "%s has no evaluation '%.60s', expected one of its list", p->game->name, name);
    if (mp_position_is_chance(p) && p->game->scoring != MP_SCORE_POINTS)
        return mp_fail_with(error, MP_ERROR_MISUSE, "chance decides here, expected a player to move");
    *value = evaluation->evaluate(p->game, evaluation, p->state);
    return true;
}

int mp_value_text(const struct mp_game *game, mp_value value, char *text, size_t size)
{
    if (game->scoring == MP_SCORE_POINTS)
        return snprintf(text, size, "%+.3f", (double)value / game->units_per_point);
    if (value > -MP_PROVEN && value < MP_PROVEN)
        return snprintf(text, size, "%+d", value);
    const char *word = value > 0 ? "win" : "loss";
    if (game->scoring == MP_SCORE_MARGIN)
        return snprintf(text, size, "%s by %d", word, abs(value) - MP_PROVEN);
    int plies = MP_PROVEN + MP_MAX_PLY - abs(value);
    return snprintf(text, size, "%s in %d %s", word, plies, plies == 1 ? "ply" : "plies");
}
