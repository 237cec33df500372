#!/usr/bin/env python3
"""memory.py PROGRAM - the memory of all pages has a limit, and tables are made while nobody waits for them."""
import contextlib
import os
import pathlib
import subprocess
import sys
import tempfile
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


def memory(server):
    return server.request("GET", "/api/status")[1]["memory"]


def wait_for_memory(server, used):
    deadline = time.monotonic() + 60
    while memory(server)["used"] != used:
        assert time.monotonic() < deadline, f"{memory(server)}, expected {used} MB in use"
        time.sleep(0.02)


# What a game is counted for besides its searches.
GAME = 8


def test_all_pages_share_the_memory(program):
    for first, second in [("pvs,time=10m,hash=60", "pvs,time=10m,selective=on,hash=60"), ("mcts,time=10m,memory=60",) * 2]:
        with Server(program, "--memory", "100") as server:
            assert memory(server) == {"used": 0, "most": 100}
            sessions = [server.open("othello")["session"] for _ in range(2)]
            for session, strategy in zip(sessions, [first, second]):
                status, answer = players(server, session, strategy)
                assert status == 200, answer
            assert memory(server)["used"] == 2 * GAME  # nobody watches yet
            with Stream(server, sessions[1]):
                with Stream(server, sessions[0]):
                    # Whichever comes first has the memory; the other says what is wrong.
                    wait_for_memory(server, 2 * GAME + 60)
                    lists = [server.request("GET", f"/api/sessions/{session}")[1] for session in sessions]
                    deadline = time.monotonic() + 60
                    while not any(state["problem"] for state in lists):
                        assert time.monotonic() < deadline, "both searches were made"
                        lists = [server.request("GET", f"/api/sessions/{session}")[1] for session in sessions]
                    problem = next(state["problem"] for state in lists if state["problem"])
                    assert f"may use 60 MB of memory, but {2 * GAME + 60} of the 100 MB for all pages are taken" in problem, problem
                    assert [bool(state["problem"]) for state in lists].count(True) == 1, lists
                # With one page closed there is enough for the other.
                server.act(sessions[1], do="analyse", on=False)
                deadline = time.monotonic() + 60
                while server.request("GET", "/api/status")[1]["searches"] == 0:
                    assert time.monotonic() < deadline, "the page does not get the memory"
                    server.act(sessions[1], do="analyse", on=False)
                    time.sleep(0.1)
                assert memory(server)["used"] == 2 * GAME + 60
            wait_for_memory(server, 2 * GAME)


def test_refuses_what_never_fits(program):
    with Server(program, "--memory", "100") as server:
        session = server.open("othello")["session"]
        for strategy in ["pvs,hash=200", "mcts,memory=200"]:
            status, answer = players(server, session, strategy)
            # The other player leaves its table open, and has a sixteenth.
            assert status == 400 and f"may use {GAME + 200 + 6} MB of memory, expected at most 100" in answer["error"], answer
        with Stream(server, session) as stream:
            server.act(session, do="lab", strategies=["pvs,depth=3,split=ybwc,hash=60"], threads=[2], seconds=1)
            news = stream.until(lambda name, data: name == "lab" and not data["running"])
            assert f"the measurement may use 120 MB of memory, but {GAME} of the 100 MB" in news["doing"], news
            server.act(session, do="lab", strategies=["pvs,depth=3,split=ybwc"], threads=[2], seconds=1)
            news = stream.until(lambda name, data: name == "lab" and not data["running"])
            assert news["table"] and "hash=25" in news["table"]["rows"][0]["strategy"], news
        wait_for_memory(server, GAME)


def test_a_table_that_grows_has_its_share(program):
    with Server(program, "--memory", "100") as server:
        session = server.open("othello")["session"]
        for strategy in ["pvs,time=10m", "pvs,time=10m,hash=auto", "mcts,time=10m"]:
            assert players(server, session, strategy)[0] == 200
            with Stream(server, session):
                wait_for_memory(server, GAME + 6)
            wait_for_memory(server, GAME)
    with Server(program, "--memory", "16000") as server:
        session = server.open("othello")["session"]
        assert players(server, session, "pvs,time=10m")[0] == 200
        with Stream(server, session):
            wait_for_memory(server, GAME + 256)


def test_games_are_counted(program):
    with Server(program, "--memory", str(4 * GAME)) as server, contextlib.ExitStack() as stack:
        sessions = [server.open("othello")["session"] for _ in range(4)]
        for session in sessions:
            players(server, session, "alphabeta,depth=1")
        # One that nobody watches makes room, the oldest first.
        sessions.append(server.open("othello")["session"])
        assert server.request("GET", f"/api/sessions/{sessions.pop(0)}")[0] == 404
        for session in sessions:
            server.act(session, do="players", players=[{"engine": False}, {"engine": False}])
            stack.enter_context(Stream(server, session))
        status, answer = server.request("POST", "/api/sessions", {"game": "othello"})
        assert status == 503 and f"a game may use {GAME} MB of memory, but {4 * GAME} of the {4 * GAME} MB" in answer["error"], answer


def test_the_default_is_a_quarter(program):
    """Of the address space, where that is less than the memory."""
    with tempfile.TemporaryDirectory() as folder:
        limited = pathlib.Path(folder) / "limited"
        limited.write_text(f'#!/bin/sh\nulimit -v 4194304\nexec "{os.path.abspath(program)}" "$@"\n')
        limited.chmod(0o700)
        if subprocess.run([limited, "--version"], capture_output=True).returncode != 0:
            print("the program cannot run in 4 GB of addresses: not tried")
            return
        with Server(program) as server:
            most = memory(server)["most"]
        with Server(limited) as server:
            assert memory(server)["most"] == min(1024, most), (memory(server), most)
    refused = subprocess.run([program, "serve", "--memory", "5"], capture_output=True, text=True)
    assert refused.returncode == 2 and "--memory 5, expected a whole number from 16 to" in refused.stderr, refused


def main():
    run_all({name: value for name, value in globals().items() if callable(value)}, sys.argv[1])
    print("all well")


main()
