/* key_twins.c - do different states have different keys? Asked of all states near the beginning of the game, and
 * of states whose texts differ in one character: such twins are where a key that forgets something shows it.
 * */
#include "kit/walk.h"

#include "base/memory.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* States that were met, by the key that an exact search looks them up under. */
struct met {
    uint64_t key;
    size_t at; /* of the state in states */
};
struct meetings {
    struct kit *kit;
    const struct mp_game *game;
    struct met *met;
    char *states;
    size_t count, capacity, stride;
    /* To compare two states with. */
    mp_move moves[2][MP_MAX_MOVES];
    uint32_t weights[2][MP_MAX_MOVES];
};

static struct meetings *new_meetings(struct kit *kit, size_t capacity)
{
    struct meetings *m = calloc(1, sizeof *m);
    if (!m)
        return NULL;
    m->kit = kit;
    m->game = kit->game;
    m->capacity = capacity;
    m->stride = memory_lines(kit->game->state_size);
    m->met = malloc(capacity * sizeof *m->met);
    m->states = aligned_alloc(64, capacity * m->stride);
    if (!m->met || !m->states)
        m->capacity = 0;
    return m;
}

static void free_meetings(struct meetings *m)
{
    if (!m)
        return;
    free(m->met);
    free(m->states);
    free(m);
}

static uint64_t table_key(const struct mp_game *game, const void *state)
{
    static const struct mp_history no_history = {NULL, 0};
    uint64_t key = game->key(game, state);
    return game->history_key ? key ^ game->history_key(game, state, &no_history) : key;
}

static void meet(struct meetings *m, const void *state)
{
    if (m->count == m->capacity)
        return;
    memcpy(m->states + m->count * m->stride, state, m->game->state_size);
    m->met[m->count] = (struct met){table_key(m->game, state), m->count};
    m->count++;
}

static int by_key(const void *a, const void *b)
{
    uint64_t x = ((const struct met *)a)->key, y = ((const struct met *)b)->key;
    return (x > y) - (x < y);
}

/* The moves or outcomes of a state, at most as many as there may be. */
static int list(struct meetings *m, const void *state, int which)
{
    const struct mp_game *game = m->game;
    memset(m->weights[which], 0, sizeof m->weights[which]);
    int count = game->chances ? game->chances(game, state, m->moves[which], m->weights[which], MP_MAX_MOVES)
                              : 0;
    if (count == 0)
        count = game->list(game, state, m->moves[which], MP_MAX_MOVES);
    return count < 0 ? 0 : count < MP_MAX_MOVES ? count : MP_MAX_MOVES;
}

/* Can nobody tell two states apart by what a search asks of them? (The number of a move in chess is printed,
 * but nothing depends on it.) */
static bool play_alike(struct meetings *m, const void *a, const void *b)
{
    const struct mp_game *game = m->game;
    if (game->side(game, a) != game->side(game, b))
        return false;
    int count = list(m, a, 0);
    if (count != list(m, b, 1) || memcmp(m->moves[0], m->moves[1], (size_t)count * sizeof **m->moves) != 0 ||
        memcmp(m->weights[0], m->weights[1], (size_t)count * sizeof **m->weights) != 0)
        return false;
    for (const struct mp_evaluation *e = game->evaluations; e->name; e++)
        if (e->evaluate(game, e, a) != e->evaluate(game, e, b))
            return false;
    return count > 0 || mp_state_final_value(game, a, 0) == mp_state_final_value(game, b, 0);
}

/* No two different states have one key. */
static bool compare(struct meetings *m)
{
    bool right = true;
    qsort(m->met, m->count, sizeof *m->met, by_key);
    for (size_t i = 1; i < m->count && right; i++) {
        const void *a = m->states + m->met[i - 1].at * m->stride, *b = m->states + m->met[i].at * m->stride;
        char text[2][KIT_TEXT];
        if (m->met[i - 1].key != m->met[i].key || play_alike(m, a, b))
            continue;
        m->game->print_position(m->game, a, text[0], KIT_TEXT);
        m->game->print_position(m->game, b, text[1], KIT_TEXT);
        m->kit->report->now = (struct kit_place){.plies = KIT_NOWHERE};
        right = kit_fault(
            m->kit, "key.different",
            "key is the same for '%.120s' and '%.120s', expected different ones for different positions",
            text[0], text[1]);
    }
    m->count = 0;
    return right;
}

/* Breadth first. */
void kit_meet_early_states(struct kit *kit, size_t most)
{
    struct meetings *m = new_meetings(kit, most);
    const struct mp_game *game = kit->game;
    void *state = kit_state(game), *child = kit_state(game);
    if (m && state && child && m->capacity) {
        kit->report->now = (struct kit_place){0};
        game->initial(game, child);
        meet(m, child);
        for (size_t i = 0; i < m->count && m->count < m->capacity && kit_goes_on(kit); i++) {
            memcpy(state, m->states + i * m->stride, game->state_size);
            int count = list(m, state, 0);
            for (int j = 0; j < count; j++) {
                game->play(game, state, m->moves[0][j], child);
                meet(m, child);
            }
            kit_does(kit, "comparing keys", (double)m->count / (double)most);
        }
        kit->report->keys += m->count;
        compare(m);
    }
    free(state);
    free(child);
    free_meetings(m);
}

/* ---- Twins --------------------------------------------------------------------------------------------- */

/* All that can be read when one character of a text is another one, of those that such texts have; for those
 * with the other side to move, once more. */
static void meet_twins(struct meetings *m, const char *text, const char *letters, bool again)
{
    const struct mp_game *game = m->game;
    char twin[KIT_TEXT];
    struct mp_position *self = mp_position_new(game, text, NULL);
    if (!self)
        return;
    int side = game->side(game, mp_position_state(self));
    mp_position_free(self);
    for (size_t i = 0; text[i] && kit_goes_on(m->kit); i++)
        for (const char *letter = letters; *letter; letter++) {
            snprintf(twin, sizeof twin, "%s", text);
            twin[i] = *letter;
            struct mp_position *position = mp_position_new(game, twin, NULL);
            if (!position)
                continue;
            const void *state = mp_position_state(position);
            meet(m, state);
            m->kit->report->twins++;
            if (again && game->side(game, state) != side)
                meet_twins(m, twin, letters, false);
            mp_position_free(position);
        }
}

/* The same with the pieces of both sides exchanged, where that is two letters or capitals for small ones. */
static void meet_opposites(struct meetings *m, const char *text, const char *letters)
{
    enum { FEW_LETTERS = 8 };
    size_t count = strlen(letters);
    char opposite[KIT_TEXT];
    for (size_t i = 0; i < count && count <= FEW_LETTERS; i++)
        for (size_t j = 0; j < i; j++) {
            snprintf(opposite, sizeof opposite, "%s", text);
            for (char *c = opposite; *c; c++)
                *c = *c == letters[i] ? letters[j] : *c == letters[j] ? letters[i] : *c;
            meet_twins(m, opposite, letters, true);
        }
    snprintf(opposite, sizeof opposite, "%s", text);
    for (char *c = opposite; *c && strcspn(opposite, " ") > (size_t)(c - opposite); c++)
        *c = (char)(isupper((unsigned char)*c) ? tolower((unsigned char)*c) : toupper((unsigned char)*c));
    meet_twins(m, opposite, letters, true);
}

/* States that differ in a cell, in a counter, in the side to move, or in that and one of the others; and
 * those that differ in this way from what the position is for the other side. */
void kit_meet_twins(struct kit *kit, int positions)
{
    enum { MOST_TWINS = 60000, MOST_PLIES = 60 };
    struct meetings *m = new_meetings(kit, MOST_TWINS);
    char letters[128] = {0}, text[KIT_TEXT];
    bool right = m && m->capacity;
    for (int i = 0; right && i < 2 * positions && kit_goes_on(kit); i++) {
        kit_does(kit, "comparing twins", (double)i / (2 * positions));
        if (!kit_walk(kit, (uint64_t)(i % positions), MOST_PLIES))
            break;
        kit->game->print_position(kit->game, mp_position_state(kit->position), text, sizeof text);
        /* The first time only to see which letters there are. */
        for (const char *c = text; *c && i < positions; c++)
            if (!strchr(letters, *c) && strlen(letters) + 1 < sizeof letters)
                letters[strlen(letters)] = *c;
        if (i >= positions) {
            meet_twins(m, text, letters, true);
            meet_opposites(m, text, letters);
            right = compare(m);
        }
    }
    free_meetings(m);
}
