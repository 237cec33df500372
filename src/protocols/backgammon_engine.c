/* backgammon_engine.c - finds a play or a cube action for a position of backgammon. */
#include "protocols/backgammon_engine.h"

#include "base/text.h"

static const char *const CUBE_STRATEGY = "star2,depth=3,eval=balanced";

bool backgammon_engine_open(struct backgammon_engine *engine, const char *strategy, struct mp_error *error)
{
    *engine = (struct backgammon_engine){0};
    for (int cube = 0; cube < 2; cube++) {
        struct mp_game *game = mp_game_open(cube ? "backgammon:cube=on" : "backgammon", error);
        engine->game[cube] = game;
        engine->search[cube] = game ? mp_search_new(game, cube ? CUBE_STRATEGY : strategy, error) : NULL;
        if (!engine->search[cube])
            return false;
    }
    return true;
}

void backgammon_engine_close(struct backgammon_engine *engine)
{
    for (int cube = 0; cube < 2; cube++) {
        mp_search_free(engine->search[cube]);
        mp_game_close(engine->game[cube]);
    }
}

bool backgammon_engine_decide(struct backgammon_engine *engine, const struct backgammon *s,
                              const struct mp_limits *limits, mp_move *move, struct mp_error *error)
{
    char text[128];
    struct mp_result result = {MP_SIZE(struct mp_result)};
    struct mp_game *game = engine->game[s->cube_in_use];
    struct mp_search *search = engine->search[s->cube_in_use];
    game->print_position(game, s, text, sizeof text);
    struct mp_position *position = mp_position_new(game, text, error);
    bool ok = position && (limits ? mp_search_run_within(search, position, limits, NULL, NULL, &result, error)
                                  : mp_search_run(search, position, NULL, NULL, &result, error));
    if (ok)
        *move = result.move;
    mp_position_free(position);
    return ok;
}

bool backgammon_engine_cube(struct backgammon_engine *engine, const struct backgammon *state,
                            enum backgammon_phase phase, mp_move *move, struct mp_error *error)
{
    struct backgammon s = *state;
    s.cube_in_use = true;
    s.die[0] = s.die[1] = 0;
    *move = backgammon_action(BACKGAMMON_SAY_ROLL);
    if (!backgammon_may_double(&s))
        return true;
    s.phase = (uint8_t)phase;
    if (phase == BACKGAMMON_ANSWERING)
        backgammon_turn(&s);
    return backgammon_engine_decide(engine, &s, NULL, move, error);
}

void backgammon_engine_steps(const struct backgammon *s, mp_move move, char *text, size_t size)
{
    struct backgammon_step steps[4];
    int count = backgammon_steps(s, move, steps);
    text[0] = 0;
    for (int i = 0; i < count; i++) {
        text_append(text, size, "%s", i ? " " : "");
        text_append(text, size, steps[i].from == BACKGAMMON_BAR ? "bar" : "%d", steps[i].from);
        text_append(text, size, steps[i].to == BACKGAMMON_OFF ? "/off" : "/%d", steps[i].to);
    }
}
