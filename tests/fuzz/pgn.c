/* pgn.c - fuzzes the PGN reader: what it takes must survive writing and reading. */
#include "tests/fuzz/fuzz.h"

#include "records/pgn.h"

static struct record *read_game(const struct mp_game *game, const void *data, size_t size,
                                struct mp_error *error)
{
    FILE *file = fmemopen((void *)data, size, "r");
    require(file, "memory");
    struct pgn_reader reader = pgn_begin(game, file);
    struct record *record = pgn_read(&reader, error);
    fclose(file);
    return record;
}

static char *write_game(const struct record *record)
{
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    require(file && pgn_write(record, file), "a record can be written");
    fclose(file);
    return text;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct mp_game *game = fuzzed_game();
    struct mp_error error = {""};
    if (size == 0 || game->chances)
        return 0;
    struct record *record = read_game(game, data, size, &error);
    if (!record) {
        if (*error.text)
            require_sentence(&error);
        return 0;
    }
    char *written = write_game(record);
    struct record *again = read_game(game, written, strlen(written), &error);
    require(again, error.text);
    char *written_again = write_game(again);
    require(!strcmp(written, written_again), "a record is written alike after reading it again");
    free(written);
    free(written_again);
    record_free(record);
    record_free(again);
    return 0;
}
