/* compare.c - fuzzes the reader of two benchmarks, which a zero byte parts: they are compared, or there is a reason. */
#include "tests/fuzz/fuzz.h"

#include "lab/compare.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct mp_error error = {0};
    const uint8_t *zero = size ? memchr(data, 0, size) : NULL;
    size_t first = zero ? (size_t)(zero - data) : size;
    json_t *list = json_array();
    fuzzed_file("first.json", data, first);
    if (zero) /* without a zero a benchmark is compared with itself */
        fuzzed_file("second.json", zero + 1, size - first - 1);
    if (!compare_files("first.json", zero ? "second.json" : "first.json", list, &error))
        require_sentence(&error);
    json_decref(list);
    return 0;
}
