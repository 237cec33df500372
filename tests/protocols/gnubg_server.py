#!/usr/bin/env python3
"""gnubg_server.py PROGRAM - `manyply engine gnubg` against a client that is not gnubg: good boards, garbage, half
lines, zero bytes, clients that leave in the middle of a line, several at once, answers that are ignored."""
import socket
import subprocess
import sys

BOARD = [0, -2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2, 0]


def request(board=None, turn=1, dice=(3, 1), doubled=0, match=0, cube=1, may=(1, 1)):
    numbers = [match, 0, 0, *(board or BOARD), turn, *dice, *dice, cube, *may, doubled, 1, -1, 0, 25, 0, 0, 0, 0, 0,
               0, 0, 1]
    return ":".join(["board:You:Them", *map(str, numbers)]).encode() + b"\n\0"


def after(board, *steps):
    """Player 1's chequers moved."""
    board = list(board)
    for start, end in steps:
        board[start] -= 1
        board[end] += 1
    return board


class Client:
    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=20)
        self.file = self.socket.makefile("rb")

    def send(self, data):
        self.socket.sendall(data)

    def ask(self, data):
        self.send(data)
        return self.file.readline()

    def close(self):
        self.file.close()
        self.socket.close()


def expect(what, found, wanted):
    if found != wanted:
        sys.exit(f"{what}: {found!r}, expected {wanted!r}")
    print(f"ok: {what}")


def talk(port):
    client = Client(port)
    expect("the opening 31", client.ask(request()), b"8/5 6/5\n")
    swapped = [-men for men in reversed(BOARD)]
    expect("player 0 counts from its own side", client.ask(request(swapped, turn=-1)), b"8/5 6/5\n")
    bar = [0] * 26
    bar[25], bar[1], bar[19:25] = 1, 14, [-2, -2, -2, -2, -2, -5]
    expect("no play is an empty line", client.ask(request(bar)), b"\n")
    home = [0] * 26
    home[1], home[24] = 2, -15
    expect("bearing off", client.ask(request(home)), b"1/off 1/off\n")
    expect("to throw", client.ask(request(dice=(0, 0), may=(0, 0))), b"roll\n")
    ahead = [0] * 26
    ahead[1], ahead[24] = 6, -7
    expect("far ahead in a race", client.ask(request(ahead, dice=(0, 0))), b"double\n")
    expect("the opponent's cube", client.ask(request(ahead, dice=(0, 0), cube=2, may=(0, 1))), b"roll\n")
    expect("nothing to double with", client.ask(request(BOARD, dice=(0, 0))), b"roll\n")
    expect("a double by who is far ahead", client.ask(request(ahead, dice=(0, 0), doubled=1)), b"drop\n")
    expect("a double too early", client.ask(request(BOARD, dice=(0, 0), doubled=1)), b"take\n")
    expect("a beaver", client.ask(request(BOARD, dice=(0, 0), doubled=1, cube=2, may=(0, 1))), b"take\n")
    client.send(request()[:30])
    client.send(request()[30:])
    expect("a line in two halves", client.file.readline(), b"8/5 6/5\n")
    client.send(request() + request(swapped, turn=-1))
    expect("two lines at once", [client.file.readline() for _ in range(2)], [b"8/5 6/5\n"] * 2)
    for name, garbage in [("an empty line", b"\n"), ("no board", b"hello\n"), ("a short board", b"board:a:b:1\n"),
                          ("bytes", bytes(range(128, 256)) + b"\n"), ("a long line", b"x" * 100000 + b"\n"),
                          ("letters", request().replace(b":3:1:", b":x:1:", 1)),
                          ("a seven", request(dice=(7, 1))), ("one die", request(dice=(0, 1))),
                          ("too many chequers", request(BOARD[:6] + [14] + BOARD[7:])),
                          ("a cube of 3", request(cube=3)), ("turn 0", request(turn=0)),
                          ("51 numbers", request().replace(b"\n\0", b":1\n\0"))]:
        expect(name + " is an error", client.ask(garbage)[:7], b"Error: ")
    expect("the same client goes on", client.ask(request()), b"8/5 6/5\n")

    rude = Client(port)
    rude.send(request()[:40])
    rude.close()
    hasty = Client(port)
    hasty.send(request() * 50)
    hasty.close()
    second = Client(port)
    expect("a second client", second.ask(request()), b"8/5 6/5\n")
    expect("the first is still served", client.ask(request()), b"8/5 6/5\n")
    second.close()
    client.close()

    ignored = Client(port)
    ignored.ask(request())
    ignored.ask(request(after(BOARD, (8, 5), (6, 5)), dice=(6, 5)))  # played
    ignored.ask(request(after(BOARD, (8, 5), (6, 5)), dice=(2, 1)))  # 65 was not played
    ignored.close()


def main():
    with subprocess.Popen([sys.argv[1], "engine", "gnubg"], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True) as engine:
        line = engine.stdout.readline()
        port = int(line.rpartition(":")[2])
        try:
            talk(port)
            taken = subprocess.run([sys.argv[1], "engine", "gnubg", "--port", str(port)], capture_output=True,
                                   text=True, check=False)
            expect("a port that is taken", (taken.returncode, "cannot be opened" in taken.stderr), (2, True))
            expect("the server still runs", engine.poll(), None)
        finally:
            engine.terminate()
        said = engine.stderr.read()
    expect("an answer that was not played", "client 5: gnubg did not play the last answer" in said, True)
    expect("is in the sum", "client 5 left after 3 plays, 1 of them not played by gnubg, 0 bad lines" in said, True)


main()
