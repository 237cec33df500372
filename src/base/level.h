/* level.h - one source file, compiled once for each level of the CPU's instruction set.
 *
 * CMakeLists.txt compiles such a file with LEVEL_SUFFIX set to _base, _v3 (AVX2) and _v4 (AVX-512), and
 * LEVELED(name) keeps the copies apart. The best copy that this CPU can run is chosen at run time. */
#ifndef BASE_LEVEL_H
#define BASE_LEVEL_H

#ifdef LEVEL_SUFFIX
#define LEVEL_PASTE_(name, suffix) name##suffix
#define LEVEL_PASTE(name, suffix) LEVEL_PASTE_(name, suffix)
#define LEVELED(name) LEVEL_PASTE(name, LEVEL_SUFFIX)
#endif

/* The copy to use: LEVEL_BEST(othello_table) is the address of othello_table_base, _v3 or _v4. */
#if defined(__x86_64__)
#define LEVEL_BEST(name)                                                                                     \
    (__builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512cd") &&                             \
             __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq")                        \
         ? &name##_v4                                                                                        \
     : __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2") ? &name##_v3                         \
                                                                        : &name##_base)
#else
#define LEVEL_BEST(name) (&name##_base)
#endif

#endif
