/* standings.h - tables of an arena for people, and as JSON. */
#ifndef CLI_STANDINGS_H
#define CLI_STANDINGS_H

#include "cli/cli.h"
#include "lab/results.h"

struct standings {
    const struct results_player *players;
    int count;
    const struct tallies *tallies;
    enum mp_scoring scoring;
    const struct sprt *sprt; /* null: none */
    double waited[RESULTS_MOST_PLAYERS];
};

/* Players by their score; with two of them what the match says; with more a crosstable. False: out of memory. */
bool standings_print(const struct standings *standings);
/* The object with the standings in it; null, and it is freed: not all of them could be told. */
json_t *standings_add(json_t *object, const struct standings *standings);

/* A name in a column. One that is too long loses its middle, because names of strategies differ at their
 * ends. */
void print_name(const char *name, int width);

/* An Elo difference, "+35.1"; beyond 1200 it says so. */
void print_elo(double elo, char *text, size_t size);

#endif
