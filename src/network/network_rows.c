/* network_rows.c - the hot part of a network: adds rows to accumulators and goes through the layers. Compiled once for
 * each CPU level; vectors of sixteen numbers, and plain loops that the compiler turns into vectors. */
#include "network/network_inner.h"

#if defined(__SSE2__)
#include <immintrin.h>
#endif

typedef int16_t lanes __attribute__((vector_size(2 * NETWORK_STEP), aligned(2 * NETWORK_STEP), may_alias));

/* Four vectors at a time stay in registers while all rows are added. */
enum { BLOCK = 4 };

#define ADD_ROWS(SIGN, ROWS, COUNT)                                                                          \
    for (int k = 0; k < (COUNT); k++) {                                                                      \
        const lanes *row = (const lanes *)(network->input + (size_t)(ROWS)[k] * width) + first;              \
        for (uint32_t i = 0; i < size; i++)                                                                  \
            sum[i] = sum[i] SIGN row[i];                                                                     \
    }

__attribute__((always_inline)) static inline void add_block(const struct network *network,
                                                            const struct network_change *change,
                                                            const int16_t *from, int16_t *to, uint32_t first,
                                                            uint32_t size)
{
    const uint32_t width = network->shape.width;
    lanes sum[BLOCK];
    for (uint32_t i = 0; i < size; i++)
        sum[i] = ((const lanes *)from)[first + i];
    ADD_ROWS(+, change->come, change->come_count)
    ADD_ROWS(-, change->gone, change->gone_count)
    for (uint32_t i = 0; i < size; i++)
        ((lanes *)to)[first + i] = sum[i];
}

static void accumulate(const struct network *network, const int16_t *from,
                       const struct network_change *change, int16_t *to)
{
    const uint32_t vectors = network->shape.width / NETWORK_STEP;
    uint32_t first = 0;
    for (; first + BLOCK <= vectors; first += BLOCK)
        add_block(network, change, from, to, first, BLOCK);
    for (; first < vectors; first++)
        add_block(network, change, from, to, first, 1);
}

/* The high halves of products of sixteen numbers without sign, for which compilers have no operator. */
__attribute__((always_inline)) static inline void multiply_high(const lanes *a, const lanes *b, lanes *to)
{
#if defined(__AVX2__)
    *(__m256i *)to = _mm256_mulhi_epu16(*(const __m256i *)a, *(const __m256i *)b);
#elif defined(__SSE2__)
    for (int i = 0; i < 2; i++)
        ((__m128i *)to)[i] = _mm_mulhi_epu16(((const __m128i *)a)[i], ((const __m128i *)b)[i]);
#else
    for (int i = 0; i < NETWORK_STEP; i++)
        (*to)[i] = (int16_t)(uint16_t)((uint32_t)(uint16_t)(*a)[i] * (uint16_t)(*b)[i] >> 16);
#endif
}

/* Cut off at 0 and 1, and squared: of both factors as many bits as give a product of 13 in the high half. */
static void activate(const int16_t *sums, uint32_t width, uint32_t shift, int16_t *to)
{
    const lanes one = (lanes){0} + (int16_t)(1 << shift);
    const int16_t left = (int16_t)(15 - shift), right = (int16_t)(14 - shift);
    for (uint32_t i = 0; i < width / NETWORK_STEP; i++) {
        lanes a = ((const lanes *)sums)[i];
        a &= a > 0;
        lanes over = a > one;
        a = (a & ~over) | (one & over);
        lanes high = a << left, low = a << right;
        multiply_high(&high, &low, (lanes *)to + i);
    }
}

typedef int32_t halves __attribute__((vector_size(2 * NETWORK_STEP), may_alias));

/* Adds the sums of products of neighbours. */
__attribute__((always_inline)) static inline void multiply_add(const lanes *a, const lanes *b, halves *sums)
{
#if defined(__AVX2__)
    *sums += (halves)_mm256_madd_epi16(*(const __m256i *)a, *(const __m256i *)b);
#elif defined(__SSE2__)
    for (int i = 0; i < 2; i++)
        ((__m128i *)sums)[i] = _mm_add_epi32(
            ((__m128i *)sums)[i], _mm_madd_epi16(((const __m128i *)a)[i], ((const __m128i *)b)[i]));
#else
    for (int i = 0; i < NETWORK_STEP; i++)
        (*sums)[i / 2] += (int32_t)(*a)[i] * (*b)[i];
#endif
}

/* The products of numbers with some neighbouring rows, which share the loads. */
__attribute__((always_inline)) static inline void
multiply_rows(const int16_t *x, const int16_t *row, uint32_t in, int rows, const int32_t *bias, int32_t *to)
{
    halves sums[BLOCK] = {{0}};
    const uint32_t vectors = in / NETWORK_STEP;
    for (uint32_t i = 0; i < vectors; i++)
        for (int j = 0; j < rows; j++)
            multiply_add((const lanes *)x + i, (const lanes *)row + (size_t)j * vectors + i, &sums[j]);
    for (int j = 0; j < rows; j++) {
        int32_t sum = bias[j];
        for (int i = 0; i < NETWORK_STEP / 2; i++)
            sum += sums[j][i];
        to[j] = sum;
    }
}

static void multiply_layer(const int16_t *x, const struct network_layer *layer, int head, int32_t *to)
{
    const uint32_t in = layer->shape.in, out = layer->shape.out;
    const int16_t *rows = layer->rows + (size_t)head * out * in;
    const int32_t *bias = layer->bias + (size_t)head * out;
    uint32_t row = 0;
    for (; row + BLOCK <= out; row += BLOCK)
        multiply_rows(x, rows + (size_t)row * in, in, BLOCK, bias + row, to + row);
    for (; row < out; row++)
        multiply_rows(x, rows + (size_t)row * in, in, 1, bias + row, to + row);
}

/* ---- Where most of what goes in is 0 ------------------------------------------------------------------- */

typedef int32_t pair __attribute__((may_alias));

/* Which pairs of neighbours are not both 0. Of the hidden units of a state most are cut off: in backgammon 45 of 128
 * pairs are left. */
static int find_pairs(const int16_t *x, uint32_t in, uint32_t *found)
{
    int count = 0;
#if defined(__AVX512F__)
    __m512i place = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    const __m512i step = _mm512_set1_epi32(16);
    uint32_t last = in / 2 / 16 * 16;
    for (uint32_t i = 0; i < last; i += 16) {
        __m512i pairs = _mm512_loadu_si512(x + 2 * (size_t)i);
        __mmask16 mask = _mm512_test_epi32_mask(pairs, pairs);
        _mm512_storeu_si512(found + count, _mm512_maskz_compress_epi32(mask, place));
        count += __builtin_popcount(mask);
        place = _mm512_add_epi32(place, step);
    }
#elif defined(__AVX2__)
    uint32_t last = in / 2 / 8 * 8;
    for (uint32_t i = 0; i < last; i += 8) {
        __m256i zero = _mm256_cmpeq_epi32(_mm256_loadu_si256((const __m256i *)(x + 2 * (size_t)i)),
                                          _mm256_setzero_si256());
        for (int mask = ~_mm256_movemask_ps(_mm256_castsi256_ps(zero)) & 255; mask; mask &= mask - 1)
            found[count++] = i + (uint32_t)__builtin_ctz((unsigned)mask);
    }
#else
    uint32_t last = 0;
#endif
    for (uint32_t i = last; i < in / 2; i++) {
        found[count] = i;
        count += ((const pair *)x)[i] != 0;
    }
    return count;
}

/* Some vectors of the sums, from place first on. */
__attribute__((always_inline)) static inline void multiply_pairs(const int16_t *x, const uint32_t *found,
                                                                 int count, const lanes *weights,
                                                                 uint32_t vectors, uint32_t first, int size,
                                                                 int32_t *to)
{
    halves sums[BLOCK] = {{0}};
    for (int k = 0; k < count; k++) {
        const halves both = (halves){0} + ((const pair *)x)[found[k]];
        const lanes *column = weights + (size_t)found[k] * vectors + first;
        for (int j = 0; j < size; j++)
            multiply_add((const lanes *)&both, column + j, &sums[j]);
    }
    for (int j = 0; j < size; j++)
        ((halves *)to)[first + (uint32_t)j] = sums[j];
}

static void multiply_sparse(const int16_t *x, const struct network_layer *layer, int head, int32_t *to)
{
    const uint32_t in = layer->shape.in, out = layer->shape.out, vectors = layer->columns * 2 / NETWORK_STEP;
    const lanes *weights = (const lanes *)(layer->pairs + (size_t)head * in * layer->columns);
    const int32_t *bias = layer->bias + (size_t)head * out;
    int32_t sums[NETWORK_MOST_WIDTH] __attribute__((aligned(64)));
    uint32_t found[NETWORK_MOST_WIDTH + 16]; /* half of two views; a vector is stored whole */
    int count = find_pairs(x, in, found);
    uint32_t first = 0;
    for (; first + BLOCK <= vectors; first += BLOCK)
        multiply_pairs(x, found, count, weights, vectors, first, BLOCK, sums);
    for (; first < vectors; first++)
        multiply_pairs(x, found, count, weights, vectors, first, 1, sums);
    for (uint32_t j = 0; j < out; j++)
        to[j] = sums[j] + bias[j];
}

static void forward(const struct network *n, const int16_t *const accumulators[2], int head, int32_t *outputs)
{
    int16_t numbers[2][2 * NETWORK_MOST_WIDTH] __attribute__((aligned(64)));
    int32_t sums[NETWORK_MOST_WIDTH];
    for (uint32_t view = 0; view < n->shape.views; view++)
        activate(accumulators[view], n->shape.width, n->shift, numbers[0] + (size_t)view * n->shape.width);
    for (int k = 0; k < n->layer_count; k++) {
        const struct network_layer *layer = &n->layers[k];
        bool last = k == n->layer_count - 1;
        (layer->pairs ? multiply_sparse : multiply_layer)(numbers[k % 2], layer, head, last ? outputs : sums);
        for (uint32_t j = 0; !last && j < layer->shape.out; j++) {
            int32_t y = sums[j] >> layer->shift;
            numbers[(k + 1) % 2][j] = (int16_t)(y < 0 ? 0 : y > NETWORK_UNIT ? NETWORK_UNIT : y);
        }
    }
}

const struct network_rows LEVELED(network_rows) = {accumulate, forward};
