/* trace.c - the lanes of a trace, written by their threads; and the timeline as a file of events. */
#include "parallel/trace.h"

#include "base/clock.h"
#include "base/memory.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Shorter slices are not kept to begin with: they could not be seen, and noting one takes 0.05 us. */
enum { SHORTEST_NS = 5000 };

/* Moves that a thread searches alone are timed only where they take longer: there are many more of them than of tasks. */
enum { SHORTEST_MOVE_NS = 20000 };

/* After this many in a row the tasks of a depth are no longer timed: reading the clock would cost more than
 * 2%. */
enum { MOST_IN_VAIN = 16 };

enum { WORD_WHAT, WORD_MOVE, WORD_SINCE, WORD_STATE };

struct lane {
    _Alignas(64) _Atomic uint64_t version;
    _Atomic uint64_t *present; /* what, move, since, then the state */
    char *past;                /* slices, each followed by its state */
    pthread_mutex_t *lock;     /* guards past, count and shortest_ns */
    size_t count;
    int64_t shortest_ns;
    uint64_t piece, pieces;            /* what the thread is in, and how many there have been */
    uint8_t in_vain[MP_MAX_DEPTH + 1]; /* by depth: tasks in a row that were too short to keep */
};

struct trace {
    const struct mp_game *game;
    int threads;
    size_t words, stride, capacity;
    struct lane *lanes;
    _Atomic int64_t start_ns; /* of the run: only a number, so it needs no order */
};

struct trace *trace_new(const struct mp_game *game, int threads, int slices)
{
    struct trace *trace = calloc(1, sizeof *trace);
    struct lane *lanes = aligned_alloc(64, (size_t)threads * sizeof *lanes);
    if (!trace || !lanes) {
        free(trace);
        free(lanes);
        return NULL;
    }
    size_t state_words = (game->state_size + 7) / 8;
    *trace = (struct trace){.game = game,
                            .threads = threads,
                            .words = WORD_STATE + state_words,
                            .stride = sizeof(struct slice) + 8 * state_words,
                            .capacity = (size_t)slices,
                            .lanes = lanes};
    bool ok = true;
    for (int i = 0; i < threads; i++) {
        lanes[i] = (struct lane){.shortest_ns = SHORTEST_NS};
        lanes[i].present = calloc(trace->words, sizeof *lanes[i].present);
        lanes[i].past = memory_reserve(trace->capacity * trace->stride + 1);
        lanes[i].lock = malloc(sizeof *lanes[i].lock);
        if (lanes[i].lock)
            pthread_mutex_init(lanes[i].lock, NULL);
        ok = ok && lanes[i].present && lanes[i].past && lanes[i].lock;
    }
    if (ok)
        return trace;
    trace_free(trace);
    return NULL;
}

void trace_free(struct trace *trace)
{
    if (!trace)
        return;
    for (int i = 0; i < trace->threads; i++) {
        free(trace->lanes[i].present);
        memory_release(trace->lanes[i].past, trace->capacity * trace->stride + 1);
        if (trace->lanes[i].lock)
            pthread_mutex_destroy(trace->lanes[i].lock);
        free(trace->lanes[i].lock);
    }
    free(trace->lanes);
    free(trace);
}

int64_t trace_start(const struct trace *trace)
{
    return atomic_load_explicit(&trace->start_ns, memory_order_relaxed);
}

void trace_clear(struct trace *trace, int64_t start_ns)
{
    atomic_store_explicit(&trace->start_ns, start_ns, memory_order_relaxed);
    for (int i = 0; i < trace->threads; i++) {
        struct lane *lane = &trace->lanes[i];
        pthread_mutex_lock(lane->lock);
        lane->count = 0;
        lane->shortest_ns = SHORTEST_NS;
        pthread_mutex_unlock(lane->lock);
        lane->piece = lane->pieces = 0;
        memset(lane->in_vain, 0, sizeof lane->in_vain);
    }
}

static uint8_t *in_vain_at(struct lane *lane, int depth)
{
    return &lane->in_vain[depth < 0 ? 0 : depth > MP_MAX_DEPTH ? MP_MAX_DEPTH : depth];
}

bool trace_wants(struct trace *trace, int thread, const struct place *place)
{
    return trace && *in_vain_at(&trace->lanes[thread], place->depth) < MOST_IN_VAIN;
}

uint64_t trace_enter(struct trace *trace, int thread, uint64_t *outer)
{
    struct lane *lane = &trace->lanes[thread];
    *outer = lane->piece;
    lane->piece = lane->pieces++ * (uint64_t)trace->threads + (uint64_t)thread + 1;
    return lane->piece;
}

void trace_leave(struct trace *trace, int thread, uint64_t outer)
{
    trace->lanes[thread].piece = outer;
}

uint64_t trace_piece(const struct trace *trace, int thread)
{
    return trace ? trace->lanes[thread].piece : 0;
}

/* ---- The present ----------------------------------------------------------------------------------- */

static uint64_t pack_what(enum mp_doing doing, const struct place *place, bool has_move)
{
    uint64_t what = (uint64_t)doing | (uint64_t)has_move << 8;
    if (place)
        what |= (uint64_t)(place->state != NULL) << 9 | (uint64_t)(uint16_t)place->ply << 16 |
                (uint64_t)(uint16_t)place->depth << 32;
    return what;
}

void trace_begin(struct trace *trace, int thread, enum mp_doing doing, int64_t now_ns,
                 const struct place *place, int task)
{
    struct lane *lane = &trace->lanes[thread];
    uint64_t version = atomic_load_explicit(&lane->version, memory_order_relaxed);
    bool has_move = place && place->moves;
    atomic_store_explicit(&lane->version, version + 1, memory_order_relaxed);
    atomic_store_explicit(&lane->present[WORD_WHAT], pack_what(doing, place, has_move), memory_order_release);
    atomic_store_explicit(&lane->present[WORD_MOVE], has_move ? place->moves[task] : 0, memory_order_release);
    atomic_store_explicit(&lane->present[WORD_SINCE], (uint64_t)now_ns, memory_order_release);
    for (size_t i = 0, size = trace->game->state_size; place && place->state && 8 * i < size; i++) {
        uint64_t word = 0;
        memcpy(&word, (const char *)place->state + 8 * i, size - 8 * i < 8 ? size - 8 * i : 8);
        atomic_store_explicit(&lane->present[WORD_STATE + i], word, memory_order_release);
    }
    atomic_store_explicit(&lane->version, version + 2, memory_order_release);
}

void trace_look(const struct trace *trace, int thread, struct mp_activity *activity, void *state)
{
    const struct lane *lane = &trace->lanes[thread];
    uint64_t before, what, since;
    do {
        before = atomic_load_explicit(&lane->version, memory_order_acquire);
        what = atomic_load_explicit(&lane->present[WORD_WHAT], memory_order_acquire);
        activity->move = atomic_load_explicit(&lane->present[WORD_MOVE], memory_order_acquire);
        since = atomic_load_explicit(&lane->present[WORD_SINCE], memory_order_acquire);
        for (size_t i = 0, size = trace->game->state_size; state && 8 * i < size; i++) {
            uint64_t word = atomic_load_explicit(&lane->present[WORD_STATE + i], memory_order_acquire);
            memcpy((char *)state + 8 * i, &word, size - 8 * i < 8 ? size - 8 * i : 8);
        }
    } while (before % 2 || before != atomic_load_explicit(&lane->version, memory_order_relaxed));
    activity->doing = (enum mp_doing)(what & 0xff);
    activity->has_move = what >> 8 & 1;
    activity->has_state = what >> 9 & 1;
    activity->ply = (int16_t)(what >> 16);
    activity->depth = (int16_t)(what >> 32);
    activity->seconds = since ? clock_seconds_since((int64_t)since) : 0;
}

/* ---- The past -------------------------------------------------------------------------------------- */

static struct slice *slice_at(const struct trace *trace, const struct lane *lane, size_t i)
{
    return (struct slice *)(void *)(lane->past + i * trace->stride);
}

static int64_t duration(const struct slice *slice)
{
    return slice->end_ns - slice->start_ns;
}

/* Makes room: only slices of twice the length stay. */
static void drop_short(const struct trace *trace, struct lane *lane)
{
    size_t kept = 0;
    lane->shortest_ns *= 2;
    for (size_t i = 0; i < lane->count; i++)
        if (duration(slice_at(trace, lane, i)) >= lane->shortest_ns)
            memmove(slice_at(trace, lane, kept++), slice_at(trace, lane, i), trace->stride);
    lane->count = kept;
}

void trace_end(struct trace *trace, int thread, struct slice slice, const struct place *place, int task)
{
    struct lane *lane = &trace->lanes[thread];
    bool alone = slice.kind == SLICE_MOVE, is_short = duration(&slice) < SHORTEST_NS;
    if (slice.kind == SLICE_TASK || slice.kind == SLICE_STOLEN || alone) {
        uint8_t *in_vain = in_vain_at(lane, place->depth);
        bool is_vain = duration(&slice) < (alone ? SHORTEST_MOVE_NS : SHORTEST_NS);
        *in_vain = (uint8_t)(is_vain ? *in_vain + 1 : 0);
    }
    /* Only this thread writes it, so it may look without the lock. */
    if (is_short || duration(&slice) < lane->shortest_ns || trace->capacity == 0)
        return;
    slice.ply = (int16_t)(place ? place->ply : -1);
    slice.depth = (int16_t)(place ? place->depth : slice.depth);
    slice.has_move = place && place->moves && task >= 0;
    slice.move = slice.has_move ? place->moves[task] : 0;
    if (!place || !place->state)
        slice.ply = -1;
    pthread_mutex_lock(lane->lock);
    while (lane->count == trace->capacity)
        drop_short(trace, lane);
    struct slice *kept = slice_at(trace, lane, lane->count++);
    if (slice.ply >= 0)
        memcpy(kept + 1, place->state, trace->game->state_size);
    *kept = slice;
    pthread_mutex_unlock(lane->lock);
}

void trace_read(const struct trace *trace, int thread, int64_t after_ns,
                void (*see)(void *context, const struct slice *slice, const void *state), void *context)
{
    const struct lane *lane = &trace->lanes[thread];
    pthread_mutex_lock(lane->lock);
    size_t first = lane->count;
    while (first > 0 && slice_at(trace, lane, first - 1)->end_ns > after_ns)
        first--;
    for (size_t i = first; i < lane->count; i++) {
        const struct slice *slice = slice_at(trace, lane, i);
        see(context, slice, slice->ply >= 0 ? slice + 1 : NULL);
    }
    pthread_mutex_unlock(lane->lock);
}

/* ---- Writing --------------------------------------------------------------------------------------- */

struct writer {
    const struct trace *trace;
    FILE *file;
    int64_t start_ns;
    const char *separator;
};

static void write_text(FILE *file, const char *text)
{
    putc('"', file);
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\')
            fprintf(file, "\\%c", c);
        else if (c < 0x20)
            fprintf(file, "\\u%04x", c);
        else
            putc(c, file);
    }
    putc('"', file);
}

/* The beginning of any event; more fields and a brace must follow. */
static void open_event(struct writer *w, const char *name, char phase, int thread, int64_t at_ns)
{
    fprintf(w->file, "%s\n{\"name\":\"%s\",\"ph\":\"%c\",\"pid\":1,\"tid\":%d,\"ts\":%.3f", w->separator,
            name, phase, thread, (double)(at_ns - w->start_ns) * 1e-3);
    w->separator = ",";
}

/* Position and move, where there is one, among the arguments of an event. */
static void write_place(struct writer *w, const struct slice *slice)
{
    enum { TEXT = 4096 };
    char text[TEXT];
    const struct mp_game *game = w->trace->game;
    if (slice->ply < 0)
        return;
    fprintf(w->file, ",\"ply\":%d,\"position\":", slice->ply);
    game->print_position(game, slice + 1, text, sizeof text);
    write_text(w->file, text);
    if (!slice->has_move)
        return;
    fprintf(w->file, ",\"move\":");
    game->print_move(game, slice + 1, slice->move, text, sizeof text);
    write_text(w->file, text);
}

static void write_slice(struct writer *w, int thread, const struct slice *slice)
{
    static const char *const names[] = {"iteration", "split", "task", "help", "stolen task", "wait", "move"};
    open_event(w, names[slice->kind], 'X', thread, slice->start_ns);
    fprintf(w->file, ",\"dur\":%.3f,\"args\":{\"id\":%llu,\"parent\":%llu,\"depth\":%d,\"nodes\":%llu",
            (double)duration(slice) * 1e-3, (unsigned long long)slice->id, (unsigned long long)slice->parent,
            slice->depth, (unsigned long long)slice->nodes);
    if (slice->bounds.has_window)
        fprintf(w->file, ",\"alpha\":%d,\"beta\":%d", slice->bounds.alpha, slice->bounds.beta);
    if (slice->bounds.has_value)
        fprintf(w->file, ",\"value\":%d", slice->bounds.value);
    write_place(w, slice);
    fprintf(w->file, "}}");
    /* What is inside a task that was given up was given up with it. */
    bool steal = slice->kind == SLICE_HELP;
    if (!steal && !(slice->aborted && (slice->kind == SLICE_TASK || slice->kind == SLICE_STOLEN)))
        return;
    open_event(w, steal ? "steal" : "abort", 'i', thread, steal ? slice->start_ns : slice->end_ns);
    fprintf(w->file, ",\"s\":\"t\",\"args\":{\"%s\":%llu", steal ? "nodes" : "wasted_nodes",
            (unsigned long long)slice->nodes);
    write_place(w, slice);
    fprintf(w->file, "}}");
}

static void write_idle(struct writer *w, int thread, int64_t from_ns, int64_t to_ns)
{
    if (to_ns - from_ns < w->trace->lanes[thread].shortest_ns)
        return;
    open_event(w, "idle", 'X', thread, from_ns);
    fprintf(w->file, ",\"dur\":%.3f,\"args\":{}}", (double)(to_ns - from_ns) * 1e-3);
}

static void write_lane(struct writer *w, int thread, int64_t end_ns)
{
    const struct lane *lane = &w->trace->lanes[thread];
    open_event(w, "thread_name", 'M', thread, w->start_ns);
    fprintf(w->file, ",\"args\":{\"name\":\"thread %d\"}}", thread);
    int64_t idle_since = w->start_ns;
    for (size_t i = 0; i < lane->count; i++) {
        const struct slice *slice = slice_at(w->trace, lane, i);
        write_slice(w, thread, slice);
        /* Slices are noted when they end, so the outermost come one after another. */
        if (thread > 0 && slice->outermost) {
            write_idle(w, thread, idle_since, slice->start_ns);
            idle_since = slice->end_ns;
        }
    }
    if (thread > 0)
        write_idle(w, thread, idle_since, end_ns);
}

bool trace_write(const struct trace *trace, const char *path, const char *strategy, int64_t start_ns,
                 int64_t end_ns, struct mp_error *error)
{
    FILE *file = fopen(path, "w");
    if (!file)
        return mp_fail_with(error, MP_ERROR_SYSTEM, "trace %.200s: %s", path, strerror(errno));
    struct writer w = {trace, file, start_ns, ""};
    fprintf(file, "{\"displayTimeUnit\":\"ms\",\"otherData\":{\"game\":");
    write_text(file, trace->game->name);
    fprintf(file, ",\"strategy\":");
    write_text(file, strategy);
    fprintf(file, ",\"threads\":%d,\"seconds\":%.6f},\"traceEvents\":[", trace->threads,
            (double)(end_ns - start_ns) * 1e-9);
    for (int i = 0; i < trace->threads; i++)
        write_lane(&w, i, end_ns);
    fprintf(file, "\n]}\n");
    bool written = !ferror(file);
    if (fclose(file) != 0 || !written)
        return mp_fail_with(error, MP_ERROR_SYSTEM, "trace %.200s could not be written", path);
    return true;
}
