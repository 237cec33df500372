/* json_parts.h - fields of JSON objects, and objects that both the program and the page show. */
#ifndef LAB_JSON_PARTS_H
#define LAB_JSON_PARTS_H

#include "manyply/manyply.h"

#include <jansson.h>

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

/* The options of a game. */
json_t *json_options(const struct mp_game *game);

#endif
