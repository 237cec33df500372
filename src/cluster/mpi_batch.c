/* mpi_batch.c - manyply-mpi batch: many commands of manyply on many machines. */
#include "cluster/batch_plan.h"
#include "cluster/cluster.h"

#include <string.h>
#include <unistd.h>

/* The manyply beside this program. */
static void find_program(char *path, size_t size)
{
    ssize_t length = readlink("/proc/self/exe", path, size - 16);
    path[length > 0 ? length : 0] = 0;
    char *slash = strrchr(path, '/');
    strcpy(slash ? slash + 1 : path, "manyply");
    if (access(path, X_OK) != 0)
        strcpy(path, "manyply");
}

static int report(const struct cli *cli, const struct batch_plan *plan, const struct farm_report *farm)
{
    int lines, from_ledger, failed;
    batch_plan_counts(plan, &lines, &from_ledger, &failed);
    if (failed)
        return cli_fail(cli, "%d of %d lines failed; the same command tries them again", failed, lines);
    fprintf(stderr, "%d lines, %d from the ledger, in %.1f s on %d ranks\n", lines, from_ledger,
            farm->seconds, farm->ranks);
    return 0;
}

static int lead(const struct cli *cli, char *program)
{
    struct mp_error error = {0};
    struct farm_report farm = {0};
    struct ledger *ledger = ledger_open(cli_option(cli, "ledger"), "batch", &error);
    struct batch_plan *plan = ledger ? batch_plan_new(cli->arguments[0], ledger, stdout, &error) : NULL;
    int code = plan ? 0 : cli_fail(cli, "%s", error.text);
    if (cluster_begin(code) == 0)
        code = farm_run(cluster_post, &batch_farm, plan, &batch_skill, program, &farm, &error)
                   ? report(cli, plan, &farm)
                   : cli_fail(cli, "%s", error.text);
    free(farm.shares);
    batch_plan_free(plan);
    ledger_close(ledger);
    return code;
}

static int run(const struct cli *cli)
{
    char program[4096];
    find_program(program, sizeof program);
    if (!cluster_options(cli))
        return EXIT_USAGE;
    if (cluster_is_master())
        return lead(cli, program);
    farm_run(cluster_post, NULL, NULL, &batch_skill, program, NULL, NULL);
    return 0;
}

static const struct cli_argument arguments[] = {
    {"FILE", "lines, each the arguments of manyply, as a shell reads them", false}, {0}};
static const struct cli_option options[] = {CLUSTER_OPTIONS, {0}};

const struct cli_command command_batch = {
    .name = "batch",
    .summary = "run many commands of manyply on many machines, and print what they print",
    .details =
        "  for fen in ...; do echo \"search chess --position '$fen' --time 10s --json\"; done >lines\n"
        "  for i in 1 2 3 4; do echo \"arena chess --player a --player b --db $i.db --shard $i/4\"; done "
        ">lines\n"
        "  for i in 1 2 3 4; do echo \"harvest othello $i.games --games 10000 --seed $i\"; done >lines\n"
        "  mpirun --host a,b,c manyply-mpi batch lines --ledger lines.ledger >printed\n\n"
        "A rank that is free takes the next line. What is printed (at most 32 KB a line, errors too) comes "
        "in the\n"
        "order of the lines; files are written where the rank runs. Killed, the same command goes on with "
        "what is\n"
        "not in the ledger; lines may be added meanwhile. A line that failed is tried again.\n",
    .arguments = arguments,
    .options = options,
    .text_only = true,
    .run = run};
