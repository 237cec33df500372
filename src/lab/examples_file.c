/* examples_file.c - replays games, and reads lines of text. */
#include "lab/examples_file.h"

#include "base/memory.h"
#include "base/random.h"
#include "lab/games_file.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LINES = 1000, HELD_BACK = 10, MOST_MOVES = 4096 };

double examples_share(const struct examples_rule *rule, double value)
{
    if (rule->margin > 0 && fabs(value) > MP_PROVEN)
        value = copysign(fabs(value) - MP_PROVEN, value) * rule->margin;
    return 1 / (1 + exp(-value / rule->scale));
}

static double result_of(const struct examples_rule *rule, int margin)
{
    if (rule->margin > 0)
        return examples_share(rule, margin * rule->margin);
    return margin > 0 ? 1 : margin < 0 ? 0 : 0.5;
}

/* ---- Games --------------------------------------------------------------------------------------------- */

struct replay {
    const struct mp_game *game;
    const struct examples_rule *rule;
    examples_take *take;
    void *context;
    char *states[2]; /* the present one and the next */
    double *outlooks;
    int capacity;
    mp_move moves[MOST_MOVES], noisy[MOST_MOVES];
};

/* Quiet: nobody has to answer a threat at once, and the best move changes little. */
static bool is_quiet(struct replay *r, mp_move best)
{
    const struct mp_game *game = r->game;
    const void *state = r->states[0];
    if (game->selective->in_check && game->selective->in_check(game, state))
        return false;
    int count = game->selective->list_noisy ? game->selective->list_noisy(game, state, r->noisy, MOST_MOVES)
                                            : 0;
    for (int i = 0; i < count && i < MOST_MOVES; i++)
        if (r->noisy[i] == best)
            return false;
    return true;
}

/* From the end to the beginning: what comes later is known first. Where a move was not a searched one, what came after
 * it says nothing of the position before. */
static bool find_outlooks(struct replay *r, const struct games_game *g, double result)
{
    if (g->count > r->capacity) {
        double *outlooks = realloc(r->outlooks, (size_t)g->count * sizeof *outlooks);
        if (!outlooks)
            return false;
        r->outlooks = outlooks;
        r->capacity = g->count;
    }
    double later = result;
    for (int i = g->count - 1; i >= 0; i--)
        if (g->values[i] != GAMES_NO_VALUE) {
            later = (1 - r->rule->lambda) * examples_share(r->rule, g->values[i]) + r->rule->lambda * later;
            r->outlooks[i] = later;
        }
    return true;
}

static bool replay_game(struct replay *r, const struct games_game *g, uint64_t number, struct mp_error *error)
{
    const struct mp_game *game = r->game;
    struct examples_position p = {.result = result_of(r->rule, g->margin)};
    p.held_back = random_at(HELD_BACK, number) % HELD_BACK == 0;
    if (!find_outlooks(r, g, p.result))
        return mp_fail_with(error, MP_ERROR_MEMORY, "out of memory");
    if (!g->start)
        game->initial(game, r->states[0]);
    else if (!game->parse_position(game, g->start, r->states[0], error))
        return false;
    for (int i = 0; i < g->count; i++) {
        int count = game->chances ? game->chances(game, r->states[0], r->moves, NULL, MOST_MOVES) : 0;
        if (count == 0)
            count = game->list(game, r->states[0], r->moves, MOST_MOVES);
        if (g->places[i] >= (uint32_t)count || g->places[i] >= MOST_MOVES)
            return mp_fail(error, "game %llu, ply %d: move %u of %d, expected a legal one",
                           (unsigned long long)number + 1, i + 1, g->places[i] + 1, count);
        mp_move move = r->moves[g->places[i]];
        p.state = r->states[0];
        p.value = g->values[i];
        p.outlook = r->outlooks[i];
        if (g->values[i] != GAMES_NO_VALUE && (r->rule->noisy || is_quiet(r, move)) &&
            !r->take(r->context, &p, error))
            return false;
        game->play(game, r->states[0], move, r->states[1]);
        char *swap = r->states[0];
        r->states[0] = r->states[1];
        r->states[1] = swap;
    }
    if (g->margin == 0 || (game->chances && game->chances(game, r->states[0], NULL, NULL, 0) > 0) ||
        game->list(game, r->states[0], NULL, 0) > 0)
        return true;
    p.state = r->states[0];
    p.value = r->rule->margin > 0 ? mp_final_value(game, g->margin, 0)
              : g->margin > 0     ? MP_PROVEN
                                  : -MP_PROVEN;
    p.outlook = p.result;
    p.is_final = true;
    return r->take(r->context, &p, error);
}

bool examples_replay(const struct mp_game *game, const struct examples_rule *rule, const unsigned char *bytes,
                     size_t size, uint32_t games, uint64_t first, examples_take *take, void *context,
                     struct mp_error *error)
{
    struct replay *r = calloc(1, sizeof *r);
    struct games_reader reader = {.at = bytes, .end = bytes + size};
    bool ok = r;
    if (r) {
        *r = (struct replay){.game = game, .rule = rule, .take = take, .context = context};
        for (int i = 0; i < 2; i++)
            ok = (r->states[i] = aligned_alloc(MEMORY_LINE, memory_lines(game->state_size))) && ok;
    }
    ok = ok || mp_fail_with(error, MP_ERROR_MEMORY, "out of memory");
    for (uint32_t i = 0; ok && i < games; i++)
        ok = (games_get(&reader) ||
              mp_fail(error, "game %llu is damaged", (unsigned long long)(first + i + 1))) &&
             replay_game(r, &reader.game, first + i, error);
    ok = ok && (reader.at == reader.end ||
                mp_fail(error, "there is more after game %llu", (unsigned long long)(first + games)));
    games_reader_free(&reader);
    if (r) {
        free(r->states[0]);
        free(r->states[1]);
        free(r->outlooks);
    }
    free(r);
    return ok;
}

/* ---- Text ---------------------------------------------------------------------------------------------- */

/* Where each thousand of lines begins, and where the last one ends. */
struct text_file {
    int fd;
    int64_t *offsets;
    size_t blocks;
};

static bool find_lines(struct text_file *t, FILE *file)
{
    char *line = NULL;
    size_t size = 0, number = 0;
    ssize_t length;
    int64_t at = 0;
    bool ok = true;
    while (ok && (length = getline(&line, &size, file)) > 0) {
        if (number++ % LINES == 0) {
            int64_t *offsets = realloc(t->offsets, (t->blocks + 2) * sizeof *offsets);
            ok = offsets;
            t->offsets = ok ? offsets : t->offsets;
            if (ok)
                t->offsets[t->blocks++] = at;
        }
        at += length;
    }
    if (ok && t->blocks)
        t->offsets[t->blocks] = at;
    free(line);
    return ok;
}

static bool open_text(const char *path, struct text_file *t, struct mp_error *error)
{
    t->fd = open(path, O_RDONLY | O_CLOEXEC);
    FILE *file = t->fd >= 0 ? fopen(path, "r") : NULL;
    if (!file)
        return mp_fail_with(error, MP_ERROR_SYSTEM, "it cannot be read: %s", strerror(errno));
    bool ok = find_lines(t, file) || mp_fail_with(error, MP_ERROR_MEMORY, "out of memory");
    fclose(file);
    return ok && (t->blocks > 0 || mp_fail(error, "the file has no positions"));
}

/* A line is a position, a tab, the result for player 0, a tab, the value of the search for player 0. */
static bool split_line(char *line, double *result, double *value)
{
    char *tab = strchr(line, '\t'), *end;
    if (!tab)
        return false;
    *tab++ = 0;
    *result = strtod(tab, &end);
    if (end == tab || *end != '\t' || !(*result >= 0 && *result <= 1))
        return false;
    tab = end + 1;
    *value = strtod(tab, &end);
    return end != tab && *end == 0 && isfinite(*value);
}

static bool read_lines(const struct mp_game *game, const struct examples_rule *rule, char *text, size_t block,
                       examples_take *take, void *context, struct mp_error *error)
{
    static const char expected[] = "a position, a tab, a result from 0 to 1, a tab and a value";
    void *state = aligned_alloc(MEMORY_LINE, memory_lines(game->state_size));
    bool ok = state || mp_fail_with(error, MP_ERROR_MEMORY, "out of memory");
    size_t number = block * LINES;
    struct examples_position p = {.state = state, .held_back = block % HELD_BACK == HELD_BACK - 1};
    while (ok && *text) {
        struct mp_error reason = {0};
        char *line = strsep(&text, "\n");
        number++;
        if (!text || !split_line(line, &p.result, &p.value))
            ok = mp_fail(error, "line %zu: expected %s", number, expected);
        else if (!game->parse_position(game, line, state, &reason))
            ok = mp_fail(error, "line %zu: %.400s", number, reason.text);
        p.outlook = ok ? examples_share(rule, p.value) : 0;
        ok = ok && take(context, &p, error);
    }
    free(state);
    return ok;
}

static bool read_text(const struct mp_game *game, const struct text_file *t, const struct examples_rule *rule,
                      size_t block, examples_take *take, void *context, struct mp_error *error)
{
    size_t size = (size_t)(t->offsets[block + 1] - t->offsets[block]);
    char *text = malloc(size + 1);
    bool ok = text || mp_fail_with(error, MP_ERROR_MEMORY, "out of memory");
    if (ok) {
        ssize_t got = pread(t->fd, text, size, t->offsets[block]);
        text[got > 0 ? got : 0] = 0;
        ok = read_lines(game, rule, text, block, take, context, error);
    }
    free(text);
    return ok;
}

/* ---- Files --------------------------------------------------------------------------------------------- */

struct source {
    const char *path;
    bool is_text;
    struct games_file games;
    struct text_file text;
    size_t first, blocks; /* among those of all */
};

struct examples {
    const struct mp_game *game;
    struct source *sources;
    int count;
    size_t blocks;
};

static bool open_source(struct examples *e, struct source *s, struct mp_error *error)
{
    struct mp_error reason = {0};
    s->is_text = !games_file_is(s->path);
    s->games.fd = s->text.fd = -1;
    bool ok = s->is_text ? open_text(s->path, &s->text, &reason)
                         : games_file_open(s->path, &s->games, &reason) &&
                               games_file_is_of(&s->games, e->game, &reason) &&
                               (s->games.count > 0 || mp_fail(&reason, "the file has no games"));
    if (!ok)
        return mp_fail_with(error, reason.code, "%.200s: %s", s->path, reason.text);
    s->first = e->blocks;
    s->blocks = s->is_text ? s->text.blocks : s->games.count;
    e->blocks += s->blocks;
    return true;
}

struct examples *examples_open(const struct mp_game *game, const char *const paths[], int count,
                               struct mp_error *error)
{
    struct examples *e = calloc(1, sizeof *e);
    if (e)
        e->sources = calloc((size_t)count, sizeof *e->sources);
    if (!e || !e->sources) {
        free(e);
        mp_fail_with(error, MP_ERROR_MEMORY, "out of memory");
        return NULL;
    }
    e->game = game;
    bool ok = true;
    for (int i = 0; ok && i < count; i++) {
        e->sources[e->count++].path = paths[i];
        ok = open_source(e, &e->sources[i], error);
    }
    if (ok)
        return e;
    examples_close(e);
    return NULL;
}

void examples_close(struct examples *e)
{
    for (int i = 0; e && i < e->count; i++) {
        games_file_close(&e->sources[i].games);
        free(e->sources[i].text.offsets);
        if (e->sources[i].text.fd >= 0)
            close(e->sources[i].text.fd);
    }
    if (e)
        free(e->sources);
    free(e);
}

bool examples_are_games(const struct examples *e)
{
    for (int i = 0; i < e->count; i++)
        if (e->sources[i].is_text)
            return false;
    return true;
}

size_t examples_blocks(const struct examples *e)
{
    return e->blocks;
}

int examples_file_of(const struct examples *e, size_t block)
{
    int i = e->count - 1;
    while (block < e->sources[i].first)
        i--;
    return i;
}

static const struct source *source_of(const struct examples *e, size_t block)
{
    return &e->sources[examples_file_of(e, block)];
}

size_t examples_block_most(const struct examples *e, size_t block)
{
    const struct source *s = source_of(e, block);
    if (s->is_text)
        return LINES;
    const struct games_block *b = &s->games.blocks[block - s->first];
    return b->positions + b->games; /* and the end of each game */
}

bool examples_read(const struct examples *e, const struct examples_rule *rule, size_t block,
                   examples_take *take, void *context, struct mp_error *error)
{
    const struct source *s = source_of(e, block);
    struct mp_error reason = {0};
    size_t number = block - s->first;
    bool ok;
    if (s->is_text) {
        ok = read_text(e->game, &s->text, rule, number, take, context, &reason);
    } else {
        const struct games_block *b = &s->games.blocks[number];
        unsigned char *bytes = games_file_block(&s->games, number, &reason);
        ok = bytes &&
             examples_replay(e->game, rule, bytes, b->unpacked, b->games, b->first, take, context, &reason);
        free(bytes);
    }
    return ok || mp_fail_with(error, reason.code, "%.200s: %s", s->path, reason.text);
}
