/* recording.h - the pieces of work of a search, copied: a batch of them for those who watch, or the whole of the last
 * search to be looked at afterwards. The longest are kept, so what is left out is too short to be seen. */
#ifndef SERVER_RECORDING_H
#define SERVER_RECORDING_H

#include "manyply/manyply.h"

#include <jansson.h>

enum { RECORDING_PIECES = 8000, RECORDING_BATCH = 2000 };

struct recording;

/* How many pieces mp_search_follow shall keep for each of so many threads. */
int recording_pieces_each(int threads);

/* The pieces that ended later than `after` has it, which gets the latest of each thread; at most `most` of them. The
 * game stays open as long as the recording is there. Null: there is no memory. */
struct recording *recording_read(const struct mp_search *search, const struct mp_game *game,
                                 double after[MP_MAX_THREADS], int most);

/* The tree that a Monte-Carlo search has grown; null: it grows none, or there is no memory. Between runs, or in the progress
 * function of a run. */
struct recording *recording_tree(const struct mp_search *search, const struct mp_game *game);
void recording_free(struct recording *recording);

int recording_count(const struct recording *recording);

/* A list with a row for each piece: id, parent, thread, kind, start and length in microseconds, ply, depth, nodes, move,
 * alpha, beta, value, given up; and the position, where it is wanted. */
json_t *recording_rows(const struct recording *recording, bool positions);

/* A piece with its board and its move there; null: it is not kept. */
json_t *recording_look(const struct recording *recording, uint64_t id);

#endif
