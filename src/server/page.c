/* page.c - embeds the page's files, as the build has compressed them, in the program. */
#include "server/page.h"

/* PAGE_FOLDER is where the build puts the compressed files. */
#define EMBED(name, file)                                                                                    \
    __asm__(".section .rodata\n"                                                                             \
            ".global " #name "_start\n.global " #name "_end\n"                                               \
            "" #name "_start:\n.incbin \"" PAGE_FOLDER "/" file "\"\n" #name "_end:\n"                       \
            ".byte 0\n.previous\n");                                                                         \
    extern const unsigned char name##_start[], name##_end[];

EMBED(page_index, "index.html.gz")
EMBED(page_script, "app.js.gz")
EMBED(page_style, "app.css.gz")

const struct page_file page_files[] = {
    {"/", "text/html; charset=utf-8", page_index_start, page_index_end},
    {"/app.js", "text/javascript; charset=utf-8", page_script_start, page_script_end},
    {"/app.css", "text/css; charset=utf-8", page_style_start, page_style_end},
    {0},
};
