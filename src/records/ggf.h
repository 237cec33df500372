/* ggf.h - records as GGF text (the Generic Game Format of the Generic Game Server, Buro and Durdanović), in which
 * programs for Othello keep and exchange games:
 *
 *     (;GM[Othello]PB[somebody]PW[somebody else]RE[+4.00]TY[8]BO[8 ---...--- *]B[F5/0.50/1.20]W[D6//0.80];)
 *
 * Names, place, date, ratings and times are the tags that PGN has for them; a property that PGN does not know is a tag
 * of its own name. What a program thought of a move, and how long, is a comment: [%eval 0.50] (for Black) and
 * [%emt 0:00:01.20]. */
#ifndef RECORDS_GGF_H
#define RECORDS_GGF_H

#include "records/record.h"

/* Writes a record on one line. False: it could not be written, or is not a game of Othello. */
bool ggf_write(const struct record *record, FILE *file);

/* The next game; null at the end of the file (with an empty *error) or at an error, which names the line. */
struct record *ggf_read(struct record_reader *reader, struct mp_error *error);

#endif
