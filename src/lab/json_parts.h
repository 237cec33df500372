/* json_parts.h - fields of JSON objects, and objects that both the program and the page show. */
#ifndef LAB_JSON_PARTS_H
#define LAB_JSON_PARTS_H

#include "manyply/manyply.h"

#include <jansson.h>

/* A list that has found no memory for one of its parts looks like any other. So jansson's memory is watched from this call
 * on, and before JSON is shown to anybody it is asked for: has what this thread made lost a part since the last question? */
void json_watch(void);
bool json_is_lost(void);

/* The same for a part that was lost before it was JSON. */
void json_lose(void);

/* Adds a field. */
void json_put_text(json_t *object, const char *key, const char *text); /* null: left out */
void json_put_number(json_t *object, const char *key, int64_t number);
void json_put_real(json_t *object, const char *key, double number);
void json_put_flag(json_t *object, const char *key, bool flag);
void json_put(json_t *object, const char *key, json_t *value); /* takes it over */

json_t *json_reals(const double *numbers, int count);

/* A position in the notation of its game. */
json_t *json_position(const struct mp_game *game, const struct mp_position *position);

/* The texts of a line of play, each move in the position that it is made in. */
json_t *json_line(const struct mp_game *game, const struct mp_position *position, const mp_move *moves,
                  int count);

/* Of all games those won, won at least double, ...: wins, gammons and backgammons. */
json_t *json_shares(const double shares[5]);

/* The options of a game. */
json_t *json_options(const struct mp_game *game);

#endif
