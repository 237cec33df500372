#!/usr/bin/env python3
"""host.py PROGRAM - what the machine does to a match is no player's fault: an engine that cannot be started or is killed,
too many open files and a stopped arena are never scored; the match goes on, or stops with the command that resumes it. What
a player does to itself is: one that sleeps past its time loses."""
import concurrent.futures
import os
import pathlib
import resource
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

PROGRAM = os.path.abspath(sys.argv[1])
ENGINE = f"uci:{PROGRAM} engine uci option.Hash=1"

# An engine that is good, but for what it does when it is to move for the first time.
SCRIPT = """#!/bin/sh
[ -e {marker} ] && exec {program} engine uci
while read -r word rest; do
    case $word in
    uci) echo uciok ;;
    isready) echo readyok ;;
    go) touch {marker}; {fault} ;;
    esac
done
"""


def engine(folder, name, fault):
    """Writes such an engine."""
    path = folder / name
    path.write_text(SCRIPT.format(marker=folder / f"{name}.started", program=PROGRAM, fault=fault))
    path.chmod(0o755)
    return path


def command(database, *players, tc="nodes=200", games=4, at_a_time=1, margin="200ms"):
    return [PROGRAM, "arena", "chess", "--tc", tc, "--games", str(games), "--random-plies", "4", "--plies", "12",
            "--concurrency", str(at_a_time), "--margin", margin, "--db", str(database),
            *(word for player in players for word in ("--player", player))]


def endings(database):
    """How each game ended, in the order of numbers."""
    return [row[0] for row in sqlite3.connect(database).execute("SELECT ending FROM games ORDER BY number")]


def has_games(database):
    try:
        return database.exists() and bool(endings(database))
    except sqlite3.OperationalError:  # it is being made
        return False


def resume_command(errors):
    """What a sentence on standard error says how to go on, as it says it."""
    sentence = next(line for line in errors.splitlines() if "to go on: " in line)
    assert sentence.startswith("manyply arena: "), sentence
    return sentence.split("to go on: ", 1)[1]


def cannot_be_started(folder):
    """The engine loses a game by its own fault, and cannot be started again."""
    database, script = folder / "start it.db", engine(folder, "start", "chmod -x $0; echo bestmove a1a1")
    words = command(database, "random,seed=1 name=us tc=none", f"uci:{script} 'name=the engine'")
    done = subprocess.run(words, capture_output=True, text=True, timeout=100)
    assert done.returncode == 2 and endings(database) == ["illegal move"], (done, endings(database))
    assert "the engine: cannot run" in done.stderr and "Permission denied" in done.stderr, done.stderr
    script.chmod(0o755)
    subprocess.run(resume_command(done.stderr), shell=True, check=True, timeout=100, stdout=subprocess.DEVNULL)
    assert endings(database) == ["illegal move", "plies", "plies", "plies"], endings(database)


def is_killed(folder):
    """Nobody but the system kills with this signal: the game is played again."""
    database, script = folder / "killed.db", engine(folder, "killed", "kill -9 $$")
    subprocess.run(command(database, "random,seed=1 name=us tc=none", f"uci:{script} name=them", games=2), check=True,
                   timeout=100, stdout=subprocess.DEVNULL)
    assert endings(database) == ["plies", "plies"], endings(database)


def too_many_files(folder):
    """Eight games at a time need more files than there may be."""
    database = folder / "files.db"
    words = command(database, f"{ENGINE} name=one", f"{ENGINE} name=two", games=16, at_a_time=8)
    done = subprocess.run(words, capture_output=True, text=True, timeout=100,
                          preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (28, 28)))
    assert set(endings(database)) <= {"plies"}, endings(database)
    if done.returncode:
        assert done.returncode == 2, done
        subprocess.run(resume_command(done.stderr), shell=True, check=True, timeout=100, stdout=subprocess.DEVNULL)
    assert endings(database) == ["plies"] * 16, (endings(database), done)


def is_stopped(folder):
    """The arena is stopped in the middle of a move for longer than the clocks have."""
    for name, player in (("program", f"{ENGINE} name=us"), ("strategy", "pvs,selective=on,hash=1 name=us")):
        database = folder / f"stopped {name}.db"
        words = command(database, player, f"{ENGINE} name=them", tc="1.2+0", games=2, margin="300ms")
        with subprocess.Popen(words, stdout=subprocess.DEVNULL) as arena:
            while not database.exists() or arena.poll() is not None:
                time.sleep(0.01)
            time.sleep(0.3)
            arena.send_signal(signal.SIGSTOP)
            time.sleep(2)
            arena.send_signal(signal.SIGCONT)
        assert arena.returncode == 0 and endings(database) == ["plies", "plies"], (name, endings(database))


def is_interrupted(folder):
    """Ctrl-C says how to go on."""
    database = folder / "interrupted.db"
    words = command(database, "random,seed=1 name='us and' tc=none", f"{ENGINE} name=them", tc="20ms", games=24)
    with subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as arena:
        while not has_games(database):
            time.sleep(0.01)
        arena.send_signal(signal.SIGINT)
        errors = arena.communicate(timeout=100)[1]
    assert len(endings(database)) < 24 and "interrupted; to go on: " in errors, errors
    subprocess.run(resume_command(errors), shell=True, check=True, timeout=100, stdout=subprocess.DEVNULL)
    assert len(endings(database)) == 24


def sleeps(folder):
    """Nobody takes the CPU from an engine that sleeps."""
    database, script = folder / "sleeps.db", engine(folder, "sleeps", "sleep 1000")
    subprocess.run(command(database, "random,seed=1 name=us tc=none", f"uci:{script} name=them", tc="2+0", games=2), check=True,
                   timeout=100, stdout=subprocess.DEVNULL)
    assert endings(database) == ["time", "plies"], endings(database)


def waits(folder):
    """Others take most of the only CPU there is: clocks that have run out stand still meanwhile, which is kept and told."""
    database = folder / "waits.db"
    cpu = min(os.sched_getaffinity(0))
    pin = lambda: os.sched_setaffinity(0, {cpu})
    loops = [subprocess.Popen([sys.executable, "-c", "while True: pass"], preexec_fn=pin) for _ in range(3)]
    try:
        done = subprocess.run(command(database, f"{ENGINE} name=us", "random,seed=1 name=them tc=none", tc="0.01+0", games=6,
                                      margin="50ms"), check=True, timeout=100, capture_output=True, text=True,
                              preexec_fn=pin)
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()
    assert endings(database) == ["plies"] * 6, endings(database)
    waited = sqlite3.connect(database).execute("SELECT sum(first_waited + second_waited) FROM games").fetchone()[0]
    assert waited > 0, waited
    if waited > 0.001:
        assert "not charged, for want of a CPU: us " in done.stdout, done.stdout


def main():
    checks = [cannot_be_started, is_killed, too_many_files, is_stopped, is_interrupted, sleeps]
    if pathlib.Path("/proc/self/schedstat").exists():
        checks.append(waits)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            done = {check.__name__: pool.submit(check, folder) for check in checks}
        for name, result in done.items():
            result.result()
            print(f"{name}: nothing is scored that should not be")
    return 0


sys.exit(main())
