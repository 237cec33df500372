/* connections.h - how many connections a server has, and how long each may take for a request.
 *
 * The library drops a connection that is silent, but one byte now and then is not silence. So each connection has a
 * deadline, by which its request must have come and been answered, and when there are too many, the one that has not
 * got on for the longest time is cut off. Streams of events stay. Any thread may call these, but for beginning and
 * end. */
#ifndef SERVER_CONNECTIONS_H
#define SERVER_CONNECTIONS_H

#include <microhttpd.h>
#include <stdbool.h>

struct connection_limit;

/* At most `most` connections, of which `most_streams` may be streams; a request may take this many seconds. */
struct connection_limit *connection_limit_new(int most, int most_streams, int seconds);
void connection_limit_free(struct connection_limit *limit);

/* For MHD_OPTION_NOTIFY_CONNECTION; the context is the limit. */
void connection_limit_notify(void *limit, struct MHD_Connection *connection, void **socket_context,
                             enum MHD_ConnectionNotificationCode code);

/* The connection waits for its next request, for at most this many seconds. */
void connection_limit_wait(struct connection_limit *limit, struct MHD_Connection *connection, int seconds);

/* Its request has begun. */
void connection_limit_begin(struct connection_limit *limit, struct MHD_Connection *connection);

/* It has no deadline until it waits again. False: there are enough of those. */
bool connection_limit_stream(struct connection_limit *limit, struct MHD_Connection *connection);

#endif
