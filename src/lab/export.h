/* export.h - a stored game as a record, which can be written in any format of records. */
#ifndef LAB_EXPORT_H
#define LAB_EXPORT_H

#include "lab/results.h"
#include "records/record.h"

/* With tags for players, date, round and how it ended, and after each move what its player thought. Null: the
 * error says why. */
struct record *export_game(struct results *results, const struct mp_game *game,
                           const struct results_game *stored, const struct results_player *players,
                           struct mp_error *error);

#endif
