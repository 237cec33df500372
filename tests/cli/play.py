#!/usr/bin/env python3
"""play.py PROGRAM GAME [CHECK...] - plays at a pseudo-terminal as a person would.

A whole game is played against a quick engine by taking its hints. On the way: a bad move, Tab, undo, save, load;
then Ctrl-C during a long search (the engine moves at once) and at the prompt (the program leaves)."""
import os
import pty
import re
import select
import signal
import sys
import tempfile
import time

ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b[()][A-Z0-9]|\x07")
OVERWRITTEN = re.compile(r"[^\n]*\r(?=[^\r\n])")
PROMPT = re.compile(r"^[A-Za-z]*(?: throws)?> $", re.M)


def shown(text):
    """What is left to read of what was printed."""
    return ESCAPES.sub("", OVERWRITTEN.sub("", re.sub(r"\r+\n", "\n", text)))


class Player:
    """A program at a pseudo-terminal."""

    def __init__(self, *command):
        self.pid, self.terminal = pty.fork()
        if self.pid == 0:
            os.environ.update(TERM="xterm-256color", LC_ALL="C.UTF-8")
            os.execv(command[0], command)
        self.text = ""

    def read_until(self, pattern, seconds=60):
        """What was printed up to a match of the pattern, or to the end of the program. A line that is being edited
        is drawn in several goes, so nothing counts before there is silence."""
        limit = time.monotonic() + seconds
        while time.monotonic() < limit:
            plain = shown(self.text)
            match = pattern.search(plain)
            if match and not select.select([self.terminal], [], [], 0.02)[0]:
                self.text = plain[match.end():]
                return plain[:match.end()]
            if select.select([self.terminal], [], [], 0.2)[0]:
                try:
                    data = os.read(self.terminal, 65536)
                except OSError:
                    data = b""
                if not data:
                    return plain
                self.text += data.decode(errors="replace")
        sys.exit(f"no {pattern.pattern!r} after {seconds} s; printed so far: {self.text[-2000:]!r}")

    def type(self, line):
        os.write(self.terminal, line.encode())

    def ask(self, line):
        """Types a line and returns what is printed up to the next prompt."""
        self.type(line + "\n")
        self.read_until(re.compile(re.escape(line) + "\n"))
        return self.read_until(PROMPT).removeprefix(line + "\n")

    def leave(self, line):
        self.type(line)
        _, status = os.waitpid(self.pid, 0)
        os.close(self.terminal)
        return os.waitstatus_to_exitcode(status)


def check(condition, what, text):
    if not condition:
        sys.exit(f"{what}: {text!r}")


def hinted(answer):
    """The move of an answer to `hint`."""
    return [line for line in answer.split("\n") if "   (depth" in line][-1].split("   (")[0].strip()


def whole_game(program, game, strategy):
    player = Player(program, "play", game, "--strategy", strategy, "--seed", "7")
    player.read_until(PROMPT)
    check("`moves` lists" in player.ask("nonsense"), "a bad move is answered with the reason", game)
    check("hint" in player.ask("help"), "help lists the commands", game)
    check("no move of yours" in player.ask("undo"), "nothing to take back yet", game)
    moves = player.ask("moves")
    first = hinted(player.ask("hint"))
    check(first in moves, "the hint is among the moves", (first, moves))
    answer = player.ask(first)
    check("plays" in answer or "cannot move" in answer, "the engine answers", answer)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "game.json")
        check("saved" in player.ask("save " + path), "the game is saved", path)
        before = player.ask("moves")
        player.ask("undo")
        check(player.ask("moves").split() == moves.split(), "undo goes back to the same moves", moves)
        player.ask("load " + path)
        check(player.ask("moves").split() == before.split(), "load brings the position back", before)
        check("cannot be read" in player.ask("load " + path + "x"), "a missing file is an error", path)
    answer, turns = "", 0
    while not re.search(r" wins|draw\.", answer):
        # Where no rule ends a game that leads nowhere, as in chess-pm, a player gives up at last.
        answer = player.ask(hinted(player.ask("hint")) if turns < 80 else "resign")
        turns += 1
    check("over" in player.ask("e4"), "no move after the end", game)
    check(player.leave("quit\n") == 0, "quit leaves", game)
    return turns


def interrupts(program, game):
    player = Player(program, "play", game, "--time", "10m")
    player.read_until(PROMPT)
    player.type("hin\t\n")
    player.read_until(re.compile("depth"))
    os.kill(player.pid, signal.SIGINT)
    check(hinted(player.read_until(PROMPT)), "Ctrl-C ends the search with a move", game)
    player.type("\x03")
    _, status = os.waitpid(player.pid, 0)
    check(os.waitstatus_to_exitcode(status) == 0, "Ctrl-C at the prompt leaves", status)
    player = Player(program, "play", game, "--time", "10m", "--side", "none")
    player.read_until(re.compile("depth"))
    os.kill(player.pid, signal.SIGINT)
    player.read_until(re.compile("plays"))
    player.read_until(re.compile("depth"))
    os.kill(player.pid, signal.SIGKILL)
    os.waitpid(player.pid, 0)


def main():
    program, *games = sys.argv[1:]
    for game in games:
        dice = game == "backgammon"
        turns = whole_game(program, game, "expectiminimax,depth=1" if dice else "pvs,depth=2")
        print(f"{game}: a game of {turns} turns")
    interrupts(program, "chess")
    print("Ctrl-C as it should")


main()
