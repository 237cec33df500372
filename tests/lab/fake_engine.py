#!/usr/bin/env python3
"""fake_engine.py PROGRAM FAULT COUNTER - an engine that speaks UCI and, for the first COUNTER times it is started,
has a fault: crash, hang, illegal, flood, endless-line, deaf, not-ready, no-input, slow or none. The file COUNTER
holds how often it may still misbehave. Legal moves come from `PROGRAM moves`."""
import json
import pathlib
import subprocess
import sys
import time


def legal_moves(program, position):
    words = position.split()
    moves = words[words.index("moves") + 1:] if "moves" in words else []
    fen = " ".join(words[2:words.index("moves")] if "moves" in words else words[2:])
    done = subprocess.run([program, "moves", "chess", "--json", "--position", fen, "--moves", " ".join(moves)],
                          capture_output=True, text=True, check=True)
    return json.loads(done.stdout)["moves"]


def misbehave(fault):
    """What happens instead of a move."""
    if fault == "crash":
        sys.exit(1)
    if fault == "illegal":
        print("bestmove a1a1", flush=True)
    elif fault == "hang":
        time.sleep(1000)
    elif fault == "flood":
        while True:
            print("info depth 1 score cp 1 nodes 1 pv e2e4\n" * 1000, flush=True)
    elif fault == "endless-line":
        while True:
            sys.stdout.write("bestmove" * 10000)
    elif fault == "none":
        print("bestmove 0000", flush=True)


def main():
    program, fault, counter = sys.argv[1:]
    left = int(pathlib.Path(counter).read_text())
    if left == 0:
        fault = "good"
    else:
        pathlib.Path(counter).write_text(str(left - 1))
    if fault == "no-input":
        time.sleep(1000)
    position = ""
    for line in sys.stdin:
        word = line.split()[0] if line.split() else ""
        if word == "uci" and fault != "deaf":
            print("id name fake\nuciok", flush=True)
        elif word == "isready" and fault != "not-ready":
            print("readyok", flush=True)
        elif word == "position":
            position = line
        elif word == "go" and fault == "good":
            print("info depth 3 seldepth 5 multipv 1 score cp 17 nodes 98 pv e2e4 depth 8\n"
                  "info depth 9 multipv 2 score cp -44 nodes 98 pv d2d4\n"
                  "info depth 4 currmove e2e4 nodes 99\n"
                  "info string score mate 1 depth 7\n"
                  f"bestmove {legal_moves(program, position)[0]} ponder e7e5", flush=True)
        elif word == "go":
            misbehave(fault)
        elif word == "quit":
            break


main()
