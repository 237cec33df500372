/* text_table.h - tables of text that are readable in a terminal and valid Markdown at once. */
#ifndef LAB_TEXT_TABLE_H
#define LAB_TEXT_TABLE_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

enum { TEXT_TABLE_MOST_COLUMNS = 16 };

struct text_table {
    int columns, rows;
    char *heads[TEXT_TABLE_MOST_COLUMNS];
    bool left[TEXT_TABLE_MOST_COLUMNS]; /* words stand left, numbers right */
    char **cells;                       /* [row * columns + column] */
    bool failed;                        /* out of memory: cells are missing */
};

/* Headings with '|' between them; '<' at the end of one: a column of words. */
void text_table_begin(struct text_table *table, const char *heads);

/* The cells of a row with '|' between them; those that are missing are empty. */
__attribute__((format(printf, 2, 3))) void text_table_add(struct text_table *table, const char *format, ...);

/* False: there was no memory for all cells, and nothing is printed. */
bool text_table_print(const struct text_table *table, FILE *out);

/* A list of objects: heading and cell, as text. Cells that are missing are missed (json_is_lost). */
json_t *text_table_json(const struct text_table *table);
void text_table_end(struct text_table *table);

#endif
