#!/usr/bin/env python3
"""engines.py PROGRAM - a match goes on whatever an engine does: each fault loses that game, the engine is started
again and plays the next game as it should."""
import concurrent.futures
import os
import pathlib
import sqlite3
import subprocess
import sys
import tempfile

FAULTS = {"crash": "crash", "hang": "time", "illegal": "illegal move", "none": "illegal move", "flood": "time",
          "endless-line": "time", "deaf": "time", "not-ready": "time", "no-input": "time"}


def processes(needle):
    """Command lines of running processes that contain a text."""
    found = []
    for entry in pathlib.Path("/proc").iterdir():
        if entry.name.isdigit() and int(entry.name) != os.getpid():
            try:
                line = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
            except OSError:
                continue
            if needle in line:
                found.append(line)
    return found


def play(program, folder, fault, ending):
    """Four games of which the fake engine spoils the first."""
    counter, database = folder / f"{fault}.count", folder / f"{fault}.db"
    counter.write_text("1")
    fake = pathlib.Path(__file__).with_name("fake_engine.py")
    command = [program, "arena", "chess", "--games", "4", "--concurrency", "1", "--plies", "4", "--random-plies", "2",
               "--tc", "20+0",
               "--margin", "100ms", "--patience", "20s", "--db", str(database),
               "--player", "random,seed=1 name=us tc=none",
               "--player", f"uci:{sys.executable} {fake} {program} {fault} {counter} name=fake"]
    # Only the fault meets its limit; what is right may take long on a busy machine.
    if ending == "time":
        limit = "--patience" if fault in ("deaf", "not-ready", "no-input") else "--tc"
        command[command.index(limit) + 1] = {"--patience": "6s", "--tc": "6+0"}[limit]
    subprocess.run(command, check=True, timeout=240, stdout=subprocess.DEVNULL)
    rows = sqlite3.connect(database).execute(
        "SELECT number, first, result, ending, reason, plies FROM games ORDER BY number").fetchall()
    assert [row[0] for row in rows] == [0, 1, 2, 3], rows
    number, first, result, how, reason, plies = rows[0]
    assert how == ending and reason.startswith("fake: "), (fault, rows)
    assert result == ("1-0" if first == 0 else "0-1"), (fault, rows)
    for row in rows[1:]:
        assert row[2:4] == ("1/2-1/2", "plies") and row[5] == 4, (fault, rows)
    value, depth, deepest, nodes = sqlite3.connect(database).execute(
        "SELECT value, depth, max_depth, nodes FROM moves WHERE game = 1 AND side = 0 AND chosen = 1 LIMIT 1").fetchone()
    assert (value, depth, deepest, nodes) == (17, 3, 5, 99), (value, depth, deepest, nodes)
    assert not processes(str(counter)), f"{fault}: the engine was left running"
    return reason


def main():
    program = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as name:
        with concurrent.futures.ThreadPoolExecutor(5) as pool:
            played = {fault: pool.submit(play, program, pathlib.Path(name), fault, ending)
                      for fault, ending in FAULTS.items()}
        for fault, reason in played.items():
            print(f"{fault}: lost by {FAULTS[fault]} ({reason.result()})")
    return 0


sys.exit(main())
