/* vet.c - the checks themselves: a table, one state, and a few lines of play in a child process. */
#include "games/vet.h"

#include "base/memory.h"
#include "base/random.h"
#include "base/text.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

/* What stands behind a buffer whose size a function is told: who writes there is found out. */
enum {
    GUARD = 64,
    GUARD_BYTE = 0xa5,
    TEXT = 4096,
    SMALL = 2,
    MOST_SYMMETRIES = 64,
    COPIES = 3,
    MOST_EVALUATIONS = 64
};

struct vet {
    const struct mp_game *game;
    const char *volatile *calling; /* where the name of the function that is called is kept; may be null */
    const void *state;
    int side, count;
    bool is_chance;
    size_t stride;
    char *child, *copy, *before;
    struct vet_fault *fault;
    char text[TEXT + GUARD], again[TEXT + GUARD];
    mp_move moves[MP_MAX_MOVES + GUARD], others[MP_MAX_MOVES + GUARD];
    uint32_t weights[MP_MAX_MOVES + GUARD];
    int32_t scores[MP_MAX_MOVES + GUARD];
    uint16_t indices[MP_MAX_MOVES + GUARD];
};

__attribute__((format(printf, 3, 4))) static bool broken(struct vet_fault *fault, const char *promise,
                                                         const char *format, ...)
{
    va_list arguments;
    snprintf(fault->promise, sizeof fault->promise, "%s", promise);
    va_start(arguments, format);
    vsnprintf(fault->text, sizeof fault->text, format, arguments);
    va_end(arguments);
    return false;
}

/* ---- The table ----------------------------------------------------------------------------------------- */

/* The first required member that a table lacks, or null. */
static const char *missing_member(const struct mp_game *g)
{
    const struct {
        bool there;
        const char *name;
    } members[] = {
        {g->name && *g->name, "name"},
        {g->summary, "summary"},
        {g->players[0] && g->players[1], "players"},
        {g->state_size > 0, "state_size"},
        {g->margin_max > 0 && g->margin_max <= MP_MARGIN_MAX, "margin_max (1 to 10000)"},
        {g->scoring != MP_SCORE_POINTS || g->units_per_point > 0, "units_per_point"},
        {!g->chances || g->scoring == MP_SCORE_POINTS, "scoring MP_SCORE_POINTS (it has chances)"},
        {!g->solve || g->scoring != MP_SCORE_POINTS, "scoring MP_SCORE_WIN or MP_SCORE_MARGIN (it has solve)"},
        {!g->endgame || g->scoring == MP_SCORE_MARGIN, "scoring MP_SCORE_MARGIN (it has endgame)"},
        {!g->endgame || (g->endgame->plies && g->endgame->solve), "plies and solve (it has endgame)"},
        {!g->kernels || (g->kernels->source && g->kernels->pack), "source and pack (it has kernels)"},
        {!g->kernels || (g->kernels->state_words > 0 && g->kernels->state_words <= 64),
         "state_words (1 to 64; it has kernels)"},
        {!g->bounds || g->scoring == MP_SCORE_POINTS, "scoring MP_SCORE_POINTS (it has bounds)"},
        {!g->final_value || g->scoring == MP_SCORE_POINTS, "scoring MP_SCORE_POINTS (it has final_value)"},
        {!g->drawn || g->history_key, "history_key (it has drawn)"},
        {!g->ordering->index_moves || g->ordering->index_count > 0, "index_count (it has index_moves)"},
        {!g->board->describe || g->board->move_cells, "move_cells (it has board)"},
        {g->symmetry_count == 0 || g->transform, "transform (it has symmetry_count)"},
        {g->evaluations && g->evaluations[0].name && g->evaluations[0].evaluate, "evaluations"},
        {g->initial, "initial"},
        {g->list, "list"},
        {g->play, "play"},
        {g->margin, "margin"},
        {g->side, "side"},
        {g->key, "key"},
        {g->parse_position, "parse_position"},
        {g->print_position, "print_position"},
        {g->print_move, "print_move"},
    };
    for (size_t i = 0; i < sizeof members / sizeof *members; i++)
        if (!members[i].there)
            return members[i].name;
    return NULL;
}

/* Texts are shown on terminals and pages. */
static bool vet_shown(const char *what, const char *text, struct vet_fault *fault)
{
    char escaped[80];
    if (!text || text_is_plain(text))
        return true;
    text_escape(text, escaped, sizeof escaped);
    return broken(fault, "texts", "%.40s is '%s', expected UTF-8 without control characters", what, escaped);
}

static bool vet_option_texts(const struct mp_option *option, struct vet_fault *fault)
{
    for (int i = 0; option->words && option->words[i]; i++)
        if (!vet_shown("a word of an option", option->words[i], fault))
            return false;
    return vet_shown("the name of an option", option->name, fault) &&
           vet_shown("the summary of an option", option->summary, fault);
}

static bool vet_options(const struct mp_game *g, struct vet_fault *fault)
{
    for (int i = 0; g->options && g->options[i].name; i++) {
        const struct mp_option *option = &g->options[i];
        int32_t least = option->minimum, most = option->maximum;
        if (i == MP_MAX_OPTIONS)
            return broken(fault, "options.count", "options has more than %d entries before its null name",
                          MP_MAX_OPTIONS);
        if (option->words)
            for (least = 0, most = -1; option->words[most + 1];)
                most++;
        if (option->initial < least || option->initial > most)
            return broken(fault, "options.initial", "option '%.40s' is %d by default, expected %d to %d",
                          option->name, option->initial, least, most);
        if (!vet_option_texts(option, fault))
            return false;
    }
    return true;
}

static bool vet_evaluation_list(const struct mp_game *g, struct vet_fault *fault)
{
    for (int i = 0; g->evaluations[i].name; i++) {
        const struct mp_evaluation *e = &g->evaluations[i];
        if (i == MOST_EVALUATIONS)
            return broken(fault, "evaluations.end",
                          "evaluations has more than %d entries before its null name", MOST_EVALUATIONS);
        if (!e->evaluate || !e->summary)
            return broken(fault, "evaluations", "evaluation '%.40s' lacks its %s", e->name,
                          e->evaluate ? "summary" : "evaluate");
        for (int j = 0; j < i; j++)
            if (!strcmp(e->name, g->evaluations[j].name))
                return broken(fault, "evaluations.names", "two evaluations are called '%.40s'", e->name);
        if (!vet_shown("the name of an evaluation", e->name, fault) ||
            !vet_shown("the summary of an evaluation", e->summary, fault))
            return false;
    }
    return true;
}

bool vet_members(const struct mp_game *g, struct vet_fault *fault)
{
    const char *missing = missing_member(g);
    return !missing || broken(fault, "members", "lacks the required member %s", missing);
}

bool vet_table(const struct mp_game *g, struct vet_fault *fault)
{
    size_t good = strspn(g->name, "abcdefghijklmnopqrstuvwxyz0123456789-");
    if (g->name[good])
        return broken(fault, "name", "name is '%.40s', expected lower-case letters, digits and '-'", g->name);
    if (g->state_size > MP_MAX_STATE)
        return broken(fault, "state_size", "state_size is %u, expected 1 to %d bytes", g->state_size,
                      MP_MAX_STATE);
    if (g->scoring != MP_SCORE_WIN && g->scoring != MP_SCORE_MARGIN && g->scoring != MP_SCORE_POINTS)
        return broken(fault, "scoring", "scoring is %d, expected one of enum mp_scoring", (int)g->scoring);
    if (g->scoring == MP_SCORE_POINTS && (int64_t)g->margin_max * g->units_per_point > MP_EVAL_MAX)
        return broken(fault, "units_per_point",
                      "margin_max times units_per_point is %lld, expected at most %d, as for evaluations",
                      (long long)g->margin_max * g->units_per_point, MP_EVAL_MAX);
    if (g->symmetry_count < 0 || g->symmetry_count > MOST_SYMMETRIES)
        return broken(fault, "symmetry_count", "symmetry_count is %d, expected 0 to %d", g->symmetry_count,
                      MOST_SYMMETRIES);
    if (g->ordering->index_moves && g->ordering->index_count > 65536)
        return broken(fault, "index_count",
                      "index_count is %u, expected at most 65536, as indices are 16 bits",
                      g->ordering->index_count);
    const struct mp_features *f = g->features;
    if (f && (!f->list || f->count < 1 || f->count > 65536 || f->most < 1 || f->most > 1024 || f->views < 1 ||
              f->views > 2 || f->heads > 64))
        return broken(
            fault, "features",
            "features have %u inputs, %u active, %u views and %u heads, expected a list of 1 to 65536, 1 to "
            "1024, 1 or 2, and at most 64",
            f->count, f->most, f->views, f->heads);
    if (f && (f->prepare || f->list_child) && (!f->prepare || !f->list_child || f->views != 1))
        return broken(fault, "features.list_child",
                      "features have %s and %u views, expected both prepare and list_child, and one view",
                      !f->prepare ? "no prepare" : !f->list_child ? "no list_child" : "list_child", f->views);
    if (g->playout_scale < 0)
        return broken(fault, "playout_scale", "playout_scale is %d, expected 0 or more", g->playout_scale);
    return vet_shown("summary", g->summary, fault) &&
           vet_shown("the name of a player", g->players[0], fault) &&
           vet_shown("the name of a player", g->players[1], fault) && vet_options(g, fault) &&
           vet_evaluation_list(g, fault);
}

/* ---- One state ----------------------------------------------------------------------------------------- */

struct vet *vet_new(const struct mp_game *game)
{
    struct vet *vet = calloc(1, sizeof *vet);
    if (!vet)
        return NULL;
    vet->game = game;
    vet->stride = memory_lines(game->state_size);
    vet->child = aligned_alloc(64, vet->stride + 64);
    vet->copy = aligned_alloc(64, vet->stride + 64 * COPIES);
    vet->before = malloc(game->state_size);
    if (vet->child && vet->copy && vet->before) {
        memset(vet->child, 0, vet->stride);
        memset(vet->copy, 0, vet->stride);
        return vet;
    }
    vet_free(vet);
    return NULL;
}

void vet_free(struct vet *vet)
{
    if (!vet)
        return;
    free(vet->child);
    free(vet->copy);
    free(vet->before);
    free(vet);
}

const mp_move *vet_moves(const struct vet *vet, int *count, bool *is_chance)
{
    *count = vet->count;
    *is_chance = vet->is_chance;
    return vet->moves;
}

const char *vet_text(const struct vet *vet)
{
    return vet->text;
}

static void calls(struct vet *vet, const char *name)
{
    if (vet->calling)
        *vet->calling = name;
}

static void set_guard(void *after)
{
    memset(after, GUARD_BYTE, GUARD);
}

static bool guard_is_whole(const void *after)
{
    const unsigned char *byte = after;
    for (int i = 0; i < GUARD; i++)
        if (byte[i] != GUARD_BYTE)
            return false;
    return true;
}

static bool state_is_unchanged(struct vet *vet, const char *function)
{
    if (!memcmp(vet->before, vet->state, vet->game->state_size))
        return true;
    char promise[32];
    snprintf(promise, sizeof promise, "%.20s.pure", function);
    return broken(vet->fault, promise, "%s changes the state it is given, expected the same bytes as before",
                  function);
}

static bool vet_side(struct vet *vet)
{
    const struct mp_game *game = vet->game;
    calls(vet, "side");
    vet->side = game->side(game, vet->state);
    if (vet->side != 0 && vet->side != 1)
        return broken(vet->fault, "side", "side returns %d, expected 0 or 1", vet->side);
    return state_is_unchanged(vet, "side");
}

/* Lists the moves or the outcomes, as far as they fit. */
static int ask(struct vet *vet, bool chance, mp_move *moves, uint32_t *weights, int capacity)
{
    const struct mp_game *game = vet->game;
    calls(vet, chance ? "chances" : "list");
    return chance ? game->chances(game, vet->state, moves, weights, capacity)
                  : game->list(game, vet->state, moves, capacity);
}

/* The same count whatever the capacity, and nothing behind it. */
static bool vet_capacity(struct vet *vet, bool chance, int capacity)
{
    const char *name = chance ? "chances" : "list";
    int kept = capacity < vet->count ? capacity : vet->count;
    set_guard(vet->others + capacity);
    set_guard(vet->weights + capacity);
    int count = ask(vet, chance, vet->others, chance ? vet->weights : NULL, capacity);
    if (!guard_is_whole(vet->others + capacity) || (chance && !guard_is_whole(vet->weights + capacity)))
        return broken(vet->fault, chance ? "chances.capacity" : "list.capacity",
                      "%s writes past the capacity of %d it is given, expected as many as fit", name,
                      capacity);
    if (count != vet->count)
        return broken(
            vet->fault, chance ? "chances.count" : "list.count",
            "%s returns %d with a capacity of %d and %d with a capacity of 0, expected the same count", name,
            count, capacity, vet->count);
    if (capacity >= vet->count)
        memcpy(vet->moves, vet->others, (size_t)kept * sizeof *vet->moves);
    else if (memcmp(vet->moves, vet->others, (size_t)kept * sizeof *vet->moves) != 0)
        return broken(vet->fault, chance ? "chances.order" : "list.order",
                      "%s writes other moves with a capacity of %d than with one of %d", name, capacity,
                      MP_MAX_MOVES);
    return true;
}

/* Copies of the state at other addresses, asked later, have the same moves in the same order. */
static bool vet_copies(struct vet *vet, bool chance)
{
    const struct mp_game *game = vet->game;
    for (int i = 0; i < COPIES; i++) {
        char *copy = vet->copy + 64 * i;
        memcpy(copy, vet->before, game->state_size);
        calls(vet, chance ? "chances" : "list");
        int count = chance ? game->chances(game, copy, vet->others, NULL, MP_MAX_MOVES)
                           : game->list(game, copy, vet->others, MP_MAX_MOVES);
        if (count != vet->count || memcmp(vet->moves, vet->others, (size_t)count * sizeof *vet->moves) != 0)
            return broken(vet->fault, chance ? "chances.pure" : "list.pure",
                          "%s lists other moves for a copy of the state, expected the same in the same order",
                          chance ? "chances" : "list");
    }
    return true;
}

static int by_size(const void *a, const void *b)
{
    mp_move x = *(const mp_move *)a, y = *(const mp_move *)b;
    return (x > y) - (x < y);
}

/* Are no two moves the same, in all bits or in the low ones? */
static bool vet_distinct(struct vet *vet, const char *name)
{
    memcpy(vet->others, vet->moves, (size_t)vet->count * sizeof *vet->moves);
    qsort(vet->others, (size_t)vet->count, sizeof *vet->others, by_size);
    for (int i = 0; i < vet->count; i++) {
        if (vet->others[i] == MP_NO_MOVE)
            return broken(vet->fault, "list.no_move", "%s lists MP_NO_MOVE, expected any other number", name);
        if (i > 0 && vet->others[i] == vet->others[i - 1])
            return broken(vet->fault, "list.twice", "%s lists the move %llu twice, expected each move once",
                          name, (unsigned long long)vet->others[i]);
    }
    return true;
}

static bool vet_weights(struct vet *vet)
{
    uint64_t total = 0;
    for (int i = 0; i < vet->count; i++) {
        if (vet->weights[i] == 0)
            return broken(vet->fault, "chances.weights",
                          "chances gives outcome %d of %d the weight 0, expected at least 1", i + 1,
                          vet->count);
        total += vet->weights[i];
    }
    if (total > UINT32_MAX)
        return broken(vet->fault, "chances.weights",
                      "the weights of chances add up to %llu, expected less than 2^32",
                      (unsigned long long)total);
    return true;
}

static bool vet_list(struct vet *vet)
{
    const struct mp_game *game = vet->game;
    vet->count = game->chances ? ask(vet, true, NULL, NULL, 0) : 0;
    bool chance = vet->is_chance = vet->count != 0;
    if (!chance)
        vet->count = ask(vet, false, NULL, NULL, 0);
    const char *name = chance ? "chances" : "list";
    if (!state_is_unchanged(vet, name))
        return false;
    if (vet->count < 0 || vet->count > MP_MAX_MOVES) {
        int count = vet->count;
        vet->count = 0;
        return broken(vet->fault, chance ? "chances.count" : "list.count", "%s returns %d, expected 0 to %d",
                      name, count, MP_MAX_MOVES);
    }
    if (!vet_capacity(vet, chance, MP_MAX_MOVES) || (chance && !vet_weights(vet)) ||
        !vet_distinct(vet, name) || !vet_copies(vet, chance) || !vet_capacity(vet, chance, SMALL) ||
        !vet_capacity(vet, chance, 0))
        return false;
    return state_is_unchanged(vet, name);
}

static bool vet_key(struct vet *vet)
{
    const struct mp_game *game = vet->game;
    calls(vet, "key");
    uint64_t key = game->key(game, vet->state);
    memcpy(vet->copy, vet->before, game->state_size);
    if (game->key(game, vet->copy) != key)
        return broken(vet->fault, "key.pure", "key is different for a copy of the state, expected the same");
    return state_is_unchanged(vet, "key");
}

/* What a printer has written into a buffer of this many bytes. */
static bool vet_printed(struct vet *vet, const char *name, const char *text, int length, int expected,
                        size_t size)
{
    char promise[32];
    snprintf(promise, sizeof promise, "%.20s.text", name);
    if (!guard_is_whole(text + size))
        return broken(vet->fault, promise, "%s writes past the %zu bytes it is given", name, size);
    if (!memchr(text, 0, size))
        return broken(vet->fault, promise,
                      "%s does not end its text with a zero within the %zu bytes it is given", name, size);
    if (length < 1 || length >= TEXT)
        return broken(vet->fault, promise, "%s returns a length of %d, expected 1 to %d", name, length,
                      TEXT - 1);
    if (length != expected && expected >= 0)
        return broken(vet->fault, promise, "%s returns %d for a buffer of %zu bytes and %d for a large one",
                      name, length, size, expected);
    if (size > (size_t)length && strlen(text) != (size_t)length)
        return broken(vet->fault, promise, "%s returns a length of %d for a text of %zu characters", name,
                      length, strlen(text));
    return size <= (size_t)length || vet_shown(name, text, vet->fault);
}

static int print_text(struct vet *vet, const void *state, char *text, size_t size)
{
    calls(vet, "print_position");
    memset(text, GUARD_BYTE, size);
    set_guard(text + size);
    return vet->game->print_position(vet->game, state, text, size);
}

static bool vet_position_text(struct vet *vet)
{
    const struct mp_game *game = vet->game;
    char small[3 + GUARD];
    int length = print_text(vet, vet->state, vet->text, TEXT);
    if (!vet_printed(vet, "print_position", vet->text, length, -1, TEXT)) {
        vet->text[0] = 0;
        return false;
    }
    int again = print_text(vet, vet->state, small, 3);
    if (!vet_printed(vet, "print_position", small, again, length, 3))
        return false;
    struct mp_error error = {.text = "no reason given"};
    memset(vet->copy, 0, vet->stride);
    calls(vet, "parse_position");
    if (!game->parse_position(game, vet->text, vet->copy, &error))
        return broken(vet->fault, "parse_position.printed",
                      "parse_position does not read what print_position writes, '%.80s': %.200s", vet->text,
                      error.text);
    length = print_text(vet, vet->copy, vet->again, TEXT);
    if (!vet_printed(vet, "print_position", vet->again, length, -1, TEXT))
        return false;
    if (strcmp(vet->text, vet->again) != 0)
        return broken(vet->fault, "parse_position.same",
                      "parse_position makes '%.80s' of the printed position, expected '%.80s'", vet->again,
                      vet->text);
    calls(vet, "key");
    if (game->key(game, vet->copy) != game->key(game, vet->state))
        return broken(vet->fault, "parse_position.key",
                      "key is another one after print_position and parse_position, expected the same");
    calls(vet, "side");
    if (game->side(game, vet->copy) != vet->side)
        return broken(vet->fault, "parse_position.side",
                      "side is another one after print_position and parse_position, expected the same");
    return state_is_unchanged(vet, "print_position");
}

static bool vet_move_texts(struct vet *vet)
{
    const struct mp_game *game = vet->game;
    calls(vet, "print_move");
    for (int i = 0; i < vet->count; i++) {
        memset(vet->again, GUARD_BYTE, TEXT);
        set_guard(vet->again + TEXT);
        int length = game->print_move(game, vet->state, vet->moves[i], vet->again, TEXT);
        if (!vet_printed(vet, "print_move", vet->again, length, -1, TEXT))
            return false;
        if (i > 0)
            continue;
        char small[2 + GUARD];
        memset(small, GUARD_BYTE, sizeof small);
        int again = game->print_move(game, vet->state, vet->moves[i], small, 2);
        if (!vet_printed(vet, "print_move", small, again, length, 2))
            return false;
    }
    return true;
}

static bool vet_evaluations(struct vet *vet)
{
    const struct mp_game *game = vet->game;
    for (const struct mp_evaluation *e = game->evaluations; e->name; e++) {
        calls(vet, "evaluate");
        mp_value value = e->evaluate(game, e, vet->state);
        if (!state_is_unchanged(vet, "evaluate"))
            return false;
        memcpy(vet->copy, vet->before, game->state_size);
        mp_value again = e->evaluate(game, e, vet->copy);
        if (again != value)
            return broken(vet->fault, "evaluate.pure",
                          "evaluation '%.40s' says %d and then %d of the same state, expected one value",
                          e->name, value, again);
        if (value >= -MP_EVAL_MAX && value <= MP_EVAL_MAX)
            continue;
        calls(vet, "margin");
        if (vet->count > 0 || value != mp_state_final_value(game, vet->state, 0))
            return broken(vet->fault, "evaluate.range", "evaluation '%.40s' says %d, expected -%d to %d%s",
                          e->name, value, MP_EVAL_MAX, MP_EVAL_MAX,
                          vet->count > 0 ? "" : " or mp_final_value(game, margin, 0)");
    }
    return true;
}

static bool vet_end(struct vet *vet)
{
    const struct mp_game *game = vet->game;
    calls(vet, "margin");
    int margin = game->margin(game, vet->state);
    if (margin < -game->margin_max || margin > game->margin_max)
        return broken(vet->fault, "margin", "margin returns %d of a finished state, expected -%d to %d",
                      margin, game->margin_max, game->margin_max);
    return state_is_unchanged(vet, "margin");
}

/* Plays a move on memory that is full of a byte; the key of what is there then. */
static bool play_on(struct vet *vet, mp_move move, int byte, uint64_t *key)
{
    const struct mp_game *game = vet->game;
    memset(vet->child, byte, game->state_size);
    set_guard(vet->child + game->state_size);
    calls(vet, "play");
    game->play(game, vet->state, move, vet->child);
    if (!guard_is_whole(vet->child + game->state_size))
        return broken(vet->fault, "play.size", "play writes past the %u bytes of a state", game->state_size);
    calls(vet, "key");
    *key = game->key(game, vet->child);
    return state_is_unchanged(vet, "play");
}

static bool vet_play(struct vet *vet)
{
    const struct mp_game *game = vet->game;
    for (int i = 0; i < vet->count; i++) {
        uint64_t key, again;
        if (!play_on(vet, vet->moves[i], 0xff, &key) || !play_on(vet, vet->moves[i], 0, &again))
            return false;
        if (key != again)
            return broken(
                vet->fault, "play.pure",
                "play does not make the same state twice, or leaves a part of it as it was in memory");
        calls(vet, "side");
        int next = game->side(game, vet->child), expected = vet->is_chance ? vet->side : !vet->side;
        if (next != expected)
            return broken(vet->fault, "play.side", "side is %d after player %d's %s, expected %d", next,
                          vet->side, vet->is_chance ? "outcome of chance" : "move", expected);
    }
    return true;
}

static bool is_piece(char c)
{
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

static bool vet_board(struct vet *vet)
{
    const struct mp_game *game = vet->game;
    struct mp_board board = {.cube_owner = -1};
    memset(board.pieces, '.', sizeof board.pieces);
    calls(vet, "describe");
    game->board->describe(game, vet->state, &board);
    bool grid = board.form == MP_BOARD_GRID;
    int64_t cells = grid ? (int64_t)board.rows * board.columns : 28;
    if (!grid && board.form != MP_BOARD_BACKGAMMON)
        return broken(vet->fault, "board.form", "board has form %d, expected one of enum mp_board_form",
                      (int)board.form);
    if (grid && (board.rows < 1 || board.columns < 1 || cells > MP_MAX_CELLS))
        return broken(vet->fault, "board.size", "board has %d rows and %d columns, expected 1 to %d cells",
                      board.rows, board.columns, MP_MAX_CELLS);
    for (int i = 0; i < MP_MAX_CELLS; i++)
        if (board.pieces[i] != '.' && (i >= cells || !is_piece(board.pieces[i])))
            return broken(vet->fault, "board.pieces", "board puts the byte %d on cell %d, expected %s",
                          board.pieces[i], i, i < cells ? "a letter or '.'" : "'.' beyond its last cell");
    for (int i = 0; i < vet->count && !vet->is_chance; i++) {
        uint16_t way[MP_MAX_CELLS + GUARD];
        calls(vet, "move_cells");
        set_guard(way + 1);
        int count = game->board->move_cells(game, vet->state, vet->moves[i], way, 1);
        if (!guard_is_whole(way + 1))
            return broken(vet->fault, "move_cells.capacity",
                          "move_cells writes past the capacity of 1 it is given");
        set_guard(way + MP_MAX_CELLS);
        int all = game->board->move_cells(game, vet->state, vet->moves[i], way, MP_MAX_CELLS);
        if (count != all || all < 0 || all > MP_MAX_CELLS || !guard_is_whole(way + MP_MAX_CELLS))
            return broken(
                vet->fault, "move_cells.count",
                "move_cells returns %d with a capacity of 1 and %d with %d, expected the same, 0 to %d",
                count, all, MP_MAX_CELLS, MP_MAX_CELLS);
        for (int c = 0; c < all; c++)
            if (way[c] >= cells)
                return broken(vet->fault, "move_cells.cell", "move_cells names the cell %d, expected 0 to %d",
                              way[c], (int)cells - 1);
    }
    return true;
}

/* What a network is shown: inputs that exist, not more than were announced. */
static bool vet_features(struct vet *vet, const void *state)
{
    const struct mp_game *game = vet->game;
    const struct mp_features *f = game->features;
    for (int player = 0; player < 2; player++) {
        if (f->views == 1 && player != game->side(game, state))
            continue;
        calls(vet, "features.list");
        memset(vet->indices, 0, f->most * sizeof *vet->indices);
        set_guard(vet->indices + f->most);
        int count = f->list(game, state, player, vet->indices);
        if (count < 0 || (uint32_t)count > f->most || !guard_is_whole(vet->indices + f->most))
            return broken(vet->fault, "features.most", "features.list gives %d inputs, expected at most %u",
                          count, f->most);
        for (int i = 0; i < count; i++)
            if (vet->indices[i] >= f->count)
                return broken(vet->fault, "features.range",
                              "features.list gives input %d, expected less than %u", vet->indices[i],
                              f->count);
    }
    int head = f->head ? f->head(game, state) : 0;
    return (head >= 0 && (uint32_t)head < (f->heads ? f->heads : 1)) ||
           broken(vet->fault, "features.head", "features.head gives %d, expected less than %u", head,
                  f->heads ? f->heads : 1);
}

/* Hooks that every state is asked for, with what they say of it at once. */
static bool vet_hooks(struct vet *vet)
{
    const struct mp_game *game = vet->game;
    const void *state = vet->state;
    if (game->count) {
        calls(vet, "count");
        int count = game->count(game, state);
        if (count != vet->count)
            return broken(vet->fault, "count", "count returns %d, expected %d as list does", count,
                          vet->count);
    }
    if (game->perft && vet->count > 0) {
        calls(vet, "perft");
        uint64_t leaves = game->perft(game, state, 1, true);
        if (leaves != (uint64_t)vet->count)
            return broken(vet->fault, "perft",
                          "perft counts %llu leaves at depth 1, expected the %d moves of list",
                          (unsigned long long)leaves, vet->count);
    }
    if (game->ordering->list_scored) {
        calls(vet, "list_scored");
        set_guard(vet->scores + SMALL);
        set_guard(vet->others + SMALL);
        int count = game->ordering->list_scored(game, state, 1, vet->others, vet->scores, SMALL);
        if (!guard_is_whole(vet->scores + SMALL) || !guard_is_whole(vet->others + SMALL))
            return broken(vet->fault, "list_scored.capacity",
                          "list_scored writes past the capacity of %d it is given, expected as many as fit",
                          SMALL);
        if (count != vet->count)
            return broken(vet->fault, "list_scored.count", "list_scored returns %d, expected %d as list does",
                          count, vet->count);
    }
    if (game->ordering->index_moves && vet->count > 0) {
        calls(vet, "index_moves");
        set_guard(vet->indices + vet->count);
        game->ordering->index_moves(game, state, vet->moves, vet->count, vet->indices);
        if (!guard_is_whole(vet->indices + vet->count))
            return broken(vet->fault, "index_moves.count",
                          "index_moves writes more than the %d indices of %d moves", vet->count, vet->count);
        for (int i = 0; i < vet->count; i++)
            if (vet->indices[i] >= game->ordering->index_count)
                return broken(vet->fault, "index_moves",
                              "index_moves gives a move the index %d, expected less than %u", vet->indices[i],
                              game->ordering->index_count);
    }
    if (game->features && !vet_features(vet, state))
        return false;
    if (game->playout && vet->count > 0) {
        calls(vet, "playout");
        int margin = game->playout(game, state, 1);
        if (margin < -game->margin_max || margin > game->margin_max)
            return broken(vet->fault, "playout.range", "playout returns %d, expected -%d to %d", margin,
                          game->margin_max, game->margin_max);
    }
    return true;
}

bool vet_state(struct vet *vet, const void *state, struct vet_fault *fault)
{
    vet->fault = fault;
    vet->state = state;
    vet->count = 0;
    vet->text[0] = 0;
    memcpy(vet->before, state, vet->game->state_size);
    return vet_side(vet) && vet_list(vet) && vet_key(vet) && vet_position_text(vet) && vet_move_texts(vet) &&
           vet_evaluations(vet) && (vet->count > 0 || vet_end(vet)) && vet_play(vet) &&
           (!vet->game->board->describe || vet_board(vet)) && (vet->is_chance || vet_hooks(vet));
}

/* ---- A game that is opened ----------------------------------------------------------------------------- */

/* Lines of random play until this many moves have been looked at; more outcomes of chance in a row than
 * CHANCES_IN_A_ROW would be a game in which nobody ever moves. */
enum {
    LINES = 2,
    PLIES = 10,
    ENOUGH_MOVES = 1500,
    CHANCES_IN_A_ROW = 64,
    CPU_SECONDS = 1,
    SECONDS = 60,
    MEGABYTES = 256
};

/* Shared with the process that vets. */
struct outcome {
    const char *volatile calling; /* the same address means the same text in both processes */
    volatile bool is_done, is_right;
    struct vet_fault fault;
    int plies;
};

static bool vet_line(struct vet *vet, struct outcome *outcome, char *state, uint64_t seed, int *checked)
{
    const struct mp_game *game = vet->game;
    int chances = 0;
    outcome->plies = 0;
    memset(state, 0, vet->stride);
    set_guard(state + game->state_size);
    calls(vet, "initial");
    game->initial(game, state);
    if (!guard_is_whole(state + game->state_size))
        return broken(&outcome->fault, "initial.size", "initial writes past the %u bytes of a state",
                      game->state_size);
    for (int ply = 0; ply < PLIES && *checked < ENOUGH_MOVES; outcome->plies++) {
        if (!vet_state(vet, state, &outcome->fault))
            return false;
        if (vet->count == 0)
            break;
        *checked += vet->count;
        chances = vet->is_chance ? chances + 1 : 0;
        ply += !vet->is_chance;
        if (chances > CHANCES_IN_A_ROW)
            return broken(
                &outcome->fault, "chances.end",
                "chances has outcomes %d times in a row, expected that a player is to move at some time",
                chances);
        calls(vet, "play");
        game->play(game, state, vet->moves[random_below(random_next(&seed), (uint32_t)vet->count)],
                   vet->child);
        memcpy(state, vet->child, game->state_size);
    }
    return true;
}

static bool vet_lines(const struct mp_game *game, struct outcome *outcome)
{
    struct vet *vet = vet_new(game);
    char *state = aligned_alloc(64, memory_lines(game->state_size) + 64);
    int checked = 0;
    bool right = vet && state;
    if (!right)
        broken(&outcome->fault, "memory", "there is no memory for its states");
    else
        vet->calling = &outcome->calling;
    for (uint64_t seed = 0; right && seed < LINES; seed++)
        right = vet_line(vet, outcome, state, seed, &checked);
    free(state);
    vet_free(vet);
    return right;
}

void vet_limit_memory(size_t megabytes)
{
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) /* these reserve terabytes */
    unsigned long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file && fscanf(file, "%lu", &pages) == 1) {
        rlim_t bytes = (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE) + ((rlim_t)megabytes << 20);
        setrlimit(RLIMIT_AS, &(struct rlimit){bytes, bytes});
    }
    if (file)
        fclose(file);
#else
    (void)megabytes;
#endif
}

/* In the new process: a function that does not return is ended by the kernel. */
static _Noreturn void vet_and_exit(const struct mp_game *game, struct outcome *outcome)
{
    static const int fatal[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGPROF, SIGALRM};
    sigset_t none;
    for (size_t i = 0; i < sizeof fatal / sizeof *fatal; i++)
        signal(fatal[i], SIG_DFL);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    vet_limit_memory(MEGABYTES);
    setitimer(ITIMER_PROF, &(struct itimerval){.it_value.tv_sec = CPU_SECONDS}, NULL);
    alarm(SECONDS);
    outcome->is_right = vet_lines(game, outcome);
    outcome->is_done = true;
    _exit(0);
}

const char *vet_signal_name(int number)
{
    static const struct {
        int number;
        const char *name;
    } names[] = {{SIGSEGV, "SIGSEGV"}, {SIGBUS, "SIGBUS"},   {SIGFPE, "SIGFPE"},   {SIGILL, "SIGILL"},
                 {SIGABRT, "SIGABRT"}, {SIGKILL, "SIGKILL"}, {SIGTRAP, "SIGTRAP"}, {SIGSYS, "SIGSYS"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].number == number)
            return names[i].name;
    return "a signal";
}

static bool tell(const struct outcome *outcome, int status, struct mp_error *error)
{
    char place[64] = "in the initial position";
    const char *calling = outcome->calling ? outcome->calling : "a function";
    if (outcome->plies > 0)
        snprintf(place, sizeof place, "%d random move%s from the start", outcome->plies,
                 outcome->plies == 1 ? "" : "s");
    if (outcome->is_done)
        return outcome->is_right || mp_fail(error, "%s, %s", outcome->fault.text, place);
    int number = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    if (number == SIGPROF || number == SIGALRM)
        return mp_fail(error, "%s does not return within %d s, %s", calling, CPU_SECONDS, place);
    if (number)
        return mp_fail(error, "%s crashes (%s), %s", calling, vet_signal_name(number), place);
    return mp_fail(error, "%s ends the process, expected that it returns, %s", calling, place);
}

bool vet_game(const struct mp_game *game, struct mp_error *error)
{
    struct outcome *outcome = mmap(NULL, sizeof *outcome, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
                                   -1, 0);
    if (outcome == MAP_FAILED)
        return true; /* what cannot be looked at is taken as it is */
    int status = 0;
    pid_t id = fork();
    if (id == 0)
        vet_and_exit(game, outcome);
    if (id < 0) {
        outcome->is_right = vet_lines(game, outcome);
        outcome->is_done = true;
    } else
        while (waitpid(id, &status, 0) < 0 && errno == EINTR)
            ; /* without the status (a program that lets others wait) is_done tells enough */
    bool right = tell(outcome, status, error);
    munmap(outcome, sizeof *outcome);
    return right;
}
