/* text_table.c - collects the cells of a table and prints them in columns, or as JSON. */
#include "lab/text_table.h"

#include "base/memory.h"
#include "lab/json_parts.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static char *copy_of(struct text_table *table, const char *text)
{
    char *copy = strdup(text);
    table->failed |= !copy;
    return copy;
}

void text_table_begin(struct text_table *table, const char *heads)
{
    *table = (struct text_table){0};
    char *copy = copy_of(table, heads), *rest = copy;
    while (rest && table->columns < TEXT_TABLE_MOST_COLUMNS) {
        char *head = strsep(&rest, "|");
        size_t length = strlen(head);
        if (length > 0 && head[length - 1] == '<') {
            table->left[table->columns] = true;
            head[length - 1] = 0;
        }
        table->heads[table->columns++] = copy_of(table, head);
    }
    free(copy);
}

void text_table_add(struct text_table *table, const char *format, ...)
{
    char text[1024], *rest = text;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (table->failed)
        return;
    char **cells = memory_grow(table->cells, table->rows, (size_t)table->columns * sizeof *cells);
    table->failed = !cells;
    if (!cells)
        return;
    table->cells = cells;
    for (int i = 0; i < table->columns; i++)
        cells[table->rows * table->columns + i] = copy_of(table, rest ? strsep(&rest, "|") : "");
    table->rows++;
}

/* Characters, not bytes. */
static int width_of(const char *text)
{
    int width = 0;
    for (; *text; text++)
        width += (*text & 0xc0) != 0x80;
    return width;
}

static const char *cell_at(const struct text_table *table, int row, int column)
{
    return row < 0 ? table->heads[column] : table->cells[row * table->columns + column];
}

static void print_line(const struct text_table *table, int row, const int *widths, FILE *out)
{
    for (int i = 0; i < table->columns; i++) {
        const char *text = cell_at(table, row, i);
        int blanks = widths[i] - width_of(text);
        fprintf(out, "| %*s%s%*s ", table->left[i] ? 0 : blanks, "", text, table->left[i] ? blanks : 0, "");
    }
    fputs("|\n", out);
}

bool text_table_print(const struct text_table *table, FILE *out)
{
    if (table->failed)
        return false;
    int widths[TEXT_TABLE_MOST_COLUMNS] = {0};
    for (int row = -1; row < table->rows; row++)
        for (int i = 0; i < table->columns; i++) {
            int width = width_of(cell_at(table, row, i));
            widths[i] = width > widths[i] ? width : widths[i];
        }
    print_line(table, -1, widths, out);
    for (int i = 0; i < table->columns; i++) {
        fputc('|', out);
        for (int j = 0; j < widths[i] + 1; j++)
            fputc('-', out);
        fputc(table->left[i] ? '-' : ':', out);
    }
    fputs("|\n", out);
    for (int row = 0; row < table->rows; row++)
        print_line(table, row, widths, out);
    return true;
}

json_t *text_table_json(const struct text_table *table)
{
    json_t *rows = json_array();
    if (table->failed)
        json_lose();
    for (int row = 0; row < table->rows && !table->failed; row++) {
        json_t *object = json_object();
        for (int i = 0; i < table->columns; i++)
            json_object_set_new(object, cell_at(table, -1, i), json_string(cell_at(table, row, i)));
        json_array_append_new(rows, object);
    }
    return rows;
}

void text_table_end(struct text_table *table)
{
    for (int i = 0; i < table->columns; i++)
        free(table->heads[i]);
    for (int i = 0; i < table->rows * table->columns; i++)
        free(table->cells[i]);
    free(table->cells);
    *table = (struct text_table){0};
}
