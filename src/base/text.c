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
