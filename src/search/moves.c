/* moves.c - the memory of a stack of moves. */
#include "search/moves.h"

#include "base/memory.h"

bool moves_init(struct moves *stack)
{
    *stack = (struct moves){.moves = memory_reserve(MOVES_CAPACITY * sizeof *stack->moves),
                            .scores = memory_reserve(MOVES_CAPACITY * sizeof *stack->scores)};
    return stack->moves && stack->scores;
}

void moves_free(struct moves *stack)
{
    memory_release(stack->moves, MOVES_CAPACITY * sizeof *stack->moves);
    memory_release(stack->scores, MOVES_CAPACITY * sizeof *stack->scores);
}
