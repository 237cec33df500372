/* trace.c - following a search: what is seen of a thread while it runs is consistent, what is written is a
 * timeline whose slices are nested, and the counters of tasks add up. */
#include "tests/support/test.h"

#include "parallel/trace.h"

#include "base/clock.h"

#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

struct onlooker {
    struct mp_search *search;
    const struct mp_game *game;
    atomic_bool done;
    _Atomic uint64_t with_move, helping;
    uint64_t looks, nodes;
};

static bool is_legal(const struct mp_game *game, const void *state, mp_move move)
{
    mp_move moves[256];
    int count = game->list(game, state, moves, 256);
    for (int i = 0; i < count; i++)
        if (moves[i] == move)
            return true;
    return false;
}

/* A state and a move that do not belong together would be found out: the move would not be legal. */
static void *look_on(void *argument)
{
    struct onlooker *o = argument;
    _Alignas(64) char state[1024];
    while (!atomic_load(&o->done)) {
        for (int thread = 0; thread < 3; thread++) {
            struct mp_activity now = {MP_SIZE(struct mp_activity)};
            assert_true(mp_search_activity(o->search, thread, &now, state));
            o->looks++;
            o->nodes = now.nodes > o->nodes ? now.nodes : o->nodes;
            o->helping += now.doing == MP_HELPING;
            if (!now.has_state || !now.has_move)
                continue;
            o->with_move++;
            assert_in_range(now.ply, 0, 20);
            assert_in_range(now.depth, 1, 20);
            assert_true(is_legal(o->game, state, now.move));
        }
    }
    return NULL;
}

static void can_be_watched(void **test_state)
{
    (void)test_state;
    struct mp_game *game = mp_game_open("chess", NULL);
    struct mp_position *position = mp_position_new(game, NULL, NULL);
    struct mp_search *search = mp_search_new(game, "pvs,time=200ms,split=ybwc,threads=3", NULL);
    struct mp_activity now = {MP_SIZE(struct mp_activity)};
    assert_false(mp_search_activity(search, 0, &now, NULL));
    assert_true(mp_search_follow(search, 0, NULL));
    assert_true(mp_search_activity(search, 0, &now, NULL));
    assert_int_equal(now.doing, MP_RESTING);
    assert_false(mp_search_activity(search, 3, &now, NULL));
    assert_false(mp_search_activity(search, -1, &now, NULL));
    struct onlooker onlooker = {.search = search, .game = game};
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, look_on, &onlooker), 0);
    struct mp_result result = {MP_SIZE(struct mp_result)};
    /* On a busy machine the onlooker may sleep through a run. */
    for (int i = 0; i < 20 && !(atomic_load(&onlooker.with_move) && atomic_load(&onlooker.helping)); i++)
        assert_true(mp_search_run(search, position, NULL, NULL, &result, NULL));
    atomic_store(&onlooker.done, true);
    pthread_join(thread, NULL);
    assert_true(onlooker.with_move > 0 && onlooker.helping > 0 && onlooker.nodes > 0);
    assert_true(mp_search_activity(search, 0, &now, NULL));
    assert_int_equal(now.doing, MP_RESTING);
    print_message("%llu looks, %llu at a move\n", (unsigned long long)onlooker.looks,
                  (unsigned long long)onlooker.with_move);
    mp_search_free(search);
    mp_position_free(position);
    mp_game_close(game);
}

static const char *const strategies[] = {
    "minimax,depth=5,split=levels,threads=3,eager=on",
    "alphabeta,depth=7,split=chunked,chunk=3,threads=2,eager=on",
    "alphabeta,depth=7,split=bfs,threads=2,eager=on",
    "alphabeta,depth=9,split=shared,min=2,threads=3,eager=on",
    "pvs,depth=9,split=ybwc,threads=3,eager=on",
    "pvs,depth=9,split=abdada,threads=3,eager=on",
    "pvs,time=20ms,depth=60,split=ybwc,threads=3,eager=on",
};

static void tasks_add_up(void **test_state)
{
    (void)test_state;
    struct mp_game *game = mp_game_open("othello", NULL);
    struct mp_position *position = mp_position_new(game, NULL, NULL);
    for (size_t i = 0; i < sizeof strategies / sizeof *strategies; i++) {
        struct mp_search *search = mp_search_new(game, strategies[i], NULL);
        struct mp_result result = {MP_SIZE(struct mp_result)};
        assert_true(mp_search_run(search, position, NULL, NULL, &result, NULL));
        const struct mp_counters *c = &result.counters;
        if (c->tasks_created == 0 ||
            c->tasks_created != c->tasks_local + c->tasks_stolen + c->tasks_cancelled)
            fail_msg("%s: %llu tasks created, %llu local, %llu stolen, %llu cancelled", strategies[i],
                     (unsigned long long)c->tasks_created, (unsigned long long)c->tasks_local,
                     (unsigned long long)c->tasks_stolen, (unsigned long long)c->tasks_cancelled);
        assert_true(c->wasted_nodes <= c->nodes);
        mp_search_free(search);
    }
    mp_position_free(position);
    mp_game_close(game);
}

/* However little room there is, the whole run is covered: the outermost slices are the longest. */
static void forgets_short_slices_first(void **test_state)
{
    (void)test_state;
    struct mp_game *game = mp_game_open("othello", NULL);
    struct mp_position *position = mp_position_new(game, NULL, NULL);
    struct mp_search *search = mp_search_new(game, "pvs,depth=9,split=ybwc,threads=2,eager=on", NULL);
    struct mp_error error = {0};
    assert_false(mp_search_write_trace(search, "/tmp/unused", &error));
    assert_contains(error.text, "nobody followed");
    assert_true(mp_search_follow(search, 16, NULL));
    struct mp_result result = {MP_SIZE(struct mp_result)};
    assert_true(mp_search_run(search, position, NULL, NULL, &result, NULL));
    char path[] = "/tmp/manyply-trace-XXXXXX", line[8192];
    int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    assert_true(mp_search_write_trace(search, path, &error));
    FILE *in = fopen(path, "r");
    int slices[2] = {0}, iterations = 0;
    while (fgets(line, sizeof line, in)) {
        bool slice = strstr(line, "\"ph\":\"X\"") && !strstr(line, "\"idle\"");
        slices[0] += slice && strstr(line, "\"tid\":0");
        slices[1] += slice && strstr(line, "\"tid\":1");
        iterations += strstr(line, "\"iteration\"") != NULL;
    }
    fclose(in);
    unlink(path);
    assert_in_range(slices[0], 1, 16);
    assert_true(slices[1] <= 16);
    assert_true(iterations > 0);
    assert_false(mp_search_write_trace(search, "/nonexistent/folder/out.json", &error));
    assert_contains(error.text, "/nonexistent/folder/out.json: No such file");
    mp_search_free(search);
    mp_position_free(position);
    mp_game_close(game);
}

/* ---- The tree ------------------------------------------------------------------------------------------ */

enum { MOST_PIECES = 20000 };

struct tree {
    const struct mp_game *game;
    int count;
    struct mp_piece pieces[MOST_PIECES];
    char states[MOST_PIECES][128];
};

static void see_piece(void *context, const struct mp_piece *piece, const void *state)
{
    struct tree *tree = context;
    assert_true(tree->count < MOST_PIECES);
    assert_int_equal(state != NULL, piece->ply >= 0);
    tree->pieces[tree->count] = *piece;
    if (state)
        memcpy(tree->states[tree->count], state, tree->game->state_size);
    tree->count++;
}

static int find_piece(const struct tree *tree, uint64_t id)
{
    int i = 0;
    while (i < tree->count && tree->pieces[i].id != id)
        i++;
    return i;
}

/* As text: states have bytes that nobody reads. */
static void assert_same_position(const struct mp_game *game, const void *a, const void *b)
{
    char texts[2][256];
    game->print_position(game, a, texts[0], sizeof texts[0]);
    game->print_position(game, b, texts[1], sizeof texts[1]);
    assert_string_equal(texts[0], texts[1]);
}

/* A part lies inside its whole in time and below it in the tree; one ply below a move it is at the position after it. */
static void check_parent(const struct tree *tree, int i, int counts[2])
{
    _Alignas(64) char after[128];
    const struct mp_piece *piece = &tree->pieces[i];
    int at = find_piece(tree, piece->parent);
    if (piece->parent == 0 || at == tree->count) {
        counts[0]++;
        return;
    }
    const struct mp_piece *parent = &tree->pieces[at];
    assert_true(parent->start <= piece->start && piece->end <= parent->end);
    assert_true(parent->ply <= piece->ply);
    if (!parent->has_move && piece->ply == parent->ply) {
        assert_same_position(tree->game, tree->states[at], tree->states[i]);
    } else if (parent->has_move && piece->ply == parent->ply + 1) {
        tree->game->play(tree->game, tree->states[at], parent->move, after);
        assert_same_position(tree->game, after, tree->states[i]);
        counts[1]++;
    }
}

static void pieces_make_a_tree(void **test_state)
{
    (void)test_state;
    static const char *const searches[] = {
        "pvs,depth=9,split=ybwc,threads=3,eager=on", "pvs,depth=9,split=abdada,threads=2,eager=on",
        "minimax,depth=6,split=levels,threads=2,eager=on", "alphabeta,depth=9"};
    static struct tree tree;
    struct mp_game *game = mp_game_open("othello", NULL);
    struct mp_position *position = mp_position_new(game, NULL, NULL);
    assert_true(game->state_size <= sizeof tree.states[0]);
    for (size_t i = 0; i < sizeof searches / sizeof *searches; i++) {
        struct mp_search *search = mp_search_new(game, searches[i], NULL);
        struct mp_result result = {MP_SIZE(struct mp_result)};
        assert_false(mp_search_pieces(search, 0, 0, see_piece, &tree));
        assert_true(mp_search_follow(search, MOST_PIECES / 3, NULL));
        assert_true(mp_search_run(search, position, NULL, NULL, &result, NULL));
        int counts[2] = {0}, iterations = 0, valued = 0;
        tree.game = game;
        tree.count = 0;
        for (int thread = 0; thread < result.threads; thread++)
            assert_true(mp_search_pieces(search, thread, -1, see_piece, &tree));
        assert_false(mp_search_pieces(search, result.threads, -1, see_piece, &tree));
        for (int j = 0; j < tree.count; j++) {
            const struct mp_piece *piece = &tree.pieces[j];
            check_parent(&tree, j, counts);
            assert_int_equal(find_piece(&tree, piece->id), j);
            iterations += piece->kind == MP_PIECE_ITERATION;
            valued += piece->has_window && piece->has_value && piece->alpha < piece->beta;
        }
        print_message("%s: %d pieces, %d with a value, %d a ply below another\n", searches[i], tree.count,
                      valued, counts[1]);
        /* Only the iterations are parts of nothing; what hangs in the air was inside something too short. */
        assert_true(iterations > 0 && counts[0] <= iterations + tree.count / 20);
        assert_true(valued > 0);
        /* Asked for what came after its end, there is nothing. */
        int before = tree.count;
        assert_true(mp_search_pieces(search, 0, result.seconds + 1, see_piece, &tree));
        assert_int_equal(tree.count, before);
        mp_search_free(search);
    }
    mp_position_free(position);
    mp_game_close(game);
}

/* ---- A trace by hand ------------------------------------------------------------------------------- */

enum { THREADS = 2, MOST_EVENTS = 4096 };
static const int64_t START_NS = 1000000000, MS = 1000000, US = 1000;

/* The beginning of a game of Othello, with its four moves. */
static struct desk {
    struct mp_game *game;
    struct mp_position *position;
    mp_move moves[4];
    struct trace *trace;
} desk;

static struct place at(int ply, int depth)
{
    return (struct place){mp_position_state(desk.position), desk.moves, ply, depth};
}

static void lay_out(int slices)
{
    desk.game = mp_game_open("othello", NULL);
    desk.position = mp_position_new(desk.game, NULL, NULL);
    assert_int_equal(mp_position_moves(desk.position, desk.moves, NULL, 4), 4);
    desk.trace = trace_new(desk.game, THREADS, slices);
    assert_non_null(desk.trace);
}

static void clear_away(void)
{
    trace_free(desk.trace);
    mp_position_free(desk.position);
    mp_game_close(desk.game);
}

static void tells_the_present(void **test_state)
{
    (void)test_state;
    _Alignas(64) char state[1024];
    struct mp_activity now = {MP_SIZE(struct mp_activity)};
    lay_out(0);
    struct place place = at(2, 5), nowhere = {.depth = 7};
    trace_begin(desk.trace, 1, MP_HELPING, clock_ns(), &place, 3);
    trace_look(desk.trace, 1, &now, state);
    assert_int_equal(now.doing, MP_HELPING);
    assert_true(now.has_state && now.has_move);
    assert_int_equal(now.ply, 2);
    assert_int_equal(now.depth, 5);
    assert_int_equal(now.move, desk.moves[3]);
    assert_memory_equal(state, place.state, desk.game->state_size);
    trace_look(desk.trace, 0, &now, NULL);
    assert_int_equal(now.doing, MP_RESTING);
    assert_false(now.has_state || now.has_move);
    trace_begin(desk.trace, 1, MP_WAITING, clock_ns(), &nowhere, 0);
    trace_look(desk.trace, 1, &now, NULL);
    assert_int_equal(now.doing, MP_WAITING);
    assert_int_equal(now.depth, 7);
    assert_false(now.has_state || now.has_move);
    trace_begin(desk.trace, 1, MP_RESTING, clock_ns(), NULL, 0);
    trace_look(desk.trace, 1, &now, NULL);
    assert_int_equal(now.doing, MP_RESTING);
    clear_away();
}

/* A thread that is at two places in turn. */
struct commuter {
    struct trace *trace;
    char states[2][1024];
    mp_move moves[2];
    atomic_bool done;
};

static void *commute(void *argument)
{
    struct commuter *c = argument;
    for (int i = 0; !atomic_load(&c->done); i = !i) {
        struct place place = {c->states[i], &c->moves[i], 10 + i, 20 + i};
        trace_begin(c->trace, 1, i ? MP_SEARCHING : MP_HELPING, clock_ns(), &place, 0);
    }
    return NULL;
}

/* Whoever looks on sees it at the one or at the other, however often it is interrupted in between. */
static void is_never_at_two_places(void **test_state)
{
    (void)test_state;
    enum { LOOKS = 200000 };
    static struct commuter c;
    _Alignas(64) char state[1024];
    struct mp_game *game = mp_game_open("backgammon", NULL);
    int torn = 0, seen[2] = {0};
    pthread_t thread;
    memset(c.states[0], 0x11, sizeof c.states[0]);
    memset(c.states[1], 0x77, sizeof c.states[1]);
    c.moves[0] = 1111;
    c.moves[1] = 7777;
    c.trace = trace_new(game, THREADS, 0);
    assert_int_equal(pthread_create(&thread, NULL, commute, &c), 0);
    /* On a busy machine it takes a while until there is something to see. */
    for (int looks = 0; looks < LOOKS || !seen[0] || !seen[1];) {
        struct mp_activity now = {MP_SIZE(struct mp_activity)};
        trace_look(c.trace, 1, &now, state);
        if (!now.has_move)
            continue;
        int i = now.ply - 10;
        torn += i < 0 || i > 1 || now.depth != 20 + i || now.doing != (i ? MP_SEARCHING : MP_HELPING) ||
                now.move != c.moves[i] || memcmp(state, c.states[i], game->state_size) != 0;
        seen[i == 1]++;
        looks++;
    }
    atomic_store(&c.done, true);
    pthread_join(thread, NULL);
    assert_int_equal(torn, 0);
    trace_free(c.trace);
    mp_game_close(game);
}

struct event {
    char name[32], move[16];
    int thread;
    double start_us, length_us;
    char phase;
};

static int read_events(struct event *events)
{
    char path[] = "/tmp/manyply-trace-XXXXXX", line[8192];
    struct mp_error error = {0};
    int file = mkstemp(path), count = 0;
    assert_true(file >= 0);
    close(file);
    if (!trace_write(desk.trace, path, "by hand", START_NS, START_NS + 50 * MS, &error))
        fail_msg("%s", error.text);
    FILE *in = fopen(path, "r");
    while (fgets(line, sizeof line, in)) {
        struct event *e = &events[count];
        *e = (struct event){.length_us = 0};
        const char *move = strstr(line, "\"move\":"), *length = strstr(line, "\"dur\":");
        if (sscanf(line, "{\"name\":\"%31[^\"]\",\"ph\":\"%c\",\"pid\":1,\"tid\":%d,\"ts\":%lf", e->name,
                   &e->phase, &e->thread, &e->start_us) != 4 ||
            e->phase == 'M')
            continue;
        assert_true(!move || sscanf(move, "\"move\":\"%15[^\"]", e->move) == 1);
        assert_true(!length || sscanf(length, "\"dur\":%lf", &e->length_us) == 1);
        assert_true(++count < MOST_EVENTS);
    }
    fclose(in);
    unlink(path);
    return count;
}

/* How many events there are of a kind, and with all these. */
static int count_events(const struct event *events, int count, int thread, const char *name, double start_ms,
                        double length_ms)
{
    int found = 0;
    for (int i = 0; i < count; i++)
        found += events[i].thread == thread && !strcmp(events[i].name, name) &&
                 (start_ms < 0 ||
                  (events[i].start_us == start_ms * 1000 && events[i].length_us == length_ms * 1000));
    return found;
}

static void note(int thread, enum slice_kind kind, int64_t start, int64_t end, int task, bool outermost,
                 bool aborted)
{
    struct place place = at(1, 5);
    trace_end(desk.trace, thread,
              (struct slice){.start_ns = START_NS + start,
                             .end_ns = START_NS + end,
                             .nodes = 10,
                             .kind = (uint8_t)kind,
                             .outermost = outermost,
                             .aborted = aborted},
              &place, task);
}

/* Thread 1 helps twice, the first time in vain; while it waits for a helper of its own it helps below. */
static void writes_what_was(void **test_state)
{
    (void)test_state;
    static struct event events[MOST_EVENTS];
    char move[16];
    lay_out(100);
    note(0, SLICE_TASK, 1 * MS, 9 * MS, 0, false, false);
    note(0, SLICE_ITERATION, 0, 50 * MS, -1, false, false);
    note(1, SLICE_STOLEN, 12 * MS, 14 * MS, 2, false, true);
    note(1, SLICE_HELP, 10 * MS, 20 * MS, -1, true, false);
    note(1, SLICE_HELP, 33 * MS, 35 * MS, -1, false, false);
    note(1, SLICE_WAIT, 32 * MS, 36 * MS, -1, false, false);
    note(1, SLICE_STOLEN, 31 * MS, 39 * MS, 1, false, false);
    note(1, SLICE_HELP, 30 * MS, 40 * MS, -1, true, false);
    int count = read_events(events);
    assert_int_equal(count_events(events, count, 0, "task", 1, 8), 1);
    assert_int_equal(count_events(events, count, 0, "iteration", 0, 50), 1);
    assert_int_equal(count_events(events, count, 1, "stolen task", 12, 2), 1);
    assert_int_equal(count_events(events, count, 1, "stolen task", 31, 8), 1);
    assert_int_equal(count_events(events, count, 1, "help", 10, 10), 1);
    assert_int_equal(count_events(events, count, 1, "help", 33, 2), 1);
    assert_int_equal(count_events(events, count, 1, "help", 30, 10), 1);
    assert_int_equal(count_events(events, count, 1, "wait", 32, 4), 1);
    /* A steal where help begins, an abort where a task ends that was given up. */
    assert_int_equal(count_events(events, count, 1, "steal", -1, 0), 3);
    assert_int_equal(count_events(events, count, 1, "steal", 10, 0), 1);
    assert_int_equal(count_events(events, count, 1, "abort", -1, 0), 1);
    assert_int_equal(count_events(events, count, 1, "abort", 14, 0), 1);
    /* And idle before, between and after; thread 0 never is. */
    assert_int_equal(count_events(events, count, 1, "idle", -1, 0), 3);
    assert_int_equal(count_events(events, count, 1, "idle", 0, 10), 1);
    assert_int_equal(count_events(events, count, 1, "idle", 20, 10), 1);
    assert_int_equal(count_events(events, count, 1, "idle", 40, 10), 1);
    assert_int_equal(count_events(events, count, 0, "idle", -1, 0), 0);
    assert_int_equal(count, 2 + 6 + 3 + 1 + 3);
    for (int i = 0; i < count; i++)
        if (!strcmp(events[i].name, "stolen task")) {
            int task = events[i].start_us == 12000 ? 2 : 1;
            desk.game->print_move(desk.game, mp_position_state(desk.position), desk.moves[task], move,
                                  sizeof move);
            assert_string_equal(events[i].move, move);
        }
    trace_clear(desk.trace, START_NS);
    count = read_events(events);
    assert_int_equal(count, 1);
    assert_int_equal(count_events(events, count, 1, "idle", 0, 50), 1);
    clear_away();
}

/* In microseconds. When there is no room, all that are shorter than the next power of two times five go. */
static void keeps_the_longest(void **test_state)
{
    (void)test_state;
    static const int lengths[] = {3, 7, 12, 25, 9, 50, 8, 30};
    static const int kept[] = {12, 25, 50, 30};
    static struct event events[MOST_EVENTS];
    lay_out(4);
    for (int turn = 0; turn < 2; turn++) {
        for (int i = 0; i < 8; i++)
            note(0, SLICE_TASK, i * MS, i * MS + lengths[i] * US, 0, false, false);
        int count = read_events(events);
        assert_int_equal(count_events(events, count, 0, "task", -1, 0), 4);
        for (int i = 0, k = 0; i < count; i++)
            if (events[i].thread == 0)
                assert_true(events[i].length_us == kept[k++]);
        trace_clear(desk.trace, START_NS);
    }
    clear_away();
}

/* After sixteen in a row that were too short to be seen, tasks of a depth are not timed any more. */
static void short_tasks_are_not_timed_for_ever(void **test_state)
{
    (void)test_state;
    lay_out(100);
    struct place here = at(1, 5), deeper = at(0, 6);
    assert_false(trace_wants(NULL, 0, &here));
    for (int turn = 0; turn < 2; turn++) {
        for (int i = 0; i < 15; i++)
            note(1, SLICE_TASK, i * MS, i * MS + 4 * US, 0, false, false);
        note(1, SLICE_STOLEN, 20 * MS, 20 * MS + 6 * US, 0, false, false);
        for (int i = 0; i < 16; i++) {
            assert_true(trace_wants(desk.trace, 1, &here));
            note(1, SLICE_STOLEN, i * MS, i * MS + 4 * US, 0, false, false);
        }
        assert_false(trace_wants(desk.trace, 1, &here));
        assert_true(trace_wants(desk.trace, 1, &deeper));
        assert_true(trace_wants(desk.trace, 0, &here));
        trace_clear(desk.trace, START_NS);
        assert_true(trace_wants(desk.trace, 1, &here));
    }
    clear_away();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tells_the_present),
        cmocka_unit_test(is_never_at_two_places),
        cmocka_unit_test(writes_what_was),
        cmocka_unit_test(keeps_the_longest),
        cmocka_unit_test(short_tasks_are_not_timed_for_ever),
        cmocka_unit_test(can_be_watched),
        cmocka_unit_test(pieces_make_a_tree),
        cmocka_unit_test(tasks_add_up),
        cmocka_unit_test(forgets_short_slices_first),
    };
    return cmocka_run_group_tests_name("trace", tests, NULL, NULL);
}
