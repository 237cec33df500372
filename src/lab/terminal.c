#define _GNU_SOURCE /* strcasestr */
#include "lab/terminal.h"

#include "base/clock.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

int terminal_columns(void)
{
    enum { MOST = 100, ELSEWHERE = 80 };
    struct winsize size;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
        return ELSEWHERE;
    return size.ws_col < MOST ? size.ws_col : MOST;
}

bool terminal_has_unicode(void)
{
    /* In the order in which the C library asks them. */
    static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    for (int i = 0; i < 3; i++) {
        const char *value = getenv(names[i]);
        if (value && *value)
            return strcasestr(value, "utf-8") || strcasestr(value, "utf8");
    }
    return false;
}

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
