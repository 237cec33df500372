/* farm_report.c - what the ranks did, for people and as JSON. */
#include "cluster/cluster.h"

#include "lab/json_parts.h"

static struct farm_share sum_of(const struct farm_report *report)
{
    struct farm_share sum = {0};
    for (int i = 0; i < report->ranks; i++) {
        const struct farm_share *share = &report->shares[i];
        sum.jobs += share->jobs;
        sum.given_up += share->given_up;
        sum.nodes += share->nodes;
        sum.given_up_nodes += share->given_up_nodes;
        sum.busy_seconds += share->busy_seconds;
    }
    return sum;
}

/* Of the time of all ranks, the share in which they had no job. */
static double idle_of(const struct farm_report *report, const struct farm_share *sum)
{
    double all = report->seconds * report->ranks;
    double idle = all > 0 ? 1 - sum->busy_seconds / all : 0;
    return idle > 0 ? idle : 0;
}

void cluster_print_report(const struct farm_report *report, const char *unit)
{
    struct farm_share sum = sum_of(report);
    char nodes[32], rate[32];
    print_large((double)sum.nodes, nodes, sizeof nodes);
    print_large(report->seconds > 0 ? (double)sum.nodes / report->seconds : 0, rate, sizeof rate);
    printf("%s %s in %.3f s, %s %s/s on %d rank%s\n", nodes, unit, report->seconds, rate, unit, report->ranks,
           report->ranks == 1 ? "" : "s");
    printf("%lld jobs, %lld of them given up with %.1f%% of the %s; ranks were idle for %.1f%% of the time\n",
           (long long)sum.jobs, (long long)sum.given_up,
           sum.nodes ? 100 * (double)sum.given_up_nodes / (double)sum.nodes : 0, unit,
           100 * idle_of(report, &sum));
}

void cluster_put_report(json_t *json, const struct farm_report *report)
{
    struct farm_share sum = sum_of(report);
    json_put_number(json, "ranks", report->ranks);
    json_put_real(json, "seconds", report->seconds);
    json_put_number(json, "jobs", sum.jobs);
    json_put_number(json, "given_up_jobs", sum.given_up);
    json_put_number(json, "nodes", (int64_t)sum.nodes);
    json_put_number(json, "given_up_nodes", (int64_t)sum.given_up_nodes);
    json_put_real(json, "idle", idle_of(report, &sum));
}
