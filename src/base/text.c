/* text.c - strict numbers and times from text, and text appended to a buffer of fixed size. */
#include "base/text.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool text_to_int(const char *text, int64_t minimum, int64_t maximum, int64_t *number)
{
    if (!isdigit((unsigned char)text[text[0] == '-']))
        return false;
    char *end;
    errno = 0;
    long long value = strtoll(text, &end, 10);
    if (errno || *end || value < minimum || value > maximum)
        return false;
    *number = value;
    return true;
}

bool text_to_seconds(const char *text, double *seconds)
{
    static const struct {
        const char *name;
        double seconds;
    } units[] = {{"ms", 1e-3}, {"s", 1}, {"m", 60}, {"h", 3600}};
    size_t digits = strspn(text, "0123456789.");
    if (digits == 0 || digits > 20)
        return false;
    char *end;
    double value = strtod(text, &end);
    if (end != text + digits || value <= 0)
        return false;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (!strcmp(end, units[i].name)) {
            *seconds = value * units[i].seconds;
            return *seconds >= 1e-6 && *seconds <= 1e9;
        }
    return false;
}

void text_from_seconds(double seconds, char *text, size_t size)
{
    snprintf(text, size, "%.6f", seconds);
    size_t length = strlen(text);
    while (length > 0 && text[length - 1] == '0')
        length--;
    if (length > 0 && text[length - 1] == '.')
        length--;
    text[length] = 0;
    text_append(text, size, "s");
}

void text_append(char *text, size_t size, const char *format, ...)
{
    size_t used = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + used, size - used, format, arguments);
    va_end(arguments);
}

/* How many bytes a character has that may be shown as it is; 0: none, it is to be escaped. Sequences are those of UTF-8
 * as in table 3-7 of the Unicode standard, without U+0080 to U+009F, which are control characters too. */
static size_t plain_bytes(const unsigned char *c)
{
    static const struct {
        unsigned char first, last, second_least, second_most, length;
    } rows[] = {
        {0x20, 0x7e, 0, 0, 1},       {0xc2, 0xc2, 0xa0, 0xbf, 2}, {0xc3, 0xdf, 0x80, 0xbf, 2},
        {0xe0, 0xe0, 0xa0, 0xbf, 3}, {0xe1, 0xec, 0x80, 0xbf, 3}, {0xed, 0xed, 0x80, 0x9f, 3},
        {0xee, 0xef, 0x80, 0xbf, 3}, {0xf0, 0xf0, 0x90, 0xbf, 4}, {0xf1, 0xf3, 0x80, 0xbf, 4},
        {0xf4, 0xf4, 0x80, 0x8f, 4},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (c[0] < rows[i].first || c[0] > rows[i].last)
            continue;
        if (rows[i].length > 1 && (c[1] < rows[i].second_least || c[1] > rows[i].second_most))
            return 0;
        for (size_t b = 2; b < rows[i].length; b++)
            if (c[b] < 0x80 || c[b] > 0xbf)
                return 0;
        return rows[i].length;
    }
    return 0;
}

bool text_is_plain(const char *text)
{
    const unsigned char *c = (const unsigned char *)text;
    size_t bytes = 1;
    for (; *c && bytes; c += bytes)
        bytes = plain_bytes(c);
    return bytes != 0;
}

void text_escape(const char *text, char *escaped, size_t size)
{
    size_t used = 0;
    for (const unsigned char *c = (const unsigned char *)text; *c;) {
        size_t bytes = plain_bytes(c), room = bytes ? bytes : sizeof "\\x1b" - 1;
        if (used + room + 1 > size)
            break;
        if (bytes)
            memcpy(escaped + used, c, bytes);
        else
            snprintf(escaped + used, size - used, "\\x%02x", *c);
        used += room;
        c += bytes ? bytes : 1;
    }
    escaped[used] = 0;
}

/* How many letters have to be added, left out, replaced or exchanged with their neighbour (the optimal string alignment). */
static int edits(const char *a, const char *b, int length_a, int length_b)
{
    enum { MOST = 40 };
    int rows[3][MOST + 1];
    if (length_a > MOST || length_b > MOST)
        return MOST;
    for (int i = 0; i <= length_a; i++) {
        int *now = rows[i % 3], *before = rows[(i + 2) % 3], *earlier = rows[(i + 1) % 3];
        now[0] = i;
        for (int j = 1; j <= length_b; j++) {
            if (i == 0) {
                now[j] = j;
                continue;
            }
            int least = before[j - 1] + (a[i - 1] != b[j - 1]);
            least = before[j] + 1 < least ? before[j] + 1 : least;
            least = now[j - 1] + 1 < least ? now[j - 1] + 1 : least;
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] && earlier[j - 2] + 1 < least)
                least = earlier[j - 2] + 1;
            now[j] = least;
        }
    }
    return rows[length_a % 3][length_b];
}

void text_guess_try(struct text_guess *guess, const char *word)
{
    int typed = (int)strlen(guess->typed), length = (int)strlen(word);
    int distance = edits(guess->typed, word, typed, length), most = typed / 3 > 1 ? typed / 3 : 1;
    if (distance > most || distance >= length || (guess->best && distance >= guess->distance))
        return;
    guess->best = word;
    guess->distance = distance;
}

const char *text_guess_said(const struct text_guess *guess, char text[TEXT_GUESS])
{
    *text = 0;
    if (guess->best)
        snprintf(text, TEXT_GUESS, " (did you mean %s%.60s?)", guess->lead ? guess->lead : "", guess->best);
    return text;
}
