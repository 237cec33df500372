/* cmd_check.c - does a game keep its promises? */
#include "cli/commands.h"

#include "base/clock.h"
#include "base/text.h"
#include "kit/kit.h"
#include "lab/progress.h"

#include <string.h>

static void show_progress(const char *doing, double share, void *context)
{
    progress_show(context, doing, share);
}

/* Texts of a faulty game may hold anything; they are shown as far as they can be. */
static void make_printable(char *text)
{
    for (; *text; text++)
        if (*text < ' ' || *text > '~')
            *text = '?';
}

static void clean(struct kit_report *report)
{
    make_printable(report->game);
    for (int i = 0; i < report->fault_count; i++) {
        struct kit_fault *fault = &report->faults[i];
        make_printable(fault->text);
        make_printable(fault->place.position);
        make_printable(fault->place.moves);
    }
}

static void print_fault(const struct kit_fault *fault)
{
    const struct kit_place *place = &fault->place;
    printf("fault: %s", fault->text);
    if (fault->has_place && *place->position)
        printf("; in the position '%s'", place->position);
    if (fault->has_place && place->plies > 0)
        printf("%s after %s", *place->position ? "," : ";", place->moves);
    else if (fault->has_place && !*place->position)
        printf("; in the initial position");
    printf("\n");
}

static void print_table(const struct kit_report *report, double seconds)
{
    const struct {
        const char *what;
        uint64_t count;
    } rows[] = {
        {"random games", report->games},
        {"  of them to their end", report->finished},
        {"positions", report->positions},
        {"moves", report->moves},
        {"counts of lines of play", report->counts},
        {"keys near the beginning", report->keys},
        {"keys of twins", report->twins},
        {"positions searched", report->search_positions},
        {"searches against minimax", report->searches},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        printf("%-26s %8llu\n", rows[i].what, (unsigned long long)rows[i].count);
    printf("%-26s %8.1f\n", "seconds", seconds);
}

static json_t *json_faults(const struct kit_report *report)
{
    json_t *list = json_array();
    for (int i = 0; i < report->fault_count; i++) {
        const struct kit_fault *fault = &report->faults[i];
        json_array_append_new(list, json_pack("{s:s, s:s, s:s, s:s}", "promise", fault->promise, "sentence",
                                              fault->text, "position",
                                              fault->has_place ? fault->place.position : "", "moves",
                                              fault->has_place ? fault->place.moves : ""));
    }
    return list;
}

static int report_json(const struct cli *cli, const struct kit_report *report, double seconds)
{
    int code = print_json(json_pack(
        "{s:s, s:s, s:b, s:b, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:f, s:o}", "game", report->game,
        "file", cli->arguments[0], "right", report->fault_count == 0, "time_is_over", report->time_is_over,
        "games", (json_int_t)report->games, "finished", (json_int_t)report->finished, "positions",
        (json_int_t)report->positions, "moves", (json_int_t)report->moves, "counts",
        (json_int_t)report->counts, "keys", (json_int_t)report->keys, "twins", (json_int_t)report->twins,
        "search_positions", (json_int_t)report->search_positions, "searches", (json_int_t)report->searches,
        "seconds", seconds, "faults", json_faults(report)));
    return code ? code : report->fault_count > 0;
}

static int run(const struct cli *cli)
{
    struct kit_effort effort = {0};
    int64_t positions;
    const char *time = cli_option(cli, "time");
    if (!cli_number(cli, "positions", 1, 1000000, 40, &positions))
        return EXIT_USAGE;
    if (time && !text_to_seconds(time, &effort.seconds))
        return cli_fail(cli, "--time %.60s, expected a length of time such as 30s", time);
    effort.positions = (int)positions;
    struct kit_report report;
    struct mp_error error = {0};
    struct progress progress = {.out = stderr};
    int64_t start = clock_ns();
    enum kit_verdict verdict = kit_check(cli->arguments[0], &effort, show_progress, &progress, &report,
                                         &error);
    double seconds = clock_seconds_since(start);
    progress_end(&progress);
    if (verdict == KIT_NOT_OPENED)
        return cli_fail(cli, "%s", error.text);
    clean(&report);
    if (cli->json)
        return report_json(cli, &report, seconds);
    for (int i = 0; i < report.fault_count; i++)
        print_fault(&report.faults[i]);
    if (verdict == KIT_FAULTY) {
        printf("%s breaks %d promise%s of game.h\n", cli->arguments[0], report.fault_count,
               report.fault_count == 1 ? "" : "s");
        return 1;
    }
    print_table(&report, seconds);
    printf("%s keeps its promises%s\n", report.game,
           report.time_is_over ? ", as far as there was time to look" : "");
    return 0;
}

static const struct cli_argument arguments[] = {{"GAME", "a game, or a plug-in such as ./connect4.so", false},
                                                {0}};
static const struct cli_option options[] = {
    {"positions", "N", "positions on which searches are compared with minimax; default: 40"},
    {"time", "T", "end after this time, such as 30s, with what has been checked by then; default: 60s"},
    {0}};

const struct cli_command command_check = {
    .name = "check",
    .summary = "test whether a game keeps the promises of game.h",
    .details = "  manyply check ./connect4.so\n"
               "  manyply check ./connect4.so --positions 500 --time 5m\n\n"
               "Plays random games and checks every position on the way: moves, texts, keys, evaluations, "
               "hooks; then\n"
               "compares searches, on one thread and on two, with plain minimax. The game runs in a process "
               "of its own,\n"
               "so a crash or an endless loop is a sentence too. The exit code is 0 where all holds and 1 "
               "where the game\n"
               "has a fault.\n",
    .arguments = arguments,
    .options = options,
    .run = run};
