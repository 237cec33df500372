/* gpu.h - devices with thousands of threads (OpenCL), and batches of playouts, or of positions to be counted, on them.
 *
 * A game comes with the source of its playout (struct mp_kernels). A device that is opened for a game has that source compiled
 * between the two halves of kernels.cl, and batches of states go there and come back. Who may touch what: a struct gpu does not
 * change once it is open, so any thread may read it. A batch belongs to one thread at a time and has a queue, a buffer and
 * kernels of its own: no two threads ever touch the same object of OpenCL but the context and the program, which they
 * only name. Between sending a batch and its return nobody writes its records: the device does. */
#ifndef GPU_GPU_H
#define GPU_GPU_H

#include "manyply/game.h"

enum { GPU_MOST_DEVICES = 16, GPU_MOST_PLAYOUTS = 1024, GPU_MOST_BATCH = 1 << 16, GPU_MOST_DEPTH = 8 };

struct gpu_info {
    char name[128], driver[128], version[64];
    char kind[16]; /* "GPU", "CPU", "other" */
    uint32_t units;
    uint64_t memory; /* bytes */
};

/* The devices there are, GPUs first; they are numbered from 1 in this order. Returns how many; 0: error says why. */
int gpu_list(struct gpu_info infos[GPU_MOST_DEVICES], struct mp_error *error);

struct gpu;

/* May playouts of this game be made on a device? */
bool gpu_knows(const struct mp_game *game, struct mp_error *error);

/* Compiles the kernels of a game for a device. rewards: what a margin from -margin_max to margin_max is worth, each between
 * -2^20 and 2^20; null: itself. */
struct gpu *gpu_open(const struct mp_game *game, int number, const int32_t *rewards, struct mp_error *error);
void gpu_close(struct gpu *gpu);
const struct gpu_info *gpu_about(const struct gpu *gpu);
const struct mp_game *gpu_game(const struct gpu *gpu);

/* For so many states. They are added, sent, and have come back when gpu_return says so; then the batch is empty, and
 * what was found out can be read until states are added again. */
struct gpu_batch;
struct gpu_batch *gpu_batch_new(struct gpu *gpu, int capacity, struct mp_error *error);
void gpu_batch_free(struct gpu_batch *batch);
int gpu_batch_count(const struct gpu_batch *batch);
void gpu_batch_add(struct gpu_batch *batch, const void *state, uint64_t seed);

/* Sends the batch: so many playouts from each state, playout i with random_at(seed, i), at most GPU_MOST_PLAYOUTS; or the
 * leaves depth plies below each, 1 to GPU_MOST_DEPTH. */
bool gpu_play(struct gpu_batch *batch, int playouts, struct mp_error *error);
bool gpu_count(struct gpu_batch *batch, int depth, bool drop_finished, struct mp_error *error);

/* Waits for it. False: the device has failed, or has not answered for a long time; it will not be used again. */
bool gpu_return(struct gpu_batch *batch, struct mp_error *error);

/* The sum of the rewards of the playouts from a state, for its side to move; its leaves. */
int32_t gpu_sum(const struct gpu_batch *batch, int index);
uint64_t gpu_leaves(const struct gpu_batch *batch, int index);

/* examine.c. The same playout on the CPU: the game's own, or random moves. */
int gpu_playout_here(const struct mp_game *game, const void *state, uint64_t seed);

/* Plays from so many positions of random games, there and here. False: there is a difference, or the device failed. The rewards
 * of the device have to be the margins. */
bool gpu_compare(struct gpu *gpu, int positions, uint64_t seed, struct mp_error *error);

/* Playouts from the beginning of the game for about so long; how many were made a second. 0: the device failed. */
double gpu_measure(struct gpu *gpu, double seconds, struct mp_error *error);

#endif
