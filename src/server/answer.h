/* answer.h - answers to requests: texts, JSON, refusals, all with the headers that keep a browser careful. */
#ifndef SERVER_ANSWER_H
#define SERVER_ANSWER_H

#include <jansson.h>
#include <microhttpd.h>

/* Sends a response and gives it up; null: there was no memory for it. */
enum MHD_Result answer_send(struct MHD_Connection *connection, unsigned status, struct MHD_Response *response,
                            const char *type);

/* Sends JSON as a text on the heap, which is freed; null: there was no memory for it. */
enum MHD_Result answer_text(struct MHD_Connection *connection, unsigned status, char *text);

/* Sends JSON and gives it up. */
enum MHD_Result answer_json(struct MHD_Connection *connection, unsigned status, json_t *json);

/* Says no in one clear sentence. */
enum MHD_Result answer_refuse(struct MHD_Connection *connection, unsigned status, const char *sentence);

#endif
