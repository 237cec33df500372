#!/usr/bin/env python3
"""faults.py PROGRAM PLUGIN [REGEX] - the plug-in tests/fixtures/faulty.c breaks one promise of game.h at a time.
`manyply check` must find each fault (with REGEX in its name), say so in a sentence that names it, and exit with 1; no
other command may crash or hang on it."""
import os
import pathlib
import re
import signal
import subprocess
import sys

PROGRAM, PLUGIN = (os.path.abspath(path) for path in sys.argv[1:3])
CHOSEN = re.compile(sys.argv[3] if len(sys.argv) > 3 else "")
SOURCE = pathlib.Path(__file__).resolve().parents[1] / "fixtures" / "faulty.c"

# The fault, and what the sentence has to say about it (a regular expression).
FAULTS = {
    # The table.
    "name-null": "required member name",
    "name-upper": "name is 'Faulty Game', expected lower-case",
    "summary-null": "required member summary",
    "summary-escape": r"summary is '.x1b\[31mred', expected UTF-8",
    "players-escape": r"name of a player is '.x07', expected UTF-8",
    "evaluation-escape": r"summary of an evaluation is '.xff', expected UTF-8",
    "option-escape": r"summary of an option is 'a.x0ab', expected UTF-8",
    "players-null": "required member players",
    "abi-version": "version 77 of the game interface",
    "struct-size-0": "struct_size 0",
    "struct-size-huge": "struct_size 4294967295",
    "evaluation-size-0": "evaluation_size 0",
    "option-size-huge": "option_size 100000",
    "state-size-0": "required member state_size",
    "state-size-huge": "state_size is 1073741824, expected 1 to 65536",
    "margin-max-0": r"margin_max \(1 to 10000\)",
    "margin-max-huge": r"margin_max \(1 to 10000\)",
    "scoring-99": "scoring is 99",
    "chances-scoring": "MP_SCORE_POINTS .it has chances",
    "bounds-scoring": "MP_SCORE_POINTS .it has bounds",
    "solve-scoring": "MP_SCORE_WIN or MP_SCORE_MARGIN .it has solve",
    "history-key-missing": "history_key .it has drawn",
    "transform-missing": "transform .it has symmetry_count",
    "symmetry-negative": "symmetry_count is -1",
    "symmetry-huge": "symmetry_count is 2147483647",
    "play-null": "required member play",
    "evaluations-null": "required member evaluations",
    "evaluations-empty": "required member evaluations",
    "evaluate-null": "evaluation 'same' lacks its evaluate",
    "evaluations-alike": "two evaluations are called 'cells'",
    "playout-scale-negative": "playout_scale is -1",
    "kernels-no-source": "source and pack .it has kernels",
    "kernels-no-words": "state_words .1 to 64",
    "index-count-0": "index_count .it has index_moves",
    "index-count-huge": "index_count is 4294967295",
    "features-none": "features have 0 inputs",
    "features-views": "3 views",
    "features-prepare": "features have no list_child",
    "features-list-null": "features have .* expected a list",
    "features-range": "features.list gives input 2[012], expected less than 20",
    "features-past": "features.list gives 15 inputs, expected at most 11",
    "features-head": "features.head gives 2, expected less than 2",
    "ordering-size-0": "struct_size of its ordering",
    "board-size-huge": "struct_size of its board",
    "cells-missing": "move_cells .it has board",
    "noisy-missing": "there is list_quiet, expected list_noisy",
    "dice-units-0": "required member units_per_point",
    "dice-units-huge": "margin_max times units_per_point is",
    "options-many": "options has more than 8 entries",
    "option-default": "option 'size' is 9 by default, expected 1 to 3",
    "open-silent": "open returns false without a sentence",
    "open-fails": "the tables are missing",
    # The first state, and whose turn it is.
    "initial-past-size": "initial writes past the 11 bytes",
    "initial-crash": r"initial crashes \(SIGSEGV\)",
    "side-7": "side returns 7, expected 0 or 1",
    "side-minus-1": "side returns -1",
    "side-0": "side is 0 after player 0's move, expected 1",
    # Lists of moves.
    "list-capacity": "list writes past the capacity of 2",
    "list-far-past": r"list crashes \(SIGSEGV\)",
    "list-twice": "list lists the move 0 twice",
    "list-minus-1": "list returns -1, expected 0 to 4096",
    "list-million": "list returns 1000000, expected 0 to 4096",
    "list-what-fits": "list returns 9 with a capacity of 4096 and 0",
    "list-no-move": "list lists MP_NO_MOVE",
    "list-address": "list lists other moves for a copy of the state",
    "list-turns": "list lists other moves for a copy of the state",
    "list-crash": r"list crashes \(SIGSEGV\)",
    "list-hang": "list does not return",
    "list-exit": "list ends the process",
    "list-abort": r"list crashes \(SIGABRT\)",
    "list-recurses": r"list crashes \(SIGSEGV\)",
    "list-changes-state": "list changes the state it is given",
    "list-leaks": "keep [0-9]+ bytes of memory after they return",
    "list-eats-memory": "list crashes",
    "list-prints": "write [0-9]+ bytes to standard output",
    "list-hang-late": "list does not return within 2 s.*in the position",
    "list-crash-late": r"list crashes \(SIGSEGV\).*in the position",
    # Dice.
    "dice-minus-1": "chances returns -1",
    "dice-endless": "chances has outcomes 65 times in a row",
    "dice-capacity": "chances writes past the capacity of",
    "dice-weight-0": "outcome 2 of 2 the weight 0",
    "dice-weights-huge": "weights of chances add up to 8589934590",
    "dice-weights-past": "chances writes past the capacity",
    "dice-turns": "side is 1 after player 0's outcome of chance",
    "dice-bounds-narrow": "bounds says -3 to 3",
    "dice-bounds-order": "bounds says 1001 to 1000, expected the lower one first",
    "dice-final-value": "is worth 2000000",
    # Moves that are played, and how a game ends.
    "play-same-side": "side is 0 after player 0's move",
    "play-changes-from": "play changes the state it is given",
    "play-leaves-bytes": "play does not make the same state twice",
    "play-turns": "play does not make the same state twice",
    "play-past-size": "play writes past the 11 bytes",
    "margin-range": "(margin|playout) returns -?5",
    "drawn-turns": "drawn or history_key answers twice in two ways",
    "history-key-turns": "drawn or history_key answers twice in two ways",
    "transform-wrong": "transform 0 has 0 lines of 3 plies, expected 504",
    # Keys.
    "key-constant": "key is the same for",
    "key-address": "key is different for a copy",
    "key-forgets-cell": "key is the same for",
    "key-counts": "key is different for a copy",
    "key-forgets-side": "key is the same whoever is to move",
    # Texts.
    "print-hang": "print_position does not return",
    "print-crash": r"print_position crashes \(SIGABRT\)",
    "print-overrun": "print_position writes past the 3 bytes",
    "print-nothing": "print_position returns a length of 0",
    "print-huge": "print_position does not end its text",
    "print-long": "print_position returns a length of 6009",
    "print-unterminated": "print_position does not end its text",
    "print-forgets-side": "is another one after print_position and parse_position",
    "print-length": "print_position returns a length of 10 for a text of 11",
    "print-what-fits": "print_position returns 2 for a buffer of 3",
    "print-binary": r"print_position is '.xff.xfe.x01.*expected UTF-8 without control characters",
    "move-escape": r"print_move is '.x1b.*expected UTF-8",
    "parse-nothing": "parse_position does not read what print_position writes.*nothing can be read",
    "parse-silent": "parse_position refuses .* without a sentence",
    "parse-hang": "parse_position does not return",
    "parse-anything": "parse_position accepts '~this",
    "parse-other": "parse_position makes",
    "parse-wrong-side": "parse_position makes",
    "move-same": "is printed 'move', which is read as the move 0",
    "move-empty": "print_move returns a length of 0",
    "move-overrun": "print_move writes past the 2 bytes",
    "move-minus-1": "print_move does not end its text",
    "parse-move-nothing": "not read as it is printed: no move is known",
    "parse-move-first": "which is read as the move 0",
    "draw-overrun": "draw does not keep to a buffer of 3",
    "draw-length": "draw returns 0",
    "record-length": "print_record_move returns 7",
    # Evaluations.
    "evaluate-int-min": "evaluation 'cells' says -2147483648, expected -1000000 to 1000000",
    "evaluate-huge": "evaluation 'cells' says 1000001",
    "evaluate-proven": "evaluation 'cells' says 1048676",
    "evaluate-turns": "evaluation 'cells' says 1 and then 2 of the same state",
    "evaluate-divides": r"evaluate crashes \(SIGFPE\)",
    "evaluate-hang": "evaluate does not return",
    "evaluate-changes-state": "evaluate changes the state it is given",
    "children-wrong": "children of 'cells' says -2 after 'a3', expected -3",
    "children-enough": "children of 'cells' values 9 moves where",
    "children-count": "children of 'cells' values 8 of 9 moves",
    # Hooks.
    "count-wrong": "count returns 10, expected 9",
    "perft-hang": "perft does not return",
    "perft-wrong": "perft counts 43 leaves at depth 2.*and 42 without",
    "playout-hang": "playout does not return",
    "playout-range": "playout returns 2, expected -1 to 1",
    "playout-turns": "playout gives another margin",
    "solve-wrong": "the search .* finds the value .*, expected .*, as plain minimax says",
    "index-past": "index_moves writes more than the 9 indices",
    "index-range": "index_moves gives a move the index 9",
    "scored-capacity": "list_scored writes past the capacity of 2",
    "scored-range": "list_scored guesses 1000000",
    "scored-order": "list_scored with depth 1 does not list the moves of list in their order",
    "scored-count": "list_scored returns 10, expected 9",
    "noisy-illegal": "list_noisy lists the move 77",
    "noisy-many": "list_noisy returns 5000",
    "quiet-missing": "list_noisy and list_quiet return 8 moves together",
    "gains-zero": "gains says 0 of",
    "exchange-wrong": "exchange says that 'a3' gains more",
    "check-wrong": "gives_check of 'a3'",
    "null-in-check": "null_move skips a turn in check",
    "null-same-side": "null_move does not hand the turn over",
    "recall-first": "recall does not find 'b3'",
    "recall-anything": "recall finds the move",
    "parts-side": "parts returns 1",
    "parts-many": "parts returns 100",
    # The board.
    "board-huge": "1000 rows and 1000 columns, expected 1 to 400 cells",
    "board-empty": "0 rows and 3 columns",
    "board-form": "board has form 9",
    "board-pieces": "board puts the byte 10 on cell 0",
    "board-beyond": "board puts the byte 88 on cell 50",
    "cells-range": "move_cells names the cell 500",
    "cells-wrong": "is not what move_cells says",
    "cells-capacity": "move_cells writes past the capacity of 1",
    "cells-minus-1": "move_cells returns -1",
}

# Each ends at once on a game that is right. SLOW faults cost a second each time the plug-in is opened, or come after
# thousands of calls: one command is enough for them.
COMMANDS = [["moves", PLUGIN], ["perft", PLUGIN, "3"], ["search", PLUGIN, "--strategy", "pvs,depth=3"],
            ["search", PLUGIN, "--strategy", "mcts,iterations=50"], ["play", PLUGIN, "--strategy", "pvs,depth=2"]]
SLOW = re.compile(r"-hang|-late$|eats-memory")
SERVED = ["side-7", "board-huge", "print-hang"]


def run(fault, arguments, stdin=""):
    """The exit code and all that was printed; a hang is an error of this test."""
    done = subprocess.run([PROGRAM, *arguments], env=dict(os.environ, MANYPLY_FAULT=fault), input=stdin, timeout=60,
                          capture_output=True, text=True, errors="replace", check=False)
    return done.returncode, done.stdout + done.stderr


def check_fault(fault, sentence):
    wrong = []
    code, text = run(fault, ["check", PLUGIN, "--time", "2s"])
    sentences = [line for line in text.splitlines() if line.startswith("fault: ")]
    if code != 1 or not any(re.search(sentence, line) for line in sentences):
        wrong.append(f"check exits with {code}, expected 1 and '{sentence}':\n{text}")
    for command in COMMANDS[:1] if SLOW.search(fault) else COMMANDS:
        code, text = run(fault, command, stdin="b2\n")
        if code not in (0, 1, 2):
            name = signal.Signals(-code).name if code < 0 else code
            wrong.append(f"{command[0]} ends with {name}, expected an exit code of 0, 1 or 2:\n{text}")
    return wrong


def main():
    in_source = set(re.findall(r'(?:has|FAULT)\("([a-z0-9-]+)"', SOURCE.read_text()))
    assert in_source == set(FAULTS), f"not in both lists: {sorted(in_source ^ set(FAULTS))}"
    for right in ("", "dice"):
        code, text = run(right, ["check", PLUGIN, "--positions", "5"])
        assert code == 0 and "faulty keeps its promises" in text, f"without a fault ({right!r}):\n{text}"
    failed = 0
    for fault, sentence in FAULTS.items():
        for wrong in check_fault(fault, sentence) if CHOSEN.search(fault) else []:
            failed += 1
            print(f"{fault}: {wrong}")
    for fault in filter(CHOSEN.search, SERVED):
        code, text = run(fault, ["serve", PLUGIN, "--port", "0"])
        if code != 2:
            failed += 1
            print(f"{fault}: serve exits with {code}, expected 2:\n{text}")
    print(f"{len(list(filter(CHOSEN.search, FAULTS)))} faults, {failed} of the answers wrong")
    return failed > 0


sys.exit(main())
