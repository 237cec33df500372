/* annotate.h - writes an analysed game down in the form that its players' programs read. */
#ifndef ANALYSIS_ANNOTATE_H
#define ANALYSIS_ANNOTATE_H

#include "analysis/analysis.h"

/* A copy of the game with a mark, a value and, where another move was clearly better, its line at each move. What the
 * record said before is kept, but for values ([%eval ...]). Null: error. */
struct record *annotate_record(const struct analysis *analysis, const struct analysed_game *game,
                               struct mp_error *error);

/* Writes a game as PGN, or as .mat for backgammon, where the errors of a match stand before its first game as remarks (;).
 * False: error. */
bool annotate_write(const struct analysis *analysis, int game, bool as_mat, FILE *file,
                    struct mp_error *error);

#endif
