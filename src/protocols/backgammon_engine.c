/* backgammon_engine.c - finds a play or a cube action for a position of backgammon. */
#include "protocols/backgammon_engine.h"

#include "base/text.h"

/* Of each throw the play that looks best is followed; of what is said about the cube, everything. */
static const char *const CUBE_STRATEGY = "star2,depth=1,keep=4,eval=network";

enum { CUBE_DEPTH = 2, CUBE_MOST_DEPTH = 3 };

static int depth_of(const struct mp_game *game, const char *text)
{
    char depth[16] = "";
    struct mp_strategy *strategy = mp_strategy_new(game, text, NULL);
    int64_t number = CUBE_DEPTH;
    if (strategy && mp_strategy_get(strategy, "depth", depth, sizeof depth))
        text_to_int(depth, 1, CUBE_MOST_DEPTH, &number);
    mp_strategy_free(strategy);
    return (int)number;
}

bool backgammon_engine_open(struct backgammon_engine *engine, const char *strategy,
                            const struct backgammon_table_keeper *keeper, struct mp_error *error)
{
    *engine = (struct backgammon_engine){0};
    if (keeper)
        engine->keeper = *keeper;
    if (!(engine->game[0] = mp_game_open("backgammon", error)) ||
        !(engine->game[1] = mp_game_open("backgammon:cube=on", error)) ||
        !(engine->search[0] = mp_search_new(engine->game[0], strategy, error)))
        return false;
    engine->depth = depth_of(engine->game[0], strategy);
    return true;
}

void backgammon_engine_close(struct backgammon_engine *engine)
{
    for (int cube = 0; cube < 2; cube++) {
        mp_search_free(engine->search[cube]);
        if (engine->keeper.free && engine->game[cube])
            engine->keeper.free(engine->game[cube]);
        mp_game_close(engine->game[cube]);
    }
}

void backgammon_engine_forget(struct backgammon_engine *engine)
{
    for (int cube = 0; cube < 2; cube++)
        if (engine->search[cube])
            mp_search_forget(engine->search[cube]);
}

bool backgammon_engine_decide(struct backgammon_engine *engine, const struct backgammon *s,
                              const struct mp_limits *limits, mp_move *move, struct mp_error *error)
{
    char text[128];
    struct mp_result result = {MP_SIZE(struct mp_result)};
    const struct mp_game *game = engine->game[0];
    game->print_position(game, s, text, sizeof text);
    struct mp_position *position = mp_position_new(game, text, error);
    bool ok = position &&
              (limits ? mp_search_run_within(engine->search[0], position, limits, NULL, NULL, &result, error)
                      : mp_search_run(engine->search[0], position, NULL, NULL, &result, error));
    if (ok)
        *move = result.move;
    mp_position_free(position);
    return ok;
}

bool backgammon_engine_cube(struct backgammon_engine *engine, const struct backgammon *state, int depth,
                            bool *may_double, struct cube_judgement *judgement, struct mp_error *error)
{
    struct mp_game *game = engine->game[1];
    struct backgammon s = *state;
    s.cube_in_use = true;
    s.die[0] = s.die[1] = 0;
    *may_double = backgammon_may_double(&s);
    if (!*may_double)
        return true;
    if (!engine->search[1]) {
        if (engine->keeper.take && !engine->keeper.take(game, error))
            return false;
        if (!(engine->search[1] = mp_search_new(game, CUBE_STRATEGY, error)))
            return false;
    }
    s.phase = BACKGAMMON_CHOOSING;
    return cube_judge(engine->search[1], game, &s, depth ? depth : engine->depth, judgement, error);
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
