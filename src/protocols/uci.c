/* uci.c - the commands and options of UCI. What takes time is in uci_work.c, how long in uci_time.c.
 *
 * As the protocol wants it, unknown words are skipped until a command is found. A mistake is answered with
 * `info string` and changes nothing. */
#include "protocols/uci.h"

#include "base/clock.h"
#include "base/text.h"
#include "protocols/uci_engine.h"

#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

enum { DEFAULT_MEGABYTES = 16, DEFAULT_OVERHEAD = 15, MOST_OVERHEAD = 5000, BENCH_DEPTH = 13 };

void uci_say(struct uci *uci, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    flockfile(uci->out);
    vfprintf(uci->out, format, arguments);
    putc('\n', uci->out);
    fflush(uci->out);
    funlockfile(uci->out);
    va_end(arguments);
}

/* ---- Words ----------------------------------------------------------------------------------------- */

static const char blanks[] = " \t\r\n\v\f";

/* The next word, cut off from the rest; null: there is none. */
static char *next_word(char **rest)
{
    *rest += strspn(*rest, blanks);
    char *word = *rest;
    if (!*word)
        return NULL;
    *rest += strcspn(*rest, blanks);
    if (**rest)
        *(*rest)++ = 0;
    return word;
}

/* A text as it can be quoted: printable, and not too long. */
static const char *quoted(const char *text, char copy[static 48])
{
    size_t i = 0;
    for (; text[i] && i < 47; i++)
        copy[i] = text[i];
    copy[i] = 0;
    for (char *c = copy; *c; c++)
        if (*c < 32 || *c > 126)
            *c = '?';
    return copy;
}

/* The number after a word of `go`; false, with a sentence, if there is none. Too large is as large as can
 * be. */
static bool read_number(struct uci *uci, const char *name, char **rest, int64_t most, int64_t *number)
{
    char copy[48];
    char *word = next_word(rest);
    int64_t value;
    if (!word || !text_to_int(word, INT64_MIN + 1, INT64_MAX, &value)) {
        uci_say(uci, "info string go %s '%s', expected a whole number", name, word ? quoted(word, copy) : "");
        return false;
    }
    value = value < 0 ? 0 : value;
    *number = value < most ? value : most;
    return true;
}

/* ---- The position ---------------------------------------------------------------------------------- */

/* Sets a position up from the arguments of `position`; null: the sentence says why. */
static struct mp_position *read_position(const struct mp_game *game, const char *arguments,
                                         struct mp_error *error)
{
    char *copy = strdup(arguments), *rest = copy;
    if (!copy) {
        mp_fail(error, "out of memory");
        return NULL;
    }
    char *word = next_word(&rest), fen[UCI_TEXT] = "", shown[48];
    bool is_fen = word && !strcmp(word, "fen");
    struct mp_position *position = NULL;
    if (!is_fen && !(word && !strcmp(word, "startpos")))
        mp_fail(error, "position '%s', expected startpos or fen", word ? quoted(word, shown) : "");
    while ((word = next_word(&rest)) && strcmp(word, "moves") != 0)
        if (is_fen)
            text_append(fen, sizeof fen, "%s%s", *fen ? " " : "", word);
    if (is_fen || !strncmp(arguments + strspn(arguments, blanks), "startpos", 8))
        position = mp_position_new(game, is_fen ? fen : NULL, error);
    while (position && (word = next_word(&rest))) {
        mp_move move;
        struct mp_error reason;
        if (mp_position_parse_move(position, word, &move, &reason) &&
            mp_position_play(position, move, &reason))
            continue;
        mp_fail(error, "move '%s' cannot be played: %.300s", quoted(word, shown), reason.text);
        mp_position_free(position);
        position = NULL;
    }
    free(copy);
    return position;
}

/* Sets up what was asked for and remembers it; false: everything is as it was. */
static bool place(struct uci *uci, const struct mp_game *game, const char *arguments)
{
    struct mp_error error = {0};
    struct mp_position *position = read_position(game, arguments, &error);
    char *copy = position ? strdup(arguments) : NULL;
    if (!copy) {
        mp_position_free(position);
        uci_say(uci, "info string %s; the position stays as it was", position ? "out of memory" : error.text);
        return false;
    }
    mp_position_free(uci->position);
    free(uci->placed);
    uci->position = position;
    uci->placed = copy;
    return true;
}

static void do_position(struct uci *uci, char *rest)
{
    uci_end(uci);
    place(uci, uci->game, rest);
}

/* ---- Options --------------------------------------------------------------------------------------- */

static void write_default(const struct mp_game *game, char text[UCI_TEXT])
{
    struct mp_strategy *strategy = mp_strategy_new(game, NULL, NULL);
    *text = 0;
    if (strategy)
        mp_strategy_asked(strategy, text, UCI_TEXT);
    mp_strategy_free(strategy);
}

/* The strategy with all that it does not say itself; null: the sentence says why there is none. */
static struct mp_search *new_search(const struct mp_game *game, const char *text, int megabytes,
                                    const char *evaluation, int threads, const char *book,
                                    struct mp_error *error)
{
    struct mp_strategy *s = mp_strategy_new(game, text, error);
    bool uses_hash = s && mp_strategy_has(s, "selective") && !mp_strategy_given(s, "hash");
    bool splits = s && mp_strategy_has(s, "split") && !mp_strategy_given(s, "split") && threads > 1;
    bool ok = s && (!uses_hash || mp_strategy_set_number(s, "hash", megabytes, error)) &&
              (mp_strategy_given(s, "eval") || mp_strategy_set(s, "eval", evaluation, error)) &&
              (!splits || mp_strategy_set(s, "split", "auto", error)) &&
              (!mp_strategy_given(s, "split") || mp_strategy_given(s, "threads") ||
               mp_strategy_set_number(s, "threads", threads, error)) &&
              (!book || mp_strategy_set(s, "book", book, error));
    struct mp_search *search = ok ? mp_search_with(s, error) : NULL;
    mp_strategy_free(s);
    return search;
}

/* The search that the options describe; false: the sentence says why there is none. */
static bool make_search(struct uci *uci, struct mp_error *error)
{
    if (!uci->search)
        uci->search = new_search(uci->game, uci->strategy, uci->megabytes, uci->evaluation, uci->threads,
                                 uci->own_book && *uci->book ? uci->book : NULL, error);
    return uci->search != NULL;
}

/* The options have changed: the next search is made anew. */
static void drop_search(struct uci *uci)
{
    mp_search_free(uci->search);
    uci->search = NULL;
}

/* Tries a text for an option out: the search is made anew with it, or the old text stays. */
static void try_text(struct uci *uci, char *option, const char *value)
{
    char old[UCI_TEXT];
    struct mp_error error = {0};
    memcpy(old, option, UCI_TEXT);
    drop_search(uci);
    snprintf(option, UCI_TEXT, "%s", value);
    if (strlen(value) >= UCI_TEXT || !make_search(uci, &error)) {
        uci_say(uci, "info string %s", *error.text ? error.text : "the value is too long");
        memcpy(option, old, UCI_TEXT);
    }
}

/* A book that cannot be read is not used, and the sentence says why. */
static void set_own_book(struct uci *uci, bool on)
{
    struct mp_error error = {0};
    drop_search(uci);
    uci->own_book = on;
    if (on && !make_search(uci, &error)) {
        uci_say(uci, "info string %s", error.text);
        uci->own_book = false;
    }
}

static void set_chess960(struct uci *uci, bool on)
{
    struct mp_error error = {0};
    struct mp_game *game = mp_game_open(on ? "chess:chess960=on" : "chess", &error), *old = uci->game;
    char *placed = strdup(uci->placed ? uci->placed : "startpos");
    if (game && placed && place(uci, game, placed)) {
        drop_search(uci);
        uci->game = game;
        uci->chess960 = on;
        mp_game_close(old);
    } else {
        uci_say(uci, "info string UCI_Chess960 stays as it was: %s", error.text);
        mp_game_close(game);
    }
    free(placed);
}

/* A number for an option; false, with a sentence: it is none, or out of range. */
static bool spin(struct uci *uci, const char *name, const char *value, int least, int most, int *number)
{
    int64_t n;
    char copy[48];
    if (!text_to_int(value, least, most, &n)) {
        uci_say(uci, "info string option %s '%s', expected a whole number from %d to %d", name,
                quoted(value, copy), least, most);
        return false;
    }
    *number = (int)n;
    return true;
}

static void set_option(struct uci *uci, const char *name, const char *value)
{
    char copy[48];
    int number;
    bool on = !strcasecmp(value, "true"), is_check = on || !strcasecmp(value, "false");
    if (!strcasecmp(name, "Hash")) {
        if (spin(uci, "Hash", value, 1, uci->most_megabytes, &uci->megabytes))
            drop_search(uci);
    } else if (!strcasecmp(name, "Threads")) {
        if (spin(uci, "Threads", value, 1, uci->most_threads, &uci->threads))
            drop_search(uci);
    } else if (!strcasecmp(name, "MultiPV")) {
        if (spin(uci, "MultiPV", value, 1, MP_MAX_LINES, &number))
            uci->lines = number;
    } else if (!strcasecmp(name, "Move Overhead")) {
        if (spin(uci, "Move Overhead", value, 0, MOST_OVERHEAD, &number))
            uci->overhead = number;
    } else if (!strcasecmp(name, "Clear Hash")) {
        if (uci->search)
            mp_search_forget(uci->search);
    } else if (!strcasecmp(name, "Ponder") && is_check) {
        /* Whether the opponent's time is used is up to the other side; there is nothing to prepare. */
    } else if (!strcasecmp(name, "UCI_Chess960") && is_check) {
        if (on != uci->chess960)
            set_chess960(uci, on);
    } else if (!strcasecmp(name, "OwnBook") && is_check) {
        set_own_book(uci, on);
    } else if (!strcasecmp(name, "BookFile")) {
        try_text(uci, uci->book, strcmp(value, "<empty>") != 0 ? value : "");
    } else if (!strcasecmp(name, "Strategy")) {
        try_text(uci, uci->strategy, value);
    } else if (!strcasecmp(name, "Evaluation")) {
        try_text(uci, uci->evaluation, value);
    } else {
        uci_say(uci, "info string option '%s' is unknown or its value is not true or false",
                quoted(name, copy));
    }
}

/* `setoption name NAME value VALUE`: both may have blanks. */
static void do_setoption(struct uci *uci, char *rest)
{
    char name[UCI_TEXT] = "", value[2 * UCI_TEXT] = "", *word = next_word(&rest);
    uci_end(uci);
    if (!word || strcmp(word, "name") != 0) {
        uci_say(uci, "info string setoption without a name, expected setoption name NAME value VALUE");
        return;
    }
    while ((word = next_word(&rest)) && strcmp(word, "value") != 0)
        text_append(name, sizeof name, "%s%s", *name ? " " : "", word);
    while ((word = next_word(&rest)))
        text_append(value, sizeof value, "%s%s", *value ? " " : "", word);
    set_option(uci, name, value);
}

static void do_uci(struct uci *uci, char *rest)
{
    (void)rest;
    char evaluations[1024] = "", default_strategy[UCI_TEXT];
    write_default(uci->game, default_strategy);
    for (const struct mp_evaluation *e = uci->game->evaluations; e->name; e++)
        text_append(evaluations, sizeof evaluations, " var %s", e->name);
    uci_say(uci,
            "id name Manyply %s\nid author the Manyply authors\n\n"
            "option name Hash type spin default %d min 1 max %d\n"
            "option name Threads type spin default 1 min 1 max %d\n"
            "option name MultiPV type spin default 1 min 1 max %d\n"
            "option name Ponder type check default false\n"
            "option name UCI_Chess960 type check default false\n"
            "option name Move Overhead type spin default %d min 0 max %d\n"
            "option name Clear Hash type button\n"
            "option name OwnBook type check default false\n"
            "option name BookFile type string default <empty>\n"
            "option name Strategy type string default %s\n"
            "option name Evaluation type combo default %s%s\n"
            "uciok",
            mp_version(), DEFAULT_MEGABYTES, uci->most_megabytes, uci->most_threads, MP_MAX_LINES,
            DEFAULT_OVERHEAD, MOST_OVERHEAD, default_strategy, uci->game->evaluations->name, evaluations);
}

/* ---- go -------------------------------------------------------------------------------------------- */

/* The words of `go` that take a number. */
enum go_word { DEPTH, NODES, MOVETIME, WTIME, BTIME, WINC, BINC, MOVESTOGO, MATE, PERFT, GO_WORDS };
static const char *const go_words[GO_WORDS] = {"depth", "nodes", "movetime",  "wtime", "btime",
                                               "winc",  "binc",  "movestogo", "mate",  "perft"};

static enum go_word go_word(const char *word)
{
    enum go_word i = 0;
    while (i < GO_WORDS && strcmp(go_words[i], word) != 0)
        i++;
    return i;
}

/* A move that is named twice is one move. */
static void add_move(struct uci_work *work, mp_move move)
{
    for (int i = 0; i < work->limits.move_count; i++)
        if (work->moves[i] == move)
            return;
    if (work->limits.move_count < UCI_MOST_MOVES)
        work->moves[work->limits.move_count++] = move;
}

/* Reads `go`; numbers not given stay -1. False: something was wrong. */
static bool read_go(struct uci *uci, char *rest, int64_t numbers[GO_WORDS], struct uci_work *work)
{
    char copy[48];
    bool move_list = false, named = false;
    for (char *word; (word = next_word(&rest));) {
        enum go_word which = go_word(word);
        mp_move move;
        if (which < GO_WORDS) {
            if (!read_number(uci, word, &rest, INT32_MAX, &numbers[which]))
                return false;
            move_list = false;
        } else if (!strcmp(word, "infinite") || !strcmp(word, "ponder")) {
            work->infinite |= !strcmp(word, "infinite");
            work->ponder |= !strcmp(word, "ponder");
        } else if (!strcmp(word, "searchmoves")) {
            move_list = true;
        } else if (move_list && mp_position_parse_move(uci->position, word, &move, NULL)) {
            add_move(work, move);
        } else {
            uci_say(uci, "info string go '%s' is not understood%s", quoted(word, copy),
                    move_list ? ", expected a legal move" : "");
            named |= move_list;
        }
    }
    if (named && work->limits.move_count == 0)
        uci_say(uci, "info string go searchmoves names no legal move, all moves are searched");
    return true;
}

static double seconds_of(int64_t milliseconds)
{
    return milliseconds < 0 ? -1 : (double)milliseconds * 1e-3;
}

/* What `go` says of the clock of the side to move. */
static struct pace_clock clock_of(const struct uci *uci, const int64_t numbers[GO_WORDS])
{
    bool black = uci->game->side(uci->game, mp_position_state(uci->position));
    int64_t increment = numbers[black ? BINC : WINC];
    return (struct pace_clock){.left = seconds_of(numbers[black ? BTIME : WTIME]),
                               .increment = increment > 0 ? seconds_of(increment) : 0,
                               .move = seconds_of(numbers[MOVETIME]),
                               .moves_to_go = numbers[MOVESTOGO] > 0 ? (int)numbers[MOVESTOGO] : 0,
                               .overhead = seconds_of(uci->overhead)};
}

static void do_go(struct uci *uci, char *rest)
{
    int64_t numbers[GO_WORDS];
    struct uci_work work = {.kind = UCI_SEARCH};
    struct mp_error error = {0};
    uci_end(uci);
    atomic_store(&uci->clock_since, clock_ns());
    for (int i = 0; i < GO_WORDS; i++)
        numbers[i] = -1;
    if (!read_go(uci, rest, numbers, &work))
        return;
    work.clock = clock_of(uci, numbers);
    if (work.clock.left >= 0)
        pace_begins(&uci->delay, work.clock.left);
    work.clock.delay = uci->delay.longest;
    work.clock.mean_delay = uci->delay.mean;
    work.budget = pace_budget(&work.clock);
    if (uci->debug)
        uci_say(uci, "info string time: about %.3f s, at most %.3f s; lost lately: up to %.3f s",
                work.budget.soft, work.budget.hard, work.clock.delay);
    work.mate = numbers[MATE] > 0 ? (int)numbers[MATE] : 0;
    work.limits.struct_size = sizeof work.limits;
    work.limits.depth = numbers[DEPTH] == 0 ? 1 : numbers[DEPTH] > 0 ? (int)numbers[DEPTH] : 0;
    work.limits.nodes = numbers[NODES] == 0 ? 1 : numbers[NODES] > 0 ? (uint64_t)numbers[NODES] : 0;
    work.limits.seconds = work.ponder || work.infinite ? 0 : work.budget.hard;
    work.limits.moves = work.limits.move_count ? work.moves : NULL;
    work.limits.lines = uci->lines;
    work.limits.bounds = true;
    if (numbers[PERFT] >= 0) {
        work.kind = UCI_PERFT;
        work.limits.depth = numbers[PERFT] < 1              ? 1
                            : numbers[PERFT] < MP_MAX_DEPTH ? (int)numbers[PERFT]
                                                            : MP_MAX_DEPTH;
    } else if (numbers[MATE] < 0 && numbers[DEPTH] < 0 && numbers[NODES] < 0 && work.budget.hard <= 0) {
        work.infinite = true;
    }
    if (make_search(uci, &error))
        uci_begin(uci, &work);
    else
        uci_say(uci, "info string %s", error.text);
}

/* ---- The other commands ---------------------------------------------------------------------------- */

static void do_isready(struct uci *uci, char *rest)
{
    (void)rest;
    struct mp_error error = {0};
    if (!uci->working && !make_search(uci, &error))
        uci_say(uci, "info string %s", error.text);
    uci_say(uci, "readyok");
}

static void do_ucinewgame(struct uci *uci, char *rest)
{
    (void)rest;
    uci_end(uci);
    pace_new_game(&uci->delay);
    if (uci->search)
        mp_search_forget(uci->search);
}

static void do_stop(struct uci *uci, char *rest)
{
    (void)rest;
    uci_end(uci);
}

static void do_ponderhit(struct uci *uci, char *rest)
{
    (void)rest;
    uci_ponder_hit(uci);
}

static void do_debug(struct uci *uci, char *rest)
{
    char *word = next_word(&rest);
    uci->debug = word && !strcmp(word, "on");
}

/* register later: nothing to do. */
static void do_nothing(struct uci *uci, char *rest)
{
    (void)uci, (void)rest;
}

/* `bench DEPTH STRATEGY`, both of which may be left out. The number of nodes is the signature of the search,
 * so the options do not count: what is not said is the default of all of them. */
static void do_bench(struct uci *uci, char *rest)
{
    struct uci_work work = {.kind = UCI_BENCH, .limits = {MP_SIZE(struct mp_limits), .depth = BENCH_DEPTH}};
    char *depth = next_word(&rest), *strategy = next_word(&rest);
    uci_end(uci);
    struct mp_error error = {0};
    if (depth && !spin(uci, "bench", depth, 1, MP_MAX_DEPTH, &work.limits.depth))
        return;
    if (strategy && strlen(strategy) >= UCI_TEXT)
        mp_fail(&error, "bench: the strategy is too long, expected at most %d characters", UCI_TEXT - 1);
    else
        uci->bench_game = mp_game_open("chess", &error);
    if (uci->bench_game)
        uci->bench_search = new_search(uci->bench_game, strategy, DEFAULT_MEGABYTES,
                                       uci->bench_game->evaluations->name, 1, NULL, &error);
    if (uci->bench_search) {
        uci_begin(uci, &work);
        return;
    }
    uci_say(uci, "info string %s", error.text);
    uci_drop_bench(uci);
}

static void do_d(struct uci *uci, char *rest)
{
    (void)rest;
    const struct mp_game *game = uci->game;
    const void *state = mp_position_state(uci->position);
    char board[1024], fen[UCI_TEXT];
    game->draw(game, state, board, sizeof board);
    game->print_position(game, state, fen, sizeof fen);
    uci_say(uci, "%s\nFen: %s\nKey: %016llX", board, fen, (unsigned long long)game->key(game, state));
}

/* All evaluations of the position, for the side to move. */
static void do_eval(struct uci *uci, char *rest)
{
    (void)rest;
    const struct mp_game *game = uci->game;
    const void *state = mp_position_state(uci->position);
    for (const struct mp_evaluation *e = game->evaluations; e->name; e++)
        uci_say(uci, "%c %-10s %+6d  (%s)", strcmp(e->name, uci->evaluation) ? ' ' : '*', e->name,
                e->evaluate(game, e, state), e->summary);
    uci_say(uci, "for %s to move; * is what searches use", game->players[game->side(game, state)]);
}

static const struct {
    const char *name;
    void (*run)(struct uci *uci, char *rest);
} commands[] = {
    {"uci", do_uci},     {"isready", do_isready},     {"ucinewgame", do_ucinewgame},
    {"go", do_go},       {"position", do_position},   {"stop", do_stop},
    {"debug", do_debug}, {"ponderhit", do_ponderhit}, {"setoption", do_setoption},
    {"d", do_d},         {"register", do_nothing},    {"eval", do_eval},
    {"bench", do_bench},
};

bool uci_command(struct uci *uci, char *line)
{
    char *rest = line, *first = NULL, copy[48];
    for (char *word; (word = next_word(&rest));) {
        if (!strcmp(word, "quit"))
            return false;
        for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
            if (!strcmp(word, commands[i].name)) {
                commands[i].run(uci, rest);
                return true;
            }
        first = first ? first : word;
    }
    if (first)
        uci_say(uci, "info string unknown command '%s'", quoted(first, copy));
    return true;
}

/* ---- From beginning to end ------------------------------------------------------------------------- */

struct uci *uci_open(FILE *out, int most_megabytes, int most_threads)
{
    struct uci *uci = calloc(1, sizeof *uci);
    if (!uci)
        return NULL;
    uci->out = out;
    uci->most_megabytes = most_megabytes;
    uci->most_threads = most_threads;
    uci->megabytes = DEFAULT_MEGABYTES < most_megabytes ? DEFAULT_MEGABYTES : most_megabytes;
    uci->threads = uci->lines = 1;
    uci->overhead = DEFAULT_OVERHEAD;
    pthread_mutex_init(&uci->lock, NULL);
    pthread_cond_init(&uci->released, NULL);
    uci->game = mp_game_open("chess", NULL);
    uci->position = uci->game ? mp_position_new(uci->game, NULL, NULL) : NULL;
    if (!uci->position) {
        uci_close(uci);
        return NULL;
    }
    write_default(uci->game, uci->strategy);
    snprintf(uci->evaluation, sizeof uci->evaluation, "%s", uci->game->evaluations->name);
    return uci;
}

void uci_close(struct uci *uci)
{
    uci_end(uci);
    mp_search_free(uci->search);
    mp_position_free(uci->position);
    mp_game_close(uci->game);
    free(uci->placed);
    pthread_mutex_destroy(&uci->lock);
    pthread_cond_destroy(&uci->released);
    free(uci);
}

/* Lines from a file descriptor. A line that is too long is skipped to its end. */
struct reader {
    int input;
    char *buffer;
    size_t length, capacity;
    bool skipping;
};
enum { LONGEST_LINE = 1 << 20 };

/* The first whole line in the buffer is obeyed and taken out, and so on. False: `quit`. */
static bool obey_lines(struct uci *uci, struct reader *reader)
{
    char *line = reader->buffer, *end;
    bool going = true;
    while (going && (end = memchr(line, '\n', reader->length - (size_t)(line - reader->buffer)))) {
        *end = 0;
        if (!reader->skipping)
            going = uci_command(uci, line);
        reader->skipping = false;
        line = end + 1;
    }
    reader->length -= (size_t)(line - reader->buffer);
    memmove(reader->buffer, line, reader->length);
    if (reader->length == reader->capacity) {
        if (!reader->skipping)
            uci_say(uci, "info string a line of more than %d bytes is skipped", LONGEST_LINE);
        reader->skipping = true;
        reader->length = 0;
    }
    return going;
}

/* At the end of the input a search that ends by itself is waited for. */
static void finish(struct uci *uci)
{
    bool ends = uci->working && !uci->work.infinite && !uci->work.ponder;
    if (ends)
        uci_join(uci);
}

int uci_run(int input, FILE *out)
{
    long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    int64_t megabytes = (int64_t)pages * page / (1 << 20) * 3 / 4;
    struct uci *uci = uci_open(out, megabytes < 1 << 20 ? (int)megabytes : 1 << 20, MP_MAX_THREADS);
    struct reader reader = {.input = input, .buffer = malloc(LONGEST_LINE + 1), .capacity = LONGEST_LINE};
    if (!uci || !reader.buffer) {
        if (uci)
            uci_close(uci);
        free(reader.buffer);
        return 1;
    }
    for (bool going = true; going;) {
        struct pollfd ready = {.fd = input, .events = POLLIN};
        int count = poll(&ready, 1, uci_wait_ms(uci));
        uci_tick(uci);
        if (count == 0 || (count < 0 && errno == EINTR))
            continue;
        ssize_t got = read(input, reader.buffer + reader.length, reader.capacity - reader.length);
        if (got < 0 && (errno == EINTR || errno == EAGAIN))
            continue;
        if (got <= 0) {
            /* A last line without its end counts. */
            reader.buffer[reader.length] = 0;
            if (reader.length && !reader.skipping)
                going = uci_command(uci, reader.buffer);
            if (going)
                finish(uci);
            break;
        }
        reader.length += (size_t)got;
        going = obey_lines(uci, &reader);
    }
    free(reader.buffer);
    uci_close(uci);
    return 0;
}
