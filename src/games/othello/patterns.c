/* patterns.c - finds all places of each pattern on the board, and numbers what can stand there. */
#include "games/othello/patterns.h"

#include "base/memory.h"

#include <string.h>

enum { MOST_SQUARES = 10, SIDES = 8 };

/* Each class as it lies at the corner a1, whose square is 0; b1 is 1, a2 is 8. */
static const struct class
{
    int size;
    uint8_t squares[MOST_SQUARES];
} classes[PATTERN_CLASSES] = {
    {10, {9, 0, 1, 2, 3, 4, 5, 6, 7, 14}}, /* edge and both squares diagonal to its corners */
    {9, {0, 1, 2, 8, 9, 10, 16, 17, 18}},  /* corner, 3 x 3 */
    {8, {0, 1, 2, 3, 8, 9, 10, 11}},       /* corner, 4 x 2 */
    {8, {8, 9, 10, 11, 12, 13, 14, 15}},   /* second, third and fourth line */
    {8, {16, 17, 18, 19, 20, 21, 22, 23}},
    {8, {24, 25, 26, 27, 28, 29, 30, 31}},
    {8, {0, 9, 18, 27, 36, 45, 54, 63}}, /* diagonals of eight to four squares */
    {7, {1, 10, 19, 28, 37, 46, 55}},
    {6, {2, 11, 20, 29, 38, 47}},
    {5, {3, 12, 21, 30, 39}},
    {4, {4, 13, 22, 31}},
};

/* Where a square lies when the board is seen from one of its eight sides. */
static int seen(int square, int side)
{
    int file = square & 7, row = square >> 3;
    if (side & 1)
        file = 7 - file;
    if (side & 2)
        row = 7 - row;
    return side & 4 ? file * 8 + row : row * 8 + file;
}

static uint64_t set_of(const struct class *c, int side)
{
    uint64_t set = 0;
    for (int i = 0; i < c->size; i++)
        set |= UINT64_C(1) << seen(c->squares[i], side);
    return set;
}

/* The place in the row that square i takes from another side; the set of squares is the same. */
static int place_of(const struct class *c, int i, int side)
{
    int place = 0;
    while (c->squares[place] != seen(c->squares[i], side))
        place++;
    return place;
}

static uint32_t power_of_3(int n)
{
    uint32_t power = 1;
    while (n-- > 0)
        power *= 3;
    return power;
}

/* Gives each number of a class its input, the mirror image (from a side from which the squares are the same ones)
 * the same; next is the first input that is free, and becomes the next one. */
static void number_inputs(const struct class *c, int side, uint16_t *inputs, uint32_t *next)
{
    const uint32_t numbers = power_of_3(c->size);
    inputs[0] = 0; /* at first, the number of the mirror image */
    for (int i = 0; i < c->size; i++) {
        uint32_t from = power_of_3(i), to = power_of_3(place_of(c, i, side));
        for (uint32_t n = 0; n < 2 * from; n++)
            inputs[from + n] = (uint16_t)(inputs[n] + to);
    }
    for (uint32_t n = 0; n < numbers; n++)
        inputs[n] = inputs[n] < n ? inputs[inputs[n]] : (uint16_t)(*next)++;
}

struct patterns *patterns_new(void)
{
    struct patterns *p = aligned_alloc(MEMORY_LINE, memory_lines(sizeof *p));
    uint32_t offset = 0, next = 0;
    int count = 0;
    if (!p)
        return NULL;
    memset(p->squares, 0, sizeof p->squares);
    for (const struct class *c = classes; c < classes + PATTERN_CLASSES; c++) {
        int mirror = 0;
        for (int side = 0; side < SIDES; side++) {
            bool is_new = true;
            for (int other = 0; other < side; other++)
                is_new = is_new && set_of(c, other) != set_of(c, side);
            /* The square that begins the row tells a mirror image from the same row once more. */
            if (side > 0 && set_of(c, 0) == set_of(c, side) &&
                (place_of(c, 1, side) != 1 || place_of(c, 0, side) != 0))
                mirror = side;
            for (int i = 0; is_new && i < c->size; i++)
                p->squares[seen(c->squares[i], side)][count / PATTERN_STEP][count % PATTERN_STEP] =
                    (uint16_t)power_of_3(i);
            if (is_new)
                p->offsets[count++] = offset;
        }
        number_inputs(c, mirror, p->inputs + offset, &next);
        offset += power_of_3(c->size);
    }
    return p;
}
