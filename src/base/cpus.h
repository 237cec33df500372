/* cpus.h - which CPUs this process may use. */
#ifndef BASE_CPUS_H
#define BASE_CPUS_H

/* The smaller of the affinity mask and the cgroup's quota, at least 1. */
int cpus_allowed(void);

/* The CPUs of the affinity mask by number, first one of each core, then the other threads of the cores; as
 * far as they fit. Returns how many were written. */
int cpus_by_core(int *cpus, int capacity);

#endif
