/* gnubg.c - GNU Backgammon's external player (`set player 0 external 127.0.0.1:4569`).
 *
 * A request is `board:`, two names, fifty numbers, a line feed and a zero byte; an answer is a line: steps
 * such as `8/5 6/5` counted from the mover's side, an empty line when nothing can be moved, `roll`, `double`,
 * `take` or `drop`. gnubg takes an answer that it does not understand for a pass, without a word. So each
 * request is compared with what our last answer must have led to, and a difference is logged.
 *
 * One thread serves all clients: each decision is made in full before the next line is looked at, so the
 * clients share nothing but the search. */
#include "protocols/gnubg.h"

#include "base/text.h"

#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* ---- The request ----------------------------------------------------------------------------------- */

enum {
    NUMBERS = 50,
    MATCH_LENGTH = 0,
    SCORES = 1, /* of gnubg's players 0 and 1 */
    BOARD = 3,  /* 26 places; above 0: chequers of player 1, who moves down, below 0: of player 0 */
    TURN = 29,  /* 1: player 1 */
    DICE = 30,
    CUBE = 34,
    MAY_DOUBLE = 35,
    WAS_DOUBLED = 37,
    NOT_CRAWFORD = 49,
    UNLIMITED = 9999, /* a match length that means money too */
};

static bool read_numbers(const char *line, int numbers[NUMBERS], struct mp_error *error)
{
    if (strncmp(line, "board:", 6) != 0)
        return mp_fail(error, "'%.40s' is not a request, expected board: with names and numbers", line);
    const char *at = line + 6;
    for (int name = 0; name < 2; name++) {
        at += strcspn(at, ":");
        if (!*at++)
            return mp_fail(error, "the line ends inside the names, expected two names and %d numbers",
                           NUMBERS);
    }
    for (int i = 0; i < NUMBERS; i++) {
        char field[16];
        int64_t number;
        size_t length = strcspn(at, ":");
        snprintf(field, sizeof field, "%.*s", length < sizeof field ? (int)length : (int)sizeof field - 1,
                 at);
        if (length >= sizeof field || !text_to_int(field, -32767, 32767, &number))
            return mp_fail(error, "number %d of the board is '%.15s', expected a whole number", i + 1, field);
        numbers[i] = (int)number;
        at += length;
        if (*at == ':' ? i == NUMBERS - 1 : i < NUMBERS - 1)
            return mp_fail(error, "%s than %d numbers in the board, expected exactly that many",
                           *at ? "more" : "fewer", NUMBERS);
        at += *at == ':';
    }
    return true;
}

static bool read_places(const int *board, struct backgammon *s, struct mp_error *error)
{
    uint8_t *down = s->side ? s->own : s->opp, *up = s->side ? s->opp : s->own;
    for (int p = 0; p < 26; p++) {
        int men = board[p];
        if (abs(men) > BACKGAMMON_MEN || (p == 0 && men > 0) || (p == 25 && men < 0))
            return mp_fail(error, "place %d of the board holds %d chequers, expected at most 15 of one side",
                           p, men);
        if (men > 0)
            down[p] = (uint8_t)men;
        else if (men < 0)
            up[25 - p] = (uint8_t)-men;
    }
    return true;
}

static bool read_dice(const int dice[2], struct backgammon *s, struct mp_error *error)
{
    for (int i = 0; i < 2; i++)
        if (dice[i] < 0 || dice[i] > 6 || (dice[0] == 0) != (dice[1] == 0))
            return mp_fail(error, "the dice are %d and %d, expected 1 to 6, or 0 and 0", dice[0], dice[1]);
    s->die[0] = (uint8_t)(dice[0] > dice[1] ? dice[0] : dice[1]);
    s->die[1] = (uint8_t)(dice[0] > dice[1] ? dice[1] : dice[0]);
    return true;
}

static bool read_cube(const int *n, struct backgammon *s, struct mp_error *error)
{
    int cube = n[CUBE];
    while (s->cube_log < 15 && 1 << s->cube_log < cube)
        s->cube_log++;
    if (cube < 1 || 1 << s->cube_log != cube)
        return mp_fail(error, "the cube shows %d, expected a power of two", cube);
    bool may[2] = {n[MAY_DOUBLE] != 0, n[MAY_DOUBLE + 1] != 0};
    if (cube > 1 && may[0] != may[1])
        s->cube_owner = may[0] ? s->side : !s->side;
    return true;
}

bool gnubg_read_board(const char *line, struct gnubg_request *request, struct mp_error *error)
{
    int n[NUMBERS];
    struct backgammon s = {.cube_owner = BACKGAMMON_NO_OWNER};
    if (!read_numbers(line, n, error))
        return false;
    if (n[TURN] != 1 && n[TURN] != -1)
        return mp_fail(error, "the turn is %d, expected 1 or -1", n[TURN]);
    s.side = n[TURN] == 1;
    if (n[MATCH_LENGTH] < 0 || n[SCORES] < 0 || n[SCORES + 1] < 0)
        return mp_fail(error, "a match length or score below 0, expected none");
    if (n[MATCH_LENGTH] != UNLIMITED && n[MATCH_LENGTH] != 0) {
        s.match_length = (uint16_t)n[MATCH_LENGTH];
        s.crawford = n[NOT_CRAWFORD] == 0;
        for (int i = 0; i < 2; i++)
            s.score[i] = (uint16_t)n[SCORES + i];
    }
    if (!read_places(n + BOARD, &s, error) || !read_dice(n + DICE, &s, error) || !read_cube(n, &s, error) ||
        !backgammon_complete(&s, error))
        return false;
    if (backgammon_is_over(&s))
        return mp_fail(error, "the game on the board is over, expected one that goes on");
    request->state = s;
    request->may_double = n[MAY_DOUBLE] != 0;
    request->decision = n[WAS_DOUBLED] ? GNUBG_ANSWER_DOUBLE : s.die[0] ? GNUBG_PLAY : GNUBG_ROLL;
    return true;
}

/* ---- What became of our last play ------------------------------------------------------------------ */

struct memory {
    bool has_play;
    uint8_t before[32], after[32]; /* our chequers, before the play and after it */
    int side;
};

/* Are these the chequers `men`, but for blots that have been hit? */
static bool follows(const uint8_t men[32], const uint8_t now[32])
{
    int hit = 0;
    for (int p = 1; p <= 24; p++)
        if (men[p] != now[p]) {
            if (men[p] != 1 || now[p] != 0)
                return false;
            hit++;
        }
    return men[BACKGAMMON_BAR] + hit == now[BACKGAMMON_BAR] && men[BACKGAMMON_OFF] == now[BACKGAMMON_OFF];
}

/* Does the board show that our last answer was not played? A board that fits neither is a new game. */
static bool was_ignored(const struct memory *memory, const struct backgammon *s)
{
    const uint8_t *now = s->side == memory->side ? s->own : s->opp;
    return memory->has_play && !follows(memory->after, now) && follows(memory->before, now);
}

/* ---- The answer ------------------------------------------------------------------------------------ */

struct engine {
    struct backgammon_engine players;
    FILE *log;
};

enum { ANSWER = 600 };

static bool answer_play(struct engine *engine, const struct backgammon *s, struct memory *memory,
                        char answer[ANSWER], struct mp_error *error)
{
    mp_move move;
    struct backgammon next;
    if (!backgammon_engine_decide(&engine->players, s, NULL, &move, error))
        return false;
    backgammon_play(engine->players.game[0], s, move, &next);
    memory->has_play = true;
    memory->side = s->side;
    memcpy(memory->before, s->own, sizeof memory->before);
    memcpy(memory->after, next.opp, sizeof memory->after);
    backgammon_engine_steps(s, move, answer, ANSWER);
    return true;
}

/* To roll or double, to take or drop. */
static bool answer_cube(struct engine *engine, const struct gnubg_request *request, char answer[ANSWER],
                        struct mp_error *error)
{
    bool answers = request->decision == GNUBG_ANSWER_DOUBLE, may_double = false;
    struct cube_judgement cube = {0};
    if (request->may_double &&
        !backgammon_engine_cube(&engine->players, &request->state, 0, &may_double, &cube, error))
        return false;
    /* Where nobody may double, the double is a beaver of ours or a raccoon: it stays. A beaver that gnubg does not allow
     * would be no answer at all, and the board does not tell, so we take. */
    const char *word = answers        ? !may_double || cube.takes ? "take" : "drop"
                       : cube.doubles ? "double"
                                      : "roll";
    snprintf(answer, ANSWER, "%s", word);
    return true;
}

/* ---- Clients --------------------------------------------------------------------------------------- */

enum { MOST_CLIENTS = 16, LINE = 1024 };

struct client {
    int number, socket; /* a socket of -1: the place is free */
    char line[LINE];
    size_t length;
    bool too_long; /* the line under way has lost its end */
    unsigned long long plays, ignored, refused;
    struct memory memory;
};

static void leave(struct engine *engine, struct client *client)
{
    fprintf(engine->log,
            "client %d left after %llu plays, %llu of them not played by gnubg, %llu bad lines\n",
            client->number, client->plays, client->ignored, client->refused);
    fflush(engine->log);
    close(client->socket);
    client->socket = -1;
}

static bool send_line(const struct client *client, const char *text)
{
    char line[ANSWER + 1];
    size_t length = (size_t)snprintf(line, sizeof line, "%s\n", text);
    for (size_t sent = 0; sent < length;) {
        ssize_t n = send(client->socket, line + sent, length - sent, MSG_NOSIGNAL);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        sent += (size_t)n;
    }
    return true;
}

static void check_last_play(struct engine *engine, struct client *client, const struct gnubg_request *request)
{
    if (was_ignored(&client->memory, &request->state)) {
        client->ignored++;
        fprintf(engine->log, "client %d: gnubg did not play the last answer but passed\n", client->number);
        fflush(engine->log);
    }
    client->memory.has_play = false;
}

static bool answer_line(struct engine *engine, struct client *client, char answer[ANSWER],
                        struct mp_error *error)
{
    struct gnubg_request request;
    if (client->too_long)
        return mp_fail(error, "a line of more than %d characters, expected a board", LINE - 1);
    if (!gnubg_read_board(client->line, &request, error))
        return false;
    check_last_play(engine, client, &request);
    if (request.decision == GNUBG_PLAY) {
        client->plays++;
        return answer_play(engine, &request.state, &client->memory, answer, error);
    }
    return answer_cube(engine, &request, answer, error);
}

/* A whole line has come in. */
static bool serve_line(struct engine *engine, struct client *client)
{
    char answer[ANSWER];
    struct mp_error error;
    client->line[client->length] = 0;
    if (client->length && client->line[client->length - 1] == '\r')
        client->line[client->length - 1] = 0;
    if (!answer_line(engine, client, answer, &error)) {
        client->refused++;
        for (char *c = error.text; *c; c++) /* the sentence quotes what came */
            if (*c < ' ' || *c > '~')
                *c = '?';
        fprintf(engine->log, "client %d: %s\n", client->number, error.text);
        fflush(engine->log);
        snprintf(answer, sizeof answer, "Error: %s", error.text);
    }
    client->length = 0;
    client->too_long = false;
    return send_line(client, answer);
}

/* Takes in bytes, of which zeros are the ends of gnubg's strings. False: the client is gone. */
static bool serve_bytes(struct engine *engine, struct client *client)
{
    char bytes[4096];
    ssize_t n = recv(client->socket, bytes, sizeof bytes, 0);
    if (n < 0 && errno == EINTR)
        return true;
    for (ssize_t i = 0; i < n; i++) {
        if (bytes[i] == '\n') {
            if (!serve_line(engine, client))
                return false;
        } else if (bytes[i] && client->length < LINE - 1) {
            client->line[client->length++] = bytes[i];
        } else if (bytes[i]) {
            client->too_long = true;
        }
    }
    return n > 0;
}

static void welcome(struct engine *engine, struct client clients[MOST_CLIENTS], int listener, int *number)
{
    int socket = accept(listener, NULL, NULL);
    if (socket < 0)
        return;
    for (int i = 0; i < MOST_CLIENTS; i++)
        if (clients[i].socket < 0) {
            clients[i] = (struct client){.number = ++*number, .socket = socket};
            fprintf(engine->log, "client %d came\n", *number);
            fflush(engine->log);
            return;
        }
    close(socket);
}

static void serve_clients(struct engine *engine, int listener)
{
    static const short came = POLLIN | POLLHUP | POLLERR;
    struct client clients[MOST_CLIENTS];
    int number = 0;
    for (int i = 0; i < MOST_CLIENTS; i++)
        clients[i].socket = -1;
    for (;;) {
        struct pollfd waiting[MOST_CLIENTS + 1] = {{.fd = listener, .events = POLLIN}};
        for (int i = 0; i < MOST_CLIENTS; i++)
            waiting[i + 1] = (struct pollfd){.fd = clients[i].socket, .events = POLLIN};
        if (poll(waiting, MOST_CLIENTS + 1, -1) < 0)
            continue;
        for (int i = 0; i < MOST_CLIENTS; i++)
            if (clients[i].socket >= 0 && waiting[i + 1].revents & came && !serve_bytes(engine, &clients[i]))
                leave(engine, &clients[i]);
        if (waiting[0].revents & POLLIN)
            welcome(engine, clients, listener, &number);
    }
}

static int open_port(const struct gnubg_server *server, int *port, struct mp_error *error)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)server->port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &(int){1}, sizeof(int));
    if (listener < 0 || bind(listener, (struct sockaddr *)&address, size) != 0 || listen(listener, 8) != 0 ||
        getsockname(listener, (struct sockaddr *)&address, &size) != 0) {
        mp_fail(error, "port %d of 127.0.0.1 cannot be opened: %s", server->port, strerror(errno));
        if (listener >= 0)
            close(listener);
        return -1;
    }
    *port = ntohs(address.sin_port);
    return listener;
}

bool gnubg_serve(const struct gnubg_server *server, struct mp_error *error)
{
    int port;
    struct engine engine = {.log = server->log};
    bool ok = backgammon_engine_open(&engine.players, server->strategy, server->keeper, error);
    int listener = ok ? open_port(server, &port, error) : -1;
    if (listener >= 0) {
        fprintf(server->announce, "listening on 127.0.0.1:%d\n", port);
        fflush(server->announce);
        serve_clients(&engine, listener);
    }
    backgammon_engine_close(&engine.players);
    return false;
}
