/* server.c - fuzzes what a page may ask for: the first line begins a session, each other does something in it. Every
 * request is answered with a state that is JSON, or with a sentence. Nobody watches, so nothing is thought. */
#include "tests/fuzz/fuzz.h"

#include "server/limit.h"
#include "server/session.h"

static void require_state(char *state)
{
    json_t *json = state ? json_loads(state, JSON_REJECT_DUPLICATES, NULL) : NULL;
    require(json_is_string(json_object_get(json, "position")) &&
                json_is_array(json_object_get(json, "legal")) &&
                json_is_array(json_object_get(json, "moves")),
            "a state has its parts");
    json_decref(json);
    free(state);
}

static void act(struct session *session, const json_t *request)
{
    struct mp_error error = {0};
    char *state = session_act(session, request, &error);
    if (state)
        require_state(state);
    else
        require_sentence(&error);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct search_limit *limit;
    struct mp_error error = {0};
    struct session *session = NULL;
    char *text = fuzzed_text(data, size);
    if (!limit)
        limit = search_limit_new(8, 1000);
    int used = search_limit_used(limit);
    for (char *rest = text, *line; (line = strsep(&rest, "\n"));) {
        json_t *request = json_loads(line, JSON_REJECT_DUPLICATES, NULL);
        if (json_is_object(request) && session) {
            act(session, request);
        } else if (json_is_object(request)) {
            session = session_new("fuzz", getenv("MANYPLY_FUZZ_GAME"),
                                  json_string_value(json_object_get(request, "position")),
                                  json_object_get(request, "moves"), limit, &error);
            if (session)
                require_state(session_state(session));
            else
                require_sentence(&error);
        }
        json_decref(request);
    }
    if (session)
        session_free(session);
    require(search_limit_used(limit) == used, "a session gives its memory back");
    free(text);
    return 0;
}
