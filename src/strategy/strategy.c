/* strategy.c - a strategy as an object: made from text, changed key by key, and printed again. */
#include "strategy/strategy.h"

#include "base/text.h"

#include <stdlib.h>
#include <string.h>

/* The default of a game: the one place that decides. */
static const char *default_text(const struct mp_game *game)
{
    return game->chances ? "star2,depth=2" : "pvs,selective=on";
}

/* ---- Text ------------------------------------------------------------------------------------------------- */

/* Does the key mean anything for what this strategy does? */
static bool matters(const struct mp_strategy *s, const struct key *key)
{
    if (!key_applies(key, s->algorithm) || (key->matters && !key->matters(s)))
        return false;
    bool alone = s->plan.scheme->sequential || (s->name && s->name->sequential);
    return !(key->shares && alone) && !(key->scheme_key && !(key->scheme_key & s->plan.scheme->keys));
}

static void print_text(struct mp_strategy *s)
{
    char value[128];
    snprintf(s->text, sizeof s->text, "%s%s", s->name ? s->name->name : s->algorithm->name, s->numbers);
    for (int i = 0; strategy_keys[i].name; i++) {
        if (s->named >> i & 1 || !matters(s, &strategy_keys[i]))
            continue;
        key_print(&strategy_keys[i], s, value, sizeof value);
        if (strategy_keys[i].always ||
            strcmp(value, strategy_keys[i].initial ? strategy_keys[i].initial : "0") != 0)
            text_append(s->text, sizeof s->text, ",%s=%s", strategy_keys[i].name, value);
    }
}

/* ---- Reading ---------------------------------------------------------------------------------------------- */

static bool find_algorithm(struct mp_strategy *s, const char *name, struct mp_error *error)
{
    char known[256] = "", meant[TEXT_GUESS];
    struct text_guess guess = {.typed = name};
    for (const struct algorithm *a = algorithms; a->name; a++) {
        if (!strcmp(a->name, name)) {
            s->algorithm = a;
            return true;
        }
        text_append(known, sizeof known, "%s%s", a == algorithms ? "" : ", ", a->name);
        text_guess_try(&guess, a->name);
    }
    return mp_fail(error, "strategy: unknown algorithm '%.60s'%s, expected one of %s", name,
                   text_guess_said(&guess, meant), known);
}

/* The key of a name; -1 and a sentence: the algorithm does not have it. */
static int find_key(const struct mp_strategy *s, const char *name, struct mp_error *error)
{
    char known[512] = "", meant[TEXT_GUESS];
    struct text_guess guess = {.typed = name};
    int found = key_find(name);
    if (found >= 0 && key_applies(&strategy_keys[found], s->algorithm))
        return found;
    for (int i = 0; strategy_keys[i].name; i++)
        if (key_applies(&strategy_keys[i], s->algorithm)) {
            text_append(known, sizeof known, "%s%s", *known ? ", " : "", strategy_keys[i].name);
            text_guess_try(&guess, strategy_keys[i].name);
        }
    mp_fail(error, "strategy: %s has no key '%.60s'%s, expected one of %s", s->algorithm->name, name,
            text_guess_said(&guess, meant), known);
    return -1;
}

/* Takes `algorithm,key=value,...`, which is cut up on the way. */
static bool take_keys(struct mp_strategy *s, char *text, struct mp_error *error)
{
    char *rest = text;
    if (!find_algorithm(s, strsep(&rest, ","), error))
        return false;
    while (rest) {
        char *value = strsep(&rest, ",");
        char *name = strsep(&value, "=");
        if (!value || !*value)
            return mp_fail(error, "strategy: '%.60s' has no value, expected key=value", name);
        int key = find_key(s, name, error);
        if (key < 0)
            return false;
        if (s->given[key])
            return mp_fail(error, "strategy: %s is given twice, expected once", name);
        s->given[key] = strdup(value);
        if (!s->given[key])
            return mp_fail_with(error, MP_ERROR_MEMORY, "out of memory");
    }
    return true;
}

/* The name of a report that the text begins with, and its numbers, as the algorithm and keys that they stand for;
 * *text moves on to what is left. */
static bool expand_name(struct mp_strategy *s, const char **text, char *expanded, size_t size,
                        struct mp_error *error)
{
    const struct strategy_name *name = strategy_names;
    size_t length = strcspn(*text, ",");
    while (name->name && (strlen(name->name) != length || strncmp(name->name, *text, length) != 0))
        name++;
    if (!name->name)
        return true;
    s->name = name;
    snprintf(expanded, size, "%s", name->text);
    *text += length;
    for (int i = 0; i < STRATEGY_NUMBERS && name->keys[i]; i++) {
        *text += **text == ',';
        length = strcspn(*text, ",");
        if (strspn(*text, "0123456789") != length || length == 0 || length > 9)
            return mp_fail(error, "strategy: '%.*s' after %s, expected %s with numbers",
                           (int)(length < 60 ? length : 60), *text, name->name, name->form);
        text_append(expanded, size, ",%s=%.*s", name->keys[i], (int)length, *text);
        text_append(s->numbers, sizeof s->numbers, ",%.*s", (int)length, *text);
        *text += length;
    }
    return true;
}

/* Which keys the name has given: those of the expanded text. */
static void mark_named(struct mp_strategy *s, const char *expanded)
{
    for (int i = 0; strategy_keys[i].name; i++) {
        char wanted[32];
        snprintf(wanted, sizeof wanted, ",%s=", strategy_keys[i].name);
        if (strstr(expanded, wanted))
            s->named |= UINT64_C(1) << i;
    }
}

static bool take_text(struct mp_strategy *s, const char *text, struct mp_error *error)
{
    char expanded[128] = "";
    if (!expand_name(s, &text, expanded, sizeof expanded, error))
        return false;
    mark_named(s, expanded);
    size_t size = sizeof expanded + strlen(text) + 1;
    char *copy = malloc(size);
    if (!copy)
        return mp_fail_with(error, MP_ERROR_MEMORY, "out of memory");
    snprintf(copy, size, "%s%s", expanded, text);
    bool ok = take_keys(s, copy, error) && plan_make(s, error);
    free(copy);
    if (ok)
        print_text(s);
    return ok;
}

struct mp_strategy *mp_strategy_new(const struct mp_game *game, const char *text, struct mp_error *error)
{
    struct mp_strategy *s = calloc(1, sizeof *s);
    if (!s) {
        mp_fail_with(error, MP_ERROR_MEMORY, "out of memory");
        return NULL;
    }
    s->game = game;
    if (take_text(s, text ? text : default_text(game), error))
        return s;
    mp_strategy_free(s);
    return NULL;
}

struct mp_strategy *mp_strategy_copy(const struct mp_strategy *from, struct mp_error *error)
{
    struct mp_strategy *s = calloc(1, sizeof *s);
    bool ok = s;
    if (ok) {
        *s = *from;
        memset(s->given, 0, sizeof s->given);
        network_share(s->plan.network.network);
        book_share(s->plan.kept_book);
    }
    for (int i = 0; ok && i < MOST_KEYS; i++)
        if (from->given[i])
            ok = (s->given[i] = strdup(from->given[i]));
    if (ok)
        ok = plan_make(s, error);
    else
        mp_fail_with(error, MP_ERROR_MEMORY, "out of memory");
    if (ok)
        return s;
    mp_strategy_free(s);
    return NULL;
}

void mp_strategy_free(struct mp_strategy *s)
{
    if (s) {
        network_free(s->plan.network.network);
        book_free(s->plan.kept_book);
    }
    for (int i = 0; s && i < MOST_KEYS; i++)
        free(s->given[i]);
    free(s);
}

/* ---- Key by key ------------------------------------------------------------------------------------------- */

/* Gives a key a copy of the value, or none; what it had before goes to *before. */
static bool give(struct mp_strategy *s, const char *name, const char *value, char *before[],
                 struct mp_error *error)
{
    int key = find_key(s, name, error);
    if (key < 0)
        return false;
    if (s->named >> key & 1)
        return mp_fail(error, "strategy: %s is given by %s, expected another key", name, s->name->name);
    if (value && !*value)
        return mp_fail(error, "strategy: '%s' has no value, expected key=value", name);
    char *copy = value ? strdup(value) : NULL;
    if (value && !copy)
        return mp_fail_with(error, MP_ERROR_MEMORY, "out of memory");
    if (before[key] != s->given[key]) /* a second time in one change */
        free(s->given[key]);
    s->given[key] = copy;
    return true;
}

/* Ends a change that began with these values: all of it, or nothing. */
static bool settle(struct mp_strategy *s, char *before[], bool ok, struct mp_error *error)
{
    ok = ok && plan_make(s, error);
    for (int i = 0; i < MOST_KEYS; i++) {
        if (before[i] == s->given[i])
            continue;
        free(ok ? before[i] : s->given[i]);
        if (!ok)
            s->given[i] = before[i];
    }
    if (!ok)
        plan_make(s, NULL);
    print_text(s);
    return ok;
}

bool mp_strategy_set(struct mp_strategy *s, const char *name, const char *value, struct mp_error *error)
{
    char *before[MOST_KEYS];
    memcpy(before, s->given, sizeof before);
    bool ok = give(s, name, value, before, error);
    /* Without a scheme the keys of schemes mean nothing. */
    for (int i = 0; ok && !value && !strcmp(name, "split") && strategy_keys[i].name; i++)
        if (strategy_keys[i].shares)
            s->given[i] = NULL;
    return settle(s, before, ok, error);
}

bool mp_strategy_set_number(struct mp_strategy *s, const char *name, int64_t value, struct mp_error *error)
{
    char text[32];
    snprintf(text, sizeof text, "%lld", (long long)value);
    return mp_strategy_set(s, name, text, error);
}

bool mp_strategy_set_all(struct mp_strategy *s, const char *keys, struct mp_error *error)
{
    char *before[MOST_KEYS], *copy = strdup(keys), *rest = *keys ? copy : NULL;
    memcpy(before, s->given, sizeof before);
    bool ok = copy || mp_fail_with(error, MP_ERROR_MEMORY, "out of memory");
    while (ok && rest) {
        char *value = strsep(&rest, ","), *name = strsep(&value, "=");
        ok = give(s, name, value ? value : "", before, error);
    }
    free(copy);
    return settle(s, before, ok, error);
}

const char *mp_strategy_given(const struct mp_strategy *s, const char *name)
{
    int key = key_find(name);
    return key < 0 ? NULL : s->given[key];
}

bool mp_strategy_has(const struct mp_strategy *s, const char *name)
{
    int key = key_find(name);
    return key >= 0 && key_applies(&strategy_keys[key], s->algorithm);
}

bool mp_strategy_get(const struct mp_strategy *s, const char *name, char *text, size_t size)
{
    int key = key_find(name);
    bool has = key >= 0 && (matters(s, &strategy_keys[key]) || !strcmp(name, "threads"));
    if (has)
        key_print(&strategy_keys[key], s, text, size);
    else if (size > 0)
        *text = 0;
    return has;
}

bool mp_strategy_is_limited(const struct mp_strategy *s)
{
    for (int i = 0; strategy_keys[i].name; i++)
        if (strategy_keys[i].limits && s->given[i])
            return true;
    return s->algorithm->work == WORK_NOTHING;
}

void mp_strategy_limits(const struct mp_strategy *s, struct mp_limits *limits)
{
    const struct plan *plan = &s->plan;
    struct mp_limits found = {limits->struct_size, .nodes = plan->node_limit, .seconds = plan->seconds};
    int depth = plan_last_depth(plan);
    bool is_open = found.nodes == 0 && found.seconds == 0;
    if (depth < plan_deepest(plan) || is_open) /* by depth alone a sampling search makes its iterations */
        found.depth = depth;
    memcpy(limits, &found, limits->struct_size < sizeof found ? limits->struct_size : sizeof found);
}

const char *mp_strategy_text(const struct mp_strategy *s)
{
    return s->text;
}

char *mp_strategy_asked(const struct mp_strategy *s, char *text, size_t size)
{
    snprintf(text, size, "%s%s", s->name ? s->name->name : s->algorithm->name, s->numbers);
    for (int i = 0; strategy_keys[i].name; i++)
        if (s->given[i] && !(s->named >> i & 1))
            text_append(text, size, ",%s=%s", strategy_keys[i].name, s->given[i]);
    return text;
}

/* ---- Descriptions ------------------------------------------------------------------------------------------ */

/* Which algorithms have a key: their names, or all but some. */
static void name_algorithms(const struct key *key, char *text, size_t size)
{
    int with = 0, without = 0;
    for (const struct algorithm *a = algorithms; a->name; a++)
        key_applies(key, a) ? with++ : without++;
    bool few_without = without < with;
    snprintf(text, size, "%s", without == 0 ? "all" : few_without ? "all but " : "");
    bool first = true;
    for (const struct algorithm *a = algorithms; a->name && without > 0; a++)
        if (key_applies(key, a) != few_without) {
            text_append(text, size, "%s%s", first ? "" : ", ", a->name);
            first = false;
        }
}

/* As much of a description as the caller has room for, whose first member says how much that is. */
static bool hand_out(const void *found, size_t size, void *info)
{
    uint32_t room;
    memcpy(&room, info, sizeof room);
    if (room < sizeof room)
        return false;
    memcpy(info, found, room < size ? room : size);
    memcpy(info, &room, sizeof room);
    return true;
}

static bool tell(const char *name, const char *summary, bool exact, struct mp_info *info)
{
    struct mp_info found = {.name = name, .summary = summary, .exact = exact};
    return name && hand_out(&found, sizeof found, info);
}

bool mp_algorithm_at(int index, struct mp_info *info)
{
    for (int i = 0; index >= 0 && algorithms[i].name; i++)
        if (i == index)
            return tell(algorithms[i].name, algorithms[i].summary, algorithms[i].exact, info);
    return false;
}

bool mp_scheme_at(int index, struct mp_info *info)
{
    int count = 0;
    while (schemes[count])
        count++;
    if (index < 0 || index > count)
        return false;
    return index < count
               ? tell(schemes[index]->name, schemes[index]->summary, true, info)
               : tell(SCHEME_AUTO, "the scheme that should be fastest for such a search", true, info);
}

bool mp_report_name_at(int index, struct mp_info *info)
{
    for (int i = 0; index >= 0 && strategy_names[i].name; i++)
        if (i == index)
            return tell(strategy_names[i].form, strategy_names[i].summary, true, info);
    return false;
}

bool mp_key_at(int index, struct mp_key_info *info)
{
    int count = 0;
    while (strategy_keys[count].name)
        count++;
    if (index < 0 || index >= count)
        return false;
    const struct key *key = &strategy_keys[index];
    struct mp_key_info found = {.name = key->name,
                                .summary = key->summary,
                                .initial = key->initial,
                                .words = key->words,
                                .least = key->least,
                                .most = key->kind == KEY_COUNT ? INT64_MAX : key->most};
    key_values(key, found.values, sizeof found.values);
    name_algorithms(key, found.algorithms, sizeof found.algorithms);
    for (int i = 0; schemes[i] && key->scheme_key; i++)
        if (schemes[i]->keys & key->scheme_key)
            text_append(found.schemes, sizeof found.schemes, "%s%s", *found.schemes ? ", " : "",
                        schemes[i]->name);
    return hand_out(&found, sizeof found, info);
}

static const struct algorithm *algorithm_named(const char *name)
{
    for (const struct algorithm *a = algorithms; a->name; a++)
        if (!strcmp(a->name, name))
            return a;
    return NULL;
}

bool mp_algorithm_fits(const struct mp_game *game, const char *algorithm)
{
    const struct algorithm *a = algorithm_named(algorithm);
    return a &&
           (!game || ((game->chances || !a->for_dice) && (game->selective->list_noisy || !a->needs_noise)));
}

bool mp_scheme_fits(const struct mp_game *game, const char *algorithm, const char *scheme)
{
    const struct algorithm *a = algorithm_named(algorithm);
    const struct scheme *s = scheme_find(scheme);
    if (!a || !(a->keys & KEYS_SPLIT))
        return false;
    if (!strcmp(scheme, SCHEME_AUTO))
        return true;
    return s && s->shares & a->work && (!game || game->chances || !s->needs_dice) &&
           (!game || game->kernels || !s->needs_device) && (a->keys & KEYS_TABLE || !s->needs_table);
}

bool mp_key_fits(const char *algorithm, const char *scheme, const char *key)
{
    const struct algorithm *a = algorithm_named(algorithm);
    const struct scheme *s = scheme_find(scheme);
    int i = key_find(key);
    if (!a || i < 0 || !key_applies(&strategy_keys[i], a))
        return false;
    if (!strategy_keys[i].shares)
        return true;
    if (!strcmp(scheme, SCHEME_AUTO))
        return !strategy_keys[i].scheme_key;
    return s && !s->sequential && !(strategy_keys[i].scheme_key & ~s->keys);
}
