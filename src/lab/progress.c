#include "lab/progress.h"

#include "base/clock.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

void progress_show(struct progress *progress, const char *doing, double share)
{
    enum { BAR = 30 };
    int64_t now = clock_ns();
    if (!progress->doing || strcmp(progress->doing, doing) != 0) {
        progress->doing = doing;
        progress->start_ns = now;
    }
    double seconds = (double)(now - progress->start_ns) * 1e-9;
    if (seconds < 1.5 || now - progress->shown_ns < 200000000 || !isatty(STDERR_FILENO))
        return;
    progress->shown_ns = now;
    int full = (int)(share * BAR);
    fprintf(stderr, "\r%s [%.*s%*s] %3.0f%%", doing, full, "##############################", BAR - full, "",
            100 * share);
    if (share > 0)
        fprintf(stderr, ", about %.0f s left", seconds / share - seconds);
    fprintf(stderr, "\033[K");
}

void progress_end(struct progress *progress)
{
    if (progress->shown_ns)
        fprintf(stderr, "\r\033[K");
    *progress = (struct progress){0};
}
