/* batch.c - states on their way to a device and back. A record is, in words: what comes back, the seed, the packed state. It
 * travels whole in both directions, so that a batch is three commands in a queue: write, run, read. */
#include "gpu/gpu_inner.h"

#include "base/clock.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Batches are milliseconds of work; a busy machine, or a device that others use as well, may take longer. */
#define PATIENCE_SECONDS 60
enum { NAP_NS = 20000 }; /* a CPU that is left alone may be the device's */

struct gpu_batch {
    struct gpu *gpu;
    cl_queue queue;
    cl_memory memory;
    cl_kernel play, count;
    cl_event event; /* of the last command; null: the batch is not on its way */
    uint64_t *records;
    size_t words; /* of a record */
    int added, capacity;
    bool returned; /* what is in the records are results */
};

static bool make_kernels(struct gpu_batch *b, struct mp_error *error)
{
    const struct opencl *cl = b->gpu->cl;
    int32_t code = CL_SUCCESS;
    b->play = cl->CreateKernel(b->gpu->program, "mp_play", &code);
    if (!b->play)
        return gpu_fail(b->gpu, "CreateKernel", code, error);
    if (b->gpu->game->kernels->counts && !(b->count = cl->CreateKernel(b->gpu->program, "mp_count", &code)))
        return gpu_fail(b->gpu, "CreateKernel", code, error);
    return true;
}

struct gpu_batch *gpu_batch_new(struct gpu *gpu, int capacity, struct mp_error *error)
{
    struct gpu_batch *b = calloc(1, sizeof *b);
    if (!b) {
        mp_fail_with(error, MP_ERROR_MEMORY, "out of memory");
        return NULL;
    }
    int32_t code;
    *b = (struct gpu_batch){.gpu = gpu, .capacity = capacity, .words = 2 + gpu->game->kernels->state_words};
    size_t bytes = (size_t)capacity * b->words * sizeof *b->records;
    b->records = aligned_alloc(64, (bytes + 63) / 64 * 64);
    bool ok = b->records || mp_fail_with(error, MP_ERROR_MEMORY, "out of memory for a batch");
    if (ok) {
        b->queue = gpu->cl->CreateCommandQueue(gpu->context, gpu->device, 0, &code);
        ok = b->queue || gpu_fail(gpu, "CreateCommandQueue", code, error);
    }
    if (ok) {
        b->memory = gpu->cl->CreateBuffer(gpu->context, CL_MEM_READ_WRITE, bytes, NULL, &code);
        ok = b->memory || gpu_fail(gpu, "CreateBuffer", code, error);
    }
    if (ok && make_kernels(b, error))
        return b;
    gpu_batch_free(b);
    return NULL;
}

void gpu_batch_free(struct gpu_batch *b)
{
    if (!b)
        return;
    if (b->event)
        gpu_return(b, NULL);
    if (!gpu_is_lost(b->gpu)) {
        const struct opencl *cl = b->gpu->cl;
        if (b->play)
            cl->ReleaseKernel(b->play);
        if (b->count)
            cl->ReleaseKernel(b->count);
        if (b->memory)
            cl->ReleaseMemObject(b->memory);
        if (b->queue)
            cl->ReleaseCommandQueue(b->queue);
        free(b->records); /* a device that is lost may still write there */
    }
    free(b);
}

int gpu_batch_count(const struct gpu_batch *b)
{
    return b->returned ? 0 : b->added;
}

void gpu_batch_add(struct gpu_batch *b, const void *state, uint64_t seed)
{
    if (b->returned) {
        b->returned = false;
        b->added = 0;
    }
    uint64_t *record = b->records + (size_t)b->added++ * b->words;
    record[0] = 0;
    record[1] = seed;
    b->gpu->game->kernels->pack(b->gpu->game, state, record + 2);
}

/* ---- There ----------------------------------------------------------------------------------------------- */

struct argument {
    size_t size;
    const void *value;
};

static bool set_arguments(const struct gpu_batch *b, cl_kernel kernel, const struct argument *arguments,
                          struct mp_error *error)
{
    for (uint32_t i = 0; arguments[i].size; i++) {
        int32_t code = b->gpu->cl->SetKernelArg(kernel, i, arguments[i].size, arguments[i].value);
        if (code != CL_SUCCESS)
            return gpu_fail(b->gpu, "SetKernelArg", code, error);
    }
    return true;
}

static bool send(struct gpu_batch *b, cl_kernel kernel, size_t threads, struct mp_error *error)
{
    const struct opencl *cl = b->gpu->cl;
    if (gpu_is_lost(b->gpu))
        return mp_fail_with(error, MP_ERROR_SYSTEM, "device %.100s failed before, and is not used again",
                            b->gpu->info.name);
    size_t bytes = (size_t)b->added * b->words * sizeof *b->records, group = b->gpu->group;
    size_t most = b->gpu->threads;
    threads = (threads < most ? threads : most) + group - 1;
    threads -= threads % group;
    int32_t code = cl->EnqueueWriteBuffer(b->queue, b->memory, 0, 0, bytes, b->records, 0, NULL, NULL);
    if (code == CL_SUCCESS)
        code = cl->EnqueueNDRangeKernel(b->queue, kernel, 1, NULL, &threads, &group, 0, NULL, NULL);
    if (code == CL_SUCCESS)
        code = cl->EnqueueReadBuffer(b->queue, b->memory, 0, 0, bytes, b->records, 0, NULL, &b->event);
    if (code == CL_SUCCESS)
        code = cl->Flush(b->queue);
    if (code == CL_SUCCESS)
        return true;
    /* What has been queued may still run, and nobody would wait for it. */
    atomic_store_explicit(&b->gpu->lost, true, memory_order_relaxed);
    return gpu_fail(b->gpu, "a batch", code, error);
}

bool gpu_play(struct gpu_batch *b, int playouts, struct mp_error *error)
{
    const uint32_t count = (uint32_t)b->added, each = (uint32_t)playouts;
    const struct argument arguments[] = {{sizeof b->memory, &b->memory},
                                         {sizeof b->gpu->rewards, &b->gpu->rewards},
                                         {sizeof count, &count},
                                         {sizeof each, &each},
                                         {0, NULL}};
    return set_arguments(b, b->play, arguments, error) &&
           send(b, b->play, (size_t)count * (size_t)each, error);
}

bool gpu_count(struct gpu_batch *b, int depth, bool drop_finished, struct mp_error *error)
{
    const uint32_t count = (uint32_t)b->added;
    const int32_t plies = depth, drop = drop_finished;
    const struct argument arguments[] = {{sizeof b->memory, &b->memory},
                                         {sizeof count, &count},
                                         {sizeof plies, &plies},
                                         {sizeof drop, &drop},
                                         {0, NULL}};
    return set_arguments(b, b->count, arguments, error) && send(b, b->count, count, error);
}

/* ---- And back -------------------------------------------------------------------------------------------- */

/* Not by clWaitForEvents alone: nobody can say how long a driver stays in there. But only that call makes the memory ours again,
 * so it is made when there is nothing left to wait for. */
static int32_t wait_for(const struct gpu_batch *b, bool *late)
{
    int64_t start = clock_ns();
    for (;;) {
        int32_t status = CL_COMPLETE;
        int32_t code = b->gpu->cl->GetEventInfo(b->event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status,
                                                &status, NULL);
        if (code != CL_SUCCESS || status < CL_COMPLETE)
            return code != CL_SUCCESS ? code : status;
        if (status == CL_COMPLETE)
            return b->gpu->cl->WaitForEvents(1, &b->event);
        int64_t waited = clock_ns() - start;
        *late = waited > (int64_t)PATIENCE_SECONDS * 1000000000;
        if (*late)
            return 0;
        nanosleep(&(struct timespec){0, NAP_NS}, NULL);
    }
}

bool gpu_return(struct gpu_batch *b, struct mp_error *error)
{
    bool late = false;
    int32_t code = wait_for(b, &late);
    if (!late && code == CL_SUCCESS) {
        b->gpu->cl->ReleaseEvent(b->event);
        b->event = NULL;
        b->returned = true;
        return true;
    }
    b->event = NULL;
    atomic_store_explicit(&b->gpu->lost, true, memory_order_relaxed);
    return late ? mp_fail_with(error, MP_ERROR_SYSTEM,
                               "device %.100s: a batch has not come back after %d s, expected milliseconds",
                               b->gpu->info.name, PATIENCE_SECONDS)
                : gpu_fail(b->gpu, "a batch", code, error);
}

int32_t gpu_sum(const struct gpu_batch *b, int index)
{
    int32_t sum;
    memcpy(&sum, b->records + (size_t)index * b->words, sizeof sum); /* where the device has added it up */
    return sum;
}

uint64_t gpu_leaves(const struct gpu_batch *b, int index)
{
    return b->records[(size_t)index * b->words];
}
