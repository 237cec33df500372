/* report_page.h - an analysis as one HTML page to look at, print and send: it needs nothing outside of itself, and no
 * scripts. */
#ifndef ANALYSIS_REPORT_PAGE_H
#define ANALYSIS_REPORT_PAGE_H

#include "analysis/analysis.h"

/* title: the name of the file that was analysed. False: the file could not be written, or memory ran out. */
bool report_page_write(const struct analysis *analysis, const char *title, FILE *file,
                       struct mp_error *error);

/* Who plays a side: the name in the record's tags, or the player's in the game. */
const char *report_player(const struct analysed_game *game, int side);

#endif
