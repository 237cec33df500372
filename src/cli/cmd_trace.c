/* cmd_trace.c - the timeline of a search: how busy each thread was, and a drawing. */
#include "cli/commands.h"

#include "lab/json_parts.h"
#include "lab/timeline.h"

static void print_summary(const struct timeline *t)
{
    printf("%s: %s\n%.3f ms, %zu slices, %zu steals, %zu aborts\n", t->game, t->strategy, t->length / 1000,
           t->slice_count, t->steals, t->aborts);
    for (int i = 0; i < t->threads; i++)
        printf("thread %d: busy %.1f%% of the time\n", i, 100 * t->busy[i]);
}

static json_t *summary_json(const struct timeline *t)
{
    return json_pack("{s:s, s:s, s:f, s:I, s:I, s:I, s:o}", "game", t->game, "strategy", t->strategy,
                     "seconds", t->length * 1e-6, "slices", (json_int_t)t->slice_count, "steals",
                     (json_int_t)t->steals, "aborts", (json_int_t)t->aborts, "busy",
                     json_reals(t->busy, t->threads));
}

static int write_svg(const struct cli *cli, const struct timeline *t, const char *path)
{
    FILE *out = fopen(path, "w");
    if (!out)
        return cli_fail(cli, "--svg %.200s cannot be written, expected a file in an existing folder", path);
    timeline_draw(t, out);
    bool written = !ferror(out);
    if (fclose(out) != 0 || !written)
        return cli_fail(cli, "--svg %.200s could not be written", path);
    return 0;
}

static int run(const struct cli *cli)
{
    json_error_t why;
    json_t *file = json_load_file(cli->arguments[0], 0, &why);
    if (!file)
        return cli_fail(cli, "%.200s: %s, expected a file from `manyply search --trace`", cli->arguments[0],
                        why.text);
    struct timeline timeline;
    const char *svg = cli_option(cli, "svg");
    int code = 0;
    if (!timeline_read(&timeline, file)) {
        json_decref(file);
        return cli_fail(cli, "%.200s holds no timeline, expected a file from `manyply search --trace`",
                        cli->arguments[0]);
    }
    if (svg)
        code = write_svg(cli, &timeline, svg);
    if (code == 0 && cli->json)
        code = print_json(summary_json(&timeline));
    else if (code == 0)
        print_summary(&timeline);
    timeline_free(&timeline);
    json_decref(file);
    return code;
}

static const struct cli_argument arguments[] = {
    {"FILE", "a timeline from `manyply search --trace FILE`", false}, {0}};
static const struct cli_option options[] = {{"svg", "FILE", "draw the timeline of each thread"}, {0}};

const struct cli_command command_trace = {
    .name = "trace",
    .summary = "draw what each thread did in a search",
    .details = "  manyply search othello --strategy pvs,depth=11,split=ybwc --trace out.json\n"
               "  manyply trace out.json --svg out.svg\n\n"
               "The same file opens in Perfetto (https://ui.perfetto.dev) and in chrome://tracing.\n",
    .arguments = arguments,
    .options = options,
    .run = run};
