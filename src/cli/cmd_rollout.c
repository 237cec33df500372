/* cmd_rollout.c - games played out from a position with dice: what each of the best plays comes to, and how sure that is. */
#include "cli/commands.h"
#include "cli/terminal.h"

#include "lab/chances.h"
#include "lab/json_parts.h"
#include "lab/rollouts.h"
#include "lab/text_table.h"

#include <signal.h>
#include <string.h>

/* Of all intervals of so many standard errors around a mean 95 in 100 hold what it is a mean of. */
#define INTERVAL 1.959964

/* This many joint standard errors apart, fewer than one pair of equals in a thousand is told apart by mistake, also if it is
 * looked at after each round. */
#define CLEAR 4.0

enum { NAME = 256 };

struct shown_rollout {
    const struct cli *cli;
    bool tells_shares;
    bool redraws;
    int lines; /* of the table that is on the screen */
};

/* ---- As a table ---------------------------------------------------------------------------------------- */

static void name_play(const struct cli *cli, mp_move move, char *text, size_t size)
{
    char name[CLI_TEXT] = "the position, dice to be thrown";
    if (move != MP_NO_MOVE)
        print_move_text(cli->game, mp_position_state(cli->position), move, name);
    snprintf(text, size, "%s", name);
}

static void add_row(const struct shown_rollout *s, struct text_table *table, int place,
                    const struct rollouts_row *row, const struct rollouts_row *best)
{
    char play[NAME], shares[128] = "", behind[32] = "", interval[32] = "";
    const double *p = row->shares;
    name_play(s->cli, row->move, play, sizeof play);
    if (s->tells_shares && row->has_shares)
        snprintf(shares, sizeof shares, "%.2f|%.2f|%.2f|%.2f|%.2f|%.2f|", 100 * p[0], 100 * p[1], 100 * p[2],
                 100 * (1 - p[0]), 100 * p[3], 100 * p[4]);
    else if (s->tells_shares)
        snprintf(shares, sizeof shares, "||||||");
    if (row != best)
        snprintf(behind, sizeof behind, "%+.4f", row->equity - best->equity);
    if (row->games > 1)
        snprintf(interval, sizeof interval, "%.4f", INTERVAL * row->error);
    text_table_add(table, "%d|%s|%s%+.4f|%s|%s|%lld%s", place, play, shares, row->equity, interval, behind,
                   (long long)row->games, row->is_out ? ", out" : "");
}

/* False: out of memory. */
static bool print_table(struct shown_rollout *s, const struct rollouts_table *t)
{
    struct text_table table;
    char heads[128];
    snprintf(heads, sizeof heads, "|play<|%sequity|+-95%%||games",
             s->tells_shares ? "won %|gammon|backg.|lost %|gammon|backg.|" : "");
    text_table_begin(&table, heads);
    for (int i = 0; i < t->count; i++)
        add_row(s, &table, i + 1, &t->rows[i], &t->rows[0]);
    if (s->lines)
        printf("\033[%dA\033[J", s->lines);
    bool ok = text_table_print(&table, stdout);
    s->lines = s->redraws && ok ? table.rows + 2 : 0;
    text_table_end(&table);
    fflush(stdout);
    return ok;
}

static void show(const struct rollouts_table *t, void *context)
{
    struct shown_rollout *s = context;
    if (s->redraws)
        print_table(s, t);
}

static int print_end(struct shown_rollout *s, const struct rollouts *r, const struct rollouts_table *t)
{
    int64_t games = 0, left = 0;
    char evaluations[32], threads[16];
    for (int i = 0; i < t->count; i++) {
        games += t->rows[i].games;
        left += !t->rows[i].is_out;
    }
    if (!print_table(s, t))
        return cli_fail(s->cli, "out of memory for a table");
    print_large((double)t->evaluations / (t->seconds > 0 ? t->seconds : 1), evaluations, sizeof evaluations);
    mp_strategy_get(r->strategy, "threads", threads, sizeof threads);
    printf("\n%lld games in %.2f s on %s thread%s, %s evaluations/s%s\n", (long long)games, t->seconds,
           threads, strcmp(threads, "1") != 0 ? "s" : "", evaluations,
           t->stopped                  ? ": stopped, as far as it has come"
           : t->count > 1 && left == 1 ? ": the best play is clear"
                                       : "");
    return EXIT_SUCCESS;
}

/* ---- As JSON ------------------------------------------------------------------------------------------- */

static json_t *row_json(const struct shown_rollout *s, const struct rollouts_row *row)
{
    char play[NAME];
    json_t *json = json_object();
    name_play(s->cli, row->move, play, sizeof play);
    if (row->move != MP_NO_MOVE)
        json_put_text(json, "move", play);
    json_put_real(json, "equity", row->equity);
    json_put_real(json, "standard_error", row->error);
    json_put_real(json, "interval_95", INTERVAL * row->error);
    json_put_number(json, "games", row->games);
    json_put_flag(json, "clearly_worse", row->is_out);
    if (s->tells_shares && row->has_shares)
        json_put(json, "shares", json_shares(row->shares));
    return json;
}

static int print_all_json(const struct shown_rollout *s, const struct rollouts *r,
                          const struct rollouts_table *t)
{
    json_t *json = json_object(), *rows = json_array();
    json_put_text(json, "game", s->cli->game->name);
    json_put_text(json, "strategy", mp_strategy_text(r->strategy));
    json_put(json, "position", json_position(s->cli->game, s->cli->position));
    json_put_flag(json, "stopped", t->stopped);
    json_put_real(json, "seconds", t->seconds);
    json_put_number(json, "evaluations", t->evaluations);
    for (int i = 0; i < t->count; i++)
        json_array_append_new(rows, row_json(s, &t->rows[i]));
    json_put(json, "plays", rows);
    return print_json(json);
}

/* ---- The command --------------------------------------------------------------------------------------- */

static struct rollouts *volatile running;

static void on_interrupt(int signal_number)
{
    (void)signal_number;
    rollouts_stop(running);
}

static int roll_out(const struct cli *cli, const struct mp_strategy *strategy)
{
    struct mp_error error;
    struct rollouts_table table;
    bool all = cli_option(cli, "all");
    struct shown_rollout s = {.cli = cli,
                              .redraws = !cli->json && terminal_look().output,
                              .tells_shares = chances_are_told(strategy)};
    struct rollouts r = {.strategy = strategy,
                         .position = cli->position,
                         .clear = all ? 0 : CLEAR,
                         .progress = show,
                         .context = &s};
    struct sigaction action = {.sa_handler = on_interrupt, .sa_flags = (int)SA_RESETHAND}, before;
    running = &r;
    sigaction(SIGINT, &action, &before);
    if (!cli->json) {
        print_board(cli->game, cli->position);
        printf("%s\n\n", mp_strategy_text(strategy));
        fflush(stdout);
    }
    bool ok = rollouts_run(&r, &table, &error);
    sigaction(SIGINT, &before, NULL);
    if (!ok)
        return cli_fail(cli, "%s", error.text);
    return cli->json ? print_all_json(&s, &r, &table) : print_end(&s, &r, &table);
}

/* Options that are keys of the strategy. */
static bool set_keys(const struct cli *cli, struct mp_strategy *strategy)
{
    static const char *const keys[] = {"games", "truncate", "keep", "eval", "seed", "threads", "time"};
    struct mp_error error;
    if (!cli_option(cli, "eval") && chances_have_network(cli->game) &&
        !mp_strategy_set(strategy, "eval", "network", &error))
        return cli_refuse(cli, "%s", error.text);
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        const char *value = cli_option(cli, keys[i]);
        if (value && !mp_strategy_set(strategy, keys[i], value, &error))
            return cli_refuse(cli, "--%s %.60s: %s", keys[i], value, error.text);
    }
    return !cli_option(cli, "luck") || mp_strategy_set(strategy, "variance-reduction", "off", &error) ||
           cli_refuse(cli, "%s", error.text);
}

static bool throw_dice(const struct cli *cli)
{
    const char *dice = cli_option(cli, "dice");
    mp_move outcomes[MP_MAX_MOVES];
    char known[CLI_TEXT];
    if (!dice)
        return true;
    if (!mp_position_is_chance(cli->position))
        return cli_refuse(cli, "--dice %.60s, but no dice are to be thrown in this position", dice);
    if (mp_position_play_text(cli->position, dice, NULL))
        return true;
    int count = mp_position_moves(cli->position, outcomes, NULL, MP_MAX_MOVES);
    print_move_text(cli->game, mp_position_state(cli->position), outcomes[count - 1], known);
    return cli_refuse(cli, "--dice %.60s is not a throw of %s, expected one such as %s", dice,
                      cli->game->name, known);
}

static int run(const struct cli *cli)
{
    struct mp_error error;
    if (!throw_dice(cli))
        return EXIT_USAGE;
    if (mp_position_moves(cli->position, NULL, NULL, 0) == 0)
        return cli_fail(cli, "the game is over, expected a position with something to play");
    struct mp_strategy *strategy = mp_strategy_new(cli->game, "rollout,split=games", &error);
    if (!strategy)
        return cli_fail(cli, "%s", error.text);
    int code = set_keys(cli, strategy) ? roll_out(cli, strategy) : EXIT_USAGE;
    mp_strategy_free(strategy);
    return code;
}

static const struct cli_argument arguments[] = {CLI_GAME, {0}};
static const struct cli_option options[] = {
    {"position", "P", "a position in the notation of the game; the default is its beginning"},
    {"moves", "M", "moves played from there, such as \"31 8/5 6/5 42\""},
    {"dice", "D", "what is thrown then, such as 31; without dice the position itself is rolled out"},
    {"games", "N", "of each play; the default is 1296: every pair of first throws once"},
    {"truncate", "N",
     "end games after so many plies, by what the evaluation says; the default is to play on to the end"},
    {"keep", "N", "how many plays are rolled out, the best by static value; the default is 5"},
    {"eval", "E", "how both sides choose their plays; the default is network, where the game has one"},
    {"seed", "N", "which dice; the default is 0"},
    {"threads", "N", "games played at once; the default is all CPUs"},
    {"time", "T", "stop after so long, such as 30s"},
    {"all", NULL, "all games of all plays, also of those that are clearly worse than the best"},
    {"luck", NULL, "leave the luck of the dice in the results"},
    {0}};

const struct cli_command command_rollout = {
    .name = "rollout",
    .summary = "play games out from a position with dice, and say what each play comes to",
    .details =
        "  manyply rollout backgammon --dice 31\n"
        "  manyply rollout backgammon --position 4HPwATDgc/ABMA --dice 43 --truncate 11\n"
        "  manyply rollout backgammon --position 4HPwATDgc/ABMA            what the position is worth\n\n"
        "Both sides play what looks best. All plays get the same dice, and the first two throws are dealt "
        "out\n"
        "evenly. The luck of each throw, by how much it is better than the mean of all that could have come, "
        "is\n"
        "taken off the result; it is 0 on average, so games count as many times more of them would.\n"
        "The table has wins, gammons and backgammons in percent, the equity (points a game, without a cube), "
        "and\n"
        "how far it may be off: 95 of 100 such intervals hold the true mean of such games. A play that is "
        "clearly\n"
        "worse than the best (four standard errors) plays no more games, and when one play is left that is "
        "all.\n"
        "The same seed gives the same table, whatever the number of threads. Ctrl-C prints what there is.\n",
    .arguments = arguments,
    .options = options,
    .needs = CLI_NEEDS_POSITION,
    .run = run};
