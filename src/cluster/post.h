/* post.h - letters between ranks: the only place that knows MPI. Only the main thread calls it.
 *
 * Nothing here waits for anybody: a letter is queued, goes out when its time has come (an injected latency holds it back, for
 * tests and for trying what a slow network does), and its buffer is freed when MPI is done with it. Letters from one
 * rank to another arrive in the order in which they were sent (MPI promises it for one communicator, and the queue is first
 * in, first out). */
#ifndef CLUSTER_POST_H
#define CLUSTER_POST_H

#include "cluster/hand.h"

enum letter_kind {
    LETTER_JOB,    /* from the master: do this */
    LETTER_TELL,   /* the terms of a job have changed */
    LETTER_CANCEL, /* a job is not wanted any more */
    LETTER_END,    /* all is done; the receiver answers with the same, and sends nothing after it */
    LETTER_DONE,   /* to the master: text is nodes, nanoseconds and the result */
    LETTER_FAILED, /* text is a sentence */
};

struct letter {
    enum letter_kind kind;
    int from;
    uint64_t id; /* of the job */
    char text[CLUSTER_TEXT + 64];
};

struct post;

/* Begins MPI; of a program that was not started by mpirun, a world of one rank. */
struct post *post_open(int *argc, char ***argv);
void post_close(struct post *post);
int post_rank(const struct post *post);
int post_ranks(const struct post *post);

/* From now on each letter is held back for so long. */
void post_delay(struct post *post, double seconds);

void post_send(struct post *post, int to, enum letter_kind kind, uint64_t id, const char *text);
bool post_receive(struct post *post, struct letter *letter);
void post_push(struct post *post);          /* sends what is due */
bool post_is_idle(const struct post *post); /* all is sent */

/* The first rank tells the others a number. All must call it. */
int post_agree(int number);

/* Ends all ranks, now. */
_Noreturn void post_abort(int code);

#endif
