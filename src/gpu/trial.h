/* trial.h - something that others have written, tried in a child process first: only there a crash or a hang can become a
 * sentence. */
#ifndef GPU_TRIAL_H
#define GPU_TRIAL_H

#include "manyply/game.h"

/* Does it, on memory that the child and the caller share. False: error says why not. */
typedef bool trial_function(void *shared, const void *context, struct mp_error *error);

/* `who` is the subject of the sentence: "the OpenCL driver" crashed, or did not answer. The child is given so many seconds. On
 * success *shared is what the child left in it. */
bool trial(const char *who, double seconds, trial_function *attempt, void *shared, size_t size,
           const void *context, struct mp_error *error);

#endif
