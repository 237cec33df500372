/* faults.c - counts faults by their sentence with the numbers left out. */
#include "tests/support/faults.h"

#include "tests/support/test.h"

static struct fault_kind *kind_of(struct faults *faults, const char *sentence)
{
    char begins[FAULTS_KIND] = "";
    for (size_t i = 0; *sentence && i < FAULTS_KIND - 1; sentence++)
        if (!strchr("0123456789", *sentence))
            begins[i++] = *sentence;
    int k = 0;
    while (k < faults->kinds && strcmp(faults->kind[k].begins, begins) != 0)
        k++;
    if (k == FAULTS_MOST_KINDS)
        return &faults->kind[FAULTS_MOST_KINDS - 1];
    if (k == faults->kinds)
        strcpy(faults->kind[faults->kinds++].begins, begins);
    return &faults->kind[k];
}

void faults_add(struct faults *faults, const struct mp_game *game, const struct mp_position *position,
                const char *tried, const char *sentence)
{
    char place[600] = "";
    faults->count++;
    if (kind_of(faults, sentence)->count++ > 0)
        return;
    game->print_position(game, mp_position_state(position), place, sizeof place);
    print_error("%s on '%s': %s\n", tried, place, sentence);
}

void faults_tell(const struct faults *faults)
{
    for (int k = 0; k < faults->kinds; k++)
        print_error("    %d like '%s...'\n", faults->kind[k].count, faults->kind[k].begins);
}
