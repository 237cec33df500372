/* process.h - another program that is spoken to in lines. Every wait has a deadline, so that a program that
 * hangs, floods or dies costs no more than that. A process is used by the thread that started it: it dies
 * with it. */
#ifndef LAB_PROCESS_H
#define LAB_PROCESS_H

#include "manyply/game.h"

#include <sys/types.h>

struct process;

/* words: the program and its arguments, ending with null. What it writes on standard error is dropped. */
struct process *process_start(char *const *words, struct mp_error *error);

/* Kills it with all its children. Null is fine. */
void process_end(struct process *process);

/* Of one that is gone: has somebody else killed it (SIGKILL), as a system does that has no memory left? */
bool process_was_killed(struct process *process);

pid_t process_id(const struct process *process);

/* How long the reading thread waited for a CPU, when it last had to wait for a line that was there. */
int64_t process_read_late_ns(const struct process *process);

enum process_answer { PROCESS_OK, PROCESS_LATE, PROCESS_GONE };

/* deadline_ns is on the clock of base/clock.h; this one is so many seconds from now. */
int64_t process_deadline(double seconds);
enum process_answer process_send(struct process *process, const char *text, int64_t deadline_ns);

/* The next line without its end; what does not fit into size is cut. A line that is there is read whatever the
 * deadline. */
enum process_answer process_read(struct process *process, int64_t deadline_ns, char *line, size_t size);

#endif
