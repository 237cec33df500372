"""Manyply: search game trees on every core you have.

    import manyply as mp
    game = mp.Game("othello")              # or "chess", "backgammon:cube=on", "./connect4.so"
    position = game.position(moves="f5d6c3")
    result = position.search("pvs,depth=8")
    result.move, result.value              # the best move; as a list, the result has a dict for each iteration
    position.perft(6)
    mp.arena("othello", ["pvs,depth=4", "pvs,depth=2"], games=20, random_plies=6)

Positions do not change: `play` gives another one. In a notebook they draw themselves. Ctrl-C stops a search.
"""
from . import plots
from ._library import Error, lib as _lib, text_of as _text_of
from .games import Game, Move, Position, games
from .plots import Svg, Table, plot
from .program import analyse, arena, command, results, standings
from .searches import Result, Search, algorithms, keys, perft, schemes

__version__ = _text_of(_lib.mp_version())


def cpu_count() -> int:
    """The CPUs that this process may use."""
    return _lib.mp_cpu_count()


__all__ = ["Error", "Game", "Move", "Position", "Result", "Search", "Svg", "Table", "algorithms", "analyse", "arena", "command",
           "cpu_count", "games", "keys", "perft", "plot", "plots", "results", "schemes", "standings"]
