#!/usr/bin/env python3
"""stops.py PROGRAM - searches and measurements without end stop when they are told to, when their page is closed and
when the server is."""
import sys
import time

from client import Server, Stream, run_all

# Both take far longer than any test waits.
ENDLESS_LAB = {"strategies": ["minimax,depth=12"], "threads": [1], "seconds": 1}
ENDLESS_ENGINE = [{"engine": True, "strategy": "minimax,depth=12"}, {"engine": False}]
MOST_SEARCHES = 8


def wait_for_searches(server, count):
    deadline = time.monotonic() + 60
    while (running := server.request("GET", "/api/status")[1]["searches"]) != count:
        assert time.monotonic() < deadline, f"{running} searches run, expected {count}"
        time.sleep(0.02)


def measure(server):
    """A page that measures without end."""
    session = server.open("chess")["session"]
    stream = Stream(server, session)
    status, answer = server.act(session, do="lab", **ENDLESS_LAB)
    assert status == 200, answer
    return session, stream


def think(server):
    """A page whose engine thinks without end."""
    session = server.open("chess")["session"]
    status, answer = server.act(session, do="players", players=ENDLESS_ENGINE)
    assert status == 200, answer
    return session, Stream(server, session)


def test_a_measurement_stops_when_told(program):
    with Server(program) as server:
        session, stream = measure(server)
        with stream:
            wait_for_searches(server, 1)
            assert server.act(session, do="lab_stop")[0] == 200
            news = stream.until(lambda name, data: name == "lab" and not data["running"])
            assert news["doing"] == "the measurement was given up" and news["table"] is None, news
            wait_for_searches(server, 0)


def test_a_measurement_stops_with_its_page(program):
    with Server(program) as server:
        _, stream = measure(server)
        wait_for_searches(server, 1)
        stream.__exit__()
        wait_for_searches(server, 0)


def test_a_measurement_makes_way_for_another(program):
    with Server(program) as server:
        session, stream = measure(server)
        with stream:
            wait_for_searches(server, 1)
            server.act(session, do="lab", strategies=["alphabeta,depth=2"], threads=[1], seconds=1)
            stream.until(lambda name, data: name == "lab" and not data["running"] and data["table"])
            wait_for_searches(server, 0)


def test_the_server_ends_whatever_runs(program):
    """Leaving the block sends SIGTERM and expects a clean exit."""
    for begin in [measure, think]:
        with Server(program) as server:
            pages = [begin(server) for _ in range(MOST_SEARCHES + 1)]
            wait_for_searches(server, MOST_SEARCHES)
        assert len(pages) > MOST_SEARCHES  # they were open to the end


def main():
    run_all({name: value for name, value in globals().items() if callable(value)}, sys.argv[1])
    print("all well")


main()
