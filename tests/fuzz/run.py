#!/usr/bin/env python3
"""run.py [--keep] BUILD SECONDS KIND... - fuzzes each kind of text for every game that has it and two plug-ins: first
the committed corpus, then new inputs for SECONDS. A KIND is a file of this folder, without `.c`.

A game without a corpus begins with its initial position and its first moves, so a new game needs nothing here.
--keep goes on from what the last such run has found (BUILD/fuzz); otherwise every run begins alike."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

CORPUS = pathlib.Path(__file__).resolve().parent / "corpus"
# Kinds that are not for every game: the games that they are for.
OF_GAMES = {"book": ["othello"], "compare": ["othello"], "cuts": ["othello"], "gnubg": ["backgammon"],
            "gnubg_socket": ["backgammon"], "gtp": ["othello", "halma"], "halma_files": ["halma"], "mat": ["backgammon"],
            "nboard": ["othello"], "network": ["othello"], "results": ["othello"], "server": ["othello", "backgammon"],
            "ubgi": ["backgammon"]}
MOST_BYTES = {"book": 600, "compare": 8000, "network": 2000, "server": 1000}
# Files are many and short: where there is one, a folder in memory.
SCRATCH = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None


def ask(build, *arguments):
    return json.loads(subprocess.check_output([build / "manyply", *arguments, "--json"]))


def games(build, kind):
    """Pairs for a kind of text: a game's name in the corpus and its name for mp_game_open."""
    if kind in OF_GAMES:
        return [(name, name + ":cube=on" if kind == "mat" else name) for name in OF_GAMES[kind]]
    plugins = [str(build / "plugins" / f"{name}.so") for name in ("connect4", "circle")]
    found = [(game, game["name"]) for game in ask(build, "games")["games"]]
    found += [(ask(build, "games", plugin)["games"][0], plugin) for plugin in plugins]
    if kind == "strategy":  # games differ in the names of their evaluations only
        found = found[:1]
    if kind == "uci":  # the protocol of one game
        found = [pair for pair in found if pair[1] == "chess"]
    if kind == "position":  # with what is said about the cube
        found.append((found[0][0], "backgammon:cube=on,ids=xg"))
    return [(game["name"], name) for game, name in found if kind != "options" or game["options"]]


def first_inputs(build, game, kind):
    """Texts that every game has."""
    start = ask(build, "moves", game)
    return {"position": [start["position"]], "record": [start["moves"][0], " ".join(start["moves"][:2])],
            "formats": [f'd[Event "x"]\n\n1. {start["moves"][0]} $1 (1. {start["moves"][-1]} {{no}}) *\n',
                        "e" + " ".join(start["moves"][:1]), "f" + start["position"],
                        "g" + start["position"] + f' bm {start["moves"][0]}; id "x";'],
            "strategy": ["pvs,depth=3"], "options": ["size=8"],
            "uci": ["position startpos\ngo depth 2\n"], "server": ["{}\n" + json.dumps({"do": "play", "move": start["moves"][0]})]
            }.get(kind, [])


def prepare(build, kind, folder):
    """What a fuzzer finds where it is started."""
    if kind == "results":
        subprocess.run([build / "manyply", "arena", "othello", "--player", "random,seed=1", "--player", "random,seed=2",
                        "--games", "2", "--db", folder / "arena.db"], stdout=subprocess.DEVNULL, check=True)


def fuzz(build, kind, name, game, seconds, found, folder):
    """How many inputs there were; None: something is wrong."""
    found.mkdir(parents=True, exist_ok=True)
    for number, text in enumerate(first_inputs(build, game, kind)):
        (found / f"first-{number}").write_text(text)
    committed = [folder for folder in [CORPUS / kind / name] if folder.is_dir()]
    faults = build / "fuzz"
    faults.mkdir(exist_ok=True)
    command = [build / "tests" / "fuzz" / f"fuzz_{kind}", found, *committed, "-seed=1",
               f"-max_len={MOST_BYTES.get(kind, 400)}",
               "-timeout=10", f"-max_total_time={seconds}", "-print_final_stats=1",
               f"-artifact_prefix={faults}/{kind}-{name}-"]
    prepare(build, kind, folder)
    done = subprocess.run(command, env=dict(os.environ, MANYPLY_FUZZ_GAME=game), cwd=folder, capture_output=True,
                          text=True, errors="replace", check=False)
    if done.returncode != 0:
        print(done.stderr)
    runs = [line.split()[-1] for line in done.stderr.splitlines() if "number_of_executed_units" in line]
    print(f"{kind:12} {name:10} {runs[0] if runs else 'no':>9} inputs, exit code {done.returncode}", flush=True)
    return int(runs[0]) if done.returncode == 0 and runs else None


def main():
    arguments = sys.argv[1:]
    keep = arguments[0] == "--keep"
    build, seconds, *kinds = arguments[keep:]
    build, runs = pathlib.Path(build).resolve(), []
    for kind in kinds:
        for name, game in games(build, kind):
            with tempfile.TemporaryDirectory(dir=SCRATCH) as scratch:
                folder = pathlib.Path(scratch)
                found = build / "fuzz" / kind / name if keep else folder / "found"
                runs.append(fuzz(build, kind, name, game, seconds, found, folder))
    if len(runs) > 1:
        print(f"{sum(filter(None, runs))} inputs in all, {runs.count(None)} of {len(runs)} targets failed")
    return 1 if None in runs else 0


sys.exit(main())
