/* gnubg.h - GNU Backgammon's external player: gnubg connects to us, sends a line for each decision of the
 * player that we are, and reads a line with the answer. */
#ifndef PROTOCOLS_GNUBG_H
#define PROTOCOLS_GNUBG_H

#include "protocols/backgammon_engine.h"

#include <stdio.h>

/* What one line asks. */
enum gnubg_decision { GNUBG_PLAY, GNUBG_ROLL, GNUBG_ANSWER_DOUBLE };

struct gnubg_request {
    enum gnubg_decision decision;
    struct backgammon state; /* to move with dice, to throw, or the doubler to throw */
    bool may_double;         /* who is on roll */
};

/* Reads `board:...` without its line end. */
bool gnubg_read_board(const char *line, struct gnubg_request *request, struct mp_error *error);

struct gnubg_server {
    int port;                                     /* on 127.0.0.1; 0: any that is free */
    const char *strategy;                         /* how moves are found */
    FILE *announce;                               /* gets a line with the port once the server listens */
    FILE *log;                                    /* who came and went, and what went wrong */
    const struct backgammon_table_keeper *keeper; /* may be null */
};

/* Serves any number of clients, one after another or at once, until the process is ended; returns false when
 * it cannot begin. Nothing that a client sends or does ends it. */
bool gnubg_serve(const struct gnubg_server *server, struct mp_error *error);

#endif
