#!/usr/bin/env python3
"""kills.py PROGRAM GAMES KILLS TIME [SEED] - plays an arena of Othello at TIME per move. KILLS times, at random moments, the
program is killed (kill -9) and goes on with --resume; a tenth as often it is stopped for a while (SIGSTOP), and as often its
disk is full, after which it must have said how to go on. In the end every game of the schedule must be there once, complete, and
its moves must lead to its result."""
import concurrent.futures
import contextlib
import os
import pathlib
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

DISK = "KILLS_DISK"  # a small disk of our own, where the system lets us have one


def own_disk():
    """Begins again in a name space of its own with a disk of 64 MB; where that is not allowed there is none."""
    folder = tempfile.mkdtemp()
    script = f'mount -t tmpfs -o size=64m none "{folder}" && exec "$@"'
    name_space = ["unshare", "--mount", "--map-root-user"]
    if subprocess.run([*name_space, "sh", "-c", script, "sh", "true"], stderr=subprocess.DEVNULL, check=False).returncode == 0:
        os.environ[DISK] = folder
        code = subprocess.call([*name_space, "sh", "-c", script, "sh", sys.executable, *sys.argv])
    else:
        print("no disk of our own can be had here: no disk will be full")
        os.environ[DISK] = ""
        code = subprocess.call([sys.executable, *sys.argv])
    with contextlib.suppress(OSError):
        os.rmdir(folder)
    return code


def stored(database):
    """How many games the file has; 0 while it is being made."""
    try:
        with contextlib.closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as connection:
            return connection.execute("SELECT count(*) FROM games").fetchone()[0]
    except sqlite3.OperationalError:
        return 0


@contextlib.contextmanager
def running(command, database, wanted):
    """An arena that has come to this many games and a moment more. It may have ended by itself."""
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as arena:
        while arena.poll() is None and stored(database) < wanted:
            time.sleep(0.005)
        time.sleep(random.random() * 0.1)
        assert arena.poll() in (None, 0), f"exit code {arena.returncode}: {arena.stderr.read()}"
        yield arena


def kill(command, database, wanted):
    with running(command, database, wanted) as arena:
        arena.kill()
    return arena.returncode == -signal.SIGKILL


def stop(command, database, wanted):
    """It sleeps in the middle of its moves, for longer than they may take; nothing but its end tells."""
    with running(command, database, wanted) as arena:
        arena.send_signal(signal.SIGSTOP)
        time.sleep(0.5 + random.random())
        arena.send_signal(signal.SIGCONT)
        happened = arena.poll() is None
        while arena.poll() is None and stored(database) < wanted + 5:
            time.sleep(0.005)
        arena.kill()
    return happened


def fill(command, database, wanted):
    """The last bytes of the disk are taken, and given back when the arena has given up."""
    ballast = database.parent / "ballast"
    with running(command, database, wanted) as arena:
        with open(ballast, "wb", buffering=0) as file, contextlib.suppress(OSError):
            while True:
                file.write(bytes(1_000_000))
        _, errors = arena.communicate(timeout=100)
    ballast.unlink()
    assert arena.returncode in (0, 2), f"exit code {arena.returncode} on a full disk: {errors}"
    assert arena.returncode == 0 or (str(database) in errors and "to go on: " in errors), errors
    return arena.returncode == 2


def replay(program, moves, margin):
    """Do the moves lead to this result?"""
    picture = subprocess.run([program, "moves", "othello", "--moves", " ".join(moves)], check=True,
                             capture_output=True, text=True).stdout
    line = next(line for line in picture.splitlines() if line.startswith("X "))
    black, white = (int(word) for word in line.replace(",", "").split() if word.isdigit())
    empty = 64 - black - white  # they count for the winner
    found = black - white + (empty if black > white else -empty if white > black else 0)
    assert "game over" in line and margin in (found, black - white), (moves, line, margin)


def check(program, database, games):
    """Every game once, each played to its end by the rules, with all its moves, which lead to the result that was stored."""
    connection = sqlite3.connect(database)
    assert connection.execute("PRAGMA integrity_check").fetchone()[0] == "ok"
    rows = connection.execute("SELECT number, margin, ending FROM games ORDER BY number").fetchall()
    numbers = [row[0] for row in rows]
    assert numbers == list(range(games)), f"{len(numbers)} games, {len(set(numbers))} different, of {games}"
    assert all(row[2] == "rules" for row in rows), [row for row in rows if row[2] != "rules"]
    sides = connection.execute("SELECT first, count(*) FROM games GROUP BY first").fetchall()
    assert sides == [(0, games // 2), (1, games // 2)], sides
    loose = connection.execute("SELECT count(*) FROM moves WHERE game NOT IN (SELECT number FROM games)")
    assert loose.fetchone()[0] == 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as executor:
        checks = []
        for number, margin, _ in rows:
            moves = connection.execute("SELECT ply, text FROM moves WHERE game = ? ORDER BY ply", (number,)).fetchall()
            assert [ply for ply, _ in moves] == list(range(len(moves))), (number, moves)
            checks.append(executor.submit(replay, program, [text for _, text in moves], margin))
        for done in checks:
            done.result()


def main():
    program, games, kills, think = os.path.abspath(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
    random.seed(int(sys.argv[5]) if len(sys.argv) > 5 else 1)
    with tempfile.TemporaryDirectory(dir=os.environ[DISK] or None) as folder:
        database = pathlib.Path(folder) / "arena.db"
        command = [program, "arena", "othello", "--tc", think, "--games", str(games), "--random-plies", "8",
                   "--db", str(database), "--resume", "--concurrency", "2", "--margin", "1s",
                   "--player", "pvs,hash=1 name=pvs", "--player", "alphabeta name=alphabeta"]
        few = max(1, kills // 10)
        faults = [kill] * kills + [stop] * few + [fill] * (few if os.environ[DISK] else 0)
        random.shuffle(faults)
        happened, kept = {fault.__name__: 0 for fault in faults}, []
        for wanted, fault in zip(sorted(random.randrange(games * 9 // 10) for _ in faults), faults):
            happened[fault.__name__] += fault(command, database, wanted)
            kept.append(stored(database))
        assert kept == sorted(kept), f"games were lost: {kept}"
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        check(program, database, games)
        print(f"{games} games, each there once, played to the end and right, after {happened}")
        assert happened["kill"] > 0, "nothing was killed"
    return 0


sys.exit(main() if DISK in os.environ else own_disk())
