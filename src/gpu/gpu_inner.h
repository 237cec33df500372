/* gpu_inner.h - a device as the files of this folder see it. */
#ifndef GPU_GPU_INNER_H
#define GPU_GPU_INNER_H

#include "gpu/gpu.h"
#include "gpu/opencl.h"

#include <stdatomic.h>

struct gpu {
    const struct opencl *cl;
    const struct mp_game *game;
    struct gpu_info info;
    cl_device device;
    cl_context context;
    cl_program program;
    cl_memory rewards;
    size_t group, threads; /* in a group; at once */
    /* Set by any thread whose batch did not come back. It carries no data: who sees it late finds out for itself. */
    atomic_bool lost;
};

static inline bool gpu_is_lost(const struct gpu *gpu)
{
    return atomic_load_explicit(&gpu->lost, memory_order_relaxed);
}

bool gpu_fail(const struct gpu *gpu, const char *what, int code, struct mp_error *error);

#endif
