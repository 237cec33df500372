/* combinations.c - tries every algorithm with every scheme and keeps the texts that the game accepts. */
#include "tests/support/combinations.h"

#include "tests/support/strategies.h"
#include "tests/support/test.h"

enum company { WITH_ALL, ALONE };

/* Random games of Halma are a thousand plies long. */
#define SHORT_GAMES ",memory=4,playout=eval,plies=2"

/* What an algorithm is tried with, with all schemes or with none only. One that is not here is tried without
 * keys. */
static const struct variant {
    const char *algorithm, *keys;
    enum company company;
} variants[] = {
    {"minimax", "", WITH_ALL},
    {"minimax", ",compat=report", WITH_ALL},
    {"alphabeta", "", WITH_ALL},
    {"alphabeta", ",order=list", ALONE},
    {"alphabeta", ",compat=report", WITH_ALL},
    {"pvs", ",hash=1", WITH_ALL},
    {"pvs", ",hash=0", ALONE},
    {"pvs", ",hash=1,selective=on", WITH_ALL},
    {"horizon", ",hmax=4,width=6", WITH_ALL},
    {"horizon", ",hmax=4,width=6,compat=report", WITH_ALL},
    {"horizon", ",hmax=off,width=off", WITH_ALL},
    {"expectiminimax", "", WITH_ALL},
    {"expectiminimax", ",keep=2", ALONE},
    {"star1", "", WITH_ALL},
    {"star2", ",hash=1", WITH_ALL},
    {"mcts", SHORT_GAMES, WITH_ALL},
    {"mcts", SHORT_GAMES ",final=value", WITH_ALL},
    {"mcts", SHORT_GAMES ",final=uct", WITH_ALL},
    {"mcts", SHORT_GAMES ",chunk=200", WITH_ALL},
    {"mcts", ",memory=4,compat=report", WITH_ALL},
    {"rollout", ",games=36,keep=2,truncate=2,variance-reduction=off", WITH_ALL},
    {"random", "", WITH_ALL},
};
enum { VARIANTS = sizeof variants / sizeof *variants, MOST = 400 };

static bool accepts(const struct mp_game *game, const char *strategy)
{
    char text[200];
    strategy_fill_in(strategy, 2, text, sizeof text);
    struct mp_search *search = mp_search_new(game, text, NULL);
    mp_search_free(search);
    return search;
}

static bool is(const struct mp_info *info, const char *name)
{
    return !strcmp(info->name, name);
}

static struct combination describe(const struct mp_info *algorithm, const char *keys, const char *scheme,
                                   const char *text)
{
    struct combination c = {.own_limit = ",depth=1"};
    snprintf(c.text, sizeof c.text, "%s", text);
    bool report = strstr(keys, "compat=report"), whole = strstr(keys, "hmax=off,width=off");
    bool leaves_out = strstr(keys, "keep=") || strstr(keys, "selective=on");
    c.exact = (algorithm->exact || whole) && !report && !leaves_out;
    c.samples = is(algorithm, "mcts");
    c.proves = c.samples && !report;
    c.looks = !is(algorithm, "random");
    c.deepens = c.looks && !c.samples && !is(algorithm, "rollout");
    c.splits = scheme && strcmp(scheme, "none") != 0;
    if (c.samples)
        c.own_limit = ",iterations=7";
    else if (is(algorithm, "horizon"))
        c.own_limit = ",hmin=0";
    else if (is(algorithm, "rollout"))
        c.own_limit = "";
    return c;
}

static void try_one(const struct mp_game *game, const struct mp_info *algorithm, const char *keys,
                    const char *scheme, struct combinations *all)
{
    char text[160], split[40] = "";
    if (scheme)
        snprintf(split, sizeof split, ",split=%s", scheme);
    /* What one thread does needs no number of threads, and not every scheme can be eager. */
    static const char *const endings[] = {",threads=%d,eager=on", ",threads=%d", ""};
    for (int i = 0; i < 3; i++) {
        snprintf(text, sizeof text, "%s%s%s%s", algorithm->name, keys, split, endings[i]);
        if (accepts(game, text)) {
            assert_true(all->count < MOST);
            all->list[all->count++] = describe(algorithm, keys, scheme, text);
            return;
        }
    }
    all->refused++;
}

static void try_variant(const struct mp_game *game, const struct mp_info *algorithm, const char *keys,
                        enum company company, struct combinations *all)
{
    struct mp_info scheme = {MP_SIZE(struct mp_info)};
    char text[160];
    snprintf(text, sizeof text, "%s%s,split=none", algorithm->name, keys);
    /* Not every algorithm may be split. */
    if (!*keys && !accepts(game, text))
        try_one(game, algorithm, keys, NULL, all);
    for (int i = 0; mp_scheme_at(i, &scheme); i++)
        if (company == WITH_ALL || is(&scheme, "none"))
            try_one(game, algorithm, keys, scheme.name, all);
}

struct combinations combinations_of(const struct mp_game *game)
{
    struct combinations all = {.list = calloc(MOST, sizeof *all.list)};
    struct mp_info algorithm = {MP_SIZE(struct mp_info)};
    assert_non_null(all.list);
    for (int i = 0; mp_algorithm_at(i, &algorithm); i++) {
        int tried = 0;
        for (int v = 0; v < VARIANTS; v++) {
            if (!is(&algorithm, variants[v].algorithm))
                continue;
            tried++;
            /* The reports know no dice. */
            if (!game->chances || !strstr(variants[v].keys, "compat=report"))
                try_variant(game, &algorithm, variants[v].keys, variants[v].company, &all);
        }
        if (tried == 0)
            try_variant(game, &algorithm, "", WITH_ALL, &all);
    }
    return all;
}

void combinations_free(struct combinations *combinations)
{
    free(combinations->list);
    *combinations = (struct combinations){0};
}
