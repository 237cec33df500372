#!/usr/bin/env python3
"""slow.py PROGRAM - clients that take their time shut nobody out."""
import contextlib
import socket
import sys
import time

from client import Server, Stream, run_all

# What the server takes at once, and more.
CROWD = 600
MOST_STREAMS = 360


def send_byte(connection):
    """False: the server has closed it."""
    try:
        connection.sendall(b"x")
        connection.setblocking(False)
        return connection.recv(1) != b""
    except BlockingIOError:
        return True
    except OSError:
        return False
    finally:
        connection.setblocking(True)


def knock(server, text=b"G"):
    connection = socket.create_connection(("127.0.0.1", server.port), timeout=60)
    connection.sendall(text)
    return connection


def test_a_crowd_that_says_little(server):
    """More connections than there is room for, each with one byte of a request: others are answered all the same."""
    session = server.open("othello")["session"]
    with contextlib.ExitStack() as stack:
        stream = stack.enter_context(Stream(server, session))
        stream.until(lambda name, _: name == "state")
        for _ in range(CROWD):
            stack.enter_context(knock(server))
        for _ in range(20):
            assert server.request("GET", "/api/status")[0] == 200
        # The stream is the oldest of all, and stays.
        assert server.act(session, do="play", move="f5")[0] == 200
        stream.until(lambda name, data: name == "state" and len(data["moves"]) == 1)


def test_streams_leave_room(server):
    """Streams stay open, so there is a limit to them: others have the rest."""
    session = server.open("othello")["session"]
    with contextlib.ExitStack() as stack:
        for _ in range(MOST_STREAMS):
            stack.enter_context(Stream(server, session))
        one_more = stack.enter_context(contextlib.closing(server.connect()))
        one_more.request("GET", f"/api/events?session={session}&token={server.token}")
        answer = one_more.getresponse()
        assert answer.status == 503 and b"too many pages are open" in answer.read(), answer.status
        assert server.request("GET", "/api/status")[0] == 200
    # With the pages gone there is room again.
    deadline = time.monotonic() + 60
    while server.request("GET", "/api/status")[1]["watchers"] > 0:
        assert time.monotonic() < deadline, "closed streams are still watched"
        server.act(session, do="analyse", on=False)
        time.sleep(0.05)
    with Stream(server, session) as stream:
        stream.until(lambda name, _: name == "state")


def test_a_request_has_a_deadline(server):
    """A byte now and then is not silence, but it does not go on for ever: neither in the head nor in the body."""
    session = server.open("othello")["session"]
    body = (f"POST /api/sessions HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nX-Manyply-Token: {server.token}\r\n"
            "Content-Length: 60000\r\n\r\n{").encode()
    with contextlib.ExitStack() as stack:
        stream = stack.enter_context(Stream(server, session))
        slow = [stack.enter_context(knock(server, text)) for text in [b"G", body]]
        deadline = time.monotonic() + 60
        while slow:
            assert time.monotonic() < deadline, f"{len(slow)} of them are still there"
            slow = [connection for connection in slow if send_byte(connection)]
            time.sleep(0.5)
        # Whoever only listens is still there.
        assert server.act(session, do="play", move="f5")[0] == 200
        stream.until(lambda name, data: name == "state" and len(data["moves"]) == 1)


def main():
    with Server(sys.argv[1]) as server:
        run_all({name: value for name, value in globals().items() if callable(value)}, server)
    print("all well")


main()
