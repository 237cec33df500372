/* commands.h - the sub-commands, one file each. */
#ifndef CLI_COMMANDS_H
#define CLI_COMMANDS_H

#include "cli/cli.h"

extern const struct cli_command command_analyse;
extern const struct cli_command command_arena;
extern const struct cli_command command_bench;
extern const struct cli_command command_book;
extern const struct cli_command command_check;
extern const struct cli_command command_completion;
extern const struct cli_command command_convert;
extern const struct cli_command command_demo;
extern const struct cli_command command_devices;
extern const struct cli_command command_engine;
extern const struct cli_command command_epd;
extern const struct cli_command command_evaluations;
extern const struct cli_command command_fit_cuts;
extern const struct cli_command command_games;
extern const struct cli_command command_harvest;
extern const struct cli_command command_learn;
extern const struct cli_command command_manual;
extern const struct cli_command command_moves;
extern const struct cli_command command_new_game;
extern const struct cli_command command_perft;
extern const struct cli_command command_play;
extern const struct cli_command command_reproduce;
extern const struct cli_command command_results;
extern const struct cli_command command_rollout;
extern const struct cli_command command_search;
extern const struct cli_command command_selfplay;
extern const struct cli_command command_serve;
extern const struct cli_command command_solve;
extern const struct cli_command command_strategies;
extern const struct cli_command command_study;
extern const struct cli_command command_trace;
extern const struct cli_command command_train;
extern const struct cli_command command_tune;
extern const struct cli_command command_version;

#endif
