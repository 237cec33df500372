/* stream.c - sends the news of a session as server-sent events for as long as somebody reads them. */
#include "server/stream.h"

#include "server/access.h"
#include "server/answer.h"

#include <stdlib.h>
#include <string.h>

struct stream {
    struct sessions *sessions;
    struct watch watch;
    char *text; /* what is being sent */
    size_t length, sent;
    bool greeted;
};

/* Called on the connection's own thread whenever there is room to send; it may wait. */
static ssize_t stream_read(void *context, uint64_t position, char *buffer, size_t size)
{
    (void)position;
    struct stream *stream = context;
    if (stream->sent == stream->length) {
        free(stream->text);
        stream->text = stream->greeted ? watch_wait(&stream->watch) : strdup("retry: 1000\n\n");
        stream->greeted = true;
        stream->sent = stream->length = 0;
        if (!stream->text)
            return MHD_CONTENT_READER_END_OF_STREAM;
        stream->length = strlen(stream->text);
    }
    size_t rest = stream->length - stream->sent, part = rest < size ? rest : size;
    if (part)
        memcpy(buffer, stream->text + stream->sent, part);
    stream->sent += part;
    return (ssize_t)part;
}

static void stream_close(void *context)
{
    struct stream *stream = context;
    watch_end(&stream->watch);
    sessions_give_back(stream->sessions, stream->watch.session);
    free(stream->text);
    free(stream);
}

enum MHD_Result stream_open(struct sessions *sessions, struct MHD_Connection *connection, bool head)
{
    static const char type[] = "text/event-stream";
    struct session *session = sessions_take(sessions, access_argument(connection, "session"));
    if (!session)
        return answer_refuse(connection, MHD_HTTP_NOT_FOUND, "there is no such session");
    if (head) { /* nobody is going to watch */
        sessions_give_back(sessions, session);
        return answer_send(connection, MHD_HTTP_OK,
                           MHD_create_response_from_buffer(0, NULL, MHD_RESPMEM_PERSISTENT), type);
    }
    struct stream *stream = calloc(1, sizeof *stream);
    if (!stream) {
        sessions_give_back(sessions, session);
        return MHD_NO;
    }
    stream->sessions = sessions;
    watch_begin(&stream->watch, session);
    struct MHD_Response *response = MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, 16 * 1024,
                                                                      stream_read, stream, stream_close);
    if (!response)
        stream_close(stream);
    return answer_send(connection, MHD_HTTP_OK, response, type);
}
