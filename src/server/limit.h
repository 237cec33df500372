/* limit.h - what all pages of a server share, and none may take from the others: searches, memory and connections. Any
 * thread may call these, but for beginning and end. */
#ifndef SERVER_LIMIT_H
#define SERVER_LIMIT_H

#include "manyply/manyply.h"

#include <microhttpd.h>

/* ---- Searches: how many may run at once, more wait for their turn; and how much memory they have ---------- */

struct search_limit;

/* megabytes: for all sessions together; 0: a quarter of what the process may use. */
struct search_limit *search_limit_new(int most, int megabytes);
void search_limit_free(struct search_limit *limit);

/* One search more (1) or fewer (-1). False: there are enough. */
bool search_limit_add(struct search_limit *limit, int change);
int search_limit_running(struct search_limit *limit);

/* Memory is counted by what may come to be used, before it is. False, with a sentence and MP_ERROR_MEMORY: it would be
 * too much; `what` would use it. */
bool search_limit_take(struct search_limit *limit, int megabytes, const char *what, struct mp_error *error);
void search_limit_give(struct search_limit *limit, int megabytes);

/* Megabytes in use, and of how many. */
int search_limit_used(struct search_limit *limit);
int search_limit_megabytes(const struct search_limit *limit);

/* What a search has where its strategy leaves that open, so that a few pages do not take it all. */
int search_limit_share(const struct search_limit *limit);

/* ---- Connections: how many, and how long for a request ---------------------------------------------------
 * The library drops a connection that is silent, but one byte now and then is not silence. So each connection has a
 * deadline, by which its request must have come and been answered, and when there are too many, the one that has not
 * got on for the longest time is cut off. Streams of events stay. */

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
