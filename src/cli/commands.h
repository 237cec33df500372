/* commands.h - the sub-commands, one file each. */
#ifndef CLI_COMMANDS_H
#define CLI_COMMANDS_H

#include "cli/cli.h"

extern const struct cli_command command_demo, command_games, command_strategies, command_evaluations,
    command_perft, command_search, command_moves, command_selfplay, command_version, command_completion,
    command_manual, command_engine, command_harvest, command_tune, command_convert, command_epd;

#endif
