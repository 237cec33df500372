/* games_file.h - the binary file of games that `harvest` writes and networks learn from.
 *
 * A header in lines of text, then blocks of 64 games, each packed by zstd with a checksum and led by its counts. A block
 * is written at once, so that a program that is killed loses at most the last one; the games of a block that is not
 * full are taken up again by whoever goes on. docs/learning.md describes the bytes. */
#ifndef LAB_GAMES_FILE_H
#define LAB_GAMES_FILE_H

#include "manyply/manyply.h"

enum { GAMES_PER_BLOCK = 64, GAMES_HEADER = 4096 };

/* ---- One game ------------------------------------------------------------------------------------------ */

/* Bytes that grow. */
struct games_bytes {
    unsigned char *data;
    size_t size, capacity;
};

/* A game: where it began (null: the initial position), its moves as places in the list of legal moves (or of outcomes of
 * chance), what the search said before each of them, and its end. */
struct games_game {
    const char *start;
    int count;
    uint32_t *places;
    mp_value *values; /* for player 0; GAMES_NO_VALUE: nobody searched there */
    int margin;       /* for player 0 */
};
#define GAMES_NO_VALUE INT32_MIN

/* Appends a game. False: no memory. */
bool games_put(struct games_bytes *bytes, const struct games_game *game);

/* Reads the next game of a block; start, places and values are on the heap, to be used again for the next (begin with
 * zeros, end with games_game_free). False: these are not the bytes of a game, or there is no memory. */
struct games_reader {
    const unsigned char *at, *end;
    struct games_game game;
    char *start;
    int capacity;
};
bool games_get(struct games_reader *reader);
void games_reader_free(struct games_reader *reader);

/* ---- Reading a file ------------------------------------------------------------------------------------ */

struct games_block {
    int64_t offset; /* of its packed bytes */
    uint32_t packed, unpacked;
    uint32_t games, wins, draws; /* of player 0 */
    uint32_t positions;          /* with a value */
    uint32_t sum;                /* of its packed bytes */
    uint64_t first;              /* the number of its first game */
};

struct games_file {
    int fd;
    char header[GAMES_HEADER];
    struct games_block *blocks;
    size_t count;
    int64_t end; /* of the last whole block */
    bool is_cut; /* there is more, which is not a block */
};

/* Is this such a file (of any version)? */
bool games_file_is(const char *path);

/* Reads the header and the counts of all blocks. False: the sentence, without the path, says what is wrong. */
bool games_file_open(const char *path, struct games_file *file, struct mp_error *error);
void games_file_close(struct games_file *file);

/* The header's line `key VALUE` is this value; else a sentence. */
bool games_file_is_of(const struct games_file *file, const struct mp_game *game, struct mp_error *error);

/* The bytes of a block, on the heap; null: the sentence says why. Any thread. */
unsigned char *games_file_block(const struct games_file *file, size_t block, struct mp_error *error);

/* ---- Writing a file ------------------------------------------------------------------------------------ */

struct games_writer {
    struct games_file file;
    struct games_bytes bytes;  /* of the block that is not full */
    struct games_block counts; /* of it */
    struct games_block total;  /* of all games, those of that block too */
    void *packer;
};

/* Makes the file, or goes on with it if its games were played the same way (`made`). Nobody else may write it
 * meanwhile. */
bool games_writer_open(const char *path, const struct mp_game *game, const char *made,
                       struct games_writer *writer, struct mp_error *error);

/* Adds a game, as games_put made it. */
bool games_writer_add(struct games_writer *writer, const struct games_bytes *game, int margin, int positions,
                      struct mp_error *error);

/* Writes what is left. */
bool games_writer_close(struct games_writer *writer, struct mp_error *error);

#endif
