/* kernels.cl - what runs on a device, before and after the source of a game (between the marks). Random numbers are those of
 * base/random.h: the same seed gives the same playout here and there. */
typedef struct {
    ulong stream;
} mp_random;

ulong mp_mix(ulong x)
{
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9UL;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebUL;
    return x ^ (x >> 31);
}

/* A number below bound (> 0): the next of the stream. */
uint mp_below(mp_random *random, uint bound)
{
    random->stream += 0x9e3779b97f4a7c15UL;
    return mul_hi((uint)(mp_mix(random->stream) >> 32), bound);
}

/* ---- game ---- */

/* A record is what comes back (a sum, or a count), the seed, and the words of the state. */
#define MP_RECORD (2 + MP_WORDS)
typedef char mp_state_has_state_words[sizeof(mp_state) == 8 * MP_WORDS ? 1 : -1];

mp_state mp_load(__global const ulong *record)
{
    union {
        ulong words[MP_WORDS];
        mp_state state;
    } packed;
    for (int i = 0; i < MP_WORDS; i++)
        packed.words[i] = record[2 + i];
    return packed.state;
}

ulong mp_seed(ulong seed, uint playout)
{
    return mp_mix(mp_mix(seed + 0x9e3779b97f4a7c15UL) + playout * 0x9e3779b97f4a7c15UL);
}

/* A thread that ends a game begins its next one at once, because those beside it are still playing theirs. A game that does
 * not end is drawn, so that the source of a game can be wrong without a device that hangs. */
__kernel void mp_play(__global ulong *records, __global const int *rewards, uint count, uint playouts)
{
    const uint total = count * playouts;
    uint at = get_global_id(0);
    if (at >= total)
        return;
    __global ulong *record = records + (size_t)(at / playouts) * MP_RECORD;
    mp_state state = mp_load(record);
    mp_random random = {mp_seed(record[1], at % playouts)};
    for (int plies = 0;;) {
        bool over = mp_step(&state, &random);
        if (!over && ++plies < MP_MOST_PLIES)
            continue;
        int margin = over ? mp_margin(&state) : 0;
        margin = clamp(plies & 1 ? -margin : margin, -MP_MARGIN_MAX, MP_MARGIN_MAX);
        atomic_add((volatile __global int *)record, rewards[margin + MP_MARGIN_MAX]);
        at += get_global_size(0);
        if (at >= total)
            return;
        record = records + (size_t)(at / playouts) * MP_RECORD;
        state = mp_load(record);
        random.stream = mp_seed(record[1], at % playouts);
        plies = 0;
    }
}

#ifdef MP_COUNTS
__kernel void mp_count(__global ulong *records, uint count, int depth, int drop_finished)
{
    for (uint at = get_global_id(0); at < count; at += get_global_size(0)) {
        __global ulong *record = records + (size_t)at * MP_RECORD;
        record[0] = mp_perft(mp_load(record), depth, drop_finished != 0);
    }
}
#endif
