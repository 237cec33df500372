/* table.h - tables of text that are readable in a terminal and valid Markdown at once. */
#ifndef LAB_TABLE_H
#define LAB_TABLE_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

enum { TABLE_MOST_COLUMNS = 16 };

struct table {
    int columns, rows, capacity;
    char *heads[TABLE_MOST_COLUMNS];
    bool left[TABLE_MOST_COLUMNS]; /* words stand left, numbers right */
    char **cells;                  /* [row * columns + column] */
    bool failed;                   /* out of memory: rows are missing */
};

/* Headings with '|' between them; '<' at the end of one: a column of words. */
void table_begin(struct table *table, const char *heads);

/* The cells of a row with '|' between them; those that are missing are empty. */
__attribute__((format(printf, 2, 3))) void table_add(struct table *table, const char *format, ...);

void table_print(const struct table *table, FILE *out);
json_t *table_json(const struct table *table); /* a list of objects: heading and cell, as text */
void table_end(struct table *table);

#endif
