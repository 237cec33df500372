/* process.c - starts a program with pipes to it, and sends and reads lines with a deadline. */
#define _GNU_SOURCE /* pipe2, ppoll */
#include "lab/process.h"

#include "base/clock.h"
#include "lab/waits.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

struct process {
    pid_t id;
    int to, from;
    size_t begin, end; /* what has been read and not yet been given out */
    bool in_long_line; /* its beginning has been given out, the rest is dropped */
    int64_t read_late_ns;
    char buffer[16384];
};

/* After fork only functions that are safe in signal handlers may be called: other threads may have held
 * locks. */
static void become(char *const *words, const int in[2], const int out[2], const int failure[2])
{
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    signal(SIGPIPE, SIG_DFL);
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    int nothing = open("/dev/null", O_WRONLY);
    dup2(in[0], STDIN_FILENO);
    dup2(out[1], STDOUT_FILENO);
    dup2(nothing, STDERR_FILENO);
    execvp(words[0], words);
    int reason = errno;
    ssize_t written = write(failure[1], &reason, sizeof reason);
    _exit(written == sizeof reason ? 127 : 126);
}

static void close_pair(const int pair[2])
{
    for (int i = 0; i < 2; i++)
        if (pair[i] >= 0)
            close(pair[i]);
}

/* All or none. */
static bool open_pipes(int in[2], int out[2], int failure[2])
{
    if (pipe2(in, O_CLOEXEC) == 0 && pipe2(out, O_CLOEXEC) == 0 && pipe2(failure, O_CLOEXEC) == 0)
        return true;
    int reason = errno;
    close_pair(in);
    close_pair(out);
    close_pair(failure);
    errno = reason;
    return false;
}

struct process *process_start(char *const *words, struct mp_error *error)
{
    struct process *p = calloc(1, sizeof *p);
    int in[2] = {-1, -1}, out[2] = {-1, -1}, failure[2] = {-1, -1}, reason = 0;
    if (!p) {
        mp_fail(error, "out of memory");
        return NULL;
    }
    if (!open_pipes(in, out, failure)) {
        mp_fail(error, "cannot run %.200s: %s", words[0], strerror(errno));
        free(p);
        return NULL;
    }
    p->id = fork();
    if (p->id == 0)
        become(words, in, out, failure);
    bool failed = p->id < 0;
    reason = errno;
    close(in[0]);
    close(out[1]);
    close(failure[1]);
    /* The pipe closes when the new program begins; otherwise it says why it did not. */
    failed = failed || read(failure[0], &reason, sizeof reason) == sizeof reason;
    close(failure[0]);
    p->to = in[1];
    p->from = out[0];
    if (!failed) {
        fcntl(p->to, F_SETFL, O_NONBLOCK);
        fcntl(p->from, F_SETFL, O_NONBLOCK);
        return p;
    }
    mp_fail(error, "cannot run %.200s: %s", words[0], strerror(reason));
    if (p->id > 0)
        process_end(p);
    else {
        close_pair((int[]){p->to, p->from});
        free(p);
    }
    return NULL;
}

void process_end(struct process *p)
{
    if (!p)
        return;
    kill(-p->id, SIGKILL);
    kill(p->id, SIGKILL); /* it may not have had the time to found its group */
    waitpid(p->id, NULL, 0);
    close_pair((int[]){p->to, p->from});
    free(p);
}

bool process_was_killed(struct process *p)
{
    siginfo_t how = {0};
    /* Its pipes close a moment before it has ended. It is not taken away yet: process_end does that. */
    for (int i = 0; i < 100 && how.si_pid == 0; i++) {
        waitid(P_PID, (id_t)p->id, &how, WEXITED | WNOHANG | WNOWAIT);
        if (how.si_pid == 0)
            nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
    return how.si_code == CLD_KILLED && how.si_status == SIGKILL;
}

pid_t process_id(const struct process *p)
{
    return p->id;
}

int64_t process_read_late_ns(const struct process *p)
{
    return p->read_late_ns;
}

/* Waits until the file is ready or the deadline has passed. */
static bool wait_for(int file, short what, int64_t deadline_ns)
{
    int64_t left = deadline_ns - clock_ns();
    if (left <= 0)
        return false;
    struct pollfd one = {.fd = file, .events = what};
    struct timespec timeout = {left / 1000000000, left % 1000000000};
    int ready = ppoll(&one, 1, &timeout, NULL);
    return ready > 0 || (ready < 0 && errno == EINTR);
}

/* A write to a program that has ended must not end this one: the signal is blocked in this thread and taken
 * away again, so that no other part of the program is touched. */
static ssize_t write_quietly(int file, const char *text, size_t length)
{
    sigset_t pipe_signal, before, waiting;
    sigemptyset(&pipe_signal);
    sigaddset(&pipe_signal, SIGPIPE);
    sigpending(&waiting);
    bool was_pending = sigismember(&waiting, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipe_signal, &before);
    ssize_t written = write(file, text, length);
    int reason = errno;
    if (written < 0 && reason == EPIPE && !was_pending)
        sigtimedwait(&pipe_signal, NULL, &(struct timespec){0});
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = reason;
    return written;
}

enum process_answer process_send(struct process *p, const char *text, int64_t deadline_ns)
{
    for (size_t length = strlen(text); length > 0;) {
        ssize_t written = write_quietly(p->to, text, length);
        if (written > 0) {
            text += written;
            length -= (size_t)written;
        } else if (errno != EAGAIN && errno != EINTR) {
            return PROCESS_GONE;
        } else if (!wait_for(p->to, POLLOUT, deadline_ns)) {
            return PROCESS_LATE;
        }
    }
    return PROCESS_OK;
}

/* Gives out the first this many bytes of the buffer as a line. */
static void take(struct process *p, size_t length, char *line, size_t size)
{
    const char *text = p->buffer + p->begin;
    size_t kept = length < size - 1 ? length : size - 1;
    memcpy(line, text, kept);
    while (kept > 0 && line[kept - 1] == '\r')
        kept--;
    line[kept] = 0;
    p->begin += length;
}

/* A whole line, or the beginning of one that is longer than the buffer, if there is one. */
static bool take_line(struct process *p, char *line, size_t size)
{
    for (;;) {
        const char *start = p->buffer + p->begin;
        const char *newline = memchr(start, '\n', p->end - p->begin);
        bool full = p->begin == 0 && p->end == sizeof p->buffer;
        if (!newline && !full)
            return false;
        bool dropped = p->in_long_line;
        take(p, newline ? (size_t)(newline - start) : p->end - p->begin, line, size);
        p->begin += newline ? 1 : 0;
        p->in_long_line = !newline;
        if (!dropped)
            return true;
    }
}

enum process_answer process_read(struct process *p, int64_t deadline_ns, char *line, size_t size)
{
    for (;;) {
        if (take_line(p, line, size))
            return PROCESS_OK;
        memmove(p->buffer, p->buffer + p->begin, p->end - p->begin);
        p->end -= p->begin;
        p->begin = 0;
        int64_t waited = waits_of_this_thread();
        if (!wait_for(p->from, POLLIN, deadline_ns))
            return PROCESS_LATE;
        p->read_late_ns = waits_of_this_thread() - waited;
        ssize_t got = read(p->from, p->buffer + p->end, sizeof p->buffer - p->end);
        if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR))
            return PROCESS_GONE;
        p->end += got > 0 ? (size_t)got : 0;
    }
}

int64_t process_deadline(double seconds)
{
    /* A hundred years are enough. */
    return clock_ns() + (int64_t)((seconds < 3e9 ? seconds : 3e9) * 1e9);
}
