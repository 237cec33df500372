#!/usr/bin/env python3
"""Checks that includes point down only: cluster -> cli -> protocols, server -> analysis -> lab -> records, kit -> manyply.c,
position.c -> engine -> strategy -> parallel -> search -> gpu -> games -> base. A game knows no other game and no search, a search names no game; a protocol or a
form of records may be that of one game."""
import pathlib
import re
import sys

RANKS = {"base": 0, "network": 0.5, "games": 1, "gpu": 1.5, "search": 2, "parallel": 3, "strategy": 4, "engine": 5, "manyply.c": 6, "position.c": 6, "drawing.c": 6,
         "records": 7, "kit": 7, "lab": 8, "analysis": 8.5, "reports": 9, "protocols": 9, "server": 9, "cli": 10, "cluster": 11}
PUBLIC = {"manyply/game.h": 0.5, "manyply/manyply.h": 2}  # the lowest rank that may see it


def fault(source, included):
    """Why source (a path below src) may not include this, or None."""
    from_parts, to_parts = source.split("/"), included.split("/")
    room, other = from_parts[0], to_parts[0]
    if room not in RANKS:
        return f"folder {room} has no place in the order of tests/house/includes.py"
    if included in PUBLIC:
        return None if RANKS[room] >= PUBLIC[included] else "looks up to the public interface"
    if other not in RANKS:
        return "is not a path from src, expected such as base/text.h"
    if included == "reports/chess-pm/chess_pm.h" and source == "games/games.c":  # the list of all games
        return None
    if RANKS[other] > RANKS[room] or (RANKS[other] == RANKS[room] and other != room):
        return f"{room} may not look at {other}"
    if other == "games" and len(to_parts) == 3:  # a header of one game
        same_game = len(from_parts) == 3 and from_parts[:2] == to_parts[:2]
        if not same_game and source != "games/games.c" and room not in ("protocols", "records"):
            return f"only games/games.c, protocols, records and {'/'.join(to_parts[:2])} may name this game"
    return None


def check_rules():
    """The rules themselves: what must be found, and what must not."""
    for source, included in [("games/othello/a.c", "search/node.h"), ("base/a.c", "games/games.h"),
                             ("base/a.c", "manyply/game.h"), ("games/othello/a.c", "manyply/manyply.h"),
                             ("games/othello/a.c", "games/chess/chess.h"), ("protocols/a.c", "cli/cli.h"),
                             ("search/a.c", "games/othello/othello.h"), ("search/a.c", "parallel/pool.h"),
                             ("parallel/a.c", "lab/bench.h"), ("search/a.c", "node.h")]:
        assert fault(source, included), f"{source} may include {included}"
    for source, included in [("games/games.c", "games/othello/othello.h"), ("cli/a.c", "base/text.h"),
                             ("games/othello/a.c", "games/othello/board.h"), ("manyply.c", "parallel/pool.h"),
                             ("search/a.c", "manyply/manyply.h"), ("lab/a.c", "parallel/pool.h"),
                             ("cli/a.c", "protocols/uci.h"), ("protocols/a.c", "games/chess/chess.h")]:
        assert not fault(source, included), f"{source} may not include {included}"


def main():
    check_rules()
    root = pathlib.Path(sys.argv[1]) / "src"
    count, faults = 0, []
    for path in sorted(root.rglob("*.[ch]")):
        source = path.relative_to(root).as_posix()
        for number, line in enumerate(path.read_text().splitlines(), 1):
            match = re.match(r'\s*#\s*include\s*"([^"]+)"', line)
            if not match:
                continue
            count += 1
            why = fault(source, match[1])
            if why:
                faults.append(f"src/{source}:{number}: includes \"{match[1]}\": {why}")
    print("\n".join(faults) or f"{count} includes, all point down")
    return 1 if faults or count == 0 else 0


sys.exit(main())
