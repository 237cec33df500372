#!/usr/bin/env python3
"""python_leaks.py LIBRARY [SEARCHES] - nothing is lost over many searches from Python.

LIBRARY was built by clang with its AddressSanitizer. Starts itself again with the runtime of that in front; makes SEARCHES (10,000)
small searches of all games, with progress, errors, stops, copies of positions, drawings and traces; and then has the
sanitizer look for memory that nothing refers to any more. What was not asked for in the library is the interpreter's business.
In the end some positions are lost on purpose: those must be found, and no more."""
import ctypes
import os
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve()
ROOT = HERE.parents[2]
STRATEGIES = [("othello", "pvs,depth=3,hash=1"), ("chess", "alphabeta,depth=2"), ("halma", "pvs,depth=2,hash=1"),
              ("backgammon", "star2,depth=1"), ("othello", "mcts,iterations=50,memory=1"),
              ("othello", "pvs,depth=4,split=ybwc,threads=2,hash=1")]
TRACED = 5
LOST = 100
LEAK = re.compile(r"(\w+) leak of \d+ byte\(s\) in (\d+) object\(s\) allocated from:\n((?:\s+#.*\n)+)")


class Enough(Exception):
    pass


def one_search(mp, games, number):
    """Everything anew, so that each kind of object is made and freed."""
    name, strategy = STRATEGIES[number % len(STRATEGIES)]
    game = mp.Game(name) if number % 100 < len(STRATEGIES) else games[name]
    position = game.position()
    if position.is_chance:
        position = position.play(position.throw(seed=number + 1))
    search, seen = mp.Search(game, strategy), []
    traced = number % len(STRATEGIES) == TRACED
    if traced:
        search.follow()
    result = search.run(position, progress=seen.append)
    after = position.play(result.move)
    assert result.move in position.moves() and after.text != position.text and seen
    if traced and number % 60 == TRACED:
        assert search.trace() and position._repr_svg_()
    if number % 50 == 0:
        provoke_errors(mp, game, position, search)


def provoke_errors(mp, game, position, search):
    def stop(row):
        raise Enough

    for what in (lambda: mp.Game("tetris"), lambda: mp.Search(game, "pvs,dept=3"), lambda: position.play("zz"),
                 lambda: game.position("nonsense"), lambda: search.run(position, depth=-1),
                 lambda: search.run(position, progress=stop)):
        try:
            what()
        except (mp.Error, Enough):
            continue
        raise AssertionError("no error where one was expected")


def work(count):
    sys.path.insert(0, str(ROOT / "python"))
    import manyply as mp
    ctypes.CDLL(os.environ["MANYPLY_LIBRARY"])  # stays loaded, so that the report knows its functions
    games = {name: mp.Game(name) for name, _ in STRATEGIES}
    for number in range(count):
        one_search(mp, games, number)
    position = games["othello"].position()
    for _ in range(LOST):
        mp._library.lib.mp_position_copy(position._position, mp._library.ffi.NULL)
    print(f"{count} searches", flush=True)


def main():
    library, count = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "10000"
    sanitizer = subprocess.run(["clang", f"-print-file-name=libclang_rt.asan-{os.uname().machine}.so"], check=True, capture_output=True,
                               text=True).stdout.strip()
    done = subprocess.run([sys.executable, str(HERE), "--work", count], capture_output=True, text=True,
                          env=dict(os.environ, MANYPLY_LIBRARY=library, LD_PRELOAD=sanitizer, PYTHONMALLOC="malloc",
                                   PYTHONDONTWRITEBYTECODE="1", ASAN_OPTIONS="detect_leaks=1"))
    report = done.stderr
    if f"{count} searches" not in done.stdout or "ERROR: AddressSanitizer" in report or "runtime error" in report:
        sys.exit(f"exit code {done.returncode}: {done.stdout}{report[-8000:]}")
    leaks = [leak for leak in LEAK.findall(report) if "libmanyply" in leak[2] or str(ROOT / "src") in leak[2]]
    ours = [leak for leak in leaks if "mp_position_copy" not in leak[2]]
    copies = sum(int(objects) for kind, objects, places in leaks if kind == "Direct" and "mp_position_copy" in places)
    if ours:
        sys.exit("lost:\n" + "\n".join(f"{objects} objects from\n{places}" for _, objects, places in ours[:20]))
    # A pointer that a register still holds hides one or two.
    if not LOST - 5 <= copies <= LOST:
        sys.exit(f"{copies} copies of a position are lost, expected {LOST}\n{report[-4000:]}")
    print(f"{done.stdout.strip()}, nothing is lost but what was on purpose")


if sys.argv[1:2] == ["--work"]:
    work(int(sys.argv[2]))
else:
    main()
