/* cuts.c - reads what a shallow search says of a deep one: a file of a few lines of text (docs/othello.md). */
#include "search/cuts.h"

#include "base/embed.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char magic[] = "Manyply cuts 1";
enum { MOST_TEXT = 1 << 16, MOST_LINE = 256 };

int cuts_stage(const struct cuts *cuts, const struct mp_game *game, const void *state)
{
    int most, plies = game->endgame ? game->endgame->plies(game, state, &most) : 0;
    int stage = plies > 0 ? plies / cuts->stage_plies : 0;
    return stage < CUTS_STAGES ? stage : CUTS_STAGES - 1;
}

const struct cut *cuts_find(const struct cuts *cuts, const struct mp_game *game, const void *state, int depth)
{
    if (!cuts || depth > CUTS_DEEPEST)
        return NULL;
    const struct cut *cut = &cuts->at[cuts_stage(cuts, game, state)][depth];
    return cut->shallow ? cut : NULL;
}

/* ---- Reading -------------------------------------------------------------------------------------------- */

/* The rest of a line after a number was read: nothing but blanks. */
static bool is_end(const char *line, int used)
{
    return used > 0 && !line[(size_t)used + strspn(line + used, " \t\r")];
}

static bool read_cut(const char *line, struct cuts *cuts)
{
    int stage, deep, used = 0;
    struct cut cut;
    if (sscanf(line, "cut %d %d %d %lf %lf %lf%n", &stage, &deep, &cut.shallow, &cut.slope, &cut.offset,
               &cut.sigma, &used) != 6 ||
        !is_end(line, used) || stage < 0 || stage >= CUTS_STAGES || deep < 2 || deep > CUTS_DEEPEST ||
        cut.shallow < 1 || cut.shallow >= deep || cuts->at[stage][deep].shallow)
        return false;
    /* Written so that what is not a number fails. */
    if (!(cut.slope >= 0.1 && cut.slope <= 10 && fabs(cut.offset) <= MP_EVAL_MAX && cut.sigma >= 0 &&
          cut.sigma <= MP_EVAL_MAX))
        return false;
    cuts->at[stage][deep] = cut;
    return true;
}

static bool read_line(const char *line, int number, struct cuts *cuts)
{
    int used = 0;
    if (number == 1)
        return !strcmp(line, magic);
    if (!line[strspn(line, " \t\r")] || *line == '#')
        return true;
    if (!strncmp(line, "game ", 5))
        return sscanf(line, "game %63s%n", cuts->game, &used) == 1 && is_end(line, used);
    if (!strncmp(line, "eval ", 5))
        return sscanf(line, "eval %63s%n", cuts->evaluation, &used) == 1 && is_end(line, used);
    if (!strncmp(line, "confidence ", 11))
        return sscanf(line, "confidence %lf%n", &cuts->confidence, &used) == 1 && is_end(line, used) &&
               cuts->confidence >= 0 && cuts->confidence <= 10;
    if (!strncmp(line, "stage ", 6))
        return sscanf(line, "stage %d%n", &cuts->stage_plies, &used) == 1 && is_end(line, used) &&
               cuts->stage_plies >= 1 && cuts->stage_plies <= MP_MAX_PLY;
    return read_cut(line, cuts);
}

bool cuts_read_text(const struct mp_game *game, const char *evaluation, const char *text, const char *name,
                    struct cuts *cuts, struct mp_error *error)
{
    *cuts = (struct cuts){.confidence = -1};
    int number = 1;
    for (const char *at = text; *at; number++) {
        char line[MOST_LINE] = "";
        size_t length = strcspn(at, "\n");
        memcpy(line, at, length < MOST_LINE ? length : MOST_LINE - 1);
        if (length >= MOST_LINE || !read_line(line, number, cuts))
            return mp_fail(error, "%.200s, line %d: \"%.60s\", expected cuts as fit-cuts writes them", name,
                           number, line);
        at += length + (at[length] == '\n');
    }
    if (number == 1 || !*cuts->game || !*cuts->evaluation || cuts->confidence < 0 || !cuts->stage_plies)
        return mp_fail(error, "%.200s lacks its beginning, expected cuts as fit-cuts writes them", name);
    return (!strcmp(cuts->game, game->name) && !strcmp(cuts->evaluation, evaluation)) ||
           mp_fail(error, "%.200s has the cuts of %s with eval=%s, expected %s with eval=%s", name,
                   cuts->game, cuts->evaluation, game->name, evaluation);
}

bool cuts_read(const struct mp_game *game, const char *evaluation, const char *path, struct cuts *cuts,
               struct mp_error *error)
{
    FILE *file = fopen(path, "r");
    char *text = calloc(1, MOST_TEXT + 1);
    size_t length = file && text ? fread(text, 1, MOST_TEXT, file) : 0;
    bool ok = file && text && !ferror(file);
    if (!ok)
        mp_fail(error, "%.200s: %s, expected a file of fit-cuts", path, strerror(errno ? errno : EIO));
    else if (length == MOST_TEXT || strlen(text) != length)
        ok = mp_fail(error, "%.200s is not a text of fewer than %d characters, expected a file of fit-cuts",
                     path, MOST_TEXT);
    ok = ok && cuts_read_text(game, evaluation, text, path, cuts, error);
    if (file)
        fclose(file);
    free(text);
    return ok;
}

/* ---- What is part of the library ------------------------------------------------------------------------ */

EMBED(cuts_othello_positional, CUTS_FOLDER "/othello-positional.txt")

bool cuts_shipped(const struct mp_game *game, const char *evaluation, struct cuts *cuts)
{
    static const struct {
        const char *game, *evaluation, *text;
    } all[] = {{"othello", "positional", cuts_othello_positional_start}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (!strcmp(all[i].game, game->name) && !strcmp(all[i].evaluation, evaluation))
            return cuts_read_text(game, evaluation, all[i].text, "cuts of the library", cuts, NULL);
    return false;
}
