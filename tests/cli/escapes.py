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
    check(["epd", epd, "--strategy", "pvs,depth=1"], b"a ]0;owned")
    pgn = os.path.join(folder, "games.pgn")
    with open(pgn, "w", encoding="utf-8") as stream:
        stream.write('[White "%s"]\n[Odd "%s"]\n\n1. e4 {say %s} e5 ; and } %s\n*\n' % (EVIL, EVIL, EVIL, EVIL))
    check(["convert", "chess", pgn, "--to", "pgn"], b"{say a ]0;owned")
    check(["convert", "chess", epd, "--to", "epd"], b'id "a ]0;owned')
    mat = os.path.join(folder, "match.mat")
    with open(mat, "w", encoding="utf-8") as stream:
        stream.write('; [Odd "%s"]\n\n 1 point match\n\n Game 1\n %s : 0     them : 0\n  1) 31: 8/5 6/5\n      Wins 1 point\n' % (EVIL, EVIL))
    check(["convert", "backgammon:cube=on", mat, "--to", "mat"], b"a ]0;owned")
sys.exit("%d faults" % faults if faults else 0)
