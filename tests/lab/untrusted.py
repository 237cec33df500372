#!/usr/bin/env python3
"""untrusted.py PROGRAM PLUGIN - results files that somebody else has written: each is refused with a sentence that names
the file and what was expected, and none of them crashes the program, runs a plug-in or is changed."""
import os
import shutil
import sqlite3
import struct
import subprocess
import sys
import tempfile

PROGRAM, PLUGIN = map(os.path.realpath, sys.argv[1:3])
PLAYERS = ["--player", "pvs,depth=1", "--player", "alphabeta,depth=1", "--random-plies", "4"]
faults = []


def note(fault):
    faults.append(fault)
    print(fault, flush=True)


def run(*words):
    try:
        return subprocess.run([PROGRAM, *words], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              errors="replace", timeout=300)
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(words, 124, "", "it does not end")


def expect(what, wanted, *words):
    """The command fails with one sentence that has these words in it."""
    done = run(*words)
    said = done.stderr.strip()
    if done.returncode != 2 or "\n" in said or not all(text in said for text in wanted):
        note("%s: `%s` gives %d and says '%s', expected %s" % (what, " ".join(words), done.returncode, said, wanted))


def changed(name, *statements):
    """A copy of the arena after these statements."""
    shutil.copy("good.db", name)
    database = sqlite3.connect(name)
    for statement in statements:
        database.execute(statement)
    database.commit()
    database.close()
    return name


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    done = run("arena", "othello", *PLAYERS, "--games", "20", "--db", "good.db")
    assert done.returncode == 0, done.stderr
    assert run("results", "--db", "good.db").returncode == 0

    # Values that no arena writes. What is said names the table, the column, the value and what was expected.
    for number in (-2, 3074457345618258602, 9223372036854775807):
        file = changed("number.db", "UPDATE games SET number = %d WHERE number = 3" % number)
        for words in (["results"], ["results", "games"], ["results", "moves"], ["results", "thinking"],
                      ["results", "export"]):
            expect("a number", ["number.db", "games", "number is %d" % number, "a whole number from"], *words, "--db", file)
        expect("a number", ["number.db", "number is %d" % number], "arena", "othello", *PLAYERS, "--games", "20", "--db",
               file, "--resume")
        expect("a number", ["number.db", "number is %d" % number], "results", "merge", "out.db", file)
        os.remove("out.db")
    for column, value, wanted in (("first", 99, "from 0 to 1"), ("second", -1, "from 0 to 1"), ("second", 4294967296, "from 0 to 1"),
                                  ("first", 1, "another player"), ("opening", -1, "from 0 to"), ("plies", 1 << 40, "from 0 to"),
                                  ("margin", -2147483648, "from -1000000 to"), ("started", "9e300", "a number from 0"),
                                  ("first_seconds", "9e999", "a number from 0"), ("second_waited", "-0.5", "a number from 0"), ("start", "char(65, 0, 66)", "zero byte"),
                                  ("result", "'1/2-1/2'", "as the margin says")):
        file = changed("value.db", "UPDATE games SET %s = %s WHERE number = 2" % (column, value))
        for words in (["results"], ["results", "games"], ["results", "games", "--json"], ["results", "export"]):
            expect("%s = %s" % (column, value), ["value.db", "where number is 2, %s is" % ("second" if wanted == "another player" else column), wanted],
                   *words, "--db", file)
    for column, value, wanted in (("side", 2, "from 0 to 1"), ("depth", -1, "from 0 to"), ("value", -2147483648, "from -2147483647"),
                                  ("nodes", -5, "from 0 to"), ("ply", 1000, "from 5 to 5"), ("seconds", "NULL", "a number from 0")):
        file = changed("value.db", "UPDATE moves SET %s = %s WHERE game = 2 AND ply = 5" % (column, value))
        if column == "ply":
            file = changed("value.db", "DELETE FROM moves WHERE game = 2 AND ply = 5")
        for words in (["moves"], ["moves", "--json"], ["thinking"], ["thinking", "--json"], ["export"]):
            expect("%s = %s" % (column, value), ["value.db", "where game is 2, %s is" % column, wanted], "results", *words, "--db", file)
        expect("%s = %s" % (column, value), ["value.db", wanted], "results", "merge", "out.db", file)
        os.remove("out.db")
    file = changed("players.db", "UPDATE players SET number = 7 WHERE number = 1")
    expect("a player's number", ["players.db", "number is 7", "from 1 to 1"], "results", "--db", file)
    file = changed("players.db", "WITH n(i) AS (VALUES (2) UNION ALL SELECT i + 1 FROM n WHERE i < 99) INSERT INTO players "
                   "SELECT i, 'p' || i, 'pvs' FROM n")
    expect("a hundred players", ["players.db", "at most 64 players"], "results", "--db", file)
    expect("scoring", ["scoring.db", "scoring", "win, margin or points"], "results", "--db",
           changed("scoring.db", "UPDATE settings SET value = 'x' WHERE name = 'scoring'"))
    expect("sprt", ["sprt.db", "sprt", "expected two Elo"], "results", "--json", "--db",
           changed("sprt.db", "UPDATE settings SET value = '0,nan,0,0,x' WHERE name = 'sprt'"))

    # Whose file it is.
    for version in (-1, -2147483648, 0, 3):
        file = changed("version.db", "PRAGMA user_version = %d" % version)
        expect("version", ["version.db", "user_version is %d" % version], "results", "--db", file)
        expect("version", ["version.db", "user_version is %d" % version], "arena", "othello", *PLAYERS, "--db", file)
    for statements, wanted in ((("CREATE TABLE notes (text)",), "user_version is 0"),
                               (("CREATE TABLE notes (text)", "PRAGMA user_version = 1"), "expected the tables"),
                               (("CREATE TABLE notes (text)", "PRAGMA application_id = 77"), "another program (application_id 77)"),
                               (("PRAGMA application_id = 77",), "another program (application_id 77)")):
        database = sqlite3.connect("foreign.db")
        for statement in ("PRAGMA journal_mode = WAL",) + statements:
            database.execute(statement)
        database.commit()
        database.close()
        with open("foreign.db", "rb") as stream:
            before = stream.read()
        expect("a foreign file", ["foreign.db", wanted], "arena", "othello", *PLAYERS, "--games", "2", "--db", "foreign.db")
        expect("a foreign file", ["foreign.db", wanted], "results", "merge", "foreign.db", "good.db")
        expect("a foreign file", ["foreign.db"], "results", "--db", "foreign.db")
        with open("foreign.db", "rb") as stream:
            if stream.read() != before:
                note("a foreign file was changed: %s" % (statements,))
        os.remove("foreign.db")
    # Files from before there was a number for the application.
    old = changed("old.db", "PRAGMA application_id = 0")
    if run("results", "--db", old).stdout != run("results", "--db", "good.db").stdout:
        note("a file without an application_id is not read")
    if sqlite3.connect("good.db").execute("PRAGMA application_id").fetchone() != (0x4D506C79,):
        note("a new file has no application_id")
    # A view or a virtual table in place of a table, and a trigger.
    expect("a view", ["view.db", "expected the tables"], "results", "--db",
           changed("view.db", "ALTER TABLE games RENAME TO hidden", "CREATE VIEW games AS SELECT * FROM hidden"))
    file = changed("trigger.db", "CREATE TRIGGER more AFTER INSERT ON games BEGIN DELETE FROM moves; END")
    assert run("arena", "othello", *PLAYERS, "--games", "22", "--db", file, "--resume").returncode == 0
    if sqlite3.connect(file).execute("SELECT count(*) FROM moves").fetchone() == (0,):
        note("a trigger of the file was run")

    # A plug-in that a file names.
    for name in (PLUGIN, "./x.so", "x.so", "x.so:a=1", "/no/such/game"):
        file = changed("plugin.db", "UPDATE settings SET value = '%s' WHERE name = 'game'" % name)
        expect("a plug-in", ["plugin.db", "expected --plugin '%s'" % name], "results", "export", "--db", file)
        expect("a plug-in", ["plugin.db", "expected --plugin '%s'" % name], "results", "export", "--db", file, "--plugin", "/other.so")
    done = run("arena", PLUGIN, "--player", "random", "--player", "random name=b", "--games", "2", "--db", "connect4.db")
    assert done.returncode == 0, done.stderr
    done = run("results", "export", "--db", "connect4.db", "--plugin", PLUGIN)
    if done.returncode != 0 or done.stdout.count("[Event") != 2:
        note("a plug-in that was named is not opened: %s" % done.stderr)

    # Damage: a file that was cut, and one whose pages are not what they were.
    done = run("arena", "othello", *PLAYERS, "--games", "400", "--db", "long.db")
    assert done.returncode == 0, done.stderr
    whole = open("long.db", "rb").read()
    page = struct.unpack(">H", whole[16:18])[0]
    database = sqlite3.connect("long.db")
    root = database.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'games'").fetchone()[0]
    database.close()
    with open("cut.db", "wb") as stream:
        stream.write(whole[:len(whole) // 2 // page * page])
    expect("a cut file", ["cut.db is damaged", ".recover"], "results", "--db", "cut.db")
    with open("beginning.db", "wb") as stream:
        stream.write(b"x" + whole[1:])
    expect("another beginning", ["beginning.db", "not a database", "its beginning is damaged"], "results", "--db", "beginning.db")
    # The pages of the games: a page of the table with the numbers has its children's numbers behind its header.
    top = whole[(root - 1) * page:root * page]
    assert top[0] == 5, "the games fit on a page"
    cells = struct.unpack(">H", top[3:5])[0]
    children = [struct.unpack(">I", top[at:at + 4])[0] for at in struct.unpack(">%dH" % cells, top[12:12 + 2 * cells])]
    bad = bytearray(whole)
    bad[(children[-1] - 1) * page:children[-1] * page] = b"\xff" * page
    with open("page.db", "wb") as stream:
        stream.write(bad)
    expect("a damaged page", ["page.db is damaged after game ", "can still be read", "results games"], "results", "--db", "page.db")
    shown = run("results", "games", "--db", "page.db")
    if shown.returncode != 2 or not 10 < shown.stdout.count("\n") < 400:
        note("the games before the damage are not shown")
    expect("a damaged page", ["page.db is damaged"], "arena", "othello", *PLAYERS, "--games", "400", "--db", "page.db", "--resume")

    # A table that never ends: pages that lead to each other, forty ways at each of fifteen levels. Reading on gives the same
    # games again; looking for one that is not there would go on for ever.
    endless = bytearray(whole)
    if len(whole) // page < root + 40:
        note("the file is too short for this test")
    used = [number for number in children if number != children[0]][:1] + list(range(len(whole) // page + 1, len(whole) // page + 15))
    endless += bytes(page) * 14
    endless[28:32] = struct.pack(">I", len(endless) // page)

    def interior(child):
        offsets = [page - 5 * (i + 1) for i in range(40)]
        body = bytearray(page)
        body[0:12] = struct.pack(">BHHHBI", 5, 0, 40, offsets[-1], 0, child)
        for i, at in enumerate(offsets):
            body[12 + 2 * i:14 + 2 * i] = struct.pack(">H", at)
            body[at:at + 5] = struct.pack(">IB", child, 100)
        return body
    levels = [root] + used[1:]
    for number, child in zip(levels, levels[1:] + [children[0]]):
        endless[(number - 1) * page:number * page] = interior(child)
    with open("endless.db", "wb") as stream:
        stream.write(endless)
    expect("games again and again", ["endless.db", "number is 0, expected a whole number from"], "results", "--db", "endless.db")
    expect("an endless search", ["endless.db was given up", "s of computing"], "results", "games", "--db", "endless.db",
           "--game", "100000")
    os.chdir("/")

sys.exit("%d faults" % len(faults) if faults else 0)
