/* driver.h - the OpenCL library of this machine, if there is one, and the devices it has.
 *
 * A driver is a stranger in the process, so it is loaded only when it has listed its devices (and, before a program runs on one,
 * compiled and run it) in a child process. Once loaded it stays, for all threads: drivers do not like to be unloaded, and a
 * process forked later could not use what the first one left of it. That is the only state here; a lock guards it. */
#ifndef GPU_DRIVER_H
#define GPU_DRIVER_H

#include "gpu/gpu.h"
#include "gpu/opencl.h"

/* The functions of a driver that is loaded, or is now. Null: there is none. */
const struct opencl *driver_load(struct mp_error *error);
bool driver_is_loaded(void);

/* Devices in the order of their numbers. Loads the driver. Returns how many, at most GPU_MOST_DEVICES; -1: there is no driver. */
int driver_devices(cl_device devices[], struct gpu_info infos[], struct mp_error *error);

/* "no OpenCL device", and what would make one. */
bool driver_fail_none(struct mp_error *error);

#endif
