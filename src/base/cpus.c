/* cpus.c - counts the CPUs that the affinity mask and the cgroup allow, and orders them by core. */
#define _GNU_SOURCE
#include "base/cpus.h"

#include <sched.h>
#include <stdbool.h>
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

/* Is this the first hardware thread of its core? What the system does not tell counts as yes. */
static bool is_first_of_core(int cpu)
{
    char path[96];
    snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%d/topology/thread_siblings_list", cpu);
    FILE *file = fopen(path, "r");
    int first = cpu;
    if (file) {
        if (fscanf(file, "%d", &first) != 1)
            first = cpu;
        fclose(file);
    }
    return first == cpu;
}

int cpus_by_core(int *cpus, int capacity)
{
    cpu_set_t set;
    int count = 0;
    if (sched_getaffinity(0, sizeof set, &set) != 0)
        return 0;
    for (int round = 0; round < 2; round++)
        for (int cpu = 0; cpu < CPU_SETSIZE && count < capacity; cpu++)
            if (CPU_ISSET((size_t)cpu, &set) && is_first_of_core(cpu) == (round == 0))
                cpus[count++] = cpu;
    return count;
}
