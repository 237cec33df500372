/* harvest.c - see harvest.h.
 *
 * Threads: each takes the number of the next game and plays it with a search of its own, which forgets the game before.
 * A finished game waits in its place of a ring until all games before it have been written; whoever brings the next one
 * in turn writes it and those that follow, under the lock. Nobody begins a game that is a whole ring ahead. */
#include "lab/harvest.h"

#include "base/random.h"
#include "base/thread.h"
#include "lab/examples_file.h"
#include "lab/games_file.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_MOVES = 4096, DECIDED_PLIES = 4, MOST_OPENINGS = 10000, RING = 1024, MOST_TEXT = 1024 };

/* A game that is finished and waits to be written. */
struct sheaf {
    struct games_bytes bytes;
    int margin, positions;
    bool is_ready;
};

struct field {
    const struct harvest *harvest;
    harvest_progress *progress;
    void *context;
    FILE *text; /* one of the two is there */
    struct games_writer *writer;
    pthread_mutex_t lock; /* guards all that follows, and the file */
    pthread_cond_t moved; /* next_written has grown, or nobody goes on */
    int64_t next, next_written;
    struct sheaf ring[RING];
    struct harvest_report *report;
    struct mp_error *error;
    bool failed;
};

/* What a thread plays with. */
struct player_at_work {
    const struct harvest *harvest;
    struct mp_search *search;
    struct mp_position *position;
    struct games_game game;
    int capacity, positions;
    uint64_t number, throws;
    mp_move moves[MOST_MOVES];
    uint32_t weights[MOST_MOVES];
};

static bool is_stopped(const struct harvest *h)
{
    return h->stop && atomic_load_explicit(h->stop, memory_order_relaxed);
}

/* ---- One game ------------------------------------------------------------------------------------------ */

static bool note(struct player_at_work *p, uint32_t place, mp_value value, struct mp_error *error)
{
    struct games_game *g = &p->game;
    if (g->count == p->capacity) {
        int capacity = p->capacity ? 2 * p->capacity : 256;
        uint32_t *places = realloc(g->places, (size_t)capacity * sizeof *places);
        g->places = places ? places : g->places;
        mp_value *values = realloc(g->values, (size_t)capacity * sizeof *values);
        g->values = values ? values : g->values;
        if (!places || !values)
            return mp_fail_with(error, MP_ERROR_MEMORY, "out of memory");
        p->capacity = capacity;
    }
    g->places[g->count] = place;
    g->values[g->count++] = value;
    p->positions += value != GAMES_NO_VALUE;
    return true;
}

/* Plays a move, or an outcome of chance, and notes it. */
static bool play(struct player_at_work *p, mp_move move, mp_value value, struct mp_error *error)
{
    int count = mp_position_moves(p->position, p->moves, NULL, MOST_MOVES), place = 0;
    while (place < count && place < MOST_MOVES && p->moves[place] != move)
        place++;
    return note(p, (uint32_t)place, value, error) && mp_position_play(p->position, move, error);
}

/* The dice, as long as it is their turn. */
static bool throw_dice(struct player_at_work *p, struct mp_error *error)
{
    while (mp_position_is_chance(p->position))
        if (!play(p, mp_position_throw(p->position, p->harvest->seed, p->number, p->throws++), GAMES_NO_VALUE,
                  error))
            return false;
    return true;
}

/* Random moves from the beginning. *is_over: they ended the game. */
static bool open_game(struct player_at_work *p, uint64_t *stream, bool *is_over, struct mp_error *error)
{
    const struct harvest *h = p->harvest;
    int plies = h->least_random +
                (int)random_below(random_next(stream), (uint32_t)(h->most_random - h->least_random + 1));
    mp_position_free(p->position);
    p->position = mp_position_new(h->game, NULL, error);
    p->game.count = p->positions = 0;
    bool ok = p->position && throw_dice(p, error);
    for (int ply = 0; ok && ply < plies && !mp_position_is_over(p->position); ply++) {
        int count = mp_position_moves(p->position, p->moves, NULL, MOST_MOVES);
        mp_move move =
            p->moves[random_below(random_next(stream), (uint32_t)(count < MOST_MOVES ? count : MOST_MOVES))];
        ok = play(p, move, GAMES_NO_VALUE, error) && throw_dice(p, error);
    }
    *is_over = ok && mp_position_is_over(p->position);
    return ok;
}

/* Plays to the end, or until it is clear how it ends. *is_fair: the opening was not too unequal. */
static bool play_on(struct player_at_work *p, bool *is_fair, struct mp_error *error)
{
    const struct harvest *h = p->harvest;
    int lead_plies = 0;
    p->game.margin = 0;
    *is_fair = true;
    for (int ply = 0; ply < h->most_plies && !is_stopped(h); ply++) {
        struct mp_result result = {MP_SIZE(struct mp_result)};
        if (mp_position_is_over(p->position)) {
            p->game.margin = mp_position_margin(p->position);
            return true;
        }
        if (!mp_search_run(p->search, p->position, NULL, NULL, &result, error))
            return false;
        mp_value value = mp_position_side(p->position) == 0 ? result.value : -result.value;
        *is_fair = ply > 0 || !h->unequal || abs(value) <= h->unequal;
        if (!*is_fair)
            return true;
        if (!play(p, result.move, value, error) || !throw_dice(p, error))
            return false;
        int lead = h->decided ? (value > h->decided) - (value < -h->decided) : 0;
        lead_plies = lead == 0 ? 0 : lead_plies * lead > 0 ? lead_plies + lead : lead;
        if (abs(lead_plies) == DECIDED_PLIES) {
            p->game.margin = lead;
            return true;
        }
    }
    return true;
}

static bool play_game(struct player_at_work *p, int64_t number, struct mp_error *error)
{
    const struct harvest *h = p->harvest;
    uint64_t stream = random_at(h->seed, (uint64_t)number);
    p->number = (uint64_t)number;
    p->throws = 0;
    for (int attempt = 0; attempt < MOST_OPENINGS; attempt++) {
        bool is_over, is_fair;
        if (!open_game(p, &stream, &is_over, error))
            return false;
        if (is_over)
            continue;
        mp_search_forget(p->search);
        if (!play_on(p, &is_fair, error))
            return false;
        if (is_fair)
            return true;
    }
    return mp_fail(error, "%d random openings were all over or unequal, expected fewer random plies",
                   MOST_OPENINGS);
}

/* ---- Writing ------------------------------------------------------------------------------------------- */

struct text_lines {
    const struct mp_game *game;
    FILE *file;
    int positions;
};

static bool write_line(void *context, const struct examples_position *p, struct mp_error *error)
{
    struct text_lines *lines = context;
    char text[MOST_TEXT];
    if (p->is_final || fabs(p->value) > MP_EVAL_MAX)
        return true;
    int length = lines->game->print_position(lines->game, p->state, text, sizeof text);
    if (length < 0 || (size_t)length >= sizeof text)
        return true;
    lines->positions++;
    return fprintf(lines->file, "%s\t%g\t%d\n", text, p->result, (int)p->value) > 0 ||
           mp_fail_with(error, MP_ERROR_SYSTEM, "the positions could not be written");
}

/* Once for each game, in order. */
static bool write_sheaf(struct field *field, const struct sheaf *sheaf, struct mp_error *error)
{
    struct harvest_report *report = field->report;
    int positions = sheaf->positions;
    if (field->writer) {
        if (!games_writer_add(field->writer, &sheaf->bytes, sheaf->margin, positions, error))
            return false;
    } else {
        const struct examples_rule rule = {.scale = 1};
        struct text_lines lines = {field->harvest->game, field->text, 0};
        if (!examples_replay(field->harvest->game, &rule, sheaf->bytes.data, sheaf->bytes.size, 1, 0,
                             write_line, &lines, error))
            return false;
        positions = lines.positions;
    }
    report->games++;
    report->wins += sheaf->margin > 0;
    report->draws += sheaf->margin == 0;
    report->losses += sheaf->margin < 0;
    report->positions += positions;
    return true;
}

/* Takes a game in, and writes those whose turn it is. */
static bool hand_in(struct field *field, const struct player_at_work *p, struct mp_error *error)
{
    pthread_mutex_lock(&field->lock);
    struct sheaf *sheaf = &field->ring[p->number % RING];
    sheaf->bytes.size = 0;
    sheaf->margin = p->game.margin;
    sheaf->positions = p->positions;
    bool ok = games_put(&sheaf->bytes, &p->game) || mp_fail_with(error, MP_ERROR_MEMORY, "out of memory");
    sheaf->is_ready = ok;
    while (ok && (sheaf = &field->ring[field->next_written % RING])->is_ready) {
        ok = write_sheaf(field, sheaf, error);
        sheaf->is_ready = false;
        field->next_written++;
    }
    pthread_cond_broadcast(&field->moved);
    if (field->progress)
        field->progress(field->report, field->context);
    pthread_mutex_unlock(&field->lock);
    return ok;
}

/* ---- All games ----------------------------------------------------------------------------------------- */

/* The next game to play, or -1. */
static int64_t take_number(struct field *field)
{
    const struct harvest *h = field->harvest;
    int64_t number = -1;
    pthread_mutex_lock(&field->lock);
    while (!field->failed && field->next < h->games && field->next - field->next_written >= RING &&
           !is_stopped(h))
        pthread_cond_wait(&field->moved, &field->lock);
    if (!field->failed && field->next < h->games && !is_stopped(h))
        number = field->next++;
    pthread_mutex_unlock(&field->lock);
    return number;
}

static void give_up(struct field *field, const struct mp_error *error)
{
    pthread_mutex_lock(&field->lock);
    if (!field->failed)
        mp_fail_with(field->error, error->code, "%s", error->text);
    field->failed = true;
    pthread_cond_broadcast(&field->moved);
    pthread_mutex_unlock(&field->lock);
}

static void *work(void *context)
{
    struct field *field = context;
    const struct harvest *h = field->harvest;
    struct mp_error error = {.text = "out of memory", .code = MP_ERROR_MEMORY};
    struct player_at_work *p = calloc(1, sizeof *p);
    if (p) {
        p->harvest = h;
        p->search = mp_search_new(h->game, h->strategy, &error);
    }
    bool ok = p && p->search;
    for (int64_t number; ok && (number = take_number(field)) >= 0;) {
        ok = play_game(p, number, &error);
        if (ok && is_stopped(h)) /* and this game is not finished */
            break;
        ok = ok && hand_in(field, p, &error);
    }
    if (!ok)
        give_up(field, &error);
    pthread_mutex_lock(&field->lock); /* whoever waits for room sees that it was stopped */
    pthread_cond_broadcast(&field->moved);
    pthread_mutex_unlock(&field->lock);
    if (p) {
        mp_search_free(p->search);
        mp_position_free(p->position);
        free(p->game.places);
        free(p->game.values);
        free(p);
    }
    return NULL;
}

static void play_all(struct field *field)
{
    pthread_t threads[MP_MAX_THREADS];
    int started = 0;
    pthread_mutex_init(&field->lock, NULL);
    pthread_cond_init(&field->moved, NULL);
    while (started < field->harvest->threads - 1 && thread_start(&threads[started], work, field))
        started++;
    work(field);
    for (int i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
    pthread_cond_destroy(&field->moved);
    pthread_mutex_destroy(&field->lock);
    for (int i = 0; i < RING; i++)
        free(field->ring[i].bytes.data);
}

/* Names end with .txt where text is wanted. */
static bool wants_text(const char *path)
{
    size_t length = strlen(path);
    return length >= 4 && !strcmp(path + length - 4, ".txt");
}

static bool harvest_text(struct field *field, const char *path, struct mp_error *error)
{
    field->text = fopen(path, "w");
    if (!field->text)
        return mp_fail_with(error, MP_ERROR_SYSTEM, "it cannot be written: %s", strerror(errno));
    play_all(field);
    bool ok = !field->failed;
    if (fclose(field->text) != 0 && ok)
        ok = mp_fail_with(error, MP_ERROR_SYSTEM, "it could not be written: %s", strerror(errno));
    return ok;
}

static bool harvest_games(struct field *field, const char *path, struct mp_error *error)
{
    const struct harvest *h = field->harvest;
    struct games_writer writer;
    struct harvest_report *report = field->report;
    char made[GAMES_HEADER / 2];
    snprintf(made, sizeof made,
             "%s; seed %llu, %d to %d random plies, unequal %d, decided %d, at most %d plies", h->strategy,
             (unsigned long long)h->seed, h->least_random, h->most_random, h->unequal, h->decided,
             h->most_plies);
    if (!games_writer_open(path, h->game, made, &writer, error))
        return false;
    field->writer = &writer;
    field->next = field->next_written = report->found = report->games = writer.total.games;
    report->wins = writer.total.wins;
    report->draws = writer.total.draws;
    report->losses = report->games - report->wins - report->draws;
    report->positions = writer.total.positions;
    play_all(field);
    struct mp_error closing = {0};
    bool closed = games_writer_close(&writer, &closing);
    if (!closed && !field->failed)
        mp_fail_with(error, closing.code, "%s", closing.text);
    return closed && !field->failed;
}

bool harvest_run(const struct harvest *harvest, const char *path, harvest_progress *progress, void *context,
                 struct harvest_report *report, struct mp_error *error)
{
    struct mp_error reason = {0};
    *report = (struct harvest_report){0};
    struct field *field = calloc(1, sizeof *field);
    if (!field)
        return mp_fail_with(error, MP_ERROR_MEMORY, "out of memory");
    field->harvest = harvest;
    field->progress = progress;
    field->context = context;
    field->report = report;
    field->error = &reason;
    bool ok = wants_text(path) ? harvest_text(field, path, &reason) : harvest_games(field, path, &reason);
    free(field);
    return ok || mp_fail_with(error, reason.code, "%.200s: %s", path, reason.text);
}
