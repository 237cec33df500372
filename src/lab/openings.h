/* openings.h - where games begin: positions or games from a file of any format of records. */
#ifndef LAB_OPENINGS_H
#define LAB_OPENINGS_H

#include "manyply/manyply.h"

struct opening {
    char *start; /* a position; null: the beginning */
    mp_move *moves;
    int count;
};

struct openings {
    struct opening *list;
    int count;
};

/* The format is what the name of the file says (records/formats.h); one that says nothing has moves, one
 * opening in a line. Of a game at most this many plies are used. Every opening is checked. */
bool openings_read(const struct mp_game *game, const char *file, int most_plies, struct openings *openings,
                   struct mp_error *error);
void openings_free(struct openings *openings);

/* Brings them into an order that depends on the seed only. */
void openings_shuffle(struct openings *openings, uint64_t seed);

/* A checksum of all of them, in their order. */
uint64_t openings_sum(const struct openings *openings);

#endif
