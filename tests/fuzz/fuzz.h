/* fuzz.h - what the fuzzers share. Each reads one kind of text for one game, which the environment names
 * (MANYPLY_FUZZ_GAME, a name for mp_game_open), so that a new game is fuzzed without new code. */
#ifndef TESTS_FUZZ_H
#define TESTS_FUZZ_H

#include "manyply/manyply.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A broken promise ends the fuzzer, as a fault that a sanitizer sees does. */
static inline void require(bool promise, const char *what)
{
    if (!promise) {
        fprintf(stderr, "broken promise: %s\n", what);
        abort();
    }
}

/* The game, opened at the first call and kept to the end. */
static inline struct mp_game *fuzzed_game(void)
{
    static struct mp_game *game;
    struct mp_error error = {0};
    const char *name = getenv("MANYPLY_FUZZ_GAME");
    if (!game && !(game = mp_game_open(name ? name : "othello", &error))) {
        fprintf(stderr, "MANYPLY_FUZZ_GAME: %s\n", error.text);
        exit(2);
    }
    return game;
}

/* The input as text in a block of exactly its size, so that reading past its end is seen. */
static inline char *fuzzed_text(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    require(text, "memory");
    memcpy(text, data, size);
    text[size] = 0;
    return text;
}

/* The input as a file; run.py starts the fuzzer in a folder of its own. */
static inline void fuzzed_file(const char *name, const uint8_t *data, size_t size)
{
    FILE *file = fopen(name, "wb");
    require(file && fwrite(data, 1, size, file) == size && fclose(file) == 0, "a file");
}

/* An error is a sentence. */
static inline void require_sentence(const struct mp_error *error)
{
    require(memchr(error->text, 0, sizeof error->text) && error->text[0], "an error says what is wrong");
}

/* A position as text, on the heap. */
static inline char *fuzzed_print(const struct mp_game *game, const struct mp_position *position)
{
    int length = game->print_position(game, mp_position_state(position), NULL, 0);
    require(length >= 0, "a position can be printed");
    char *text = malloc((size_t)length + 1);
    require(text, "memory");
    game->print_position(game, mp_position_state(position), text, (size_t)length + 1);
    require(strlen(text) == (size_t)length, "the length of a printed position is the one announced");
    return text;
}

#endif
