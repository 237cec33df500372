/* batch_plan.c - the master of a batch of commands, and what its ranks do. */
#define _GNU_SOURCE /* getline */
#include "cluster/batch_plan.h"

#include "base/clock.h"
#include "base/memory.h"
#include "lab/process.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct batch_line {
    char *text;
    char *printed; /* null: it is not done */
};

struct batch_plan {
    struct ledger *ledger;
    FILE *out;
    struct batch_line *lines;
    int count, next, done, shown, from_ledger, failed;
};

/* ---- The master ---------------------------------------------------------------------------------------- */

static bool add_line(struct batch_plan *p, const char *text)
{
    struct batch_line *lines = memory_grow(p->lines, p->count, sizeof *lines);
    if (!lines)
        return false;
    p->lines = lines;
    lines[p->count] = (struct batch_line){.text = strdup(text)};
    return lines[p->count++].text != NULL;
}

/* Blank lines and those that begin with # are left out; what ends a line or a key of the ledger cannot be in one. */
static bool read_lines(struct batch_plan *p, FILE *file, struct mp_error *error)
{
    char *text = NULL;
    size_t room = 0;
    bool ok = true;
    for (int number = 1; ok && getline(&text, &room, file) > 0; number++) {
        text[strcspn(text, "\r\n")] = 0;
        for (char *tab; (tab = strchr(text, '\t'));)
            *tab = ' ';
        const char *line = text + strspn(text, " ");
        if (strlen(line) >= CLUSTER_TEXT / 2)
            ok = mp_fail(error, "line %d has %zu bytes, expected at most %d", number, strlen(line),
                         CLUSTER_TEXT / 2 - 1);
        else if (*line && *line != '#')
            ok = add_line(p, line) || mp_fail_with(error, MP_ERROR_MEMORY, "out of memory");
    }
    free(text);
    return ok && (p->count > 0 || mp_fail(error, "there is no line to run"));
}

/* Writes a text that was made one line. */
static void show(FILE *out, const char *text)
{
    for (; *text; text++)
        if (*text == '\\' && text[1]) {
            text++;
            putc(*text == 'n' ? '\n' : *text == 't' ? '\t' : *text, out);
        } else {
            putc(*text, out);
        }
}

static void show_finished(struct batch_plan *p)
{
    for (; p->shown < p->count && p->lines[p->shown].printed; p->shown++)
        show(p->out, p->lines[p->shown].printed);
    fflush(p->out);
}

static bool finish(struct batch_plan *p, struct batch_line *line, const char *printed)
{
    line->printed = strdup(printed);
    p->done++;
    return line->printed;
}

struct batch_plan *batch_plan_new(const char *path, struct ledger *ledger, FILE *out, struct mp_error *error)
{
    struct batch_plan *p = calloc(1, sizeof *p);
    FILE *file = p ? fopen(path, "r") : NULL;
    bool ok = false;
    struct mp_error reason = {0};
    if (p && !file)
        mp_fail_with(error, MP_ERROR_SYSTEM, "%.200s cannot be read: %s", path, strerror(errno));
    if (file) {
        p->ledger = ledger;
        p->out = out;
        ok = read_lines(p, file, &reason) || mp_fail(error, "%.200s: %s", path, reason.text);
        fclose(file);
    }
    for (int i = 0; ok && i < p->count; i++) {
        const char *printed = ledger_find(ledger, p->lines[i].text);
        p->from_ledger += printed != NULL;
        ok = !printed || finish(p, &p->lines[i], printed) ||
             mp_fail_with(error, MP_ERROR_MEMORY, "out of memory");
    }
    if (ok)
        return p;
    batch_plan_free(p);
    return NULL;
}

void batch_plan_free(struct batch_plan *p)
{
    if (!p)
        return;
    for (int i = 0; i < p->count; i++) {
        free(p->lines[i].text);
        free(p->lines[i].printed);
    }
    free(p->lines);
    free(p);
}

void batch_plan_counts(const struct batch_plan *p, int *lines, int *from_ledger, int *failed)
{
    *lines = p->count;
    *from_ledger = p->from_ledger;
    *failed = p->failed;
}

static bool next(void *master, struct farm *farm, uint64_t *id, char job[CLUSTER_TEXT])
{
    struct batch_plan *p = master;
    (void)farm;
    while (p->next < p->count && p->lines[p->next].printed)
        p->next++;
    if (p->next == p->count)
        return false;
    snprintf(job, CLUSTER_TEXT, "%s", p->lines[p->next].text);
    *id = (uint64_t)p->next++;
    return true;
}

/* A result is the exit code, a blank and what was printed. A command that failed is tried again by the next run. */
static bool take(void *master, struct farm *farm, uint64_t id, const char *result, uint64_t nodes,
                 struct mp_error *error)
{
    struct batch_plan *p = master;
    struct batch_line *line = &p->lines[id];
    char *printed;
    (void)farm;
    (void)nodes;
    long code = strtol(result, &printed, 10);
    printed += *printed == ' ';
    p->failed += code != 0;
    if (code == 0 && !ledger_add(p->ledger, line->text, printed, error))
        return false;
    return finish(p, line, printed) || mp_fail_with(error, MP_ERROR_MEMORY, "out of memory");
}

static bool is_done(void *master)
{
    struct batch_plan *p = master;
    show_finished(p);
    return p->done == p->count;
}

const struct farm_plan batch_farm = {.jobs_per_rank = 1, .next = next, .take = take, .is_done = is_done};

/* ---- A rank -------------------------------------------------------------------------------------------- */

/* Adds a line to a text that stays one line. False: it is too long. */
static bool append(char text[CLUSTER_TEXT], const char *line)
{
    size_t at = strlen(text);
    for (; *line && at < CLUSTER_TEXT - 5; line++) {
        if (*line == '\t' || *line == '\\')
            text[at++] = '\\';
        text[at++] = *line == '\t' ? 't' : *line;
    }
    strcpy(text + at, "\\n");
    return !*line;
}

static bool run(void *self, struct hand *hand, const char *job, char text[CLUSTER_TEXT], uint64_t *nodes,
                struct mp_error *error)
{
    enum { LOOK_NS = 100000000 }; /* how soon the end of all is noticed */
    char command[CLUSTER_TEXT], line[CLUSTER_TEXT], printed[CLUSTER_TEXT] = "", news[CLUSTER_TEXT];
    bool told, fits = true;
    int code = -1;
    snprintf(command, sizeof command, "\"$0\" %s 2>&1; echo \"exit-code $?\"", job);
    char *words[] = {(char *)"sh", (char *)"-c", command, self, NULL};
    struct process *process = process_start(words, error);
    if (!process)
        return false;
    *nodes = 1;
    *text = 0;
    enum process_answer answer = PROCESS_OK;
    while (answer != PROCESS_GONE && hand_is_wanted(hand, &told, news)) {
        answer = process_read(process, clock_ns() + LOOK_NS, line, sizeof line);
        if (answer == PROCESS_OK && sscanf(line, "exit-code %d", &code) != 1)
            fits = append(printed, line) && fits;
    }
    process_end(process);
    if (answer != PROCESS_GONE)
        return true;
    if (!fits) {
        code = -1;
        strcpy(printed,
               "more was printed than a ledger holds, expected output of that size to go to a file\\n");
    }
    snprintf(text, CLUSTER_TEXT, "%d %.*s", code, CLUSTER_TEXT - 16, printed);
    return true;
}

static void nothing(void *self)
{
    (void)self;
}

const struct hand_skill batch_skill = {run, nothing, nothing};
