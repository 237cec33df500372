/* position.c - positions in text: GNU Backgammon's Position ID, alone, with a Match ID or with a roll
 * ("4HPwATDgc/ABMA", "4HPwATDgc/ABMA:cAkAAAAAAAAA", "4HPwATDgc/ABMA 31"), and eXtreme Gammon's XGID.
 *
 * Both IDs of GNU Backgammon are bits, the lowest first, in base64: the position 80 bits (for the opponent
 * and then the player on roll, for each point from 1 and the bar, as many ones as chequers and a zero), the
 * match 72 bits in fixed fields. */
#include "games/backgammon/backgammon.h"

#include "base/text.h"

#include <string.h>

enum { POSITION_CHARACTERS = 14, POSITION_BITS = 80, MATCH_CHARACTERS = 12, MATCH_BITS = 72 };

/* The phase while a text is being read, until something says which it is. */
enum { UNSAID = 0xff };

static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/* ---- Bits in base64 ------------------------------------------------------------------------------------ */

struct bits {
    uint8_t bytes[12];
};

/* Byte k of the text begins at its bit 8k, highest bit first; within a byte our bits count from the
 * lowest. */
static bool decode(const char *text, size_t characters, struct bits *bits)
{
    *bits = (struct bits){0};
    for (size_t i = 0; i < characters; i++) {
        const char *at = text[i] ? strchr(alphabet, text[i]) : NULL;
        if (!at)
            return false;
        unsigned six = (unsigned)(at - alphabet);
        for (unsigned j = 0; j < 6; j++)
            if (six >> (5 - j) & 1) {
                size_t place = i * 6 + j;
                bits->bytes[place / 8] |= (uint8_t)(0x80 >> place % 8);
            }
    }
    return true;
}

static void encode(const struct bits *bits, size_t characters, char *text)
{
    for (size_t i = 0; i < characters; i++) {
        unsigned six = 0;
        for (unsigned j = 0; j < 6; j++) {
            size_t place = i * 6 + j;
            six = six << 1 | ((unsigned)bits->bytes[place / 8] >> (7 - place % 8) & 1);
        }
        text[i] = alphabet[six];
    }
    text[characters] = 0;
}

static unsigned get(const struct bits *bits, unsigned first, unsigned count)
{
    unsigned value = 0;
    for (unsigned i = 0; i < count; i++)
        value |= ((unsigned)bits->bytes[(first + i) / 8] >> (first + i) % 8 & 1) << i;
    return value;
}

static void put(struct bits *bits, unsigned first, unsigned count, unsigned value)
{
    for (unsigned i = 0; i < count; i++)
        bits->bytes[(first + i) / 8] |= (uint8_t)((value >> i & 1u) << (first + i) % 8);
}

/* ---- What every position must obey ----------------------------------------------------------------- */

static bool check_board(struct backgammon *s, struct mp_error *error)
{
    uint8_t *men[2] = {s->own, s->opp};
    for (int i = 0; i < 2; i++) {
        int sum = 0;
        for (int p = 1; p <= BACKGAMMON_BAR; p++)
            sum += men[i][p];
        if (sum > BACKGAMMON_MEN)
            return mp_fail(error, "backgammon position: %d chequers of the %s, expected at most 15", sum,
                           i == 0 ? "player on roll" : "opponent");
        men[i][BACKGAMMON_OFF] = (uint8_t)(BACKGAMMON_MEN - sum);
    }
    for (int p = 1; p <= 24; p++)
        if (s->own[p] && s->opp[25 - p])
            return mp_fail(error,
                           "backgammon position: both sides have chequers on the %d point of the "
                           "player on roll, expected one side on each point",
                           p);
    if (s->own[BACKGAMMON_OFF] == BACKGAMMON_MEN && s->opp[BACKGAMMON_OFF] == BACKGAMMON_MEN)
        return mp_fail(error, "backgammon position: no chequers at all, expected some of one side");
    if (backgammon_is_over(s))
        s->die[0] = s->die[1] = 0;
    return true;
}

static bool set_dice(struct backgammon *s, unsigned a, unsigned b)
{
    s->die[0] = (uint8_t)(a > b ? a : b);
    s->die[1] = (uint8_t)(a > b ? b : a);
    return (a == 0 && b == 0) || (a >= 1 && a <= 6 && b >= 1 && b <= 6);
}

static bool check_match(const struct backgammon *s, struct mp_error *error)
{
    if (s->match_length > BACKGAMMON_LONGEST_MATCH)
        return mp_fail(error, "backgammon position: a match to %d, expected at most %d", s->match_length,
                       BACKGAMMON_LONGEST_MATCH);
    for (int i = 0; s->match_length && i < 2; i++)
        if (s->score[i] >= s->match_length)
            return mp_fail(error, "backgammon position: a score of %d in a match to %d, expected less",
                           s->score[i], s->match_length);
    if (s->crawford && !s->match_length)
        return mp_fail(error,
                       "backgammon position: a Crawford game without a match, expected a match length");
    if (s->cube_log > BACKGAMMON_CUBE_LOG_MAX)
        return mp_fail(error, "backgammon position: the cube shows 2^%d, expected at most %d", s->cube_log,
                       1 << BACKGAMMON_CUBE_LOG_MAX);
    return true;
}

bool backgammon_complete(struct backgammon *s, struct mp_error *error)
{
    return check_board(s, error) && check_match(s, error);
}

/* ---- GNU IDs --------------------------------------------------------------------------------------- */

static bool read_board(const struct bits *bits, struct backgammon *s, struct mp_error *error)
{
    uint8_t *men[2] = {s->opp, s->own};
    unsigned place = 0;
    for (int i = 0; i < 2; i++)
        for (int p = 1; p <= BACKGAMMON_BAR; p++) {
            for (; place < POSITION_BITS && get(bits, place, 1); place++)
                men[i][p]++;
            if (place++ >= POSITION_BITS)
                return mp_fail(error, "backgammon Position ID: more than 30 chequers, expected at most 15 of "
                                      "each side");
        }
    for (; place < POSITION_BITS; place++)
        if (get(bits, place, 1))
            return mp_fail(error,
                           "backgammon Position ID: chequers beyond the last point, expected 26 places "
                           "for each side");
    return true;
}

static bool read_match(const char *text, size_t length, struct backgammon *s, struct mp_error *error)
{
    struct bits bits;
    if (length != MATCH_CHARACTERS)
        return mp_fail(error, "backgammon Match ID '%.*s': %zu characters, expected 12", (int)length, text,
                       length);
    if (!decode(text, MATCH_CHARACTERS, &bits))
        return mp_fail(error, "backgammon Match ID '%.12s': expected letters, digits, + and /", text);
    s->cube_log = (uint8_t)get(&bits, 0, 4);
    s->cube_owner = (uint8_t)get(&bits, 4, 2);
    s->side = (uint8_t)get(&bits, 6, 1);
    s->crawford = (uint8_t)get(&bits, 7, 1);
    s->match_length = (uint16_t)get(&bits, 21, 15);
    s->score[0] = (uint16_t)get(&bits, 36, 15);
    s->score[1] = (uint16_t)get(&bits, 51, 15);
    s->jacoby = s->match_length == 0 && !get(&bits, 66, 1);
    if (s->cube_owner == 2)
        return mp_fail(error, "backgammon Match ID '%.12s': the cube has owner 2, expected 0, 1 or 3", text);
    if (get(&bits, 8, 3) > 2 || get(&bits, 13, 2) || (get(&bits, 11, 1) != s->side) != get(&bits, 12, 1))
        return mp_fail(
            error,
            "backgammon Match ID '%.12s': a resignation is to be answered or the turn is not clear, "
            "expected a position to throw, to move or to answer a double",
            text);
    if (get(&bits, 12, 1))
        s->phase = BACKGAMMON_ANSWERING;
    if (!set_dice(s, get(&bits, 15, 3), get(&bits, 18, 3)))
        return mp_fail(error, "backgammon Match ID '%.12s': the dice show %d and %d, expected 1 to 6", text,
                       s->die[0], s->die[1]);
    return true;
}

/* What stands after an ID: a roll, or where the cube has led to if the ID cannot say that. */
static const char *const phase_words[] = {
    [BACKGAMMON_PLAYING] = "rolling", [BACKGAMMON_NODDING] = "nodding", [BACKGAMMON_DROPPED] = "dropped"};

static bool read_rest(const char *text, struct backgammon *s, struct mp_error *error)
{
    text += strspn(text, " \t");
    if (!*text)
        return true;
    for (uint8_t phase = BACKGAMMON_PLAYING; phase <= BACKGAMMON_DROPPED; phase++)
        if (phase_words[phase] && !strcmp(text, phase_words[phase])) {
            if (s->die[0] || s->phase != UNSAID)
                return mp_fail(error,
                               "backgammon position: '%s' after an ID with dice or a double, expected one of "
                               "the two",
                               text);
            s->phase = phase;
            return true;
        }
    if (strlen(text) != 2 || text[0] < '1' || text[0] > '6' || text[1] < '1' || text[1] > '6')
        return mp_fail(error, "backgammon position: '%.20s' after the ID, expected a roll such as 31", text);
    if (s->die[0] || s->phase != UNSAID)
        return mp_fail(
            error,
            "backgammon position: the roll '%.20s' after an ID with dice or a double, expected one of "
            "the two",
            text);
    return set_dice(s, (unsigned)(text[0] - '0'), (unsigned)(text[1] - '0'));
}

static bool read_gnu(const char *text, struct backgammon *s, struct mp_error *error)
{
    size_t length = strcspn(text, ": \t");
    struct bits bits;
    if (length != POSITION_CHARACTERS)
        return mp_fail(error, "backgammon Position ID '%.40s': %zu characters, expected 14 (or XGID=...)",
                       text, length);
    if (!decode(text, POSITION_CHARACTERS, &bits) || get(&bits, POSITION_BITS, 8))
        return mp_fail(error, "backgammon Position ID '%.14s': expected letters, digits, + and /", text);
    if (!read_board(&bits, s, error))
        return false;
    text += length;
    if (*text == ':') {
        length = strcspn(++text, " \t");
        if (!read_match(text, length, s, error))
            return false;
        text += length;
    }
    return read_rest(text, s, error);
}

static void write_board(const struct backgammon *s, char *text)
{
    struct bits bits = {0};
    const uint8_t *men[2] = {s->opp, s->own};
    unsigned place = 0;
    for (int i = 0; i < 2; i++)
        for (int p = 1; p <= BACKGAMMON_BAR; p++, place++)
            for (int n = men[i][p]; n > 0; n--)
                put(&bits, place++, 1, 1);
    encode(&bits, POSITION_CHARACTERS, text);
}

static void write_match(const struct backgammon *s, char *text)
{
    struct bits bits = {0};
    bool doubled = s->phase == BACKGAMMON_ANSWERING;
    put(&bits, 0, 4, s->cube_log);
    put(&bits, 4, 2, s->cube_owner);
    put(&bits, 6, 1, s->side);
    put(&bits, 7, 1, s->crawford);
    put(&bits, 8, 3, backgammon_is_over(s) ? 2 : 1);
    put(&bits, 11, 1, s->side ^ doubled);
    put(&bits, 12, 1, doubled);
    put(&bits, 15, 3, s->die[0]);
    put(&bits, 18, 3, s->die[1]);
    put(&bits, 21, 15, s->match_length);
    put(&bits, 36, 15, s->score[0]);
    put(&bits, 51, 15, s->score[1]);
    put(&bits, 66, 1, !s->jacoby);
    encode(&bits, MATCH_CHARACTERS, text);
}

/* The Match ID is left out where it says nothing: White on roll, nothing scored, the cube where it was. */
static void write_gnu(const struct mp_game *game, const struct backgammon *s, char *text, size_t size)
{
    struct backgammon blank = backgammon_blank(game);
    char board[POSITION_CHARACTERS + 1], match[MATCH_CHARACTERS + 1];
    write_board(s, board);
    if (s->side || s->match_length != blank.match_length || s->jacoby != blank.jacoby || s->cube_log ||
        s->score[0] || s->score[1] || s->crawford || s->cube_owner != BACKGAMMON_NO_OWNER ||
        s->phase == BACKGAMMON_ANSWERING) {
        write_match(s, match);
        snprintf(text, size, "%s:%s", board, match);
    } else if (s->die[0]) {
        snprintf(text, size, "%s %d%d", board, s->die[0], s->die[1]);
    } else {
        snprintf(text, size, "%s", board);
    }
}

/* ---- XGID: the player at the bottom of the page is GNU Backgammon's player 1 ----------------------- */

static bool read_xg_board(const char *field, struct backgammon *s, struct mp_error *error)
{
    uint8_t *bottom = s->side == 1 ? s->own : s->opp, *top = s->side == 1 ? s->opp : s->own;
    if (strlen(field) != 26)
        return mp_fail(error, "XGID: the board has %zu characters, expected 26", strlen(field));
    for (int p = 0; p < 26; p++) {
        char c = field[p];
        if (c >= 'A' && c <= 'O' && p > 0)
            bottom[p] = (uint8_t)(c - 'A' + 1);
        else if (c >= 'a' && c <= 'o' && p < 25)
            top[25 - p] = (uint8_t)(c - 'a' + 1);
        else if (c != '-')
            return mp_fail(error, "XGID: place %d of the board holds '%c', expected -, A to O or a to o", p,
                           c >= ' ' && c <= '~' ? c : '?');
    }
    return true;
}

static bool read_xg_dice(const char *field, struct backgammon *s, struct mp_error *error)
{
    if (!strcmp(field, "D")) {
        s->phase = BACKGAMMON_ANSWERING;
        return true;
    }
    if (!strcmp(field, "B") || !strcmp(field, "R"))
        return mp_fail(error, "XGID: a beaver or a raccoon is to be answered (%s), expected neither", field);
    if (strlen(field) != 2 || field[0] < '0' || field[0] > '6' || field[1] < '0' || field[1] > '6' ||
        !set_dice(s, (unsigned)(field[0] - '0'), (unsigned)(field[1] - '0')))
        return mp_fail(error, "XGID: the dice are '%.10s', expected 00, a roll such as 31, or D", field);
    return true;
}

enum { XG_FIELDS = 10, XG_NUMBERS = 7 };

static bool read_xg(const char *text, struct backgammon *s, struct mp_error *error)
{
    static const struct {
        int field;
        int64_t minimum, maximum;
        const char *name;
    } numbers[XG_NUMBERS] = {{1, 0, 15, "cube"},           {2, -1, 1, "owner of the cube"},
                             {3, -1, 1, "turn"},           {5, 0, 32767, "score"},
                             {6, 0, 32767, "score"},       {7, 0, 3, "Crawford or Jacoby flag"},
                             {8, 0, 32767, "match length"}};
    char copy[128], *rest = copy, *fields[XG_FIELDS] = {0};
    int64_t number[XG_FIELDS];
    size_t length = strcspn(text, " \t");
    if (length >= sizeof copy)
        return mp_fail(error, "XGID: %zu characters, expected fewer than 128", length);
    memcpy(copy, text, length);
    copy[length] = 0;
    int count = 0;
    for (char *field; count < XG_FIELDS && (field = strsep(&rest, ":"));)
        fields[count++] = field;
    if (count < XG_FIELDS - 1 || rest)
        return mp_fail(error, "XGID: %s fields, expected 10 between colons", rest ? "too many" : "too few");
    for (int i = 0; i < XG_NUMBERS; i++) {
        int f = numbers[i].field;
        if (!text_to_int(fields[f], numbers[i].minimum, numbers[i].maximum, &number[f]))
            return mp_fail(error, "XGID: the %s is '%.20s', expected a number from %d to %d", numbers[i].name,
                           fields[f], (int)numbers[i].minimum, (int)numbers[i].maximum);
    }
    s->cube_log = (uint8_t)number[1];
    s->cube_owner = number[2] == 0 ? BACKGAMMON_NO_OWNER : number[2] > 0;
    s->side = number[3] > 0;
    s->score[1] = (uint16_t)number[5];
    s->score[0] = (uint16_t)number[6];
    s->match_length = (uint16_t)number[8];
    s->crawford = s->match_length && number[7] & 1;
    s->jacoby = !s->match_length && number[7] & 1;
    return read_xg_board(fields[0], s, error) && read_xg_dice(fields[4], s, error) &&
           read_rest(text + length, s, error);
}

static void write_xg(const struct backgammon *s, char *text, size_t size)
{
    const uint8_t *bottom = s->side == 1 ? s->own : s->opp, *top = s->side == 1 ? s->opp : s->own;
    char board[27] = "", dice[3] = "D";
    for (int p = 0; p < 26; p++)
        board[p] = p > 0 && bottom[p]      ? (char)('A' + bottom[p] - 1)
                   : p < 25 && top[25 - p] ? (char)('a' + top[25 - p] - 1)
                                           : '-';
    if (s->phase != BACKGAMMON_ANSWERING) {
        dice[0] = (char)('0' + s->die[0]);
        dice[1] = (char)('0' + s->die[1]);
    }
    snprintf(text, size, "XGID=%s:%d:%d:%d:%s:%d:%d:%d:%d:%d", board, s->cube_log,
             s->cube_owner == BACKGAMMON_NO_OWNER ? 0
             : s->cube_owner                      ? 1
                                                  : -1,
             s->side ? 1 : -1, dice, s->score[1], s->score[0], s->crawford || s->jacoby, s->match_length,
             BACKGAMMON_CUBE_LOG_MAX);
}

/* ---- Both ------------------------------------------------------------------------------------------ */

/* The IDs tell who is on roll and whether he has doubled; what else has been said stands behind them. */
int backgammon_print_position(const struct mp_game *game, const void *state, char *text, size_t size)
{
    struct backgammon s = *(const struct backgammon *)state;
    char id[128];
    if (s.phase == BACKGAMMON_NODDING || s.phase == BACKGAMMON_ANSWERING)
        backgammon_turn(&s);
    if (game->option[BACKGAMMON_OPTION_IDS])
        write_xg(&s, id, sizeof id);
    else
        write_gnu(game, &s, id, sizeof id);
    const char *word = phase_words[s.phase];
    bool is_said = s.phase == BACKGAMMON_PLAYING ? !s.die[0] && backgammon_may_double(&s) : word != NULL;
    return snprintf(text, size, is_said ? "%s %s" : "%s", id, word);
}

/* Settles the phase of a position that has been read with the player on roll to move. */
static bool settle_phase(struct backgammon *s, struct mp_error *error)
{
    int phase = s->phase;
    s->phase = BACKGAMMON_PLAYING;
    bool may_double = !s->die[0] && backgammon_may_double(s);
    if (phase == UNSAID) {
        s->phase = may_double ? BACKGAMMON_CHOOSING : BACKGAMMON_PLAYING;
        return true;
    }
    if (phase != BACKGAMMON_PLAYING && !s->cube_in_use)
        return mp_fail(error,
                       "backgammon position: something is to be answered about the cube, which is not in "
                       "use; expected backgammon:cube=on");
    if (phase != BACKGAMMON_PLAYING && !may_double)
        return mp_fail(error,
                       "backgammon position: something is to be answered about the cube where nobody may "
                       "double, expected the dice to be thrown");
    s->phase = (uint8_t)phase;
    if (phase == BACKGAMMON_NODDING || phase == BACKGAMMON_ANSWERING)
        backgammon_turn(s);
    return true;
}

bool backgammon_parse_position(const struct mp_game *game, const char *text, void *state,
                               struct mp_error *error)
{
    struct backgammon s = backgammon_blank(game);
    s.phase = UNSAID;
    bool is_xg = !strncmp(text, "XGID=", 5);
    if (!(is_xg ? read_xg(text + 5, &s, error) : read_gnu(text, &s, error)) ||
        !backgammon_complete(&s, error) || !settle_phase(&s, error))
        return false;
    *(struct backgammon *)state = s;
    return true;
}
