/* cmd_reproduce.c - the experiments of the five reports, with their figures beside ours. */
#include "cli/commands.h"
#include "cli/terminal.h"

#include "base/clock.h"
#include "lab/machine.h"
#include "reports/reproduce.h"

#include <stdlib.h>
#include <string.h>

static bool reproduce(struct reproduction *r, const struct report *report)
{
    r->name = report->name;
    r->to = 0;
    reproduction_text(r, "\n## %s: %s\n", report->name, report->summary);
    bool ok = report->reproduce(r);
    progress_end(&r->progress);
    return ok;
}

static const struct report *find_report(const char *name)
{
    for (const struct report *report = reports; report->name; report++)
        if (!strcmp(report->name, name))
            return report;
    return NULL;
}

static int run(const struct cli *cli)
{
    struct mp_error error;
    const char *name = cli->arguments[0] ? cli->arguments[0] : "all";
    bool all = !strcmp(name, "all"), ok = true;
    if (!all && !find_report(name))
        return cli_fail(
            cli, "unknown report '%.60s', expected pm, halma, backgammon, othello, horizon or all", name);
    char command[256], machine[256];
    double load = 0; /* figures of a busy machine should not look like those of a quiet one */
    getloadavg(&load, 1);
    cli_command_line(cli, command, sizeof command);
    machine_name(machine, sizeof machine);
    struct reproduction r = {.out = cli->json ? NULL : stdout,
                             .tables = cli->json ? json_array() : NULL,
                             .quick = cli_option(cli, "quick"),
                             .unicode = terminal_look().unicode,
                             .progress = {.out = stderr},
                             .error = &error};
    int64_t start = clock_ns();
    reproduction_text(
        &r, "# What the reports measured, and what we measure\n\nMade by `%s` on %s (load %.1f).%s\n",
        command, machine, load, r.quick ? " Sizes are reduced (`--quick`), as each table says." : "");
    reproduction_text(&r,
                      "\n*simulated*: our searches on a virtual machine with as many cores as the report had "
                      "threads and with the "
                      "costs of this one (scale.md); *ours*: measured, as far as this machine reaches. Where "
                      "the tree and its "
                      "pieces of work decide, a simulated curve has the shape of the published one. Where it "
                      "is steeper, the "
                      "report's program lost what a virtual machine does not know: memory that all cores "
                      "share, a collector of "
                      "garbage that stops them, two threads on one core, tasks that cost more than ours.\n");
    for (const struct report *report = reports; ok && report->name; report++)
        if (all || report == find_report(name))
            ok = reproduce(&r, report);
    if (!ok) {
        json_decref(r.tables);
        return cli_fail(cli, "%s", error.text);
    }
    if (cli->json)
        return print_json(json_pack("{s:o, s:b, s:f, s:o}", "machine", machine_json(command), "quick",
                                    r.quick, "seconds", clock_seconds_since(start), "tables", r.tables));
    return 0;
}

static const struct cli_argument arguments[] = {
    {"REPORT", "pm, halma, backgammon, othello, horizon or all; the default is all", true}, {0}};
static const struct cli_option options[] = {
    {"quick", NULL, "every table at a reduced size: all five reports in less than two minutes"}, {0}};

const struct cli_command command_reproduce = {
    .name = "reproduce",
    .summary = "the experiments of five reports, their figures beside ours",
    .details = "  manyply reproduce halma\n"
               "  manyply reproduce all --quick\n\n"
               "Prints Markdown; docs/reproduction.md is the output of `manyply reproduce all`.\n",
    .arguments = arguments,
    .options = options,
    .run = run};
