/* network.c - fuzzes the reader of networks: a file is refused with a sentence, or the network that it holds can be used
 * and written again, byte by byte. The checksum at its end is made right first, or little else would be tried. */
#include "tests/fuzz/fuzz.h"

#include "network/network.h"

enum { SUM = 8 };

static void set_sum(uint8_t *bytes, size_t size)
{
    uint64_t sum = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < size; i++)
        sum = (sum ^ bytes[i]) * UINT64_C(0x100000001b3);
    for (size_t i = 0; i < SUM; i++)
        bytes[size + i] = (uint8_t)(sum >> 8 * i);
}

static void use(const struct network *network)
{
    const struct network_shape *shape = network_shape(network);
    uint16_t first = 0, last = (uint16_t)(shape->inputs - 1);
    const uint16_t *const active[2] = {&first, &last};
    const int counts[2] = {1, 1};
    for (uint32_t head = 0; head < shape->heads; head++) {
        mp_value value = network_fresh_value(network, active, counts, (int)head);
        require(value >= -MP_EVAL_MAX && value <= MP_EVAL_MAX, "a value is one of an evaluation");
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct mp_error error = {0};
    char game[NETWORK_NAME], made[NETWORK_MADE];
    uint8_t *bytes = malloc(size + SUM), *again = malloc(size + SUM + 1);
    require(bytes && again, "memory");
    memcpy(bytes, data, size);
    set_sum(bytes, size);
    fuzzed_file("network", bytes, size + SUM);
    struct network *network = network_read("network", game, made, &error);
    if (network) {
        use(network);
        require(network_write(network, game, made, "again", &error), error.text);
        FILE *file = fopen("again", "rb");
        require(file && fread(again, 1, size + SUM + 1, file) == size + SUM &&
                    !memcmp(again, bytes, size + SUM),
                "what is read and written is the same");
        fclose(file);
        network_free(network);
    } else {
        require_sentence(&error);
    }
    free(bytes);
    free(again);
    return 0;
}
