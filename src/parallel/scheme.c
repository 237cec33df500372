/* scheme.c - finds a scheme in the list: by its name, or as the one that should be fastest. */
#include "parallel/scheme.h"

#include <string.h>

const struct scheme *scheme_find(const char *name)
{
    for (int i = 0; schemes[i]; i++)
        if (!strcmp(schemes[i]->name, name))
            return schemes[i];
    return NULL;
}

/* Each scheme says itself what it is best at. `bench/auto` measures the candidates on all games (with `manyply
 * bench`, as shares of the machine's ceiling) and prints the winners, so that it can be checked. */
const struct scheme *scheme_best_at(enum work work)
{
    for (int i = 0; schemes[i]; i++)
        if (schemes[i]->best_at & work)
            return schemes[i];
    return schemes[0];
}
