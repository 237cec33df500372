/* farm.c - the loop of every rank: letters, results, and on the first rank who gets what. */
#include "cluster/farm.h"

#include "base/clock.h"

#include <stdlib.h>
#include <string.h>

/* How long the main thread sleeps when there is nothing to do: far less than a job takes, and 10 looks a millisecond would
 * take more of a core than the answer is worth. */
enum { LOOK_NS = 200000 };

struct sent {
    uint64_t id;
    bool is_there; /* a job is on its way */
};

struct farm {
    struct post *post;
    struct hand *hand;
    const struct farm_plan *plan; /* null: not the master */
    void *master;
    struct farm_report *report;
    struct sent (*sent)[HAND_JOBS]; /* for each rank */
    int ended;                      /* ranks that have answered the end */
    bool is_over;
    bool is_failed;
    struct mp_error *error;
};

/* ---- The master ---------------------------------------------------------------------------------------- */

static struct sent *find_sent(struct farm *f, uint64_t id, int *rank)
{
    for (*rank = 0; *rank < post_ranks(f->post); ++*rank)
        for (int i = 0; i < f->plan->jobs_per_rank; i++)
            if (f->sent[*rank][i].is_there && f->sent[*rank][i].id == id)
                return &f->sent[*rank][i];
    return NULL;
}

void farm_cancel(struct farm *f, uint64_t id)
{
    int rank;
    if (find_sent(f, id, &rank))
        post_send(f->post, rank, LETTER_CANCEL, id, "");
}

void farm_tell(struct farm *f, uint64_t id, const char *news)
{
    int rank;
    if (find_sent(f, id, &rank))
        post_send(f->post, rank, LETTER_TELL, id, news);
}

/* Everybody gets a first job before anybody gets a second. */
static void hand_out(struct farm *f)
{
    char job[CLUSTER_TEXT];
    uint64_t id;
    for (int i = 0; i < f->plan->jobs_per_rank; i++)
        for (int rank = 0; rank < post_ranks(f->post); rank++)
            if (!f->sent[rank][i].is_there) {
                if (!f->plan->next(f->master, f, &id, job))
                    return;
                f->sent[rank][i] = (struct sent){id, true};
                post_send(f->post, rank, LETTER_JOB, id, job);
            }
}

static void fail(struct farm *f, const char *sentence)
{
    if (!f->is_failed && f->error)
        mp_fail_with(f->error, MP_ERROR_SYSTEM, "%s", sentence);
    f->is_failed = true;
}

static void take_answer(struct farm *f, const struct letter *letter)
{
    struct farm_share *share = &f->report->shares[letter->from];
    char *text;
    int rank;
    struct sent *sent = find_sent(f, letter->id, &rank);
    if (!sent)
        return;
    sent->is_there = false;
    uint64_t nodes = strtoull(letter->text, &text, 10);
    share->busy_seconds += (double)strtoull(text, &text, 10) * 1e-9;
    text += *text == ' ';
    share->jobs++;
    share->nodes += nodes;
    if (!*text) {
        share->given_up++;
        share->given_up_nodes += nodes;
    }
    struct mp_error error = {0};
    if (!f->plan->take(f->master, f, letter->id, text, nodes, &error))
        fail(f, error.text);
}

static void end_all(struct farm *f)
{
    for (int rank = 0; rank < post_ranks(f->post); rank++)
        post_send(f->post, rank, LETTER_END, 0, "");
    f->is_over = true;
}

static void lead(struct farm *f)
{
    if (f->is_over)
        return;
    if (f->is_failed || f->plan->is_done(f->master))
        end_all(f);
    else
        hand_out(f);
}

/* ---- Every rank ---------------------------------------------------------------------------------------- */

/* True: this rank is done. */
static bool take_letter(struct farm *f, const struct letter *letter)
{
    bool is_master = f->plan != NULL;
    switch (letter->kind) {
    case LETTER_JOB:
        hand_give(f->hand, letter->id, letter->text);
        break;
    case LETTER_TELL:
        hand_tell(f->hand, letter->id, letter->text);
        break;
    case LETTER_CANCEL:
        hand_cancel(f->hand, letter->id);
        break;
    case LETTER_DONE:
        if (!f->is_over)
            take_answer(f, letter);
        break;
    case LETTER_FAILED:
        if (!f->is_over)
            fail(f, letter->text);
        break;
    case LETTER_END:
        /* The master gets its own end, too, but answers of all others are still to come. */
        if (!is_master) {
            post_send(f->post, 0, LETTER_END, 0, "");
            return true;
        }
        return ++f->ended == post_ranks(f->post);
    }
    return false;
}

static void send_results(struct farm *f)
{
    struct hand_result result;
    char text[sizeof((struct letter *)0)->text];
    while (hand_fetch(f->hand, &result)) {
        snprintf(text, sizeof text, "%llu %llu %s", (unsigned long long)result.nodes,
                 (unsigned long long)(result.seconds * 1e9), result.text);
        post_send(f->post, 0, result.is_failed ? LETTER_FAILED : LETTER_DONE, result.id,
                  result.is_failed ? result.text : text);
    }
}

static void loop(struct farm *f)
{
    struct letter letter;
    for (bool ends = false; !ends;) {
        bool idle = true;
        while (!ends && post_receive(f->post, &letter)) {
            ends = take_letter(f, &letter);
            idle = false;
        }
        send_results(f);
        if (f->plan && !ends)
            lead(f);
        post_push(f->post);
        if (idle && !ends)
            hand_wait(f->hand, LOOK_NS);
    }
    while (!post_is_idle(f->post)) {
        post_push(f->post);
        nanosleep(&(struct timespec){.tv_nsec = LOOK_NS}, NULL);
    }
}

bool farm_run(struct post *post, const struct farm_plan *plan, void *master, const struct hand_skill *skill,
              void *self, struct farm_report *report, struct mp_error *error)
{
    struct farm f = {.post = post, .plan = plan, .master = master, .report = report, .error = error};
    int64_t start = clock_ns();
    if (plan) {
        *report = (struct farm_report){.ranks = post_ranks(post)};
        report->shares = calloc((size_t)report->ranks, sizeof *report->shares);
        f.sent = calloc((size_t)report->ranks, sizeof *f.sent);
        if (!report->shares || !f.sent)
            post_abort(2);
    }
    f.hand = hand_new(skill, self, error);
    if (!f.hand)
        post_abort(2);
    loop(&f);
    hand_free(f.hand);
    free(f.sent);
    if (plan)
        report->seconds = clock_seconds_since(start);
    return !f.is_failed;
}
