/* pubeval.h - the numbers of pubeval, the linear evaluator that Gerald Tesauro gave to the public domain as a
 * yardstick for backgammon programs (as stated in OpenBSD's games/backgammon, pubeval.c 1.3).
 *
 * It values the side that has just moved. For each point, counted as that side counts it, one row: what a
 * blot of the opponent adds, one own chequer, two or more, exactly three besides, and half of each one above
 * three besides. Then each opponent's chequer on the bar (halves) and each own one borne off (fifteenths).
 * There is one set of numbers for positions with contact and one for races.
 *
 * Sums are kept as whole numbers, PUBEVAL_ONE for 1, so that they are the same on every machine. */
#ifndef GAMES_BACKGAMMON_PUBEVAL_H
#define GAMES_BACKGAMMON_PUBEVAL_H

#include <stdint.h>

enum { PUBEVAL_ONE = 200000 };

struct pubeval {
    int32_t men[26][16]; /* by point and number of own chequers */
    int32_t blot[26];    /* by point: one chequer of the opponent */
    int32_t bar;         /* for each chequer of the opponent on the bar */
    int32_t off[16];     /* by the number of own chequers borne off */
};

#define WHOLE(x) ((int32_t)((x)*PUBEVAL_ONE + ((x) < 0 ? -0.5 : 0.5)))
#define MORE(several, more, n) (WHOLE(several) + WHOLE((more) / 2) * ((n)-3))
#define ROW(point, opponent, one, several, three, more)                                                      \
    .blot[point] = WHOLE(opponent), .men[point] = {0,                                                        \
                                                   WHOLE(one),                                               \
                                                   WHOLE(several),                                           \
                                                   WHOLE(several) + WHOLE(three),                            \
                                                   MORE(several, more, 4),                                   \
                                                   MORE(several, more, 5),                                   \
                                                   MORE(several, more, 6),                                   \
                                                   MORE(several, more, 7),                                   \
                                                   MORE(several, more, 8),                                   \
                                                   MORE(several, more, 9),                                   \
                                                   MORE(several, more, 10),                                  \
                                                   MORE(several, more, 11),                                  \
                                                   MORE(several, more, 12),                                  \
                                                   MORE(several, more, 13),                                  \
                                                   MORE(several, more, 14),                                  \
                                                   MORE(several, more, 15)}
#define OFF(x, n) WHOLE((x) * (n) / 15)
#define OFFS(x)                                                                                              \
    .off = {OFF(x, 0), OFF(x, 1), OFF(x, 2),  OFF(x, 3),  OFF(x, 4),  OFF(x, 5),  OFF(x, 6),  OFF(x, 7),     \
            OFF(x, 8), OFF(x, 9), OFF(x, 10), OFF(x, 11), OFF(x, 12), OFF(x, 13), OFF(x, 14), OFF(x, 15)}

static const struct pubeval pubeval_contact = {
    ROW(24, 0.25696, -0.66937, -1.66135, -2.02487, -2.53398),
    ROW(23, -0.16092, -1.11725, -1.06654, -0.92830, -1.99558),
    ROW(22, -1.10388, -0.80802, 0.09856, -0.62086, -1.27999),
    ROW(21, -0.59220, -0.73667, 0.89032, -0.38933, -1.59847),
    ROW(20, -1.50197, -0.60966, 1.56166, -0.47389, -1.80390),
    ROW(19, -0.83425, -0.97741, -1.41371, 0.24500, 0.10970),
    ROW(18, -1.36476, -1.05572, 1.15420, 0.11069, -0.38319),
    ROW(17, -0.74816, -0.59244, 0.81116, -0.39511, 0.11424),
    ROW(16, -0.73169, -0.56074, 1.09792, 0.15977, 0.13786),
    ROW(15, -1.18435, -0.43363, 1.06169, -0.21329, 0.04798),
    ROW(14, -0.94373, -0.22982, 1.22737, -0.13099, -0.06295),
    ROW(13, -0.75882, -0.13658, 1.78389, 0.30416, 0.36797),
    ROW(12, -0.69851, 0.13003, 1.23070, 0.40868, -0.21081),
    ROW(11, -0.64073, 0.31061, 1.59554, 0.65718, 0.25429),
    ROW(10, -0.80789, 0.08240, 1.78964, 0.54304, 0.41174),
    ROW(9, -1.06161, 0.07851, 2.01451, 0.49786, 0.91936),
    ROW(8, -0.90750, 0.05941, 1.83120, 0.58722, 1.28777),
    ROW(7, -0.83711, -0.33248, 2.64983, 0.52698, 0.82132),
    ROW(6, -0.58897, -1.18223, 3.35809, 0.62017, 0.57353),
    ROW(5, -0.07276, -0.36214, 4.37655, 0.45481, 0.21746),
    ROW(4, 0.10504, -0.61977, 3.54001, 0.04612, -0.18108),
    ROW(3, 0.63211, -0.87046, 2.47673, -0.48016, -1.27157),
    ROW(2, 0.86505, -1.11342, 1.24612, -0.82385, -2.77082),
    ROW(1, 1.23606, -1.59529, 0.10438, -1.30206, -4.11520),
    .bar = WHOLE(5.62596 / 2),
    OFFS(-2.75800),
};

static const struct pubeval pubeval_race = {
    ROW(24, 0.00000, -0.17160, 0.27010, 0.29906, -0.08471),
    ROW(23, 0.00000, -1.40375, -1.05121, 0.07217, -0.01351),
    ROW(22, 0.00000, -1.29506, -2.16183, 0.13246, -1.03508),
    ROW(21, 0.00000, -2.29847, -2.34631, 0.17253, 0.08302),
    ROW(20, 0.00000, -1.27266, -2.87401, -0.07456, -0.34240),
    ROW(19, 0.00000, -1.34640, -2.46556, -0.13022, -0.01591),
    ROW(18, 0.00000, 0.27448, 0.60015, 0.48302, 0.25236),
    ROW(17, 0.00000, 0.39521, 0.68178, 0.05281, 0.09266),
    ROW(16, 0.00000, 0.24855, -0.06844, -0.37646, 0.05685),
    ROW(15, 0.00000, 0.17405, 0.00430, 0.74427, 0.00576),
    ROW(14, 0.00000, 0.12392, 0.31202, -0.91035, -0.16270),
    ROW(13, 0.00000, 0.01418, -0.10839, -0.02781, -0.88035),
    ROW(12, 0.00000, 1.07274, 2.00366, 1.16242, 0.22520),
    ROW(11, 0.00000, 0.85631, 1.06349, 1.49549, 0.18966),
    ROW(10, 0.00000, 0.37183, -0.50352, -0.14818, 0.12039),
    ROW(9, 0.00000, 0.13681, 0.13978, 1.11245, -0.12707),
    ROW(8, 0.00000, -0.22082, 0.20178, -0.06285, -0.52728),
    ROW(7, 0.00000, -0.13597, -0.19412, -0.09308, -1.26062),
    ROW(6, 0.00000, 3.05454, 5.16874, 1.50680, 5.35000),
    ROW(5, 0.00000, 2.19605, 3.85390, 0.88296, 2.30052),
    ROW(4, 0.00000, 0.92321, 1.08744, -0.11696, -0.78560),
    ROW(3, 0.00000, -0.09795, -0.83050, -1.09167, -4.94251),
    ROW(2, 0.00000, -1.00316, -3.66465, -2.56906, -9.67677),
    ROW(1, 0.00000, -2.77982, -7.26713, -3.40177, -12.32252),
    .bar = WHOLE(0.00000 / 2),
    OFFS(3.42040),
};

#undef WHOLE
#undef MORE
#undef ROW
#undef OFF
#undef OFFS

#endif
