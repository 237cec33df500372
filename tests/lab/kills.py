#!/usr/bin/env python3
"""kills.py PROGRAM GAMES KILLS TIME [SEED] - plays an arena of Othello at TIME per move and kills the program
(kill -9) KILLS times at random moments, going on with --resume each time. In the end every game of the
schedule must be there once, complete and legal."""
import os
import pathlib
import random
import sqlite3
import subprocess
import sys
import tempfile
import time


def stored(database):
    """How many games the file has; 0 while it is being made."""
    try:
        with sqlite3.connect(f"file:{database}?mode=ro", uri=True) as connection:
            return connection.execute("SELECT count(*) FROM games").fetchone()[0]
    except sqlite3.OperationalError:
        return 0


def run_and_kill(command, database, wanted, delay):
    """Runs until this many games are there and a moment more, then kills. Returns whether it ended by itself."""
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as arena:
        while arena.poll() is None and stored(database) < wanted:
            time.sleep(0.005)
        time.sleep(delay)
        ended = arena.poll() is not None
        assert not ended or arena.returncode == 0, f"exit code {arena.returncode}"
        arena.kill()
    return ended


def check(program, database, games):
    """Every game once, each with all its moves, which lead to the result that was stored."""
    connection = sqlite3.connect(database)
    assert connection.execute("PRAGMA integrity_check").fetchone()[0] == "ok"
    numbers = [row[0] for row in connection.execute("SELECT number FROM games ORDER BY number")]
    assert numbers == list(range(games)), f"{len(numbers)} games, {len(set(numbers))} different, of {games}"
    sides = connection.execute("SELECT first, count(*) FROM games GROUP BY first").fetchall()
    assert sides == [(0, games // 2), (1, games // 2)], sides
    loose = connection.execute("SELECT count(*) FROM moves WHERE game NOT IN (SELECT number FROM games)")
    assert loose.fetchone()[0] == 0
    gaps = connection.execute("SELECT game FROM moves GROUP BY game HAVING count(*) <> max(ply) + 1").fetchall()
    assert not gaps, gaps
    for number in random.sample(numbers, min(10, games)):
        margin, ending = connection.execute("SELECT margin, ending FROM games WHERE number = ?",
                                            (number,)).fetchone()
        if ending != "rules":  # a time forfeit on a busy machine
            continue
        moves = [row[0] for row in connection.execute("SELECT text FROM moves WHERE game = ? ORDER BY ply",
                                                      (number,))]
        picture = subprocess.run([program, "moves", "othello", "--moves", " ".join(moves)], check=True,
                                 capture_output=True, text=True).stdout
        line = next(line for line in picture.splitlines() if line.startswith("X "))
        black, white = (int(word) for word in line.replace(",", "").split() if word.isdigit())
        empty = 64 - black - white  # they count for the winner
        found = black - white + (empty if black > white else -empty if white > black else 0)
        assert "game over" in line and margin in (found, black - white), (number, line, margin)


def main():
    program, games, kills, think = os.path.abspath(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
    random.seed(int(sys.argv[5]) if len(sys.argv) > 5 else 1)
    with tempfile.TemporaryDirectory() as folder:
        database = pathlib.Path(folder) / "arena.db"
        command = [program, "arena", "othello", "--tc", think, "--games", str(games), "--random-plies", "8",
                   "--db", str(database), "--resume", "--concurrency", "2",
                   "--player", "pvs,hash=1 name=pvs", "--player", "alphabeta name=alphabeta"]
        killed, kept = 0, []
        for wanted in sorted(random.randrange(games * 9 // 10) for _ in range(kills)):
            if not run_and_kill(command, database, wanted, random.random() * 0.1):
                killed += 1
            kept.append(stored(database))
        assert kept == sorted(kept), f"games were lost: {kept}"
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        check(program, database, games)
        print(f"{games} games, killed {killed} times with {kept} games: each is there once")
        assert killed > 0
    return 0


sys.exit(main())
