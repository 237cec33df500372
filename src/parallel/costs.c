/* costs.c - the costs of a virtual machine as text, and those it has where nobody says. */
#include "parallel/costs.h"

#include "base/text.h"

#include <stdlib.h>
#include <string.h>

const struct costs costs_typical = {
#define COST_TYPICAL(name, typical, what) .name = typical,
    COSTS(COST_TYPICAL)
#undef COST_TYPICAL
};

double *costs_find(struct costs *costs, const char *name, size_t length)
{
#define COST_FIND(member, typical, what)                                                                     \
    if (strlen(#member) == length && !memcmp(name, #member, length))                                         \
        return &costs->member;
    COSTS(COST_FIND)
#undef COST_FIND
    return NULL;
}

/* A second is more than anything here takes, even to a machine far away. */
static bool read_cost(const char *text, size_t length, double *cost)
{
    char number[32] = "", *end;
    if (length == 0 || length >= sizeof number || strspn(text, "0123456789.") < length)
        return false;
    memcpy(number, text, length);
    *cost = strtod(number, &end);
    return !*end && *cost <= 1e9;
}

bool costs_read(const char *text, char between, char after_name, struct costs *costs)
{
    for (;;) {
        const char *end = strchr(text, between), *number = strchr(text, after_name);
        end = end ? end : text + strlen(text);
        if (!number || number > end)
            return false;
        double *cost = costs_find(costs, text, (size_t)(number - text));
        if (!cost || !read_cost(number + 1, (size_t)(end - number - 1), cost))
            return false;
        if (!*end)
            return costs->node != 0; /* time has to pass */
        text = end + 1;
    }
}

void costs_print(const struct costs *costs, char *text, size_t size)
{
    const char *separator = "";
    *text = 0;
#define COST_PRINT(name, typical, what)                                                                      \
    text_append(text, size, "%s" #name ":%.10g", separator, costs->name);                                    \
    separator = "+";
    COSTS(COST_PRINT)
#undef COST_PRINT
    (void)separator;
}
