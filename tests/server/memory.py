#!/usr/bin/env python3
"""memory.py PROGRAM - tables are made while nobody waits for them."""
import sys
import threading
import time

from client import Server, Stream, run_all


def used_megabytes(server, field="VmRSS"):
    with open(f"/proc/{server.process.pid}/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith(field)) / 1024


def players(server, session, strategy):
    return server.act(session, do="players", players=[{"engine": True, "strategy": strategy}, {"engine": False}])


def was_answered_meanwhile(server, session, megabytes):
    """Is a request answered between the first and the last page of a table of this size?"""
    first = used_megabytes(server)
    maker = threading.Thread(target=players, args=(server, session, f"pvs,time=10m,hash={megabytes}"))
    maker.start()
    answered = False
    deadline = time.monotonic() + 60
    while (before := used_megabytes(server) - first) < 0.9 * megabytes:
        assert time.monotonic() < deadline, f"no table of {megabytes} MB is made"
        assert server.request("GET", f"/api/sessions/{session}")[0] == 200
        after = used_megabytes(server) - first
        answered = answered or (before > 0.1 * megabytes and after < 0.9 * megabytes)
    maker.join()
    return answered


def test_nobody_waits_for_a_table(program):
    with Server(program) as server:
        session = server.open("chess")["session"]
        for megabytes in range(600, 610):
            with Stream(server, session) as stream:
                stream.until(lambda name, _: name == "state")
                if was_answered_meanwhile(server, session, megabytes):
                    return
            players(server, session, "pvs,time=10m,hash=1")
            deadline = time.monotonic() + 60
            while used_megabytes(server) > 300:
                assert time.monotonic() < deadline, "the table stays although nobody watches"
                time.sleep(0.02)
    raise AssertionError("requests wait until a table is made")


def test_no_table_without_a_page(program):
    """Players may be chosen before anybody watches: that alone takes no memory."""
    with Server(program) as server:
        session = server.open("chess")["session"]
        before = used_megabytes(server, "VmHWM")
        status, answer = players(server, session, "pvs,time=10m,hash=400")
        assert status == 200, answer
        assert used_megabytes(server, "VmHWM") < before + 200, "a table was made"


def main():
    run_all({name: value for name, value in globals().items() if callable(value)}, sys.argv[1])
    print("all well")


main()
