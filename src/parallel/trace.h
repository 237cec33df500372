/* trace.h - what each thread does and did: the present, for whoever looks on, and the past, for a timeline.
 *
 * Each thread has a lane that it alone writes; nothing is allocated while a search runs. Without a trace the
 * pool pays one branch per task.
 *
 * The present may be read at any moment by any thread. It is a handful of words behind a version number that
 * is odd while they are written (a sequence lock): a reader who finds the version odd, or another one after
 * reading than before, reads again. All words are atomic. The writer stores them with release order after
 * the odd version, the reader loads them with acquire order before it looks at the version again, so whoever
 * has seen a new word also sees that the version has changed.
 *
 * The past is an array of slices. When it is full, the slices shorter than twice the shortest one kept so far
 * are dropped, so a trace covers its whole run and fits in bounded memory; slices stay properly nested,
 * because one inside another is not longer. Each lane's past has a lock, which its thread takes only to add a
 * slice, at most every few microseconds; a reader holds it while it copies, so it may look on during a run.
 *
 * Pieces of work are numbered, and each knows the one that it is a part of: a task of its job, a job of the
 * task that opened it, wherever they ran. A number is taken when a piece begins (trace_enter); pieces that are
 * not worth timing have none, and what is inside them is a part of the next one further out. */
#ifndef PARALLEL_TRACE_H
#define PARALLEL_TRACE_H

#include "manyply/manyply.h"

/* Where in the tree a piece of work is. */
struct place {
    const void *state;    /* of the node; null: nothing to show */
    const mp_move *moves; /* by task; null: the tasks are not moves */
    int ply, depth;
};

/* The window that a piece of work was given, and what it found, for the side to move at its place. */
struct bounds {
    mp_value alpha, beta, value;
    bool has_window, has_value;
};

enum slice_kind {
    SLICE_ITERATION, /* thread 0: a depth of the whole search */
    SLICE_SPLIT,     /* a job, from its opening until everybody has left it */
    SLICE_TASK,      /* one task of one's own job */
    SLICE_HELP,      /* inside another thread's job: it begins with a steal */
    SLICE_STOLEN,    /* one task of another thread's job */
    SLICE_WAIT,      /* for the helpers in one's own job */
    SLICE_MOVE,      /* a move at a node that one has to oneself */
};

struct slice {
    int64_t start_ns, end_ns;
    uint64_t id, parent; /* 0: part of nothing */
    uint64_t nodes;
    mp_move move;
    struct bounds bounds;
    int16_t ply, depth;
    uint8_t kind;
    bool has_move, aborted;
    bool outermost; /* help: not given while waiting for help oneself */
};

struct trace;

/* At most this many slices per thread are kept. Null when there is no memory. */
struct trace *trace_new(const struct mp_game *game, int threads, int slices);
void trace_free(struct trace *trace);

/* Forgets the past. Before a run, which begins at this time. */
void trace_clear(struct trace *trace, int64_t start_ns);

/* On any thread: when the run began. */
int64_t trace_start(const struct trace *trace);

/* On the thread itself: is a task at this place worth timing? Not without a trace, nor at a depth where tasks
 * have been too short to be seen. */
bool trace_wants(struct trace *trace, int thread, const struct place *place);

/* On the thread itself: a piece of work begins, and what begins before trace_leave is a part of it. Returns its
 * number; `outer`, the one before, goes to trace_leave. */
uint64_t trace_enter(struct trace *trace, int thread, uint64_t *outer);
void trace_leave(struct trace *trace, int thread, uint64_t outer);

/* On the thread itself: what it is in, or 0; also without a trace. */
uint64_t trace_piece(const struct trace *trace, int thread);

/* On the thread itself: the present, since now. task counts the place's moves. */
void trace_begin(struct trace *trace, int thread, enum mp_doing doing, int64_t now_ns,
                 const struct place *place, int task);

/* On the thread itself: something has ended. The slice's move and place are filled in. */
void trace_end(struct trace *trace, int thread, struct slice slice, const struct place *place, int task);

/* On any thread. state may be null. */
void trace_look(const struct trace *trace, int thread, struct mp_activity *activity, void *state);

/* On any thread: the slices of a thread that ended later than this, in the order of their ends, each followed by its
 * state where ply >= 0. `see` must not call the trace. */
void trace_read(const struct trace *trace, int thread, int64_t after_ns,
                void (*see)(void *context, const struct slice *slice, const void *state), void *context);

/* Writes the past as a timeline in the trace format of Chrome, which Perfetto opens. Times count from
 * start_ns; threads other than 0 were idle between their slices. */
bool trace_write(const struct trace *trace, const char *path, const char *strategy, int64_t start_ns,
                 int64_t end_ns, struct mp_error *error);

#endif
