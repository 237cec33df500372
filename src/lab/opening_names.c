/* opening_names.c - what players call openings: those of Othello that are called the same everywhere. */
#include "lab/opening_names.h"

#include "search/book.h"

#include <string.h>

static const struct {
    const char *game, *name, *moves;
} openings[] = {
    {"othello", "Diagonal", "c4 c3"},
    {"othello", "Parallel", "c4 c5"},
    {"othello", "Perpendicular", "c4 e3"},
    {"othello", "Snake", "c4 c3 d3 c5 b3"},
    {"othello", "Heath", "c4 c3 d3 c5 b4"},
    {"othello", "Heath-Chimney", "c4 c3 d3 c5 b4 e3"},
    {"othello", "Heath-Bat", "c4 c3 d3 c5 b4 d2 d6"},
    {"othello", "Raccoon Dog", "c4 c3 d3 c5 b5"},
    {"othello", "Cow", "c4 c3 d3 c5 d6"},
    {"othello", "Chimney", "c4 c3 d3 c5 d6 e3"},
    {"othello", "Rose-v-Toth", "c4 c3 d3 c5 d6 f4 f5"},
    {"othello", "Buffalo", "c4 c3 d3 c5 f6"},
    {"othello", "Wing", "c4 c3 e6 c5"},
    {"othello", "Mimura", "c4 e3 f4 c5 d6 e6"},
    {"othello", "Shaman", "c4 e3 f4 c5 d6 f3 c6"},
    {"othello", "Inoue", "c4 e3 f4 c5 d6 f3 d3"},
    {"othello", "Bhagat", "c4 e3 f4 c5 d6 f3 e2"},
    {"othello", "Rose", "c4 e3 f4 c5 d6 f3 e6 c3 d3 e2"},
    {"othello", "Flat", "c4 e3 f4 c5 d6 f3 e6 c3 d3 e2 b5"},
    {"othello", "Horse", "c4 e3 f4 c5 e6"},
    {"othello", "Ganglion", "c4 e3 f5 b4"},
    {"othello", "Italian", "c4 e3 f5 e6 d3"},
    {"othello", "Cat", "c4 e3 f5 e6 f4"},
    {"othello", "Bent Ganglion", "c4 e3 f6 b4"},
    {"othello", "Tiger", "c4 e3 f6 e6 f5"},
    {"othello", "Stephenson", "c4 e3 f6 e6 f5 c5 c3"},
};

/* Plays the move that a text begins with; null: there is no such move. No memory is asked for, so that a name never depends
 * on what there is. */
static const char *play_word(const struct mp_game *game, const char *text, struct book_room *room)
{
    enum { MOST_MOVES = 256, MOST_WORD = 16 };
    mp_move moves[MOST_MOVES];
    char word[MOST_WORD];
    size_t length = strcspn(text, " ");
    int count = game->list(game, room->state, moves, MOST_MOVES);
    for (int i = 0; i < count && i < MOST_MOVES; i++) {
        int printed = game->print_move(game, room->state, moves[i], word, sizeof word);
        if (printed != (int)length || strncmp(word, text, length) != 0)
            continue;
        struct book_room before;
        memcpy(before.state, room->state, game->state_size);
        game->play(game, before.state, moves[i], room->state);
        return text + length + strspn(text + length, " ");
    }
    return NULL;
}

const char *opening_name(const struct mp_game *game, const void *state)
{
    uint64_t key = book_key(game, state);
    for (size_t i = 0; i < sizeof openings / sizeof *openings; i++) {
        if (strcmp(openings[i].game, game->name) != 0)
            continue;
        struct book_room room;
        const char *rest = openings[i].moves;
        game->initial(game, room.state);
        while (rest && *rest)
            rest = play_word(game, rest, &room);
        if (rest && book_key(game, room.state) == key)
            return openings[i].name;
    }
    return NULL;
}

bool opening_at(const struct mp_game *game, int number, const char **name, const char **moves)
{
    for (size_t i = 0; i < sizeof openings / sizeof *openings; i++)
        if (!strcmp(openings[i].game, game->name) && number-- == 0) {
            *name = openings[i].name;
            *moves = openings[i].moves;
            return true;
        }
    return false;
}
