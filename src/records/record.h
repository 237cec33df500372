/* record.h - a game as it was played, in memory: who, where from, the moves, what was said about them.
 *
 * The moves of all lines stand in one list with the comments, as a reader meets them: a variation is what
 * stands between an opening and a closing item, and replaces the move before it. A record is built from its
 * beginning to its end; every move is checked against the rules.
 *
 *     struct record *record = record_new(game, NULL, &error);
 *     record_set_tag(record, "White", "somebody");
 *     record_add_move(record, move, &error);
 *     record_add_comment(record, "+0.12/14 0.2s");
 *     record_set_result(record, "1-0");
 *     pgn_write(record, file);
 *     record_free(record);
 *
 * Functions that return bool are false when there is no memory, or for the reason that *error gives. */
#ifndef RECORDS_RECORD_H
#define RECORDS_RECORD_H

#include "manyply/manyply.h"

#include <stdio.h>

enum { RECORD_MOST_DEPTH = 100 }; /* of variations inside variations */
enum record_kind { RECORD_MOVE, RECORD_COMMENT, RECORD_MARK, RECORD_OPEN, RECORD_CLOSE };

struct record_item {
    enum record_kind kind;
    int mark;     /* RECORD_MARK: a numeric annotation glyph, 1 is a good move */
    mp_move move; /* RECORD_MOVE */
    char *text;   /* RECORD_MOVE: as records of this game have it; RECORD_COMMENT: without line breaks */
};

struct record_tag {
    char *name, *value;
};

struct record {
    const struct mp_game *game;
    char *start; /* the position that the game began with; null: the initial one */
    struct record_tag *tags;
    int tag_count;
    struct record_item *items;
    int item_count;
    char result[8]; /* "1-0", "0-1", "1/2-1/2" from White's view; "*": not finished or not known */

    struct mp_position *position; /* at the end of the line that is being written */
    struct record_line *line;     /* how it came about */
};

/* A record without moves. start is a position in the notation of the game, or null. */
struct record *record_new(const struct mp_game *game, const char *start, struct mp_error *error);
void record_free(struct record *record);

/* Tags keep the order in which they were first set. */
bool record_set_tag(struct record *record, const char *name, const char *value);
const char *record_tag(const struct record *record, const char *name); /* null: there is none */

bool record_add_move(struct record *record, mp_move move, struct mp_error *error);
bool record_add_comment(struct record *record, const char *text); /* line breaks become blanks */
bool record_add_mark(struct record *record, int mark);

/* What follows, up to the end of the variation, could have been played instead of the last move. */
bool record_begin_variation(struct record *record, struct mp_error *error);
bool record_end_variation(struct record *record, struct mp_error *error);
bool record_in_variation(const struct record *record);

/* One of the four results; false: it is another text. */
bool record_set_result(struct record *record, const char *result);

/* Does the player who moves first play White? Results are written from White's view. */
bool record_white_is_first(const struct mp_game *game);

/* The result that the last position of the main line has by the rules; "*" if the game goes on. */
const char *record_result_by_rules(const struct record *record);

/* Where a reader of some format is in its file. */
struct record_reader {
    const struct mp_game *game;
    FILE *file;
    int line;
    int put_back; /* a character that was read too far; 0: none */

    /* What a .mat file has said of the match so far. */
    int match_length;
    bool crawford_is_over;
};
struct record_reader record_reader(const struct mp_game *game, FILE *file);

/* The moves of the main line, as far as they fit; returns how many there are. */
int record_main_line(const struct record *record, mp_move *moves, int capacity);

#endif
