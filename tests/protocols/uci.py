#!/usr/bin/env python3
"""uci.py PROGRAM - talks UCI to the program as a board does, and as nobody should: what is answered, and that it
always answers."""
import queue
import random
import re
import subprocess
import sys
import tempfile
import threading

PATIENCE = 120  # seconds; generous, because the machine may be busy: nothing here measures time


class Engine:
    def __init__(self, program):
        self.process = subprocess.Popen([program, "engine", "uci"], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.lines = queue.Queue()
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.process.stdout:
            self.lines.put(line.decode().rstrip("\n"))
        self.lines.put(None)

    def send(self, *lines):
        for line in lines:
            data = line if isinstance(line, bytes) else line.encode()
            self.process.stdin.write(data + b"\n")
        self.process.stdin.flush()

    def until(self, start):
        """All lines up to the first that begins so."""
        got = []
        while True:
            line = self.lines.get(timeout=PATIENCE)
            assert line is not None, f"the engine ended before '{start}'; it had said {got[-3:]}"
            got.append(line)
            if line.startswith(start):
                return got

    def ask(self, start, *lines):
        self.send(*lines)
        return self.until(start)

    def ready(self):
        return self.ask("readyok", "isready")

    def quit(self):
        self.send("quit")
        assert self.process.wait(timeout=PATIENCE) == 0, "quit with an error"
        assert self.process.stderr.read() == b"", "nothing is said on stderr"


def bestmove(lines):
    return lines[-1].split()[1]


def nodes_of(lines):
    return int(re.search(r" nodes (\d+)", [line for line in lines if line.startswith("info depth")][-1])[1])


def says(lines, part):
    assert any(part in line for line in lines), f"'{part}' is missing in {lines}"


def silent(lines, part):
    assert not any(part in line for line in lines), f"'{part}' is in {lines}"


def introduces_itself(engine):
    lines = engine.ask("uciok", "uci")
    for name in ["Hash", "Threads", "MultiPV", "Ponder", "UCI_Chess960", "Move Overhead", "Clear Hash", "Strategy",
                 "Evaluation"]:
        says(lines, f"option name {name} type ")
    says(lines, "id name Manyply")
    engine.ready()


def searches_to_limits(engine):
    engine.send("ucinewgame", "position startpos moves e2e4 e7e5")
    lines = engine.ask("bestmove", "go depth 6")
    infos = [line for line in lines if line.startswith("info depth")]
    pattern = (r"info depth \d+ seldepth \d+ multipv 1 score (cp -?\d+|mate -?\d+)( lowerbound| upperbound)? "
               r"nodes \d+ nps \d+ hashfull \d+ time \d+ pv( [a-h][1-8][a-h][1-8][qrbn]?)+")
    for line in infos:
        assert re.fullmatch(pattern, line), line
    assert infos[-1].startswith("info depth 6 ")
    pv = infos[-1].split(" pv ")[1].split()
    assert lines[-1] == f"bestmove {pv[0]} ponder {pv[1]}", lines[-1]
    nodes = engine.ask("bestmove", "ucinewgame", "go nodes 5000")
    assert int(re.search(r"nodes (\d+)", nodes[-2])[1]) <= 5300
    engine.ask("bestmove", "go movetime 50")
    engine.ask("bestmove", "go wtime 300 btime 300 winc 10 binc 10")
    engine.ask("bestmove", "go wtime 1 btime 1 movestogo 1")
    engine.ask("bestmove", "go wtime -50 btime -50")
    engine.ask("bestmove", "go depth 0")


def searches_only_these_moves(engine):
    lines = engine.ask("bestmove", "position startpos", "go depth 4 searchmoves a2a3 h2h4")
    assert bestmove(lines) in ("a2a3", "h2h4")
    assert bestmove(engine.ask("bestmove", "go searchmoves b1a3 depth 3")) == "b1a3"
    lines = engine.ask("bestmove", "go depth 2 searchmoves e2e5 a2a3")
    says(lines, "go 'e2e5' is not understood, expected a legal move")
    assert bestmove(lines) == "a2a3"
    silent(lines, "searchmoves names no legal move")


def names_moves_once(engine):
    """A move that is named twice is one move, and one line."""
    lines = engine.ask("bestmove", "setoption name MultiPV value 5", "position startpos",
                       "go depth 3 searchmoves a2a3 a2a3 h2h4 a2a3 h2h4")
    last = [line for line in lines if line.startswith("info depth 3 ") and "bound" not in line]
    assert sorted(line.split(" pv ")[1].split()[0] for line in last) == ["a2a3", "h2h4"], last
    says(lines, "multipv 2 ")
    silent(lines, "multipv 3 ")
    engine.send("setoption name MultiPV value 1")
    # With nothing legal named, all moves are searched; b1 can take a queen, and that is not among those named.
    engine.send("position fen 7k/8/8/8/8/2q5/8/1N5K w - - 0 1")
    lines = engine.ask("bestmove", "go depth 2 searchmoves e2e5 banana")
    says(lines, "go searchmoves names no legal move, all moves are searched")
    assert bestmove(lines) == "b1c3"
    silent(engine.ask("bestmove", "go searchmoves depth 2"), "info string")


def finds_several_lines(engine):
    lines = engine.ask("bestmove", "setoption name MultiPV value 3", "position startpos", "go depth 5")
    last = [line for line in lines if line.startswith("info depth 5 ") and "bound" not in line]
    assert [re.search(r"multipv (\d)", line)[1] for line in last] == ["1", "2", "3"], last
    moves = [line.split(" pv ")[1].split()[0] for line in last]
    assert len(set(moves)) == 3 and bestmove(lines) == moves[0]
    # There are only two moves here.
    lines = engine.ask("bestmove", "position fen 7k/8/8/8/8/8/r7/1K6 w - - 0 1", "go depth 3")
    assert not any("multipv 3" in line for line in lines)
    engine.send("setoption name MultiPV value 1")


def finds_mates(engine):
    mate = "position fen 8/8/8/8/8/5k2/4q3/7K b - - 0 1"
    says(engine.ask("bestmove", mate, "go depth 3"), "score mate 1 ")
    says(engine.ask("bestmove", "position fen 6k1/5ppp/8/8/8/8/5PPP/R3K3 w Q - 0 1", "go mate 1"), "mate 1")
    lost = "position fen 7k/8/8/8/8/1r6/r7/3K4 w - - 0 1 moves d1c1 b3b8"
    lines = engine.ask("bestmove", lost, "go depth 4")
    says(lines, "score mate -1 ")


def answers_when_the_game_is_over(engine):
    lines = engine.ask("bestmove", "position fen R5k1/5ppp/8/8/8/8/8/K7 b - - 0 1", "go depth 3")
    says(lines, "score mate 0")
    assert bestmove(lines) == "(none)"
    lines = engine.ask("bestmove", "position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "go infinite", "stop")
    says(lines, "score cp 0")


def goes_on_past_draws(engine):
    """A draw that a player may claim is up to the board: positions are taken, and searched, as any others."""
    shuffle = "g1f3 g8f6 f3g1 f6g8"
    kings = "position fen 8/8/8/3k4/8/8/8/KB6 w - - 0 1"
    fifty = "position fen 4k3/p7/8/8/8/8/4P3/R3K3 w - - 99 80"
    for position, side in [
            (f"position startpos moves {shuffle} {shuffle}", "w"),
            (f"position startpos moves {shuffle} {shuffle} e2e4", "b"),
            (f"position startpos moves {' '.join([shuffle] * 200)} g1f3", "b"),
            (f"{fifty} moves a1b1", "b"),
            (f"{fifty} moves a1b1 e8d8 b1a1", "b"),
            ("position fen 4k3/8/8/8/8/8/4P3/R3K3 w - - 230 150", "w"),
            (kings, "w"),
            (f"{kings} moves b1a2", "b")]:
        engine.send(position)
        silent(engine.ready(), "info string")
        fen = next(line for line in engine.ask("Key:", "d") if line.startswith("Fen:"))
        assert fen.split()[2] == side, (position, fen)
        legal = {line.split(":")[0] for line in engine.ask("Nodes", "go perft 1") if re.match(r"[a-h]\d[a-h]\d", line)}
        for limit in ["depth 4", "nodes 500", "movetime 20"]:
            lines = engine.ask("bestmove", f"go {limit}")
            assert bestmove(lines) in legal, (position, limit, lines)
            says(lines, "info depth 1 ")
    # A pawn that promotes at once is better than all the moves that leave the draw where it is.
    lines = engine.ask("bestmove", "position fen 8/P6k/8/8/8/8/8/K7 w - - 120 99", "go depth 4")
    assert bestmove(lines) == "a7a8q", lines
    # Mate counts first, whatever the counter says.
    says(engine.ask("bestmove", "position fen k7/8/KQ6/8/8/8/8/8 w - - 140 99", "go depth 3"), "score mate 1 ")


def remembers_long_histories(engine):
    """What was repeated is known: the third time is a draw, the second is none, and what has not been there is worth what
    it is. Thousands of plies are a position as any other."""
    def score(history, move):
        rook = "position fen 4k3/8/8/8/8/8/8/R3K3 w - - 0 1 moves"
        lines = engine.ask("bestmove", f"{rook} {history}", f"go depth 1 searchmoves {move}")
        return int(re.search(r" score cp (-?\d+)", lines[-2])[1])

    shuffle = "a1b1 e8d8 b1a1 d8e8"
    for times, drawn in [(1, False), (2, True), (3, True), (10, True), (20, True)]:
        history = " ".join([shuffle] * times)
        assert (score(history, "a1b1") == 0) == drawn, (times, score(history, "a1b1"))
        assert score(history, "a1c1") > 300, times
    # What a pawn has moved past is not repeated: the counters begin again, and so does the counting.
    knights = " ".join(["g1f3 g8f6 f3g1 f6g8"] * 750)
    engine.send(f"position startpos moves {knights} e2e4 e7e5 {knights}")
    silent(engine.ready(), "info string")
    fen = next(line for line in engine.ask("Key:", "d") if line.startswith("Fen:"))
    assert fen == "Fen: rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 3000 3002", fen
    says(engine.ask("bestmove", "go depth 3"), "info depth 3 ")


def waits_for_stop(engine):
    engine.send("position startpos", "go infinite")
    engine.ready()
    engine.ask("bestmove", "stop")
    # A search that has come to its end holds its answer back, too.
    engine.send("position fen 7k/8/8/8/8/8/r7/1K6 w - - 0 1", "go infinite searchmoves b1c1 depth 1")
    engine.until("info depth 1")
    assert not any(line.startswith("bestmove") for line in engine.ready())
    engine.ask("bestmove", "stop")


def ponders(engine):
    engine.send("position startpos moves e2e4 e7e5", "go ponder wtime 1000 btime 1000")
    engine.until("info depth 3")
    assert not any(line.startswith("bestmove") for line in engine.ready())
    engine.ask("bestmove", "ponderhit")
    engine.send("go ponder wtime 60000 btime 60000")
    engine.ask("bestmove", "stop")
    engine.send("go ponder depth 2")
    engine.until("info depth 2")
    engine.ask("bestmove", "ponderhit")


def a_new_command_ends_the_search(engine):
    for command in ["go depth 3", "position startpos", "ucinewgame", "setoption name Hash value 2"]:
        engine.send("position startpos", "go infinite")
        engine.until("info depth 2")
        engine.ask("bestmove", command)
        if command.startswith("go"):
            engine.until("bestmove")
        engine.ready()


def keeps_the_old_position(engine):
    engine.send("position startpos moves d2d4")
    fen = [line for line in engine.ask("Key:", "d") if line.startswith("Fen:")]
    for bad in ["position startpos moves d2d5", "position startpos moves d2d4 d2d4", "position fen nonsense",
                "position", "position fen", "position moves e2e4", "position fen 8/8/8/8/8/8/8/8 w - - 0 1",
                "position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 moves e7e5",
                "position startpos moves " + "x" * 5000]:
        engine.send(bad)
        lines = engine.ready()
        says(lines, "info string ")
        says(lines, "; the position stays as it was")
        assert [line for line in engine.ask("Key:", "d") if line.startswith("Fen:")] == fen, bad


def castles_both_ways(engine):
    fen = "position fen 4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1"
    assert "e1g1" in " ".join(engine.ask("Nodes", fen, "go perft 1"))
    engine.send("setoption name UCI_Chess960 value true")
    assert "e1h1" in " ".join(engine.ask("Nodes", "go perft 1"))
    lines = engine.ask("Nodes", "position fen bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
                       "go perft 4")
    says(lines, "Nodes searched: 326672")
    engine.send("setoption name UCI_Chess960 value false", "position startpos")
    says(engine.ask("Nodes", "go perft 5"), "Nodes searched: 4865609")


def takes_options(engine):
    for line in ["setoption name Hash value banana", "setoption name Hash value -1", "setoption", "setoption name",
                 "setoption name Threads value 100000", "setoption name Strategy value banana", "setoption value 3",
                 "setoption name Evaluation value nothing", "setoption name Strategy value pvs,depth",
                 "setoption name UCI_Chess960 value perhaps", "setoption name MultiPV value 0"]:
        engine.send(line)
        says(engine.ready(), "info string ")
    engine.ask("bestmove", "setoption name Strategy value alphabeta", "setoption name Evaluation value material",
               "go depth 3")
    engine.ask("bestmove", "setoption name Strategy value pvs,selective=on,split=abdada",
               "setoption name Threads value 2", "go depth 6")
    says(engine.ask("for White", "eval"), "* material")
    engine.ask("bestmove", "setoption name Strategy value pvs,selective=on",
               "setoption name Evaluation value standard", "go depth 6")
    engine.send("setoption name Threads value 1", "setoption name Clear Hash", "setoption name Move Overhead value 30")
    engine.ready()


def plays_from_a_book(engine):
    """Where it is switched on, and where a move is asked for; an analysis is not answered from it."""
    with tempfile.TemporaryDirectory() as folder:
        book = folder + "/chess.book"
        subprocess.run([sys.argv[1], "book", "chess", book, "--positions", "21", "--strategy", "pvs,nodes=50,hash=1"],
                       stdout=subprocess.DEVNULL, check=True)

        def nodes(*lines):
            info = [line for line in engine.ask("bestmove", *lines) if " nodes " in line][-1]
            return int(info.split(" nodes ")[1].split()[0])
        engine.send("ucinewgame", "position startpos", f"setoption name BookFile value {book}")
        assert nodes("go depth 3") > 0
        engine.send("setoption name OwnBook value true")
        assert nodes("go depth 3") == 0
        assert nodes("go movetime 1000") == 0
        assert nodes("setoption name MultiPV value 2", "go depth 3") > 0
        assert nodes("setoption name MultiPV value 1", "position startpos moves e2e4 e7e5 g1f3", "go depth 3") > 0
        engine.send("setoption name BookFile value /nowhere/x.book")
        says(engine.ready(), "info string /nowhere/x.book: No such file or directory, expected a book")
        engine.send("position startpos")
        assert nodes("go depth 3") == 0  # the one before stays
        engine.send("setoption name OwnBook value false")
        assert nodes("go depth 3") > 0
        engine.send("setoption name BookFile value <empty>")


def sees_delays(_):
    """A clock that says much less than it should makes moves shorter, and `debug on` tells."""
    engine = Engine(sys.argv[1])

    def plan(clock):
        lines = engine.ask("bestmove", f"go {clock}")
        return [float(number) for number in re.findall(r"([0-9.]+) s", next(line for line in lines if "info string time" in line))]
    engine.send("debug on")
    usual = plan("movetime 300")
    assert usual == [0, 0.285, 0], usual
    plan("wtime 1000 btime 1000")
    soft, hard, lost = plan("wtime 100 btime 100")
    assert lost > 0.1 and soft <= hard < 0.05, (soft, hard, lost)
    shorter = plan("movetime 300")
    assert shorter[1] < usual[1] - 0.05, (usual, shorter)
    engine.send("debug off")
    assert not any("info string" in line for line in engine.ask("bestmove", "go wtime 100 btime 100"))
    engine.quit()


def bench_repeats(engine):
    counts = set()
    for _ in range(2):
        lines = engine.ask("Nodes/second", "bench 5")
        counts.add(next(line for line in lines if line.startswith("Nodes searched")))
    assert len(counts) == 1, counts
    # What it counts is the search alone, whatever the options are; and they are afterwards what they were.
    engine.send("position startpos moves e2e4")
    strange = ["Hash value 1", "Threads value 2", "MultiPV value 4", "UCI_Chess960 value true",
               "Strategy value alphabeta", "Evaluation value material"]
    engine.send(*(f"setoption name {option}" for option in strange))
    before = engine.ask("for Black", "eval") + engine.ask("Key:", "d")
    lines = engine.ask("Nodes/second", "bench 5")
    counts.add(next(line for line in lines if line.startswith("Nodes searched")))
    assert len(counts) == 1, counts
    assert engine.ask("for Black", "eval") + engine.ask("Key:", "d") == before
    lines = engine.ask("bestmove", "go depth 2")
    says(lines, "info depth 2 seldepth 2 multipv 4 ")  # alphabeta has no quiescence
    assert "e1h1" in " ".join(engine.ask("Nodes", "position fen 4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "go perft 1"))
    engine.send("setoption name Hash value 16", "setoption name Threads value 1", "setoption name MultiPV value 1",
                "setoption name UCI_Chess960 value false", "setoption name Strategy value pvs,selective=on",
                "setoption name Evaluation value standard", "position startpos")
    # A strategy of its own is told with the depth.
    for text, same in [("pvs,selective=on", True), ("pvs,selective=on,lmr=off", False)]:
        lines = engine.ask("Nodes/second", f"bench 5 {text}")
        assert (next(line for line in lines if line.startswith("Nodes searched")) in counts) == same, (text, lines)
    for bad in ["bench 5 banana", "bench 0", "bench five", "bench 5 pvs," + "x" * 5000]:
        engine.send(bad)
        says(engine.ready(), "info string ")
    # It leaves alone what searches have learned.
    first = nodes_of(engine.ask("bestmove", "ucinewgame", "go depth 8"))
    second = nodes_of(engine.ask("bestmove", "go depth 8"))
    engine.ask("bestmove", "ucinewgame", "go depth 8")
    engine.ask("Nodes/second", "bench 2")
    again = nodes_of(engine.ask("bestmove", "go depth 8"))
    assert again == second != first, (first, second, again)
    engine.send("bench 60")
    says(engine.ask("info string bench was stopped", "stop"), "stopped")


def survives_anything(engine):
    words = ["go", "stop", "position", "startpos", "fen", "moves", "e2e4", "e7e5", "setoption", "name", "value",
             "Hash", "Threads", "infinite", "ponder", "ponderhit", "depth", "nodes", "movetime", "wtime", "btime", "-1",
             "0", "1", "3", "99999999999999999999", "isready", "ucinewgame", "uci", "d", "eval", "searchmoves", "mate",
             "perft", "banana", "\x00", "\x7f", "é", "8/8/8/8/8/8/8/8", "w", "-", "KQkq", "debug", "on", "register",
             "MultiPV", "Strategy", "pvs,selective=on", "Clear Hash", "bench", "true", "UCI_Chess960", "none"]
    dice = random.Random(3)
    for _ in range(60):
        for _ in range(dice.randrange(1, 12)):
            line = " ".join(dice.choice(words) for _ in range(dice.randrange(1, 9)))
            engine.send("stop" if "Threads" in line or "bench" in line or "Hash" in line else line)
        engine.send("stop")
        engine.ready()
    for _ in range(50):
        engine.send(bytes(dice.randrange(256) for _ in range(dice.randrange(300))))
    engine.ready()
    engine.send("go perft 1000000000", "stop")
    engine.ready()
    engine.send("go infinite", "go infinite", "stop", "stop", "ponderhit", "go", "stop", "stop")
    engine.ready()
    noise = dice.randbytes(1 << 20).replace(b"\n", b" ")
    for _ in range(10):
        engine.process.stdin.write(noise)
    engine.send("")
    engine.ready()
    for _ in range(10):
        engine.process.stdin.write(dice.randbytes(1 << 18))
    engine.send("", "setoption name UCI_Chess960 value false", "position startpos")
    engine.ready()
    assert bestmove(engine.ask("bestmove", "go depth 3")) != "(none)"


def ends_with_its_input(program):
    """A search that ends by itself is finished; one that does not is given up."""
    for command, answer in [(b"go depth 5", b"bestmove"), (b"go infinite", b""), (b"bench 3", b"Nodes searched"),
                            (b"quit", b""), (b"", b"")]:
        done = subprocess.run([program, "engine", "uci"], input=command, capture_output=True, timeout=PATIENCE,
                              check=True)
        assert answer in done.stdout, (command, done.stdout)


def main():
    program = sys.argv[1]
    engine = Engine(program)
    for test in [introduces_itself, searches_to_limits, searches_only_these_moves, names_moves_once,
                 finds_several_lines, finds_mates, answers_when_the_game_is_over, goes_on_past_draws,
                 remembers_long_histories, waits_for_stop, ponders, a_new_command_ends_the_search, keeps_the_old_position,
                 castles_both_ways, takes_options, plays_from_a_book, sees_delays, bench_repeats, survives_anything]:
        print(test.__name__, flush=True)
        test(engine)
        engine.ready()
    engine.quit()
    ends_with_its_input(program)


if __name__ == "__main__":
    main()
