/* book_make.c - see book_make.h. The book has no moves, so the graph is found again by listing them whenever it is walked:
 * that takes microseconds, and a search of one position much longer. */
#include "lab/book_make.h"

#include "base/clock.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_MOVES = 4096, MOST_TEXT = 4096, MOST_PASSES = 64 };

struct book_maker {
    const struct book_make *make;
    const struct mp_game *game;
    struct book *book;
    struct mp_search *search;
    const char *path;
    book_progress *progress;
    void *context;
    struct book_report *report;
    int64_t saved_ns;
    void *after; /* the state after a move */
    mp_move moves[MOST_MOVES];
    /* For the way to the cheapest position: a heap of places by their cost. */
    int64_t *costs;
    int *heap, heap_count;
};

static bool is_stopped(const struct book_maker *m)
{
    return m->make->stop && atomic_load_explicit(m->make->stop, memory_order_relaxed);
}

/* The moves of a position of the book. */
static int list_moves(struct book_maker *m, int place)
{
    int count = m->game->list(m->game, book_state(m->book, place), m->moves, MOST_MOVES);
    return count < MOST_MOVES ? count : MOST_MOVES;
}

/* ---- Values ---------------------------------------------------------------------------------------------- */

/* The values of open positions follow from those after them. Positions are mostly added after those that lead to them, so
 * that one pass backwards is nearly enough; where positions come again it may never be, and goes on for a while only. */
static void work_out_values(struct book_maker *m)
{
    bool changed = true;
    for (int pass = 0; changed && pass < MOST_PASSES; pass++) {
        changed = false;
        for (int place = book_count(m->book) - 1; place >= 0; place--) {
            struct book_entry *entry = book_entry(m->book, place);
            mp_move move;
            mp_value value;
            int depth;
            if (!entry->is_open || !book_answer(m->book, book_state(m->book, place), &move, &value, &depth))
                continue;
            changed |= entry->value != value;
            entry->value = value;
        }
    }
}

/* ---- The cheapest position ------------------------------------------------------------------------------- */

static bool is_cheaper(const struct book_maker *m, int a, int b)
{
    return m->costs[m->heap[a]] < m->costs[m->heap[b]];
}

static void swap(struct book_maker *m, int a, int b)
{
    int place = m->heap[a];
    m->heap[a] = m->heap[b];
    m->heap[b] = place;
}

static void push(struct book_maker *m, int place)
{
    int at = m->heap_count++;
    m->heap[at] = place;
    for (; at > 0 && is_cheaper(m, at, (at - 1) / 2); at = (at - 1) / 2)
        swap(m, at, (at - 1) / 2);
}

static int pop(struct book_maker *m)
{
    int top = m->heap[0], at = 0;
    m->heap[0] = m->heap[--m->heap_count];
    for (;;) {
        int least = at, left = 2 * at + 1;
        if (left < m->heap_count && is_cheaper(m, left, least))
            least = left;
        if (left + 1 < m->heap_count && is_cheaper(m, left + 1, least))
            least = left + 1;
        if (least == at)
            return top;
        swap(m, at, least);
        at = least;
    }
}

/* A position may be in the heap once for each way to it. */
static bool make_room(struct book_maker *m, struct mp_error *error)
{
    size_t edges = 1, count = (size_t)book_count(m->book);
    for (int place = 0; place < (int)count; place++)
        if (book_entry(m->book, place)->is_open)
            edges += (size_t)list_moves(m, place);
    free(m->costs);
    free(m->heap);
    m->costs = malloc(count * sizeof *m->costs);
    m->heap = malloc(edges * sizeof *m->heap);
    m->heap_count = 0;
    for (size_t i = 0; m->costs && i < count; i++)
        m->costs[i] = INT64_MAX;
    return (m->costs && m->heap) || mp_fail_with(error, MP_ERROR_MEMORY, "out of memory for a book");
}

/* Reaches the positions after one that is open. */
static void reach_successors(struct book_maker *m, int place)
{
    const void *state = book_state(m->book, place);
    int count = list_moves(m, place);
    for (int i = 0; i < count; i++) {
        mp_value value;
        int depth;
        if (!book_move_value(m->book, state, m->moves[i], &value, &depth))
            continue;
        m->game->play(m->game, state, m->moves[i], m->after);
        int next = book_find(m->book, m->after);
        int64_t lost = (int64_t)book_entry(m->book, place)->value - value;
        int64_t cost = m->costs[place] + m->make->ply_cost + (lost > 0 ? lost : 0);
        if (next < 0 || cost >= m->costs[next])
            continue;
        m->costs[next] = cost;
        push(m, next);
    }
}

/* The cheapest position that is not open (Dijkstra 1959), or -1. */
static int cheapest(struct book_maker *m, int root)
{
    m->costs[root] = 0;
    push(m, root);
    while (m->heap_count > 0) {
        int place = pop(m);
        if (!book_entry(m->book, place)->is_open)
            return place;
        reach_successors(m, place);
    }
    return -1;
}

/* ---- Searching ------------------------------------------------------------------------------------------- */

/* Searches a position and adds it. */
static int add_searched(struct book_maker *m, const void *state, struct mp_error *error)
{
    char text[MOST_TEXT];
    struct mp_result result = {MP_SIZE(struct mp_result)};
    int length = m->game->print_position(m->game, state, text, sizeof text);
    if (length < 0 || (size_t)length >= sizeof text) {
        mp_fail(error, "a position of more than %d characters", MOST_TEXT);
        return -1;
    }
    struct mp_position *position = mp_position_new(m->game, text, error);
    bool ok = position;
    mp_search_forget(m->search);
    ok = ok && mp_search_run(m->search, position, NULL, NULL, &result, error);
    const struct book_entry entry = {.searched = result.value, .value = result.value, .depth = result.depth};
    int place = ok ? book_add(m->book, state, &entry, error) : -1;
    mp_position_free(position);
    if (place >= 0)
        m->report->positions = book_count(m->book);
    if (place >= 0 && m->progress)
        m->progress(m->report, m->context);
    return place;
}

static bool save(struct book_maker *m, struct mp_error *error)
{
    m->saved_ns = clock_ns();
    return book_write(m->book, mp_search_strategy(m->search), m->path, error);
}

/* Searches what follows from a position. Where it is stopped, what was searched stays, and the position is not open. */
static bool open_position(struct book_maker *m, int place, struct mp_error *error)
{
    int count = list_moves(m, place);
    for (int i = 0; i < count; i++) {
        if (is_stopped(m))
            return true;
        m->game->play(m->game, book_state(m->book, place), m->moves[i], m->after);
        if (m->game->list(m->game, m->after, NULL, 0) > 0 && book_find(m->book, m->after) < 0 &&
            add_searched(m, m->after, error) < 0)
            return false;
        if (clock_seconds_since(m->saved_ns) >= m->make->save_seconds && !save(m, error))
            return false;
    }
    book_entry(m->book, place)->is_open = true;
    m->report->opened++;
    work_out_values(m);
    return true;
}

static bool make_all(struct book_maker *m, struct mp_error *error)
{
    const void *start = mp_position_state(m->make->root);
    int root = book_find(m->book, start);
    if (root < 0 && !is_stopped(m))
        root = add_searched(m, start, error);
    bool ok = root >= 0 || is_stopped(m);
    while (ok && root >= 0 && book_count(m->book) < m->make->positions && !is_stopped(m)) {
        ok = make_room(m, error);
        int place = ok ? cheapest(m, root) : -1;
        m->report->is_whole = ok && place < 0;
        if (place < 0)
            break;
        ok = open_position(m, place, error);
    }
    if (root >= 0)
        m->report->value = book_entry(m->book, root)->value;
    return ok;
}

bool book_make(const struct book_make *make, const char *path, book_progress *progress, void *context,
               struct book_report *report, struct mp_error *error)
{
    const struct mp_game *game = mp_position_game(make->root);
    struct book_maker *m = calloc(1, sizeof *m);
    *report = (struct book_report){0};
    if (!m)
        return mp_fail_with(error, MP_ERROR_MEMORY, "out of memory");
    *m = (struct book_maker){
        .make = make, .game = game, .path = path, .progress = progress, .context = context};
    m->report = report;
    m->saved_ns = clock_ns();
    m->after = aligned_alloc(MEMORY_LINE, memory_lines(game->state_size));
    m->book = access(path, F_OK) == 0 ? book_read(game, path, error) : book_new(game, error);
    m->search = m->book ? mp_search_new(game, make->strategy, error) : NULL;
    bool ok = m->book && m->search && (m->after || mp_fail_with(error, MP_ERROR_MEMORY, "out of memory"));
    if (ok) {
        report->found = report->positions = book_count(m->book);
        for (int place = 0; place < report->found; place++)
            report->opened += book_entry(m->book, place)->is_open;
        ok = make_all(m, error);
        ok = save(m, ok ? error : NULL) && ok; /* what was found before an error is kept */
        report->positions = book_count(m->book);
    }
    mp_search_free(m->search);
    book_free(m->book);
    free(m->after);
    free(m->costs);
    free(m->heap);
    free(m);
    return ok;
}
