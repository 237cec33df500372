/* session.h - one game on one page: its moves, who plays, and the searches that think about it.
 *
 * What a page should know is published in slots, each the latest JSON text of its kind. Whoever streams them
 * copies what is new when it has time for it; nothing is queued, so a slow reader misses what is outdated and
 * a search never waits for a reader.
 *
 * A session has two threads: one searches for the move to play (or, when analysing, to show), the other
 * values every move for the list. They work only while somebody watches. Everything in a session is guarded
 * by its lock, which is never held while searching, making or freeing a table, reading or writing. Each change
 * of what is to be thought about makes `revision` grow; a thread notes it when it begins and throws away what
 * it has found if it is no longer the same. */
#ifndef SERVER_SESSION_H
#define SERVER_SESSION_H

#include "manyply/manyply.h"

#include <jansson.h>

struct search_limit;
struct session;

/* A new game: `game` as mp_game_open takes it, position null for its beginning, moves null for none. Null: see error;
 * its code is MP_ERROR_MEMORY where other sessions have all the memory. */
struct session *session_new(const char *id, const char *game, const char *position, const json_t *moves,
                            struct search_limit *limit, struct mp_error *error);
/* Stops what it is thinking. Nobody may use it any more. */
void session_free(struct session *session);

const char *session_id(const struct session *session);

/* Does what a page asks for ({"do": "play", "move": "f5"}), and returns the state after it, on the heap;
 * null: refused, with the reason. */
char *session_act(struct session *session, const json_t *request, struct mp_error *error);

/* The state as JSON text, on the heap. */
char *session_state(struct session *session);

/* The last search that was done, with its pieces of work; null: there was none yet. */
char *session_recording(struct session *session, bool positions);

/* One piece of a search, with its board; of the last two that were done, or of the one that runs. With tree a node
 * of the tree that the last Monte-Carlo search has grown. Null: it is not kept. */
char *session_look(struct session *session, uint64_t number, uint64_t id, bool tree);

/* ---- Watching ----------------------------------------------------------------------------------------- */

enum { SLOT_STATE, SLOT_SEARCH, SLOT_VALUES, SLOT_LAB, SLOT_TREE, SLOT_RECORDED, SLOTS };

struct watch {
    struct session *session;
    uint64_t seen[SLOTS];         /* versions already sent */
    int64_t pulsed_ns;            /* when it was last told how far a search is */
    uint64_t number;              /* of that search */
    double after[MP_MAX_THREADS]; /* pieces of work that ended later have not been sent */
};

/* From watch_begin to watch_end somebody watches; without watchers nothing is thought. */
void watch_begin(struct watch *watch, struct session *session);
void watch_end(struct watch *watch);

/* Waits for news and returns it as server-sent events, on the heap. There is something ten times a second
 * while a search runs, and now and then in any case. Null: the session wants its watchers to leave (see
 * session_dismiss). */
char *watch_wait(struct watch *watch);

/* Wakes the watchers up; from now on they do not wait, and nothing is thought any more. */
void session_dismiss(struct session *session);

int session_watchers(struct session *session);

#endif
