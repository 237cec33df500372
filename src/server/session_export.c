/* session_export.c - the game of a session in a form that other programs read, and its board as a drawing. */
#include "server/session_inner.h"

#include "base/text.h"
#include "lab/json_parts.h"
#include "records/formats.h"

#include <stdlib.h>

/* All moves, those after the position that is shown too. Null: see error. */
static struct record *record_of(const struct session *s, struct mp_error *error)
{
    struct record *record = record_begin(s->game, s->start, error);
    bool ok = record;
    for (int i = 0; ok && i < s->count; i++)
        ok = record_add_move(record, s->plies[i].move, error);
    for (int i = 0; ok && i < 2; i++)
        ok = record_set_tag(record, s->game->players[i], s->players[i].is_engine ? "Manyply" : "player") ||
             mp_fail(error, "out of memory for a game");
    if (ok) {
        record_set_result(record, record_result_by_rules(record));
        return record;
    }
    record_free(record);
    return NULL;
}

/* A record as text, on the heap; null: see error. */
static char *text_of(const struct record *record, const struct record_format *format, struct mp_error *error)
{
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    bool written = file && format->write(record, file), lost = !file || ferror(file);
    if (file && fclose(file) != 0)
        lost = true;
    if (written && !lost && text)
        return text;
    if (lost || !text)
        mp_fail(error, "out of memory for the text of a game");
    else
        mp_fail(error, "this game cannot be written as %s, expected one that began as %s begins",
                format->name, record->game->name);
    free(text);
    return NULL;
}

char *session_game(struct session *s, const char *form, struct mp_error *error)
{
    const struct record_format *format = form ? record_format(form) : NULL;
    if (!format || !record_format_keeps(format, s->game)) {
        char known[256] = "";
        for (format = record_formats; format->name; format++)
            if (record_format_keeps(format, s->game))
                text_append(known, sizeof known, "%s%s", *known ? ", " : "", format->name);
        mp_fail(error, "\"form\" is '%.40s', expected one of %s", form ? form : "", known);
        return NULL;
    }
    pthread_mutex_lock(&s->lock);
    struct record *record = record_of(s, error);
    pthread_mutex_unlock(&s->lock);
    char *text = record ? text_of(record, format, error) : NULL;
    record_free(record);
    if (!text)
        return NULL;
    json_t *json = json_object();
    json_put_text(json, "form", format->name);
    json_put_text(json, "ending", format->ending ? format->ending : "txt");
    json_put_text(json, "text", text);
    free(text);
    return session_json_text(json);
}

char *session_board(struct session *s, bool flipped)
{
    struct mp_svg how = {MP_SIZE(struct mp_svg), .flipped = flipped};
    pthread_mutex_lock(&s->lock);
    struct mp_position *position = mp_position_copy(s->position, NULL);
    pthread_mutex_unlock(&s->lock);
    int length = position ? mp_position_svg(position, &how, NULL, 0) : 0;
    char *svg = length > 0 ? malloc((size_t)length + 1) : NULL;
    if (svg)
        mp_position_svg(position, &how, svg, (size_t)length + 1);
    mp_position_free(position);
    json_t *json = svg ? json_pack("{s:s}", "svg", svg) : NULL;
    free(svg);
    return json ? session_json_text(json) : NULL;
}
