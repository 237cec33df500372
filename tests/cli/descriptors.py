#!/usr/bin/env python3
"""descriptors.py PROGRAM - whichever of the standard files are closed, nothing is printed into a results file.

What is opened first takes the place of a closed standard file, and the warnings of an arena were written over the
beginning of its own results."""
import os
import sqlite3
import subprocess
import sys
import tempfile

PROGRAM = os.path.realpath(sys.argv[1])
ARENA = [PROGRAM, "arena", "othello", "--player", "pvs,depth=1", "--player", "alphabeta,depth=1", "--games", "4"]


def run(command, closed):
    def close():
        for file in closed:
            os.close(file)
    return subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          preexec_fn=close)


def check(condition, text):
    if not condition:
        sys.exit(text)


with tempfile.TemporaryDirectory() as folder:
    for closed in ([2], [1], [0], [1, 2], [0, 1, 2]):
        file = os.path.join(folder, "closed%s.db" % "".join(map(str, closed)))
        done = run(ARENA + ["--db", file], closed)
        # Output that nobody can read is an error, as a full disk is.
        check(done.returncode == (2 if 1 in closed else 0), "%s closed: exit code %d" % (closed, done.returncode))
        # An error message over the results: the arena is there already.
        check(run(ARENA + ["--db", file], closed).returncode == 2, "an arena was played over another")
        with open(file, "rb") as stream:
            check(stream.read(15) == b"SQLite format 3", "%s closed: the file has another beginning" % closed)
        database = sqlite3.connect(file)
        check(database.execute("PRAGMA integrity_check").fetchall() == [("ok",)], "%s closed: not whole" % closed)
        check(database.execute("SELECT count(*) FROM games").fetchall() == [(4,)], "%s closed: no games" % closed)
        database.close()
    # The engine under its other name.
    engine = os.path.join(folder, "manyply-uci")
    os.symlink(PROGRAM, engine)
    done = subprocess.run([engine], input=b"uci\nquit\n", stdout=subprocess.PIPE, preexec_fn=lambda: os.close(2))
    check(done.returncode == 0 and b"uciok" in done.stdout, "the engine without a standard error says nothing")
print("nothing was printed into a results file")
