/* formats.h - the forms in which games and positions are kept in files. A form is one row in formats.c.
 *
 * The operations of an EPD line, such as `bm Nf3;`, are tags of its record whose names begin with a small
 * letter. */
#ifndef RECORDS_FORMATS_H
#define RECORDS_FORMATS_H

#include "records/record.h"

struct record_format {
    const char *name;   /* the list ends with a null name */
    const char *ending; /* of a file's name, without the dot; null: none that would tell */
    const char *game;   /* the only one that it is for; null: any */
    bool positions;     /* keeps a position, the last one of a game, and no moves */
    /* The next record; null at the end of the file (with an empty *error) or at an error, which names the
     * line. */
    struct record *(*read)(struct record_reader *reader, struct mp_error *error);
    /* False: the file could not be written. */
    bool (*write)(const struct record *record, FILE *file);
};
extern const struct record_format record_formats[];

/* The next record of a format, as its read gives it; what a file that cannot be read to its end leaves is an error. */
struct record *record_read(const struct record_format *format, struct record_reader *reader,
                           struct mp_error *error);

/* By its name; null: there is none. */
const struct record_format *record_format(const char *name);

/* By the ending of a file's name; null: it tells nothing. */
const struct record_format *record_format_of_file(const char *path);

#endif
