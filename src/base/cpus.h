/* cpus.h - how many CPUs this process may use. */
#ifndef BASE_CPUS_H
#define BASE_CPUS_H

/* The smaller of the affinity mask and the cgroup's quota, at least 1. */
int cpus_allowed(void);

#endif
