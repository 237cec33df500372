/* machine.c - the CPU's name, and all that belongs to a measurement as JSON. */
#include "lab/machine.h"

#include "manyply/manyply.h"

#include <commit.h> /* made by cmake/commit.cmake */
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>

static void cpu_model(char *text, size_t size)
{
    char line[256];
    FILE *file = fopen("/proc/cpuinfo", "r");
    snprintf(text, size, "unknown CPU");
    while (file && fgets(line, sizeof line, file)) {
        const char *value = strstr(line, ": ");
        if (strncmp(line, "model name", 10) == 0 && value) {
            snprintf(text, size, "%.*s", (int)strcspn(value + 2, "\n"), value + 2);
            break;
        }
    }
    if (file)
        fclose(file);
}

void machine_name(char *text, size_t size)
{
    char model[128];
    cpu_model(model, sizeof model);
    snprintf(text, size, "%s, %d CPU%s", model, mp_cpu_count(), mp_cpu_count() == 1 ? "" : "s");
}

json_t *machine_json(const char *command)
{
    char model[128], date[32];
    struct utsname names;
    double load = 0;
    time_t now = time(NULL);
    struct tm utc;
    cpu_model(model, sizeof model);
    uname(&names);
    getloadavg(&load, 1);
    strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
    return json_pack("{s:s, s:s, s:s, s:s, s:s, s:i, s:s, s:f, s:s}", "command", command, "version",
                     mp_version(), "commit", MANYPLY_COMMIT, "compiler", __VERSION__, "cpu", model, "cpus",
                     mp_cpu_count(), "kernel", names.release, "load", load, "date", date);
}
