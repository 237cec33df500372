/* strategy_names.c - the names that reports give to strategies. */
#include "parallel/strategy.h"

#include "base/text.h"

#include <string.h>

/* Each is short for an algorithm with keys; the numbers after the name are the values of some of them. */
const struct strategy_name strategy_names[] = {
    {.name = "MinimaxSeq",
     .form = "MinimaxSeq,depth",
     .summary = "minimax on one thread",
     .keys = {"depth"},
     .text = "minimax",
     .option = {"continue", "on"},
     .sequential = true},
    {.name = "MinimaxPar",
     .form = "MinimaxPar,parDepth,depth",
     .summary = "minimax, each move of the first parDepth levels a task",
     .keys = {"levels", "depth"},
     .text = "minimax,split=levels,eager=on",
     .option = {"continue", "on"}},
    {.name = "MinimaxSeqAB",
     .form = "MinimaxSeqAB,depth",
     .summary = "alpha-beta on one thread, each root move with the full window, moves as listed",
     .keys = {"depth"},
     .text = "alphabeta,order=list,split=top,eager=on",
     .option = {"continue", "on"},
     .sequential = true},
    {.name = "MinimaxParAB",
     .form = "MinimaxParAB,parDepth,depth",
     .summary = "the same, each move of the first parDepth levels a task",
     .keys = {"levels", "depth"},
     .text = "alphabeta,order=list,split=levels,eager=on",
     .option = {"continue", "on"}},
    {.name = "Seq",
     .form = "Seq,depth,pruning",
     .summary = "dice: expectiminimax, the best plays by static value only",
     .keys = {"depth", "keep"},
     .text = "expectiminimax",
     .sequential = true},
    {.name = "Par",
     .form = "Par,depth,pruning",
     .summary = "dice: the same, each roll after a play a task",
     .keys = {"depth", "keep"},
     .text = "expectiminimax,split=rolls,eager=on"},
    {.name = "ParNP",
     .form = "ParNP,depth,pruning",
     .summary = "dice: the same, each play at the root and each roll after it a task",
     .keys = {"depth", "keep"},
     .text = "expectiminimax,split=rolls+moves,eager=on"},
    {0},
};

const struct strategy_name *strategy_find_name(const char *text, size_t length)
{
    for (const struct strategy_name *name = strategy_names; name->name; name++)
        if (strlen(name->name) == length && !strncmp(name->name, text, length))
            return name;
    return NULL;
}

bool strategy_expand_name(struct strategy *s, const char **text, char *expanded, size_t size,
                          struct mp_error *error)
{
    const struct strategy_name *name = s->name;
    snprintf(expanded, size, "%s", name->text);
    *text += strlen(name->name);
    for (int i = 0; i < STRATEGY_NUMBERS && name->keys[i]; i++) {
        *text += **text == ',';
        size_t length = strcspn(*text, ",");
        if (strspn(*text, "0123456789") != length || length == 0 || length > 9)
            return mp_fail(error, "strategy: '%.*s' after %s, expected %s with numbers",
                           (int)(length < 60 ? length : 60), *text, name->name, name->form);
        text_append(expanded, size, ",%s=%.*s", name->keys[i], (int)length, *text);
        text_append(s->numbers, sizeof s->numbers, ",%.*s", (int)length, *text);
        *text += length;
    }
    return true;
}
