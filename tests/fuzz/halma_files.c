/* halma_files.c - fuzzes the files of Halma programs: an input gets an answer, or an error and no file. */
#include "tests/fuzz/fuzz.h"

#include "protocols/halma_files.h"

#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct mp_error error = {0};
    struct halma_files files = {"halma-input", "halma-output", 0.001};
    fuzzed_file(files.input, data, size);
    unlink(files.output);
    bool answered = halma_files_answer(&files, &error);
    if (!answered)
        require_sentence(&error);
    require(answered == (access(files.output, F_OK) == 0), "an answer is written if there is one");
    return 0;
}
