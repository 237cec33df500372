/* export.c - turns a stored game into a record, with tags, and a comment after each move. */
#include "lab/export.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

struct export
{
    struct record *record;
    struct mp_error *error;
    bool ok;
};

/* "+0.12/14 0.204s": value (in pawns or points, or as it is), depth and time, as other programs write
 * them. */
static bool add_thought(struct record *record, const struct thought *thought)
{
    char text[96] = "";
    const struct mp_game *game = record->game;
    int value = thought->value, distance = abs(value) - MP_PROVEN;
    if (!thought->has_value)
        text[0] = 0;
    else if (game->scoring == MP_SCORE_POINTS)
        snprintf(text, sizeof text, "%+.3f", (double)value / game->units_per_point);
    else if (game->scoring == MP_SCORE_MARGIN)
        snprintf(text, sizeof text, "%+d", distance <= 0 ? value : value > 0 ? distance : -distance);
    else if (distance > 0)
        snprintf(text, sizeof text, "%cM%d", value > 0 ? '+' : '-', MP_MAX_PLY - distance);
    else
        snprintf(text, sizeof text, "%+.2f", value / 100.0);
    size_t length = strlen(text);
    snprintf(text + length, sizeof text - length, "/%d %.3fs", thought->depth, thought->seconds);
    return record_add_comment(record, text);
}

static bool add_move(const struct results_move *stored, void *context)
{
    struct export *export = context;
    mp_move move;
    export->ok = mp_position_parse_move(export->record->position, stored->text, &move, export->error) &&
                 record_add_move(export->record, move, export->error);
    if (export->ok && stored->chosen)
        export->ok = add_thought(export->record, &stored->thought) || mp_fail(export->error, "out of memory");
    return export->ok;
}

static bool add_tags(struct record *record, const struct results_game *stored,
                     const struct results_player *players)
{
    int white = record_white_is_first(record->game) ? 0 : 1;
    char date[32], round[32];
    time_t started = (time_t)stored->started;
    struct tm day;
    gmtime_r(&started, &day);
    strftime(date, sizeof date, "%Y.%m.%d", &day);
    snprintf(round, sizeof round, "%lld", (long long)stored->number + 1);
    int white_margin = white == 0 ? stored->margin : -stored->margin;
    return record_set_tag(record, "Event", "arena") && record_set_tag(record, "Date", date) &&
           record_set_tag(record, "Round", round) &&
           record_set_tag(record, "White", players[stored->players[white]].name) &&
           record_set_tag(record, "Black", players[stored->players[1 - white]].name) &&
           record_set_tag(record, "Termination", *stored->reason ? stored->reason : stored->ending) &&
           record_set_result(record, white_margin > 0   ? "1-0"
                                     : white_margin < 0 ? "0-1"
                                                        : "1/2-1/2");
}

/* A record that begins there, which it does not say where that is the beginning of the game. */
static struct record *record_from(const struct mp_game *game, const char *start, struct mp_error *error)
{
    struct record *record = record_new(game, NULL, error);
    char text[1024];
    if (!record)
        return NULL;
    game->print_position(game, mp_position_state(record->position), text, sizeof text);
    if (!strcmp(text, start))
        return record;
    record_free(record);
    return record_new(game, start, error);
}

struct record *export_game(struct results *results, const struct mp_game *game,
                           const struct results_game *stored, const struct results_player *players,
                           struct mp_error *error)
{
    struct export export = {record_from(game, stored->start, error), error, true};
    if (!export.record)
        return NULL;
    bool ok = add_tags(export.record, stored, players) || mp_fail(error, "out of memory");
    ok = ok && results_each_move(results, stored->number, add_move, &export, error) && export.ok;
    if (ok)
        return export.record;
    record_free(export.record);
    return NULL;
}
