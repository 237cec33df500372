/* machine.h - what a figure was measured with: without it a figure means little. */
#ifndef LAB_MACHINE_H
#define LAB_MACHINE_H

#include <jansson.h>

/* "AMD EPYC 9R14, 2 CPUs" */
void machine_name(char *text, size_t size);

/* Version, commit, compiler, CPU, kernel, load, date and this command line, as one JSON object. */
json_t *machine_json(const char *command);

#endif
