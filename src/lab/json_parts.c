/* json_parts.c - builds JSON field by field. */
#include "lab/json_parts.h"

#include <stdlib.h>

enum { TEXT_ROOM = 4096 };

static _Thread_local bool is_lost;

static void *take(size_t size)
{
    void *memory = malloc(size);
    if (!memory)
        is_lost = true;
    return memory;
}

void json_watch(void)
{
    json_set_alloc_funcs(take, free);
}

bool json_is_lost(void)
{
    bool lost = is_lost;
    is_lost = false;
    return lost;
}

void json_lose(void)
{
    is_lost = true;
}

void json_put(json_t *object, const char *key, json_t *value)
{
    json_object_set_new(object, key, value);
}

void json_put_text(json_t *object, const char *key, const char *text)
{
    if (text)
        json_put(object, key, json_string(text));
}

void json_put_number(json_t *object, const char *key, int64_t number)
{
    json_put(object, key, json_integer(number));
}

void json_put_real(json_t *object, const char *key, double number)
{
    json_put(object, key, json_real(number));
}

void json_put_flag(json_t *object, const char *key, bool flag)
{
    json_put(object, key, json_boolean(flag));
}

json_t *json_reals(const double *numbers, int count)
{
    json_t *list = json_array();
    for (int i = 0; i < count; i++)
        json_array_append_new(list, json_real(numbers[i]));
    return list;
}

json_t *json_position(const struct mp_game *game, const struct mp_position *position)
{
    char text[TEXT_ROOM];
    game->print_position(game, mp_position_state(position), text, sizeof text);
    return json_string(text);
}

json_t *json_line(const struct mp_game *game, const struct mp_position *position, const mp_move *moves,
                  int count)
{
    json_t *list = json_array();
    struct mp_position *line = mp_position_copy(position, NULL);
    bool ok = line;
    for (int i = 0; ok && i < count; i++) {
        char text[TEXT_ROOM];
        game->print_move(game, mp_position_state(line), moves[i], text, sizeof text);
        json_array_append_new(list, json_string(text));
        ok = mp_position_play(line, moves[i], NULL);
    }
    if (!ok)
        json_lose();
    mp_position_free(line);
    return list;
}

static json_t *option_json(const struct mp_option *option)
{
    json_t *words = option->words ? json_array() : json_null();
    for (int i = 0; option->words && option->words[i]; i++)
        json_array_append_new(words, json_string(option->words[i]));
    return json_pack("{s:s, s:s, s:o, s:i, s:i, s:i}", "name", option->name, "summary", option->summary,
                     "words", words, "minimum", option->minimum, "maximum", option->maximum, "default",
                     option->initial);
}

json_t *json_shares(const double shares[5])
{
    static const char *const names[] = {"win", "win_gammon", "win_backgammon", "lose_gammon",
                                        "lose_backgammon"};
    json_t *json = json_object();
    for (int k = 0; k < 5; k++)
        json_put_real(json, names[k], shares[k]);
    return json;
}

json_t *json_options(const struct mp_game *game)
{
    json_t *list = json_array();
    for (int i = 0; game->options && i < MP_MAX_OPTIONS && game->options[i].name; i++)
        json_array_append_new(list, option_json(&game->options[i]));
    return list;
}
