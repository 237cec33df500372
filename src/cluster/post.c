/* post.c - letters by MPI_Isend and MPI_Improbe, with a queue in front. */
#include "cluster/post.h"

#include "base/clock.h"

#include <mpi.h>
#include <stdlib.h>
#include <string.h>

struct outgoing {
    struct outgoing *next;
    int64_t due_ns;
    int to, tag;
    bool is_sent; /* MPI has the buffer */
    MPI_Request request;
    int size;
    char bytes[]; /* the number of the job in decimal, a blank, the text */
};

struct post {
    int rank, ranks;
    int64_t delay_ns;
    struct outgoing *first, **last;
};

struct post *post_open(int *argc, char ***argv)
{
    struct post *p = calloc(1, sizeof *p);
    int provided;
    if (!p || MPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED, &provided) != MPI_SUCCESS)
        abort();
    MPI_Comm_rank(MPI_COMM_WORLD, &p->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &p->ranks);
    p->last = &p->first;
    return p;
}

void post_close(struct post *p)
{
    MPI_Finalize();
    free(p);
}

int post_rank(const struct post *p)
{
    return p->rank;
}

int post_ranks(const struct post *p)
{
    return p->ranks;
}

void post_delay(struct post *p, double seconds)
{
    p->delay_ns = (int64_t)(seconds * 1e9);
}

int post_agree(int number)
{
    MPI_Bcast(&number, 1, MPI_INT, 0, MPI_COMM_WORLD);
    return number;
}

void post_abort(int code)
{
    MPI_Abort(MPI_COMM_WORLD, code);
    abort();
}

void post_send(struct post *p, int to, enum letter_kind kind, uint64_t id, const char *text)
{
    size_t room = strlen(text) + 32;
    struct outgoing *letter = malloc(sizeof *letter + room);
    if (!letter)
        post_abort(2); /* whoever is killed goes on later */
    *letter = (struct outgoing){.due_ns = clock_ns() + p->delay_ns, .to = to, .tag = (int)kind};
    letter->size = snprintf(letter->bytes, room, "%llu %s", (unsigned long long)id, text);
    *p->last = letter;
    p->last = &letter->next;
    post_push(p);
}

void post_push(struct post *p)
{
    int64_t now = clock_ns();
    for (struct outgoing *letter = p->first; letter && letter->due_ns <= now; letter = letter->next)
        if (!letter->is_sent) {
            MPI_Isend(letter->bytes, letter->size, MPI_CHAR, letter->to, letter->tag, MPI_COMM_WORLD,
                      &letter->request);
            letter->is_sent = true;
        }
    for (struct outgoing *letter; (letter = p->first) && letter->is_sent;) {
        int is_done;
        MPI_Test(&letter->request, &is_done, MPI_STATUS_IGNORE);
        if (!is_done)
            break;
        p->first = letter->next;
        if (!p->first)
            p->last = &p->first;
        free(letter);
    }
}

bool post_is_idle(const struct post *p)
{
    return !p->first;
}

bool post_receive(struct post *p, struct letter *letter)
{
    (void)p;
    char bytes[sizeof letter->text + 32];
    int is_there, size;
    MPI_Message message;
    MPI_Status status;
    MPI_Improbe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &is_there, &message, &status);
    if (!is_there)
        return false;
    MPI_Get_count(&status, MPI_CHAR, &size);
    if (size >= (int)sizeof bytes)
        post_abort(2);
    MPI_Mrecv(bytes, size, MPI_CHAR, &message, MPI_STATUS_IGNORE);
    bytes[size] = 0;
    char *text;
    letter->kind = (enum letter_kind)status.MPI_TAG;
    letter->from = status.MPI_SOURCE;
    letter->id = strtoull(bytes, &text, 10);
    snprintf(letter->text, sizeof letter->text, "%s", *text ? text + 1 : text);
    return true;
}
