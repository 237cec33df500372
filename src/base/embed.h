/* embed.h - a file as it is in the program: name_start and name_end, and a zero after it. For files that are compiled
 * without link-time optimisation, which does not see such names. */
#ifndef BASE_EMBED_H
#define BASE_EMBED_H

#define EMBED(name, path)                                                                                    \
    __asm__(".pushsection .rodata\n"                                                                         \
            ".global " #name "_start\n.hidden " #name "_start\n.global " #name "_end\n.hidden " #name        \
            "_end\n" #name "_start:\n.incbin \"" path "\"\n" #name "_end:\n"                                 \
            ".byte 0\n.popsection\n");                                                                       \
    extern const char name##_start[], name##_end[];

#endif
