/* memory.h - address space that costs nothing until it is used, cache lines, and lists that grow. */
#ifndef BASE_MEMORY_H
#define BASE_MEMORY_H

#include <stddef.h>
#include <stdlib.h>
#include <sys/mman.h>

/* Zeroed memory, page by page as it is touched; null when there is no address space. */
static inline void *memory_reserve(size_t bytes)
{
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1,
                        0);
    return memory == MAP_FAILED ? NULL : memory;
}

static inline void memory_release(void *memory, size_t bytes)
{
    if (memory)
        munmap(memory, bytes);
}

enum { MEMORY_LINE = 64 }; /* bytes of a cache line */

/* So many bytes, rounded up to whole cache lines. */
static inline size_t memory_lines(size_t bytes)
{
    return (bytes + MEMORY_LINE - 1) / MEMORY_LINE * MEMORY_LINE;
}

/* A list with room for one more than count, wherever it is now; null: there is no memory, and the old list stays. It
 * must have grown by this from nothing, one by one: there is room for the next power of two. */
static inline void *memory_grow(void *list, int count, size_t size)
{
    if (count & (count - 1))
        return list;
    return realloc(list, (count ? 2 * (size_t)count : 1) * size);
}

#endif
