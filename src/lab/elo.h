/* elo.h - what the results of a match say about two players: Elo, its interval, and sequential tests.
 *
 * Results are counted in kinds of equal distance, from all lost to all won: three kinds for single games
 * (lost, drawn, won), five for pairs of games with the colours or dice reversed (0, 1/2, 1, 1 1/2, 2 points).
 * The two games of a pair share their opening, so they are not independent; the five kinds ("pentanomial")
 * have the right variance where three do not. Scores are of the first player, per game, from 0 to 1.
 *
 * Normalised Elo measures a difference in deviations of a game's result, as a test feels it; logistic Elo is
 * the usual one. */
#ifndef LAB_ELO_H
#define LAB_ELO_H

#include <stdbool.h>
#include <stdint.h>

enum { ELO_GAMES = 3, ELO_PAIRS = 5 }; /* how many kinds of results there are */

struct elo {
    uint64_t count;                   /* results */
    double score, score_error;        /* mean per game, and its standard error */
    double elo, low, high;            /* logistic, with the 95% interval; infinite at a score of 0 or 1 */
    double normal, normal_half_width; /* normalised; not a number where the results do not vary */
    double superiority;               /* the likelihood that the first player is the better one */
};

/* False: there are no results. */
bool elo_estimate(const uint64_t *counts, int kinds, struct elo *elo);

double elo_of_score(double score);
double elo_expected_score(double elo);

/* A sequential probability ratio test: is the first player elo1 better, or only elo0? */
struct sprt {
    double elo0, elo1;  /* elo0 < elo1 */
    double alpha, beta; /* promised rates of wrong acceptances and of wrong rejections of elo1 */
    bool normalised;    /* elo0 and elo1 are normalised Elo, not logistic */
};

enum sprt_verdict { SPRT_GO_ON, SPRT_ACCEPT_ELO0, SPRT_ACCEPT_ELO1 };

/* The logarithms of the likelihood ratio at which the test ends (Wald 1945). */
double sprt_lower(const struct sprt *sprt);
double sprt_upper(const struct sprt *sprt);

/* The logarithm of the generalised likelihood ratio: the most likely distributions of results under either
 * hypothesis, whatever their shape (Van den Bergh, "Comments on normalized Elo" and "The generalized maximum
 * likelihood ratio for the expectation value of a distribution"). 0 without results. */
double sprt_ratio(const struct sprt *sprt, const uint64_t *counts, int kinds);

enum sprt_verdict sprt_verdict(const struct sprt *sprt, double ratio);

#endif
