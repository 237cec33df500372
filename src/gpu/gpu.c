/* gpu.c - a device with the kernels of a game. */
#include "gpu/gpu_inner.h"

#include "base/embed.h"
#include "gpu/driver.h"
#include "gpu/trial.h"

#include <stdlib.h>
#include <string.h>

/* KERNELS is where the file is. */
EMBED(gpu_kernels, KERNELS)

/* To list devices takes a driver a second at most, to compile a playout ten. */
#define LIST_SECONDS 20
#define OPEN_SECONDS 60
#define WHO "the OpenCL driver"

enum { MOST_PLIES = 4096, GROUP = 64, THREADS_PER_UNIT = 2048 };

/* ---- What there is --------------------------------------------------------------------------------------- */

struct device_listing {
    int count;
    struct gpu_info infos[GPU_MOST_DEVICES];
};

static bool list_devices(void *shared, const void *context, struct mp_error *error)
{
    (void)context;
    struct device_listing *listing = shared;
    cl_device devices[GPU_MOST_DEVICES];
    listing->count = driver_devices(devices, listing->infos, error);
    return listing->count > 0 || (listing->count == 0 && driver_fail_none(error));
}

int gpu_list(struct gpu_info infos[GPU_MOST_DEVICES], struct mp_error *error)
{
    struct device_listing listing = {0};
    bool ok = driver_is_loaded()
                  ? list_devices(&listing, NULL, error)
                  : trial(WHO, LIST_SECONDS, list_devices, &listing, sizeof listing, NULL, error);
    memcpy(infos, listing.infos, sizeof listing.infos);
    return ok ? listing.count : 0;
}

/* ---- The kernels of a game ------------------------------------------------------------------------------- */

bool gpu_knows(const struct mp_game *game, struct mp_error *error)
{
    if (!game->kernels)
        return mp_fail(error,
                       "%s has no kernels, expected a game with playouts for a device, such as othello",
                       game->name);
    if (game->chances || game->drawn || game->scoring == MP_SCORE_POINTS)
        return mp_fail(error, "%s has kernels, but %s; expected a game without", game->name,
                       game->drawn ? "draws that look back" : "dice or points");
    return true;
}

/* The first line of what the compiler says that is about an error. */
static void first_error(const struct gpu *gpu, char *line, size_t size)
{
    char log[8192] = "";
    gpu->cl->GetProgramBuildInfo(gpu->program, gpu->device, CL_PROGRAM_BUILD_LOG, sizeof log - 1, log, NULL);
    const char *start = strstr(log, "error");
    for (start = start ? start : log; start > log && start[-1] != '\n';)
        start--;
    snprintf(line, size, "%.*s", (int)strcspn(start, "\n"), start);
}

static bool build(struct gpu *gpu, struct mp_error *error)
{
    const struct mp_kernels *kernels = gpu->game->kernels;
    static const char mark[] = "/* ---- game ---- */";
    const char *between = strstr(gpu_kernels_start, mark);
    const char *texts[] = {gpu_kernels_start, "\n#line 1\n", kernels->source, "\n", between + sizeof mark};
    size_t lengths[] = {(size_t)(between - gpu_kernels_start), 9, strlen(kernels->source), 1,
                        (size_t)(gpu_kernels_end - between) - sizeof mark};
    char options[256], line[200];
    int32_t code;
    snprintf(options, sizeof options, "-cl-std=CL1.2 -DMP_WORDS=%u -DMP_MARGIN_MAX=%d -DMP_MOST_PLIES=%d%s",
             kernels->state_words, gpu->game->margin_max, MOST_PLIES, kernels->counts ? " -DMP_COUNTS" : "");
    gpu->program = gpu->cl->CreateProgramWithSource(gpu->context, 5, texts, lengths, &code);
    if (!gpu->program)
        return gpu_fail(gpu, "CreateProgramWithSource", code, error);
    code = gpu->cl->BuildProgram(gpu->program, 1, &gpu->device, options, NULL, NULL);
    if (code == CL_SUCCESS)
        return true;
    first_error(gpu, line, sizeof line);
    return mp_fail(error, "device %.60s: the kernels of %.40s do not compile (OpenCL error %d): %s",
                   gpu->info.name, gpu->game->name, code, line);
}

static bool upload_rewards(struct gpu *gpu, const int32_t *rewards, struct mp_error *error)
{
    int most = gpu->game->margin_max, code;
    size_t size = (2 * (size_t)most + 1) * sizeof *rewards;
    int32_t *own = malloc(size);
    for (int margin = -most; own && margin <= most; margin++)
        own[margin + most] = rewards ? rewards[margin + most] : margin;
    cl_queue queue = own ? gpu->cl->CreateCommandQueue(gpu->context, gpu->device, 0, &code) : NULL;
    gpu->rewards = queue ? gpu->cl->CreateBuffer(gpu->context, CL_MEM_READ_WRITE, size, NULL, &code) : NULL;
    bool ok = gpu->rewards;
    if (ok) {
        code = gpu->cl->EnqueueWriteBuffer(queue, gpu->rewards, 1, 0, size, own, 0, NULL, NULL);
        ok = code == CL_SUCCESS;
    }
    if (queue)
        gpu->cl->ReleaseCommandQueue(queue);
    if (!own)
        return mp_fail_with(error, MP_ERROR_MEMORY, "out of memory");
    free(own);
    return ok || gpu_fail(gpu, "rewards", code, error);
}

bool gpu_fail(const struct gpu *gpu, const char *what, int code, struct mp_error *error)
{
    return mp_fail_with(error, MP_ERROR_SYSTEM, "device %.100s: %s failed (OpenCL error %d)", gpu->info.name,
                        what, code);
}

/* ---- Opening --------------------------------------------------------------------------------------------- */

struct wish {
    const struct mp_game *game;
    int number;
    const int32_t *rewards;
};

static bool find_device(struct gpu *gpu, int number, struct mp_error *error)
{
    cl_device devices[GPU_MOST_DEVICES];
    struct gpu_info infos[GPU_MOST_DEVICES];
    int count = driver_devices(devices, infos, error);
    if (count <= 0)
        return count == 0 && driver_fail_none(error);
    if (number > count)
        return mp_fail(error, "device %d, expected 1 to %d (see `manyply devices`)", number, count);
    gpu->cl = driver_load(error);
    gpu->device = devices[number - 1];
    gpu->info = infos[number - 1];
    size_t group = 1;
    gpu->cl->GetDeviceInfo(gpu->device, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof group, &group, NULL);
    gpu->group = group < GROUP ? 1 : GROUP;
    gpu->threads = gpu->info.units > 0 ? (size_t)gpu->info.units * THREADS_PER_UNIT : THREADS_PER_UNIT;
    return true;
}

static struct gpu *open_here(const struct wish *wish, struct mp_error *error)
{
    struct gpu *gpu = calloc(1, sizeof *gpu);
    int32_t code;
    if (!gpu) {
        mp_fail_with(error, MP_ERROR_MEMORY, "out of memory");
        return NULL;
    }
    gpu->game = wish->game;
    bool ok = find_device(gpu, wish->number, error);
    if (ok) {
        gpu->context = gpu->cl->CreateContext(NULL, 1, &gpu->device, NULL, NULL, &code);
        ok = gpu->context || gpu_fail(gpu, "CreateContext", code, error);
    }
    if (ok && build(gpu, error) && upload_rewards(gpu, wish->rewards, error))
        return gpu;
    gpu_close(gpu);
    return NULL;
}

/* All that is going to be asked of the driver, once. */
static bool try_it(void *shared, const void *context, struct mp_error *error)
{
    (void)shared;
    const struct wish *wish = context;
    struct gpu *gpu = open_here(wish, error);
    struct gpu_batch *batch = gpu ? gpu_batch_new(gpu, 1, error) : NULL;
    void *state = aligned_alloc(64, (wish->game->state_size + 63) / 64 * 64);
    if (!batch || !state)
        return false;
    wish->game->initial(wish->game, state);
    gpu_batch_add(batch, state, 0);
    return gpu_play(batch, 1, error) && gpu_return(batch, error);
}

struct gpu *gpu_open(const struct mp_game *game, int number, const int32_t *rewards, struct mp_error *error)
{
    const struct wish wish = {game, number, rewards};
    if (!gpu_knows(game, error))
        return NULL;
    if (!driver_is_loaded() && !trial(WHO, OPEN_SECONDS, try_it, NULL, 0, &wish, error))
        return NULL;
    return open_here(&wish, error);
}

/* What a device that is lost still holds is left to it: to ask for it could hang. */
void gpu_close(struct gpu *gpu)
{
    if (!gpu)
        return;
    if (!gpu_is_lost(gpu)) {
        if (gpu->rewards)
            gpu->cl->ReleaseMemObject(gpu->rewards);
        if (gpu->program)
            gpu->cl->ReleaseProgram(gpu->program);
        if (gpu->context)
            gpu->cl->ReleaseContext(gpu->context);
    }
    free(gpu);
}

const struct gpu_info *gpu_about(const struct gpu *gpu)
{
    return &gpu->info;
}

const struct mp_game *gpu_game(const struct gpu *gpu)
{
    return gpu->game;
}
