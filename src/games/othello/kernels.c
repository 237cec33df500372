/* kernels.c - what a device needs to play Othello. */
#include "games/othello/othello.h"

#include "base/embed.h"

/* KERNELS is where the file is. */
EMBED(othello_source, KERNELS)

static void pack(const struct mp_game *game, const void *state, uint64_t *words)
{
    (void)game;
    const struct othello *s = state;
    words[0] = s->own;
    words[1] = s->opp;
}

const struct mp_kernels othello_kernels = {
    MP_SIZE(struct mp_kernels),
    .state_words = 2,
    .source = othello_source_start,
    .pack = pack,
    .counts = true,
};
