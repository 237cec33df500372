/* waits.c - reads how long threads have waited for a CPU. */
#include "lab/waits.h"

#include <dirent.h>
#include <fcntl.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* "RAN WAITED SLICES", in nanoseconds. */
static bool read_schedstat(const char *file, int64_t *ran, int64_t *waited)
{
    char text[96];
    int handle = open(file, O_RDONLY | O_CLOEXEC);
    ssize_t length = handle >= 0 ? read(handle, text, sizeof text - 1) : -1;
    if (handle >= 0)
        close(handle);
    if (length <= 0)
        return false;
    text[length] = 0;
    char *rest;
    *ran = strtoll(text, &rest, 10);
    *waited = strtoll(rest, NULL, 10);
    return true;
}

int64_t waits_of_this_thread(void)
{
    int64_t ran, waited;
    return read_schedstat("/proc/thread-self/schedstat", &ran, &waited) ? waited : 0;
}

static struct waiting_thread *find(struct waits *waits, pid_t id)
{
    for (int i = 0; i < waits->count; i++)
        if (waits->threads[i].id == id)
            return &waits->threads[i];
    if (waits->count == WAITS_MOST_THREADS)
        return NULL;
    struct waiting_thread *thread = &waits->threads[waits->count++];
    *thread = (struct waiting_thread){.id = id};
    return thread;
}

void waits_look(struct waits *waits)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/task", (int)waits->process);
    DIR *folder = opendir(path);
    for (struct dirent *entry; folder && (entry = readdir(folder));) {
        pid_t id = (pid_t)atoi(entry->d_name);
        int64_t ran, waited;
        snprintf(path, sizeof path, "/proc/%d/task/%d/schedstat", (int)waits->process, (int)id);
        struct waiting_thread *thread = id > 0 && read_schedstat(path, &ran, &waited) ? find(waits, id)
                                                                                      : NULL;
        if (!thread)
            continue;
        waits->waited += waited - thread->waited;
        thread->waited = waited;
        thread->ran = ran;
    }
    if (folder)
        closedir(folder);
}

void waits_begin(struct waits *waits, pid_t process)
{
    waits->process = process;
    waits->count = 0;
    waits->waited = 0;
    waits_look(waits);
    waits->waited = 0;
    for (int i = 0; i < waits->count; i++)
        waits->threads[i].ran_before = waits->threads[i].ran;
}

double waits_seconds(const struct waits *waits, double elapsed, int64_t own_ns)
{
    int64_t ran = 0;
    for (int i = 0; i < waits->count; i++) {
        const struct waiting_thread *thread = &waits->threads[i];
        ran = thread->ran - thread->ran_before > ran ? thread->ran - thread->ran_before : ran;
    }
    double waited = fmin((double)(waits->waited + own_ns) * 1e-9, elapsed - (double)ran * 1e-9);
    return fmax(fmin(waited, WAITS_MOST_SECONDS), 0);
}
