/* machine.h - what a figure was measured with: without it a figure means little. */
#ifndef LAB_MACHINE_H
#define LAB_MACHINE_H

#include <jansson.h>

/* "AMD EPYC 9R14, 2 CPUs" */
void machine_name(char *text, size_t size);

/* The seconds of CPU that a fixed piece of work takes, a few milliseconds: how slow the machine is right now.
 * It must never be changed, because figures of different versions are divided by it. */
double machine_yardstick(void);

/* Version, commit, compiler, CPU, kernel, load, date and this command line, as one JSON object. */
json_t *machine_json(const char *command);

#endif
