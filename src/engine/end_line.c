/* end_line.c - the rest of a line where the game has searched its end by itself. Such a search tells a value and no moves;
 * they are found again one by one, each by the question whether it keeps that value, which the table answers quickly. */
#include "engine/engine.h"

/* Is the state at ply, with this many plies to go, worth no more than value to who is to move there? */
static bool is_at_most(struct worker *w, int ply, int depth, mp_value value)
{
    mp_value found;
    struct move_list list = worker_list(w, ply);
    worker_drop(w, list);
    if (list.count == 0)
        return worker_final(w, ply) <= value;
    return worker_ends(w, ply, depth, value, value + 1, &found) && !w->stopped && found <= value;
}

/* What the table has noted as the best move comes first. */
static void put_noted_first(struct worker *w, int ply, struct move_list list)
{
    struct table_entry entry;
    if (!w->table || !table_probe(w->table, line_table_key(&w->line, ply, w->settings->exact), &entry))
        return;
    for (int i = 1; i < list.count; i++)
        if ((uint16_t)list.moves[i] == entry.move) {
            mp_move first = list.moves[0];
            list.moves[0] = list.moves[i];
            list.moves[i] = first;
        }
}

/* A move at ply that is worth value; it has been played. False: there is none. */
static bool find_move(struct worker *w, int ply, int depth, mp_value value, mp_move *move)
{
    struct move_list list = worker_list(w, ply);
    bool found = false;
    put_noted_first(w, ply, list);
    for (int i = 0; i < list.count && !found && !w->stopped; i++) {
        *move = list.moves[i];
        worker_play(w, ply, *move);
        found = is_at_most(w, ply + 1, depth - 1, -value);
    }
    worker_drop(w, list);
    return found;
}

void end_line(struct worker *w, int depth, struct iteration *line)
{
    mp_value value = line->value;
    bool is_final = value > MP_PROVEN || value < -MP_PROVEN || value == 0;
    if (!w->game->endgame || !is_final)
        return;
    int ply = 0;
    for (; ply < line->pv_length; ply++) {
        worker_play(w, ply, line->pv[ply]);
        value = -value;
    }
    for (; ply < MP_MAX_PV && worker_plies_to_end(w, ply, depth - ply) > 0; ply++) {
        if (!find_move(w, ply, depth - ply, value, &line->pv[ply]))
            return;
        line->pv_length = ply + 1;
        value = -value;
    }
}
