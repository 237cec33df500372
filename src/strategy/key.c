/* key.c - what follows from the row of a key: how its value is read, printed and described. */
#include "strategy/strategy.h"

#include "base/text.h"

#include <string.h>

bool key_read_int(const char *value, int64_t least, int64_t most, int *number)
{
    int64_t n;
    bool ok = text_to_int(value, least, most, &n);
    if (ok)
        *number = (int)n;
    return ok;
}

int key_find(const char *name)
{
    for (int i = 0; strategy_keys[i].name; i++)
        if (!strcmp(strategy_keys[i].name, name))
            return i;
    return -1;
}

bool key_applies(const struct key *key, const struct algorithm *algorithm)
{
    return key->group & algorithm->keys;
}

/* The place of a word in a list that ends with null; -1: it is not there. */
static int find_word(const char *const *words, const char *word)
{
    for (int i = 0; words && words[i]; i++)
        if (!strcmp(words[i], word))
            return i;
    return -1;
}

static bool read_value(const struct key *key, const struct mp_game *game, struct plan *plan,
                       const char *value, struct mp_error *error)
{
    void *place = (char *)plan + key->place;
    int word = find_word(key->words, value);
    int64_t count;
    switch (key->kind) {
    case KEY_NUMBER:
        return key_read_int(value, key->least, key->most, place);
    case KEY_NUMBER_OR_OFF:
        *(int *)place = 0;
        return !strcmp(value, "off") || key_read_int(value, key->least, key->most, place);
    case KEY_COUNT:
        if (!text_to_int(value, key->least, INT64_MAX, &count))
            return false;
        *(uint64_t *)place = (uint64_t)count;
        return true;
    case KEY_SWITCH:
        *(bool *)place = word > 0;
        return word >= 0;
    case KEY_CHOICE:
        *(unsigned *)place = (unsigned)word;
        return word >= 0;
    case KEY_TECHNIQUE:
        if (word == 0)
            plan->settings.techniques &= ~key->technique;
        else
            plan->settings.techniques |= key->technique;
        return word >= 0;
    case KEY_OTHER:
        return key->read(game, plan, value, error);
    }
    return false;
}

bool key_read(const struct key *key, const struct mp_game *game, struct plan *plan, const char *value,
              struct mp_error *error)
{
    struct mp_error more = {0};
    char values[128];
    if (read_value(key, game, plan, value, &more))
        return true;
    key_values(key, values, sizeof values);
    return *more.text ? mp_fail(error, "%s", more.text)
                      : mp_fail(error, "strategy: %s=%.60s, expected %s", key->name, value, values);
}

void key_print(const struct key *key, const struct mp_strategy *s, char *text, size_t size)
{
    const void *place = (const char *)&s->plan + key->place;
    switch (key->kind) {
    case KEY_NUMBER:
    case KEY_NUMBER_OR_OFF:
        snprintf(text, size, key->kind == KEY_NUMBER_OR_OFF && !*(const int *)place ? "off" : "%d",
                 *(const int *)place);
        break;
    case KEY_COUNT:
        snprintf(text, size, "%llu", (unsigned long long)*(const uint64_t *)place);
        break;
    case KEY_SWITCH:
        snprintf(text, size, "%s", key->words[*(const bool *)place]);
        break;
    case KEY_CHOICE:
        snprintf(text, size, "%s", key->words[*(const unsigned *)place]);
        break;
    case KEY_TECHNIQUE:
        snprintf(text, size, "%s", key->words[(s->plan.settings.techniques & key->technique) != 0]);
        break;
    case KEY_OTHER:
        key->print(s, text, size);
        break;
    }
}

/* "on or off", but in other pairs the default first. */
static void print_pair(const char *const words[2], char *text, size_t size)
{
    bool is_switch = !strcmp(words[0], "off");
    text_append(text, size, "%s or %s", words[is_switch], words[!is_switch]);
}

void key_values(const struct key *key, char *text, size_t size)
{
    *text = 0;
    if (key->values)
        text_append(text, size, "%s", key->values);
    else if (key->kind == KEY_SWITCH || key->kind == KEY_TECHNIQUE)
        print_pair(key->words, text, size);
    else if (key->kind == KEY_COUNT)
        text_append(text, size, "a whole number from %lld", (long long)key->least);
    else if (!key->words)
        text_append(text, size, "%lld to %lld%s", (long long)key->least, (long long)key->most,
                    key->kind == KEY_NUMBER_OR_OFF ? " or off" : "");
    for (int i = 0; key->kind == KEY_CHOICE && key->words[i]; i++)
        text_append(text, size, "%s%s", i == 0 ? "" : key->words[i + 1] ? ", " : " or ", key->words[i]);
}
