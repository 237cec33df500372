/* results_row.c - takes numbers and texts from a row of a results file, and says which of them is wrong. */
#include "lab/results_row.h"

#include <stdio.h>
#include <string.h>

/* What a column has in place of what was expected; no text of it, which could be anything. */
static void describe(sqlite3_stmt *s, int column, char *text, size_t size)
{
    switch (sqlite3_column_type(s, column)) {
    case SQLITE_INTEGER:
        snprintf(text, size, "%lld", (long long)sqlite3_column_int64(s, column));
        break;
    case SQLITE_FLOAT:
        snprintf(text, size, "%g", sqlite3_column_double(s, column));
        break;
    case SQLITE_NULL:
        snprintf(text, size, "nothing");
        break;
    default:
        snprintf(text, size, "%s of %d bytes",
                 sqlite3_column_type(s, column) == SQLITE_TEXT ? "a text" : "a blob",
                 sqlite3_column_bytes(s, column));
    }
}

bool row_refuse(struct results_row *row, int column, const char *expected)
{
    char is[48], key[48];
    describe(row->statement, column, is, sizeof is);
    describe(row->statement, 0, key, sizeof key);
    if (row->ok)
        mp_fail(row->error,
                "%.200s is not to be trusted: in its table %s, where %s is %s, %s is %s, expected %s",
                row->file, row->table, sqlite3_column_name(row->statement, 0), key,
                sqlite3_column_name(row->statement, column), is, expected);
    row->ok = false;
    return false;
}

int64_t row_number(struct results_row *row, int column, int64_t least, int64_t most)
{
    int64_t number = sqlite3_column_int64(row->statement, column);
    if (sqlite3_column_type(row->statement, column) == SQLITE_INTEGER && number >= least && number <= most)
        return number;
    char expected[80];
    snprintf(expected, sizeof expected, "a whole number from %lld to %lld", (long long)least,
             (long long)most);
    row_refuse(row, column, expected);
    return 0;
}

int row_int(struct results_row *row, int column, int least, int most)
{
    return (int)row_number(row, column, least, most);
}

double row_real(struct results_row *row, int column, double least, double most)
{
    int type = sqlite3_column_type(row->statement, column);
    double number = sqlite3_column_double(row->statement, column);
    if ((type == SQLITE_FLOAT || type == SQLITE_INTEGER) && number >= least && number <= most)
        return number;
    char expected[80];
    snprintf(expected, sizeof expected, "a number from %g to %g", least, most);
    row_refuse(row, column, expected);
    return 0;
}

const char *row_text(struct results_row *row, int column)
{
    if (sqlite3_column_type(row->statement, column) != SQLITE_TEXT) {
        row_refuse(row, column, "a text");
        return "";
    }
    const char *text = (const char *)sqlite3_column_text(row->statement, column);
    if (text && strlen(text) == (size_t)sqlite3_column_bytes(row->statement, column))
        return text;
    row_refuse(row, column, "a text without a zero byte");
    return "";
}

bool row_is_null(const struct results_row *row, int column)
{
    return sqlite3_column_type(row->statement, column) == SQLITE_NULL;
}
