/* text.h - reading numbers strictly, appending to a buffer, and showing what others have written. */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The whole of text as a decimal number from minimum to maximum; false otherwise. */
bool text_to_int(const char *text, int64_t minimum, int64_t maximum, int64_t *number);

/* A length of time from a microsecond on with its unit, "2s", "500ms" or "3m"; false otherwise. */
bool text_to_seconds(const char *text, double *seconds);

/* The same as text, in seconds to the microsecond: "2s", "0.25s". */
void text_from_seconds(double seconds, char *text, size_t size);

/* Appends to a zero-terminated text in a buffer of size bytes, cutting what does not fit. */
__attribute__((format(printf, 3, 4))) void text_append(char *text, size_t size, const char *format, ...);

/* A text as a terminal may be given it: control characters, of which escape sequences begin with one, and bytes that are
 * not UTF-8 are written as \\x1b. Cuts what does not fit. */
void text_escape(const char *text, char *escaped, size_t size);

/* Would text_escape change nothing? */
bool text_is_plain(const char *text);

/* Which of many words did somebody mean who typed another? Begin with what was typed, try all, then ask. */
struct text_guess {
    const char *typed;
    const char *lead; /* what stands before such words, as "--"; null: nothing */
    const char *best; /* the most alike so far; null: none is alike */
    int distance;
};
void text_guess_try(struct text_guess *guess, const char *word);

/* " (did you mean depth?)", or nothing; returns text. */
enum { TEXT_GUESS = 96 };
const char *text_guess_said(const struct text_guess *guess, char text[TEXT_GUESS]);

#endif
