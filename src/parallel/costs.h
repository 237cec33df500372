/* costs.h - what things cost on a virtual machine (virtual_machine.h), in nanoseconds.
 *
 * As text, in the key simulate= of a strategy: "node:41.7+steal:400+wake:20000", in any order; what is left out
 * has the value that costs_typical has. */
#ifndef PARALLEL_COSTS_H
#define PARALLEL_COSTS_H

#include <stdbool.h>
#include <stddef.h>

/* X(name, typical, what it is); the typical ones were measured on two cores of a Zen 4 server. */
#define COSTS(X)                                                                                             \
    X(node, 100, "to visit a node")                                                                          \
    X(steal, 500, "to take work from another thread")                                                        \
    X(wake, 20000, "to wake a thread that sleeps")                                                           \
    X(spin, 50000, "how long a thread without work looks for some before it sleeps")                         \
    X(lock, 100, "to get a lock that another core had last")                                                 \
    X(line, 25, "to get a line of the table that another core wrote")

struct costs {
#define COST_MEMBER(name, typical, what) double name;
    COSTS(COST_MEMBER)
#undef COST_MEMBER
};

extern const struct costs costs_typical;

/* The cost of this name (length characters of it) in a set of them; null: there is none. */
double *costs_find(struct costs *costs, const char *name, size_t length);

/* Reads "name:number" items; false: it cannot be read, and costs is unspecified. Those that are not mentioned stay. */
bool costs_read(const char *text, char between, char after_name, struct costs *costs);

/* All of them, as costs_read takes them with '+' and ':'. */
void costs_print(const struct costs *costs, char *text, size_t size);

#endif
