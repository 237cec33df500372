/* cmd_convert.c - games and positions from one kind of file to another. */
#include "cli/commands.h"

#include "base/text.h"
#include "records/formats.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct conversion {
    const struct mp_game *game;
    const struct record_format *from, *to;
    bool each;
    FILE *output;
    int read, written;
};

/* The format that an option names, or the ending of a file; null: error printed. */
static const struct record_format *find_format(const struct cli *cli, const char *option, const char *path)
{
    const char *name = cli_option(cli, option);
    const struct record_format *format = name   ? record_format(name)
                                         : path ? record_format_of_file(path)
                                                : NULL;
    char known[256] = "";
    for (const struct record_format *f = record_formats; f->name; f++)
        text_append(known, sizeof known, "%s%s", f == record_formats ? "" : ", ", f->name);
    if (!format && name)
        cli_fail(cli, "--%s %.60s, expected one of %s", option, name, known);
    else if (!format)
        cli_fail(cli, "the file name does not tell the format, expected --%s with one of %s", option, known);
    else if (format->game && strcmp(format->game, cli->game->name) != 0) {
        cli_fail(cli, "%s is for %s, not for %s", format->name, format->game, cli->game->name);
        return NULL;
    }
    return format;
}

static bool write_record(struct conversion *c, const struct record *record, struct mp_error *error)
{
    c->written++;
    return c->to->write(record, c->output) || mp_fail(error, "the output could not be written");
}

/* Every position of a game as a record of its own. */
static bool write_each(struct conversion *c, const struct record *record, struct mp_error *error)
{
    size_t count;
    const mp_move *moves = mp_position_played(record->position, &count);
    struct mp_position *position = mp_position_new(c->game, record->start, error);
    bool ok = position;
    for (size_t i = 0; ok && i <= count; i++) {
        char text[CLI_TEXT];
        c->game->print_position(c->game, mp_position_state(position), text, sizeof text);
        struct record *one = record_new(c->game, text, error);
        ok = one && write_record(c, one, error) &&
             (i == count || mp_position_play(position, moves[i], error));
        record_free(one);
    }
    mp_position_free(position);
    return ok;
}

static bool convert(struct conversion *c, FILE *input, struct mp_error *error)
{
    struct record_reader reader = record_reader(c->game, input);
    struct record *record;
    bool ok = true;
    while (ok && (record = record_read(c->from, &reader, error))) {
        c->read++;
        ok = c->each && c->to->positions ? write_each(c, record, error) : write_record(c, record, error);
        record_free(record);
    }
    return ok && !*error->text;
}

/* The output is written beside its place first, so that an error leaves nothing half-done. */
static int convert_files(const struct cli *cli, struct conversion *c, FILE *input, const char *path)
{
    struct mp_error error = {0};
    char part[4096], *text = NULL;
    size_t size = 0;
    snprintf(part, sizeof part, "%s.part", path ? path : "");
    c->output = path ? fopen(part, "w") : open_memstream(&text, &size);
    if (!c->output)
        return cli_fail(cli, "%.200s cannot be written: %s", path ? path : "the output", strerror(errno));
    bool ok = convert(c, input, &error);
    if (fclose(c->output) != 0 && ok)
        ok = mp_fail(&error, "the output could not be written");
    if (!path && ok && !text) /* closing does not fail where there is no memory for all of it */
        ok = mp_fail(&error, "out of memory for the output");
    if (path && ok && rename(part, path) != 0)
        ok = mp_fail(&error, "%.200s could not be written: %s", path, strerror(errno));
    if (path && !ok)
        remove(part);
    if (!path && ok)
        fwrite(text, 1, size, stdout);
    free(text);
    if (!ok)
        return cli_fail(cli, "%.200s: %s", cli->arguments[1], error.text);
    if (path)
        printf("%d read, %d written\n", c->read, c->written);
    return 0;
}

static int run(const struct cli *cli)
{
    const char *path = cli->arguments[1], *output = cli_option(cli, "output");
    struct conversion c = {.game = cli->game, .each = cli_option(cli, "each") != NULL};
    if (!(c.from = find_format(cli, "from", path)) || !(c.to = find_format(cli, "to", output)))
        return EXIT_USAGE;
    bool standard = !strcmp(path, "-");
    FILE *input = standard ? stdin : fopen(path, "r");
    int code = input ? convert_files(cli, &c, input, output)
                     : cli_fail(cli, "%.200s cannot be read: %s", path, strerror(errno));
    if (input && !standard)
        fclose(input);
    return code;
}

static const struct cli_argument arguments[] = {
    CLI_GAME, {"FILE", "the file to read, - for standard input", false}, {0}};
static const struct cli_option options[] = {
    {"from", "FORMAT", "the format of FILE; the default follows from its name"},
    {"to", "FORMAT", "the format to write; the default follows from the name of the output"},
    {"output", "FILE", "where to write; the default is standard output"},
    {"each", NULL, "to fen or epd: every position of a game, not only its last"},
    {0}};

const struct cli_command command_convert = {
    .name = "convert",
    .summary = "turn files of games and positions into other formats",
    .details =
        "  manyply convert chess games.pgn --to moves\n"
        "  manyply convert chess games.pgn --output positions.epd --each\n"
        "  manyply convert othello transcripts.txt --to pgn\n"
        "  manyply convert othello games.ggf --to transcript\n\n"
        "Formats: pgn (games with tags, comments, marks and variations), moves (one game per line, .txt),\n"
        "fen (one position per line), epd (positions with operations), transcript (moves without blanks and\n"
        "passes, such as f5d6c3), ggf (games of Othello with names, times and values), mat (matches of\n"
        "backgammon; with doubles backgammon:cube=on). Reading is strict: the first error ends it, names "
        "the\n"
        "line, and leaves no output.\n",
    .arguments = arguments,
    .options = options,
    .needs = CLI_NEEDS_GAME,
    .text_only = true,
    .run = run};
