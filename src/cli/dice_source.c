/* dice_source.c - throws for a game: drawn from a seed, or read from a file or the keyboard. */
#include "cli/dice_source.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

bool dice_open(struct dice *dice, const char *name, uint64_t seed, uint64_t game, struct mp_error *error)
{
    *dice = (struct dice){.seed = seed, .game = game, .name = name};
    if (!name)
        return true;
    dice->file = strcmp(name, "-") ? fopen(name, "r") : stdin;
    if (!strcmp(name, "-"))
        dice->name = "standard input";
    return dice->file || mp_fail(error, "the dice file %.200s cannot be read: %s", name, strerror(errno));
}

void dice_close(struct dice *dice)
{
    if (dice->file && dice->file != stdin)
        fclose(dice->file);
}

/* The next word that is not part of a comment; false: there is none, or it is too long. */
static bool read_word(FILE *file, char *word, size_t size)
{
    size_t length = 0;
    int c;
    while ((c = getc(file)) != EOF) {
        if (c == '#')
            while (c != '\n' && c != EOF)
                c = getc(file);
        if (c != EOF && !isspace(c)) {
            if (length + 1 == size)
                return false;
            word[length++] = (char)c;
        } else if (length) {
            break;
        }
    }
    word[length] = 0;
    return length > 0;
}

bool dice_throw(struct dice *dice, const struct mp_game *game, const struct mp_position *position,
                mp_move *outcome, struct mp_error *error)
{
    if (!dice->file) {
        *outcome = mp_position_throw(position, dice->seed, dice->game, dice->thrown++);
        return true;
    }
    bool at_terminal = isatty(fileno(dice->file));
    for (;;) {
        char word[64];
        if (at_terminal) {
            fprintf(stderr, "throw of %s: ", game->players[game->side(game, mp_position_state(position))]);
            fflush(stderr);
        }
        if (!read_word(dice->file, word, sizeof word))
            return mp_fail(error, "%.200s has no throw after the first %llu, but the game goes on",
                           dice->name, (unsigned long long)dice->thrown);
        struct mp_error why = {0};
        if (mp_position_parse_move(position, word, outcome, &why)) {
            dice->thrown++;
            return true;
        }
        if (!at_terminal)
            return mp_fail(error, "throw %llu of %.100s: %.300s", (unsigned long long)dice->thrown + 1,
                           dice->name, why.text);
        fprintf(stderr, "%s\n", why.text);
    }
}
