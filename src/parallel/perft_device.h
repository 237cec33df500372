/* perft_device.h - perft on a device. */
#ifndef PARALLEL_PERFT_DEVICE_H
#define PARALLEL_PERFT_DEVICE_H

#include "manyply/manyply.h"

/* As mp_perft, on the device of that number (gpu/gpu.h). */
bool device_perft(const struct mp_position *position, int depth, int device, bool drop_finished,
                  mp_perft_progress progress, void *context, uint64_t *leaves, struct mp_error *error);

#endif
