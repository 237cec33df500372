/* moves.h - a stack of moves and of their scores, for the lists of all nodes of a line. */
#ifndef SEARCH_MOVES_H
#define SEARCH_MOVES_H

#include "manyply/game.h"

/* Room for the moves of a whole line. Only the pages that are used cost memory. */
enum { MOVES_CAPACITY = 1 << 22 };

struct moves {
    mp_move *moves; /* in address space reserved up front */
    int32_t *scores;
    size_t top;
};

/* The moves of one node; the last list on the stack can grow. */
struct move_list {
    mp_move *moves;
    int32_t *scores; /* undefined unless asked for */
    int count;
};

bool moves_init(struct moves *stack);
void moves_free(struct moves *stack);

static inline int moves_room(const struct moves *stack)
{
    return MOVES_CAPACITY - (int)stack->top;
}

/* Takes what has been written on top of the stack. */
static inline struct move_list moves_push(struct moves *stack, int count)
{
    struct move_list list = {stack->moves + stack->top, stack->scores + stack->top, count};
    stack->top += (size_t)count;
    return list;
}

static inline void moves_drop(struct moves *stack, struct move_list list)
{
    stack->top = (size_t)(list.moves - stack->moves);
}

#endif
