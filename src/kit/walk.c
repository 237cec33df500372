/* walk.c - faults, places and random lines of play. */
#include "kit/walk.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/random.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

bool kit_fault(struct kit *kit, const char *promise, const char *format, ...)
{
    struct kit_report *report = kit->report;
    for (int i = 0; i < report->fault_count; i++)
        if (!strcmp(report->faults[i].promise, promise))
            return false;
    if (report->fault_count == KIT_MOST_FAULTS)
        return false;
    struct kit_fault *fault = &report->faults[report->fault_count];
    *fault = (struct kit_fault){.has_place = report->now.plies >= 0, .place = report->now};
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(fault->text, sizeof fault->text, format, arguments);
    va_end(arguments);
    snprintf(fault->promise, sizeof fault->promise, "%s", promise);
    report->fault_count++; /* last, as another process may read it at any time */
    return false;
}

bool kit_goes_on(struct kit *kit)
{
    if (kit->deadline_ns && clock_ns() >= kit->deadline_ns)
        kit->report->time_is_over = true;
    return !kit->report->time_is_over && kit->report->fault_count < KIT_MOST_FAULTS;
}

void kit_does(struct kit *kit, const char *doing, double share)
{
    kit->report->doing = doing;
    kit->report->share = share < 0 ? 0 : share > 1 ? 1 : share;
}

void *kit_state(const struct mp_game *game)
{
    size_t size = memory_lines(game->state_size);
    void *state = aligned_alloc(64, size);
    return state ? memset(state, 0, size) : NULL;
}

bool kit_open(struct kit *kit, const struct mp_game *game, struct kit_report *report, struct mp_error *error)
{
    *kit = (struct kit){.game = game, .report = report, .vet = vet_new(game)};
    snprintf(report->game, sizeof report->game, "%s", game->name);
    return kit->vet || mp_fail(error, "out of memory");
}

void kit_close(struct kit *kit)
{
    mp_position_free(kit->position);
    vet_free(kit->vet);
}

bool kit_start(struct kit *kit)
{
    struct mp_error error;
    mp_position_free(kit->position);
    kit->report->now = (struct kit_place){0};
    kit->position = mp_position_new(kit->game, NULL, &error);
    return kit->position ||
           kit_fault(kit, "initial", "the initial position cannot be made: %.200s", error.text);
}

/* The last moves are those that matter, where not all fit. */
static void note_move(struct kit_place *place, const char *move)
{
    size_t length = strlen(place->moves), more = strlen(move) + 2;
    place->plies++;
    if (more >= sizeof place->moves / 2)
        return;
    if (length + more >= sizeof place->moves) {
        memmove(place->moves, place->moves + sizeof place->moves / 2, sizeof place->moves / 2);
        memcpy(place->moves, "...", 3);
    }
    text_append(place->moves, sizeof place->moves, "%s%s", *place->moves ? " " : "", move);
}

bool kit_step(struct kit *kit, mp_move move)
{
    char text[KIT_TEXT];
    struct mp_error error;
    kit->game->print_move(kit->game, mp_position_state(kit->position), move, text, sizeof text);
    if (!mp_position_play(kit->position, move, &error))
        return kit_fault(kit, "list.pure",
                         "'%.60s' is listed and then it is not legal, expected the same moves", text);
    kit->report->now.position[0] = 0;
    note_move(&kit->report->now, text);
    return true;
}

bool kit_vet(struct kit *kit)
{
    struct vet_fault fault;
    bool right = vet_state(kit->vet, mp_position_state(kit->position), &fault);
    snprintf(kit->report->now.position, KIT_PLACE, "%s", vet_text(kit->vet));
    return right || kit_fault(kit, fault.promise, "%s", fault.text);
}

/* One random step; false: the game is over, or broken. */
static bool step(struct kit *kit, uint64_t random)
{
    mp_move moves[MP_MAX_MOVES];
    int count = mp_position_moves(kit->position, moves, NULL, MP_MAX_MOVES);
    if (count < 1 || count > MP_MAX_MOVES || mp_position_is_over(kit->position))
        return false;
    return kit_step(kit, moves[random_below(random, (uint32_t)count)]);
}

bool kit_walk(struct kit *kit, uint64_t seed, int most_plies)
{
    enum { ATTEMPTS = 100, CHANCES_IN_A_ROW = 64 };
    for (uint64_t attempt = 0; attempt < ATTEMPTS; attempt++) {
        uint64_t stream = random_at(seed, attempt);
        int plies = (int)random_below(random_next(&stream), (uint32_t)most_plies + 1);
        bool alive = kit_start(kit);
        for (int i = 0;
             alive && i < plies + CHANCES_IN_A_ROW && (i < plies || mp_position_is_chance(kit->position));
             i++)
            alive = step(kit, random_next(&stream));
        if (alive && !mp_position_is_over(kit->position) && !mp_position_is_chance(kit->position)) {
            kit->game->print_position(kit->game, mp_position_state(kit->position), kit->report->now.position,
                                      KIT_PLACE);
            return true;
        }
    }
    return false;
}
