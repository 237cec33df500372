/* reproduce_horizon.c - chess with a moving horizon: the arena of heuristics, and what its parallel search is
 * worth with and without the fault that the published figures come from. */
#include "reports/reproduce.h"

#include <math.h>

/* The size of all games: as in the report, or smaller. */
struct size {
    const char *keys;
    int most_plies;
};
static const struct size full_size = {"hmin=4,hmax=30,width=12", 300};
static const struct size quick_size = {"hmin=3,hmax=12,width=8", 40};

/* ---- The arena: tables 1 and 2 of the report ------------------------------------------------------- */

/* Cut-offs in thousands; means and deviations for White and Black. */
struct figure {
    double mean, deviation;
};
/* clang-format off */
static const struct {
    int white, black, moves;
    double seconds, white_seconds, black_seconds, alpha, beta;
    struct figure alternatives[2], depth[2], max_depth[2], score[2];
} published[] = {
    {1, 5,  94,  10.0,  4.6,  5.5,   68.4,  92.4,
     {{18, 12}, {26, 6}}, {{9, 3}, {8, 3}}, {{12, 4}, {11, 4}}, {{-9, 11}, {-16, 16}}},
    {1, 4, 137,  99.8, 46.8, 53.0, 1064.0, 870.1,
     {{28, 7}, {13, 13}}, {{9, 6}, {9, 6}}, {{10, 8}, {10, 7}}, {{28, 18}, {23, 18}}},
    {1, 3,  84, 101.3, 28.9, 72.4,  483.0, 380.2,
     {{31, 14}, {28, 10}}, {{14, 4}, {14, 5}}, {{18, 5}, {18, 5}}, {{-13, 22}, {-22, 26}}},
    {3, 1, 171,  32.1, 26.3,  5.9,  167.7,  77.6,
     {{26, 10}, {14, 11}}, {{8, 4}, {8, 3}}, {{10, 6}, {10, 6}}, {{17, 20}, {14, 21}}},
    {3, 5, 218,  55.3, 32.4, 22.9,  149.4, 219.6,
     {{18, 13}, {26, 7}}, {{8, 3}, {8, 3}}, {{11, 5}, {11, 4}}, {{-2, 14}, {-4, 14}}},
    {3, 4,  86,  74.7, 57.9, 16.8,  240.7, 346.8,
     {{25, 10}, {26, 13}}, {{11, 5}, {12, 5}}, {{16, 7}, {16, 6}}, {{-9, 8}, {-14, 15}}},
    {4, 5, 184,  67.0, 38.3, 28.7,  795.9, 515.0,
     {{12, 13}, {27, 9}}, {{7, 5}, {7, 5}}, {{9, 7}, {9, 7}}, {{-17, 21}, {-18, 20}}},
    {4, 3, 114,  54.0, 16.4, 37.5,  261.8, 321.7,
     {{17, 17}, {24, 8}}, {{9, 5}, {9, 5}}, {{12, 7}, {12, 7}}, {{-15, 9}, {-21, 17}}},
    {4, 1, 115,  65.6, 38.6, 26.9,  818.1, 503.8,
     {{25, 10}, {17, 11}}, {{10, 5}, {10, 5}}, {{12, 8}, {13, 7}}, {{11, 18}, {9, 14}}},
    {5, 4,  61, 105.0, 49.0, 55.9, 1058.3, 868.4,
     {{34, 6}, {25, 12}}, {{13, 6}, {13, 6}}, {{16, 7}, {17, 7}}, {{16, 19}, {9, 10}}},
    {5, 1, 117,  19.4, 11.5,  7.9,  149.4, 134.8,
     {{34, 9}, {17, 12}}, {{9, 3}, {9, 3}}, {{12, 5}, {13, 5}}, {{20, 22}, {14, 21}}},
    {5, 3,  85, 105.7, 37.5, 68.3,  399.2, 341.7,
     {{39, 10}, {22, 12}}, {{13, 4}, {14, 4}}, {{18, 5}, {19, 4}}, {{14, 20}, {10, 22}}},
};
/* clang-format on */
enum { GAMES = sizeof published / sizeof *published };

/* What a game gave. Cut-offs as the report counts them: alpha at Black's nodes, beta at White's. */
struct played {
    int moves, margin;
    double seconds[2], alpha, beta;
    struct figure alternatives[2], depth[2], max_depth[2], score[2];
};

/* Sums and sums of squares become mean and deviation. */
static void finish_figure(struct figure *figure, int count)
{
    double mean = count ? figure->mean / count : 0;
    figure->deviation = count ? sqrt(fmax(figure->deviation / count - mean * mean, 0)) : 0;
    figure->mean = mean;
}

static void add_to(struct figure *figure, double value)
{
    figure->mean += value;
    figure->deviation += value * value;
}

static void summarise(const struct match_game *match, struct mp_position *replay, struct played *played)
{
    int counts[2] = {0, 0};
    *played = (struct played){
        .moves = match->plies, .margin = match->margin, .seconds = {match->seconds[0], match->seconds[1]}};
    for (int i = 0; i < match->count; i++) {
        const struct match_move *move = &match->moves[i];
        int side = move->side;
        counts[side]++;
        played->alpha += (double)(side == 0 ? move->thought.alpha_cuts : move->thought.beta_cuts);
        played->beta += (double)(side == 0 ? move->thought.beta_cuts : move->thought.alpha_cuts);
        add_to(&played->alternatives[side], mp_position_moves(replay, NULL, NULL, 0));
        add_to(&played->depth[side], move->thought.mean_depth);
        add_to(&played->max_depth[side], move->thought.max_depth);
        /* Beyond +-100 a game is decided; the report's scores end there. */
        double score = side == 0 ? move->thought.value : -move->thought.value;
        add_to(&played->score[side], fmax(fmin(score, 100), -100));
        mp_position_play(replay, move->thought.move, NULL);
    }
    for (int side = 0; side < 2; side++) {
        finish_figure(&played->alternatives[side], counts[side]);
        finish_figure(&played->depth[side], counts[side]);
        finish_figure(&played->max_depth[side], counts[side]);
        finish_figure(&played->score[side], counts[side]);
    }
}

/* A search of this size with an evaluation of the report; level 0 is sequential. */
static bool write_strategy(struct reproduction *r, const struct mp_game *game, const struct size *size,
                           int heuristic, int level, bool with_fault, char *text, size_t room)
{
    char evaluation[16];
    snprintf(evaluation, sizeof evaluation, "horizon%d", heuristic);
    struct mp_strategy *s = mp_strategy_new(game, "horizon", r->error);
    bool ok = s && mp_strategy_set_all(s, size->keys, r->error) &&
              mp_strategy_set(s, "eval", evaluation, r->error) &&
              (!with_fault || mp_strategy_set(s, "compat", "report", r->error)) &&
              (!level || (mp_strategy_set_all(s, "split=shared,min=6", r->error) &&
                          mp_strategy_set_number(s, "levels", level, r->error)));
    if (ok)
        mp_strategy_asked(s, text, room);
    mp_strategy_free(s);
    return ok;
}

static bool play(struct reproduction *r, const struct mp_game *game, const struct size *size, int white,
                 int black, struct match_game *match)
{
    char strategies[2][128];
    for (int side = 0; side < 2; side++)
        if (!write_strategy(r, game, size, side ? black : white, 0, false, strategies[side],
                            sizeof strategies[side]))
            return false;
    return reproduction_match(r, game, (const char *[]){strategies[0], strategies[1]}, 0, size->most_plies, 1,
                              match);
}

static const char *result_of(int margin)
{
    return margin > 0 ? "White" : margin < 0 ? "Black" : "draw";
}

static bool print_moves(struct reproduction *r, const struct size *size, const struct played *ours)
{
    struct text_table table;
    char title[128];
    text_table_begin(&table, "W|B|whose<|moves|seconds|W|B|alpha+beta|alpha|beta|won by<");
    for (int i = 0; i < GAMES; i++) {
        text_table_add(&table, "%d|%d|published|%d|%.1f|%.1f|%.1f|%.1fk|%.1fk|%.1fk|%s", published[i].white,
                       published[i].black, published[i].moves, published[i].seconds,
                       published[i].white_seconds, published[i].black_seconds,
                       published[i].alpha + published[i].beta, published[i].alpha, published[i].beta,
                       published[i].white == 5   ? "White"
                       : published[i].black == 5 ? "Black"
                                                 : "");
        text_table_add(&table, "||ours|%d|%.2f|%.2f|%.2f|%.1fk|%.1fk|%.1fk|%s", ours[i].moves,
                       ours[i].seconds[0] + ours[i].seconds[1], ours[i].seconds[0], ours[i].seconds[1],
                       (ours[i].alpha + ours[i].beta) / 1000, ours[i].alpha / 1000, ours[i].beta / 1000,
                       result_of(ours[i].margin));
    }
    snprintf(title, sizeof title, "The arena: moves, time and cut-offs (ours: %s)", size->keys);
    return reproduction_table(r, title, &table);
}

static void figure_text(const struct figure figures[2], bool unicode, char text[64])
{
    const char *sign = unicode ? "±" : "+-";
    snprintf(text, 64, "%.0f%s%.0f / %.0f%s%.0f", figures[0].mean, sign, figures[0].deviation,
             figures[1].mean, sign, figures[1].deviation);
}

static void add_features(struct text_table *table, bool unicode, const char *pair, const char *whose,
                         const struct figure *features[4])
{
    char texts[4][64];
    for (int i = 0; i < 4; i++)
        figure_text(features[i], unicode, texts[i]);
    text_table_add(table, "%s|%s|%s|%s|%s|%s", pair, whose, texts[0], texts[1], texts[2], texts[3]);
}

static bool print_features(struct reproduction *r, const struct played *ours)
{
    struct text_table table;
    text_table_begin(&table, "W-B<|whose<|alternatives|mean depth|max depth|score");
    for (int i = 0; i < GAMES; i++) {
        char pair[8];
        snprintf(pair, sizeof pair, "%d-%d", published[i].white, published[i].black);
        add_features(&table, r->unicode, pair, "published",
                     (const struct figure *[4]){published[i].alternatives, published[i].depth,
                                                published[i].max_depth, published[i].score});
        add_features(&table, r->unicode, "", "ours",
                     (const struct figure *[4]){ours[i].alternatives, ours[i].depth, ours[i].max_depth,
                                                ours[i].score});
    }
    return reproduction_table(r, "The arena: White / Black, mean and deviation of their moves", &table);
}

static bool print_arena(struct reproduction *r, const struct mp_game *game, const struct size *size)
{
    struct played ours[GAMES];
    reproduction_stage(r, 0.4, GAMES);
    for (int i = 0; i < GAMES; i++) {
        struct match_game match;
        bool ok = play(r, game, size, published[i].white, published[i].black, &match);
        struct mp_position *replay = ok ? mp_position_new(game, NULL, r->error) : NULL;
        if (replay)
            summarise(&match, replay, &ours[i]);
        mp_position_free(replay);
        match_free(&match);
        if (!replay)
            return false;
    }
    return print_moves(r, size, ours) && print_features(r, ours);
}

/* ---- Parallel search: table 3 of the report -------------------------------------------------------- */

enum { HEURISTICS = 4, LEVELS = 5 }; /* sequential, then PARALLEL_DEPTH 1 to 4 */
static const struct {
    int number;
    struct {
        double seconds, cuts;
    } published[LEVELS];
    double rebuilt[3]; /* sequential, as published on 2 threads, with the sort mended on 2 threads */
} heuristics[HEURISTICS] = {
    {1,
     {{286.3, 4013442}, {56.0, 658416}, {53.6, 659202}, {57.3, 657668}, {50.0, 660487}},
     {4.03, 0.68, 3.30}},
    {3,
     {{314.0, 1268687}, {83.6, 504238}, {83.6, 504662}, {82.5, 505492}, {78.7, 505228}},
     {20.6, 1.51, 17.3}},
    {4,
     {{195.2, 3136643}, {44.7, 511640}, {45.5, 512885}, {43.8, 511739}, {44.1, 510604}},
     {6.62, 0.38, 5.77}},
    {5,
     {{119.4, 1033656}, {28.8, 328085}, {27.3, 329092}, {27.6, 328589}, {29.2, 328321}},
     {3.01, 0.36, 2.50}},
};

/* What a search needed for all positions of a game. */
struct effort {
    double seconds, cuts, nodes;
};

/* The report does not say on how many threads it ran. */
enum { VIRTUAL_CORES = 8 };

/* Searches every position of a game; the moves that are played are those of the game. Level 0 is
 * sequential. */
static bool search_game(struct reproduction *r, const struct match_game *match, const struct size *size,
                        int heuristic, int level, bool with_fault, bool simulated, struct effort *effort)
{
    char plain[256], strategy[256];
    bool written = write_strategy(r, match->game, size, heuristic, level, with_fault, plain, sizeof plain);
    written = written &&
              (simulated ? reproduction_vary_simulated(r, match->game, plain, NULL, VIRTUAL_CORES, strategy,
                                                       sizeof strategy)
                         : reproduction_vary(r, match->game, plain, NULL, 0, strategy, sizeof strategy));
    struct mp_search *search = written ? mp_search_new(match->game, strategy, r->error) : NULL;
    struct mp_position *position = search ? mp_position_new(match->game, NULL, r->error) : NULL;
    bool ok = position != NULL;
    *effort = (struct effort){0};
    reproduction_step(r);
    for (int i = 0; ok && i < match->count; i++) {
        struct mp_result result = {MP_SIZE(struct mp_result)};
        ok = mp_search_run(search, position, NULL, NULL, &result, r->error) &&
             mp_position_play(position, match->moves[i].thought.move, r->error);
        effort->seconds += ok ? result.seconds : 0;
        effort->nodes += ok ? (double)result.counters.nodes : 0;
        effort->cuts += ok ? (double)(result.counters.alpha_cuts + result.counters.beta_cuts) : 0;
    }
    mp_position_free(position);
    mp_search_free(search);
    return ok;
}

/* The rows of a heuristic. */
static bool add_levels(struct reproduction *r, const struct match_game *match, const struct size *size, int h,
                       struct text_table *table)
{
    double base = 0, virtual_base = 0; /* seconds of the mended sequential search */
    for (int level = 0; level < LEVELS; level++) {
        struct effort efforts[2], simulated = {0};
        char gain[16] = "1.00", text[256];
        for (int fault = 0; fault < 2; fault++)
            if (!search_game(r, match, size, heuristics[h].number, level, fault, false, &efforts[fault]))
                return false;
        if (level == 0) {
            base = efforts[0].seconds;
            if (!write_strategy(r, match->game, size, heuristics[h].number, 0, false, text, sizeof text) ||
                !reproduction_machine(r, match->game, NULL, text))
                return false;
            virtual_base = efforts[0].nodes * r->costs.node * 1e-9;
        } else {
            if (!search_game(r, match, size, heuristics[h].number, level, false, true, &simulated))
                return false;
            snprintf(gain, sizeof gain, "%.2f", virtual_base / simulated.seconds);
        }
        char name[8] = "seq";
        if (level > 0)
            snprintf(name, sizeof name, "%d", level);
        text_table_add(table, "[%d]|%s|%.1f|%.2f|%.0fk|%.3f|%.2f|%.1fk|%.3f|%.2f|%.1fk|%s",
                       heuristics[h].number, name, heuristics[h].published[level].seconds,
                       heuristics[h].published[0].seconds / heuristics[h].published[level].seconds,
                       heuristics[h].published[level].cuts / 1000, efforts[1].seconds,
                       base / efforts[1].seconds, efforts[1].cuts / 1000, efforts[0].seconds,
                       base / efforts[0].seconds, efforts[0].cuts / 1000, gain);
    }
    return true;
}

static bool print_parallel(struct reproduction *r, const struct mp_game *game, const struct size *size)
{
    struct text_table table;
    char title[128];
    bool ok = true;
    reproduction_stage(r, 1, HEURISTICS * (3 * LEVELS));
    text_table_begin(&table,
                     "[h]|levels|published s|gain|cuts|fault s|gain|cuts|mended s|gain|cuts|simulated");
    for (int h = 0; ok && h < HEURISTICS; h++) {
        struct match_game match;
        ok = play(r, game, size, heuristics[h].number, heuristics[h].number, &match) &&
             add_levels(r, &match, size, h, &table);
        match_free(&match);
    }
    snprintf(title, sizeof title, "A heuristic against itself, sequential and parallel (ours: %s)",
             size->keys);
    if (ok)
        return reproduction_table(r, title, &table);
    text_table_end(&table);
    return false;
}

static bool print_rebuilt(struct reproduction *r)
{
    struct text_table table;
    text_table_begin(&table, "heuristic<|sequential s|as published s|gain|sort mended s|gain");
    for (int i = 0; i < HEURISTICS; i++) {
        const double *seconds = heuristics[i].rebuilt;
        text_table_add(&table, "[%d]|%.2f|%.2f|%.2f|%.2f|%.2f", heuristics[i].number, seconds[0], seconds[1],
                       seconds[0] / seconds[1], seconds[2], seconds[0] / seconds[2]);
    }
    return reproduction_table(r, "The report's program rebuilt, 2 threads of a 2-core Zen 4 machine", &table);
}

bool reproduce_horizon(struct reproduction *r)
{
    const struct size *size = r->quick ? &quick_size : &full_size;
    struct mp_game *game = mp_game_open("chess", r->error);
    bool ok = game && print_arena(r, game, size) && print_parallel(r, game, size) && print_rebuilt(r);
    if (ok)
        reproduction_text(
            r,
            "\n"
            "Published: hmin 4, hmax 30, width 12 (arena) and 16 to 20 (parallel). Ours: `horizon,%s`, games "
            "of at most %d plies, by the rules of chess; the original castles with rooks that are gone, "
            "knows no en passant, lets pawns stay pawns, counts stalemate as a loss and forbids repetitions, "
            "so its games are other games. [5] wins every published game; it does not in ours.\n"
            "*fault* and *mended*: in the report's parallel program the second player's moves are sorted as "
            "the first player likes them, so that a width keeps its **worst** moves and the tree collapses. "
            "That is the published acceleration: with the fault (`compat=report`) one thread (`seq`) is "
            "already faster; mended, the gain is what the threads give (%d CPUs here; *simulated*: mended, "
            "on a virtual machine with %d cores, "
            "because the report does not say how many it had). *gain* is seconds per "
            "move against the mended sequential search, because the games differ in length. `levels` made no "
            "difference in the report: its nested parallelism was off.\n",
            size->keys, size->most_plies, mp_cpu_count(), VIRTUAL_CORES);
    mp_game_close(game);
    return ok;
}
