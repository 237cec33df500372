/* answer.c - sends texts and JSON with the headers that every answer has. */
#include "server/answer.h"

#include "lab/json_parts.h"

#include <stdlib.h>
#include <string.h>

enum MHD_Result answer_send(struct MHD_Connection *connection, unsigned status, struct MHD_Response *response,
                            const char *type)
{
    static const char *const headers[][2] = {
        {"Content-Security-Policy",
         "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; "
         "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"},
        {"X-Content-Type-Options", "nosniff"},
        {"Referrer-Policy", "no-referrer"},
        {"Cross-Origin-Resource-Policy", "same-origin"},
        {"Cache-Control", "no-store"},
    };
    if (!response)
        return MHD_NO;
    enum MHD_Result result = MHD_add_response_header(response, "Content-Type", type);
    for (size_t i = 0; result == MHD_YES && i < sizeof headers / sizeof *headers; i++)
        result = MHD_add_response_header(response, headers[i][0], headers[i][1]);
    if (result == MHD_YES) /* else there is no memory, and no answer is better than one that may be misread */
        result = MHD_queue_response(connection, status, response);
    MHD_destroy_response(response);
    return result;
}

static enum MHD_Result answer_no_memory(struct MHD_Connection *connection)
{
    static char sentence[] = "{\"error\":\"out of memory for the answer\"}";
    struct MHD_Response *response = MHD_create_response_from_buffer(strlen(sentence), sentence,
                                                                    MHD_RESPMEM_PERSISTENT);
    return answer_send(connection, MHD_HTTP_SERVICE_UNAVAILABLE, response, "application/json");
}

enum MHD_Result answer_text(struct MHD_Connection *connection, unsigned status, char *text)
{
    if (!text)
        return answer_no_memory(connection);
    struct MHD_Response *response = MHD_create_response_from_buffer(strlen(text), text,
                                                                    MHD_RESPMEM_MUST_FREE);
    return answer_send(connection, status, response, "application/json");
}

enum MHD_Result answer_json(struct MHD_Connection *connection, unsigned status, json_t *json)
{
    char *text = json_dumps(json, JSON_COMPACT);
    json_decref(json);
    if (json_is_lost()) {
        free(text);
        text = NULL;
    }
    return answer_text(connection, status, text);
}

enum MHD_Result answer_refuse(struct MHD_Connection *connection, unsigned status, const char *sentence)
{
    return answer_json(connection, status, json_pack("{s:s}", "error", sentence));
}
