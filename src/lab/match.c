/* match.c - plays one game: dice, openings, moves, clocks, adjudication and forfeits. */
#include "lab/match.h"

#include "base/memory.h"
#include "base/random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *match_end_name(enum match_end end)
{
    static const char *const names[] = {"rules", "time",     "illegal move", "crash",
                                        "plies", "resigned", "agreed draw",  "interrupted"};
    return names[end];
}

/* ---- The record ------------------------------------------------------------------------------------- */

static bool add_move(struct match_game *match, const struct match_move *move, struct mp_error *error)
{
    struct match_move *moves = memory_grow(match->moves, match->count, sizeof *moves);
    if (!moves)
        return mp_fail(error, "out of memory for a game of %d moves", match->count);
    match->moves = moves;
    moves[match->count] = *move;
    return true;
}

/* Plays a move and writes it down. */
static bool play(struct match_game *match, struct match_move *move, struct mp_error *error)
{
    const struct mp_game *game = match->game;
    const void *state = mp_position_state(match->position);
    char text[256];
    game->print_move(game, state, move->thought.move, text, sizeof text);
    move->side = game->side(game, state);
    if (!add_move(match, move, error) || !mp_position_play(match->position, move->thought.move, error))
        return false;
    move = &match->moves[match->count];
    if (!(move->text = strdup(text)))
        return mp_fail(error, "out of memory");
    match->count++;
    if (match->on_move)
        match->on_move(match, move, match->context);
    return true;
}

/* Text of any length, on the heap. */
static char *position_text(const struct mp_game *game, const void *state)
{
    int length = game->print_position(game, state, NULL, 0);
    char *text = malloc((size_t)length + 1);
    if (text)
        game->print_position(game, state, text, (size_t)length + 1);
    return text;
}

bool match_begin(struct match_game *match, const char *position, struct mp_error *error)
{
    match->position = mp_position_new(match->game, position, error);
    if (!match->position)
        return false;
    match->start = position_text(match->game, mp_position_state(match->position));
    return match->start || mp_fail(error, "out of memory");
}

void match_free(struct match_game *match)
{
    for (int i = 0; i < match->count; i++)
        free(match->moves[i].text);
    free(match->moves);
    free(match->start);
    mp_position_free(match->position);
    match->moves = NULL;
    match->start = NULL;
    match->position = NULL;
    match->count = 0;
}

/* ---- Chance ----------------------------------------------------------------------------------------- */

/* One of the moves, drawn with a number from 0 to 2^32 - 1. */
static bool draw_move(const struct mp_position *position, uint32_t number, struct match_move *move,
                      struct mp_error *error)
{
    int count = mp_position_moves(position, NULL, NULL, 0);
    mp_move *moves = malloc((size_t)count * sizeof *moves);
    if (!moves)
        return mp_fail(error, "out of memory");
    mp_position_moves(position, moves, NULL, count);
    *move = (struct match_move){.by_chance = true,
                                .alternatives = count,
                                .thought.move = moves[(uint64_t)number * (uint64_t)count >> 32]};
    free(moves);
    return true;
}

static bool throw_dice(struct match_game *match, struct mp_error *error)
{
    struct match_move move = {.by_chance = true,
                              .alternatives = mp_position_moves(match->position, NULL, NULL, 0)};
    if (match->throw_dice) {
        if (!match->throw_dice(match, &move.thought.move, match->context, error))
            return false;
    } else {
        move.thought.move = mp_position_throw(match->position, match->seed, match->stream,
                                              (uint64_t)match->throws);
    }
    match->throws++;
    return play(match, &move, error);
}

/* ---- Openings --------------------------------------------------------------------------------------- */

bool match_open_with_moves(struct match_game *match, const mp_move *moves, int count, struct mp_error *error)
{
    for (int i = 0; i < count; i++) {
        struct match_move move = {.by_chance = true,
                                  .alternatives = mp_position_moves(match->position, NULL, NULL, 0),
                                  .thought.move = moves[i]};
        match->throws += mp_position_is_chance(match->position);
        if (!play(match, &move, error))
            return false;
    }
    return true;
}

bool match_open_with_text(struct match_game *match, const char *record, struct mp_error *error)
{
    /* Another position reads the record; what it has played is then written down move by move. */
    struct mp_position *reader = mp_position_new(match->game, match->start, error);
    bool ok = reader && mp_position_play_text(reader, record, error);
    size_t count = 0;
    const mp_move *moves = ok ? mp_position_played(reader, &count) : NULL;
    ok = ok && match_open_with_moves(match, moves, (int)count, error);
    mp_position_free(reader);
    return ok;
}

bool match_open_at_random(struct match_game *match, int plies, uint64_t seed, struct mp_error *error)
{
    for (int ply = 0; ply < plies && !mp_position_is_over(match->position);) {
        if (mp_position_is_chance(match->position)) {
            if (!throw_dice(match, error))
                return false;
            continue;
        }
        uint32_t numbers[4];
        struct match_move move;
        random_block(seed, match->stream, (uint64_t)ply++, numbers);
        if (!draw_move(match->position, numbers[0], &move, error) || !play(match, &move, error))
            return false;
    }
    return true;
}

/* ---- The game --------------------------------------------------------------------------------------- */

static void finish(struct match_game *match, enum match_end end, int margin)
{
    match->end = end;
    match->margin = margin;
}

/* A game that a player loses without the rules saying so. */
static void forfeit(struct match_game *match, enum match_end end, int loser, const char *reason)
{
    finish(match, end, loser == 0 ? -1 : 1);
    snprintf(match->reason, sizeof match->reason, "%s: %.150s", match->players[loser]->setup->name, reason);
}

static enum match_end end_after(enum player_answer answer)
{
    return answer == PLAYER_LATE ? MATCH_TIME : answer == PLAYER_ILLEGAL ? MATCH_ILLEGAL : MATCH_CRASH;
}

/* How many of the last moves of both players in a row, up to this many, satisfy a condition on their value
 * for side 0. */
static int agreeing(const struct match_game *match, int most, bool (*holds)(mp_value value, mp_value limit),
                    mp_value limit)
{
    int seen = 0;
    for (int i = match->count - 1; i >= 0 && seen < most; i--) {
        const struct match_move *move = &match->moves[i];
        if (move->by_chance)
            continue;
        mp_value value = move->side == 0 ? move->thought.value : -move->thought.value;
        if (!move->thought.has_value || !holds(value, limit))
            break;
        seen++;
    }
    return seen;
}

static bool is_won(mp_value value, mp_value limit)
{
    return value >= limit;
}
static bool is_lost(mp_value value, mp_value limit)
{
    return value <= -limit;
}
static bool is_level(mp_value value, mp_value limit)
{
    return value >= -limit && value <= limit;
}

/* Does a rule about the length or the values end the game here? */
static bool is_adjudicated(struct match_game *match)
{
    const struct match_rules *rules = &match->rules;
    int resign = 2 * rules->resign_moves, draw = 2 * rules->draw_moves;
    if (resign && agreeing(match, resign, is_won, rules->resign) == resign)
        finish(match, MATCH_RESIGNED, 1);
    else if (resign && agreeing(match, resign, is_lost, rules->resign) == resign)
        finish(match, MATCH_RESIGNED, -1);
    else if (draw && match->plies >= rules->draw_after &&
             agreeing(match, draw, is_level, rules->draw) == draw)
        finish(match, MATCH_AGREED, 0);
    else if (rules->most_plies && match->plies >= rules->most_plies)
        finish(match, MATCH_PLIES, 0);
    else
        return false;
    return true;
}

/* The record as a list of texts, as a turn wants it. */
static const char **record_texts(const struct match_game *match)
{
    const char **texts = malloc(((size_t)match->count + 1) * sizeof *texts);
    for (int i = 0; texts && i < match->count; i++)
        texts[i] = match->moves[i].text;
    return texts;
}

/* Seconds after which a side has overstepped its time, without the margin; infinite without such a limit. */
static double limit_of(const struct match_game *match, int side, const double left[2])
{
    const struct time_control *control = &match->players[side]->setup->control;
    return control->base > 0 ? left[side] : control->move > 0 ? control->move : INFINITY;
}

/* Lets the side to move think and play. False: the game is over, or failed with an error. */
static bool play_turn(struct match_game *match, double left[2], bool *failed, struct mp_error *error)
{
    const struct mp_game *game = match->game;
    int side = game->side(game, mp_position_state(match->position));
    struct player *player = match->players[side];
    const struct time_control *controls[2] = {&match->players[0]->setup->control,
                                              &match->players[1]->setup->control};
    double limit = limit_of(match, side, left);
    const char **texts = record_texts(match);
    struct turn turn = {
        .position = match->position,
        .start = match->start,
        .moves = texts,
        .count = match->count,
        .side = side,
        .left = {left[0], left[1]},
        .increment = {controls[0]->increment, controls[1]->increment},
        .allowed = limit + match->rules.margin,
    };
    /* Who plays on a clock against a player without one is told of two equal clocks. */
    if (controls[1 - side]->base <= 0) {
        turn.left[1 - side] = left[side];
        turn.increment[1 - side] = turn.increment[side];
    }
    struct match_move move = {.alternatives = mp_position_moves(match->position, NULL, NULL, 0)};
    struct mp_error reason = {.text = "out of memory"};
    enum player_answer answer = texts ? player_think(player, &turn, &move.thought, &reason) : PLAYER_FAILED;
    free(texts);
    if (move.thought.alternatives)
        move.alternatives = (int)move.thought.alternatives;
    /* A clock that has run out stands still while there is no CPU for its player. All that was waited is not given back:
     * it is not known of all programs alike, and who plays slowly would gain more time than others. */
    double forgiven = fmin(fmax(move.thought.seconds - limit, 0), move.thought.waited);
    move.thought.seconds -= forgiven;
    match->seconds[side] += move.thought.seconds;
    match->waited[side] += forgiven;
    if (answer == PLAYER_MOVED && move.thought.seconds > turn.allowed) {
        snprintf(reason.text, sizeof reason.text, "%.3f s for a move that had %.3f s", move.thought.seconds,
                 limit);
        answer = PLAYER_LATE;
    }
    if (answer == PLAYER_FAILED) {
        *failed = true;
        return mp_fail(error, "%s: %.400s", player->setup->name, reason.text);
    }
    if (answer != PLAYER_MOVED) {
        forfeit(match, end_after(answer), side, reason.text);
        return false;
    }
    left[side] = fmax(left[side] - move.thought.seconds, 0) + controls[side]->increment;
    match->plies++;
    *failed = !play(match, &move, error);
    return !*failed;
}

static bool begin_players(struct match_game *match, bool *failed, struct mp_error *error)
{
    for (int side = 0; side < 2; side++) {
        struct mp_error reason;
        enum player_answer answer = player_begin(match->players[side], &reason);
        if (answer == PLAYER_FAILED) {
            *failed = true;
            return mp_fail(error, "%s: %.400s", match->players[side]->setup->name, reason.text);
        }
        if (answer != PLAYER_MOVED) {
            forfeit(match, end_after(answer), side, reason.text);
            return false;
        }
    }
    return true;
}

bool match_play(struct match_game *match, struct mp_error *error)
{
    bool failed = false;
    double left[2];
    for (int side = 0; side < 2; side++)
        left[side] = match->players[side]->setup->control.base +
                     match->players[side]->setup->control.increment;
    if (!begin_players(match, &failed, error))
        return !failed;
    for (;;) {
        if (match->rules.stop && atomic_load_explicit(match->rules.stop, memory_order_relaxed)) {
            finish(match, MATCH_INTERRUPTED, 0);
            return true;
        }
        if (mp_position_is_over(match->position)) {
            finish(match, MATCH_RULES, mp_position_margin(match->position));
            return true;
        }
        if (is_adjudicated(match))
            return true;
        if (mp_position_is_chance(match->position)) {
            if (!throw_dice(match, error))
                return false;
        } else if (!play_turn(match, left, &failed, error)) {
            return !failed;
        }
    }
}
