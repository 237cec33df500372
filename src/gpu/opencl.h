/* opencl.h - the part of OpenCL 1.2 that is used here, declared as the standard has it. The library is looked for when the
 * program runs (driver.h), so nothing of OpenCL is needed to build, and a program without it lacks nothing else. */
#ifndef GPU_OPENCL_H
#define GPU_OPENCL_H

#include <stddef.h>
#include <stdint.h>

typedef struct cl_platform *cl_platform;
typedef struct cl_device *cl_device;
typedef struct cl_context *cl_context;
typedef struct cl_queue *cl_queue;
typedef struct cl_memory *cl_memory;
typedef struct cl_program *cl_program;
typedef struct cl_kernel *cl_kernel;
typedef struct cl_event *cl_event;
typedef void cl_notify(const char *what, const void *data, size_t size, void *context);
typedef void cl_built(cl_program program, void *context);

enum {
    CL_SUCCESS = 0,
    CL_COMPLETE = 0, /* the state of a command; below 0: an error */
    CL_DEVICE_TYPE_CPU = 2,
    CL_DEVICE_TYPE_GPU = 4,
    CL_DEVICE_TYPE_ACCELERATOR = 8,
    CL_PLATFORM_NAME = 0x0902,
    CL_DEVICE_TYPE = 0x1000,
    CL_DEVICE_MAX_COMPUTE_UNITS = 0x1002,
    CL_DEVICE_MAX_WORK_GROUP_SIZE = 0x1004,
    CL_DEVICE_GLOBAL_MEM_SIZE = 0x101f,
    CL_DEVICE_AVAILABLE = 0x1027,
    CL_DEVICE_COMPILER_AVAILABLE = 0x1028,
    CL_DEVICE_NAME = 0x102b,
    CL_DEVICE_VERSION = 0x102f,
    CL_PROGRAM_BUILD_LOG = 0x1183,
    CL_EVENT_COMMAND_EXECUTION_STATUS = 0x11d3,
    CL_MEM_READ_WRITE = 1,
};
#define CL_DEVICE_TYPE_ALL UINT64_C(0xffffffff)

/* FUNCTION(result, name without cl, parameters) */
#define OPENCL_FUNCTIONS(FUNCTION)                                                                           \
    FUNCTION(int32_t, GetPlatformIDs, (uint32_t capacity, cl_platform * platforms, uint32_t * count))        \
    FUNCTION(int32_t, GetPlatformInfo,                                                                       \
             (cl_platform platform, uint32_t what, size_t size, void *value, size_t *needed))                \
    FUNCTION(                                                                                                \
        int32_t, GetDeviceIDs,                                                                               \
        (cl_platform platform, uint64_t type, uint32_t capacity, cl_device * devices, uint32_t * count))     \
    FUNCTION(int32_t, GetDeviceInfo,                                                                         \
             (cl_device device, uint32_t what, size_t size, void *value, size_t *needed))                    \
    FUNCTION(cl_context, CreateContext,                                                                      \
             (const intptr_t *properties, uint32_t count, const cl_device *devices, cl_notify *notify,       \
              void *context, int32_t *error))                                                                \
    FUNCTION(int32_t, ReleaseContext, (cl_context context))                                                  \
    FUNCTION(cl_queue, CreateCommandQueue,                                                                   \
             (cl_context context, cl_device device, uint64_t properties, int32_t * error))                   \
    FUNCTION(int32_t, ReleaseCommandQueue, (cl_queue queue))                                                 \
    FUNCTION(cl_memory, CreateBuffer,                                                                        \
             (cl_context context, uint64_t flags, size_t size, void *host, int32_t *error))                  \
    FUNCTION(int32_t, ReleaseMemObject, (cl_memory memory))                                                  \
    FUNCTION(                                                                                                \
        cl_program, CreateProgramWithSource,                                                                 \
        (cl_context context, uint32_t count, const char **texts, const size_t *lengths, int32_t *error))     \
    FUNCTION(int32_t, BuildProgram,                                                                          \
             (cl_program program, uint32_t count, const cl_device *devices, const char *options,             \
              cl_built *notify, void *context))                                                              \
    FUNCTION(                                                                                                \
        int32_t, GetProgramBuildInfo,                                                                        \
        (cl_program program, cl_device device, uint32_t what, size_t size, void *value, size_t *needed))     \
    FUNCTION(int32_t, ReleaseProgram, (cl_program program))                                                  \
    FUNCTION(cl_kernel, CreateKernel, (cl_program program, const char *name, int32_t *error))                \
    FUNCTION(int32_t, ReleaseKernel, (cl_kernel kernel))                                                     \
    FUNCTION(int32_t, SetKernelArg, (cl_kernel kernel, uint32_t index, size_t size, const void *value))      \
    FUNCTION(int32_t, EnqueueWriteBuffer,                                                                    \
             (cl_queue queue, cl_memory memory, uint32_t blocking, size_t offset, size_t size,               \
              const void *from, uint32_t event_count, const cl_event *events, cl_event *event))              \
    FUNCTION(int32_t, EnqueueReadBuffer,                                                                     \
             (cl_queue queue, cl_memory memory, uint32_t blocking, size_t offset, size_t size, void *to,     \
              uint32_t event_count, const cl_event *events, cl_event *event))                                \
    FUNCTION(int32_t, EnqueueNDRangeKernel,                                                                  \
             (cl_queue queue, cl_kernel kernel, uint32_t dimensions, const size_t *offset,                   \
              const size_t *global, const size_t *local, uint32_t event_count, const cl_event *events,       \
              cl_event *event))                                                                              \
    FUNCTION(int32_t, Flush, (cl_queue queue))                                                               \
    FUNCTION(int32_t, GetEventInfo,                                                                          \
             (cl_event event, uint32_t what, size_t size, void *value, size_t *needed))                      \
    FUNCTION(int32_t, WaitForEvents, (uint32_t count, const cl_event *events))                               \
    FUNCTION(int32_t, ReleaseEvent, (cl_event event))

struct opencl {
#define OPENCL_MEMBER(result, name, parameters) result(*name) parameters;
    OPENCL_FUNCTIONS(OPENCL_MEMBER)
#undef OPENCL_MEMBER
};

#endif
