#!/usr/bin/env python3
"""walk.py PROGRAM PAGE - walks the path of docs/add-a-game.md: every command there that begins with `$ ` is run word for
word, in one shell after the other, and must do what the page says. `serve` gets a free port in place of --open, and `play`
is given a move."""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

PROGRAM, PAGE = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2])

# What a command must print; one that is not here need only succeed.
PRINTS = {"manyply new-game": "is a small game that works", "manyply check": "mygame keeps its promises",
          "manyply play": "plays", "manyply serve": "http://127.0.0.1:", "manyply search": "b",
          "manyply arena": "mcts"}


def serve(command, folder, environment):
    """Starts the server, waits until it listens and stops it; what it said by then."""
    words = command.replace("--open", "--port 0").split()
    with subprocess.Popen(words, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True) as process:
        said = process.stdout.readline()
        process.terminate()
        process.wait(timeout=30)
    return said


def run(command, folder, environment):
    if command.startswith("manyply serve"):
        return serve(command, folder, environment)
    done = subprocess.run(["bash", "-c", command], cwd=folder, env=environment, input="b2\n", capture_output=True, text=True,
                          timeout=120, check=False)
    assert done.returncode == 0, f"$ {command}\nexits with {done.returncode}:\n{done.stdout}{done.stderr}"
    return done.stdout


def main():
    commands = re.findall(r"^\$ (.*)$", PAGE.read_text(), re.MULTILINE)
    environment = dict(os.environ, PATH=os.path.dirname(PROGRAM) + ":" + os.environ["PATH"], LC_ALL="C.UTF-8")
    seen = set()
    with tempfile.TemporaryDirectory() as folder:
        place = folder
        for command in commands:
            if command.startswith("cd "):
                place = os.path.join(place, command[3:])
                assert os.path.isdir(place), f"$ {command}\nthere is no such folder"
                continue
            where = place
            said = run(command, where, environment)
            name = " ".join(command.split()[:2])
            seen.add(name)
            assert PRINTS.get(name, "") in said, f"$ {command}\nexpected '{PRINTS[name]}' in:\n{said}"
    missing = set(PRINTS) - seen
    assert not missing, f"the page does not mention {sorted(missing)} any more"
    print(f"{len(commands)} commands of {PAGE.name} work word for word")


main()
