/* kit.h - for whoever writes a game: does it keep the promises of game.h, and do searches of it find what
 * plain minimax finds? Works on any game that can be opened, in a process of its own where it is asked to
 * (kit_check), so that a crash or an endless loop of the game is a sentence like any other fault. It knows
 * games only through the public interface and games/vet.h. */
#ifndef KIT_KIT_H
#define KIT_KIT_H

#include "games/vet.h"
#include "manyply/manyply.h"

enum { KIT_MOST_FAULTS = 16, KIT_PLACE = 600, KIT_NOWHERE = -1 };

/* Where something was found: as the game prints it, and how it is reached. */
struct kit_place {
    char position[KIT_PLACE]; /* "" where it could not be printed */
    char moves[KIT_PLACE];    /* from the start, the last of them if they are many */
    int plies;                /* KIT_NOWHERE: it is no place of one line of play */
};

/* One promise that is broken, the first time that it was seen. */
struct kit_fault {
    char promise[32]; /* a short name, "list.capacity" */
    char text[400];   /* what is wrong, and what was expected */
    struct kit_place place;
    bool has_place;
};

/* What has been looked at and found. Plain memory, so that processes can share it. */
struct kit_report {
    char game[64];
    uint64_t games, finished, positions, moves, counts, keys, twins, search_positions, searches;
    bool time_is_over; /* before everything was looked at */
    int fault_count;
    struct kit_fault faults[KIT_MOST_FAULTS];
    struct kit_place now;       /* what is being looked at */
    const char *volatile doing; /* "playing", for people */
    volatile double share;      /* of that, 0 to 1 */
    char strategy[128];         /* of the search that runs, or "" */
};

/* How much is done. Zeros stand for the defaults of kit_check. */
struct kit_effort {
    int positions;   /* on which searches are compared with plain minimax */
    double seconds;  /* all of it; what is not done by then is left out */
    double patience; /* a function that has not returned by then never will */
};

typedef void (*kit_progress)(const char *doing, double share, void *context);

enum kit_verdict { KIT_RIGHT, KIT_FAULTY, KIT_NOT_OPENED };

/* Everything below on a game by its name, in a process of its own. KIT_NOT_OPENED: there is no such game, and
 * *error says so; a plug-in that is there and cannot be opened is faulty. */
enum kit_verdict kit_check(const char *name, const struct kit_effort *effort, kit_progress progress,
                           void *context, struct kit_report *report, struct mp_error *error);

/* ---- The same one by one, in this process -------------------------------------------------------------- */

struct kit {
    const struct mp_game *game;
    struct kit_report *report;
    int64_t deadline_ns; /* 0: none */
    struct vet *vet;
    struct mp_position *position; /* of the line that is being played */
};

bool kit_open(struct kit *kit, const struct mp_game *game, struct kit_report *report, struct mp_error *error);
void kit_close(struct kit *kit);

/* Plays random games and checks every position on the way, until this many moves have been looked at. */
void kit_play_games(struct kit *kit, int games, uint64_t enough_moves);
/* Counts lines of play with and without the hooks for it, on 1 to 3 threads. */
void kit_count_lines(struct kit *kit, int positions);
/* Keys: of all states near the beginning, and of states that differ in one character of their text. */
void kit_meet_early_states(struct kit *kit, size_t most);
void kit_meet_twins(struct kit *kit, int positions);
/* Compares searches with plain minimax. */
void kit_compare_searches(struct kit *kit, int positions, uint64_t most_leaves);

/* ---- A new game ---------------------------------------------------------------------------------------- */

/* The files that a new game begins with, with its name filled in; the list ends with a null name. */
struct kit_template {
    const char *name; /* "mygame.c": the game's name stands for mygame */
    const char *begin, *end;
};
extern const struct kit_template kit_templates[];

/* Copies text with every "mygame" replaced, and "@INCLUDE@" by the folder of the header; on the heap. */
char *kit_fill_in(const char *text, size_t length, const char *name, const char *include);

#endif
