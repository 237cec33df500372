/* mpi_search.c - manyply-mpi search: one exact search on many machines. */
#include "cluster/cluster.h"
#include "cluster/search_plan.h"

#include "lab/json_parts.h"
#include "strategy/strategy.h"

#include <string.h>

/* Some seconds of a machine with a dozen cores; the top of the tree is then small, and each message pays. */
enum { JOB_NODES = 50000000 };

struct search_request {
    struct mp_strategy *strategy;
    int depth;
    int64_t job_nodes;
};

static bool samples(const struct mp_strategy *strategy)
{
    return strategy->algorithm->keys & KEYS_SAMPLES;
}

static bool read_request(const struct cli *cli, struct search_request *r)
{
    if (mp_position_is_chance(cli->position))
        return cli_refuse(cli, "the dice are to be thrown, expected a throw as the last of --moves");
    if (mp_position_moves(cli->position, NULL, NULL, 0) == 0)
        return cli_refuse(cli, "the game is over, expected a position with a legal move");
    r->strategy = cli_strategy(cli, cli->game, "strategy", "auto");
    if (!r->strategy || !cli_number(cli, "job-nodes", 1, INT64_MAX, JOB_NODES, &r->job_nodes) ||
        !cluster_options(cli))
        return false;
    const struct plan *plan = &r->strategy->plan;
    r->depth = plan->depth;
    if (samples(r->strategy))
        return true;
    if (!plan->settings.exact)
        return cli_refuse(cli, "the strategy %.100s is not exact, expected one such as pvs,depth=12",
                          mp_strategy_text(r->strategy));
    if (r->depth == 0 || plan->seconds > 0 || plan->node_limit > 0)
        return cli_refuse(cli, "expected a depth, and no limit of time or nodes, such as --depth 12");
    return true;
}

/* What the ledger is of. How many threads, which scheme and how large a table is for each run to say. */
static bool describe(const struct cli *cli, const struct search_request *r, char *job, size_t size,
                     struct mp_error *error)
{
    char text[CLI_TEXT], asked[STRATEGY_TEXT];
    const char *moves = cli_option(cli, "moves");
    struct mp_strategy *plain = mp_strategy_copy(r->strategy, error);
    bool ok = plain && mp_strategy_set(plain, "split", NULL, error) &&
              (!mp_strategy_has(plain, "hash") || mp_strategy_set(plain, "hash", NULL, error));
    if (ok) {
        print_position_text(cli->game, cli->position, text);
        snprintf(job, size, "search %s at %s after %s by %s", cli->arguments[0], text, moves ? moves : "none",
                 mp_strategy_asked(plain, asked, sizeof asked));
    }
    mp_strategy_free(plain);
    return ok;
}

static int report(const struct cli *cli, const struct search_request *r, const struct search_plan *plan,
                  const struct farm_report *farm, int from_ledger)
{
    mp_value value;
    mp_move move;
    char text[CLI_TEXT], value_text[64];
    search_plan_value(plan, &value, &move);
    print_move_text(cli->game, mp_position_state(cli->position), move, text);
    mp_value_text(cli->game, value, value_text, sizeof value_text);
    if (cli->json) {
        json_t *json = json_object();
        json_put_text(json, "game", cli->game->name);
        json_put_text(json, "strategy", mp_strategy_text(r->strategy));
        json_put_text(json, "move", text);
        json_put_number(json, "value", value);
        json_put(json, "outcome", json_outcome(cli->game, value));
        json_put_number(json, "depth", r->depth);
        json_put_number(json, "job_depth", search_plan_leaf_depth(plan));
        json_put_number(json, "records_from_ledger", from_ledger);
        json_put_number(json, "master_nodes", (int64_t)search_plan_nodes(plan));
        cluster_put_report(json, farm);
        return print_json(json);
    }
    printf("move %s, value %s at depth %d (exact: what plain minimax says)\n", text, value_text, r->depth);
    cluster_print_report(farm, "nodes");
    printf("jobs of depth %d or less, %d records from the ledger\n", search_plan_leaf_depth(plan),
           from_ledger);
    return 0;
}

static int lead(const struct cli *cli, const struct search_request *r, struct leaf_search *leaf,
                const char *job)
{
    struct mp_error error = {0};
    struct farm_report farm = {0};
    struct ledger *ledger = ledger_open(cli_option(cli, "ledger"), job, &error);
    int from_ledger = ledger ? ledger_found(ledger) : 0;
    struct search_plan *plan = ledger ? search_plan_new(cli->position, r->strategy, r->depth,
                                                        (uint64_t)r->job_nodes, ledger, &error)
                                      : NULL;
    int code = plan ? 0 : cli_fail(cli, "%s", error.text);
    if (cluster_begin(code) == 0)
        code = farm_run(cluster_post, &search_farm, plan, &leaf_skill, leaf, &farm, &error)
                   ? report(cli, r, plan, &farm, from_ledger)
                   : cli_fail(cli, "%s", error.text);
    free(farm.shares);
    search_plan_free(plan);
    ledger_close(ledger);
    return code;
}

static int search(const struct cli *cli, const struct search_request *r, const char *job)
{
    struct mp_error error = {0};
    struct leaf_search leaf = {cli->position, mp_search_with(r->strategy, &error)};
    int code = 0;
    if (!leaf.search) {
        if (!cluster_is_master())
            cluster_give_up(cli, error.text);
        return cli_fail(cli, "%s", error.text);
    }
    if (cluster_is_master())
        code = lead(cli, r, &leaf, job);
    else
        farm_run(cluster_post, NULL, NULL, &leaf_skill, &leaf, NULL, NULL);
    mp_search_free(leaf.search);
    return code;
}

static int run(const struct cli *cli)
{
    struct search_request r = {0};
    struct mp_error error = {0};
    char job[3 * CLI_TEXT];
    int code = EXIT_USAGE;
    if (read_request(cli, &r)) {
        if (!describe(cli, &r, job, sizeof job, &error))
            code = cli_fail(cli, "%s", error.text);
        else
            code = samples(r.strategy) ? cluster_sample(cli, r.strategy, job) : search(cli, &r, job);
    }
    mp_strategy_free(r.strategy);
    return code;
}

static const struct cli_argument arguments[] = {CLI_GAME, {0}};
static const struct cli_option options[] = {
    {"position", "P", "a position in the notation of the game; the default is its beginning"},
    {"moves", "M", "moves played from there, such as \"f5 d6 c3\" or f5d6c3"},
    {"strategy", "S",
     "what each rank searches with: exact and with a depth, or mcts; default: the game's, on all CPUs"},
    {"depth", "N", "plies to search; default: as the strategy says"},
    {"threads", "N", "threads of each rank, for a strategy with split=; default: all CPUs of its machine"},
    {"time", "T", "Monte-Carlo search: how long"},
    {"interval", "T", "Monte-Carlo search with a time: add up the ranks' roots so often; default: 1s"},
    {"job-nodes", "N", "about how many nodes a job may take; default: 50 million, some seconds"},
    CLUSTER_OPTIONS,
    {0}};

const struct cli_command command_search = {
    .name = "search",
    .summary = "find the exact value of a position at a depth, on many machines",
    .details =
        "  mpirun --host a,b,c manyply-mpi search othello --strategy pvs,depth=22,split=ybwc --ledger "
        "x.ledger\n"
        "  mpirun --oversubscribe -n 2 manyply-mpi search chess --strategy pvs,depth=8 --job-nodes 1000000\n"
        "  mpirun --host a,b,c manyply-mpi search othello --strategy mcts,split=tree,time=60s\n\n"
        "The first rank grows the top of the tree and hands out its leaves, with windows that get tighter "
        "while\n"
        "they are searched; leaves that do not matter any more are given up. The value is always that of "
        "the\n"
        "sequential search. Monte-Carlo search grows trees on each rank, whose roots are added up at "
        "intervals.\n"
        "Killed, the same command goes on where it was.\n",
    .arguments = arguments,
    .options = options,
    .needs = CLI_NEEDS_POSITION,
    .run = run};
