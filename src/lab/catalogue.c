/* catalogue.c - lists the algorithms, schemes and keys of strategies, and which of them go together. */
#include "lab/catalogue.h"

#include <string.h>

json_t *catalogue_schemes(const struct mp_game *game, const char *algorithm)
{
    json_t *list = json_array();
    struct mp_info scheme = {MP_SIZE(struct mp_info)};
    for (int i = 0; mp_scheme_at(i, &scheme); i++)
        if (mp_scheme_fits(game, algorithm, scheme.name))
            json_array_append_new(list, json_string(scheme.name));
    return list;
}

/* The keys of an algorithm that mean something with one of its schemes. */
static json_t *keys_of(const json_t *schemes, const char *algorithm)
{
    json_t *list = json_array();
    struct mp_key_info key = {MP_SIZE(struct mp_key_info)};
    for (int i = 0; mp_key_at(i, &key); i++) {
        bool fits = mp_key_fits(algorithm, "none", key.name);
        for (size_t j = 0; !fits && j < json_array_size(schemes); j++)
            fits = mp_key_fits(algorithm, json_string_value(json_array_get(schemes, j)), key.name);
        if (fits)
            json_array_append_new(list, json_string(key.name));
    }
    return list;
}

static json_t *algorithms_json(const struct mp_game *game)
{
    json_t *list = json_array();
    struct mp_info info = {MP_SIZE(struct mp_info)};
    for (int i = 0; mp_algorithm_at(i, &info); i++) {
        if (!mp_algorithm_fits(game, info.name))
            continue;
        json_t *schemes = catalogue_schemes(game, info.name);
        json_array_append_new(list, json_pack("{s:s, s:s, s:b, s:o, s:o}", "name", info.name, "summary",
                                              info.summary, "exact", info.exact, "keys",
                                              keys_of(schemes, info.name), "schemes", schemes));
    }
    return list;
}

/* Is a name in the lists of one of the algorithms? */
static bool is_used(const json_t *algorithms, const char *list, const char *name)
{
    size_t i, j;
    json_t *algorithm, *item;
    json_array_foreach(algorithms, i, algorithm)
    {
        json_array_foreach(json_object_get(algorithm, list), j, item)
        {
            if (!strcmp(json_string_value(item), name))
                return true;
        }
    }
    return false;
}

static json_t *schemes_json(const json_t *algorithms)
{
    json_t *list = json_array();
    struct mp_info info = {MP_SIZE(struct mp_info)};
    for (int i = 0; mp_scheme_at(i, &info); i++)
        if (is_used(algorithms, "schemes", info.name))
            json_array_append_new(list, json_pack("{s:s, s:s}", "name", info.name, "summary", info.summary));
    return list;
}

static json_t *key_json(const struct mp_key_info *key)
{
    json_t *object = json_pack("{s:s, s:s, s:s, s:s, s:s, s:s?}", "name", key->name, "summary", key->summary,
                               "values", key->values, "algorithms", key->algorithms, "schemes", key->schemes,
                               "default", key->initial);
    json_t *words = key->words ? json_array() : NULL;
    for (int i = 0; words && key->words[i]; i++)
        json_array_append_new(words, json_string(key->words[i]));
    if (words)
        json_object_set_new(object, "words", words);
    if (key->most > 0) {
        json_object_set_new(object, "from", json_integer(key->least));
        json_object_set_new(object, "to", json_integer(key->most));
    }
    return object;
}

static json_t *keys_json(const json_t *algorithms)
{
    json_t *list = json_array();
    struct mp_key_info key = {MP_SIZE(struct mp_key_info)};
    for (int i = 0; mp_key_at(i, &key); i++)
        if (is_used(algorithms, "keys", key.name))
            json_array_append_new(list, key_json(&key));
    return list;
}

json_t *catalogue_strategies(const struct mp_game *game)
{
    json_t *algorithms = algorithms_json(game), *names = json_array();
    struct mp_info info = {MP_SIZE(struct mp_info)};
    for (int i = 0; mp_report_name_at(i, &info); i++)
        json_array_append_new(names, json_pack("{s:s, s:s}", "name", info.name, "summary", info.summary));
    return json_pack("{s:o, s:o, s:o, s:o}", "algorithms", algorithms, "schemes", schemes_json(algorithms),
                     "keys", keys_json(algorithms), "report_names", names);
}
