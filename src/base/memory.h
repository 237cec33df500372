/* memory.h - address space that costs nothing until it is used. */
#ifndef BASE_MEMORY_H
#define BASE_MEMORY_H

#include <stddef.h>
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

#endif
