#!/usr/bin/env python3
"""siege.py PROGRAM [CONNECTIONS [EACH]] - as many slow connections, which send a byte now and then, and as many idle ones;
EACH searches and EACH measurements without end. A new page then gets its answers, the memory stays within the budget, and
SIGTERM ends it all. Prints how long that took. The default is 150 and 8; `make test-all` has 1000."""
import contextlib
import os
import resource
import signal
import socket
import sys
import threading
import time

from client import Server, Stream

MEMORY = 700  # megabytes for sessions and searches
OTHER_MEMORY = 400  # of the program, its threads and 400 connections
ENDLESS = "minimax,depth=12"
PATIENCE = 60


def resident_megabytes(server):
    with open(f"/proc/{server.process.pid}/status", encoding="ascii") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmHWM")) / 1024


class Crowd:
    """Connections that come again when the server closes them."""

    def __init__(self, server, count, text):
        self.server, self.text, self.stopped, self.sent = server, text, False, 0
        self.connections = [None] * count
        self.thread = threading.Thread(target=self.run)
        self.thread.start()

    def step(self, i):
        try:
            if not self.connections[i]:
                self.connections[i] = socket.create_connection(("127.0.0.1", self.server.port), timeout=PATIENCE)
                self.connections[i].setblocking(False)
            if self.text:
                self.connections[i].send(self.text[self.sent % len(self.text):][:1])
            with contextlib.suppress(BlockingIOError):
                if not self.connections[i].recv(1000):
                    raise ConnectionResetError
        except OSError:
            if self.connections[i]:
                self.connections[i].close()
            self.connections[i] = None

    def run(self):
        while not self.stopped:
            for i in range(len(self.connections)):
                if not self.stopped:
                    self.step(i)
            self.sent += 1
            time.sleep(0.5)

    def end(self):
        self.stopped = True
        self.thread.join()
        for connection in filter(None, self.connections):
            connection.close()

    def __len__(self):
        return sum(connection is not None for connection in self.connections)


def begin_work(server, each, stack):
    """Pages whose engines think without end, and pages that measure without end."""
    for number in range(2 * each):
        session = server.open("othello")["session"]
        stack.enter_context(Stream(server, session))
        if number < each:
            status, answer = server.act(session, do="players", players=[{"engine": True, "strategy": ENDLESS}, {}])
        else:
            status, answer = server.act(session, do="lab", strategies=[ENDLESS], threads=[1], seconds=1)
        assert status == 200, answer


def wait_for(what, condition):
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline, f"{what} is not reached"
        time.sleep(0.05)


def main():
    count, each = (int(word) for word in (sys.argv[2:] + ["150", "8"][len(sys.argv) - 2:])[:2])
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(max(2 * count + 500, 1024), most), most))
    server = Server(sys.argv[1], "--memory", str(MEMORY))
    with contextlib.ExitStack() as stack:
        begin_work(server, each, stack)
        wait_for("the number of searches", lambda: server.request("GET", "/api/status")[1]["searches"] == min(8, 2 * each))
        head = f"GET /api/status HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nX-Slow: {'x' * 9999}".encode()
        crowds = [Crowd(server, count, head), Crowd(server, count, b"")]
        for crowd in crowds:
            stack.callback(crowd.end)
        wait_for("the crowd", lambda: min(map(len, crowds)) > min(100, count // 2))
        times = []
        for path, body in [("/", None), ("/api/catalogue", None), ("/api/sessions", {"game": "chess"})] * 5:
            start = time.monotonic()
            status, answer = server.request("POST" if body else "GET", path, body)
            times.append(time.monotonic() - start)
            assert status == 200, (path, answer)
        with Stream(server, answer["session"]) as stream:
            start = time.monotonic()
            stream.until(lambda name, _: name == "state")
            times.append(time.monotonic() - start)
        memory = server.request("GET", "/api/status")[1]["memory"]
        resident = resident_megabytes(server)
        assert memory["used"] <= memory["most"] == MEMORY, memory
        assert resident < MEMORY + OTHER_MEMORY, f"{resident:.0f} MB are resident"
        start = time.monotonic()
        os.kill(server.process.pid, signal.SIGTERM)
        code = server.process.wait(PATIENCE)
        ended = time.monotonic() - start
    assert code == 0, f"exit code {code} after SIGTERM: {server.process.stderr.read()}"
    print(f"{count} slow and {count} idle connections, {each} searches, {each} measurements: the first answer to a new page "
          f"within {1000 * max(times):.0f} ms, {resident:.0f} MB, {1000 * ended:.0f} ms to the end")


main()
