/* virtual_machine.h - a virtual machine: the threads of a pool run one at a time, in the order of their virtual clocks.
 *
 * Each virtual thread has a stack of its own, and all of them run on the one thread that calls the pool: to hand over is
 * a jump from stack to stack, not a matter for the system. A clock advances by the nodes that its thread has
 * visited times the cost of a node, and by the costs of what it does besides (costs.h). A thread that waits has
 * a clock that stands still, and jumps to the event that wakes it.
 *
 * Whoever is about to touch what others see lets those behind it catch up first (machine_sync), so such things
 * happen in the order of the clocks. A thread that only works does so every few hundred nodes: what it reads
 * of others without a lock, in the transposition table above all, may be off by that much. Of equal clocks the
 * lower thread goes first. Nothing but the costs and the work itself decides, so a run is always the same.
 *
 * A clock is the sum of its times (struct machine_times), to the last picosecond. */
#ifndef PARALLEL_VIRTUAL_MACHINE_H
#define PARALLEL_VIRTUAL_MACHINE_H

#include "parallel/costs.h"

#include <stdbool.h>
#include <stdint.h>

struct machine;

/* What a clock is made of. */
enum machine_time { TIME_NODES, TIME_STEAL, TIME_WAKE, TIME_LOCK, TIME_LINE, TIME_WAITING, MACHINE_TIMES };
struct machine_times {
    int64_t ps[MACHINE_TIMES];
};

/* Lines of a table that move from core to core. Written by the table, read by the machine. */
struct table_lines;

/* Thread 0 is the caller's; each other begins with live(context, thread) when it first has the least clock, and
 * ends with the machine. Null: there is no memory. */
struct machine *machine_new(int threads, const struct costs *costs, void (*live)(void *context, int thread),
                            void *context);
void machine_free(struct machine *machine);

/* How many threads have a stack. */
int machine_threads(const struct machine *machine);

/* The thread that runs. */
int machine_current(const struct machine *machine);

/* Where a thread counts its nodes; and the lines of the table that they share, if there is one. */
void machine_set_gauge(struct machine *machine, int thread, const uint64_t *nodes);
void machine_set_lines(struct machine *machine, struct table_lines *lines);

/* All clocks are 0 again, and everybody but thread 0 is asleep. Between runs. */
void machine_reset(struct machine *machine);

/* The clock of a thread, which must be the one that runs. */
int64_t machine_ns(struct machine *machine, int thread);

/* Lets those behind catch up: all, or (machine_poll) those that are far behind. */
void machine_sync(struct machine *machine, int thread);
void machine_poll(struct machine *machine, int thread);

/* The thread does something that has a cost. */
void machine_spend(struct machine *machine, int thread, enum machine_time kind);

/* Waits until another calls machine_wake. A thread that has waited for longer than `spin` has gone to sleep, and
 * takes `wake` to get up. */
void machine_wait(struct machine *machine, int thread);
void machine_wake(struct machine *machine);

/* A lock, as the machine sees it: who had it last and until when. Zero is free. */
struct machine_lock {
    int owner; /* thread + 1 */
    int64_t free_ps;
};

/* The thread takes a lock and gives it back before it calls the machine again. To hold it takes no time, but to
 * get it from another core does, one core after the other. */
void machine_lock(struct machine *machine, int thread, struct machine_lock *lock);

/* Where the time of a thread went, which adds up to the clock of thread 0, the one that asks. */
struct machine_times machine_times(struct machine *machine, int thread);

#endif
