#!/usr/bin/env python3
"""escapes.py PROGRAM - what files say reaches the terminal without control characters: names of players, moves, reasons,
names of positions, and error messages that quote them."""
import os
import re
import sqlite3
import subprocess
import sys
import tempfile

PROGRAM = os.path.realpath(sys.argv[1])
EVIL = "a\x1b]0;owned\x07\x1b[31m\x7f\u009b31mb"
faults = 0


def check(words, wanted):
    """The output has the text, escaped, and nothing that steers a terminal."""
    global faults
    done = subprocess.run([PROGRAM, *words], stdin=subprocess.DEVNULL, capture_output=True)
    said = done.stdout + done.stderr
    if re.search(rb"[\x00-\x09\x0b-\x1f\x7f]|\xc2[\x80-\x9f]", said) or wanted not in said:
        print("`%s` prints %r" % (" ".join(words).encode("unicode_escape").decode(), said[:600]))
        faults += 1


with tempfile.TemporaryDirectory() as folder:
    file = os.path.join(folder, "games.db")
    subprocess.run([PROGRAM, "arena", "othello", "--player", "random,seed=1", "--player", "random,seed=2", "--games", "2",
                    "--db", file], stdout=subprocess.DEVNULL, check=True)
    database = sqlite3.connect(file)
    database.execute("UPDATE players SET name = ? WHERE number = 0", (EVIL,))
    database.commit()
    check(["results", "export", "--db", file], b'[Black "a ]0;owned  [31m  31mb"]')
    database.execute("UPDATE games SET ending = ?, reason = ?, start = ?", (EVIL, EVIL, EVIL))
    database.execute("UPDATE moves SET text = ?", (EVIL,))
    database.commit()
    database.close()
    for action in ("standings", "games", "moves", "thinking"):
        check(["results", action, "--db", file], b"\\x1b")
    check(["results", "--db", file, "--player", EVIL + "x"], b"\\x1b]0;owned\\x07\\x1b[31m\\x7f\\xc2\\x9b31mbx")
    check(["moves", EVIL], b"\\x1b")
    check([EVIL], b"\\x1b")
    epd = os.path.join(folder, "positions.epd")
    with open(epd, "w", encoding="utf-8") as stream:
        stream.write("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm a3; id \"%s\";\n" % EVIL)
    check(["epd", epd, "--strategy", "pvs,depth=1"], b"\\x1b")
sys.exit("%d faults" % faults if faults else 0)
