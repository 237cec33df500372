/* cmd_devices.c - which devices can play out games or count moves, and whether they do it right. */
#include "cli/commands.h"

#include "gpu/gpu.h"

enum { COMPARED = 4096 };
#define MEASURE_SECONDS 1

/* What a device does with a game. */
struct trip_report {
    bool right;
    double rate;
    struct mp_error error;
};

static void try_game(const struct mp_game *game, int number, struct trip_report *report)
{
    struct gpu *gpu = gpu_open(game, number, NULL, &report->error);
    report->right = gpu && gpu_compare(gpu, COMPARED, 1, &report->error);
    report->rate = report->right ? gpu_measure(gpu, MEASURE_SECONDS, &report->error) : 0;
    gpu_close(gpu);
}

static json_t *device_json(int number, const struct gpu_info *info, const struct mp_game *game,
                           const struct trip_report *report)
{
    json_t *tried = NULL;
    if (game && report->rate > 0)
        tried = json_pack("{s:s, s:i, s:f}", "game", game->name, "compared", COMPARED, "playouts_per_second",
                          report->rate);
    else if (game)
        tried = json_pack("{s:s, s:s}", "game", game->name, "error", report->error.text);
    return json_pack("{s:i, s:s, s:s, s:s, s:s, s:i, s:I, s:o*}", "number", number, "kind", info->kind,
                     "name", shown(info->name), "driver", shown(info->driver), "version",
                     shown(info->version), "units", (int)info->units, "memory", (json_int_t)info->memory,
                     "playouts", tried);
}

static void print_device(int number, const struct gpu_info *info, const struct mp_game *game,
                         const struct trip_report *report)
{
    char rate[32];
    printf("%d  %-5s  %s (%s, %s), %u unit%s, %.1f GB\n", number, info->kind, shown(info->name),
           shown(info->driver), shown(info->version), info->units, info->units == 1 ? "" : "s",
           (double)info->memory / 1e9);
    if (!game)
        return;
    print_large(report->rate, rate, sizeof rate);
    if (report->rate > 0)
        printf("   %s: playouts from %d positions the same as in C, %s playouts/s\n", game->name, COMPARED,
               rate);
    else
        printf("   %s: %s\n", game->name, shown(report->error.text));
}

static int run(const struct cli *cli)
{
    struct gpu_info infos[GPU_MOST_DEVICES];
    struct mp_error error = {0};
    const char *name = cli->arguments[0];
    struct mp_game *game = name ? mp_game_open(name, &error) : NULL;
    int count = !name || (game && gpu_knows(game, &error)) ? gpu_list(infos, &error) : 0;
    json_t *list = json_array();
    bool right = count > 0;
    for (int i = 0; i < count; i++) {
        struct trip_report report = {0};
        if (game)
            try_game(game, i + 1, &report);
        right = right && (!game || report.rate > 0);
        if (cli->json)
            json_array_append_new(list, device_json(i + 1, &infos[i], game, &report));
        else
            print_device(i + 1, &infos[i], game, &report);
    }
    mp_game_close(game);
    int code = right ? EXIT_SUCCESS : count > 0 ? EXIT_FAILURE : cli_fail(cli, "%s", error.text);
    if (cli->json && count > 0) {
        int printed = print_json(json_pack("{s:o}", "devices", list));
        return printed ? printed : code;
    }
    json_decref(list);
    return code;
}

static const struct cli_argument arguments[] = {
    {"GAME", "try the playouts of this game, or plug-in, on each device", true}, {0}};

const struct cli_command command_devices = {
    .name = "devices",
    .summary = "list the GPUs and other devices that OpenCL finds",
    .details =
        "  manyply devices\n"
        "  manyply devices othello\n"
        "\n"
        "With a game: are its playouts on each device those of the CPU, seed for seed, and how many does it\n"
        "make a second? A device makes the playouts of mcts,split=gpu and counts for perft --device gpu; "
        "the\n"
        "first in the list is the one that they use.\n",
    .arguments = arguments,
    .run = run};
