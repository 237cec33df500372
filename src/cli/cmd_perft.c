/* cmd_perft.c - counts lines of play: the test of a move generator, and of its speed. */
#include "cli/commands.h"

#include "base/clock.h"
#include "base/text.h"
#include "gpu/gpu.h"
#include "lab/json_parts.h"
#include "lab/progress.h"
#include "parallel/perft_device.h"

#include <stdlib.h>
#include <string.h>

static void show_progress(double share, void *context)
{
    progress_show(context, "counting", share);
}

/* What counts: threads, or the device of a number (0: none). */
struct counter {
    int threads, device;
};

static bool count(const struct cli *cli, const struct mp_position *position, int depth,
                  struct counter counter, bool drop, uint64_t *leaves)
{
    struct mp_error error;
    struct progress progress = {.out = stderr};
    bool ok =
        counter.device
            ? device_perft(position, depth, counter.device, drop, show_progress, &progress, leaves, &error)
            : mp_perft(position, depth, counter.threads, drop, show_progress, &progress, leaves, &error);
    progress_end(&progress);
    return ok || cli_refuse(cli, "%s", error.text);
}

static bool must_pass(const struct mp_game *game, const struct mp_position *position)
{
    mp_move move;
    return game->is_pass && mp_position_moves(position, &move, NULL, 1) == 1 && game->is_pass(game, move);
}

/* Counts each root move (or roll) on its own; *list is a JSON object of move and leaves. */
static bool divide(const struct cli *cli, int depth, struct counter counter, bool drop, uint64_t *leaves,
                   json_t *list)
{
    const struct mp_game *game = cli->game;
    bool chance = mp_position_is_chance(cli->position), ok = true;
    int total = mp_position_moves(cli->position, NULL, NULL, 0);
    mp_move *moves = malloc(((size_t)total + 1) * sizeof *moves);
    char text[CLI_TEXT], move[CLI_TEXT];
    *leaves = 0;
    print_position_text(cli->game, cli->position, text);
    if (!moves)
        return cli_refuse(cli, "out of memory for the moves");
    total = mp_position_moves(cli->position, moves, NULL, total);
    for (int i = 0; ok && i < total; i++) {
        uint64_t part = 0;
        struct mp_error error;
        struct mp_position *child = mp_position_new(game, text, &error);
        ok = (child && mp_position_play(child, moves[i], &error)) || cli_refuse(cli, "%s", error.text);
        ok = ok && count(cli, child, chance ? depth : depth - 1, counter, drop, &part);
        bool pass = ok && chance && must_pass(game, child);
        mp_position_free(child);
        print_move_text(game, mp_position_state(cli->position), moves[i], move);
        json_put(list, move, json_integer((json_int_t)part));
        if (!cli->json)
            printf("%s: %llu%s\n", move, (unsigned long long)part, pass ? " (pass)" : "");
        *leaves += part;
    }
    free(moves);
    return ok;
}

static int report(const struct cli *cli, int depth, struct counter counter, double seconds, uint64_t leaves,
                  json_t *list)
{
    char text[CLI_TEXT], rate[32], who[32];
    print_position_text(cli->game, cli->position, text);
    if (cli->json)
        return print_json(json_pack("{s:s, s:s, s:i, s:I, s:f, s:i, s:o*, s:O*}", "game", cli->game->name,
                                    "position", text, "depth", depth, "nodes", (json_int_t)leaves, "seconds",
                                    seconds, "threads", counter.threads, "device",
                                    counter.device ? json_integer(counter.device) : NULL, "divide", list));
    print_large(seconds > 0 ? (double)leaves / seconds : 0, rate, sizeof rate);
    if (counter.device)
        snprintf(who, sizeof who, "device %d", counter.device);
    else
        snprintf(who, sizeof who, "%d thread%s", counter.threads, counter.threads == 1 ? "" : "s");
    printf("perft %d: %llu leaves in %.3f s, %s leaves/s on %s\n", depth, (unsigned long long)leaves, seconds,
           rate, who);
    return 0;
}

/* --device: gpu, which is the best that there is, or its number. */
static bool read_device(const struct cli *cli, int *device)
{
    const char *given = cli_option(cli, "device");
    int64_t number = 0;
    if (given && strcmp(given, "gpu") != 0 && !text_to_int(given, 1, GPU_MOST_DEVICES, &number))
        return cli_refuse(cli, "--device %.60s, expected gpu or a number from `manyply devices`", given);
    *device = !given ? 0 : number ? (int)number : 1;
    if (*device && cli_option(cli, "threads"))
        return cli_refuse(cli, "--device with --threads, expected one of them");
    return true;
}

static int run(const struct cli *cli)
{
    int64_t depth;
    struct counter counter;
    if (!text_to_int(cli->arguments[1], 0, MP_MAX_DEPTH, &depth))
        return cli_fail(cli, "DEPTH is '%.60s', expected a whole number from 0 to %d", cli->arguments[1],
                        MP_MAX_DEPTH);
    if (!cli_int(cli, "threads", 1, MP_MAX_THREADS, 1, &counter.threads) ||
        !read_device(cli, &counter.device))
        return EXIT_USAGE;
    const char *finished = cli_option(cli, "finished");
    if (finished && strcmp(finished, "count") != 0 && strcmp(finished, "drop") != 0)
        return cli_fail(cli, "--finished %.60s, expected count or drop", finished);
    if (cli_option(cli, "divide") && depth == 0)
        return cli_fail(cli, "--divide with depth 0, expected at least 1");
    bool drop = finished ? !strcmp(finished, "drop") : !(cli->game->flags & MP_PERFT_COUNTS_FINISHED);
    bool divided = cli_option(cli, "divide") != NULL;
    json_t *list = divided ? json_object() : NULL;
    uint64_t leaves;
    int64_t start = clock_ns();
    bool ok = divided ? divide(cli, (int)depth, counter, drop, &leaves, list)
                      : count(cli, cli->position, (int)depth, counter, drop, &leaves);
    int code = ok ? report(cli, (int)depth, counter, clock_seconds_since(start), leaves, list) : EXIT_USAGE;
    json_decref(list);
    return code;
}

static const struct cli_argument arguments[] = {
    CLI_GAME, {"DEPTH", "how many plies; throws of dice do not count", false}, {0}};
static const struct cli_option options[] = {
    {"position", "P", "a position in the notation of the game; the default is its beginning"},
    {"moves", "M", "moves played from there"},
    {"threads", "N", "threads to count with; the default is 1"},
    {"device", "gpu|N",
     "count on a device with OpenCL: the best, or one by its number (see `manyply devices`)"},
    {"divide", NULL, "count below each root move on its own"},
    {"finished", "count|drop",
     "whether a game that ends early counts as a leaf; the default is the game's custom"},
    {0}};

const struct cli_command command_perft = {.name = "perft",
                                          .summary = "count the lines of play to a depth",
                                          .details = "  manyply perft othello 10\n"
                                                     "  manyply perft othello 12 --threads 2\n"
                                                     "  manyply perft othello 13 --device gpu\n"
                                                     "  manyply perft ./connect4.so 9 --divide\n",
                                          .arguments = arguments,
                                          .options = options,
                                          .needs = CLI_NEEDS_POSITION,
                                          .run = run};
