"""What the program `manyply` does, from Python: arenas, benchmarks, analyses. Its answers are those of --json (docs/json.md)."""
from __future__ import annotations

import json
import os
import pathlib
import shutil
import subprocess
from typing import Any, Optional

from ._library import Error


def _program() -> str:
    given = os.environ.get("MANYPLY_PROGRAM")
    built = pathlib.Path(__file__).resolve().parents[2] / "build" / "manyply"
    found = given or (str(built) if built.exists() else shutil.which("manyply"))
    if not found:
        raise Error("the program manyply is not to be found: install it, run `make` in the source, or set MANYPLY_PROGRAM")
    return found


def command(name: str, *arguments: str, **options: Any) -> Any:
    """Runs a sub-command and returns its JSON: `command("bench", "othello", strategy=["pvs,depth=8"], repeats=3)`. An option
    that may be repeated takes a list, a switch True; `random_plies` is --random-plies."""
    line = [_program(), name, *map(str, arguments)]
    for key, value in options.items():
        option = "--" + key.replace("_", "-")
        for one in value if isinstance(value, (list, tuple)) else [value]:
            if one is True:
                line.append(option)
            elif one is not None and one is not False:
                line += [option, str(one)]
    done = subprocess.run(line + ["--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode != 0:
        raise Error(done.stderr.strip() or f"manyply {name} ended with code {done.returncode}")
    return json.loads(done.stdout)


def arena(game: str, players: list[str], games: int = 100, **options: Any) -> dict[str, Any]:
    """Plays a match or a tournament and returns its standings: `arena("othello", ["pvs,depth=4", "pvs,depth=2"], games=20,
    random_plies=6)`. With db= the games are kept in a file."""
    return command("arena", game, player=players, games=games, **options)


def standings(db: str) -> dict[str, Any]:
    """The standings of an arena that was kept in a file."""
    return command("results", "standings", db=db)


def results(db: str, **options: Any) -> list[dict[str, Any]]:
    """The games of an arena, ready for a data frame. player=, against=, winner= choose."""
    return command("results", "games", db=db, **options)["games"]


def analyse(file: str, game: Optional[str] = None, **options: Any) -> dict[str, Any]:
    """The moves of games in a file, judged: `analyse("games.pgn", depth=10)["games"][0]["moves"]` is ready for a data
    frame."""
    return command("analyse", file, game=game, **options)["files"][0]
