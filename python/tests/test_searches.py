"""Searches: results, progress, stops, traces, and what they leave behind."""
import signal
import subprocess
import sys
import threading

import pytest

import manyply as mp


def test_result_is_a_table():
    position = mp.Game("othello").position(moves="f5d6c3")
    result = position.search("pvs,depth=7")
    assert [row["depth"] for row in result] == list(range(1, 8)) == [row["depth"] for row in result if row["line"] == 1]
    assert result[-1]["value"] == result.value and result[-1]["move"] == result.move == result.pv[0]
    assert result.exact and not result.stopped and result.depth == 7 and len(result.pv) == 7
    assert result.nodes == result[-1]["nodes"] > 0 and result.threads == 1 and len(result.busy_seconds) == 1
    # An exact search says what minimax says, also on two threads.
    assert result.value == position.search("minimax,depth=7").value == position.search("pvs,depth=7,split=ybwc,threads=2").value


def test_keys_by_name():
    search = mp.Search(mp.Game("othello"), "pvs", depth=5, threads=2, split="ybwc", eager=True)
    for key in ("depth=5", "split=ybwc", "threads=2", "eager=on"):
        assert key in search.strategy
    with pytest.raises(mp.Error, match="no key 'dept'"):
        mp.Search(mp.Game("othello"), "pvs", dept=5)


def test_limits_of_a_run():
    game = mp.Game("chess")
    position, search = game.position(), mp.Search(game, "pvs,depth=2,selective=on")
    assert search.run(position).depth == 2 and search.run(position, depth=4).depth == 4
    assert search.run(position, depth=3, moves=["a2a3", "h2h3"]).move in ("a2a3", "h2h3")
    lines = search.run(position, depth=3, lines=3)
    assert sorted(row["line"] for row in lines if row["depth"] == 3) == [1, 2, 3]
    assert search.run(position, nodes=2000).stopped
    with pytest.raises(mp.Error, match="expected depth, nodes or seconds"):
        search.run(position, lines=3)
    with pytest.raises(mp.Error, match="player to move"):
        mp.Game("backgammon").position().search()


def test_progress_and_exceptions():
    position, seen = mp.Game("othello").position(), []
    position.search("pvs,depth=5", progress=seen.append)
    assert [row["depth"] for row in seen] == [1, 2, 3, 4, 5]

    class Enough(Exception):
        pass

    def stop_at_four(row):
        if row["depth"] == 4:
            raise Enough

    search = mp.Search(mp.Game("othello"), "pvs,depth=60")
    with pytest.raises(Enough):
        search.run(position, progress=stop_at_four)
    assert search.result.stopped and search.result.depth >= 4


def test_stop_from_another_thread():
    game = mp.Game("chess")
    search = mp.Search(game, "pvs,depth=200,selective=on")
    threading.Timer(0.05, search.stop).start()
    assert search.run(game.position()).stopped


def test_ctrl_c_stops_a_search():
    program = ("import manyply as mp\n"
               "game = mp.Game('chess')\n"
               "search = mp.Search(game, 'pvs,depth=200,selective=on')\n"
               "try:\n"
               "    search.run(game.position(), progress=lambda row: print(row['depth'], flush=True))\n"
               "except KeyboardInterrupt:\n"
               "    print('stopped', search.result.stopped, search.result.move in game.position().moves())\n")
    process = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    while process.stdout.readline().strip() != "3":
        assert process.poll() is None
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=60)
    assert process.returncode == 0 and out.splitlines()[-1] == "stopped True True", out


def test_traces():
    game = mp.Game("othello")
    search = mp.Search(game, "pvs,depth=9,split=ybwc,threads=2,eager=on")
    with pytest.raises(mp.Error):
        search.trace()
    search.follow()
    search.run(game.position())
    trace = search.trace()
    assert {row["thread"] for row in trace} <= {0, 1} and all(row["seconds"] >= 0 for row in trace)
    assert sum(row["name"] == "iteration" and row["thread"] == 0 for row in trace) == 9


def test_lists():
    assert {"pvs", "mcts", "star2"} <= {row["name"] for row in mp.algorithms()}
    assert {"ybwc", "abdada"} <= {row["name"] for row in mp.schemes()}
    assert {"depth", "split"} <= {row["name"] for row in mp.keys()}


def resident_pages():
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1])


def test_nothing_is_left_behind():
    game = mp.Game("othello")
    position, search = game.position(), mp.Search(game, "alphabeta,depth=2")

    def work(count):
        for _ in range(count):
            search.run(position)
            position.play("f5").moves()
        for _ in range(count // 20):
            mp.Search(game, "pvs,depth=2,hash=1").run(position)

    work(200)
    before = resident_pages()
    work(1000)
    assert resident_pages() - before < 1000, "4 MB are more than they should leave"
