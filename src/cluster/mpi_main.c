/* mpi_main.c - manyply-mpi: finds the command and runs it on all ranks. */
#include "cluster/cluster.h"

#include "lab/json_parts.h"

#include <string.h>

const char cli_program[] = "manyply-mpi", cli_purpose[] = "searches game trees on many machines";
const struct cli_command *const cli_commands[] = {&command_search, &command_perft, &command_batch,
                                                  &command_manual, NULL};

struct post *cluster_post;
static bool has_begun;

int cluster_begin(int code)
{
    if (!has_begun)
        code = post_agree(code);
    has_begun = true;
    return code;
}

void cluster_give_up(const struct cli *cli, const char *sentence)
{
    cli_fail(cli, "rank %d: %s", post_rank(cluster_post), sentence);
    post_abort(EXIT_USAGE);
}

bool cluster_options(const struct cli *cli)
{
    double seconds;
    if (!cli_option(cli, "latency"))
        return true;
    if (!cli_duration(cli, "latency", 0, &seconds))
        return false;
    post_delay(cluster_post, seconds);
    return true;
}

static int print_contents(void)
{
    printf("%s %s - %s\n\nUsage: mpirun [options of mpirun] %s COMMAND [arguments] [options]\n\n",
           cli_program, mp_version(), cli_purpose, cli_program);
    for (int i = 0; cli_commands[i]; i++)
        printf("  %-12s  %s\n", cli_commands[i]->name, cli_commands[i]->summary);
    printf(
        "\nOne rank a machine, threads inside. `%s COMMAND --help` explains a command; docs/scale.md tells "
        "what speeds up and what does not.\n",
        cli_program);
    return 0;
}

static int run_command(const struct cli_command *command, int argc, char **argv)
{
    struct cli cli;
    if (!cli_read(&cli, command, argc - 2, argv + 2))
        return EXIT_USAGE;
    if (!cli.help)
        return cli_run(&cli);
    cli_print_help(command);
    return 0;
}

/* What needs no other rank. */
static bool is_alone(int argc, char **argv, const struct cli_command *command)
{
    bool help = command == &command_manual;
    for (int i = 2; i < argc; i++)
        help = help || !strcmp(argv[i], "--help") || !strcmp(argv[i], "-h");
    return help;
}

static int run_on_all(const struct cli_command *command, int argc, char **argv)
{
    cluster_post = post_open(&argc, &argv);
    int code = cluster_is_master() ? 0 : cluster_begin(0);
    bool has_work = code == 0;
    if (has_work)
        code = run_command(command, argc, argv);
    if (cluster_is_master())
        cluster_begin(code); /* the others may still wait for a word */
    else if (code && has_work)
        post_abort(code); /* the first rank could do what this one cannot */
    post_close(cluster_post);
    return code;
}

int main(int argc, char **argv)
{
    const struct cli_command *command = NULL;
    json_watch();
    if (argc < 2 || !strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"))
        return print_contents();
    for (int i = 0; cli_commands[i]; i++)
        if (!strcmp(cli_commands[i]->name, argv[1]))
            command = cli_commands[i];
    if (!command)
        return cli_fail(NULL, "unknown command '%.60s'; `%s --help` lists the commands", argv[1],
                        cli_program);
    int code = is_alone(argc, argv, command) ? run_command(command, argc, argv)
                                             : run_on_all(command, argc, argv);
    if (fflush(stdout) != 0 || ferror(stdout))
        return cli_fail(NULL, "the output could not be written");
    return code;
}
