/* shipped.h - one line for each game whose network is part of the library: networks/NAME.net. Included where SHIPPED is
 * defined. */
SHIPPED(backgammon)
SHIPPED(halma)
SHIPPED(halma10)
SHIPPED(halma16)
SHIPPED(othello)
