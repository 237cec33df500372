/* kept.c - what has been valued so far, so that an analysis that was interrupted goes on. A game has a file of its own,
 * named after all that its values depend on; a line is one ply:
 *
 *     PLY DEPTH EXACT BEST_VALUE VALUE COMMON_BEST ANOTHER LUCK BEST LENGTH MOVE... .
 *
 * A line that was cut short lacks the dot and is left out, and so is what the rules do not allow. */
#include "analysis/analysis.h"

#include "base/random.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static uint64_t mix(uint64_t hash, const void *bytes, size_t count)
{
    const unsigned char *c = bytes;
    for (size_t i = 0; i < count; i++)
        hash = random_at(hash, c[i]);
    return random_at(hash, count);
}

bool kept_name(struct analysed_game *game, const struct analysis *a, const char *folder)
{
    const struct record *r = game->record;
    const char *texts[] = {mp_version(), a->game_text, mp_strategy_text(a->strategy),
                           r->start ? r->start : ""};
    uint64_t hash = 3; /* the form of the file, and how its values come about */
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        hash = mix(hash, texts[i], strlen(texts[i]));
    for (int i = 0; i < game->count; i++)
        hash = mix(hash, &game->plies[i].move, sizeof game->plies[i].move);
    size_t size = strlen(folder) + 32;
    game->kept = malloc(size);
    if (game->kept)
        snprintf(game->kept, size, "%s/%016" PRIx64, folder, hash);
    return game->kept;
}

/* Is the line that was kept one of this position? */
static bool is_legal(const struct analysed_game *game, int number, const struct analysed_ply *ply)
{
    struct mp_position *position = analysis_position(game, number, NULL);
    bool ok = position && (ply->kind == PLY_CHANCE || (ply->line_length > 0 && ply->line[0] == ply->best));
    for (int i = 0; ok && i < ply->line_length; i++)
        ok = mp_position_play(position, ply->line[i], NULL);
    mp_position_free(position);
    return ok;
}

static bool parse(struct analysed_game *game, char *line)
{
    int number, exact, length = 0;
    struct analysed_ply ply;
    if (sscanf(line, "%d%n", &number, &length) != 1 || number < 0 || number >= game->count)
        return false;
    ply = game->plies[number];
    line += length;
    if (sscanf(line, "%d %d %" SCNd32 " %" SCNd32 " %" SCNd32 " %" SCNd32 " %lf %" SCNx64 " %d%n", &ply.depth,
               &exact, &ply.best_value, &ply.value, &ply.common_best, &ply.another, &ply.luck, &ply.best,
               &ply.line_length, &length) != 9 ||
        ply.line_length < 0 || ply.line_length > ANALYSIS_MOST_LINE)
        return false;
    ply.exact = exact;
    line += length;
    for (int i = 0; i < ply.line_length; i++, line += length)
        if (sscanf(line, "%" SCNx64 "%n", &ply.line[i], &length) != 1)
            return false;
    if (strcmp(line, " .\n") != 0 || !is_legal(game, number, &ply))
        return false;
    ply.done = true;
    game->plies[number] = ply;
    return true;
}

/* One write at the end of the file: two programs that analyse the same game do not mix their lines. That a ply cannot be
 * kept costs no more than its time, once. */
static void append(const struct analysed_game *game, const char *line)
{
    int file = game->kept ? open(game->kept, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0644) : -1;
    if (file < 0)
        return;
    ssize_t written = write(file, line, strlen(line));
    (void)written;
    close(file);
}

void kept_read(struct analysed_game *game)
{
    FILE *file = game->kept ? fopen(game->kept, "r") : NULL;
    char *line = NULL;
    size_t size = 0;
    bool cut = false;
    while (file && getline(&line, &size, file) > 0) {
        parse(game, line);
        cut = !strchr(line, '\n');
    }
    free(line);
    if (file)
        fclose(file);
    if (cut) /* what is added must not become part of it */
        append(game, "\n");
}

void kept_add(const struct analysed_game *game, int number)
{
    const struct analysed_ply *ply = &game->plies[number];
    char line[256 + 18 * ANALYSIS_MOST_LINE];
    int length = snprintf(line, sizeof line, "%d %d %d %d %d %d %d %.6f %" PRIx64 " %d", number, ply->depth,
                          ply->exact, ply->best_value, ply->value, ply->common_best, ply->another, ply->luck,
                          ply->best, ply->line_length);
    for (int i = 0; i < ply->line_length; i++)
        length += snprintf(line + length, sizeof line - (size_t)length, " %" PRIx64, ply->line[i]);
    snprintf(line + length, sizeof line - (size_t)length, " .\n");
    append(game, line);
}
