/* strategy.c - fuzzes the text form of strategies: what is understood is described in a form that is
 * understood in the same way. It parses only: a search would allocate what the text asks for. */
#include "tests/fuzz/fuzz.h"

#include "parallel/strategy.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct strategy first, second;
    struct mp_game *game = fuzzed_game();
    struct mp_error error = {""};
    char *text = fuzzed_text(data, size);
    if (!strategy_parse(game, text, &first, &error)) {
        require_sentence(&error);
    } else {
        require(strategy_parse(game, first.text, &second, &error), "a described strategy can be read");
        require(!strcmp(first.text, second.text), "a strategy is described alike after reading it again");
        require(first.threads >= 1 && first.threads <= MP_MAX_THREADS, "threads are in range");
    }
    free(text);
    return 0;
}
