/* cluster.h - what the commands of manyply-mpi share: the post, and how they begin and end together.
 *
 * Every rank reads the same command line. The first reads it first and sets up what the master needs; the others wait for its
 * word (cluster_begin), so that what is wrong with the command line or the ledger is said once, and by one rank. */
#ifndef CLUSTER_CLUSTER_H
#define CLUSTER_CLUSTER_H

#include "cli/commands.h"
#include "cluster/farm.h"

extern const struct cli_command command_batch;
extern struct post *cluster_post;

/* mpi_sample.c: a search by a strategy that samples; job says what the ledger is of. */
int cluster_sample(const struct cli *cli, struct mp_strategy *strategy, const char *job);

static inline bool cluster_is_master(void)
{
    return post_rank(cluster_post) == 0;
}

/* The word of the first rank: code 0, and all go on; else all end. Called once by each; returns the code. */
int cluster_begin(int code);

/* What a rank that cannot go on says. It ends all. */
_Noreturn void cluster_give_up(const struct cli *cli, const char *sentence);

/* The options that all commands have, and what they set: --latency. False: error printed. */
#define CLUSTER_OPTIONS                                                                                      \
    {"ledger", "FILE", "keep what is finished there, and go on from it; default: nothing is kept"},          \
    {                                                                                                        \
        "latency", "T", "hold each message back for so long, such as 1ms: for trying a slow network"         \
    }
bool cluster_options(const struct cli *cli);

/* Where all came to: a line for people, or a part of the JSON. */
void cluster_print_report(const struct farm_report *report, const char *unit);
void cluster_put_report(json_t *json, const struct farm_report *report);

#endif
