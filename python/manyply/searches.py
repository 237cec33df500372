"""Searches, perft, and what strategies are made of."""
from __future__ import annotations

import _thread
import json
import os
import tempfile
import threading
from typing import Any, Callable, Iterable, Optional, Union

from . import _library as library
from ._library import Error, ffi, lib
from .games import Game, Move, Position

_COUNTERS = ("nodes", "leaves", "alpha_cuts", "beta_cuts", "table_probes", "table_hits", "tasks_created", "tasks_local",
             "tasks_stolen", "tasks_cancelled", "wasted_nodes", "max_ply", "iterations", "playouts")


class Result(list):
    """What a search has found. As a list it has a dict for each iteration (and line), ready for a data frame:
    `pandas.DataFrame(result)`. What was found in the end are its attributes."""

    move: Move  #: the best move
    value: int  #: for the side to move; `value_text` for people
    value_text: str
    pv: list[Move]  #: the line that both sides are expected to play
    depth: int
    seconds: float
    threads: int
    exact: bool  #: the value is that of plain minimax at this depth
    stopped: bool  #: a limit or a stop ended the search before its depth
    complete: bool  #: a deeper search would find the same
    standard_error: float  #: where games were sampled
    counters: dict[str, int]
    busy_seconds: list[float]  #: for each thread

    @property
    def nodes(self) -> int:
        return self.counters["nodes"]

    def __repr__(self) -> str:
        return (f"<{self.move} {self.value_text}, depth {self.depth}, {self.nodes} nodes in {self.seconds:.3f} s on "
                f"{self.threads} {'thread' if self.threads == 1 else 'threads'}>")


def _row(position: Position, so_far: Any) -> dict[str, Any]:
    """An iteration as a dict."""
    pv = position.line([so_far.pv[i] for i in range(so_far.pv_length)] or [so_far.move])
    nodes, seconds = so_far.counters.nodes, so_far.seconds
    return {"depth": so_far.depth, "line": so_far.line, "move": pv[0], "value": so_far.value,
            "value_text": position.game.value_text(so_far.value), "nodes": nodes, "seconds": seconds,
            "nodes_per_second": nodes / seconds if seconds > 0 else 0.0, "pv": " ".join(pv)}


def _fill(result: Result, position: Position, raw: Any) -> Result:
    row = _row(position, raw)
    result.move, result.value, result.value_text = row["move"], raw.value, row["value_text"]
    result.pv = position.line([raw.pv[i] for i in range(raw.pv_length)] or [raw.move])
    result.depth, result.seconds, result.threads = raw.depth, raw.seconds, raw.threads
    result.exact, result.stopped, result.complete = raw.exact, raw.stopped, raw.complete
    result.standard_error = raw.standard_error
    result.counters = {name: getattr(raw.counters, name) for name in _COUNTERS}
    result.busy_seconds = [raw.busy_seconds[i] for i in range(raw.threads)]
    return result


def _run_interruptible(run: Callable[[], Any], stop: Callable[[], None]) -> Any:
    """Runs something that takes long in a thread of its own, so that Ctrl-C (and the stop button of a notebook), which reach
    only Python's main thread, can stop it; then KeyboardInterrupt is raised."""
    if threading.current_thread() is not threading.main_thread():
        return run()
    outcome: list[Any] = []
    begun, done = threading.Event(), threading.Event()

    def work() -> None:
        begun.set()
        try:
            outcome.append((run(), None))
        except BaseException as error:  # to be raised where it is waited for
            outcome.append((None, error))
        done.set()

    try:  # a Thread's start and join would have waits of their own to be interrupted in
        _thread.start_new_thread(work, ())
        done.wait()
    except KeyboardInterrupt:
        stop()
        if begun.is_set():
            done.wait()
        raise
    value, error = outcome[0]
    if error:
        raise error
    return value


class Search:
    """A search by a strategy ("pvs,depth=8,split=ybwc"; None: the default of the game). Keys can be given by name too:
    `Search(game, "pvs", depth=8, split="ybwc", threads=2)`. What its table has learned is kept from run to run."""

    def __init__(self, game: Game, strategy: Optional[str] = None, **keys: Any):
        error = library.new_error()
        text = strategy.encode() if strategy else ffi.NULL
        plan = library.owned(library.check(lib.mp_strategy_new(game._game, text, error), error), lib.mp_strategy_free,
                             game._game)
        for key in sorted(keys, key=lambda name: name != "split"):  # threads= and others go with split=
            value = ("off", "on")[keys[key]] if isinstance(keys[key], bool) else str(keys[key])
            library.check(lib.mp_strategy_set(plan, key.encode(), value.encode(), error), error)
        self.game = game
        raw = library.check(lib.mp_search_with(plan, error), error)
        self._search = library.owned(raw, lib.mp_search_free, game._game)
        self.result: Optional[Result] = None  #: of the last run, also if that was interrupted

    @property
    def strategy(self) -> str:
        """With all its keys, as it runs."""
        return library.text_of(lib.mp_search_strategy(self._search))

    def run(self, position: Position, progress: Optional[Callable[[dict[str, Any]], Any]] = None, *, depth: int = 0,
            nodes: int = 0, seconds: float = 0, moves: Iterable[Union[str, Move]] = (), lines: int = 0) -> Result:
        """Searches until done. progress is called with each iteration as it ends (a dict, as the result has them); if it
        raises an exception, or Ctrl-C comes, the search stops, and `result` has what was found until then.

        depth, nodes and seconds are limits instead of the strategy's; moves: only these; lines: so many best moves."""
        result, raised, error = Result(), [], library.new_error()
        raw = library.sized("mp_result")

        def report(so_far: Any, context: Any) -> None:
            if so_far.bound or raised:
                return
            try:
                result.append(_row(position, so_far))
                if progress:
                    progress(result[-1])
            except BaseException as reason:  # not through C
                raised.append(reason)
                self.stop()

        callback = ffi.callback("mp_progress", report)
        limits = library.sized("mp_limits")
        codes = [move.code if isinstance(move, Move) else position.parse(move).code for move in moves]
        kept = ffi.new("mp_move[]", codes or [0])
        limits.depth, limits.nodes, limits.seconds, limits.lines = depth, nodes, seconds, lines
        limits.moves, limits.move_count = kept, len(codes)
        own = bool(depth or nodes or seconds)
        if (codes or lines) and not own:
            raise Error("moves and lines go with a limit of the run, expected depth, nodes or seconds too")

        def search() -> bool:
            if own:
                return lib.mp_search_run_within(self._search, position._position, limits, callback, ffi.NULL, raw, error)
            return lib.mp_search_run(self._search, position._position, callback, ffi.NULL, raw, error)

        try:
            done = _run_interruptible(search, self.stop)
        except KeyboardInterrupt:
            if raw.depth or raw.pv_length:
                self.result = _fill(result, position, raw)
            raise
        library.check(done, error)
        self.result = _fill(result, position, raw)
        if raised:
            raise raised[0]
        return result

    def stop(self) -> None:
        """Ends the run that is under way, from any thread."""
        lib.mp_search_stop(self._search)

    def forget(self) -> None:
        """The next run is as the first."""
        lib.mp_search_forget(self._search)

    def follow(self, slices: int = 1 << 14) -> None:
        """From the next run on, note what each thread does, for `trace`."""
        error = library.new_error()
        library.check(lib.mp_search_follow(self._search, slices, error), error)

    def trace(self) -> list[dict[str, Any]]:
        """What each thread did in the last run: pieces of work with name, thread, start and duration in seconds, and what the
        search says of each, ready for a data frame. `follow` first."""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "trace.json")
            self.write_trace(path)
            with open(path, encoding="utf-8") as file:
                events = json.load(file)["traceEvents"]
        return [{"name": event["name"], "thread": event["tid"], "start": event["ts"] / 1e6, "seconds": event["dur"] / 1e6,
                 **event.get("args", {})} for event in events if event.get("ph") == "X"]

    def write_trace(self, path: Union[str, os.PathLike]) -> None:
        """The same as a file for Perfetto and `manyply trace`."""
        error = library.new_error()
        library.check(lib.mp_search_write_trace(self._search, os.fsencode(path), error), error)

    def __repr__(self) -> str:
        return f"Search({self.game!r}, {self.strategy!r})"


def perft(position: Position, depth: int, threads: int = 1, drop_finished: bool = False) -> int:
    """The lines of play, this many plies deep."""
    error, leaves = library.new_error(), ffi.new("uint64_t *")
    library.check(lib.mp_perft(position._position, depth, threads, drop_finished, ffi.NULL, ffi.NULL, leaves, error), error)
    return leaves[0]


def _infos(at: Any, kind: str) -> list[Any]:
    found = []
    while True:
        info = library.sized(kind)
        if not at(len(found), info):
            return found
        found.append(info)


def algorithms() -> list[dict[str, Any]]:
    """How one thread can search."""
    return [{"name": library.text_of(i.name), "summary": library.text_of(i.summary), "exact": i.exact}
            for i in _infos(lib.mp_algorithm_at, "mp_info")]


def schemes() -> list[dict[str, Any]]:
    """How threads can share a search: split=."""
    return [{"name": library.text_of(i.name), "summary": library.text_of(i.summary)}
            for i in _infos(lib.mp_scheme_at, "mp_info")]


def keys() -> list[dict[str, Any]]:
    """The keys of strategies."""
    return [{"name": library.text_of(i.name), "summary": library.text_of(i.summary), "values": library.text_of(i.values),
             "algorithms": library.text_of(i.algorithms)} for i in _infos(lib.mp_key_at, "mp_key_info")]
