/* cmd_completion.c - scripts that let a shell complete commands, options and game names. */
#include "cli/commands.h"

#include <string.h>

static void each_option(const struct cli_command *command, void (*print)(const struct cli_option *))
{
    for (int i = 0; command->options && command->options[i].name; i++)
        print(&command->options[i]);
    for (const struct cli_option *option = cli_common_options(command); option->name; option++)
        print(option);
}

static bool takes_game(const struct cli_command *command)
{
    return command->arguments && !strcmp(command->arguments[0].name, "GAME");
}

static void print_names(void)
{
    for (int i = 0; cli_commands[i]; i++)
        printf("%s%s", i ? " " : "", cli_commands[i]->name);
}

static void print_games(void)
{
    for (int i = 0; mp_game_name(i); i++)
        printf("%s%s", i ? " " : "", mp_game_name(i));
}

static void bash_option(const struct cli_option *option)
{
    printf(" --%s", option->name);
}

static void print_bash(void)
{
    printf("_manyply()\n{\n    local word=${COMP_WORDS[COMP_CWORD]} words\n"
           "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n        words='");
    print_names();
    printf("'\n    else\n        case ${COMP_WORDS[1]} in\n");
    for (int i = 0; cli_commands[i]; i++) {
        printf("        %s) words='", cli_commands[i]->name);
        if (takes_game(cli_commands[i]))
            print_games();
        each_option(cli_commands[i], bash_option);
        printf("' ;;\n");
    }
    printf("        esac\n    fi\n    COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n}\n"
           "complete -o default -F _manyply manyply\n");
}

/* Text inside single quotes and brackets of zsh's _arguments. */
static void print_quoted(const char *text)
{
    for (; *text; text++) {
        if (*text == '\'')
            printf("'\\''");
        else if (strchr("[]:", *text))
            printf("\\%c", *text);
        else
            putchar(*text);
    }
}

static void zsh_option(const struct cli_option *option)
{
    printf(" \\\n            '--%s[", option->name);
    print_quoted(option->help);
    printf(option->value ? "]:value:'" : "]'");
}

static void print_zsh(void)
{
    printf("#compdef manyply\n_manyply()\n{\n    local -a commands=(\n");
    for (int i = 0; cli_commands[i]; i++) {
        printf("        '%s:", cli_commands[i]->name);
        print_quoted(cli_commands[i]->summary);
        printf("'\n");
    }
    printf("    )\n    if (( CURRENT == 2 )); then\n        _describe command commands\n"
           "        return\n    fi\n    case ${words[2]} in\n");
    for (int i = 0; cli_commands[i]; i++) {
        printf("    %s)\n        _arguments '1:command:'", cli_commands[i]->name);
        if (takes_game(cli_commands[i])) {
            printf(" '2:game:(");
            print_games();
            printf(")'");
        }
        each_option(cli_commands[i], zsh_option);
        printf(" ;;\n");
    }
    printf("    esac\n}\n_manyply \"$@\"\n");
}

static const struct cli_command *fish_command;

/* Text inside single quotes of fish. */
static void print_fish_quoted(const char *text)
{
    for (; *text; text++)
        printf(*text == '\'' || *text == '\\' ? "\\%c" : "%c", *text);
}

static void fish_option(const struct cli_option *option)
{
    printf("complete -c manyply -n '__fish_seen_subcommand_from %s' -l %s%s -d '", fish_command->name,
           option->name, option->value ? " -r" : "");
    print_fish_quoted(option->help);
    printf("'\n");
}

static void print_fish(void)
{
    for (int i = 0; cli_commands[i]; i++) {
        fish_command = cli_commands[i];
        printf("complete -c manyply -n __fish_use_subcommand -f -a %s -d '", fish_command->name);
        print_fish_quoted(fish_command->summary);
        printf("'\n");
        if (takes_game(fish_command)) {
            printf("complete -c manyply -n '__fish_seen_subcommand_from %s' -a '", fish_command->name);
            print_games();
            printf("'\n");
        }
        each_option(fish_command, fish_option);
    }
}

static int run(const struct cli *cli)
{
    const char *shell = cli->arguments[0];
    if (!strcmp(shell, "bash"))
        print_bash();
    else if (!strcmp(shell, "zsh"))
        print_zsh();
    else if (!strcmp(shell, "fish"))
        print_fish();
    else
        return cli_fail(cli, "SHELL is '%.60s', expected bash, zsh or fish", shell);
    return 0;
}

static const struct cli_argument arguments[] = {{"SHELL", "bash, zsh or fish", false}, {0}};

const struct cli_command command_completion = {
    .name = "completion",
    .summary = "print a completion script for bash, zsh or fish",
    .details = "  manyply completion bash > ~/.local/share/bash-completion/completions/manyply\n",
    .arguments = arguments,
    .text_only = true,
    .run = run};
