/* harvest.c - see harvest.h.
 *
 * Threads: each takes the number of the next game, plays it with a search of its own, and then, under the
 * lock, writes its lines and adds to the report. A game is a pure function of the seed and its number. */
#include "lab/harvest.h"

#include "base/random.h"
#include "base/thread.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_MOVES = 4096, MOST_TEXT = 1024, DECIDED_PLIES = 4 };

struct field {
    const struct harvest *harvest;
    FILE *file;
    harvest_progress *progress;
    void *context;
    pthread_mutex_t lock; /* guards all that follows, and the file */
    int next;
    struct harvest_report *report;
    struct mp_error *error;
    bool failed;
};

/* The positions of one game, as text without the result. */
struct sheaf {
    char *text;
    size_t size;
    FILE *file;
    int positions;
};

/* Random moves; false: the game ended. */
static bool open_game(const struct harvest *h, struct mp_position *position, uint64_t *stream, int number)
{
    mp_move moves[MOST_MOVES];
    for (int ply = 0; ply < h->random_plies + number % 2; ply++) {
        if (mp_position_is_over(position))
            return false;
        int count = mp_position_moves(position, moves, NULL, MOST_MOVES);
        mp_position_play(position, moves[random_below(random_next(stream), (uint32_t)count)], NULL);
    }
    return !mp_position_is_over(position);
}

/* Quiet: nobody has to answer a threat at once, and the best move changes little. */
static bool is_quiet(const struct mp_game *game, const void *state, const struct mp_result *result)
{
    mp_move noisy[MOST_MOVES];
    if (abs(result->value) > MP_EVAL_MAX ||
        (game->selective->in_check && game->selective->in_check(game, state)))
        return false;
    int count = game->selective->list_noisy ? game->selective->list_noisy(game, state, noisy, MOST_MOVES) : 0;
    for (int i = 0; i < count; i++)
        if (noisy[i] == result->move)
            return false;
    return true;
}

static void keep(const struct mp_game *game, const void *state, mp_value value, struct sheaf *sheaf)
{
    char text[MOST_TEXT];
    int length = game->print_position(game, state, text, sizeof text);
    if (length < 0 || (size_t)length >= sizeof text)
        return;
    fprintf(sheaf->file, "%s\t%d\n", text, value);
    sheaf->positions++;
}

/* Plays to the end, or until it is clear how it ends; the margin for player 0. */
static bool play_on(const struct harvest *h, struct mp_position *position, struct mp_search *search,
                    struct sheaf *sheaf, int *margin, struct mp_error *error)
{
    const struct mp_game *game = h->game;
    int lead_plies = 0;
    *margin = 0;
    for (int ply = 0; ply < h->most_plies; ply++) {
        struct mp_result result = {MP_SIZE(struct mp_result)};
        if (mp_position_is_over(position)) {
            *margin = mp_position_margin(position);
            return true;
        }
        if (!mp_search_run(search, position, NULL, NULL, &result, error))
            return false;
        const void *state = mp_position_state(position);
        mp_value value = game->side(game, state) == 0 ? result.value : -result.value;
        if (ply == 0 && h->unequal && abs(value) > h->unequal)
            return true;
        if (is_quiet(game, state, &result))
            keep(game, state, value, sheaf);
        int lead = h->decided ? (value > h->decided) - (value < -h->decided) : 0;
        lead_plies = lead == 0 ? 0 : lead_plies * lead > 0 ? lead_plies + lead : lead;
        *margin = lead;
        if (abs(lead_plies) == DECIDED_PLIES)
            return true;
        *margin = 0;
        if (!mp_position_play(position, result.move, error))
            return false;
    }
    return true;
}

static bool write_sheaf(struct field *field, const struct sheaf *sheaf, int margin)
{
    struct harvest_report *report = field->report;
    const char *result = margin > 0 ? "1" : margin < 0 ? "0" : "0.5";
    for (const char *line = sheaf->text; *line;) {
        const char *tab = strchr(line, '\t'), *end = strchr(line, '\n');
        fprintf(field->file, "%.*s\t%s%.*s", (int)(tab - line), line, result, (int)(end + 1 - tab), tab);
        line = end + 1;
    }
    if (sheaf->positions > 0) {
        report->games++;
        report->wins += margin > 0;
        report->draws += margin == 0;
        report->losses += margin < 0;
        report->positions += (size_t)sheaf->positions;
    }
    if (field->progress)
        field->progress(report, field->context);
    return !ferror(field->file) || mp_fail(field->error, "the positions could not be written");
}

static bool play_game(struct field *field, int number, struct mp_error *error)
{
    const struct harvest *h = field->harvest;
    uint64_t stream = random_at(h->seed, (uint64_t)number);
    int margin = 0;
    struct sheaf sheaf = {0};
    struct mp_position *position = mp_position_new(h->game, NULL, error);
    struct mp_search *search = position ? mp_search_new(h->game, h->strategy, error) : NULL;
    sheaf.file = open_memstream(&sheaf.text, &sheaf.size);
    bool ok = search && sheaf.file;
    if (ok && open_game(h, position, &stream, number))
        ok = play_on(h, position, search, &sheaf, &margin, error);
    if (sheaf.file && fclose(sheaf.file) != 0)
        ok = mp_fail(error, "out of memory");
    pthread_mutex_lock(&field->lock);
    ok = ok && write_sheaf(field, &sheaf, margin);
    pthread_mutex_unlock(&field->lock);
    free(sheaf.text);
    mp_search_free(search);
    mp_position_free(position);
    return ok;
}

static void *work(void *context)
{
    struct field *field = context;
    for (;;) {
        struct mp_error error = {0};
        pthread_mutex_lock(&field->lock);
        int number = field->failed ? field->harvest->games : field->next++;
        pthread_mutex_unlock(&field->lock);
        if (number >= field->harvest->games)
            return NULL;
        if (play_game(field, number, &error))
            continue;
        pthread_mutex_lock(&field->lock);
        if (!field->failed)
            mp_fail(field->error, "%s", error.text);
        field->failed = true;
        pthread_mutex_unlock(&field->lock);
    }
}

bool harvest_run(const struct harvest *harvest, FILE *file, harvest_progress *progress, void *context,
                 struct harvest_report *report, struct mp_error *error)
{
    *report = (struct harvest_report){0};
    struct field field = {.harvest = harvest,
                          .file = file,
                          .progress = progress,
                          .context = context,
                          .report = report,
                          .error = error};
    pthread_t threads[MP_MAX_THREADS];
    int started = 0;
    pthread_mutex_init(&field.lock, NULL);
    while (started < harvest->threads - 1 && thread_start(&threads[started], work, &field))
        started++;
    work(&field);
    for (int i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
    pthread_mutex_destroy(&field.lock);
    return !field.failed;
}
