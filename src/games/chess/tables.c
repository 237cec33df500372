/* tables.c - works out the tables of tables.h. */
#include "games/chess/tables.h"

#include "base/random.h"
#include "games/chess/chess.h"

#include <pthread.h>

struct chess_tables chess_tables;

/* Room for all occupations of all squares: for each square two to the number of squares in its mask. */
enum { ROOK_ENTRIES = 102400, BISHOP_ENTRIES = 5248 };
static uint64_t rook_attacks[2][ROOK_ENTRIES], bishop_attacks[2][BISHOP_ENTRIES];

/* Multipliers that bring the squares of a mask together in the highest bits, so that occupations with
 * different attacks never meet. Found by trying sparse random numbers. */
static const uint64_t rook_magics[64] = {
    UINT64_C(0x2280061040002280), UINT64_C(0x3440100040002000), UINT64_C(0x9080200008100080),
    UINT64_C(0x0900201001000804), UINT64_C(0x0200020020081004), UINT64_C(0x0200020004010810),
    UINT64_C(0x088001001e000080), UINT64_C(0x0500012048830002), UINT64_C(0x2201800140018020),
    UINT64_C(0x0141002081004008), UINT64_C(0x0202002042041082), UINT64_C(0x8202001208420021),
    UINT64_C(0x06aa000a00041020), UINT64_C(0xa000808004000200), UINT64_C(0x40040010040218d1),
    UINT64_C(0x00020004a1020054), UINT64_C(0x1000208000804011), UINT64_C(0x0000404010002000),
    UINT64_C(0x5001010010402004), UINT64_C(0x8020090010010020), UINT64_C(0x0120818018000c00),
    UINT64_C(0x2004008004800200), UINT64_C(0x028004004208b001), UINT64_C(0x2820020000807409),
    UINT64_C(0x0000410100208000), UINT64_C(0x1000200440100040), UINT64_C(0x0004408200201200),
    UINT64_C(0x0000100080800800), UINT64_C(0x0514000480800800), UINT64_C(0x0002000280240080),
    UINT64_C(0x0602008040400100), UINT64_C(0x4420010200008044), UINT64_C(0x0480002004400040),
    UINT64_C(0x0099008025004000), UINT64_C(0x0000402486001200), UINT64_C(0x1044840800801000),
    UINT64_C(0x0838000901001004), UINT64_C(0x4400401008010420), UINT64_C(0x0212002162000408),
    UINT64_C(0x8000808042000104), UINT64_C(0x3080004020004000), UINT64_C(0x5000400020008080),
    UINT64_C(0x2820008010008021), UINT64_C(0x0941000810010020), UINT64_C(0x0818080004008080),
    UINT64_C(0x0924010002004040), UINT64_C(0x2001810002008080), UINT64_C(0x0211108100420014),
    UINT64_C(0x4041023080084100), UINT64_C(0x4a80400080200880), UINT64_C(0x0880200010008080),
    UINT64_C(0x9002004060881600), UINT64_C(0x0008004004020040), UINT64_C(0x0008040080020080),
    UINT64_C(0x0284410210080400), UINT64_C(0x0101090044840600), UINT64_C(0x18004c1080002101),
    UINT64_C(0x2000308240050121), UINT64_C(0x0984084020001101), UINT64_C(0x0005610010000409),
    UINT64_C(0x5945000410020801), UINT64_C(0x000a000490080102), UINT64_C(0x9808100208010084),
    UINT64_C(0x0402040900803442),
};
static const uint64_t bishop_magics[64] = {
    UINT64_C(0x2804200882228900), UINT64_C(0x0804810801210002), UINT64_C(0x00500684a9088008),
    UINT64_C(0x84208a0083820004), UINT64_C(0x0102021084800004), UINT64_C(0x1a38480210240221),
    UINT64_C(0x1000440404422c42), UINT64_C(0x0023002084200880), UINT64_C(0x0180204284410400),
    UINT64_C(0x41000504080c4100), UINT64_C(0x9012040400aa0400), UINT64_C(0xc200422a02001480),
    UINT64_C(0x0004020210014081), UINT64_C(0x3208020184601080), UINT64_C(0x80400a0219200a00),
    UINT64_C(0x5200010042300400), UINT64_C(0x08200148281000a4), UINT64_C(0x402202108248010b),
    UINT64_C(0x0028811000820088), UINT64_C(0x000400080210a522), UINT64_C(0x086c004a010c0082),
    UINT64_C(0x040200118a100200), UINT64_C(0x1000a00200900804), UINT64_C(0x1000844108411004),
    UINT64_C(0x0003400089081800), UINT64_C(0x020c200150514501), UINT64_C(0x0220900008404200),
    UINT64_C(0x1040082002020040), UINT64_C(0xa401001141004010), UINT64_C(0x4088004000806000),
    UINT64_C(0x0001004002080404), UINT64_C(0x2012002010510820), UINT64_C(0x80482010c8c82202),
    UINT64_C(0x800a102204104200), UINT64_C(0x4045202401380800), UINT64_C(0x0080020080880080),
    UINT64_C(0x9084040400001100), UINT64_C(0x0040820380641000), UINT64_C(0x4210420882020880),
    UINT64_C(0x0000810d40031400), UINT64_C(0x000e024240002000), UINT64_C(0x1081210820008202),
    UINT64_C(0x4082022201040804), UINT64_C(0x4c002ac010400200), UINT64_C(0x0000280104001510),
    UINT64_C(0x0418083000208c10), UINT64_C(0xc004144804405210), UINT64_C(0x1208008400400086),
    UINT64_C(0x2000880802121000), UINT64_C(0x0000842401040980), UINT64_C(0x800000804808a010),
    UINT64_C(0x00010d0020a80300), UINT64_C(0x0001002022048000), UINT64_C(0x0010400828452100),
    UINT64_C(0x0041044104051400), UINT64_C(0x0112b84204104093), UINT64_C(0x4009040200828811),
    UINT64_C(0x8800410511aa2010), UINT64_C(0x60000c004200d000), UINT64_C(0x0000000102050400),
    UINT64_C(0x0c00000194209200), UINT64_C(0x3000802002028204), UINT64_C(0x0001200490008520),
    UINT64_C(0x0302200109020880),
};

typedef int directions[4][2];
static const directions straight = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
static const directions diagonal = {{1, 1}, {1, -1}, {-1, 1}, {-1, -1}};

static bool on_board(int file, int rank)
{
    return file >= 0 && file < 8 && rank >= 0 && rank < 8;
}

/* The squares that a slider reaches one step at a time. With inner_only the last square before the rim of
 * the board is the last: what stands on the rim does not change the attacks. */
static uint64_t slide(int square, uint64_t occupied, const directions ways, bool inner_only)
{
    uint64_t reached = 0;
    for (int i = 0; i < 4; i++) {
        int dx = ways[i][0], dy = ways[i][1];
        for (int x = square % 8 + dx, y = square / 8 + dy; on_board(x, y); x += dx, y += dy) {
            if (inner_only && !on_board(x + dx, y + dy))
                break;
            reached |= chess_bit(y * 8 + x);
            if (occupied & chess_bit(y * 8 + x))
                break;
        }
    }
    return reached;
}

static uint64_t leap(int square, const int (*leaps)[2], int count)
{
    uint64_t reached = 0;
    for (int i = 0; i < count; i++) {
        int x = square % 8 + leaps[i][0], y = square / 8 + leaps[i][1];
        if (on_board(x, y))
            reached |= chess_bit(y * 8 + x);
    }
    return reached;
}

static void fill_leapers(void)
{
    static const int knight[8][2] = {{1, 2}, {2, 1}, {2, -1}, {1, -2}, {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}};
    static const int king[8][2] = {{1, 0}, {1, 1}, {0, 1}, {-1, 1}, {-1, 0}, {-1, -1}, {0, -1}, {1, -1}};
    static const int pawn[2][2][2] = {{{-1, 1}, {1, 1}}, {{-1, -1}, {1, -1}}};
    for (int square = 0; square < 64; square++) {
        chess_tables.knight[square] = leap(square, knight, 8);
        chess_tables.king[square] = leap(square, king, 8);
        for (int side = 0; side < 2; side++)
            chess_tables.pawn[side][square] = leap(square, pawn[side], 2);
    }
}

static void fill_lines(void)
{
    const directions *const ways[2] = {&straight, &diagonal};
    for (int a = 0; a < 64; a++) {
        chess_tables.aligned[a] = slide(a, 0, straight, false) | slide(a, 0, diagonal, false);
        for (int b = 0; b < 64; b++)
            for (int w = 0; w < 2; w++)
                if (slide(a, 0, *ways[w], false) & chess_bit(b))
                    chess_tables.between[a][b] = slide(a, chess_bit(b), *ways[w], false) &
                                                 slide(b, chess_bit(a), *ways[w], false);
    }
}

static void fill_keys(void)
{
    uint64_t stream = 0;
    for (int side = 0; side < 2; side++)
        for (int kind = 0; kind < 6; kind++)
            for (int square = 0; square < 64; square++)
                chess_tables.piece_keys[side][kind][square] = random_next(&stream);
    for (int square = 0; square < 64; square++) {
        chess_tables.castler_keys[square] = random_next(&stream);
        chess_tables.en_passant_keys[square] = random_next(&stream);
    }
    chess_tables.side_key = random_next(&stream);
}

/* All occupations of a mask come in the order in which PEXT numbers them. */
static uint64_t *fill_slider(struct chess_slider *slider, int square, const directions ways, uint64_t magic,
                             bool pext, uint64_t *attacks)
{
    uint64_t mask = slide(square, 0, ways, true), occupied = 0, number = 0;
    *slider = (struct chess_slider){mask, magic, attacks, 64 - bits_count(mask)};
    do {
        uint64_t index = pext ? number : (occupied * magic) >> slider->shift;
        attacks[index] = slide(square, occupied, ways, false);
        number++;
        occupied = (occupied - mask) & mask;
    } while (occupied);
    return attacks + number;
}

static void fill_sliders(bool pext)
{
    uint64_t *rooks = rook_attacks[pext], *bishops = bishop_attacks[pext];
    for (int square = 0; square < 64; square++) {
        rooks = fill_slider(&chess_tables.rook[pext][square], square, straight, rook_magics[square], pext,
                            rooks);
        bishops = fill_slider(&chess_tables.bishop[pext][square], square, diagonal, bishop_magics[square],
                              pext, bishops);
    }
}

static void fill_common(void)
{
    fill_leapers();
    fill_lines();
    fill_keys();
}

static void fill_magic_sliders(void)
{
    fill_sliders(false);
}

static void fill_pext_sliders(void)
{
    fill_sliders(true);
}

void chess_prepare_tables(bool pext)
{
    static pthread_once_t common = PTHREAD_ONCE_INIT, sliders[2] = {PTHREAD_ONCE_INIT, PTHREAD_ONCE_INIT};
    pthread_once(&common, fill_common);
    pthread_once(&sliders[pext], pext ? fill_pext_sliders : fill_magic_sliders);
}
