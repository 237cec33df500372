#!/usr/bin/env python3
"""programs.py BESTMOVE TOURNAMENT PAGE - runs the programs of examples/library as their users would, wrong arguments and
Ctrl-C included, and as docs/library.md shows them. What depends on the time is not compared."""
import pathlib
import re
import shlex
import signal
import subprocess
import sys

BESTMOVE, TOURNAMENT, PAGE = sys.argv[1:4]
MATE = "6k1/5ppp/8/8/8/8/8/R6K w - - 0 1"
THREE_EMPTY = "X" * 57 + "OXOO--- X"


def run(*words):
    done = subprocess.run(words, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, f"{words}: exit code {done.returncode}, {done.stderr}"
    assert done.stderr == "", f"{words}: {done.stderr}"
    return done.stdout


def refuses(program, words, expected):
    """One sentence that says this, and exit code 2."""
    done = subprocess.run([program, *words], capture_output=True, text=True, timeout=300, check=False)
    name = program.rsplit("/", 1)[-1]
    assert done.returncode == 2, f"{name} {words}: exit code {done.returncode}, expected 2"
    assert re.fullmatch(rf"{name}: [^\n]*{re.escape(expected)}[^\n]*\n", done.stderr), f"{name} {words}: {done.stderr}"


# ---- bestmove -----------------------------------------------------------------------------------------------


def iterations(printed):
    """(depth, value, line) of each iteration, and the last line; they must fit together."""
    head, *rows, last = printed.splitlines()
    assert head.split() == ["depth", "value", "nodes", "expected", "line"], head
    found = []
    for row in rows:
        match = re.fullmatch(r" *(\d+) +(\S.*?) +(\d+)  (\S.*)", row)
        assert match and int(match[3]) > 0, row
        found.append((int(match[1]), match[2], match[4]))
    # A run that is stopped in an iteration reports once more if it has found a better move in it; one that is near the
    # end of the game goes there at once.
    depths = [depth for depth, _, _ in found]
    assert depths[0] == 1 and all(a < b for a, b in zip(depths, depths[1:-1])), depths
    assert len(depths) < 2 or depths[-1] >= depths[-2], depths
    end = re.fullmatch(r"move (\S.*) at depth (\d+) on [1-9]\d* threads(.*)", last)
    assert end and int(end[2]) == depths[-1], last
    assert found[-1][2].startswith(end[1]), f"{last} after {rows[-1]}"
    return found, end[1], end[3]


def check_bestmove():
    rows, move, how = iterations(run(BESTMOVE, "chess", "20", MATE))
    assert rows == [(1, "win in 1 ply", "a1a8")] and move == "a1a8" and how == ", stopped", rows
    rows, move, how = iterations(run(BESTMOVE, "othello", "20", THREE_EMPTY))
    assert rows[-1][1:] == ("win by 64", "f8 g8 h8") and how == ", and no depth would change it", rows
    for game, start, moves in [("othello", "start", "f5d6"), ("chess", "start", "e2e4 e7e5"),
                               ("backgammon", "start", "31 8/5 6/5 42")]:
        rows, _, how = iterations(run(BESTMOVE, game, "0.5", start, moves))
        value = r"[+-]\d\.\d{3}" if game == "backgammon" else r"[+-]\d+"
        assert re.fullmatch(value, rows[0][1]), f"{game}: {rows[0]}"
        assert how == ", stopped", f"{game}: {how}"
        if game != "backgammon":  # where the throws stand between the moves
            line = rows[min(3, len(rows) - 1)][2]
            iterations(run(BESTMOVE, game, "0.5", start, f"{moves} {line}"))  # is legal
    # Moves lead on from the start.
    rows, move, _ = iterations(run(BESTMOVE, "chess", "20", "start", "f2f3 e7e5 g2g4"))
    assert rows == [(1, "win in 1 ply", "d8h4")] and move == "d8h4", rows


def check_interrupt():
    with subprocess.Popen([BESTMOVE, "othello", "60"], stdout=subprocess.PIPE, text=True) as process:
        printed = "".join(process.stdout.readline() for _ in range(4))
        assert process.poll() is None, "iterations are not shown while the search goes on"
        process.send_signal(signal.SIGINT)
        printed += process.stdout.read()
    assert process.returncode == 0, f"exit code {process.returncode} after Ctrl-C"
    _, _, how = iterations(printed)
    assert how == ", stopped", printed


def check_bestmove_refuses():
    for words, expected in [([], "0 arguments, expected GAME SECONDS"), (["othello", "1", "start", "f5", "x"], "5 arguments"),
                            (["nogame", "1"], "unknown game 'nogame', expected"), (["othello", "soon"], "'soon' seconds"),
                            (["othello", "0"], "'0' seconds"), (["othello", "-1"], "'-1' seconds"),
                            (["othello", "1", "XO"], "2 squares, expected 64"),
                            (["othello", "1", "start", "f5a1"], "after 1 move: Othello move 'a1'"),
                            (["backgammon", "1"], "the dice are to be thrown"),
                            (["othello", "1", "X" * 64 + " X"], "the game is over")]:
        refuses(BESTMOVE, words, expected)


# ---- tournament -----------------------------------------------------------------------------------------------


def games(game, pairs, first, second):
    """The margins of all games for the first strategy; the sum at the end must be theirs."""
    printed = run(TOURNAMENT, game, str(pairs), first, second)
    *rows, total, against = printed.splitlines()
    names = ("White", "Black") if game != "othello" else ("Black", "White")
    margins = []
    for number, row in enumerate(rows):
        match = re.fullmatch(rf"game {number + 1}: the first is {names[number % 2]}, ([+-]\d+)", row)
        assert match, row
        margins.append(int(match[1]))
    assert len(margins) == 2 * pairs, printed
    won, lost = sum(m > 0 for m in margins), sum(m < 0 for m in margins)
    expected = f": {won} won, {len(margins) - won - lost} drawn, {lost} lost, {sum(margins):+d} in all"
    assert total.endswith(expected), f"{total}, expected {expected}"
    assert against.startswith("against "), against
    return margins, total.split(":")[0], against[8:]


def check_tournament():
    for game, player, most in [("othello", "alphabeta,depth=2", 64), ("chess", "pvs,nodes=300", 1),
                               ("backgammon", "star2,depth=1", 3)]:
        # A player against itself: what it wins in one game of a pair it loses in the other.
        margins, first, second = games(game, 4, player, player)
        assert first == second and first.startswith(player), f"{first} against {second}"
        assert all(one == -two for one, two in zip(margins[::2], margins[1::2])), f"{game}: {margins}"
        assert any(margins) and max(map(abs, margins)) <= most, f"{game}: {margins}"
        # Pairs begin differently.
        assert len(set(margins[::2])) > 1, f"{game}: {margins}"
        again, _, _ = games(game, 4, player, player)
        assert again == margins, f"{game}: {margins}, then {again}"
        # Better players win, whatever side they are.
        margins, first, _ = games(game, 2, "default", "random")
        assert min(margins) > 0, f"{game}, default against random: {margins}"
        assert game == "backgammon" or ",nodes=10000" in first, first
        margins, _, _ = games(game, 1, "random", "default")
        assert max(margins) < 0, f"{game}, random against default: {margins}"
    # Games that are drawn count as such.
    margins, _, _ = games("chess", 3, "random", "random")
    assert 0 in margins and any(margins), margins


def check_tournament_refuses():
    for words, expected in [([], "0 arguments, expected GAME PAIRS"), (["othello", "1", "random"], "3 arguments"),
                            (["nogame", "1", "random", "random"], "unknown game 'nogame'"),
                            (["othello", "0", "random", "random"], "'0' pairs"),
                            (["othello", "many", "random", "random"], "'many' pairs"),
                            (["othello", "9" * 30, "random", "random"], "9' pairs"),
                            (["othello", "1", "pvs,depth=x", "random"], "depth=x, expected 1 to 255"),
                            (["othello", "1", "random", "magic"], "unknown algorithm 'magic', expected one of"),
                            (["othello", "1", "pvs", "pvs,threads=2"], "threads=2 without split=")]:
        refuses(TOURNAMENT, words, expected)


# ---- The page ---------------------------------------------------------------------------------------------------


def check_page():
    """What follows `$ ./PROGRAM ...` is what it prints, but for the number of threads."""
    shown = re.findall(r"^```\n\$ \./(\S+) ([^\n]*)\n(.*?)^```$", pathlib.Path(PAGE).read_text(), re.MULTILINE | re.DOTALL)
    assert [name for name, _, _ in shown] == ["bestmove", "tournament"], shown
    for name, words, expected in shown:
        printed = run(BESTMOVE if name == "bestmove" else TOURNAMENT, *shlex.split(words))
        printed, expected = (re.sub(r"on \d+ threads", "on some threads", text) for text in (printed, expected))
        assert printed == expected, f"{name} {words} prints\n{printed}but the page says\n{expected}"


check_bestmove()
check_interrupt()
check_bestmove_refuses()
check_tournament()
check_tournament_refuses()
check_page()
print("bestmove and tournament do what docs/library.md says")
