/* mpi_sample.c - manyply-mpi search with a Monte-Carlo search. */
#include "cluster/cluster.h"
#include "cluster/sample_plan.h"

#include "lab/json_parts.h"
#include "strategy/strategy.h"

/* What is to be done: until there are so many iterations, or for so long; in jobs of a slice or an interval. */
struct sample_request {
    uint64_t iterations, slice;
    double seconds, interval;
};

enum { SLICES = 10 };

static bool read_limits(const struct cli *cli, struct mp_strategy *strategy, struct sample_request *r)
{
    const struct plan *plan = &strategy->plan;
    struct mp_error error = {0};
    char text[32];
    if (plan->scheme_options.chunk || !plan->settings.mcts.reuse)
        return cli_refuse(cli, "the trees of a rank grow from interval to interval, expected no chunk=, and "
                               "not reuse=off");
    if (!cli_duration(cli, "interval", 1, &r->interval))
        return false;
    r->seconds = plan->seconds;
    r->iterations = plan_iterations(plan);
    r->slice = r->iterations / (uint64_t)(SLICES * post_ranks(cluster_post)) + 1;
    r->interval = r->seconds > 0 && r->interval > r->seconds ? r->seconds : r->interval;
    snprintf(text, sizeof text, "%.6fs", r->interval);
    return (r->seconds > 0 ? mp_strategy_set(strategy, "time", text, &error)
                           : mp_strategy_set_number(strategy, "iterations", (int64_t)r->slice, &error)) ||
           cli_refuse(cli, "%s", error.text);
}

static int report(const struct cli *cli, struct sample_plan *plan, const struct farm_report *farm)
{
    struct mp_result result = {MP_SIZE(struct mp_result)};
    uint64_t iterations, from_ledger;
    char move[CLI_TEXT], value[64];
    if (!sample_plan_result(plan, &result, &iterations, &from_ledger))
        return cli_fail(cli, "nothing was sampled, expected more iterations or time");
    print_move_text(cli->game, mp_position_state(cli->position), result.move, move);
    mp_value_text(cli->game, result.value, value, sizeof value);
    if (cli->json) {
        json_t *json = json_object();
        json_put_text(json, "game", cli->game->name);
        json_put_text(json, "move", move);
        json_put_number(json, "value", result.value);
        json_put_flag(json, "exact", result.exact);
        json_put_number(json, "iterations", (int64_t)iterations);
        json_put_number(json, "iterations_from_ledger", (int64_t)from_ledger);
        cluster_put_report(json, farm);
        return print_json(json);
    }
    printf("move %s, value %s (%s)\n", move, value, result.exact ? "exact" : "not exact");
    cluster_print_report(farm, "iterations");
    printf("%llu iterations in all, %llu of them from the ledger\n", (unsigned long long)iterations,
           (unsigned long long)from_ledger);
    return 0;
}

static int lead(const struct cli *cli, struct sample_hand *sampler, const struct sample_request *r,
                const char *job)
{
    struct mp_error error = {0};
    struct farm_report farm = {0};
    struct ledger *ledger = ledger_open(cli_option(cli, "ledger"), job, &error);
    struct sample_plan *plan = ledger ? sample_plan_new(cli->position, sampler->strategy,
                                                        post_ranks(cluster_post), r->iterations, r->slice,
                                                        r->seconds, ledger, &error)
                                      : NULL;
    int code = plan ? 0 : cli_fail(cli, "%s", error.text);
    if (cluster_begin(code) == 0)
        code = farm_run(cluster_post, &sample_farm, plan, &sample_skill, sampler, &farm, &error)
                   ? report(cli, plan, &farm)
                   : cli_fail(cli, "%s", error.text);
    free(farm.shares);
    sample_plan_free(plan);
    ledger_close(ledger);
    return code;
}

int cluster_sample(const struct cli *cli, struct mp_strategy *strategy, const char *job)
{
    struct sample_request r;
    struct sample_hand sampler = {
        .position = cli->position, .strategy = strategy, .rank = post_rank(cluster_post)};
    int code = 0;
    if (!read_limits(cli, strategy, &r))
        return EXIT_USAGE;
    if (cluster_is_master())
        code = lead(cli, &sampler, &r, job);
    else
        farm_run(cluster_post, NULL, NULL, &sample_skill, &sampler, NULL, NULL);
    mp_search_free(sampler.search);
    return code;
}
