#!/usr/bin/env python3
"""commands.py PROGRAM FAULTS SAMPLES|all|I/N [COMMANDS [KINDS]] - a fault loop, as SQLite's: in command after command each
request for memory, for a thread, for a file, each read and each write fails, once or from then on (tests/fixtures/faults.c). Then
the command does all that it does without faults, or it says why not: exit code 2 and a sentence, no signal, and nothing that is
half-written. SAMPLES: how many of each kind are tried (the same ones in every run), I/N: the I-th of N parts of all;
COMMANDS, KINDS: regular expressions that say which."""
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile

PROGRAM, FAULTS = map(os.path.realpath, sys.argv[1:3])
SAMPLES = sys.argv[3]
WANTED, KINDS_WANTED = (sys.argv[4:] + ["", ""])[:2]
KINDS = [kind for kind in ("memory", "thread", "open", "read", "write") if re.search(KINDS_WANTED, kind)]
PLAYERS = ["--player", "pvs,depth=1", "--player", "alphabeta,depth=2", "--random-plies", "4", "--concurrency", "1"]
GAMES = 10
END = "XXXXXXX-XXXXXXOOXXXXOOO-XXXOOOOOXXOXOOO-XXXOOXOOXXOOOOOO-XXXXXXX X"
PGN = ('[Event "x"]\n[Site "?"]\n\n1. e4 {a comment} e5 2. Nf3 (2. f4 exf4) Nc6 $1 *\n\n' * 3)
MAT = '; [Place "here"]\n\n 1 point match\n\n Game 1\n us : 0                    them : 0\n  1) 31: 8/5 6/5\n      Wins 1 point\n'
faults = []


def run(words, extra=()):
    return subprocess.run([PROGRAM, *words], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120,
                          env={**os.environ, "LC_ALL": "C", **dict(extra)}, check=False)


def without_times(text):
    """What a command prints, without what the clock has said."""
    if text.startswith("{"):
        def cut(value):
            if isinstance(value, dict):
                return {key: cut(part) for key, part in value.items() if "second" not in key and key not in ("started", "threads")}
            return [cut(part) for part in value] if isinstance(value, list) else value
        try:
            return cut(json.loads(text))
        except json.JSONDecodeError:
            pass
    return re.sub(r"[0-9.]+( [kMG])? (nodes/s|M/s|s\b)", "?", text)


def nothing_left():
    """A command that writes no file has written none."""
    return sorted(name for name in os.listdir(".") if not name.startswith("."))


def converted():
    """The file is there as a whole or not at all."""
    names = [name for name in os.listdir(".") if name.startswith("out")]
    return {name: open(name, "rb").read() for name in names}


def games_of(file):
    """All that an arena's file holds but times; an empty text if there is no arena in it."""
    shown = run(["results", "moves", "--json", "--db", file]) if os.path.exists(file) else None
    return without_times(shown.stdout) if shown and shown.returncode == 0 else ""


def resumed():
    """Whatever has happened to an arena, it can be gone on with, and its games are then those of one without faults."""
    if not os.path.exists("out.db"):
        return {}
    done = run(["arena", "othello", *PLAYERS, "--games", str(GAMES), "--db", "out.db", "--resume"])
    if done.returncode != 0:
        return {"out.db": "cannot be resumed: " + done.stderr}
    return {"out.db": games_of("out.db")}


def merged():
    """What was not joined can be joined by the same command."""
    if not os.path.exists("out.db"):
        return {}
    done = run(["results", "merge", "out.db", ".games.db"]) if not games_of("out.db") else None
    if done and done.returncode != 0:
        return {"out.db": "cannot be made again: " + done.stderr}
    return {"out.db": games_of("out.db")}


def booked():
    """Whatever has happened to a book, the same command goes on with it, and it is then the one without faults."""
    if not os.path.exists("out.book"):
        return {}
    done = run(BOOK)
    return {"out.book": open("out.book", encoding="utf-8").read() if done.returncode == 0 else done.stderr}


def harvested():
    """Whatever has happened to a harvest, the same command goes on with it, and its file is then the one without faults."""
    if not os.path.exists("out.games"):
        return {}
    done = run(HARVEST)
    return {"out.games": open("out.games", "rb").read() if done.returncode == 0 else done.stderr}


RESULTS = ["--db", ".games.db"]
BOOK = ["book", "othello", "out.book", "--positions", "5", "--strategy", "pvs,nodes=50,hash=1"]
HARVEST = ["harvest", "halma", "out.games", "--games", "3", "--strategy", "pvs,depth=1,hash=1", "--plies", "20", "--threads", "1"]
TRAIN = ["--passes", "1", "--threads", "1", "--width", "16", "--output", "out.net"]
ARENA = ["arena", "othello", *PLAYERS, "--games", str(GAMES)]
# The command, and what it leaves behind.
COMMANDS = [
    (["moves", "othello", "--json"], nothing_left),
    (["moves", "backgammon", "--moves", "31"], nothing_left),
    (["games", "--json"], nothing_left),
    (["search", "othello", "--strategy", "pvs,depth=3,hash=1"], nothing_left),
    (["search", "othello", "--strategy", "pvs,depth=3,hash=1", "--json"], nothing_left),
    (["search", "othello", "--strategy", "alphabeta,split=ybwc,threads=2,depth=3,deterministic=on", "--json"],
     nothing_left),
    (["search", "othello", "--strategy", "mcts,iterations=100,memory=1", "--json"], nothing_left),
    (["search", "backgammon", "--moves", "31", "--strategy", "1-ply", "--json"], nothing_left),
    (["rollout", "backgammon", "--dice", "31", "--truncate", "1", "--games", "4", "--threads", "2", "--json"], nothing_left),
    (BOOK, booked),
    (["book", "othello", ".o.book", "show", "--moves", "f5"], nothing_left),
    (["search", "othello", "--strategy", "pvs,depth=3,hash=1,book=.o.book"], nothing_left),
    (["fit-cuts", "othello", "--positions", "20", "--plies", "0", "--depth", "3", "--stage", "60", "--threads", "1", "--output",
      "out.cuts"], converted),
    (["perft", "othello", "3", "--divide", "--json"], nothing_left),
    (["solve", "othello", "--position", END, "--threads", "1", "--strategy", "pvs,hash=1", "--json"], nothing_left),
    (["epd", ".suite.epd", "--nodes", "300", "--strategy", "pvs,hash=1", "--json"], nothing_left),
    (["selfplay", "halma", "--strategy", "pvs,depth=1", "--plies", "6", "--json"], nothing_left),
    (["evaluations", "backgammon", "--json"], nothing_left),
    (["strategies", "othello", "--json"], nothing_left),
    (["analyse", ".games.pgn", "--depth", "2", "--strategy", "pvs,hash=1", "--output", "out.pgn", "--report", "out.html", "--fresh",
      "--concurrency", "1"], converted),
    (["analyse", ".match.mat", "--depth", "1", "--strategy", "expectiminimax", "--output", "out.mat", "--report", "out.html", "--fresh",
      "--concurrency", "1"], converted),
    (["analyse", ".games.pgn", "--depth", "2", "--strategy", "pvs,hash=1", "--fresh", "--concurrency", "1", "--json"], nothing_left),
    (HARVEST, harvested),
    (["train", "halma", ".h.games", *TRAIN], converted),
    (["search", "halma", "--strategy", "pvs,depth=2,hash=1,eval=network:.h.net", "--json"], nothing_left),
    (["tune", "chess", ".c.games", "--rounds", "2", "--threads", "1"], nothing_left),
    (["convert", "chess", ".games.pgn", "--to", "moves"], nothing_left),
    (["convert", "chess", ".games.pgn", "--output", "out.epd", "--each"], converted),
    (["convert", "chess", ".games.pgn", "--output", "out.pgn"], converted),
    (["convert", "backgammon:cube=on", ".match.mat", "--output", "out.mat"], converted),
    *((["results", view, *RESULTS, *form], nothing_left)
      for view in ("standings", "games", "moves", "thinking") for form in ([], ["--json"])),
    (["results", "export", *RESULTS], nothing_left),
    (["results", "merge", "out.db", ".games.db"], merged),
    (ARENA, nothing_left),
    ([*ARENA, "--json"], nothing_left),
    ([*ARENA, "--db", "out.db"], resumed),
]


class Loop:
    """One command with the faults of one kind."""

    def __init__(self, words, look, kind, folder):
        self.words, self.look, self.kind, self.folder = words, look, kind, folder
        self.runs = self.failed = 0

    def start(self, fault):
        """Runs the command in a clean folder."""
        for name in os.listdir("."):
            if not name.startswith("."):
                os.remove(name)
        return run(self.words, [("LD_PRELOAD", FAULTS), ("FAULT", f"{self.kind} {fault}"), ("FAULT_COUNT", ".count")])

    def is_part(self, left):
        """Of several files some may be missing; each is whole."""
        return not left or (isinstance(left, dict) and left.items() <= self.left.items())

    def judge(self, fault):
        try:
            done = self.start(fault)
        except subprocess.TimeoutExpired:
            return "does not end"
        self.runs += 1
        if done.returncode not in (0, 2):
            return f"exit code {done.returncode}, '{done.stderr.strip()}'"
        self.failed += done.returncode == 2
        if done.returncode == 0 and without_times(done.stdout) != self.output:
            return f"exit code 0 and another output: {done.stdout[-200:]!r}"
        # Where nothing can be written, no sentence can be either.
        if done.returncode == 2 and not done.stderr.strip() and not (self.kind == "write" and fault.endswith("+")):
            return "exit code 2 without a sentence"
        left = self.look()
        if left != self.left and not (done.returncode == 2 and self.is_part(left)):
            return f"exit code {done.returncode}, and it leaves {str(left)[:300]} instead of {str(self.left)[:300]}"
        return None

    def all(self):
        done = self.start("0")
        assert done.returncode == 0, done.stderr
        total = int(open(".count", encoding="ascii").read())
        self.output, self.left = without_times(done.stdout), self.look()
        numbers = list(range(1, total + 1))
        if "/" in SAMPLES:
            part, parts = map(int, SAMPLES.split("/"))
            numbers = numbers[part - 1::parts]
        elif SAMPLES != "all":
            picked = random.Random(f"{self.words} {self.kind}")
            numbers = picked.sample(numbers, min(total, int(SAMPLES)))
        for number in numbers:
            for fault in (str(number), f"{number}+"):
                wrong = self.judge(fault)
                if wrong:
                    faults.append(f"{self.kind} {fault} of {total} in `{' '.join(self.words)}`: {wrong}")
                    print(faults[-1], flush=True)
        if self.kind in ("memory", "write") and self.failed == 0:
            faults.append(f"no fault of kind {self.kind} made `{' '.join(self.words)}` fail")
            print(faults[-1], flush=True)
        return total


with tempfile.TemporaryDirectory() as scratch:
    os.chdir(scratch)
    with open(".games.pgn", "w", encoding="utf-8") as stream:
        stream.write(PGN)
    with open(".match.mat", "w", encoding="utf-8") as stream:
        stream.write(MAT)
    with open(".suite.epd", "w", encoding="utf-8") as stream:
        stream.write('1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - bm Qd1; id "BK.01";\n')
    for words in (["book", "othello", ".o.book", *BOOK[3:]], ["harvest", "halma", ".h.games", *HARVEST[3:]],
                  ["harvest", "chess", ".c.games", *HARVEST[3:]], ["train", "halma", ".h.games", *TRAIN[:-1], ".h.net"],
                  ["arena", "othello", *PLAYERS, "--games", "4", "--db", ".games.db"]):
        made = run(words)
        assert made.returncode == 0, made.stderr
    runs = 0
    for command, look in COMMANDS:
        if not re.search(WANTED, " ".join(command)):
            continue
        counts = []
        for kind in KINDS:
            loop = Loop(command, look, kind, scratch)
            counts.append(f"{loop.all()} {kind}")
            runs += loop.runs
        print(f"{' '.join(command)}: {', '.join(counts)}", flush=True)
print(f"{runs} runs")
sys.exit(f"{len(faults)} faults" if faults else 0)
