/* gnubg_socket.c - fuzzes the server for GNU Backgammon: a client that sends any bytes and hangs up gets a line for each of
 * its own. Its answers are not those of other clients. */
#include "tests/fuzz/fuzz.h"

#include "protocols/gnubg.h"

#include <arpa/inet.h>
#include <errno.h>
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

static int pipe_ends[2];

static void *serve(void *context)
{
    (void)context;
    struct mp_error error;
    struct gnubg_server server = {.strategy = "star1,depth=1,eval=pips"};
    server.announce = fdopen(pipe_ends[1], "w");
    server.log = fopen("/dev/null", "w");
    gnubg_serve(&server, &error);
    fprintf(stderr, "%s\n", error.text);
    abort();
}

/* The port of the server, which the first call starts. */
static int port_of_server(void)
{
    static int port;
    pthread_t thread;
    char line[64] = "";
    if (!port) {
        require(pipe(pipe_ends) == 0 && pthread_create(&thread, NULL, serve, NULL) == 0, "a server");
        require(read(pipe_ends[0], line, sizeof line - 1) > 0, "the server tells its port");
        require(sscanf(line, "listening on 127.0.0.1:%d", &port) == 1, line);
    }
    return port;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port_of_server())};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int client = socket(AF_INET, SOCK_STREAM, 0), lines = 0, answers = 0;
    require(connect(client, (struct sockaddr *)&address, sizeof address) == 0, "the server is there");
    /* Else ports would be used up: closed connections keep theirs for a minute. */
    setsockopt(client, SOL_SOCKET, SO_LINGER, &(struct linger){1, 0}, sizeof(struct linger));
    for (size_t i = 0; i < size; i++)
        lines += data[i] == '\n';
    require(size == 0 || send(client, data, size, 0) == (ssize_t)size, "the server listens");
    shutdown(client, SHUT_WR);
    char bytes[4096];
    ssize_t n;
    while ((n = recv(client, bytes, sizeof bytes, 0)) > 0 || (n < 0 && errno == EINTR)) /* the fuzzer has an alarm */
        for (ssize_t i = 0; i < n; i++)
            answers += bytes[i] == '\n';
    close(client);
    require(answers == lines, "each line is answered by one");
    return 0;
}
