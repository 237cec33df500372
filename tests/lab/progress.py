#!/usr/bin/env python3
"""progress.py PROGRAM - an arena shows its progress on a terminal, and to a pipe nothing but its tables; Ctrl-C ends it
with the games so far."""
import os
import pty
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

COMMAND = ["arena", "othello", "--random-plies", "6", "--player", "pvs,hash=1 name=pvs", "--player",
           "alphabeta name=alphabeta"]


def run(arguments, interrupt_after=None):
    """Standard output, and what a terminal on standard error shows."""
    terminal, end = pty.openpty()
    with subprocess.Popen([sys.argv[1]] + arguments, stdout=subprocess.PIPE, stderr=end) as process:
        os.close(end)
        if interrupt_after:
            interrupt_after(process)
        shown = b""
        while True:
            try:
                part = os.read(terminal, 4096)
            except OSError:
                part = b""
            if not part:
                break
            shown += part
        out = process.stdout.read().decode()
    os.close(terminal)
    assert process.returncode == 0, process.returncode
    return out, shown.decode()


def interrupt_with_games(database):
    def wait_and_interrupt(process):
        while True:
            try:
                if sqlite3.connect(f"file:{database}?mode=ro", uri=True).execute(
                        "SELECT count(*) FROM games").fetchone()[0] >= 2:
                    break
            except sqlite3.OperationalError:
                pass
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
    return wait_and_interrupt


def main():
    out, shown = run(COMMAND + ["--games", "16", "--tc", "3ms"])
    assert "\r" in shown and " of 16 games, about " in shown and shown.endswith("\r\033[K"), shown
    assert "\033" not in out and "16 of 16 games" in out, out
    assert max(map(len, out.splitlines())) <= 100, out
    quiet = subprocess.run([sys.argv[1]] + COMMAND + ["--games", "2", "--tc", "1ms"], capture_output=True,
                           check=True)
    assert quiet.stderr == b"", quiet.stderr
    with tempfile.TemporaryDirectory() as folder:
        database = os.path.join(folder, "arena.db")
        long = COMMAND + ["--games", "100000", "--tc", "3ms", "--db", database]
        out, shown = run(long, interrupt_with_games(database))
        games = sqlite3.connect(database).execute("SELECT count(*) FROM games").fetchone()[0]
        assert games >= 2 and f"{games} of 100000 games" in out, out
    return 0


sys.exit(main())
