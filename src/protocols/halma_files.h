/* halma_files.h - plays Halma on 16x16 with programs that exchange files: one move for each call. */
#ifndef PROTOCOLS_HALMA_FILES_H
#define PROTOCOLS_HALMA_FILES_H

#include "manyply/manyply.h"

struct halma_files {
    const char *input, *output; /* names of files */
    double seconds;             /* at most this long for the move; 0: as the input's clock suggests */
};

/* Reads the input and writes the answer to the output, which is left as it was when anything is wrong. */
bool halma_files_answer(const struct halma_files *files, struct mp_error *error);

#endif
