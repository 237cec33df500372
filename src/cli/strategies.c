/* strategies.c - how a search can be described. */
#include "cli/commands.h"

static int run_json(void)
{
    json_t *algorithms = json_array(), *schemes = json_array(), *keys = json_array();
    json_t *names = json_array();
    struct mp_info info = {MP_SIZE(struct mp_info)};
    struct mp_key_info key = {MP_SIZE(struct mp_key_info)};
    for (int i = 0; mp_algorithm_at(i, &info); i++)
        json_array_append_new(algorithms, json_pack("{s:s, s:s, s:b}", "name", info.name, "summary",
                                                    info.summary, "exact", info.exact));
    for (int i = 0; mp_scheme_at(i, &info); i++)
        json_array_append_new(schemes, json_pack("{s:s, s:s}", "name", info.name, "summary", info.summary));
    for (int i = 0; mp_key_at(i, &key); i++)
        json_array_append_new(keys, json_pack("{s:s, s:s, s:s, s:s}", "name", key.name, "values", key.values,
                                              "algorithms", key.algorithms, "summary", key.summary));
    for (int i = 0; mp_report_name_at(i, &info); i++)
        json_array_append_new(names, json_pack("{s:s, s:s}", "name", info.name, "summary", info.summary));
    return print_json(json_pack("{s:o, s:o, s:o, s:o}", "algorithms", algorithms, "schemes", schemes, "keys",
                                keys, "report_names", names));
}

static int run(const struct cli *cli)
{
    if (cli->json)
        return run_json();
    struct mp_info info = {MP_SIZE(struct mp_info)};
    struct mp_key_info key = {MP_SIZE(struct mp_key_info)};
    printf("A strategy is an algorithm and keys: alphabeta,depth=6,eval=discs\n\nAlgorithms\n");
    for (int i = 0; mp_algorithm_at(i, &info); i++)
        printf("  %-14s  %s%s\n", info.name, info.exact ? "exact; " : "", info.summary);
    printf("\nParallel schemes, split=\n");
    for (int i = 0; mp_scheme_at(i, &info); i++)
        printf("  %-14s  %s\n", info.name, info.summary);
    printf("\nKeys\n");
    for (int i = 0; mp_key_at(i, &key); i++)
        printf("  %-14s  %s; %s (%s)\n", key.name, key.summary, key.values, key.algorithms);
    printf("\nNames that reports use, with their numbers: MinimaxParAB,1,4\n");
    for (int i = 0; mp_report_name_at(i, &info); i++)
        printf("  %-28s  %s\n", info.name, info.summary);
    printf(
        "\nExact: the value is what plain minimax gives at the same depth, on any number of threads,\n"
        "and the move has that value. With nodes= or time= it is exact for the depth that was finished.\n");
    return 0;
}

const struct cli_command command_strategies = {
    .name = "strategies", .summary = "list algorithms, parallel schemes and their keys", .run = run};
