"""Games, positions and moves."""
from __future__ import annotations

from typing import Any, Callable, Optional, Sequence, Union

from . import _library as library
from ._library import Error, ffi, lib

_MOST_MOVES = 4096


def games() -> list[str]:
    """The names of the built-in games."""
    names, index = [], 0
    while (name := lib.mp_game_name(index)) != ffi.NULL:
        names.append(library.text_of(name))
        index += 1
    return names


class Move(str):
    """A move as the game writes it ("e2e4"), with its number in the library (`code`). It is a string, so it can be
    printed, compared and put into tables as it is."""

    code: int

    def __new__(cls, text: str, code: int) -> "Move":
        move = super().__new__(cls, text)
        move.code = code
        return move


class Game:
    """A game: a built-in one ("chess"), one with options ("halma:rules=free") or a plug-in ("./connect4.so")."""

    def __init__(self, name: str = "chess"):
        error = library.new_error()
        self._game = ffi.gc(library.check(lib.mp_game_open(name.encode(), error), error), lib.mp_game_close)
        self.opened_as = name

    @property
    def name(self) -> str:
        return library.text_of(self._game.name)

    @property
    def summary(self) -> str:
        """One line for people."""
        return library.text_of(self._game.summary)

    @property
    def players(self) -> tuple[str, str]:
        """Who moves first and who second."""
        return library.text_of(self._game.players[0]), library.text_of(self._game.players[1])

    @property
    def has_dice(self) -> bool:
        return self._game.chances != ffi.NULL

    @property
    def evaluations(self) -> list[dict[str, str]]:
        """Ways to value a position; the first is the default."""
        found: list[dict[str, str]] = []
        while self._game.evaluations[len(found)].name != ffi.NULL:
            evaluation = self._game.evaluations[len(found)]
            found.append({"name": library.text_of(evaluation.name), "summary": library.text_of(evaluation.summary)})
        return found

    def position(self, text: Optional[str] = None, moves: str = "") -> "Position":
        """A position in the notation of the game, or the initial one, with moves played on it ("f5 d6 c3")."""
        error = library.new_error()
        raw = lib.mp_position_new(self._game, text.encode() if text else ffi.NULL, error)
        position = Position(self, library.check(raw, error))
        return position.play(moves) if moves else position

    def value_text(self, value: int) -> str:
        """A value for people: "+12", "win by 38", "loss in 4 plies"."""
        return library.printed(lib.mp_value_text, self._game, value)

    def __repr__(self) -> str:
        return f"Game({self.opened_as!r})"


class Position:
    """A position and how it came about. It does not change: `play` gives another one. Made by `Game.position`."""

    def __init__(self, game: Game, raw: Any, start: Optional[str] = None):
        self.game = game
        self._position = library.owned(raw, lib.mp_position_free, game._game)
        self.start = start or self.text  # the position with which it began

    # ---- What it is ------------------------------------------------------------------------------------------------

    @property
    def text(self) -> str:
        """In the notation of the game (FEN in chess)."""
        return library.printed(lib.mp_position_text, self._position)

    @property
    def side(self) -> int:
        """The player to move, or for whom the dice are thrown: 0 or 1."""
        return lib.mp_position_side(self._position)

    @property
    def player(self) -> str:
        return self.game.players[self.side]

    @property
    def is_over(self) -> bool:
        return lib.mp_position_is_over(self._position)

    @property
    def is_drawn(self) -> bool:
        """By a rule that leaves moves: repetition, a count of moves, too few pieces."""
        return lib.mp_position_drawn(self._position)

    @property
    def is_chance(self) -> bool:
        """Are the dice to be thrown?"""
        return lib.mp_position_is_chance(self._position)

    @property
    def margin(self) -> int:
        """Of a game that is over: by how much player 0 has won (below 0: lost)."""
        if not self.is_over:
            raise Error("the game is not over, expected a finished position")
        return lib.mp_position_margin(self._position)

    # ---- Moves -----------------------------------------------------------------------------------------------------

    def _move(self, code: int) -> Move:
        return Move(library.printed(lib.mp_position_move_text, self._position, code), code)

    def _list(self) -> tuple[Any, Any, int]:
        moves, weights = ffi.new("mp_move[]", _MOST_MOVES), ffi.new("uint32_t[]", _MOST_MOVES)
        return moves, weights, lib.mp_position_moves(self._position, moves, weights, _MOST_MOVES)

    def moves(self) -> list[Move]:
        """The legal moves, or the outcomes of the dice where they are to be thrown."""
        moves, _, count = self._list()
        return [self._move(moves[i]) for i in range(count)]

    def outcomes(self) -> list[tuple[Move, float]]:
        """What the dice can show, each with its probability; empty where a player is to move."""
        if not self.is_chance:
            return []
        moves, weights, count = self._list()
        total = sum(weights[i] for i in range(count))
        return [(self._move(moves[i]), weights[i] / total) for i in range(count)]

    def parse(self, text: str) -> Move:
        """A move from its text, in any spelling that the game reads."""
        error, move = library.new_error(), ffi.new("mp_move *")
        library.check(lib.mp_position_parse_move(self._position, text.encode(), move, error), error)
        return self._move(move[0])

    def play(self, *moves: Union[str, Move]) -> "Position":
        """The position after these moves: `play("e4", "e5")`, or a record in one text, `play("f5d6c3")`."""
        error = library.new_error()
        raw = library.check(lib.mp_position_copy(self._position, error), error)
        position = Position(self.game, raw, self.start)
        for move in moves:
            if isinstance(move, Move):
                done = lib.mp_position_play(position._position, move.code, error)
            else:
                done = lib.mp_position_play_text(position._position, move.encode(), error)
            library.check(done, error)
        return position

    def throw(self, seed: int = 1, game: int = 0, throws_before: int = 0) -> Move:
        """An outcome of the dice: the same for the same numbers, on every machine."""
        if not self.is_chance:
            raise Error("a player is to move, expected a position in which the dice are to be thrown")
        return self._move(lib.mp_position_throw(self._position, seed, game, throws_before))

    @property
    def played(self) -> list[Move]:
        """The moves and throws since the first position."""
        count = ffi.new("size_t *")
        codes = lib.mp_position_played(self._position, count)
        return self.game.position(self.start).line([codes[i] for i in range(count[0])])

    def record_text(self, move: Union[str, Move]) -> str:
        """A move as records of the game have it: SAN in chess."""
        code = move.code if isinstance(move, Move) else self.parse(move).code
        game = self.game._game
        if game.print_record_move == ffi.NULL:
            return str(self._move(code))
        return library.printed(game.print_record_move, game, lib.mp_position_state(self._position), code)

    def line(self, codes: Sequence[int]) -> list[Move]:
        """Moves by their numbers, each in the position in which it is made."""
        moves: list[Move] = []
        position = self
        for code in codes:
            moves.append(position._move(code))
            position = position.play(moves[-1])
        return moves

    # ---- Values ----------------------------------------------------------------------------------------------------

    def evaluate(self, evaluation: Optional[str] = None) -> int:
        """What an evaluation says without a search, for the side to move."""
        error, value = library.new_error(), ffi.new("mp_value *")
        name = evaluation.encode() if evaluation else ffi.NULL
        library.check(lib.mp_position_evaluate(self._position, name, value, error), error)
        return value[0]

    def search(self, strategy: Optional[str] = None, progress: Optional[Callable[[dict], Any]] = None,
               **limits: Any) -> Any:
        """Searches once; see `manyply.Search` for the arguments. `search("pvs,depth=8")`."""
        from .searches import Search

        return Search(self.game, strategy).run(self, progress=progress, **limits)

    def perft(self, depth: int, threads: int = 1, drop_finished: bool = False) -> int:
        """The lines of play, this many plies deep."""
        from .searches import perft

        return perft(self, depth, threads, drop_finished)

    # ---- Looks -----------------------------------------------------------------------------------------------------

    def svg(self, arrows: Sequence[Union[str, Move]] = (), colours: Sequence[str] = (), flipped: bool = False,
            width: int = 360) -> str:
        """The board as SVG, with moves as arrows; "" if the game does not describe a board."""
        moves = [move if isinstance(move, Move) else self.parse(move) for move in arrows]
        how = library.sized("mp_svg")
        how.flipped, how.width, how.arrow_count = flipped, width, len(moves)
        codes = ffi.new("mp_move[]", [move.code for move in moves] or [0])
        names = [ffi.new("char[]", colour.encode()) for colour in colours]
        pointers = ffi.new("char *[]", (names + [ffi.NULL] * len(moves))[:len(moves)] or [ffi.NULL])
        how.arrows = codes
        how.colours = ffi.cast("const char *const *", pointers)
        return library.printed(lib.mp_position_svg, self._position, how)

    def _repr_svg_(self) -> Optional[str]:
        return self.svg() or None

    def __str__(self) -> str:
        game = self.game._game
        if game.draw == ffi.NULL:
            return self.text
        return library.printed(game.draw, game, lib.mp_position_state(self._position))

    def __repr__(self) -> str:
        return f"<{self.game.name} {self.text}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and self.game.name == other.game.name and self.text == other.text

    def __hash__(self) -> int:
        return hash((self.game.name, self.text))
