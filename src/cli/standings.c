/* standings.c - prints ranking, match and crosstable of an arena, and writes them as JSON. */
#include "cli/standings.h"
#include "cli/terminal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_WIDTH = 28, CELL_WIDTH = 10, CELLS_IN_A_ROW = 6 };

void print_elo(double elo, char *text, size_t size)
{
    static const double beyond = 1200;
    if (elo > beyond || elo < -beyond)
        snprintf(text, size, elo > 0 ? "> +1200" : "< -1200");
    else
        snprintf(text, size, "%+.1f", elo);
}

static const char *plus_minus(void)
{
    return terminal_look().unicode ? "±" : "+-";
}

static double points(const struct pairing_tally *tally)
{
    return (double)tally->games[2] + 0.5 * (double)tally->games[1];
}

static double share(const struct pairing_tally *tally)
{
    uint64_t games = tally_games(tally);
    return games ? points(tally) / (double)games : 0;
}

void print_name(const char *name, int width)
{
    name = shown(name);
    int length = (int)strlen(name), tail = width / 2;
    if (length > width)
        printf("%.*s~%s", width - tail - 1, name, name + length - tail);
    else
        printf("%-*s", width, name);
}

/* The players from the best to the last by their share of points; equal ones in the order of their
 * numbers. */
static void rank(const struct standings *s, int *order)
{
    for (int i = 0; i < s->count; i++) {
        struct pairing_tally mine = tallies_of(s->tallies, i, -1);
        int place = i;
        for (; place > 0; place--) {
            struct pairing_tally other = tallies_of(s->tallies, order[place - 1], -1);
            if (share(&other) >= share(&mine))
                break;
            order[place] = order[place - 1];
        }
        order[place] = i;
    }
}

static void print_ranking(const struct standings *s, const int *order)
{
    bool margins = s->scoring != MP_SCORE_WIN;
    printf("     %-*s  games    won  drawn   lost  score     Elo%s\n", NAME_WIDTH, "player",
           !margins                        ? ""
           : s->scoring == MP_SCORE_POINTS ? "  points per game"
                                           : "  margin per game");
    for (int place = 0; place < s->count; place++) {
        struct pairing_tally tally = tallies_of(s->tallies, order[place], -1);
        struct elo elo;
        char text[32] = "";
        if (tally_elo(&tally, &elo))
            print_elo(elo.elo, text, sizeof text);
        printf("%3d  ", place + 1);
        print_name(s->players[order[place]].name, NAME_WIDTH);
        printf(" %6llu %6llu %6llu %6llu %5.1f%% %7s", (unsigned long long)tally_games(&tally),
               (unsigned long long)tally.games[2], (unsigned long long)tally.games[1],
               (unsigned long long)tally.games[0], 100 * share(&tally), text);
        if (margins) {
            double mean, error;
            tally_margin(&tally, &mean, &error);
            printf("  %+.3f", mean);
            if (!isnan(error))
                printf(" %s %.3f", plus_minus(), error);
        }
        printf("\n");
    }
}

/* What a match of two players says. */
static void print_match(const struct standings *s)
{
    struct pairing_tally tally = tallies_of(s->tallies, 0, 1);
    struct elo elo;
    char is[32], low[32], high[32];
    if (!tally_elo(&tally, &elo))
        return;
    print_elo(elo.elo, is, sizeof is);
    print_elo(elo.low, low, sizeof low);
    print_elo(elo.high, high, sizeof high);
    printf("\n%s against %s\n", shown(s->players[0].name), shown(s->players[1].name));
    printf("  pairs with 0, 1/2, 1, 1 1/2, 2 points: %llu, %llu, %llu, %llu, %llu\n",
           (unsigned long long)tally.pairs[0], (unsigned long long)tally.pairs[1],
           (unsigned long long)tally.pairs[2], (unsigned long long)tally.pairs[3],
           (unsigned long long)tally.pairs[4]);
    printf("  Elo %s", is);
    if (elo.score_error > 0)
        printf(", 95%% interval %s to %s; normalised %+.1f %s %.1f", low, high, elo.normal, plus_minus(),
               elo.normal_half_width);
    printf("\n  likelihood of superiority %.1f%%\n", 100 * elo.superiority);
    if (s->sprt) {
        double ratio = sprt_ratio(s->sprt, tally.pairs, ELO_PAIRS);
        enum sprt_verdict verdict = sprt_verdict(s->sprt, ratio);
        printf("  SPRT of %s Elo %g against %g: log likelihood ratio %.2f in (%.2f, %.2f), ",
               s->sprt->normalised ? "normalised" : "logistic", s->sprt->elo0, s->sprt->elo1, ratio,
               sprt_lower(s->sprt), sprt_upper(s->sprt));
        if (verdict == SPRT_GO_ON)
            printf("undecided\n");
        else
            printf("%g accepted\n", verdict == SPRT_ACCEPT_ELO1 ? s->sprt->elo1 : s->sprt->elo0);
    }
}

/* Points and games of each player against each other, as many opponents side by side as fit. */
static void print_crosstable(const struct standings *s, const int *order)
{
    for (int begin = 0; begin < s->count; begin += CELLS_IN_A_ROW) {
        int end = begin + CELLS_IN_A_ROW < s->count ? begin + CELLS_IN_A_ROW : s->count;
        printf("\n     %-*s", NAME_WIDTH, "against");
        for (int column = begin; column < end; column++)
            printf(" %*d", CELL_WIDTH, column + 1);
        printf("\n");
        for (int row = 0; row < s->count; row++) {
            printf("%3d  ", row + 1);
            print_name(s->players[order[row]].name, NAME_WIDTH);
            for (int column = begin; column < end; column++) {
                struct pairing_tally tally = tallies_of(s->tallies, order[row], order[column]);
                char text[64] = "-";
                if (row != column && tally_games(&tally))
                    snprintf(text, sizeof text, "%.1f/%llu", points(&tally),
                             (unsigned long long)tally_games(&tally));
                printf(" %*s", CELL_WIDTH, text);
            }
            printf("\n");
        }
    }
}

/* What the machine took from the players; nothing, where that is nothing. */
static void print_waited(const struct standings *s)
{
    static const double least = 0.001;
    double all = 0;
    for (int i = 0; i < s->count; i++)
        all += s->waited[i];
    if (all < least)
        return;
    printf("\nnot charged, for want of a CPU:");
    for (int i = 0; i < s->count; i++)
        printf("%s %s %.3f s", i ? "," : "", shown(s->players[i].name), s->waited[i]);
    printf("\n");
}

bool standings_print(const struct standings *s)
{
    int *order = malloc((size_t)s->count * sizeof *order);
    if (!order)
        return false;
    rank(s, order);
    print_ranking(s, order);
    if (s->count == 2)
        print_match(s);
    else
        print_crosstable(s, order);
    print_waited(s);
    free(order);
    return true;
}

/* ---- JSON ------------------------------------------------------------------------------------------- */

/* JSON has no infinity. */
static json_t *json_finite(double number)
{
    return isfinite(number) ? json_real(number) : json_null();
}

static json_t *json_tally(const struct pairing_tally *tally)
{
    struct elo elo;
    double mean, error;
    json_t *object = json_pack(
        "{s:I, s:I, s:I, s:I, s:[I, I, I, I, I]}", "games", (json_int_t)tally_games(tally), "won",
        (json_int_t)tally->games[2], "drawn", (json_int_t)tally->games[1], "lost",
        (json_int_t)tally->games[0], "pairs", (json_int_t)tally->pairs[0], (json_int_t)tally->pairs[1],
        (json_int_t)tally->pairs[2], (json_int_t)tally->pairs[3], (json_int_t)tally->pairs[4]);
    if (!tally_elo(tally, &elo))
        return object;
    tally_margin(tally, &mean, &error);
    json_object_set_new(object, "score", json_real(elo.score));
    json_object_set_new(object, "elo", json_finite(elo.elo));
    json_object_set_new(object, "elo_low", json_finite(elo.low));
    json_object_set_new(object, "elo_high", json_finite(elo.high));
    json_object_set_new(object, "normalised_elo", json_finite(elo.normal));
    json_object_set_new(object, "normalised_elo_half_width", json_finite(elo.normal_half_width));
    json_object_set_new(object, "superiority", json_real(elo.superiority));
    json_object_set_new(object, "margin", json_real(mean));
    json_object_set_new(object, "margin_error", json_finite(error));
    return object;
}

static json_t *json_sprt(const struct sprt *sprt, const struct pairing_tally *tally)
{
    static const char *const verdicts[] = {"undecided", "elo0", "elo1"};
    double ratio = sprt_ratio(sprt, tally->pairs, ELO_PAIRS);
    return json_pack("{s:s, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:s}", "model",
                     sprt->normalised ? "normalised" : "logistic", "elo0", sprt->elo0, "elo1", sprt->elo1,
                     "alpha", sprt->alpha, "beta", sprt->beta, "lower", sprt_lower(sprt), "upper",
                     sprt_upper(sprt), "ratio", ratio, "accepted", verdicts[sprt_verdict(sprt, ratio)]);
}

static json_t *standings_json(const struct standings *s)
{
    json_t *players = json_array(), *pairings = json_array();
    bool whole = true;
    for (int i = 0; i < s->count; i++) {
        struct pairing_tally all = tallies_of(s->tallies, i, -1);
        json_t *player = json_pack("{s:s, s:s, s:f}", "name", s->players[i].name, "player",
                                   s->players[i].text, "waited", s->waited[i]);
        json_object_update_missing_new(player, json_tally(&all));
        whole = json_array_append_new(players, player) == 0 && whole;
        for (int other = i + 1; other < s->count; other++) {
            struct pairing_tally tally = tallies_of(s->tallies, i, other);
            if (!tally_games(&tally))
                continue;
            json_t *pairing = json_pack("{s:s, s:s}", "player", s->players[i].name, "against",
                                        s->players[other].name);
            json_object_update_missing_new(pairing, json_tally(&tally));
            whole = json_array_append_new(pairings, pairing) == 0 && whole;
        }
    }
    json_t *object = json_pack("{s:o, s:o}", "players", players, "pairings", pairings);
    if (s->sprt) {
        struct pairing_tally tally = tallies_of(s->tallies, 0, 1);
        whole = json_object_set_new(object, "sprt", json_sprt(s->sprt, &tally)) == 0 && whole;
    }
    if (whole)
        return object;
    json_decref(object);
    return NULL;
}

json_t *standings_add(json_t *object, const struct standings *s)
{
    if (json_object_update_missing_new(object, standings_json(s)) == 0)
        return object;
    json_decref(object);
    return NULL;
}
