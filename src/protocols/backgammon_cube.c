/* backgammon_cube.c - see backgammon_cube.h. */
#include "protocols/backgammon_cube.h"

#include <stdio.h>
#include <string.h>

bool cube_is_asked(const struct mp_position *position)
{
    if (strcmp(mp_position_game(position)->name, "backgammon") != 0)
        return false;
    const struct backgammon *s = mp_position_state(position);
    return s->phase == BACKGAMMON_CHOOSING || s->phase == BACKGAMMON_ANSWERING;
}

/* The plies that a search has to go for so many plays from a throw of s->side on: before each but the first, who may double
 * says whether he does and the other answers, two plies more. */
static int plies_of(struct backgammon s, int plays)
{
    int plies = 0;
    for (int i = 0; i < plays; i++) {
        plies += i > 0 && backgammon_may_double(&s) ? 3 : 1;
        s.side ^= 1;
    }
    return plies;
}

/* The value of a state in which `action` is said, for its side to move. */
static bool value_action(struct mp_search *search, const struct mp_game *game, const struct backgammon *s,
                         int action, int plies, struct mp_result *result, struct mp_error *error)
{
    char text[128];
    mp_move move = backgammon_action(action);
    struct mp_limits limits = {MP_SIZE(struct mp_limits), .depth = plies, .moves = &move, .move_count = 1};
    game->print_position(game, s, text, sizeof text);
    struct mp_position *position = mp_position_new(game, text, error);
    *result = (struct mp_result){MP_SIZE(struct mp_result)};
    bool ok = position && mp_search_run_within(search, position, &limits, NULL, NULL, result, error);
    mp_position_free(position);
    return ok;
}

static void name_verdict(const struct backgammon *s, struct cube_judgement *j)
{
    bool again = s->cube_owner != BACKGAMMON_NO_OWNER;
    const char *answer = j->beavers ? "beaver" : j->takes ? "take" : "drop";
    snprintf(j->verdict, sizeof j->verdict, "%s, %s",
             j->doubles    ? again ? "Redouble" : "Double"
             : j->too_good ? again ? "Too good to redouble" : "Too good to double"
             : again       ? "No redouble"
                           : "No double",
             answer);
}

static void decide(const struct backgammon *s, struct cube_judgement *j)
{
    mp_value doubled = j->taken < j->dropped ? j->taken : j->dropped;
    j->takes = j->taken <= j->dropped;
    j->doubles = doubled > j->rolled;
    j->too_good = !j->doubles && j->rolled > j->dropped;
    j->beavers = s->match_length == 0 && j->taken < 0 &&
                 backgammon_cube_is_alive(s, s->side, s->cube_log + 1);
    name_verdict(s, j);
}

bool cube_judge(struct mp_search *search, const struct mp_game *game, const struct backgammon *state,
                int depth, struct cube_judgement *j, struct mp_error *error)
{
    struct backgammon chooses = *state;
    struct mp_result rolled, taken;
    if (chooses.phase == BACKGAMMON_ANSWERING)
        backgammon_turn(&chooses);
    chooses.phase = BACKGAMMON_CHOOSING;
    struct backgammon answers = chooses, took = chooses, dropped = chooses;
    backgammon_turn(&answers);
    answers.phase = BACKGAMMON_ANSWERING;
    took.cube_log++;
    took.cube_owner = answers.side;
    dropped.phase = BACKGAMMON_DROPPED;
    if (!value_action(search, game, &chooses, BACKGAMMON_SAY_ROLL, 2 + plies_of(chooses, depth - 1), &rolled,
                      error) ||
        !value_action(search, game, &answers, BACKGAMMON_SAY_TAKE, 1 + plies_of(took, depth - 1), &taken,
                      error))
        return false;
    *j = (struct cube_judgement){
        .rolled = rolled.value, .taken = -taken.value, .dropped = mp_state_final_value(game, &dropped, 0)};
    decide(&chooses, j);
    j->result = j->doubles ? taken : rolled;
    j->result.counters.nodes = rolled.counters.nodes + taken.counters.nodes;
    j->result.seconds = rolled.seconds + taken.seconds;
    j->result.stopped = rolled.stopped || taken.stopped;
    return true;
}
