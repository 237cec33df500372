/* cmd_version.c - which manyply this is, and what it runs on. */
#include "cli/commands.h"

static int run(const struct cli *cli)
{
    if (cli->json)
        return print_json(json_pack("{s:s, s:s, s:i, s:i}", "version", mp_version(), "compiler", __VERSION__,
                                    "game_abi", (int)MP_GAME_ABI, "cpus", mp_cpu_count()));
    printf("manyply %s (%s), game interface %u, %d CPUs to use\n", mp_version(), __VERSION__, MP_GAME_ABI,
           mp_cpu_count());
    return 0;
}

const struct cli_command command_version = {
    .name = "version", .summary = "print the version, the compiler and the CPUs", .run = run};
