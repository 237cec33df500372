/* trial.c - the child process of a trial, and its end. */
#include "gpu/trial.h"

#include "base/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* What the child leaves behind; what it was to fill follows. */
struct trial_outcome {
    _Alignas(64) bool is_done, is_right;
    struct mp_error error;
};

/* Drivers have words of their own for what they meet, on any stream; the sentence is ours. */
__attribute__((noreturn)) static void try_and_exit(struct trial_outcome *outcome, trial_function *attempt,
                                                   const void *context)
{
    static const int faults[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT};
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
        signal(faults[i], SIG_DFL); /* whoever handles them in the parent would not know of the child */
    int nowhere = open("/dev/null", O_RDWR);
    for (int stream = 0; nowhere >= 0 && stream <= 2; stream++)
        dup2(nowhere, stream);
    outcome->is_right = attempt(outcome + 1, context, &outcome->error);
    outcome->is_done = true;
    _exit(0); /* a driver's own way to end could hang too */
}

static void sleep_ms(long ms)
{
    nanosleep(&(struct timespec){ms / 1000, ms % 1000 * 1000000}, NULL);
}

/* Waits for the end of a child; false: it is not over in time. A program may let others wait for its children: then
 * there is no status, and what the child has left tells enough. */
static bool is_over(pid_t id, double seconds, int *status)
{
    int64_t start = clock_ns();
    for (;;) {
        pid_t ended = waitpid(id, status, WNOHANG);
        if (ended == id || (ended < 0 && errno == ECHILD))
            return true;
        if (clock_seconds_since(start) > seconds)
            return false;
        sleep_ms(1);
    }
}

static bool tell(const char *who, const struct trial_outcome *outcome, bool over, int status, double seconds,
                 struct mp_error *error)
{
    if (outcome->is_done && outcome->is_right)
        return true;
    if (outcome->is_done)
        return mp_fail_with(error, outcome->error.code, "%s", outcome->error.text);
    if (!over)
        return mp_fail_with(error, MP_ERROR_SYSTEM,
                            "%s did not answer within %g s, expected a driver that works", who, seconds);
    if (WIFSIGNALED(status))
        return mp_fail_with(error, MP_ERROR_SYSTEM, "%s crashed (%s), expected a driver that works", who,
                            strsignal(WTERMSIG(status)));
    return mp_fail_with(error, MP_ERROR_SYSTEM, "%s ended the process, expected a driver that works", who);
}

bool trial(const char *who, double seconds, trial_function *attempt, void *shared, size_t size,
           const void *context, struct mp_error *error)
{
    size_t bytes = sizeof(struct trial_outcome) + size;
    struct trial_outcome *outcome = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
                                         0);
    if (outcome == MAP_FAILED)
        return mp_fail_with(error, MP_ERROR_MEMORY, "out of memory");
    if (size)
        memcpy(outcome + 1, shared, size);
    int status = 0;
    pid_t id = fork();
    if (id == 0)
        try_and_exit(outcome, attempt, context);
    if (id < 0) {
        munmap(outcome, bytes);
        return mp_fail_with(error, MP_ERROR_SYSTEM, "no process to try %s in: %s", who, strerror(errno));
    }
    bool over = is_over(id, seconds, &status);
    if (!over && !outcome->is_done) {
        /* A process that waits inside a driver of the kernel may stay even so: nobody waits for it. */
        kill(id, SIGKILL);
        int ignored;
        is_over(id, 0.2, &ignored);
    }
    bool right = tell(who, outcome, over, status, seconds, error);
    if (size)
        memcpy(shared, outcome + 1, size);
    munmap(outcome, bytes);
    return right;
}
