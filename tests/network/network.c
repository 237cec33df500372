/* network.c - networks: the same value on every CPU level and by plain arithmetic, files that are whole or refused,
 * gradients that are slopes, and training that repeats itself and learns. */
#include "tests/support/subjects.h"
#include "tests/support/test.h"

#include "base/random.h"
#include "lab/train.h"
#include "network/gradient.h"
#include "network/network_inner.h"
#include "search/network_evaluation.h"

#include <math.h>
#include <unistd.h>

static const struct network_shape small = {.inputs = 40, .width = 48, .views = 2, .heads = 3, .scale = 200};

static float number(uint64_t *stream, double most)
{
    return (float)(((double)random_below(random_next(stream), 20001) / 10000 - 1) * most);
}

static struct weights random_weights(uint64_t seed)
{
    struct weights w;
    uint64_t stream = seed;
    assert_true(weights_init(&w, &small));
    for (size_t i = 0; i < w.count; i++)
        w.input[i] = number(&stream, 0.7);
    return w;
}

static struct network *random_network(uint64_t seed)
{
    struct weights w = random_weights(seed);
    struct network *network = network_new(&small, w.input, w.bias, w.output, w.output_bias, 12);
    weights_free(&w);
    assert_non_null(network);
    return network;
}

static int random_inputs(uint64_t *stream, uint16_t inputs[12])
{
    int count = (int)random_below(random_next(stream), 13);
    for (int i = 0; i < count; i++)
        inputs[i] = (uint16_t)random_below(random_next(stream), small.inputs);
    return count;
}

/* By the book, without vectors or blocks. */
static int64_t plain_sum(const struct network *n, const uint16_t *active, int count, const int16_t *output)
{
    int64_t sum = 0;
    for (uint32_t i = 0; i < n->shape.width; i++) {
        int64_t a = n->bias[i];
        for (int k = 0; k < count; k++)
            a += n->input[active[k] * n->shape.width + i];
        a = a < 0 ? 0 : a > NETWORK_ONE ? NETWORK_ONE : a;
        sum += a * a * output[i];
    }
    return sum;
}

static void every_level_sums_alike(void **state)
{
    (void)state;
    struct network *n = random_network(1);
    uint64_t stream = 2;
    for (int round = 0; round < 2000; round++) {
        uint16_t inputs[12];
        int count = random_inputs(&stream, inputs);
        int64_t expected = plain_sum(n, inputs, count, n->output);
        assert_int_equal(network_sum_base(n, inputs, count, n->output), expected);
#if defined(__x86_64__)
        if (level_best() >= 1)
            assert_int_equal(network_sum_v3(n, inputs, count, n->output), expected);
        if (level_best() >= 2)
            assert_int_equal(network_sum_v4(n, inputs, count, n->output), expected);
#endif
    }
    network_free(n);
}

static void heads_and_views_are_apart(void **state)
{
    (void)state;
    struct network *n = random_network(3);
    uint64_t stream = 4;
    int different = 0;
    for (int round = 0; round < 200; round++) {
        uint16_t inputs[2][12];
        const uint16_t *const active[2] = {inputs[0], inputs[1]}, *const turned[2] = {inputs[1], inputs[0]};
        int counts[2] = {random_inputs(&stream, inputs[0]), random_inputs(&stream, inputs[1])};
        int turned_counts[2] = {counts[1], counts[0]};
        int64_t one = (int64_t)NETWORK_ONE * NETWORK_ONE * NETWORK_OUTPUT_ONE;
        for (int head = 0; head < 3; head++) {
            const int16_t *output = n->output + head * 2 * 48;
            int64_t sum = n->output_bias[head] + plain_sum(n, inputs[0], counts[0], output) +
                          plain_sum(n, inputs[1], counts[1], output + 48);
            assert_int_equal(network_value(n, active, counts, head), sum * small.scale / one);
        }
        different += network_value(n, active, counts, 0) != network_value(n, turned, turned_counts, 0);
    }
    assert_true(different > 100);
    network_free(n);
}

/* ---- Files ------------------------------------------------------------------------------------------- */

static char path[] = "/tmp/manyply-network-XXXXXX";

static int make_path(void **state)
{
    (void)state;
    int descriptor = mkstemp(path);
    return descriptor < 0 ? -1 : close(descriptor);
}

static int drop_path(void **state)
{
    (void)state;
    return unlink(path);
}

static size_t read_all(char *bytes, size_t room)
{
    FILE *file = fopen(path, "rb");
    size_t size = fread(bytes, 1, room, file);
    fclose(file);
    return size;
}

static void write_all(const char *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    fclose(file);
}

static void files_are_whole_or_refused(void **state)
{
    (void)state;
    static char bytes[1 << 16], damaged[1 << 16];
    char game[NETWORK_NAME], made[NETWORK_MADE];
    struct mp_error error = {0};
    struct network *n = random_network(5);
    assert_true(network_write(n, "othello", "by a test", path, &error));
    struct network *again = network_read(path, game, made, &error);
    assert_non_null(again);
    assert_string_equal(game, "othello");
    assert_string_equal(made, "by a test");
    assert_memory_equal(network_shape(again), &small, sizeof small);
    assert_memory_equal(again->input, n->input, small.inputs * small.width * sizeof *n->input);
    assert_memory_equal(again->output_bias, n->output_bias, small.heads * sizeof *n->output_bias);
    network_free(again);
    size_t size = read_all(bytes, sizeof bytes);
    assert_in_range(size, 4000, sizeof bytes - 1);
    for (size_t i = 0; i < size; i += i < 200 ? 1 : 37) { /* one bit is wrong */
        memcpy(damaged, bytes, size);
        damaged[i] = (char)(damaged[i] ^ 1 << i % 8);
        write_all(damaged, size);
        error.text[0] = 0;
        assert_null(network_read(path, game, made, &error));
        assert_contains(error.text, path);
    }
    for (size_t i = 0; i < size; i += i < 200 ? 1 : 101) { /* cut off */
        write_all(bytes, i);
        assert_null(network_read(path, game, made, &error));
    }
    memcpy(damaged, bytes, size);
    damaged[size] = 'x'; /* too long */
    write_all(damaged, size + 1);
    assert_null(network_read(path, game, made, &error));
    memcpy(damaged, bytes, size);
    damaged[strlen("Manyply network ")] = '2';
    write_all(damaged, size);
    assert_null(network_read(path, game, made, &error));
    assert_contains(error.text, "is a network of another version");
    assert_null(network_read("/does/not/exist", game, made, &error));
    assert_int_equal(error.code, MP_ERROR_SYSTEM);
    network_free(n);
}

static void a_strategy_reads_its_network(void **state)
{
    (void)state;
    struct mp_error error = {0};
    struct features features;
    char text[512];
    struct mp_game *game = mp_game_open(CONNECT4_PLUGIN, &error), *othello = mp_game_open("othello", &error);
    assert_true(features_of(game, &features, &error));
    struct network_shape shape = {features.count, 16, features.views, features.heads, 100};
    struct weights w;
    uint64_t stream = 9;
    assert_true(weights_init(&w, &shape));
    for (size_t i = 0; i < w.count; i++)
        w.input[i] = number(&stream, 0.5);
    struct network *n = network_new(&shape, w.input, w.bias, w.output, w.output_bias, features.most);
    assert_true(network_write(n, game->name, "by a test", path, &error));
    network_free(n);
    weights_free(&w);
    /* Exact searches agree with minimax on it, on several threads too. */
    static const char *const searches[] = {"minimax,depth=5", "alphabeta,depth=5", "pvs,depth=5",
                                           "pvs,depth=5,split=ybwc,eager=on,threads=3"};
    struct mp_position *position = subjects_position(game, 7, 10);
    mp_value values[4];
    for (int i = 0; i < 4; i++) {
        struct mp_result result = {MP_SIZE(struct mp_result)};
        struct mp_strategy *strategy = mp_strategy_new(game, searches[i], &error);
        snprintf(text, sizeof text, "network:%s", path);
        assert_true(mp_strategy_set(strategy, "eval", text, &error));
        struct mp_search *search = mp_search_with(strategy, &error);
        assert_true(mp_strategy_set(strategy, "eval", NULL, &error)); /* the search has its own */
        mp_strategy_free(strategy);
        assert_contains(mp_search_strategy(search), path);
        assert_true(mp_search_run(search, position, NULL, NULL, &result, &error));
        values[i] = result.value;
        mp_search_free(search);
    }
    for (int i = 1; i < 4; i++)
        assert_int_equal(values[i], values[0]);
    snprintf(text, sizeof text, "pvs,eval=network:%s", path);
    assert_null(mp_strategy_new(othello, text, &error));
    assert_contains(error.text, "is a network of connect4, expected one of othello");
    assert_null(mp_strategy_new(othello, "pvs,eval=network:/does/not/exist", &error));
    assert_contains(error.text, "cannot be read");
    mp_position_free(position);
    mp_game_close(game);
    mp_game_close(othello);
}

/* ---- Learning ---------------------------------------------------------------------------------------- */

static void gradients_are_slopes(void **state)
{
    (void)state;
    struct weights w = random_weights(11), g;
    uint64_t stream = 12;
    uint16_t inputs[2][12] = {{1, 2, 3, 20}, {4, 5, 39}};
    struct example e = {.active = {inputs[0], inputs[1]}, .counts = {4, 3}, .head = 1, .target = 0.8f};
    assert_true(weights_init(&g, &small));
    gradient_add(&w, &e, &g);
    int moved = 0;
    for (int round = 0; round < 400; round++) {
        size_t i = random_below(random_next(&stream), (uint32_t)w.count);
        const float step = 1e-3f;
        float before = w.input[i];
        w.input[i] = before + step;
        double above = gradient_add(&w, &e, NULL);
        w.input[i] = before - step;
        double below = gradient_add(&w, &e, NULL);
        w.input[i] = before;
        double slope = (above - below) / (2 * (double)step);
        if (fabs(slope - (double)g.input[i]) > 2e-3 + 0.02 * fabs(slope))
            fail_msg("weight %zu: gradient %g, slope %g", i, (double)g.input[i], slope);
        moved += fabs(slope) > 1e-6;
    }
    assert_true(moved > 10);
    weights_free(&w);
    weights_free(&g);
}

/* How many more discs of the first player are in the middle column. */
static int lead_of(const struct mp_position *position, char text[128])
{
    int lead = 0;
    mp_position_text(position, text, 128);
    for (int cell = 3; cell < 42; cell += 7)
        lead += (text[cell] == 'X') - (text[cell] == 'O');
    return lead;
}

/* Positions of random games of Connect Four; who has more discs in the middle column wins. */
static FILE *write_examples(const struct mp_game *game, int count)
{
    FILE *file = tmpfile();
    for (int i = 0; i < count; i++) {
        struct mp_position *p = subjects_position(game, (uint64_t)i, 20);
        char text[128];
        int lead = lead_of(p, text);
        fprintf(file, "%s\t%g\t%d\n", text, lead > 0 ? 1.0 : lead < 0 ? 0.0 : 0.5, 100 * lead);
        mp_position_free(p);
    }
    rewind(file);
    return file;
}

static struct network *train(const struct mp_game *game, int count, int passes, int threads,
                             struct train_report *report)
{
    struct mp_error error = {0};
    struct train plan = {.game = game,
                         .width = 16,
                         .passes = passes,
                         .batch = 256,
                         .threads = threads,
                         .rate = 0.005,
                         .result_share = 0.5,
                         .scale = 200,
                         .seed = 3};
    double rounding;
    size_t positions;
    FILE *file = write_examples(game, count);
    struct network *n = train_run(&plan, file, report, &rounding, &positions, &error);
    fclose(file);
    if (!n)
        fail_msg("%s", error.text);
    assert_int_equal(positions, count);
    assert_true(rounding < 0.02);
    return n;
}

static void training_learns_and_repeats_itself(void **state)
{
    (void)state;
    struct mp_game *game = mp_game_open(CONNECT4_PLUGIN, NULL);
    struct train_report one, many;
    struct network *first = train(game, 11000, 1, 2, &one), *last = train(game, 11000, 12, 2, &many);
    struct network *again = train(game, 11000, 12, 2, &many);
    assert_true(many.held_back < one.held_back / 2);
    assert_true(many.held_back < 0.01);
    assert_int_equal(many.pass, 12);
    /* The side to move is told how it stands, whichever it is. */
    struct features features;
    assert_true(features_of(game, &features, NULL));
    struct network_evaluation e = network_evaluation(&features, last);
    int right[2] = {0, 0}, asked[2] = {0, 0};
    for (uint64_t seed = 20000; seed < 20400; seed++) {
        char text[128];
        struct mp_position *p = subjects_position(game, seed, 20);
        int lead = lead_of(p, text), side = mp_position_side(p);
        mp_value value = e.evaluation.evaluate(game, &e.evaluation, mp_position_state(p));
        asked[side] += lead != 0;
        right[side] += lead != 0 && (value > 0) == ((lead > 0) == (side == 0));
        mp_position_free(p);
    }
    network_free(e.network);
    for (int side = 0; side < 2; side++)
        assert_in_range(right[side], asked[side] * 9 / 10, asked[side]);
    assert_true(asked[0] > 50 && asked[1] > 50);
    assert_memory_equal(last->input, again->input,
                        (size_t)last->shape.inputs * last->shape.width * sizeof *last->input);
    network_free(first);
    network_free(last);
    network_free(again);
    mp_game_close(game);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_level_sums_alike),     cmocka_unit_test(heads_and_views_are_apart),
        cmocka_unit_test(files_are_whole_or_refused), cmocka_unit_test(a_strategy_reads_its_network),
        cmocka_unit_test(gradients_are_slopes),       cmocka_unit_test(training_learns_and_repeats_itself),
    };
    return cmocka_run_group_tests_name("network", tests, make_path, drop_path);
}
