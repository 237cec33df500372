/* driver.c - loads libOpenCL, once, and lists what it has. */
#include "gpu/driver.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* The name that every distribution gives the loader of drivers. */
#define LIBRARY "libOpenCL.so.1"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct opencl functions; /* written once, under the lock, before is_loaded */
static bool is_loaded;

bool driver_fail_none(struct mp_error *error)
{
    return mp_fail_with(error, MP_ERROR_SYSTEM,
                        "no OpenCL device (" LIBRARY " finds none), expected a driver: that of a GPU, or the "
                        "Debian package pocl-opencl-icd, which runs on the CPU");
}

static bool load(struct mp_error *error)
{
    void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
    if (!library)
        return mp_fail_with(error, MP_ERROR_SYSTEM,
                            "no OpenCL device (%.150s), expected the Debian package ocl-icd-libopencl1 and a "
                            "driver: that of a GPU, or pocl-opencl-icd, which runs on the CPU",
                            dlerror());
    struct opencl found;
    const char *lacks = NULL;
#define LOOK_UP(result, name, parameters)                                                                    \
    if (!(*(void **)&found.name = dlsym(library, "cl" #name)))                                               \
        lacks = "cl" #name;
    OPENCL_FUNCTIONS(LOOK_UP)
#undef LOOK_UP
    if (lacks) {
        dlclose(library);
        return mp_fail_with(error, MP_ERROR_SYSTEM, LIBRARY " does not have %s, expected OpenCL 1.2", lacks);
    }
    functions = found;
    return true;
}

const struct opencl *driver_load(struct mp_error *error)
{
    pthread_mutex_lock(&lock);
    bool ok = is_loaded = is_loaded || load(error);
    pthread_mutex_unlock(&lock);
    return ok ? &functions : NULL;
}

bool driver_is_loaded(void)
{
    pthread_mutex_lock(&lock);
    bool loaded = is_loaded;
    pthread_mutex_unlock(&lock);
    return loaded;
}

/* ---- Devices --------------------------------------------------------------------------------------------- */

struct found {
    cl_device device;
    struct gpu_info info;
    int rank; /* the better, the smaller */
};

static void read_text(const struct opencl *cl, cl_device device, uint32_t what, char *text, size_t size)
{
    char whole[1024] = "";
    if (cl->GetDeviceInfo(device, what, sizeof whole - 1, whole, NULL) != CL_SUCCESS)
        strcpy(whole, "?");
    snprintf(text, size, "%.*s", (int)size - 1, whole);
}

static bool is_usable(const struct opencl *cl, cl_device device)
{
    uint32_t available = 0, compiler = 0;
    cl->GetDeviceInfo(device, CL_DEVICE_AVAILABLE, sizeof available, &available, NULL);
    cl->GetDeviceInfo(device, CL_DEVICE_COMPILER_AVAILABLE, sizeof compiler, &compiler, NULL);
    return available && compiler;
}

static struct found look_at(const struct opencl *cl, cl_platform platform, cl_device device)
{
    struct found f = {.device = device};
    struct gpu_info *info = &f.info;
    uint64_t type = 0;
    cl->GetDeviceInfo(device, CL_DEVICE_TYPE, sizeof type, &type, NULL);
    f.rank = type & CL_DEVICE_TYPE_GPU ? 0 : type & CL_DEVICE_TYPE_CPU ? 2 : 1;
    strcpy(info->kind, f.rank == 0 ? "GPU" : f.rank == 2 ? "CPU" : "other");
    read_text(cl, device, CL_DEVICE_NAME, info->name, sizeof info->name);
    read_text(cl, device, CL_DEVICE_VERSION, info->version, sizeof info->version);
    if (cl->GetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof info->driver - 1, info->driver, NULL) !=
        CL_SUCCESS)
        strcpy(info->driver, "?");
    cl->GetDeviceInfo(device, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof info->units, &info->units, NULL);
    cl->GetDeviceInfo(device, CL_DEVICE_GLOBAL_MEM_SIZE, sizeof info->memory, &info->memory, NULL);
    return f;
}

/* Each after those that are as good; where there are too many, the last goes. */
static int put_in_order(struct found list[], int count, struct found f)
{
    int at = count;
    while (at > 0 && list[at - 1].rank > f.rank)
        at--;
    if (at == GPU_MOST_DEVICES)
        return count;
    count = count < GPU_MOST_DEVICES ? count + 1 : count;
    memmove(list + at + 1, list + at, (size_t)(count - 1 - at) * sizeof *list);
    list[at] = f;
    return count;
}

int driver_devices(cl_device devices[], struct gpu_info infos[], struct mp_error *error)
{
    const struct opencl *cl = driver_load(error);
    if (!cl)
        return -1;
    cl_platform platforms[GPU_MOST_DEVICES] = {0};
    struct found list[GPU_MOST_DEVICES] = {0};
    uint32_t platform_count = 0;
    int count = 0;
    if (cl->GetPlatformIDs(GPU_MOST_DEVICES, platforms, &platform_count) != CL_SUCCESS)
        platform_count = 0;
    for (uint32_t p = 0; p < platform_count && p < GPU_MOST_DEVICES; p++) {
        cl_device here[GPU_MOST_DEVICES] = {0};
        uint32_t here_count = 0;
        if (cl->GetDeviceIDs(platforms[p], CL_DEVICE_TYPE_ALL, GPU_MOST_DEVICES, here, &here_count) !=
            CL_SUCCESS)
            continue;
        for (uint32_t d = 0; d < here_count && d < GPU_MOST_DEVICES; d++)
            if (is_usable(cl, here[d]))
                count = put_in_order(list, count, look_at(cl, platforms[p], here[d]));
    }
    for (int i = 0; i < count; i++) {
        devices[i] = list[i].device;
        infos[i] = list[i].info;
    }
    return count;
}
