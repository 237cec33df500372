/* horizon.c - the heuristics of horizon.h. Compiled once for each CPU level.
 *
 * Two things the report's program knows and a position does not are read off the board. A king counts as
 * castled when it stands on the b-, c-, g- or h-file of its first rank with no own rook between it and the
 * corner. The moves played are counted from the move number. The random tenth is drawn from the key. */
#include "games/chess/horizon.h"
#include "games/chess/generate.h"

#include "base/level.h"
#include "base/random.h"

/* The largest values of the parts, by which the report scales their sum. */
enum { MOST_MATERIAL = 76, MOST_OCCUPATION = 42, MOST_DEFENCE = 8, MOST_CASTLING = 24, MOST_THREATS = 31 };

static int cut(int value, int limit)
{
    return value > limit ? limit : value < -limit ? -limit : value;
}

static int material(const struct chess *s, int side)
{
    uint64_t own = s->sets[CHESS_WHITE + side];
    return 2 * bits_count(s->sets[CHESS_PAWN] & own) +
           6 * bits_count((s->sets[CHESS_KNIGHT] | s->sets[CHESS_BISHOP]) & own) +
           8 * bits_count(s->sets[CHESS_ROOK] & own) + 20 * bits_count(s->sets[CHESS_QUEEN] & own);
}

/* Ranks 3 to 6 count one, files c to f of ranks 4 and 5 two; for a pawn once, for knight, bishop and queen
 * four times. */
static int occupation(const struct chess *s, int side)
{
    const uint64_t middle = UINT64_C(0x0000ffffffff0000), centre = UINT64_C(0x0000003c3c000000);
    uint64_t own = s->sets[CHESS_WHITE + side], pawns = s->sets[CHESS_PAWN] & own;
    uint64_t pieces = (s->sets[CHESS_KNIGHT] | s->sets[CHESS_BISHOP] | s->sets[CHESS_QUEEN]) & own;
    return bits_count(pawns & middle) + bits_count(pawns & centre) +
           4 * (bits_count(pieces & middle) + bits_count(pieces & centre));
}

/* The lines from the king on which the first piece met is its own: every square that a queen in its place
 * attacks and that holds an own piece ends one line. */
static int defence(const struct chess *s, int side)
{
    uint64_t own = s->sets[CHESS_WHITE + side], all = s->sets[CHESS_WHITE] | s->sets[CHESS_BLACK];
    int king = bits_first(s->sets[CHESS_KING] & own);
    return bits_count((chess_rook_attacks(king, all) | chess_bishop_attacks(king, all)) & own);
}

static int castling(const struct chess *s, int side)
{
    const uint64_t castled = UINT64_C(0xc6) << (56 * side); /* files b, c, g, h */
    uint64_t own = s->sets[CHESS_WHITE + side], king = s->sets[CHESS_KING] & own;
    uint64_t castlers = s->castlers & own;
    if (castlers)
        return bits_rest(castlers) ? 12 : 10;
    uint64_t rank = UINT64_C(0xff) << (56 * side), west = rank & (king - 1),
             east = rank & ~(king | (king - 1));
    uint64_t corner = bits_first(king) % 8 < 4 ? west : east;
    return king & castled && !(corner & s->sets[CHESS_ROOK] & own) ? MOST_CASTLING : 0;
}

/* The enemy pieces that a side attacks: a pawn 1, a knight or bishop 2, a rook or queen 3, the king 6. */
static int threats(const struct chess *s, int side)
{
    uint64_t all = s->sets[CHESS_WHITE] | s->sets[CHESS_BLACK];
    uint64_t attacked = side ? chess_attacked_by(s, 1, all) : chess_attacked_by(s, 0, all);
    attacked &= s->sets[CHESS_WHITE + !side];
    return bits_count(attacked & s->sets[CHESS_PAWN]) +
           2 * bits_count(attacked & (s->sets[CHESS_KNIGHT] | s->sets[CHESS_BISHOP])) +
           3 * bits_count(attacked & chess_straight_sliders(s)) +
           6 * bits_count(attacked & s->sets[CHESS_KING]);
}

static int lead(int (*part)(const struct chess *s, int side), const struct chess *s)
{
    return part(s, 0) - part(s, 1);
}

int LEVELED(chess_horizon)(const struct chess *s, int number)
{
    if (number == 5) {
        int played = 2 * (s->number - 1) + s->side;
        number = played < 25 ? 1 : played < 35 ? 4 : 3;
    }
    int pieces = lead(material, s);
    switch (number) {
    case 1:
        pieces = 4 * pieces + lead(occupation, s) + lead(defence, s) + lead(castling, s);
        return cut(pieces * 100 / (4 * MOST_MATERIAL + MOST_OCCUPATION + MOST_DEFENCE + MOST_CASTLING), 98);
    case 2: /* a tenth of the scale, that is 10 values around 0 */
        return cut(pieces * 100 / MOST_MATERIAL + (int)random_below(random_mix(s->key), 10) - 5, 95);
    case 3:
        return cut((4 * pieces + lead(threats, s)) * 100 / (4 * MOST_MATERIAL + MOST_THREATS), 95);
    case 4:
        return cut((4 * pieces + lead(occupation, s)) * 100 / (4 * MOST_MATERIAL + MOST_OCCUPATION), 98);
    default:
        return cut(pieces * 100 / MOST_MATERIAL, 95);
    }
}
