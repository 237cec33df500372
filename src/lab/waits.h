/* waits.h - what the machine takes from a player: how long threads that could run waited for a CPU, as Linux counts it
 * (/proc/PID/task/TID/schedstat). Where it does not count, everything is 0. */
#ifndef LAB_WAITS_H
#define LAB_WAITS_H

#include <stdint.h>
#include <sys/types.h>

/* No more than this many seconds of one move are the machine's: a player that makes its own threads wait for each
 * other must not play without a clock. */
#define WAITS_MOST_SECONDS 1.0

/* How long the calling thread has waited since it began. */
int64_t waits_of_this_thread(void);

/* The threads of another process, during one move. Those that end unseen are not counted from the last look on. */
enum { WAITS_MOST_THREADS = 64 };
struct waits {
    pid_t process;
    int64_t waited; /* by all threads together, in nanoseconds */
    int count;
    struct waiting_thread {
        pid_t id;
        int64_t waited, ran; /* at the last look */
        int64_t ran_before;  /* when the move began */
    } threads[WAITS_MOST_THREADS];
};
void waits_begin(struct waits *waits, pid_t process);
void waits_look(struct waits *waits);

/* Seconds of a move that took this long which are not the player's, with those that the thread that reads the answer has
 * waited itself. What one thread has computed always is the player's. */
double waits_seconds(const struct waits *waits, double elapsed, int64_t own_ns);

#endif
