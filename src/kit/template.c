/* template.c - what a new game begins with. The files are in the program as they stand in src/kit/template,
 * where the tests compile and check them. */
#include "kit/kit.h"

#include "base/embed.h"

#include <stdlib.h>
#include <string.h>

/* TEMPLATE_FOLDER is where they are. */
EMBED(kit_template_game, TEMPLATE_FOLDER "/mygame.c")
EMBED(kit_template_makefile, TEMPLATE_FOLDER "/Makefile")
EMBED(kit_template_gitignore, TEMPLATE_FOLDER "/gitignore")

const struct kit_template kit_templates[] = {
    {"mygame.c", kit_template_game_start, kit_template_game_end},
    {"Makefile", kit_template_makefile_start, kit_template_makefile_end},
    {".gitignore", kit_template_gitignore_start, kit_template_gitignore_end},
    {0},
};

/* The word that stands for another one here, and what it is to be; null: none. */
static const char *word_at(const char *text, size_t length, const char *name, const char *include,
                           const char **meant)
{
    static const char *const words[] = {"mygame", "@INCLUDE@"};
    for (int i = 0; i < 2; i++)
        if (length >= strlen(words[i]) && !memcmp(text, words[i], strlen(words[i]))) {
            *meant = i == 0 ? name : include;
            return words[i];
        }
    return NULL;
}

char *kit_fill_in(const char *text, size_t length, const char *name, const char *include)
{
    char *filled = NULL;
    size_t size;
    FILE *out = open_memstream(&filled, &size);
    for (size_t at = 0; out && at < length;) {
        const char *meant, *word = word_at(text + at, length - at, name, include, &meant);
        if (word)
            fputs(meant, out);
        else
            fputc(text[at], out);
        at += word ? strlen(word) : 1;
    }
    return out && fclose(out) == 0 ? filled : NULL;
}
