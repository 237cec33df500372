/* formats.c - fuzzes the readers of games and positions: what they take must survive writing and reading. The
 * first letter of the input chooses the format, d the first of the list. */
#include "tests/fuzz/fuzz.h"

#include "records/formats.h"

static struct record *read_record(const struct record_format *format, const struct mp_game *game,
                                  const void *data, size_t size, struct mp_error *error)
{
    FILE *file = fmemopen((void *)data, size, "r");
    require(file, "memory");
    struct record_reader reader = record_reader(game, file);
    struct record *record = format->read(&reader, error);
    fclose(file);
    return record;
}

static char *write_record(const struct record_format *format, const struct record *record)
{
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    require(file && format->write(record, file), "a record can be written");
    fclose(file);
    return text;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    enum { FORMATS = 6 }; /* .mat has dice and a fuzzer of its own */
    struct mp_game *game = fuzzed_game();
    struct mp_error error = {0};
    if (size < 2 || game->chances)
        return 0;
    const struct record_format *format = &record_formats[(data[0] + 256 - 'd') % FORMATS];
    if (format->game && strcmp(format->game, game->name) != 0)
        return 0;
    struct record *record = read_record(format, game, data + 1, size - 1, &error);
    if (!record) {
        if (*error.text)
            require_sentence(&error);
        return 0;
    }
    char *written = write_record(format, record);
    struct record *again = strlen(written) > 1 ? read_record(format, game, written, strlen(written), &error)
                                               : NULL; /* a game without moves is an empty line */
    require(again || strlen(written) <= 1, error.text);
    if (again) {
        char *written_again = write_record(format, again);
        require(!strcmp(written, written_again), "a record is written alike after reading it again");
        free(written_again);
    }
    free(written);
    record_free(record);
    record_free(again);
    return 0;
}
