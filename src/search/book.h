/* book.h - positions whose values were found beforehand (`manyply book`), for searches that need not think where somebody has
 * thought already. A book has positions and no moves: a move is as good as the position after it.
 *
 * Positions that a game calls symmetric are one. docs/book.md describes the file. */
#ifndef SEARCH_BOOK_H
#define SEARCH_BOOK_H

#include "manyply/manyply.h"

enum { BOOK_MADE = 512, BOOK_MOST_POSITIONS = 1 << 24 };

struct book_entry {
    mp_value searched; /* what a search of the position found, for the side to move */
    mp_value value;    /* what follows from the positions after it; the same where they are not in the book */
    int depth;         /* of the search */
    bool is_open;      /* all positions after it are in the book, or the game is over there */
};

struct book;

/* Room for a state of any game. */
struct book_room {
    _Alignas(64) unsigned char state[MP_MAX_STATE];
};

/* An empty book. Null: out of memory. */
struct book *book_new(const struct mp_game *game, struct mp_error *error);
struct book *book_share(struct book *book); /* one more owner; null stays null */
void book_free(struct book *book);

/* Reads a file, which must be a book of this game. Null: see error. */
struct book *book_read(const struct mp_game *game, const char *path, struct mp_error *error);

/* Writes to another name and renames it. `made` is one line that says how. */
bool book_write(const struct book *book, const char *made, const char *path, struct mp_error *error);

/* The line that a file had. */
const char *book_made(const struct book *book);

/* How many positions it has, and each of them: turned or mirrored as the book has it. */
int book_count(const struct book *book);
const void *book_state(const struct book *book, int place);
struct book_entry *book_entry(struct book *book, int place);

/* The place of a position, or of one that is symmetric to it; -1: it is not there. */
int book_find(const struct book *book, const void *state);

/* Adds a position that is not there. Returns its place; -1: see error. */
int book_add(struct book *book, const void *state, const struct book_entry *entry, struct mp_error *error);

/* A key that is the same for all positions that are symmetric to each other. */
uint64_t book_key(const struct mp_game *game, const void *state);

/* What a book knows of a move: the value for the side that makes it, and how deep that was searched. False: nothing. */
bool book_move_value(const struct book *book, const void *state, mp_move move, mp_value *value, int *depth);

/* The best move of an open position. False: there is no such position. */
bool book_answer(const struct book *book, const void *state, mp_move *move, mp_value *value, int *depth);

#endif
