/* level.h - one source file, compiled once for each level of the CPU's instruction set.
 *
 * CMakeLists.txt compiles such a file with LEVEL_SUFFIX set to _base, _v3 (AVX2) and _v4 (AVX-512), and
 * LEVELED(name) keeps the copies apart. The best copy that this CPU can run is chosen at run time. */
#ifndef BASE_LEVEL_H
#define BASE_LEVEL_H

#include <stdbool.h>

#ifdef LEVEL_SUFFIX
#define LEVEL_PASTE_(name, suffix) name##suffix
#define LEVEL_PASTE(name, suffix) LEVEL_PASTE_(name, suffix)
#define LEVELED(name) LEVEL_PASTE(name, LEVEL_SUFFIX)
#endif

/* The copies of a table, for an array that is indexed by level_best(): the best level that this CPU can
 * run. */
#if defined(__x86_64__) && !defined(__SANITIZE_THREAD__) /* races are the same on all levels */
#define LEVEL_X86
enum { LEVEL_COUNT = 3 };
#define LEVEL_TABLES(name)                                                                                   \
    {                                                                                                        \
        &name##_base, &name##_v3, &name##_v4                                                                 \
    }
static inline int level_best(void)
{
    bool v3 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2") &&
              __builtin_cpu_supports("fma");
    bool v4 = v3 && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512cd") &&
              __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq");
    return v4 ? 2 : v3 ? 1 : 0;
}
#else
enum { LEVEL_COUNT = 1 };
#define LEVEL_TABLES(name)                                                                                   \
    {                                                                                                        \
        &name##_base                                                                                         \
    }
static inline int level_best(void)
{
    return 0;
}
#endif

#endif
