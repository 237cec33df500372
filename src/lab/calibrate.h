/* calibrate.h - measures what things cost on this machine, for searches on a virtual one (parallel/costs.h). */
#ifndef LAB_CALIBRATE_H
#define LAB_CALIBRATE_H

#include "parallel/costs.h"

#include "manyply/manyply.h"

/* All but the cost of a node, in some hundredths of a second; where there is one CPU only, or no thread to be had, the
 * typical ones. */
void calibrate_machine(struct costs *costs);

/* The cost of a node: CPU time of a sequential search by a strategy, whose scheme does not count, on a position. It takes
 * a tenth of a second, or less if the strategy says so. */
bool calibrate_node(const struct mp_strategy *strategy, const struct mp_position *position, double *node,
                    struct mp_error *error);

/* Costs as a command line has them, "steal=400,wake=20000" (null: none); the others are measured, but that of a node,
 * which is 0 then. False: see error. */
bool calibrate_read(const char *given, struct costs *costs, struct mp_error *error);

/* The same as text; node only where it is given. */
void calibrate_print(const struct costs *costs, char *text, size_t size);

#endif
