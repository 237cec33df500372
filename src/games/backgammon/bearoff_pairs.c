/* bearoff_pairs.c - makes the table of pairs of home boards, from the end of the game backwards.
 *
 * Every play takes pips off the board, so a pair needs only pairs with fewer pips in all: those with as many are worked out
 * by all threads together, each taking the next board of the opponent. A pair is written by one thread and read in later
 * rounds only. */
#include "games/backgammon/bearoff_pairs.h"

#include "base/thread.h"

#include <stdatomic.h>
#include <stdlib.h>

enum {
    BOARDS = BEAROFF_PAIRS_BOARDS,
    ROLLS = 21,
    MOST_PIPS = 6 * BEAROFF_PAIRS_MEN,
    MOST_PLAYS = 126, /* four steps from six points, in any order: C(9, 4) */
};

/* What a pair is worth to who is to throw at the beginning of the turn, the choice to double included: without a cube, with
 * it in the middle, owned by the other, owned by who is to throw. */
enum { CUBELESS, CENTRED, LENT, OWNED, KINDS };
typedef float pair[KINDS];

struct pair_maker {
    const struct bearoff *bearoff;
    struct bearoff_pair *table;
    pair *pairs;                        /* by the board of who is to throw, then of the other */
    uint16_t *plays;                    /* the boards that plays lead to, without double ones */
    uint32_t first[BOARDS * ROLLS + 1]; /* where those of a board and roll begin */
    uint8_t weight[ROLLS];
    int pips[BOARDS];
    int threads;
    /* The present round. */
    int total;
    _Atomic int next; /* board of the opponent */
};

/* ---- Plays ------------------------------------------------------------------------------------------------- */

struct play_list {
    uint16_t *boards;
    uint32_t count;
};

static void add_board(struct play_list *list, uint32_t board)
{
    for (uint32_t i = 0; i < list->count; i++)
        if (list->boards[i] == board)
            return;
    list->boards[list->count++] = (uint16_t)board;
}

static void list_steps(const struct pair_maker *m, uint8_t men[32], const int *dice, int count,
                       struct play_list *list)
{
    int highest = 6;
    while (highest > 0 && men[highest] == 0)
        highest--;
    if (count == 0 || highest == 0) {
        add_board(list, bearoff_number(m->bearoff, men));
        return;
    }
    for (int from = highest; from > 0; from--) {
        int die = dice[0];
        if (men[from] == 0 || (from < die && from < highest))
            continue;
        int to = from > die ? from - die : BACKGAMMON_OFF;
        men[from]--;
        men[to]++;
        list_steps(m, men, dice + 1, count - 1, list);
        men[from]++;
        men[to]--;
    }
}

static void list_plays(struct pair_maker *m, uint32_t board)
{
    uint8_t men[32] = {0};
    int roll = 0;
    bearoff_men(m->bearoff, board, men);
    m->pips[board] = 0;
    for (int p = 1; p <= 6; p++)
        m->pips[board] += p * men[p];
    for (int larger = 1; larger <= 6; larger++)
        for (int smaller = 1; smaller <= larger; smaller++, roll++) {
            uint32_t *first = &m->first[board * ROLLS + (uint32_t)roll];
            struct play_list list = {m->plays + *first, 0};
            if (larger == smaller) {
                list_steps(m, men, (const int[]){larger, larger, larger, larger}, 4, &list);
            } else {
                list_steps(m, men, (const int[]){larger, smaller}, 2, &list);
                list_steps(m, men, (const int[]){smaller, larger}, 2, &list);
            }
            m->weight[roll] = larger == smaller ? 1 : 2;
            first[1] = *first + list.count;
        }
}

/* ---- Values ------------------------------------------------------------------------------------------------ */

static int16_t rounded(float value)
{
    value *= BEAROFF_PAIRS_ONE;
    return (int16_t)(value < 0 ? value - 0.5f : value + 0.5f);
}

/* Who may double does, if that is better: the other drops if that is cheaper. */
static float with_double(float rolled, float lent)
{
    float doubled = 2 * lent < 1 ? 2 * lent : 1;
    return doubled > rolled ? doubled : rolled;
}

static void value_pair(struct pair_maker *m, int own, int opp)
{
    const pair *replies = m->pairs + opp * BOARDS; /* of the opponent, to whom the turn goes */
    float sum[KINDS] = {0};
    for (int roll = 0; roll < ROLLS; roll++) {
        const uint32_t *first = &m->first[own * ROLLS + roll];
        pair least = {1, 1, 1, 1};
        for (uint32_t i = first[0]; i < first[1]; i++) {
            const float *reply = replies[m->plays[i]];
            for (int kind = 0; kind < KINDS; kind++)
                least[kind] = reply[kind] < least[kind] ? reply[kind] : least[kind];
        }
        for (int kind = 0; kind < KINDS; kind++)
            sum[kind] -= (float)m->weight[roll] * least[kind];
    }
    for (int kind = 0; kind < KINDS; kind++)
        sum[kind] /= 36;
    /* What the opponent does not own is the thrower's, and the other way round. */
    float owned = sum[LENT], lent = sum[OWNED];
    m->table[own * BOARDS + opp] = (struct bearoff_pair){rounded(sum[CUBELESS]), rounded(sum[CENTRED]),
                                                         rounded(owned), rounded(lent)};
    float *here = m->pairs[own * BOARDS + opp];
    here[CUBELESS] = sum[CUBELESS];
    here[CENTRED] = with_double(sum[CENTRED], lent);
    here[OWNED] = with_double(owned, lent);
    here[LENT] = lent;
}

static void *work(void *context)
{
    struct pair_maker *m = context;
    for (;;) {
        int opp = atomic_fetch_add_explicit(&m->next, 1, memory_order_relaxed);
        if (opp >= BOARDS)
            return NULL;
        for (int own = 1; own < BOARDS; own++)
            if (m->pips[own] + m->pips[opp] == m->total)
                value_pair(m, own, opp);
    }
}

static void go_round(struct pair_maker *m)
{
    enum { MOST_THREADS = 64 };
    pthread_t threads[MOST_THREADS];
    int started = 0;
    atomic_store(&m->next, 1);
    while (started < m->threads - 1 && started < MOST_THREADS && thread_start(&threads[started], work, m))
        started++;
    work(m);
    for (int i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
}

/* Who has nothing left has won: at the other's turn that is a loss. */
static void value_ends(struct pair_maker *m)
{
    for (int board = 0; board < BOARDS; board++) {
        for (int kind = 0; kind < KINDS; kind++) {
            m->pairs[board][kind] = 1;
            m->pairs[board * BOARDS][kind] = -1;
        }
        m->table[board] = (struct bearoff_pair){rounded(1), rounded(1), rounded(1), rounded(1)};
        m->table[board * BOARDS] = (struct bearoff_pair){rounded(-1), rounded(-1), rounded(-1), rounded(-1)};
    }
}

bool bearoff_pairs_make(const struct bearoff *bearoff, struct bearoff_pair *table, int threads,
                        struct mp_error *error)
{
    struct pair_maker *m = calloc(1, sizeof *m);
    bool ok = m && (m->pairs = malloc(sizeof *m->pairs * BOARDS * BOARDS)) &&
              (m->plays = malloc(sizeof *m->plays * BOARDS * ROLLS * MOST_PLAYS));
    if (ok) {
        m->bearoff = bearoff;
        m->table = table;
        m->threads = threads;
        for (uint32_t board = 0; board < BOARDS; board++)
            list_plays(m, board);
        value_ends(m);
        for (m->total = 2; m->total <= 2 * MOST_PIPS; m->total++)
            go_round(m);
    }
    if (m) {
        free(m->pairs);
        free(m->plays);
    }
    free(m);
    return ok || mp_fail_with(error, MP_ERROR_MEMORY, "out of memory for the table of bear-offs");
}

/* ---- Looking up -------------------------------------------------------------------------------------------- */

static int men_left(const uint8_t men[32])
{
    return BACKGAMMON_MEN - men[BACKGAMMON_OFF];
}

const struct bearoff_pair *bearoff_pairs_find(const struct bearoff *bearoff, const struct bearoff_pair *table,
                                              const uint8_t own[32], const uint8_t opp[32])
{
    if (!table || men_left(own) > BEAROFF_PAIRS_MEN || men_left(opp) > BEAROFF_PAIRS_MEN ||
        !bearoff_is_home(own) || !bearoff_is_home(opp))
        return NULL;
    return &table[bearoff_number(bearoff, own) * BOARDS + bearoff_number(bearoff, opp)];
}
