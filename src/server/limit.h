/* limit.h - how many searches may run at once, in all sessions of a server; more wait for their turn. Any
 * thread may call these. */
#ifndef SERVER_LIMIT_H
#define SERVER_LIMIT_H

#include <stdbool.h>

struct search_limit;
struct search_limit *search_limit_new(int most);
void search_limit_free(struct search_limit *limit);

/* One search more (1) or fewer (-1). False: there are enough. */
bool search_limit_add(struct search_limit *limit, int change);
int search_limit_running(struct search_limit *limit);

#endif
