#!/usr/bin/env python3
"""learn.py PROGRAM CONNECT4 KILLS [SEED] - learns Connect Four for two tiny generations and kills the program (kill -9)
KILLS times in different steps, going on with the same command each time. In the end the journal must be whole, every
file of games and the first network must have the bytes of a run that was not killed, and the best network must play."""
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import time

# Each is made by another step; in the order of their names they are made one after the other.
MARKERS = ["generation-001.games", "generation-001.net", "generation-002.games", "generation-002.net"]


def command(program, game, directory):
    """Small enough for seconds; one thread, so that a network is the same every time."""
    return [program, "learn", game, "--directory", str(directory), "--generations", "2", "--games", "400", "--nodes",
            "100", "--random-plies", "6-24", "--width", "16", "--passes", "6", "--test-games", "40", "--threads", "1",
            "--window", "2", "--seed", "5"]


def journal(directory):
    """As it is at this moment: whole, or not there yet."""
    path = directory / "journal.json"
    return json.loads(path.read_text()) if path.exists() else {"generations": []}


def run_and_kill(line, directory, marker):
    """Kills a moment after a file is there. Returns the states of the generations then."""
    with subprocess.Popen(line, stdout=subprocess.DEVNULL) as learn:
        while learn.poll() is None and not (directory / marker).exists():
            time.sleep(0.002)
        time.sleep(random.random() * 0.1)
        ended = learn.poll() is not None
        assert not ended or learn.returncode == 0, f"exit code {learn.returncode}"
        learn.kill()
    return "over" if ended else [generation["state"] for generation in journal(directory)["generations"]]


def check(program, game, directory, whole):
    """The killed run against the whole one."""
    found, expected = journal(directory), journal(whole)
    states = [generation["state"] for generation in found["generations"]]
    assert len(states) == 2 and set(states) <= {"kept", "dropped"}, states
    assert states[0] == "kept" and found["best"] >= 1, found
    for first, second in zip(found["generations"], expected["generations"]):
        for key in ("games", "positions"):
            assert first[key] == second[key], (key, first, second)
        played = first["won"] + first["drawn"] + first["lost"]
        assert 2 <= played <= 40, first
    for name in ("generation-001.games", "generation-001.net", "generation-002.games", "generation-002.net"):
        assert (directory / name).read_bytes() == (whole / name).read_bytes(), f"{name} is another"
    best = directory / "best.net"
    assert best.resolve().name == f"generation-{found['best']:03}.net", best.resolve()
    result = json.loads(subprocess.run([program, "search", game, "--strategy", f"pvs,depth=4,eval=network:{best}",
                                        "--json"], check=True, capture_output=True, text=True).stdout)
    assert result["depth"] == 4, result
    table = subprocess.run([program, "learn", "--status", str(directory)], check=True, capture_output=True,
                           text=True).stdout
    assert "Elo by generation" in table and table.count("kept") >= 2, table


def main():
    program, game, kills = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2]), int(sys.argv[3])
    random.seed(int(sys.argv[4]) if len(sys.argv) > 4 else 1)
    with tempfile.TemporaryDirectory() as folder:
        # Two places of one name, because a strategy names the file of its network.
        whole, killed = pathlib.Path(folder) / "a", pathlib.Path(folder) / "b"
        for place in (whole, killed):
            place.mkdir()
        os.chdir(whole)
        subprocess.run(command(program, game, "c4"), check=True, stdout=subprocess.DEVNULL)
        os.chdir(killed)
        markers = sorted(MARKERS[i % len(MARKERS)] for i in range(kills))
        seen = [run_and_kill(command(program, game, "c4"), killed / "c4", marker) for marker in markers]
        assert sum(states != "over" for states in seen) >= 2, seen
        subprocess.run(command(program, game, "c4"), check=True, stdout=subprocess.DEVNULL)
        check(program, game, killed / "c4", whole / "c4")
        print(f"killed {kills} times, where generations were {seen}: all is as without")
    return 0


sys.exit(main())
