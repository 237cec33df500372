/* stream.h - the stream of events of one page. */
#ifndef SERVER_STREAM_H
#define SERVER_STREAM_H

#include "server/sessions.h"

#include <microhttpd.h>

/* Answers with the events of the session that ?session= names, until the page leaves; with head only says that
 * there are some. */
enum MHD_Result stream_open(struct sessions *sessions, struct MHD_Connection *connection, bool head);

#endif
