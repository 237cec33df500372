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

/* Shapes of all kinds: what follows goes through each. */
static const struct network_shape shapes[] = {
    {.inputs = 40, .width = 48, .views = 2, .heads = 3, .outputs = 1, .scale = 200},
    {.inputs = 40,
     .width = 80,
     .views = 1,
     .heads = 1,
     .dense_count = 1,
     .dense = {32},
     .outputs = 5,
     .scale = 500},
    {.inputs = 40,
     .width = 16,
     .views = 2,
     .heads = 2,
     .dense_count = 3,
     .dense = {32, 16, 48},
     .outputs = 1,
     .scale = 90},
    {.inputs = 40, .width = NETWORK_TABLE, .views = 1, .heads = 4, .outputs = 1, .scale = 300},
};
enum { SHAPES = sizeof shapes / sizeof *shapes, MOST = 12 };

static float number(uint64_t *stream, double most)
{
    return (float)(((double)random_below(random_next(stream), 20001) / 10000 - 1) * most);
}

static struct weights random_weights(const struct network_shape *shape, uint64_t seed)
{
    struct weights w;
    uint64_t stream = seed;
    assert_null(network_shape_fault(shape));
    assert_true(weights_init(&w, shape));
    for (size_t i = 0; i < w.count; i++)
        w.all[i] = number(&stream, 0.7);
    return w;
}

static struct network *random_network(const struct network_shape *shape, uint64_t seed)
{
    struct weights w = random_weights(shape, seed);
    struct network *network = network_new(&w, MOST);
    weights_free(&w);
    assert_non_null(network);
    assert_true(network_is_safe(network));
    return network;
}

/* Inputs that are active, each once. */
static int random_inputs(uint64_t *stream, uint16_t inputs[MOST])
{
    int count = 0, wanted = (int)random_below(random_next(stream), MOST + 1);
    for (int i = 0; i < wanted; i++) {
        uint16_t input = (uint16_t)random_below(random_next(stream), 40);
        bool twice = false;
        for (int j = 0; j < count; j++)
            twice = twice || inputs[j] == input;
        if (!twice)
            inputs[count++] = input;
    }
    return count;
}

/* An example of random inputs. */
struct drawn {
    uint16_t inputs[2][MOST];
    struct example example;
};

static void draw(struct drawn *d, const struct network_shape *shape, uint64_t *stream)
{
    d->example = (struct example){.active = {d->inputs[0], d->inputs[1]}};
    for (int view = 0; view < 2; view++)
        d->example.counts[view] = random_inputs(stream, d->inputs[view]);
    d->example.head = (int)random_below(random_next(stream), shape->heads);
    for (uint32_t i = 0; i < shape->outputs; i++)
        d->example.targets[i] = (float)random_below(random_next(stream), 1001) / 1000;
}

/* By the book, without vectors or blocks: the sums of the last layer. */
static void plain_outputs(const struct network *n, const struct example *e, int64_t *outputs)
{
    int64_t numbers[2 * 1024], sums[1024];
    const uint32_t width = n->shape.width;
    for (uint32_t view = 0; view < n->shape.views; view++)
        for (uint32_t i = 0; i < width; i++) {
            int64_t a = n->bias[i], one = 1 << n->shift;
            for (int k = 0; k < e->counts[view]; k++)
                a += n->input[e->active[view][k] * width + i];
            a = a < 0 ? 0 : a > one ? one : a;
            numbers[view * width + i] = (a * a) >> (2 * n->shift - 13);
            if (2 * n->shift < 13)
                numbers[view * width + i] = (a * a) << (13 - 2 * n->shift);
        }
    for (int k = 0; k < n->layer_count; k++) {
        const struct network_layer *layer = &n->layers[k];
        for (uint32_t j = 0; j < layer->shape.out; j++) {
            size_t row = (size_t)e->head * layer->shape.out + j;
            sums[j] = layer->bias[row];
            for (uint32_t i = 0; i < layer->shape.in; i++)
                sums[j] += numbers[i] * layer->rows[row * layer->shape.in + i];
        }
        for (uint32_t j = 0; j < layer->shape.out; j++) {
            int64_t y = sums[j] >> layer->shift;
            numbers[j] = y < 0 ? 0 : y > 8192 ? 8192 : y;
        }
    }
    for (uint32_t j = 0; j < n->shape.outputs; j++)
        outputs[j] = sums[j];
}

static void check_level(const struct network *n, const struct network_rows *level, const struct example *e,
                        const int64_t *expected)
{
    int16_t sums[2][1024] __attribute__((aligned(64)));
    int32_t outputs[NETWORK_MOST_OUTPUTS];
    for (uint32_t view = 0; view < n->shape.views; view++) {
        /* In two steps, of which the second takes back a part of the first. */
        struct network_change all = {.come = e->active[view], .come_count = e->counts[view]};
        struct network_change other = {.come = e->active[!view], .come_count = e->counts[!view]};
        struct network_change turn = {.gone = other.come,
                                      .gone_count = other.come_count,
                                      .come = all.come,
                                      .come_count = all.come_count};
        level->accumulate(n, n->bias, &other, sums[view]);
        level->accumulate(n, sums[view], &turn, sums[view]);
    }
    level->forward(n, (const int16_t *[]){sums[0], sums[1]}, e->head, outputs);
    for (uint32_t j = 0; j < n->shape.outputs; j++)
        assert_int_equal(outputs[j], expected[j]);
}

static void every_level_computes_alike(void **state)
{
    (void)state;
    for (int s = 0; s < SHAPES; s++) {
        struct network *n = random_network(&shapes[s], 1);
        uint64_t stream = 2;
        for (int round = 0; round < 1000 && shapes[s].width != NETWORK_TABLE; round++) {
            int64_t expected[NETWORK_MOST_OUTPUTS];
            struct drawn d;
            draw(&d, &shapes[s], &stream);
            plain_outputs(n, &d.example, expected);
            check_level(n, &network_rows_base, &d.example, expected);
#ifdef LEVEL_X86
            if (level_best() >= 1)
                check_level(n, &network_rows_v3, &d.example, expected);
            if (level_best() >= 2)
                check_level(n, &network_rows_v4, &d.example, expected);
#endif
        }
        network_free(n);
    }
}

/* What a network says is what the floats say it was made from, as near as whole numbers can be. */
static void whole_numbers_are_near_the_floats(void **state)
{
    (void)state;
    for (int s = 0; s < SHAPES; s++) {
        const struct network_shape *shape = &shapes[s];
        struct weights w = random_weights(shape, 3);
        struct network *n = network_new(&w, MOST);
        uint64_t stream = 4;
        double largest = 0;
        for (int round = 0; round < 1000; round++) {
            struct drawn d;
            double shares[NETWORK_MOST_OUTPUTS];
            draw(&d, shape, &stream);
            gradient_outputs(&w, &d.example, shares);
            double value = network_fresh_value(n, d.example.active, d.example.counts, d.example.head);
            double points = 2 * shares[0] - 1 + shares[1] + shares[2] - shares[3] - shares[4];
            double expected = shape->outputs == 1 ? log(shares[0] / (1 - shares[0])) : points;
            largest = fmax(largest, fabs(value - shape->scale * expected));
        }
        if (largest > 2 + 0.02 * shape->scale)
            fail_msg("shape %d: %g away of %d", s, largest, shape->scale);
        weights_free(&w);
        network_free(n);
    }
}

static void weights_that_could_overflow_are_cut_off(void **state)
{
    (void)state;
    struct weights w = random_weights(&shapes[0], 5);
    for (uint32_t i = 0; i < 40; i++)
        w.input[i * 48] = 1000;
    struct network *n = network_new(&w, MOST);
    assert_true(network_is_safe(n));
    assert_true(n->input[0] > 2000);
    n->input[0] = 30000; /* of which MOST could be active */
    assert_false(network_is_safe(n));
    weights_free(&w);
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

static void same_network(const struct network *a, const struct network *b)
{
    assert_memory_equal(&a->shape, &b->shape, sizeof a->shape);
    assert_int_equal(a->shift, b->shift);
    assert_int_equal(a->most_active, b->most_active);
    assert_memory_equal(a->input, b->input, network_input_weights(&a->shape) * sizeof *a->input);
    assert_memory_equal(a->bias, b->bias, network_biases(&a->shape) * sizeof *a->bias);
    for (int k = 0; k < a->layer_count; k++) {
        const struct network_layer *x = &a->layers[k], *y = &b->layers[k];
        size_t sums = a->shape.heads * x->shape.out;
        assert_int_equal(x->shift, y->shift);
        assert_memory_equal(x->rows, y->rows, sums * x->shape.in * sizeof *x->rows);
        assert_memory_equal(x->bias, y->bias, sums * sizeof *x->bias);
    }
}

static void files_keep_every_shape(void **state)
{
    (void)state;
    for (int s = 0; s < SHAPES; s++) {
        char game[NETWORK_NAME], made[NETWORK_MADE];
        struct mp_error error = {0};
        struct network *n = random_network(&shapes[s], 5);
        assert_true(network_write(n, "othello", "by a test", path, &error));
        struct network *again = network_read(path, game, made, &error);
        if (!again)
            fail_msg("%s", error.text);
        assert_string_equal(game, "othello");
        assert_string_equal(made, "by a test");
        same_network(n, again);
        network_free(again);
        network_free(n);
    }
}

static void files_are_whole_or_refused(void **state)
{
    (void)state;
    static char bytes[1 << 16], damaged[1 << 16];
    char game[NETWORK_NAME], made[NETWORK_MADE];
    struct mp_error error = {0};
    struct network *n = random_network(&shapes[0], 5);
    assert_true(network_write(n, "othello", "by a test", path, &error));
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
    n->input[0] = 30000;
    assert_true(network_write(n, "othello", "by a test", path, &error));
    assert_null(network_read(path, game, made, &error));
    assert_contains(error.text, "too large");
    network_free(n);
}

static struct network_shape shape_for(const struct features *f, uint32_t width)
{
    return (struct network_shape){f->count, width, f->views, f->heads, .outputs = f->outputs, .scale = 100};
}

static void a_strategy_reads_its_network(void **state)
{
    (void)state;
    struct mp_error error = {0};
    struct features features;
    char text[512];
    struct mp_game *game = mp_game_open(CONNECT4_PLUGIN, &error), *othello = mp_game_open("othello", &error);
    assert_true(features_of(game, &features, &error));
    struct network_shape shape = shape_for(&features, 16);
    struct weights w = random_weights(&shape, 9);
    struct network *n = network_new(&w, features.most);
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

/* Not right where a step crosses the point at which a unit is cut off, which few do. */
static bool is_slope(struct weights *w, const struct example *e, const struct weights *g, size_t i)
{
    const float step = 1e-3f;
    float before = w->all[i];
    w->all[i] = before + step;
    double above = gradient_add(w, e, NULL);
    w->all[i] = before - step;
    double below = gradient_add(w, e, NULL);
    w->all[i] = before;
    double slope = (above - below) / (2 * (double)step);
    return fabs(slope - (double)g->all[i]) < 1e-3 + 0.02 * fabs(slope);
}

static void gradients_are_slopes(void **state)
{
    (void)state;
    for (int s = 0; s < SHAPES; s++) {
        struct weights w = random_weights(&shapes[s], 11);
        uint64_t stream = 12;
        size_t moved = 0, asked = 0, right = 0;
        for (int round = 0; round < 20; round++) {
            struct weights g;
            struct drawn d;
            draw(&d, &shapes[s], &stream);
            assert_true(weights_init(&g, &shapes[s]));
            gradient_add(&w, &d.example, &g);
            for (size_t i = 0; i < w.count; i += 1 + random_below(random_next(&stream), 5)) {
                asked++;
                right += is_slope(&w, &d.example, &g, i);
                moved += fabs((double)g.all[i]) > 1e-4;
            }
            weights_free(&g);
        }
        assert_true(moved > 10);
        assert_in_range(right, asked - asked / 100, asked);
        weights_free(&w);
    }
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
static void write_examples(const struct mp_game *game, int count, char file_path[])
{
    FILE *file = fdopen(mkstemp(file_path), "w");
    for (int i = 0; i < count; i++) {
        struct mp_position *p = subjects_position(game, (uint64_t)i, 20);
        char text[128];
        int lead = lead_of(p, text);
        fprintf(file, "%s\t%g\t%d\n", text, lead > 0 ? 1.0 : lead < 0 ? 0.0 : 0.5, 100 * lead);
        mp_position_free(p);
    }
    fclose(file);
}

static struct network *train(const struct mp_game *game, int count, int passes, int threads,
                             struct train_report *report)
{
    struct mp_error error = {0};
    char file_path[] = "/tmp/examples-XXXXXX";
    const char *const paths[] = {file_path};
    struct train plan = {.game = game,
                         .paths = paths,
                         .path_count = 1,
                         .plain = true,
                         .buffer = 1 << 20,
                         .width = 16,
                         .passes = passes,
                         .batch = 256,
                         .threads = threads,
                         .rate = 0.005,
                         .result_share = 0.5,
                         .scale = 200,
                         .seed = 3};
    write_examples(game, count, file_path);
    struct network *n = train_run(&plan, report, &error);
    remove(file_path);
    if (!n)
        fail_msg("%s", error.text);
    assert_int_equal(report->positions + report->judged, count);
    assert_true(report->rounding < 0.02);
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
    same_network(last, again);
    network_free(first);
    network_free(last);
    network_free(again);
    mp_game_close(game);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_level_computes_alike),
        cmocka_unit_test(whole_numbers_are_near_the_floats),
        cmocka_unit_test(weights_that_could_overflow_are_cut_off),
        cmocka_unit_test(files_keep_every_shape),
        cmocka_unit_test(files_are_whole_or_refused),
        cmocka_unit_test(a_strategy_reads_its_network),
        cmocka_unit_test(gradients_are_slopes),
        cmocka_unit_test(training_learns_and_repeats_itself),
    };
    return cmocka_run_group_tests_name("network", tests, make_path, drop_path);
}
