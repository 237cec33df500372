/* pgn.h - records as PGN text (Edwards, "Portable Game Notation Specification and Implementation Guide",
 * 1994): tags, moves, comments, numeric marks, variations and results survive reading and writing.
 *
 * Written for chess; any game without dice whose moves are single words can be kept in it. Such a game gets
 * a tag Variant with its name, and its moves are written as the game writes them. */
#ifndef RECORDS_PGN_H
#define RECORDS_PGN_H

#include "records/record.h"

#include <stdio.h>

/* Writes a record and an empty line. The seven tags that every game should have are added where they are
 * missing ("?"); Result, SetUp, FEN and Variant are what the record says. False: the file could not be
 * written. */
bool pgn_write(const struct record *record, FILE *file);

/* The next game; null at the end of the file (with an empty *error) or at an error, which names the line. */
struct record *pgn_read(struct record_reader *reader, struct mp_error *error);

#endif
