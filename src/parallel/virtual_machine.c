/* virtual_machine.c - the clocks of virtual threads, and the stacks that they run on. */
#include "parallel/virtual_machine.h"

#include "base/memory.h"
#include "base/thread.h"
#include "search/table.h"

#include <stdlib.h>
#include <ucontext.h>

#if defined(__SANITIZE_THREAD__)
#define WATCHED_BY_TSAN
#elif defined(__SANITIZE_ADDRESS__)
#define WATCHED_BY_ASAN
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define WATCHED_BY_TSAN
#elif __has_feature(address_sanitizer)
#define WATCHED_BY_ASAN
#endif
#endif

#if defined(WATCHED_BY_TSAN)
#include <sanitizer/tsan_interface.h>
#elif defined(WATCHED_BY_ASAN)
#include <sanitizer/common_interface_defs.h>
#endif

/* A thread that only works may be this much ahead of the others: about as often real threads look at the clock
 * (WORKER_CHECK_NODES). A quarter of it gives the same speed-ups within 1%, and takes twice as long. */
enum { AHEAD_NODES = 256 };

/* Never due. */
#define NEVER INT64_MAX

struct strand {
    ucontext_t context;
    void *stack; /* null: thread 0's, which is the caller's own */
    bool resumed;
    bool waiting; /* nobody has woken it yet */
    bool slept;   /* when it was woken */
    int64_t clock_ps;
    const uint64_t *nodes;
    uint64_t counted; /* of nodes: those that are in the clock already */
    struct machine_times times;
#if defined(WATCHED_BY_TSAN)
    void *fiber;
#elif defined(WATCHED_BY_ASAN)
    void *fake_stack;
    const void *bottom;
    size_t size;
#endif
};

struct machine {
    int threads;
    int current, came_from;
    int64_t prices[MACHINE_TIMES], node_ps, spin_ps, ahead_ps;
    int64_t *due_ps; /* of each thread: when it goes on; NEVER while it waits */
    struct strand *strands;
    struct table_lines *lines;
    void (*live)(void *context, int thread);
    void *context;
};

static int64_t picoseconds(double nanoseconds)
{
    return (int64_t)(nanoseconds * 1000 + 0.5);
}

/* ---- Stacks ---------------------------------------------------------------------------------------- */

/* Tells a sanitizer that we leave one stack for another, or have arrived. */
static void leave_for(struct machine *m, struct strand *from, struct strand *to)
{
    (void)m, (void)from, (void)to;
#if defined(WATCHED_BY_TSAN)
    if (from == m->strands)
        from->fiber = __tsan_get_current_fiber();
    __tsan_switch_to_fiber(to->fiber, 0);
#elif defined(WATCHED_BY_ASAN)
    __sanitizer_start_switch_fiber(&from->fake_stack, to->bottom, to->size);
#endif
}

static void arrive(struct machine *m, int from)
{
    (void)m, (void)from;
#if defined(WATCHED_BY_ASAN)
    struct strand *came_from = &m->strands[from];
    __sanitizer_finish_switch_fiber(m->strands[m->current].fake_stack, &came_from->bottom, &came_from->size);
#endif
}

/* Not swapcontext, about which AddressSanitizer complains. */
static void switch_to(struct machine *m, int thread)
{
    int before = m->current;
    struct strand *from = &m->strands[before], *to = &m->strands[thread];
    m->current = thread;
    if (m->lines)
        m->lines->thread = thread;
    from->resumed = false;
    getcontext(&from->context);
    if (!from->resumed) {
        from->resumed = true;
        leave_for(m, from, to);
        m->came_from = before;
        setcontext(&to->context);
    }
    arrive(m, m->came_from);
}

static void catch_up(struct machine *m, int thread);

/* makecontext passes ints only. */
static void begin(unsigned low, unsigned high)
{
    struct machine *m = (struct machine *)((uintptr_t)low | (uintptr_t)high << 16 << 16);
    arrive(m, m->came_from);
    catch_up(m, m->current);
    m->live(m->context, m->current);
}

/* A stack with a page below it that nobody may touch. */
static bool make_stack(struct machine *m, struct strand *strand)
{
    enum { GUARD = 1 << 16 };
    strand->stack = memory_reserve(THREAD_STACK);
    if (!strand->stack)
        return false;
    mprotect(strand->stack, GUARD, PROT_NONE);
    getcontext(&strand->context);
    strand->context.uc_stack.ss_sp = strand->stack;
    strand->context.uc_stack.ss_size = THREAD_STACK;
    strand->context.uc_link = NULL; /* live does not return */
    uintptr_t address = (uintptr_t)m;
    makecontext(&strand->context, (void (*)(void))begin, 2, (unsigned)address,
                (unsigned)(address >> 16 >> 16));
#if defined(WATCHED_BY_TSAN)
    strand->fiber = __tsan_create_fiber(0);
#elif defined(WATCHED_BY_ASAN)
    strand->bottom = strand->stack;
    strand->size = THREAD_STACK;
#endif
    return true;
}

static void free_stack(struct strand *strand)
{
    if (!strand->stack)
        return;
#if defined(WATCHED_BY_TSAN)
    __tsan_destroy_fiber(strand->fiber);
#endif
    memory_release(strand->stack, THREAD_STACK);
}

struct machine *machine_new(int threads, const struct costs *costs, void (*live)(void *context, int thread),
                            void *context)
{
    struct machine *m = calloc(1, sizeof *m);
    if (!m)
        return NULL;
    *m = (struct machine){.live = live, .context = context};
    m->strands = calloc((size_t)threads, sizeof *m->strands);
    m->due_ps = calloc((size_t)threads, sizeof *m->due_ps);
    if (!m->strands || !m->due_ps) {
        machine_free(m);
        return NULL;
    }
    m->prices[TIME_STEAL] = picoseconds(costs->steal);
    m->prices[TIME_WAKE] = picoseconds(costs->wake);
    m->prices[TIME_LOCK] = picoseconds(costs->lock);
    m->prices[TIME_LINE] = picoseconds(costs->line);
    m->node_ps = picoseconds(costs->node);
    m->spin_ps = picoseconds(costs->spin);
    m->ahead_ps = AHEAD_NODES * m->node_ps;
    m->threads = 1;
    while (m->threads < threads && make_stack(m, &m->strands[m->threads]))
        m->threads++;
    machine_reset(m);
    return m;
}

void machine_free(struct machine *m)
{
    if (!m)
        return;
    for (int i = 1; i < m->threads; i++)
        free_stack(&m->strands[i]);
    free(m->strands);
    free(m->due_ps);
    free(m);
}

int machine_threads(const struct machine *m)
{
    return m->threads;
}

int machine_current(const struct machine *m)
{
    return m->current;
}

void machine_set_gauge(struct machine *m, int thread, const uint64_t *nodes)
{
    m->strands[thread].nodes = nodes;
}

void machine_set_lines(struct machine *m, struct table_lines *lines)
{
    m->lines = lines;
}

void machine_reset(struct machine *m)
{
    for (int i = 0; i < m->threads; i++) {
        struct strand *strand = &m->strands[i];
        strand->waiting = i > 0;
        strand->clock_ps = 0;
        strand->counted = strand->nodes ? *strand->nodes : 0;
        strand->times = (struct machine_times){{0}};
        m->due_ps[i] = i > 0 ? NEVER : 0;
    }
    m->current = 0;
    if (m->lines) {
        m->lines->moved = 0;
        m->lines->thread = 0;
    }
}

/* ---- Clocks ---------------------------------------------------------------------------------------- */

static void add(struct strand *strand, enum machine_time kind, int64_t ps)
{
    strand->times.ps[kind] += ps;
    strand->clock_ps += ps;
}

/* Puts the work since the last time into the clock of the thread that runs. */
static struct strand *advance(struct machine *m, int thread)
{
    struct strand *strand = &m->strands[thread];
    if (strand->nodes) {
        add(strand, TIME_NODES, (int64_t)(*strand->nodes - strand->counted) * m->node_ps);
        strand->counted = *strand->nodes;
    }
    if (m->lines) {
        add(strand, TIME_LINE, (int64_t)m->lines->moved * m->prices[TIME_LINE]);
        m->lines->moved = 0;
    }
    m->due_ps[thread] = strand->clock_ps;
    return strand;
}

int64_t machine_ns(struct machine *m, int thread)
{
    return advance(m, thread)->clock_ps / 1000;
}

/* The thread that is due first. */
static int first_due(const struct machine *m)
{
    int first = 0;
    for (int i = 1; i < m->threads; i++)
        if (m->due_ps[i] < m->due_ps[first])
            first = i;
    return first;
}

/* A thread that goes on has waited until it was due, and may have had to get up first. */
static void catch_up(struct machine *m, int thread)
{
    struct strand *strand = &m->strands[thread];
    int64_t late = m->due_ps[thread] - strand->clock_ps;
    int64_t wake = strand->slept && late > m->prices[TIME_WAKE] ? m->prices[TIME_WAKE] : 0;
    add(strand, TIME_WAITING, late - wake);
    add(strand, TIME_WAKE, wake);
    strand->slept = false;
}

/* The others run until this one is due first. */
static void give_way(struct machine *m, int thread)
{
    int first = first_due(m);
    if (first == thread)
        return;
    switch_to(m, first);
    catch_up(m, thread);
}

void machine_sync(struct machine *m, int thread)
{
    advance(m, thread);
    give_way(m, thread);
}

void machine_poll(struct machine *m, int thread)
{
    const struct strand *strand = advance(m, thread);
    int first = first_due(m);
    if (m->due_ps[first] < strand->clock_ps - m->ahead_ps)
        give_way(m, thread);
}

void machine_spend(struct machine *m, int thread, enum machine_time kind)
{
    struct strand *strand = advance(m, thread);
    add(strand, kind, m->prices[kind]);
    m->due_ps[thread] = strand->clock_ps;
}

void machine_wait(struct machine *m, int thread)
{
    struct strand *strand = advance(m, thread);
    strand->waiting = true;
    m->due_ps[thread] = NEVER;
    give_way(m, thread);
}

void machine_wake(struct machine *m)
{
    int64_t now = advance(m, m->current)->clock_ps;
    for (int i = 0; i < m->threads; i++) {
        struct strand *strand = &m->strands[i];
        if (!strand->waiting)
            continue;
        int64_t at = now > strand->clock_ps ? now : strand->clock_ps;
        strand->waiting = false;
        strand->slept = at - strand->clock_ps > m->spin_ps;
        m->due_ps[i] = at + (strand->slept ? m->prices[TIME_WAKE] : 0);
    }
}

void machine_lock(struct machine *m, int thread, struct machine_lock *lock)
{
    machine_sync(m, thread);
    if (lock->owner == thread + 1)
        return;
    struct strand *strand = &m->strands[thread];
    if (lock->owner) {
        if (lock->free_ps > strand->clock_ps)
            add(strand, TIME_LOCK, lock->free_ps - strand->clock_ps);
        add(strand, TIME_LOCK, m->prices[TIME_LOCK]);
    }
    lock->owner = thread + 1;
    lock->free_ps = m->due_ps[thread] = strand->clock_ps;
}

/* Until the end of the run, which is when thread 0 has got so far, a thread has waited; what one that found nothing
 * to do did after the end is no part of the run. */
struct machine_times machine_times(struct machine *m, int thread)
{
    int64_t end = advance(m, 0)->clock_ps, over = m->strands[thread].clock_ps - end;
    struct machine_times times = m->strands[thread].times;
    if (over < 0)
        times.ps[TIME_WAITING] -= over;
    for (int kind = MACHINE_TIMES; over > 0 && kind-- > 0;) {
        int64_t part = times.ps[kind] < over ? times.ps[kind] : over;
        times.ps[kind] -= part;
        over -= part;
    }
    return times;
}
