/* limit.h - what all pages of a server share, and none may take from the others: how many searches run at once (more wait
 * for their turn), and how much memory they have. Any thread may call these, but for beginning and end. */
#ifndef SERVER_LIMIT_H
#define SERVER_LIMIT_H

#include "manyply/manyply.h"

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

#endif
