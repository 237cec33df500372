/* mpi_perft.c - manyply-mpi perft: counts lines of play on many machines. */
#include "cluster/cluster.h"
#include "cluster/perft_plan.h"

#include "base/text.h"
#include "lab/json_parts.h"

#include <string.h>

struct perft_request {
    int depth, split, threads;
    bool drop;
};

static bool read_request(const struct cli *cli, struct perft_request *r)
{
    int64_t depth;
    const char *finished = cli_option(cli, "finished");
    if (!text_to_int(cli->arguments[1], 0, MP_MAX_DEPTH, &depth))
        return cli_refuse(cli, "DEPTH is '%.60s', expected a whole number from 0 to %d", cli->arguments[1],
                          MP_MAX_DEPTH);
    if (finished && strcmp(finished, "count") != 0 && strcmp(finished, "drop") != 0)
        return cli_refuse(cli, "--finished %.60s, expected count or drop", finished);
    r->depth = (int)depth;
    r->drop = finished ? !strcmp(finished, "drop") : !(cli->game->flags & MP_PERFT_COUNTS_FINISHED);
    return cli_int(cli, "threads", 1, MP_MAX_THREADS, mp_cpu_count(), &r->threads) &&
           cli_int(cli, "split", 0, MP_MAX_DEPTH, -1, &r->split) && cluster_options(cli);
}

/* What the ledger is of. How jobs are cut is not part of it: the key of a job says it all. */
static void describe(const struct cli *cli, const struct perft_request *r, char *job, size_t size)
{
    char text[CLI_TEXT];
    print_position_text(cli->game, cli->position, text);
    snprintf(job, size, "perft %d of %s from %s, finished games %s", r->depth, cli->arguments[0], text,
             r->drop ? "dropped" : "counted");
}

static int report(const struct cli *cli, const struct perft_request *r, const struct perft_plan *plan,
                  const struct farm_report *farm)
{
    int jobs, from_ledger;
    perft_plan_jobs(plan, &jobs, &from_ledger);
    if (cli->json) {
        json_t *json = json_object();
        json_put_text(json, "game", cli->game->name);
        json_put_number(json, "depth", r->depth);
        json_put_number(json, "leaves", (int64_t)perft_plan_leaves(plan));
        json_put_number(json, "jobs_from_ledger", from_ledger);
        cluster_put_report(json, farm);
        return print_json(json);
    }
    printf("perft %d: %llu leaves, %d of %d jobs from the ledger\n", r->depth,
           (unsigned long long)perft_plan_leaves(plan), from_ledger, jobs);
    cluster_print_report(farm, "leaves");
    return 0;
}

static int lead(const struct cli *cli, const struct perft_request *r, struct perft_counter *counter)
{
    char job[2 * CLI_TEXT];
    struct mp_error error = {0};
    struct farm_report farm = {0};
    describe(cli, r, job, sizeof job);
    struct ledger *ledger = ledger_open(cli_option(cli, "ledger"), job, &error);
    struct perft_plan *plan = ledger
                                  ? perft_plan_new(cli->position, r->depth, r->split, r->drop, ledger, &error)
                                  : NULL;
    int code = plan ? 0 : cli_fail(cli, "%s", error.text);
    if (cluster_begin(code) == 0) {
        code = farm_run(cluster_post, &perft_farm, plan, &perft_skill, counter, &farm, &error)
                   ? report(cli, r, plan, &farm)
                   : cli_fail(cli, "%s", error.text);
    }
    free(farm.shares);
    perft_plan_free(plan);
    ledger_close(ledger);
    return code;
}

static int run(const struct cli *cli)
{
    struct perft_request r;
    if (!read_request(cli, &r))
        return EXIT_USAGE;
    struct perft_counter counter = {cli->game, r.threads, r.drop};
    if (cluster_is_master())
        return lead(cli, &r, &counter);
    farm_run(cluster_post, NULL, NULL, &perft_skill, &counter, NULL, NULL);
    return 0;
}

static const struct cli_argument arguments[] = {
    CLI_GAME, {"DEPTH", "how many plies; throws of dice do not count", false}, {0}};
static const struct cli_option options[] = {
    {"position", "P", "a position in the notation of the game; the default is its beginning"},
    {"moves", "M", "moves played from there"},
    {"threads", "N", "threads of each rank; the default is all CPUs of its machine"},
    {"split", "N", "plies that are played out to make jobs; the default makes some thousand"},
    {"finished", "count|drop",
     "whether a game that ends early counts as a leaf; the default is the game's custom"},
    CLUSTER_OPTIONS,
    {0}};

const struct cli_command command_perft = {
    .name = "perft",
    .summary = "count the lines of play to a depth, on many machines",
    .details = "  mpirun --host a,b,c manyply-mpi perft chess 9 --ledger perft9.ledger\n\n"
               "Killed, the same command goes on where it was.\n",
    .arguments = arguments,
    .options = options,
    .needs = CLI_NEEDS_POSITION,
    .run = run};
