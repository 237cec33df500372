/* results_row.h - the values of a row of a results file, each of them checked: nobody knows who wrote the file.
 *
 * The first value that is wrong makes the row wrong and is named in the error; those after it are then 0 or "". */
#ifndef LAB_RESULTS_ROW_H
#define LAB_RESULTS_ROW_H

#include "manyply/manyply.h"

#include <sqlite3.h>

struct results_row {
    sqlite3_stmt *statement; /* its first column tells one row from another */
    const char *file, *table;
    struct mp_error *error;
    bool ok;
};

int64_t row_number(struct results_row *row, int column, int64_t least, int64_t most);
int row_int(struct results_row *row, int column, int least, int most);
double row_real(struct results_row *row, int column, double least, double most);

/* Belongs to the statement. */
const char *row_text(struct results_row *row, int column);

bool row_is_null(const struct results_row *row, int column);

/* Says what is wrong with a value, and returns false. */
bool row_refuse(struct results_row *row, int column, const char *expected);

#endif
