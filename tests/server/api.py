#!/usr/bin/env python3
"""api.py PROGRAM PLUGIN - what the server promises in docs/http-api.md, and what it must refuse."""
import contextlib
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time

from client import Server, Stream, run_all

SLOW_ENGINE = [{"engine": True, "strategy": "pvs,time=10m"}, {"engine": False, "strategy": "pvs,depth=2"}]


def test_serves_the_page(server):
    for path in ["/", "/app.js", "/app.css"]:
        connection = server.connect()
        connection.request("GET", f"{path}?token={server.token}")
        answer = connection.getresponse()
        assert answer.status == 200 and answer.getheader("Content-Encoding") == "gzip", path
        policy = answer.getheader("Content-Security-Policy")
        assert "default-src 'none'" in policy and "unsafe" not in policy
        assert answer.getheader("X-Content-Type-Options") == "nosniff"
        assert answer.getheader("Access-Control-Allow-Origin") is None
        assert len(answer.read()) > 100
        connection.close()


def test_refuses_strangers(server):
    here = f"http://127.0.0.1:{server.port}"
    own = f"127.0.0.1:{server.port}"
    for headers, status in [({"Host": "evil.example"}, 403), ({"Host": f"evil.example:{server.port}"}, 403),
                            ({"Host": "127.0.0.1:1"}, 403), ({"Host": f"localhost:{server.port}"}, 200),
                            ({"Host": f"{own}evil"}, 403), ({"Host": f"{own}.example"}, 403),
                            ({"Host": f"127.0.0.1:+{server.port}"}, 403), ({"Host": f"127.0.0.1:0{server.port}"}, 403),
                            ({"Host": "127.0.0.1:"}, 403),
                            ({"Host": f"[::1]:{server.port}"}, 200), ({"Host": f"[::2]:{server.port}"}, 403),
                            ({"Host": f"::1:{server.port}"}, 403), ({"Host": "[::1]"}, 403),
                            ({"Host": f"127.0.0:{server.port}"}, 403), ({"Host": f":{server.port}"}, 403),
                            ({"Host": f"127.0.0.2:{server.port}"}, 403), ({"Host": "127.0.0.1"}, 403),
                            ({"Origin": "http://evil.example"}, 403), ({"Origin": "null"}, 403),
                            ({"Origin": f"{here}.evil.example"}, 403), ({"Origin": here[:-1]}, 403),
                            ({"Origin": f"https://{own}"}, 403), ({"Origin": here}, 200),
                            ({"Sec-Fetch-Site": "cross-site"}, 403), ({"Sec-Fetch-Site": "same-origin"}, 200)]:
        for method, path, body in [("GET", "/api/status", None),
                                   ("POST", "/api/sessions", {"game": "othello"})]:
            answer = server.request(method, path, body, headers)
            assert answer[0] == status, (method, headers, answer)


def test_needs_the_token(server):
    for path in ["/api/status", "/api/catalogue", "/api/events?session=1", "/api/sessions/1"]:
        assert server.request("GET", path, token=False)[0] == 403, path
        wrong = "0" * 32
        assert server.request("GET", path, headers={"X-Manyply-Token": wrong}, token=False)[0] == 403
    assert server.request("POST", "/api/sessions", {"game": "chess"}, token=False)[0] == 403
    assert server.request("GET", f"/api/status?token={server.token}", token=False)[0] == 200
    # The page itself holds no secret, and is loaded again without one; it may be reached from a file.
    assert server.request("GET", "/", headers={"Sec-Fetch-Site": "cross-site"}, token=False)[0] == 200
    assert server.request("GET", "/", headers={"Host": "evil.example"}, token=False)[0] == 403


def test_needs_the_whole_token(server):
    """Neither a part of it, nor more, nor one with a digit wrong anywhere."""
    token = server.token
    wrong = [token[:length] for length in range(32)] + [token[1:], token + "0", token * 2]
    wrong += [token.upper()] if token.upper() != token else []
    wrong += [token[:i] + ("1" if token[i] == "0" else "0") + token[i + 1:] for i in range(32)]
    for text in wrong:
        assert server.request("GET", "/api/status", headers={"X-Manyply-Token": text}, token=False)[0] == 403, text
        assert server.request("GET", f"/api/status?token={text}", token=False)[0] == 403, text


def test_the_catalogue_is_what_the_program_says(server):
    catalogue = server.request("GET", "/api/catalogue")[1]
    games = {game["name"]: game for game in catalogue["games"]}
    said = json.loads(subprocess.check_output([sys.argv[1], "games", "--json"]))["games"]
    assert [name for name in games if "/" not in name] == [game["name"] for game in said], games.keys()
    for game in said:
        shown = games[game["name"]]
        assert (shown["summary"], shown["players"], shown["dice"]) == (game["summary"], game["players"], game["dice"]), shown
        assert shown["strategy"] and shown["evaluations"] and shown["algorithms"], shown
    assert [name for name in games if games[name]["dice"]] == ["backgammon"], games.keys()
    assert all(catalogue[part] for part in ("version", "cpus", "algorithms", "schemes", "keys", "proven", "longest"))


def test_head_is_get_without_a_body(server):
    session = server.open("othello")["session"]
    for path in ["/", "/app.js", "/api/catalogue", f"/api/sessions/{session}", "/api/nothing", "/api/arenas"]:
        answers = {}
        for method in ["GET", "HEAD"]:
            with contextlib.closing(server.connect()) as connection:
                connection.request(method, path, headers={"X-Manyply-Token": server.token})
                answer = connection.getresponse()
                headers = {name: value for name, value in answer.getheaders() if name != "Date"}
                answers[method] = (answer.status, headers), len(answer.read())
        assert answers["HEAD"][0] == answers["GET"][0], (path, answers)
        assert answers["GET"][1] > 0 and answers["HEAD"][1] == 0, (path, answers)
    # A stream has no end, but its head has, and is nobody who watches.
    watchers = server.request("GET", "/api/status")[1]["watchers"]
    assert server.request("HEAD", f"/api/events?session={session}")[0] == 200
    assert server.request("GET", "/api/status")[1]["watchers"] <= watchers
    assert server.request("HEAD", "/api/status", token=False)[0] == 403


def test_bounds_bodies(server):
    status, answer = server.request("POST", "/api/sessions", b"x" * 10_000_000)
    assert status == 413 and "10000000 bytes" in answer["error"], answer
    assert server.request("POST", "/api/sessions", b"[" * 60_000)[0] == 400
    assert server.request("GET", "/api/status")[0] == 200


def test_says_what_is_wrong(server):
    session = server.open("othello")["session"]
    path = f"/api/sessions/{session}"
    for body, part in [('{"do": "play",\n "move": f5}', "line 2, column 10"), ("", "expected a JSON object"),
                       ("[]", "not a JSON object"), ({}, "expected one of play"), ({"do": "fly"}, "'fly'"),
                       ({"do": "play"}, '"move"'), ({"do": "play", "move": "a1"}, "no disc would be turned"),
                       ({"do": "goto", "ply": 7}, "from 0 to 0"), ({"do": "goto", "ply": 1}, "from 0 to 0"),
                       ({"do": "undo"}, "no move to take back"),
                       ({"do": "roll"}, "no dice"), ({"do": "new", "position": "XO"}, "2 squares"),
                       ({"do": "new", "moves": "f5 f5"}, "the square is taken"),
                       ({"do": "players", "players": [{"strategy": "nonsense"}, {}]}, "nonsense"),
                       ({"do": "analyse"}, '"on"')]:
        status, answer = server.request("POST", path, body)
        assert status == 400 and part in answer["error"], (body, answer)
    # Nothing was half done.
    state = server.request("GET", path)[1]
    assert state["moves"] == [] and state["players"][0]["strategy"] == "pvs,time=1s,selective=on,split=auto", state
    for game in ["go", "/etc/passwd", "./connect4.so", "othello/../x", "othello.so", "", "othello:size=3"]:
        status, answer = server.request("POST", "/api/sessions", {"game": game})
        # Refused by its name: nothing was looked for on the disk.
        assert status == 400 and ("/api/catalogue" in answer["error"] or ":" in game), (game, answer)


def test_changes_a_strategy_key_by_key(server):
    path = f"/api/sessions/{server.open('othello')['session']}"

    def players(change):
        return server.request("POST", path, {"do": "players", "players": [change, {}]})

    def first():
        return server.request("GET", path)[1]["players"][0]

    assert first()["parts"] == {"algorithm": "pvs", "keys": {"time": "1s", "selective": "on", "split": "auto"}}, first()
    players({"keys": {"time": None, "depth": "5", "threads": "2"}})
    assert first()["strategy"] == "pvs,depth=5,selective=on,split=auto,threads=2", first()
    players({"keys": {"split": None}})  # and the threads with it
    assert first()["strategy"] == "pvs,depth=5,selective=on", first()
    players({"algorithm": "alphabeta"})  # keeps the limits
    assert first()["strategy"] == "alphabeta,depth=5", first()
    players({"algorithm": "mcts"})
    assert first()["strategy"] == "mcts", first()
    players({"keys": {"threads": "2", "split": "tree"}})  # in whatever order they come
    assert first()["strategy"] == "mcts,split=tree,threads=2", first()
    for change, part in [({"keys": {"threads": "900"}}, "expected 1 to 256"), ({"keys": {"hash": "4"}}, "no key 'hash'"),
                         ({"keys": {"nodes": 4}}, "expected a text or null"), ({"algorithm": "chess"}, "unknown algorithm")]:
        status, answer = players(change)
        assert status == 400 and part in answer["error"], (change, answer)
        assert first()["strategy"] == "mcts,split=tree,threads=2", first()
    fitting = server.request("GET", path)[1]["game"]["algorithms"]
    assert "rollout" not in fitting and "ybwc" in fitting["pvs"] and "ybwc" not in fitting["minimax"], fitting


def test_finds_no_files(server):
    for path in ["/../../etc/passwd", "/..%2f..%2fetc/passwd", "/app.js/../../x", "//etc/passwd", "/api",
                 "/api/sessions/", "/api/sessions/../catalogue", "/favicon.ico"]:
        assert server.request("GET", path)[0] == 404, path
    assert server.request("POST", "/api/catalogue", {})[0] == 404
    assert server.request("DELETE", "/api/status")[0] == 405


def test_plays(server):
    state = server.open("chess", moves="e4 e5")
    session = state["session"]
    assert [move["text"] for move in state["moves"]] == ["e2e4", "e7e5"] and state["at"] == 2
    state = server.act(session, do="play", move="Nf3")[1]
    assert state["moves"][-1] == {"text": "g1f3", "shown": "Nf3", "cells": [62, 45], "player": 0, "dice": False}
    assert state["board"]["pieces"][45] == "N" and state["turn"] == 1
    state = server.act(session, do="goto", ply=1)[1]
    assert state["at"] == 1 and len(state["moves"]) == 3
    state = server.act(session, do="continue")[1]
    assert len(state["moves"]) == 1
    fools_mate = ["f3", "e5", "g4", "Qh4"]
    state = server.act(session, do="new", moves=fools_mate)[1]
    assert state["over"] and state["margin"] == -1 and state["legal"] == []
    assert server.act(session, do="play", move="e4")[0] == 400


def test_a_draw_ends_the_game(server):
    """Nobody plays on, and no engine; but a record that goes on is shown as it was."""
    shuffle = ["g1f3", "g8f6", "f3g1", "f6g8"]
    state = server.open("chess", moves=shuffle * 2)
    session = state["session"]
    assert state["over"] and state["margin"] == 0 and state["legal"] == [], state
    status, answer = server.act(session, do="play", move="e4")
    assert status == 400 and answer["error"] == "chess move 'e4': the game is over", answer
    engine = {"engine": True, "strategy": "pvs,depth=2"}
    with Stream(server, session) as stream:
        server.act(session, do="players", players=[engine, engine])
        server.act(session, do="analyse", on=True)
        stream.until(lambda name, data: name == "state" and data["analyse"])
        time.sleep(0.5)  # long enough for depth 2, if somebody tried
        state = server.request("GET", f"/api/sessions/{session}")[1]
        assert state["over"] and len(state["moves"]) == 8 and state["values"][8] is None, len(state["moves"])
        # One move back the second player goes on, with this move or another.
        server.act(session, do="players", players=[{"engine": False}, engine])
        server.act(session, do="goto", ply=7)
        before = server.act(session, do="continue")[1]["revision"]
        state = stream.until(lambda name, data: name == "state" and data["revision"] > before and len(data["moves"]) == 8)
        assert state["over"] == (state["moves"][-1]["text"] == "f6g8")
    state = server.act(session, do="new", moves=shuffle * 2 + ["e2e4"])[1]
    assert not state["over"] and len(state["moves"]) == 9 and state["turn"] == 1
    assert "e7e5" in [move["text"] for move in state["legal"]]


def test_the_engine_answers(server):
    session = server.open("othello")["session"]
    engine = {"engine": True, "strategy": "pvs,depth=3"}
    server.act(session, do="players", players=[{"engine": False}, engine])
    with Stream(server, session) as stream:
        server.act(session, do="play", move="f5")
        state = stream.until(lambda name, data: name == "state" and len(data["moves"]) == 2)
        assert state["turn"] == 0 and state["values"][1] is not None
        # Taking back goes to where the person had to decide.
        state = server.act(session, do="undo")[1]
        assert state["moves"] == [] and state["turn"] == 0


def test_dice(server):
    session = server.open("backgammon")["session"]
    state = server.act(session, do="play", move="31")[1]
    assert state["board"]["dice"] == [3, 1]
    state = server.act(session, do="play", move="8/5 6/5")[1]
    assert state["chance"] and state["turn"] == 1
    with Stream(server, session) as stream:
        state = stream.until(lambda name, data: name == "state" and data["turn"] == 0)
        assert len(state["moves"]) == 4 and state["moves"][2]["dice"]
    assert server.act(session, do="roll")[1]["moves"][4]["dice"]


def test_values_stream(server):
    session = server.open("chess")["session"]
    server.act(session, do="players", players=SLOW_ENGINE)
    names = []
    with Stream(server, session) as stream:
        stream.until(lambda name, _: name == "search")
        # Five or more updates in a second: in the first one, or on a machine that is busy in a later one.
        for _ in range(30):
            names.clear()
            first = time.monotonic()
            while time.monotonic() < first + 1:
                names.append(stream.next()[0])
            if len(names) >= 5:
                break
        assert len(names) >= 5 and set(names) <= {"search", "pulse", "pieces", "state"} and "pulse" in names, names
        # The engine plays at once when told to.
        server.act(session, do="stop")
        state = stream.until(lambda name, data: name == "state" and len(data["moves"]) == 1)
        assert state["turn"] == 1


THREAD, KIND, START, LENGTH, PLY, MOVE, ALPHA, BETA, VALUE = 2, 3, 4, 5, 6, 9, 10, 11, 12
HELP, WAIT = 3, 5


def test_pieces_of_work(server):
    for game, strategy in [("othello", "pvs,time=500ms,split=ybwc,threads=2"), ("chess", "pvs,depth=6,split=abdada,threads=2"),
                           ("halma", "alphabeta,depth=5")]:
        session = server.open(game)["session"]
        assert server.request("GET", f"/api/sessions/{session}/search")[0] == 404
        players = [{"engine": True, "strategy": strategy}, {"engine": False}]
        server.act(session, do="players", players=players)
        seen = {}
        with Stream(server, session) as stream:
            def is_done(name, data):
                if name == "pieces":
                    assert 0 < len(data["pieces"]) <= 2000
                    assert not any(row[0] in seen for row in data["pieces"]), "a piece is sent once"
                    seen.update({row[0]: row for row in data["pieces"]})
                return name == "recorded"
            about = stream.until(is_done)
        status, whole = server.request("GET", f"/api/sessions/{session}/search?positions=1")
        assert status == 200 and {key: whole[key] for key in about} == about
        rows = {row[0]: row for row in whole["pieces"]}
        assert len(rows) == len(whole["pieces"]) > 10, f"{game}: {len(rows)} pieces"
        # What came on the way and is still kept is the same; parents are there, and are not over before their parts.
        assert all(rows[number][:-1] == row for number, row in seen.items() if number in rows)
        # A part is not longer than its whole, so it can only be left where the whole's lane keeps nothing as short.
        shortest = {thread: min(row[LENGTH] for row in rows.values() if row[THREAD] == thread)
                    for thread in {row[THREAD] for row in rows.values()}}
        for row in rows.values():
            parent = rows.get(row[1])
            lane = (row[1] - 1) % about["threads"]
            assert parent or row[1] == 0 or row[LENGTH] <= shortest[lane] + 1, f"{game}: {row} is a part of nothing"
            assert not parent or parent[START] <= row[START] + 1 and \
                row[START] + row[LENGTH] <= parent[START] + parent[LENGTH] + 2, f"{row} is not inside {parent}"
        assert any(row[ALPHA] is not None and row[ALPHA] < row[BETA] and row[VALUE] is not None for row in rows.values())
        # The board of a piece is that of its position, and its move can be played there.
        some = [row for row in rows.values() if row[PLY] >= 0][::max(1, len(rows) // 20)]
        for row in some:
            status, piece = server.request("GET", f"/api/sessions/{session}/piece?search={whole['number']}&id={row[0]}")
            assert status == 200 and piece["piece"] == row[:-1] and piece["position"] == row[-1]
            there = server.open(game, position=piece["position"])
            assert there["board"] == piece["board"] and there["turn"] == piece["turn"]
            moves = {move["text"]: move["cells"] for move in there["legal"]}
            assert row[MOVE] is None or moves[row[MOVE]] == piece["cells"], f"{row[MOVE]} in {piece['position']}"
        for search, number in [(whole["number"] + 7, some[0][0]), (whole["number"], 10**15)]:
            status, answer = server.request("GET", f"/api/sessions/{session}/piece?search={search}&id={number}")
            assert status == 404 and "not kept" in answer["error"], answer
        assert server.request("GET", f"/api/sessions/{session}/nothing")[0] == 404


def test_a_tree_that_grows(server):
    """A Monte-Carlo search shows its tree after each stage: visits that add up, moves that can be played."""
    session = server.open("othello")["session"]
    trees = []
    with Stream(server, session) as stream:
        server.act(session, do="search", strategy="mcts,iterations=4000,split=tree,threads=2")
        stream.until(lambda name, data: (trees.append(data) if name == "tree" else None) or name == "recorded")
    visits = [tree["visits"] for tree in trees]
    assert visits == sorted(visits) and visits[-1] >= 4000, visits
    nodes = {row[0]: row for row in trees[-1]["nodes"]}
    assert 20 < len(nodes) <= 2000 and all(row[KIND] == 7 for row in nodes.values())
    for number, row in nodes.items():
        parts = sum(other[8] for other in nodes.values() if other[1] == number)
        assert parts <= row[8] and (row[1] == 0) == (row[PLY] == 0), f"{row} has parts with {parts} visits"
    for row in list(nodes.values())[::10]:
        status, node = server.request("GET", f"/api/sessions/{session}/piece?search={trees[-1]['number']}&id={row[0]}&tree=1")
        assert status == 200 and node["piece"] == row
        moves = {move["text"]: move["cells"] for move in server.open("othello", position=node["position"])["legal"]}
        assert moves[row[MOVE]] == node["cells"]
    assert server.request("GET", f"/api/sessions/{session}/piece?search=99&id=1&tree=1")[0] == 404


def test_searches_once(server):
    """Asked for, a position is searched by a strategy of its own, and nothing is played."""
    session = server.open("othello")["session"]
    with Stream(server, session) as stream:
        assert server.act(session, do="search", strategy="pvs,depth=4")[0] == 200
        about = stream.until(lambda name, data: name == "recorded")
        assert about["depth"] == 4 and about["strategy"].startswith("pvs,depth=4") and about["side"] == 0
        assert server.act(session, do="search", strategy="pvs,depth=5")[0] == 200
        about = stream.until(lambda name, data: name == "recorded" and data["number"] > about["number"])
        assert about["depth"] == 5
        # The one before is kept too.
        assert server.request("GET", f"/api/sessions/{session}/search")[1]["number"] == about["number"]
        assert server.request("GET", f"/api/sessions/{session}/piece?search={about['number'] - 1}&id=1")[0] == 200
    state = server.request("GET", f"/api/sessions/{session}")[1]
    assert state["moves"] == [] and state["problem"] is None
    status, answer = server.act(session, do="search", strategy="nonsense")
    assert status == 400 and "nonsense" in answer["error"], answer
    status, answer = server.act(server.open("backgammon")["session"], do="search")
    assert status == 400 and "no move to search for" in answer["error"], answer


def test_imports_anything(server):
    chess = server.open("chess")["session"]
    tags = '[Event "x"]\n[White "a"]\n[Black "b"]\n[Result "*"]\n\n'
    moves = "1. e4 e5 2. Nf3 {good} Nc6 3. Bb5 (3. Bc4) a6 *\n"
    fen = "r1bqkbnr/1ppp1ppp/p1n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 0 4"
    for text in [tags + moves, moves, moves.replace("*", ""), "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6"]:
        status, state = server.act(chess, do="import", text=text)
        assert status == 200 and state["position"] == fen, f"{text}: {state}"
        assert [move["shown"] for move in state["moves"]] == ["e4", "e5", "Nf3", "Nc6", "Bb5", "a6"]
    for text in [fen, fen + "\n", " ".join(fen.split()[:4]) + " bm Ba4;"]:
        status, state = server.act(chess, do="import", text=text)
        assert status == 200 and state["moves"] == [] and state["position"].split()[:4] == fen.split()[:4], f"{text}: {state}"
    othello = server.open("othello")["session"]
    assert len(server.act(othello, do="import", text="f5d6c3")[1]["moves"]) == 3
    for text, wrong in [("hello", "neither a position nor a game of chess"), (tags + "1. e4 e4", "not legal"), ("", "expected")]:
        before = server.request("GET", f"/api/sessions/{chess}")[1]
        status, answer = server.act(chess, do="import", text=text)
        assert status == 400 and wrong in answer["error"], f"{text}: {answer}"
        assert server.request("GET", f"/api/sessions/{chess}")[1]["position"] == before["position"]


def test_values_of_all_moves(server):
    for game in ["othello", "backgammon"]:
        session = server.open(game)["session"]
        if game == "backgammon":
            server.act(session, do="play", move="61")
        with Stream(server, session) as stream:
            state = server.act(session, do="analyse", on=True)[1]
            seen = {}
            stream.until(lambda name, data: seen.update({name: data}) or
                         seen.get("values", {}).get("depth", 0) >= 2 and seen.get("search", {}).get("done"))
            assert seen["values"]["revision"] == state["revision"]
            assert len(seen["values"]["values"]) == len(state["legal"])
            assert seen["search"]["move"]["text"] in [move["text"] for move in state["legal"]]
            assert not any(seen["values"]["complete"]) and not seen["search"]["complete"]


def test_exact_values(server):
    # Fifteen empty squares, a draw: every value is a final score, and is marked as one.
    session = server.open("othello")["session"]
    server.act(session, do="import", text="XXXXXXXXOXXOOO--OOXXOXX-OXOXXX--OXXXXO--OXXOXX--OXXXXX--OOOO---- X")
    with Stream(server, session) as stream:
        state = server.act(session, do="analyse", on=True)[1]
        seen = {}
        stream.until(lambda name, data: seen.update({name: data}) or
                     all(seen.get("values", {}).get("complete", [False])) and seen.get("search", {}).get("done"))
        assert len(seen["values"]["complete"]) == len(state["legal"])
        assert max(seen["values"]["values"]) == seen["search"]["value"] == 0, seen
        assert seen["search"]["complete"] and len(seen["search"]["line"]) >= 15, seen


def running(server):
    return server.request("GET", "/api/status")[1]["searches"]


def wait_until_idle(server):
    """How long until no search runs; fails after a minute."""
    start = time.monotonic()
    while running(server):
        assert time.monotonic() < start + 60, "a search goes on although nobody watches"
        time.sleep(0.02)


def test_closing_the_tab_stops_its_search(server):
    wait_until_idle(server)
    session = server.open("chess")["session"]
    server.act(session, do="players", players=SLOW_ENGINE)
    server.act(session, do="analyse", on=True)
    assert running(server) == 0, "nobody watches yet"
    with Stream(server, session) as stream:
        stream.until(lambda name, _: name == "pulse")
        while running(server) != 2:  # the one may begin a little after the other
            stream.until(lambda name, _: name == "pulse")
    wait_until_idle(server)
    # The session is still there, and goes on thinking when somebody looks again: a reload loses nothing.
    with Stream(server, session) as stream:
        state = stream.until(lambda name, _: name == "state")
        assert state["session"] == session and state["moves"] == []
        stream.until(lambda name, _: name == "pulse")
    wait_until_idle(server)


def test_each_move_has_its_own_value(server):
    """In the order of the list of legal moves, for the side to move: a mate is one, and a king's move is none."""
    proven = server.request("GET", "/api/catalogue")[1]["proven"]
    state = server.open("chess", position="k7/8/KQ6/8/8/8/8/8 w - - 0 1")
    session = state["session"]
    server.act(session, do="players", players=[{"engine": False}, {"engine": False}])
    server.act(session, do="analyse", on=True)
    with Stream(server, session) as stream:
        news = stream.until(lambda name, data: name == "values" and data["depth"] >= 2)
    values = dict(zip([move["text"] for move in state["legal"]], news["values"]))
    assert len(news["values"]) == len(state["legal"]), (news, state["legal"])
    assert values["b6b7"] > proven > values["a6a5"], values


def test_lab(server):
    session = server.open("othello")["session"]
    plan = {"strategies": ["alphabeta,depth=3,split=top"], "threads": [2], "seconds": 600}
    for change, part in [({"strategies": []}, "strategies"), ({"threads": [0]}, "threads"), ({"seconds": 0}, "seconds")]:
        status, answer = server.act(session, do="lab", **(plan | change))
        assert status == 400 and part in answer["error"], answer
    with Stream(server, session) as stream:
        server.act(session, do="lab", **plan)
        news = stream.until(lambda name, data: name == "lab" and data["table"])
        kinds = [row["kind"] for row in news["table"]["rows"]]
        assert news["running"] and kinds == ["sequential", "copies", "parallel"], news
        assert all(row["speed_up"]["median"] > 0 for row in news["table"]["rows"][1:])
        server.act(session, do="lab_stop")
        stream.until(lambda name, data: name == "lab" and not data["running"])
        server.act(session, do="lab", **(plan | {"strategies": ["nonsense"]}))
        news = stream.until(lambda name, data: name == "lab" and not data["running"] and not data["table"])
        assert "nonsense" in news["doing"]
        server.act(session, do="lab", **plan)
        stream.until(lambda name, data: name == "lab" and data["running"])
    wait_until_idle(server)


def test_arenas_of_one_folder_only(server):
    assert server.request("GET", "/api/arenas")[1] == {"arenas": ["kept.db"]}
    table = server.request("GET", "/api/arenas?name=kept.db")[1]
    assert [player["name"] for player in table["players"]] == ["pvs,depth=1", "random"], table
    assert sum(table["players"][0]["games"]) == 2 == sum(table["players"][0]["against"][1])
    for name in ["other.db", "../kept.db", "/etc/passwd", "", ".db", "inner/kept.db", "inner/../kept.db"]:
        status, answer = server.request("GET", f"/api/arenas?name={name}")
        assert status == 400 and answer["error"], (name, answer)


def test_a_client_that_never_reads(server):
    """It holds its own connection only: the search, other streams and other requests go on."""
    session = server.open("chess")["session"]
    server.act(session, do="players", players=SLOW_ENGINE)
    silent = socket.create_connection(("127.0.0.1", server.port))
    silent.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1024)
    silent.sendall(f"GET /api/events?session={session}&token={server.token} HTTP/1.1\r\n"
                   f"Host: 127.0.0.1:{server.port}\r\n\r\n".encode())
    with Stream(server, session) as stream:
        stream.until(lambda name, _: name == "pulse")
        # Many states, which the silent one does not take, until no buffer of the system holds them any more.
        other = server.open("halma16")["session"]
        for _ in range(300):
            last = server.act(session, do="analyse", on=False)[1]["revision"]
        stream.until(lambda name, data: name == "search" and data["revision"] == last)
        nodes = [stream.until(lambda name, _: name == "pulse")["nodes"] for _ in range(5)]
        assert nodes == sorted(nodes) and nodes[-1] > nodes[0], nodes
        assert server.request("GET", f"/api/sessions/{other}")[0] == 200
    silent.close()
    wait_until_idle(server)


def test_many_connections(server):
    session = server.open("othello")["session"]
    streams = [Stream(server, session) for _ in range(200)]
    assert server.request("GET", "/api/status")[1]["watchers"] >= 200
    server.act(session, do="analyse", on=True)
    for stream in streams:
        stream.until(lambda name, data: name == "state" and data["analyse"])
    for stream in streams:
        stream.__exit__()
    wait_until_idle(server)


def test_searches_are_bounded(server):
    sessions = [server.open("chess")["session"] for _ in range(12)]
    streams = []
    for session in sessions:
        server.act(session, do="players", players=SLOW_ENGINE)
        streams.append(Stream(server, session))
    deadline = time.monotonic() + 60
    while running(server) < 8:
        assert time.monotonic() < deadline
        time.sleep(0.02)
    time.sleep(0.3)
    assert running(server) == 8
    for stream in streams:
        stream.__exit__()
    wait_until_idle(server)


def test_old_sessions_make_room(server):
    first = server.open("othello")["session"]
    for _ in range(70):
        last = server.open("othello")["session"]
    assert server.request("GET", "/api/status")[1]["sessions"] <= 64
    assert server.request("GET", f"/api/sessions/{first}")[0] == 404
    assert server.request("GET", f"/api/sessions/{last}")[0] == 200


def test_a_game_that_is_watched_stays(server):
    watched = server.open("othello")["session"]
    with Stream(server, watched) as stream:
        stream.until(lambda name, _: name == "state")
        for _ in range(70):
            server.open("othello")
        assert server.request("GET", f"/api/sessions/{watched}")[0] == 200


def test_many_at_once(server):
    """One session, many hands: what is answered is always a state of the game."""
    session = server.open("othello")["session"]
    failures = []

    def play():
        for _ in range(30):
            for action in [{"do": "play", "move": "f5"}, {"do": "new"}, {"do": "analyse", "on": True}]:
                status, state = server.act(session, **action)
                if status == 200 and len(state["moves"]) not in (0, 1, 2):
                    failures.append(state)

    with Stream(server, session) as stream:
        hands = [threading.Thread(target=play) for _ in range(6)]
        for hand in hands:
            hand.start()
        for hand in hands:
            hand.join()
        stream.until(lambda name, _: name == "state")
    assert not failures, failures[0]


def run_on(program, plugin, folder):
    with Server(program, "--arenas", folder) as server:
        run_all({name: value for name, value in globals().items() if callable(value)}, server)
    # A plug-in is offered when it is named, and has a board.
    with Server(program, plugin) as server:
        state = server.open(plugin)
        assert state["board"]["rows"] == 6 and len(state["legal"]) == 7
        # The end comes while streams are open and a search runs.
        session = server.open("chess")["session"]
        server.act(session, do="players", players=SLOW_ENGINE)
        stream = Stream(server, session)
        stream.until(lambda name, _: name == "pulse")


def can_listen_on(address):
    with socket.socket(socket.AF_INET6) as listener:
        try:
            listener.bind((address, 0))
        except OSError:
            return False
    return True


def run_on_ipv6(program):
    """The address may have the brackets that it has in a URL; ::1 is what localhost may mean, 127.0.0.1 is not."""
    if not can_listen_on("::1"):
        print("this machine has no IPv6: ::1 is not tried")
        return
    for address in ["::1", "[::1]", "0:0:0:0:0:0:0:1"]:
        with Server(program, "--address", address) as server:
            assert server.host == "[::1]", server.url
            for host, status in [(f"[::1]:{server.port}", 200), (f"localhost:{server.port}", 200),
                                 (f"[::1]:{server.port}0", 403), ("[::1]", 403), (f"[::3]:{server.port}", 403)]:
                assert server.request("GET", "/api/status", headers={"Host": host})[0] == status, host
            origin = {"Origin": f"http://[::1]:{server.port}"}
            assert server.request("POST", "/api/sessions", {"game": "othello"}, origin)[0] == 200
    with Server(program, "--address", "::") as server:
        assert server.request("GET", "/api/status", headers={"Host": f"[::3]:{server.port}"})[0] == 200
        assert server.request("GET", "/api/status", headers={"Host": f"[evil]:{server.port}"})[0] == 403
    refused = subprocess.run([program, "serve", "--address", "::g"], capture_output=True, text=True)
    assert refused.returncode == 2 and "'::g', expected an IPv6 address such as ::1" in refused.stderr, refused


def run_on_networks(program, plugin, folder):
    """Networks of the library and those that the server was given are offered; no page opens another file."""
    games, given, other = f"{folder}/c4.games", f"{folder}/c4.net", f"{folder}/other.net"
    subprocess.run([program, "harvest", plugin, games, "--games", "20", "--strategy", "pvs,nodes=50,hash=1"], check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    subprocess.run([program, "train", plugin, games, "--output", given, "--width", "16", "--passes", "1"], check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    shutil.copy(given, other)
    with Server(program, plugin, "--network", given) as server:
        offered = server.request("GET", "/api/catalogue")[1]["networks"]
        assert {"game": "connect4", "name": f"network:{given}", "summary": given} in offered, offered
        assert any(network["game"] == "backgammon" and network["name"] == "network" for network in offered), offered
        assert not any(network["game"] == "chess" and network["name"] != "network" for network in offered), offered
        session = server.open(plugin)["session"]
        players = [{}, {"keys": {"eval": f"network:{given}"}}]
        assert server.act(session, do="players", players=players)[0] == 200
        for name in [other, given + "x", "/dev/zero", f"{folder}/../{given}"]:
            for change in [{"keys": {"eval": f"network:{name}"}}, {"strategy": f"pvs,eval=network:{name}"}]:
                status, answer = server.act(session, do="players", players=[change, {}])
                assert status == 400 and "was not given to the server" in answer["error"], (name, answer)
            status, answer = server.act(session, do="lab", strategies=[f"pvs,eval=network:{name},depth=2"], threads=[1], seconds=1)
            assert status == 400 and "was not given to the server" in answer["error"], (name, answer)
    refused = subprocess.run([program, "serve", "--port", "0", "--network", given], capture_output=True, text=True)
    assert refused.returncode == 2 and "fits no game that is offered" in refused.stderr, refused


def main():
    program, plugin = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([program, "arena", "othello", "--player", "pvs,depth=1", "--player", "random", "--games", "2",
                        "--db", f"{folder}/kept.db"], check=True, stdout=subprocess.DEVNULL)
        os.mkdir(f"{folder}/inner")  # an arena that is there, but not in the folder
        shutil.copy(f"{folder}/kept.db", f"{folder}/inner/kept.db")
        run_on(program, plugin, folder)
        run_on_networks(program, plugin, folder)
    run_on_ipv6(program)
    print("all well")


main()
