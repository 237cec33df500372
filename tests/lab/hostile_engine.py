#!/usr/bin/env python3
"""hostile_engine.py MODE [MARK] - an engine that speaks UCI and is wrong in one way. As White it plays e2e4, as Black a7a6:
games of two plies need no more. MARK is a word by which its process is found."""
import os
import signal
import sys
import time

MODE = sys.argv[1]
OUT = sys.stdout.buffer
LONG = 1 << 20


def say(text):
    OUT.write(text if isinstance(text, bytes) else text.encode())
    OUT.flush()


def sleep():
    while True:
        time.sleep(1000)


def flood(part):
    while True:
        say(part * 1000)


def slowly(text):
    for byte in text.encode():
        say(bytes([byte]))
        time.sleep(0.001)


def die(number):
    os.kill(os.getpid(), number)


def keep_pipe():
    """A child that holds the pipe open, and does not care for the signals of its parent's group."""
    if os.fork() == 0:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        time.sleep(1000)
        os._exit(0)


def leave_child():
    keep_pipe()
    os._exit(0)


# What happens at a word of the protocol, instead of an answer. {} is the move that would be right.
AT_START = {"starts-and-sleeps": sleep, "starts-and-ends": lambda: os._exit(0), "starts-and-crashes": lambda: die(11),
            "starts-and-floods": lambda: flood(b"x\n"), "starts-with-zeros": lambda: flood(b"\0"),
            "starts-and-stops": lambda: die(19), "closes-input": lambda: os.close(0),
            "closes-output": lambda: (os.close(1), sleep()),
            "greets-in-binary": lambda: say(bytes(range(256)) * 40 + b"\n"),
            "greets-without-end": lambda: say("hello" * LONG + "\n"), "best-before-all": lambda: say("bestmove e2e4\n"),
            "child-keeps-pipe": keep_pipe}
AT_UCI = {"dies-at-uci": lambda: os._exit(1), "silent-at-uci": lambda: None, "half-uciok": lambda: say("uci"),
          "no-line-end": lambda: say("uciok"), "wrong-uciok": lambda: say("uciokay\nUCIOK\n uciok x\n"),
          "escapes-in-name": lambda: say("id name \x1b]0;owned\x07\x1b[31m\r\nuciok\n"),
          "long-name": lambda: say("id name " + "n" * LONG + "\nuciok\n"),
          "many-options": lambda: say("option name x type spin default 1 min 0 max 2\n" * 20000 + "uciok\n"),
          "uciok-many-times": lambda: say("uciok\n" * 1000), "latin-1": lambda: say(b"id name J\xf6rg\xff\nuciok\n"),
          "carriage-returns": lambda: say("uciok\r\n")}
AT_READY = {"dies-at-isready": lambda: os._exit(0), "silent-at-isready": lambda: None,
            "crashes-at-isready": lambda: die(6), "best-when-ready": lambda: say("bestmove h2h4\nreadyok\n"),
            "info-for-ever": lambda: flood(b"info string waiting\n")}
AT_GO = {"dies-at-go": lambda: os._exit(0), "crashes-at-go": lambda: die(11), "stops-at-go": lambda: die(19),
         "silent-at-go": lambda: None, "dies-in-its-line": lambda: (say("bestm"), os._exit(0)),
         "leaves-a-child": leave_child, "floods-at-go": lambda: flood(b"info depth 1 score cp 1 nodes 1 pv e2e4\n"),
         "line-without-end": lambda: flood(b"bestmove e2e4"), "zeros-at-go": lambda: flood(b"\0"),
         "half-a-move": lambda: say("bestmove e2e4"), "no-move": lambda: say("bestmove \n"),
         "bare-bestmove": lambda: say("bestmove\n"),
         "null-move": lambda: say("bestmove 0000\n"), "none": lambda: say("bestmove (none)\n"),
         "resigns": lambda: say("bestmove resign\n"), "illegal": lambda: say("bestmove e1e3\n"),
         "of-another-game": lambda: say("bestmove 24/23 13/11\n"), "a-sentence": lambda: say("bestmove I think e2e4\n"),
         "a-format": lambda: say("bestmove %s%n%s%n\n"), "escapes": lambda: say("bestmove \x1b[2J\x1b]0;x\x07\n"),
         "promotes-to-king": lambda: say("bestmove a7a8k\n"), "far-off": lambda: say("bestmove z9z9\n"),
         "long-move": lambda: say("bestmove " + "e2e4" * LONG + "\n"), "binary-move": lambda: say(b"bestmove \xff\xfe\x01\n"),
         "twice": "bestmove {}\nbestmove {}\n", "with-ponder": "bestmove {} ponder e7e5\n", "tabs": "bestmove \t{}\t\n",
         "many-infos": "info depth 1 score cp 1 nodes 1 pv e2e4\n" * 20000 + "bestmove {}\n",
         "long-info": "info string " + "x" * LONG + "\nbestmove {}\n",
         "wrong-infos": "info\ninfo depth\ninfo depth x score cp\ninfo nodes 99999999999999999999 score cp -99999999999999 "
                        "depth -1 seldepth 2147483648\ninfo score mate 0 nodes -5\ninfo pv pv pv\nbestmove {}\n",
         "zeros-in-info": "info string a\0b score cp 1\nbestmove {}\n", "escapes-in-info": "info string \x1b[2J\nbestmove {}\n",
         "noise": "go\nposition\nquit\nuciok\nreadyok\nerror\n\n\n   \nbestmove {}\n"}


def answer(table, good, move=""):
    what = table.get(MODE, good)
    if isinstance(what, str):
        say(what.replace("{}", move))
    else:
        what()


def main():
    if MODE in AT_START:
        AT_START[MODE]()
    if MODE == "fills-errors":
        sys.stderr.write("no\n" * 100000)
    moves = ""
    for line in sys.stdin:
        word = line.split()[0] if line.split() else ""
        if word == "uci":
            answer(AT_UCI, "id name hostile\nuciok\n")
        elif word == "isready":
            answer(AT_READY, "readyok\n")
        elif word == "position":
            moves = line.partition(" moves ")[2]
        elif word == "go" and MODE == "slow-bytes":
            slowly(f"info depth 1 score cp 1\nbestmove {'a7a6' if moves else 'e2e4'}\n")
        elif word == "go":
            answer(AT_GO, "bestmove {}\n", "a7a6" if moves else "e2e4")
        elif word == "quit" and MODE == "ignores-quit":
            sleep()
        elif word == "quit":
            break
    if MODE == "ignores-the-end":
        sleep()


if sys.argv[1] == "--modes":
    print("\n".join([*AT_START, *AT_UCI, *AT_READY, *AT_GO]))
else:
    main()
