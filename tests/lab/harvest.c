/* harvest.c - games are written and read again as they were played: by any number of threads, in one go or several, and
 * a file that was damaged anywhere is refused. */
#include "tests/support/test.h"

#include "base/random.h"
#include "lab/examples_file.h"
#include "lab/games_file.h"
#include "lab/harvest.h"

#include <math.h>
#include <unistd.h>

static char folder[] = "/tmp/manyply-harvest-XXXXXX";

static const char *path_of(const char *name)
{
    static char paths[4][128];
    static int next;
    char *path = paths[next++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static int drop_folder(void **state)
{
    char command[128];
    (void)state;
    snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command);
}

static char *bytes_of(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    char *bytes = malloc(1 << 22);
    *size = fread(bytes, 1, 1 << 22, file);
    fclose(file);
    return bytes;
}

static void write_bytes(const char *path, const char *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    fclose(file);
}

/* ---- One game ------------------------------------------------------------------------------------------ */

static void a_game_is_read_as_it_was_written(void **state)
{
    (void)state;
    uint32_t places[] = {0, 127, 128, 4000, 5}, few[] = {3};
    mp_value values[] = {GAMES_NO_VALUE, -MP_PROVEN - 1000, MP_PROVEN + 1000, 0, -7},
             none[] = {GAMES_NO_VALUE};
    const struct games_game written[] = {{NULL, 5, places, values, -64}, {"a start", 1, few, none, 3}, {0}};
    struct games_bytes bytes = {0};
    for (int i = 0; i < 3; i++)
        assert_true(games_put(&bytes, &written[i]));
    struct games_reader reader = {.at = bytes.data, .end = bytes.data + bytes.size};
    for (int i = 0; i < 3; i++) {
        assert_true(games_get(&reader));
        const struct games_game *game = &reader.game;
        assert_int_equal(game->count, written[i].count);
        assert_int_equal(game->margin, written[i].margin);
        if (written[i].start)
            assert_string_equal(game->start, written[i].start);
        else
            assert_null(game->start);
        for (int k = 0; k < game->count; k++) {
            assert_int_equal(game->places[k], written[i].places[k]);
            assert_int_equal(game->values[k], written[i].values[k]);
        }
    }
    assert_ptr_equal(reader.at, reader.end);
    assert_false(games_get(&reader));
    games_reader_free(&reader);
    free(bytes.data);
}

/* ---- Positions ----------------------------------------------------------------------------------------- */

enum { MOST_SEEN = 4096 };
struct seen {
    const struct mp_game *game;
    int count, final, held_back;
    double outlooks[MOST_SEEN];
    char texts[MOST_SEEN][64];
};

static bool see(void *context, const struct examples_position *p, struct mp_error *error)
{
    struct seen *seen = context;
    (void)error;
    assert_in_range(seen->count, 0, MOST_SEEN - 1);
    if (p->is_final)
        seen->final++;
    seen->held_back += p->held_back;
    seen->outlooks[seen->count] = p->outlook;
    seen->game->print_position(seen->game, p->state, seen->texts[seen->count++], 64);
    return true;
}

/* X wins in column 1 while O plays column 2; from the third ply on values are known. */
static void outlooks_mix_what_comes_later(void **state)
{
    (void)state;
    struct mp_game *game = mp_game_open(CONNECT4_PLUGIN, NULL);
    uint32_t places[] = {0, 1, 0, 1, 0, 1, 0};
    mp_value values[] = {GAMES_NO_VALUE, GAMES_NO_VALUE, 0, 200, -200, 0, MP_PROVEN + 1};
    const struct games_game played = {NULL, 7, places, values, 1};
    struct games_bytes bytes = {0};
    assert_true(games_put(&bytes, &played));
    const double w = 1 / (1 + exp(-1.0)), later = 0.5 * 1 + 0.5 * 1;
    const double half[] = {0.25 + 0.5 * (0.5 * w + 0.5 * (0.5 * (1 - w) + 0.5 * (0.25 + 0.5 * later))),
                           0.5 * w + 0.5 * (0.5 * (1 - w) + 0.5 * (0.25 + 0.5 * later)),
                           0.5 * (1 - w) + 0.5 * (0.25 + 0.5 * later),
                           0.25 + 0.5 * later,
                           later,
                           1};
    const double own[] = {0.5, w, 1 - w, 0.5, 1, 1}, result[] = {1, 1, 1, 1, 1, 1};
    const double *const wanted[] = {own, half, result};
    for (int i = 0; i < 3; i++) {
        const struct examples_rule rule = {.lambda = 0.5 * i, .scale = 200};
        struct seen *seen = calloc(1, sizeof *seen);
        seen->game = game;
        assert_true(examples_replay(game, &rule, bytes.data, bytes.size, 1, 0, see, seen, NULL));
        assert_int_equal(seen->count, 6); /* five with values, and the end */
        assert_int_equal(seen->final, 1);
        for (int k = 0; k < 6; k++)
            if (fabs(seen->outlooks[k] - wanted[i][k]) > 1e-6)
                fail_msg("lambda %g, position %d: %f, expected %f", rule.lambda, k, seen->outlooks[k],
                         wanted[i][k]);
        assert_string_equal(seen->texts[5], "..............X......XO.....XO.....XO..... O");
        free(seen);
    }
    free(bytes.data);
    mp_game_close(game);
}

static bool add_result(void *context, const struct examples_position *p, struct mp_error *error)
{
    (void)error;
    double *seen = context;
    seen[p->is_final] += p->outlook;
    seen[2] += p->result;
    return true;
}

/* Where margins are learned, a result is worth its points, and so is a proven value. */
static void margins_are_worth_their_points(void **state)
{
    (void)state;
    struct mp_game *game = mp_game_open(CONNECT4_PLUGIN, NULL);
    uint32_t places[] = {0, 1, 0, 1, 0, 1, 0};
    mp_value values[] = {GAMES_NO_VALUE, GAMES_NO_VALUE, GAMES_NO_VALUE, GAMES_NO_VALUE,
                         GAMES_NO_VALUE, GAMES_NO_VALUE, MP_PROVEN + 6};
    const struct games_game played = {NULL, 7, places, values, 6};
    const struct examples_rule rule = {.scale = 3200, .margin = 100};
    struct games_bytes bytes = {0};
    double seen[3] = {0, 0, 0}; /* of the proven value, of the end, of both results */
    const double worth = 1 / (1 + exp(-600.0 / 3200));
    assert_true(games_put(&bytes, &played));
    assert_true(examples_replay(game, &rule, bytes.data, bytes.size, 1, 0, add_result, seen, NULL));
    assert_true(fabs(seen[0] - worth) < 1e-9 && fabs(seen[1] - worth) < 1e-9 &&
                fabs(seen[2] - 2 * worth) < 1e-9);
    assert_true(fabs(examples_share(&rule, -MP_PROVEN - 6) - (1 - worth)) < 1e-9);
    assert_true(fabs(examples_share(&rule, 600) - worth) < 1e-9);
    free(bytes.data);
    mp_game_close(game);
}

/* 1 e4 d5 2 exd5 Qxd5 3 Nc3 Qe5+ 4 Be2: captures and the position in check are not quiet. */
static void only_quiet_positions_are_kept(void **state)
{
    (void)state;
    static const char *const moves[] = {"e2e4", "d7d5", "e4d5", "d8d5", "b1c3", "d5e5", "f1e2"};
    struct mp_game *game = mp_game_open("chess", NULL);
    struct mp_position *position = mp_position_new(game, NULL, NULL);
    uint32_t places[7];
    mp_value values[7] = {0};
    for (int i = 0; i < 7; i++) {
        mp_move move, list[256];
        assert_true(mp_position_parse_move(position, moves[i], &move, NULL));
        mp_position_moves(position, list, NULL, 256);
        for (places[i] = 0; list[places[i]] != move;)
            places[i]++;
        mp_position_play(position, move, NULL);
    }
    const struct games_game played = {NULL, 7, places, values, 0};
    struct games_bytes bytes = {0};
    assert_true(games_put(&bytes, &played));
    for (int noisy = 0; noisy < 2; noisy++) {
        const struct examples_rule rule = {.noisy = noisy, .scale = 200};
        struct seen *seen = calloc(1, sizeof *seen);
        seen->game = game;
        assert_true(examples_replay(game, &rule, bytes.data, bytes.size, 1, 0, see, seen, NULL));
        assert_int_equal(seen->count, noisy ? 7 : 4);
        free(seen);
    }
    free(bytes.data);
    mp_position_free(position);
    mp_game_close(game);
}

/* ---- Files --------------------------------------------------------------------------------------------- */

static struct harvest plan_of(const struct mp_game *game, int64_t games, int threads)
{
    return (struct harvest){.game = game,
                            .strategy = game->chances ? "expectiminimax,depth=1" : "pvs,nodes=60,hash=1",
                            .games = games,
                            .threads = threads,
                            .seed = 7,
                            .least_random = 4,
                            .most_random = 20,
                            .most_plies = 60};
}

static struct harvest_report run(const struct harvest *plan, const char *name)
{
    struct harvest_report report;
    struct mp_error error = {0};
    if (!harvest_run(plan, path_of(name), NULL, NULL, &report, &error))
        fail_msg("%s", error.text);
    return report;
}

static void assert_same_files(const char *name, const char *other)
{
    size_t size, other_size;
    char *bytes = bytes_of(path_of(name), &size), *others = bytes_of(path_of(other), &other_size);
    assert_int_equal(size, other_size);
    assert_memory_equal(bytes, others, size);
    free(bytes);
    free(others);
}

struct stopping {
    int64_t after;
    atomic_bool stop;
};

static void stop_after(const struct harvest_report *so_far, void *context)
{
    struct stopping *stopping = context;
    if (so_far->games >= stopping->after)
        atomic_store(&stopping->stop, true);
}

static void a_file_is_the_same_however_it_was_made(void **state)
{
    (void)state;
    struct mp_game *game = mp_game_open(CONNECT4_PLUGIN, NULL);
    struct harvest plan = plan_of(game, 150, 1), many = plan_of(game, 150, 3);
    struct harvest_report report = run(&plan, "one.games");
    assert_int_equal(report.games, 150);
    assert_int_equal(report.wins + report.draws + report.losses, 150);
    run(&many, "three.games");
    assert_same_files("one.games", "three.games");
    /* Stopped twice, in the first block and in the third, and grown from a smaller number of games. */
    struct stopping stopping = {.after = 20};
    struct harvest_report stopped;
    many.stop = &stopping.stop;
    assert_true(harvest_run(&many, path_of("stopped.games"), stop_after, &stopping, &stopped, NULL));
    assert_in_range(stopped.games, 20, 149);
    atomic_store(&stopping.stop, false);
    many.stop = NULL;
    many.games = 133;
    run(&many, "stopped.games");
    many.games = 150;
    struct harvest_report again = run(&many, "stopped.games");
    assert_int_equal(again.found, 133);
    again.found = 0;
    assert_memory_equal(&again, &report, sizeof report);
    assert_same_files("one.games", "stopped.games");
    /* What a kill cut off is dropped and played again. */
    size_t size;
    char *bytes = bytes_of(path_of("one.games"), &size);
    write_bytes(path_of("cut.games"), bytes, size - 9);
    assert_in_range(run(&plan, "cut.games").found, 64, 128);
    assert_same_files("one.games", "cut.games");
    free(bytes);
    /* Other games are not added. */
    struct mp_error error = {0};
    plan.seed = 8;
    assert_false(harvest_run(&plan, path_of("one.games"), NULL, NULL, &report, &error));
    assert_contains(error.text, "seed 7");
    mp_game_close(game);
}

static int read_all(const struct mp_game *game, const char *name, struct seen *seen, struct mp_error *error)
{
    const char *const paths[] = {path_of(name)};
    const struct examples_rule rule = {.scale = 200};
    struct examples *examples = examples_open(game, paths, 1, error);
    bool ok = examples;
    seen->game = game;
    for (size_t i = 0; ok && i < examples_blocks(examples); i++)
        ok = examples_read(examples, &rule, i, see, seen, error);
    examples_close(examples);
    return ok;
}

static void text_and_games_tell_the_same(void **state)
{
    (void)state;
    struct mp_game *game = mp_game_open(CONNECT4_PLUGIN, NULL);
    struct harvest plan = plan_of(game, 40, 2);
    struct harvest_report lines = run(&plan, "g.txt"), games = run(&plan, "g.games");
    struct seen *text = calloc(1, sizeof *text), *all = calloc(1, sizeof *all);
    struct mp_error error = {0};
    assert_true(read_all(game, "g.txt", text, &error) && read_all(game, "g.games", all, &error));
    assert_int_equal(text->count, lines.positions);
    assert_int_equal(all->count, games.positions + all->final);
    assert_int_equal(all->final, games.wins + games.losses);
    assert_in_range(all->held_back, 1, all->count / 3);
    /* Text leaves out what is proven. */
    int at = 0;
    for (int i = 0; i < text->count; i++, at++)
        while (strcmp(text->texts[i], all->texts[at]) != 0)
            assert_in_range(++at, 0, all->count - 1);
    free(text);
    free(all);
    mp_game_close(game);
}

static void dice_are_played_and_replayed(void **state)
{
    (void)state;
    struct mp_game *game = mp_game_open("backgammon", NULL);
    struct harvest plan = plan_of(game, 3, 1);
    plan.most_random = 4;
    struct harvest_report report = run(&plan, "dice.games");
    struct seen *seen = calloc(1, sizeof *seen);
    struct mp_error error = {0};
    if (!read_all(game, "dice.games", seen, &error))
        fail_msg("%s", error.text);
    assert_int_equal(seen->count, report.positions + seen->final);
    free(seen);
    mp_game_close(game);
}

/* Every byte changed and every length; only the text of the header may be another without anybody knowing. */
static void damage_is_found(void **state)
{
    (void)state;
    struct mp_game *game = mp_game_open(CONNECT4_PLUGIN, NULL);
    struct harvest plan = plan_of(game, 70, 2);
    struct seen *seen = calloc(1, sizeof *seen);
    size_t size;
    run(&plan, "whole.games");
    char *bytes = bytes_of(path_of("whole.games"), &size);
    char *header = strstr(bytes, "made "), *body = strstr(bytes, "\n\n") + 2;
    for (size_t i = 0; i < size; i++) {
        struct mp_error error = {0};
        char *at = bytes + i, before = *at;
        *at = (char)(before ^ 0x11);
        write_bytes(path_of("damaged.games"), bytes, size);
        *at = before;
        seen->count = 0;
        bool ok = read_all(game, "damaged.games", seen, &error);
        if (ok != (at >= header && at < body - 2))
            fail_msg("byte %zu of %zu: %s", i, size, ok ? "not noticed" : error.text);
        assert_true(ok || error.text[0]);
    }
    size_t whole = 0; /* a file may end after any of its blocks */
    for (size_t length = 0; length < size; length++) {
        struct mp_error error = {0};
        write_bytes(path_of("damaged.games"), bytes, length);
        seen->count = 0;
        bool ok = read_all(game, "damaged.games", seen, &error);
        whole += ok;
        assert_true(ok || error.text[0]);
    }
    assert_int_equal(whole, 1);
    free(bytes);
    free(seen);
    mp_game_close(game);
}

/* Games whose bytes mean nothing are refused, or are other games; nothing else happens. */
static void nonsense_is_refused(void **state)
{
    (void)state;
    struct mp_game *game = mp_game_open(CONNECT4_PLUGIN, NULL);
    uint32_t places[] = {3, 3, 3, 3, 3, 3, 2};
    mp_value values[] = {0, 5, -5, 3, 4, 0, 1};
    const struct games_game played = {NULL, 7, places, values, 0};
    const struct examples_rule rule = {.lambda = 0.5, .scale = 200};
    struct seen *seen = calloc(1, sizeof *seen);
    seen->game = game;
    int refused = 0;
    for (uint64_t seed = 0; seed < 20000; seed++) {
        struct games_bytes bytes = {0};
        uint64_t stream = seed;
        struct mp_error error = {0};
        assert_true(games_put(&bytes, &played));
        for (int i = 0; i < 2; i++)
            bytes.data[random_below(random_next(&stream), (uint32_t)bytes.size)] = (unsigned char)random_next(
                &stream);
        seen->count = 0;
        bool ok = examples_replay(game, &rule, bytes.data, bytes.size, 1, 0, see, seen, &error);
        assert_true(ok || error.text[0]);
        refused += !ok;
        free(bytes.data);
    }
    assert_in_range(refused, 10000, 19999);
    free(seen);
    mp_game_close(game);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_game_is_read_as_it_was_written),
        cmocka_unit_test(outlooks_mix_what_comes_later),
        cmocka_unit_test(margins_are_worth_their_points),
        cmocka_unit_test(only_quiet_positions_are_kept),
        cmocka_unit_test(a_file_is_the_same_however_it_was_made),
        cmocka_unit_test(text_and_games_tell_the_same),
        cmocka_unit_test(dice_are_played_and_replayed),
        cmocka_unit_test(damage_is_found),
        cmocka_unit_test(nonsense_is_refused),
    };
    return cmocka_run_group_tests_name("harvest", tests, make_folder, drop_folder);
}
