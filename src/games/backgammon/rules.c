/* rules.c - the rules of backgammon: who throws, what a play does, how a game ends.
 *
 * A state is to throw (its outcomes are the 21 rolls), to move (with dice) or finished; with the cube in use
 * there are states in which something is said about it besides. The very first throw is one like any other,
 * all 21 rolls for White, but that nobody may double before it. */
#include "games/backgammon/apply.h"
#include "games/backgammon/backgammon.h"
#include "games/backgammon/cube.h"

#include <string.h>

struct backgammon backgammon_blank(const struct mp_game *game)
{
    return (struct backgammon){.cube_owner = BACKGAMMON_NO_OWNER,
                               .cube_in_use = game->option[BACKGAMMON_OPTION_CUBE] != 0,
                               .match_length = (uint16_t)game->option[BACKGAMMON_OPTION_MATCH],
                               .jacoby = game->option[BACKGAMMON_OPTION_JACOBY] != 0 &&
                                         game->option[BACKGAMMON_OPTION_MATCH] == 0};
}

void backgammon_initial(const struct mp_game *game, void *state)
{
    struct backgammon *s = state;
    *s = backgammon_blank(game);
    static const uint8_t setup[32] = {[24] = 2, [13] = 5, [8] = 3, [6] = 5};
    memcpy(s->own, setup, sizeof setup);
    memcpy(s->opp, setup, sizeof setup);
}

int backgammon_chances(const struct mp_game *game, const void *state, mp_move *outcomes, uint32_t *weights,
                       int capacity)
{
    (void)game;
    const struct backgammon *s = state;
    if (s->die[0] || s->phase != BACKGAMMON_PLAYING || backgammon_is_over(s))
        return 0;
    int count = 0;
    if (capacity > 0)
        for (int larger = 1; larger <= 6; larger++)
            for (int smaller = 1; smaller <= larger && count < capacity; smaller++, count++) {
                outcomes[count] = backgammon_roll(larger, smaller);
                if (weights)
                    weights[count] = larger == smaller ? 1 : 2;
            }
    return 21;
}

void backgammon_play(const struct mp_game *game, const void *from, mp_move move, void *to)
{
    (void)game;
    backgammon_apply(from, move, to);
}

int backgammon_stake(const struct backgammon *s, const uint8_t loser[32])
{
    int points = 1;
    if (loser[BACKGAMMON_OFF] == 0 && backgammon_counts_gammons(s)) {
        points = 2;
        for (int p = 19; p <= BACKGAMMON_BAR; p++) /* in the winner's home, or on the bar */
            if (loser[p])
                points = 3;
    }
    return points << s->cube_log;
}

void backgammon_limits(const struct backgammon *s, int *least, int *most)
{
    bool gammons = backgammon_counts_gammons(s);
    *least = -((gammons && s->own[BACKGAMMON_OFF] == 0 ? 3 : 1) << s->cube_log);
    *most = (gammons && s->opp[BACKGAMMON_OFF] == 0 ? 3 : 1) << s->cube_log;
}

int backgammon_margin(const struct mp_game *game, const void *state)
{
    (void)game;
    const struct backgammon *s = state;
    if (s->phase == BACKGAMMON_DROPPED)
        return 1 << s->cube_log;
    return s->own[BACKGAMMON_OFF] == BACKGAMMON_MEN ? backgammon_stake(s, s->opp)
                                                    : -backgammon_stake(s, s->own);
}

mp_value backgammon_final_value(const struct mp_game *game, const void *state)
{
    const struct backgammon *s = state;
    int points = backgammon_margin(game, s);
    return s->match_length ? cube_match_value(game->data, s, points) : points * game->units_per_point;
}

int backgammon_side(const struct mp_game *game, const void *state)
{
    (void)game;
    return ((const struct backgammon *)state)->side;
}

/* The halves of a long product, folded: a fast hash of two words. */
static inline uint64_t fold(uint64_t a, uint64_t b)
{
    __extension__ typedef unsigned __int128 wide;
    wide product = (wide)a * b;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

uint64_t backgammon_key(const struct mp_game *game, const void *state)
{
    (void)game;
    const struct backgammon *s = state;
    static const uint64_t salt[5] = {UINT64_C(0x8bb84b93962eacc9), UINT64_C(0x4b33a62ed433d4a3),
                                     UINT64_C(0x2d358dccaa6c78a5), UINT64_C(0x9e3779b97f4a7c15),
                                     UINT64_C(0xd6e8feb86659fd93)};
    uint64_t own[4], opp[4];
    memcpy(own, s->own, sizeof own);
    memcpy(opp, s->opp, sizeof opp);
    uint64_t turn = (uint64_t)s->die[0] | (uint64_t)s->die[1] << 8 | (uint64_t)s->side << 16 |
                    (uint64_t)s->cube_log << 24 | (uint64_t)s->cube_owner << 32 |
                    (uint64_t)s->crawford << 40 | (uint64_t)s->jacoby << 48 | (uint64_t)s->phase << 56;
    uint64_t match = (uint64_t)s->match_length | (uint64_t)s->score[0] << 16 | (uint64_t)s->score[1] << 32;
    uint64_t hash = fold(turn ^ salt[4], match ^ salt[3]);
    for (int i = 0; i < 4; i++)
        hash = fold(hash ^ own[i] ^ salt[i], opp[i] ^ salt[i + 1] ^ hash << 32);
    return hash;
}

bool backgammon_is_pass(const struct mp_game *game, mp_move move)
{
    (void)game;
    return move == BACKGAMMON_PASS;
}

/* In a match nothing is worth more than the match; the cube may still be turned. */
void backgammon_bounds(const struct mp_game *game, const void *state, mp_value *low, mp_value *high)
{
    struct backgammon s = *(const struct backgammon *)state;
    int least = -1, most = 1;
    if (s.match_length == 0) {
        if (s.cube_in_use) {
            s.cube_log = BACKGAMMON_CUBE_LOG_MAX;
            s.jacoby = false;
        }
        backgammon_limits(&s, &least, &most);
    }
    *low = least * game->units_per_point;
    *high = most * game->units_per_point;
}
