/* cmd_manual.c - the manual page, from the same tables as the help. */
#include "cli/commands.h"

#include <ctype.h>

/* Text in roff: a leading dot or a backslash would be a command. */
static void print_roff(const char *text)
{
    bool line_start = true;
    for (; *text; text++) {
        if (line_start && (*text == '.' || *text == '\''))
            printf("\\&");
        if (*text == '\\')
            printf("\\e");
        else if (*text == '-')
            printf("\\-");
        else
            putchar(*text);
        line_start = *text == '\n';
    }
}

static void print_options(const struct cli_option *options)
{
    for (int i = 0; options && options[i].name; i++) {
        printf(".TP\n\\fB\\-\\-");
        print_roff(options[i].name);
        printf("\\fR");
        if (options[i].value)
            printf(" \\fI%s\\fR", options[i].value);
        printf("\n");
        print_roff(options[i].help);
        printf("\n");
    }
}

static void print_command(const struct cli_command *command)
{
    printf(".SS \"%s", command->name);
    for (int i = 0; command->arguments && command->arguments[i].name; i++)
        printf(command->arguments[i].optional ? " [%s]" : " %s", command->arguments[i].name);
    printf("\"\n");
    print_roff(command->summary);
    printf(".\n");
    for (int i = 0; command->arguments && command->arguments[i].name; i++) {
        printf(".TP\n\\fI%s\\fR\n", command->arguments[i].name);
        print_roff(command->arguments[i].help);
        printf("\n");
    }
    print_options(command->options);
    if (command->details) {
        printf(".PP\n.nf\n");
        print_roff(command->details);
        printf(".fi\n");
    }
}

static int run(const struct cli *cli)
{
    (void)cli;
    printf(".TH ");
    for (const char *at = cli_program; *at; at++)
        putchar(toupper(*at));
    printf(" 1 \"\" \"%s %s\" \"User Commands\"\n.SH NAME\n", cli_program, mp_version());
    print_roff(cli_program);
    printf(" \\- %s\n.SH SYNOPSIS\n\\fB", cli_purpose);
    print_roff(cli_program);
    printf("\\fR \\fICOMMAND\\fR [arguments] [options]\n.SH COMMANDS\n");
    for (int i = 0; cli_commands[i]; i++)
        print_command(cli_commands[i]);
    printf(".SH \"OPTIONS OF ALL COMMANDS\"\n");
    print_options(cli_common_options(&command_search));
    printf(".SH \"EXIT STATUS\"\n0 when all went well, 2 after an error, with one sentence on standard "
           "error.\n");
    return 0;
}

const struct cli_command command_manual = {.name = "manual",
                                           .summary = "print this program's manual page in roff",
                                           .details = "  manyply manual | man -l -\n",
                                           .text_only = true,
                                           .run = run};
