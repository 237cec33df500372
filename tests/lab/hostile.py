#!/usr/bin/env python3
"""hostile.py PROGRAM - an arena whose second player is an engine that is wrong in one way after the other
(hostile_engine.py): each way has its verdict, the other games go on, nothing of the engine is left running, and nothing that
it says steers a terminal."""
import concurrent.futures
import os
import pathlib
import re
import signal
import sqlite3
import subprocess
import sys
import tempfile

ENGINE = pathlib.Path(__file__).with_name("hostile_engine.py")
# It was never an engine: the match ends.
NEVER = "never"
# Every other mode of the engine is tolerated: its two games of two plies end as draws.
LOST = {NEVER: ["starts-and-ends", "starts-and-crashes", "closes-input", "closes-output", "dies-at-uci"],
        "crash": ["dies-at-isready", "crashes-at-isready", "dies-at-go", "crashes-at-go", "dies-in-its-line"],
        "illegal move": ["no-move", "null-move", "none", "resigns", "illegal", "of-another-game", "a-sentence", "a-format",
                         "escapes", "promotes-to-king", "far-off", "long-move", "binary-move", "line-without-end"],
        # The time that is too short for these is too short for nothing else.
        "time": ["starts-and-sleeps", "starts-and-floods", "starts-with-zeros", "starts-and-stops", "silent-at-uci",
                 "half-uciok", "no-line-end", "wrong-uciok", "silent-at-isready", "info-for-ever", "stops-at-go", "silent-at-go",
                 "leaves-a-child", "floods-at-go", "zeros-at-go", "half-a-move", "bare-bestmove"]}
LIMITS = {"time": ["--patience", "1s", "--tc", "1+0"]}


def verdict_of(mode):
    return next((verdict for verdict, modes in LOST.items() if mode in modes), "plies")


def left_running(mark):
    """Numbers of the processes with this word in their command line."""
    found = []
    for entry in pathlib.Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and mark.encode() in (entry / "cmdline").read_bytes().split(b"\0"):
                found.append(int(entry.name))
        except OSError:
            pass
    return found


def play(program, folder, mode):
    """None, or what is wrong."""
    database, mark = folder / f"{mode}.db", f"mark-{os.getpid()}-{mode}"
    verdict = verdict_of(mode)
    done = subprocess.run(
        [program, "arena", "chess", "--games", "2", "--concurrency", "1", "--plies", "2", "--db", str(database),
         *LIMITS.get(verdict, ["--patience", "100s", "--tc", "100+0"]), "--player", "random,seed=1 name=us tc=none",
         "--player", f"uci:{sys.executable} -S {ENGINE} {mode} {mark} name=them"],
        capture_output=True, timeout=250, check=False)
    running = left_running(mark)
    for process in running:
        os.kill(process, signal.SIGKILL)
    if running:
        return f"{len(running)} processes are left"
    if re.search(rb"[\x00-\x09\x0b-\x1f\x7f]", done.stdout + done.stderr):
        return f"the terminal gets {done.stdout + done.stderr!r}"
    if verdict == NEVER:  # the host's fault, for all that can be told: nothing is scored
        rows = sqlite3.connect(database).execute("SELECT COUNT(*) FROM games").fetchone()
        said = b"ended before it answered `uci`; to go on: " in done.stderr
        return None if done.returncode == 2 and said and rows == (0,) else f"{done.returncode}, {rows}: {done.stderr!r}"
    if done.returncode != 0:
        return f"exit code {done.returncode}: {done.stderr.decode()}"
    shown = subprocess.run([program, "results", "games", "--json", "--db", str(database)], capture_output=True, check=False)
    if shown.returncode != 0:
        return f"the games cannot be shown: {shown.stderr.decode()}"
    rows = sqlite3.connect(database).execute("SELECT first, result, ending, reason FROM games ORDER BY number").fetchall()
    wanted = "1/2-1/2" if verdict == "plies" else None
    for first, result, ending, _ in rows:
        if ending != verdict or result != (wanted or ("1-0" if first == 0 else "0-1")):
            return f"{rows}, expected {verdict}"
    return None if len(rows) == 2 else f"{len(rows)} games"


def main():
    program = os.path.abspath(sys.argv[1])
    modes = subprocess.check_output([sys.executable, "-S", ENGINE, "--modes"], text=True).split()
    modes += ["good", "slow-bytes", "ignores-quit", "ignores-the-end", "fills-errors"]
    unknown = [mode for group in LOST.values() for mode in group if mode not in modes]
    assert not unknown, unknown
    faults = 0
    with tempfile.TemporaryDirectory() as name, concurrent.futures.ThreadPoolExecutor(6) as pool:
        for mode, wrong in zip(modes, pool.map(lambda mode: play(program, pathlib.Path(name), mode), modes)):
            if wrong:
                faults += 1
                print(f"{mode}: {wrong}", flush=True)
    print(f"{len(modes)} hostile engines")
    return f"{faults} faults" if faults else 0


sys.exit(main())
