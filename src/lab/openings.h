/* openings.h - where games begin: positions or moves from a file, one in a line. */
#ifndef LAB_OPENINGS_H
#define LAB_OPENINGS_H

#include "manyply/manyply.h"

struct opening {
    char *text;
    bool is_position; /* else moves from the beginning */
};

struct openings {
    struct opening *list;
    int count, capacity;
};

/* Files that end in .epd, .fen or .obf have positions (what follows them in the line is left alone), other
 * files moves ("f5d6c3d3"). Empty lines and lines that begin with # are skipped. Every line is checked. */
bool openings_read(const struct mp_game *game, const char *file, struct openings *openings,
                   struct mp_error *error);
void openings_free(struct openings *openings);

/* Brings them into an order that depends on the seed only. */
void openings_shuffle(struct openings *openings, uint64_t seed);

/* A checksum of all of them, in their order. */
uint64_t openings_sum(const struct openings *openings);

#endif
