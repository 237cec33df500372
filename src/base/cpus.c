#define _GNU_SOURCE
#include "base/cpus.h"

#include <sched.h>
#include <stdio.h>
#include <string.h>

/* CPUs' worth of time that the control group allows, rounded up; 0 when there is no quota. */
static int cgroup_quota(void)
{
    FILE *file = fopen("/sys/fs/cgroup/cpu.max", "r");
    if (!file)
        return 0;
    long long quota = 0, period = 0;
    int fields = fscanf(file, "%lld %lld", &quota, &period);
    fclose(file);
    if (fields != 2 || quota <= 0 || period <= 0)
        return 0;
    return (int)((quota + period - 1) / period);
}

int cpus_allowed(void)
{
    cpu_set_t set;
    int cpus = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
    int quota = cgroup_quota();
    if (quota > 0 && quota < cpus)
        cpus = quota;
    return cpus > 0 ? cpus : 1;
}
