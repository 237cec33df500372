/* cmd_version.c - which manyply this is, and what it runs on. */
#include "cli/commands.h"

/* clang's own text has its name. */
#ifdef __clang__
#define COMPILER __VERSION__
#else
#define COMPILER "gcc " __VERSION__
#endif

static int run(const struct cli *cli)
{
    if (cli->json)
        return print_json(json_pack("{s:s, s:s, s:i, s:i}", "version", mp_version(), "compiler", COMPILER,
                                    "game_abi", (int)MP_GAME_ABI, "cpus", mp_cpu_count()));
    printf("manyply %s (%s), game interface %u, %d %s to use\n", mp_version(), COMPILER, MP_GAME_ABI,
           mp_cpu_count(), mp_cpu_count() == 1 ? "CPU" : "CPUs");
    return 0;
}

const struct cli_command command_version = {
    .name = "version", .summary = "print the version, the compiler and the CPUs", .run = run};
