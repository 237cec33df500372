/* page.h - the files of the page, built from web/ and kept in the program, compressed with gzip. */
#ifndef SERVER_PAGE_H
#define SERVER_PAGE_H

#include <stddef.h>

struct page_file {
    const char *path; /* "/app.js"; the list ends with a null path */
    const char *type;
    const unsigned char *start, *end;
};
extern const struct page_file page_files[];

#endif
