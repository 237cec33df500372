/* book.c - fuzzes the reader of books: a file is refused with a sentence, or the book that it holds can be asked, and written
 * and read again. The checksum at its end is made right first, or little else would be tried. */
#include "tests/fuzz/fuzz.h"

#include "search/book.h"

static void ask(const struct mp_game *game, const struct book *book)
{
    for (int place = 0; place < book_count(book); place++) {
        mp_move move, moves[256];
        mp_value value;
        int depth, i = 0;
        const void *state = book_state(book, place);
        require(book_find(book, state) == place, "a position is found where it is");
        if (!book_answer(book, state, &move, &value, &depth))
            continue;
        int count = game->list(game, state, moves, 256);
        while (i < count && i < 256 && moves[i] != move)
            i++;
        require(i < count && i < 256, "an answer is legal");
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct mp_game *game = fuzzed_game();
    struct mp_error error = {0};
    uint64_t sum = UINT64_C(0xcbf29ce484222325);
    char *text = malloc(size + 32);
    require(text, "memory");
    memcpy(text, data, size);
    for (size_t i = 0; i < size; i++)
        sum = (sum ^ data[i]) * UINT64_C(0x100000001b3);
    size_t length = size + (size_t)snprintf(text + size, 32, "sum %016llx\n", (unsigned long long)sum);
    fuzzed_file("book", (const uint8_t *)text, length);
    struct book *book = book_read(game, "book", &error);
    if (book) {
        ask(game, book);
        require(book_write(book, book_made(book), "again", &error), error.text);
        struct book *second = book_read(game, "again", &error);
        require(second && book_count(second) == book_count(book), "what is written can be read");
        book_free(second);
    } else {
        require_sentence(&error);
    }
    book_free(book);
    free(text);
    return 0;
}
