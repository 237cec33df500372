/* child.c - the whole check in a process of its own: whatever the game does there, this process is told about
 * it in a sentence. The two share one page of memory, in which the child keeps what it has found, where it
 * is, and which function of the game it is calling. */
#define _GNU_SOURCE /* memfd_create */
#include "kit/walk.h"
#include "kit/watcher.h"

#include "base/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    DEFAULT_POSITIONS = 40,
    DEFAULT_SECONDS = 60,
    DEFAULT_PATIENCE = 10,
    GAMES = 40,
    ENOUGH_MOVES = 60000,
    COUNTED = 8,
    EARLY_STATES = 20000,
    TWINS_OF = 6,
    MOST_LEAVES = 10000,
    MEMORY_MEGABYTES = 2048,
    MOST_PRINTED = 1 << 20,
};

struct page {
    struct kit_report report;
    struct watch_calls calls;
    volatile bool is_done;
    bool is_usage; /* no game of that name */
    struct mp_error error;
    volatile size_t printed; /* bytes that the game has written to standard output or error */
};

/* ---- In the child -------------------------------------------------------------------------------------- */

/* For the signal handler; a process checks one game. */
static struct page *page_of_child;

static void on_fatal(int number)
{
    watch_note_fatal(&page_of_child->calls);
    signal(number, SIG_DFL);
    raise(number);
}

/* On a stack of its own, as the game may have used up the other. */
static void watch_signals(struct page *page)
{
    static const int fatal[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP};
    static char stack[16384];
    page_of_child = page;
    sigaltstack(&(stack_t){.ss_sp = stack, .ss_size = sizeof stack}, NULL);
    for (size_t i = 0; i < sizeof fatal / sizeof *fatal; i++)
        sigaction(fatal[i], &(struct sigaction){.sa_handler = on_fatal, .sa_flags = SA_ONSTACK}, NULL);
}

/* The path of a plug-in without the options behind it; null: a built-in game. On the heap. */
static char *plugin_path(const char *name)
{
    const char *slash = strrchr(name, '/');
    size_t length = strcspn(slash ? slash : name, ":") + (size_t)(slash ? slash - name : 0);
    bool is_plugin = slash || (length > 3 && !strncmp(name + length - 3, ".so", 3));
    return is_plugin ? strndup(name, length) : NULL;
}

/* A plug-in that is there and cannot be opened is faulty; anything else that cannot be opened was not meant.
 * */
static struct mp_game *open_game(struct page *page, const char *name)
{
    struct kit kit = {.report = &page->report};
    struct mp_error error = {0};
    page->report.now.plies = KIT_NOWHERE; /* what is wrong at opening has its place in the sentence */
    char *path = plugin_path(name);
    bool is_there = path && access(path, R_OK) == 0;
    watch_call(&page->calls, "open");
    struct mp_game *game = mp_game_open(is_there ? path : name, &error);
    if (is_there && !game)
        kit_fault(&kit, "open", "%s", error.text);
    else if (is_there && strcmp(path, name) != 0) {
        mp_game_close(game);
        game = mp_game_open(name, &error);
        page->is_usage = !game;
    } else
        page->is_usage = !game;
    watch_call(&page->calls, NULL);
    page->error = error;
    free(path);
    return game;
}

static void check(struct page *page, const char *name, const struct kit_effort *effort)
{
    struct kit kit;
    struct mp_game *game = open_game(page, name);
    struct watcher *watch = game ? watch_new(game, &page->calls) : NULL;
    if (watch && kit_open(&kit, watch_game(watch), &page->report, &page->error)) {
        kit.deadline_ns = clock_ns() + (int64_t)(effort->seconds * 1e9);
        kit_play_games(&kit, GAMES, ENOUGH_MOVES);
        /* What is broken there is broken everywhere, and would only be told in stranger words. */
        if (page->report.fault_count == 0) {
            kit_count_lines(&kit, COUNTED);
            kit_meet_early_states(&kit, EARLY_STATES);
            kit_meet_twins(&kit, TWINS_OF);
            kit_compare_searches(&kit, effort->positions, MOST_LEAVES);
        }
        kit_close(&kit);
    }
    watch_call(&page->calls, "close");
    watch_free(watch);
    mp_game_close(game);
    watch_call(&page->calls, NULL);
}

static _Noreturn void be_the_child(struct page *page, const char *name, const struct kit_effort *effort)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    vet_limit_memory(MEMORY_MEGABYTES);
    watch_signals(page);
    /* What the game prints is kept from the reader, and counted. */
    setrlimit(RLIMIT_FSIZE, &(struct rlimit){MOST_PRINTED, MOST_PRINTED});
    signal(SIGXFSZ, SIG_IGN);
    int output = memfd_create("output", MFD_CLOEXEC);
    if (output >= 0) {
        dup2(output, STDOUT_FILENO);
        dup2(output, STDERR_FILENO);
    }
    setvbuf(stdout, NULL, _IONBF, 0);
    check(page, name, effort);
    off_t printed = output >= 0 ? lseek(output, 0, SEEK_END) : 0;
    page->printed = printed > 0 ? (size_t)printed : 0;
    page->is_done = true;
    _exit(0);
}

/* ---- In the parent ------------------------------------------------------------------------------------- */

struct child {
    pid_t id;
    int status;
    bool is_killed, was_stuck;
};

/* The processor time of the child in seconds, 0 if it cannot be told. */
static double seconds_used(const struct child *child)
{
    clockid_t clock;
    struct timespec time;
    if (clock_getcpuclockid(child->id, &clock) != 0 || clock_gettime(clock, &time) != 0)
        return 0;
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* Waits for the child; one that stands still, or goes on far beyond its time, is killed. Patience is for
 * processor time, as a busy machine may leave little of it; to sleep is not the business of a game, and so is
 * given more. */
static void wait_for(struct child *child, struct page *page, const struct kit_effort *effort,
                     kit_progress progress, void *context)
{
    enum { SLEEP = 10 };
    int64_t start = clock_ns(), moved = start;
    uint64_t count = 0;
    double used = 0;
    while (true) {
        pid_t ended = waitpid(child->id, &child->status, WNOHANG);
        if (ended != 0 && !(ended < 0 && errno == EINTR))
            return;
        uint64_t calls = watch_count(&page->calls);
        if (calls != count) {
            count = calls;
            moved = clock_ns();
            used = seconds_used(child);
        }
        child->was_stuck = seconds_used(child) - used > effort->patience ||
                           clock_seconds_since(moved) > SLEEP * effort->patience;
        if (child->was_stuck || clock_seconds_since(start) > effort->seconds + SLEEP * effort->patience) {
            child->is_killed = true;
            kill(child->id, SIGKILL);
            while (waitpid(child->id, &child->status, 0) < 0 && errno == EINTR)
                ;
            return;
        }
        if (progress && page->report.doing)
            progress(page->report.doing, page->report.share, context);
        nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
    }
}

/* The sentence about a child that did not come to its end. */
static void note_death(struct page *page, const struct child *child, const struct kit_effort *effort)
{
    struct kit kit = {.report = &page->report};
    const char *calling = watch_calling(&page->calls), *what = calling ? calling : "the game";
    char during[200] = "";
    if (page->report.strategy[0])
        snprintf(during, sizeof during, " in the search %s", page->report.strategy);
    if (child->is_killed && child->was_stuck)
        kit_fault(&kit, "returns", "%s does not return within %g s%s, expected that it comes to an end", what,
                  effort->patience, during);
    else if (child->is_killed)
        kit_fault(&kit, "returns",
                  "the check does not come to an end within %g s: %s is called again and again%s",
                  effort->seconds, what, during);
    else if (WIFSIGNALED(child->status))
        kit_fault(&kit, "crash", "%s crashes (%s)%s, expected that it returns", what,
                  vet_signal_name(WTERMSIG(child->status)), during);
    else
        kit_fault(&kit, "exit", "%s ends the process%s, expected that it returns", what, during);
}

enum kit_verdict kit_check(const char *name, const struct kit_effort *asked, kit_progress progress,
                           void *context, struct kit_report *report, struct mp_error *error)
{
    struct kit_effort effort = *asked;
    effort.positions = effort.positions > 0 ? effort.positions : DEFAULT_POSITIONS;
    effort.seconds = effort.seconds > 0 ? effort.seconds : DEFAULT_SECONDS;
    effort.patience = effort.patience > 0 ? effort.patience : DEFAULT_PATIENCE;
    effort.patience = effort.patience < effort.seconds ? effort.patience : effort.seconds;
    struct page *page = mmap(NULL, sizeof *page, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    struct child child = {.id = -1};
    *report = (struct kit_report){0};
    fflush(NULL); /* or both would write what is still to be written */
    if (page != MAP_FAILED)
        child.id = fork();
    if (child.id < 0) {
        mp_fail(error, "no process for the check: %s", strerror(errno));
        return KIT_NOT_OPENED;
    }
    if (child.id == 0)
        be_the_child(page, name, &effort);
    wait_for(&child, page, &effort, progress, context);
    if (!page->is_done)
        note_death(page, &child, &effort);
    else if (page->printed > 0) {
        struct kit kit = {.report = &page->report};
        page->report.now.plies = KIT_NOWHERE;
        kit_fault(&kit, "prints",
                  "its functions write %zu bytes to standard output or error, expected no printing",
                  page->printed);
    }
    *report = page->report;
    if (error)
        *error = page->error;
    bool is_usage = page->is_done && page->is_usage;
    munmap(page, sizeof *page);
    return is_usage ? KIT_NOT_OPENED : report->fault_count > 0 ? KIT_FAULTY : KIT_RIGHT;
}
