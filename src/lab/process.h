/* process.h - another program that is spoken to in lines. Every wait has a deadline, so that a program that
 * hangs, floods or dies costs no more than that. A process is used by the thread that started it: it dies
 * with it. */
#ifndef LAB_PROCESS_H
#define LAB_PROCESS_H

#include "manyply/game.h"

struct process;

/* words: the program and its arguments, ending with null. What it writes on standard error is dropped. */
struct process *process_start(char *const *words, struct mp_error *error);

/* Kills it with all its children. Null is fine. */
void process_end(struct process *process);

enum process_answer { PROCESS_OK, PROCESS_LATE, PROCESS_GONE };

/* deadline_ns is on the clock of base/clock.h. */
enum process_answer process_send(struct process *process, const char *text, int64_t deadline_ns);

/* The next line without its end; what does not fit into size is cut. */
enum process_answer process_read(struct process *process, int64_t deadline_ns, char *line, size_t size);

#endif
