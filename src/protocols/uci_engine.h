/* uci_engine.h - what the files of the UCI engine share.
 *
 * Two threads: the one that reads commands, and, while something is searched, counted or benched, one that
 * does that. Members belong to the reading thread; the other looks at them only while it works, and the
 * reader does not change them meanwhile (every command that would first ends the work). The exceptions are
 * atomic, or guarded by `lock`; `out` is guarded by its own lock, so that lines are never mixed. */
#ifndef PROTOCOLS_UCI_ENGINE_H
#define PROTOCOLS_UCI_ENGINE_H

#include "base/pace.h"
#include "manyply/manyply.h"
#include "protocols/uci.h"

#include <pthread.h>
#include <stdatomic.h>

/* UCI_STATE: room for a state of chess, which uci_work.c checks. */
enum { UCI_TEXT = 256, UCI_MOST_MOVES = 384, UCI_STATE = 512 };

/* What the work is. */
struct uci_work {
    enum { UCI_SEARCH, UCI_PERFT, UCI_BENCH } kind;
    struct mp_limits limits;
    mp_move moves[UCI_MOST_MOVES]; /* searchmoves */
    struct pace_clock clock;
    struct pace_budget budget;
    int mate;      /* stop when a mate in this many moves is found; 0: no matter */
    bool infinite; /* the answer waits for `stop` */
    bool ponder;   /* the answer waits for `ponderhit` or `stop` */
};

struct uci {
    FILE *out;
    int most_megabytes, most_threads;

    int megabytes, threads, lines, overhead;
    bool chess960;
    bool debug; /* tells how a move's time is found */
    bool own_book;
    char strategy[UCI_TEXT], evaluation[UCI_TEXT], book[UCI_TEXT]; /* the book is used with own_book */

    struct mp_game *game;
    struct mp_position *position;
    struct mp_search *search; /* null: made when it is needed */
    char *placed;             /* the arguments of the last good `position`; null: none */

    /* `bench` has a game and a search of its own, so that options do not count and nothing that was learned
     * is lost; null: none. Made before its thread begins and freed when that has been joined. */
    struct mp_game *bench_game;
    struct mp_search *bench_search;

    bool working; /* there is a thread to join */
    pthread_t thread;
    struct uci_work work;
    struct pace_course course; /* the working thread's */
    struct pace_delay delay;   /* the same, and of the reader in between */
    int64_t stop_at_ns;        /* after ponderhit; 0: never */

    atomic_bool stop;            /* the work is to end */
    atomic_bool pondering;       /* the opponent's clock runs */
    _Atomic int64_t clock_since; /* when our clock began to run */

    pthread_mutex_t lock; /* guards hold and leave */
    pthread_cond_t released;
    bool hold;  /* the answer must wait */
    bool leave; /* the working thread may end */
};

/* Prints a line. Any thread. */
__attribute__((format(printf, 2, 3))) void uci_say(struct uci *uci, const char *format, ...);

/* uci_work.c: begins the work; ends it (its answer is printed first); waits until it has ended by itself; and
 * hears that the opponent has played what was expected. */
void uci_begin(struct uci *uci, const struct uci_work *work);
void uci_end(struct uci *uci);
void uci_join(struct uci *uci);
void uci_ponder_hit(struct uci *uci);

/* Frees what a bench has used, if there was one. */
void uci_drop_bench(struct uci *uci);

#endif
