/* mat.c - fuzzes the reader of .mat files: what it takes must survive writing and reading. */
#include "tests/fuzz/fuzz.h"

#include "records/mat.h"

static struct record *read_game(const struct mp_game *game, const void *data, size_t size,
                                struct mp_error *error)
{
    FILE *file = fmemopen((void *)data, size, "r");
    require(file, "memory");
    struct record_reader reader = record_reader(game, file);
    struct record *record = mat_read(&reader, error);
    fclose(file);
    return record;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct mp_game *game = fuzzed_game();
    struct mp_error error = {0};
    struct record *record = size ? read_game(game, data, size, &error) : NULL;
    if (!record) {
        if (*error.text)
            require_sentence(&error);
        return 0;
    }
    char *text = NULL;
    size_t length = 0;
    FILE *file = open_memstream(&text, &length);
    require(file && mat_write(record, file), "a record can be written");
    fclose(file);
    struct record *again = read_game(game, text, length, &error);
    require(again, error.text);
    /* Only the first game of a match says how long it is, and without that the cube may count or not. */
    bool alone = strstr(text, "point match\n");
    require(!alone || again->item_count == record->item_count,
            "a record has as many moves after reading it again");
    for (int i = 0; alone && i < record->item_count; i++)
        require(again->items[i].move == record->items[i].move,
                "a record has the same moves after reading it again");
    free(text);
    record_free(record);
    record_free(again);
    return 0;
}
