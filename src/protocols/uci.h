/* uci.h - chess over UCI, the protocol of chess programs and their boards. */
#ifndef PROTOCOLS_UCI_H
#define PROTOCOLS_UCI_H

#include <stdbool.h>
#include <stdio.h>

struct uci;

/* An engine that answers on out. The largest values of Hash (in MB) and Threads are given. Null: no
 * memory. */
struct uci *uci_open(FILE *out, int most_megabytes, int most_threads);

/* Ends a search that is under way, without its answer being asked for. */
void uci_close(struct uci *uci);

/* Obeys one line; the text is cut up on the way. False: the line was `quit`. Searches go on after this
 * returns, in a thread of their own. */
bool uci_command(struct uci *uci, char *line);

/* Milliseconds until uci_tick wants to be called; -1: it does not. */
int uci_wait_ms(struct uci *uci);
void uci_tick(struct uci *uci);

/* Reads lines from a file descriptor until `quit` or the end of the input; a search that ends by itself is
 * waited for at the end of the input. Returns an exit code. */
int uci_run(int input, FILE *out);

#endif
