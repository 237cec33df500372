/* progress.c - draws a progress bar from a thread of its own. */
#include "lab/progress.h"

#include "base/clock.h"
#include "base/thread.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

enum { BAR = 30, AFTER_MS = 1500, EVERY_MS = 200 };

static void draw(struct progress *progress, int64_t now)
{
    int full = (int)(progress->share * BAR);
    double seconds = (double)(now - progress->start_ns) * 1e-9;
    fprintf(progress->out, "\r%s [%.*s%*s] %3.0f%%", progress->doing, full, "##############################",
            BAR - full, "", 100 * progress->share);
    if (progress->share > 0)
        fprintf(progress->out, ", about %.0f s left", seconds / progress->share - seconds);
    fprintf(progress->out, "\033[K");
    progress->is_shown = true;
}

static struct timespec time_after(int64_t ns)
{
    struct timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    ns += time.tv_nsec;
    return (struct timespec){time.tv_sec + ns / 1000000000, ns % 1000000000};
}

static void *draw_until_the_end(void *argument)
{
    struct progress *progress = argument;
    pthread_mutex_lock(&progress->lock);
    while (!progress->ends) {
        int64_t now = clock_ns();
        if (now - progress->begin_ns >= AFTER_MS * INT64_C(1000000))
            draw(progress, now);
        struct timespec next = time_after(EVERY_MS * INT64_C(1000000));
        pthread_cond_timedwait(&progress->wake, &progress->lock, &next);
    }
    pthread_mutex_unlock(&progress->lock);
    return NULL;
}

/* Without the thread there is no bar, and nothing else is lost. */
static bool start_drawing(struct progress *progress)
{
    sigset_t all, before;
    pthread_mutex_init(&progress->lock, NULL);
    pthread_cond_init(&progress->wake, NULL);
    sigfillset(&all); /* signals are for the program's other threads */
    pthread_sigmask(SIG_SETMASK, &all, &before);
    bool ok = thread_start(&progress->thread, draw_until_the_end, progress);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return ok;
}

void progress_show(struct progress *progress, const char *doing, double share)
{
    bool begins = !progress->doing;
    if (progress->draws)
        pthread_mutex_lock(&progress->lock);
    if (begins || strcmp(progress->doing, doing) != 0)
        progress->start_ns = clock_ns();
    if (begins)
        progress->begin_ns = progress->start_ns;
    progress->doing = doing;
    progress->share = share;
    if (progress->draws)
        pthread_mutex_unlock(&progress->lock);
    if (begins && progress->out && isatty(fileno(progress->out)))
        progress->draws = start_drawing(progress);
}

void progress_end(struct progress *progress)
{
    if (progress->draws) {
        pthread_mutex_lock(&progress->lock);
        progress->ends = true;
        pthread_cond_signal(&progress->wake);
        pthread_mutex_unlock(&progress->lock);
        pthread_join(progress->thread, NULL);
        pthread_mutex_destroy(&progress->lock);
        pthread_cond_destroy(&progress->wake);
    }
    if (progress->is_shown)
        fprintf(progress->out, "\r\033[K");
    *progress = (struct progress){.out = progress->out};
}
