/* session_inner.h - what a session is, for the files that make it up: session.c keeps the game, actions.c
 * does what a page asks for, think.c are its two threads, watch.c tells the news. session.h says who may
 * touch what; unless it says otherwise, a function here is called with the lock held. */
#ifndef SERVER_SESSION_INNER_H
#define SERVER_SESSION_INNER_H

#include "server/limit.h"
#include "server/recording.h"
#include "server/session.h"

#include <pthread.h>

enum { STRATEGY_ROOM = 256, FITTED_ROOM = 512, MOST_MOVES = 10000, TEXT_ROOM = 4096 };

/* What a session is counted for besides its searches: its game, its texts, its threads, what is
 * recorded of the last two searches and of the one that runs. */
enum { SESSION_MEGABYTES = 8 };

struct ply {
    mp_move move;
    json_t *json;   /* describe_move */
    mp_value value; /* what the search said before the move, for player 0 */
    bool valued;
};

struct session_player {
    bool is_engine;
    char strategy[STRATEGY_ROOM];
    /* From when it is needed until nobody watches; else null. Only the thread that searches makes and frees it, and
     * without the lock: tables are large. */
    struct mp_search *search;
    char made_of[STRATEGY_ROOM]; /* the strategy of that search */
    int megabytes;               /* what it is counted for */
};

struct recorded {
    struct recording *pieces; /* null: none */
    json_t *about;
};

struct session_slot {
    char *text;
    uint64_t version;
};

struct session {
    char id[40];
    char *game_name;
    struct mp_game *game;
    struct search_limit *limit;
    pthread_t threads[2]; /* think, value_moves */
    int started;

    pthread_mutex_t lock;
    pthread_cond_t changed; /* anything: work, news, the end */
    bool quits;
    int watchers;
    bool dismissed;

    char *start;                  /* text of the first position */
    struct ply plies[MOST_MOVES]; /* only the pages that are used cost memory */
    int count, at;                /* moves made, and how many of them are shown */
    struct mp_position *position; /* after `at` moves */
    struct session_player players[2];
    struct session_player
        guest;      /* the strategy of a search that was asked for, if it is not that of a player */
    uint64_t asked; /* the revision for which it was; 0: none */
    bool analyse;
    json_t *lab;                  /* the measurement that is asked for, or under way; null: none */
    struct bench_stop *measuring; /* ends the one that is under way; null: none is */
    struct mp_error
        problem; /* why the engine could not go on; it is not asked again until something changes */

    uint64_t revision;
    uint64_t thought, valued; /* the revisions that need no more thinking, no more values */
    struct mp_search *searching, *valuing;
    bool is_valuing; /* also between two searches */
    int64_t search_start_ns;
    uint64_t search_number;      /* of the one that runs, or ran last */
    struct recording *tree;      /* of the last Monte-Carlo search, as far as it was shown; null: none */
    uint64_t tree_number;        /* of that search */
    struct recorded recorded[2]; /* the last two that were done, the latest first */
    struct session_slot slots[SLOTS];
};

/* ---- session.c ---------------------------------------------------------------------------------------- */

/* JSON as text, on the heap; the JSON is given up. Needs no lock. */
char *session_json_text(json_t *json);

/* Takes a text on the heap over as the latest of its kind, and tells those who wait. */
void session_publish(struct session *session, int slot, char *text);
void session_publish_state(struct session *session);
char *session_state_text(const struct session *session);

/* What was being thought about, or measured, is no longer asked for. */
void session_revise(struct session *session);

/* Waits for any change, at most this long. */
void session_wait(struct session *session, int milliseconds);

int session_side(const struct session *session);

/* Changes of the game; the caller revises and publishes. */
bool session_play(struct session *session, mp_move move, struct mp_error *error);
bool session_roll(struct session *session, struct mp_error *error);
bool session_go_to(struct session *session, int ply, struct mp_error *error);
void session_forget(struct session *session, int from);
bool session_set_up(struct session *session, const char *position, const json_t *record,
                    struct mp_error *error);

/* A strategy as {"algorithm", "keys"}, where the keys are those that were given. */
json_t *session_strategy_json(const struct session *session, const char *text);

/* Changes a strategy by "strategy" (a text), "algorithm" or "keys" (null drops one) of a request. False: it is as it
 * was. */
bool session_change_strategy(const struct session *session, const json_t *change, char text[STRATEGY_ROOM],
                             struct mp_error *error);

/* The megabytes that a search by this strategy may come to use: its table and its trees. Where the strategy leaves that
 * open, it gets `share` at most, and the text then says so. -1: see error. Needs no lock. */
int session_fit_strategy(const struct mp_game *game, char *text, size_t size, int share,
                         struct mp_error *error);

/* Could both strategies ever be searched by within the memory that there is? */
bool session_check_memory(const struct session *session, char strategies[2][STRATEGY_ROOM],
                          struct mp_error *error);

/* ---- think.c: the bodies of the threads --------------------------------------------------------------- */

void *session_think(void *session);
void *session_value_moves(void *session);

#endif
