/* facts.c - reads the files of tests/data line by line. */
#include "tests/support/facts.h"

#include "tests/support/test.h"

void facts_open(struct facts *facts, const char *name)
{
    char path[1024];
    *facts = (struct facts){.name = name};
    snprintf(path, sizeof path, "%s/%s", TEST_DATA, name);
    facts->file = fopen(path, "r");
    if (!facts->file)
        fail_msg("%s cannot be opened, expected the file that belongs to the tests", path);
}

const char *facts_next(struct facts *facts)
{
    do {
        if (!fgets(facts->line, sizeof facts->line, facts->file))
            return NULL;
        facts->number++;
    } while (*facts->line == '#');
    char *end = strchr(facts->line, '\n');
    if (!end)
        facts_malformed(facts, "a line of at most 1022 characters with an end");
    *end = 0;
    facts->entries++;
    return facts->line;
}

const char *facts_next_mate(struct facts *facts, int *moves)
{
    const char *line = facts_next(facts);
    if (!line)
        return NULL;
    if (*line < '2' || *line > '4' || line[1] != ' ')
        facts_malformed(facts, "a number of moves, 2 to 4, a blank and a FEN");
    *moves = *line - '0';
    return line + 2;
}

void facts_malformed(const struct facts *facts, const char *expected)
{
    fail_msg("%s line %d: '%.200s', expected %s", facts->name, facts->number, facts->line, expected);
    abort(); /* never reached: fail_msg does not return, but does not say so */
}

void facts_close(struct facts *facts, int expected)
{
    fclose(facts->file);
    if (facts->entries < expected)
        fail_msg("%s has %d entries, expected %d", facts->name, facts->entries, expected);
}
