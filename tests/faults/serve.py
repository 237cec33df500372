#!/usr/bin/env python3
"""serve.py PROGRAM FAULTS SAMPLES|all|I/N - the fault loop of commands.py for the server: in a session with the page, a game, a
move, an engine and its news each request for memory, for a thread, for a file, each read and each write fails, once or from
then on. An answer is then the whole answer, an error with a sentence, or none because the connection is closed; after a
single fault the second try succeeds; and the server ends as it should, when it should."""
import http.client
import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "server"))
from client import Server, Stream  # noqa: E402

PROGRAM, FAULTS = map(os.path.realpath, sys.argv[1:3])
SAMPLES = sys.argv[3]
KINDS = ("memory", "thread", "open", "read", "write")
PATIENCE = 20  # seconds; all of it takes a tenth of one
CHANGES = {"session", "revision", "problem", "values", "used", "watchers", "sessions", "searches"}
ENGINES = [{"engine": False}, {"engine": True, "strategy": "alphabeta,depth=2"}]


class Wrong(Exception):
    """What the server did, and should not have."""


def fixed(value):
    """An answer without what differs from run to run."""
    if isinstance(value, dict):
        return {key: fixed(part) for key, part in value.items() if key not in CHANGES}
    return [fixed(part) for part in value] if isinstance(value, list) else value


class Talk:
    """One session with a server. What is asked for the first time teaches what a whole answer is."""

    def __init__(self, known, fault, count):
        self.known, self.fault, self.lost = known, fault, 0
        environment = {**os.environ, "LC_ALL": "C", "LD_PRELOAD": FAULTS, "FAULT": fault, "FAULT_COUNT": count}
        self.server = Server(PROGRAM, "--memory", "600", environment=environment)

    def try_once(self, method, path, body):
        try:
            status, content = self.server.request(method, path, body)
        except (OSError, http.client.HTTPException):
            return None
        except json.JSONDecodeError as error:
            raise Wrong(f"{method} {path}: not JSON: {error}") from error
        if status == 200:
            if path.startswith("/api/") and isinstance(content, bytes):
                raise Wrong(f"{method} {path}: an answer that is not said to be JSON")
            self.compare(path, content)
            return content
        if not isinstance(content, dict) or not content.get("error"):
            raise Wrong(f"{method} {path}: {status} without a sentence: {content}")
        return None

    def compare(self, path, content):
        """A state is known by its position, since a move that failed is not played."""
        place = json.dumps([path if "session" not in path else "state", fixed(content).get("position")]) \
            if isinstance(content, dict) else path
        if isinstance(content, dict) and "legal" in content:
            content = {key: content[key] for key in content if key not in ("moves", "at", "players")}
        whole = self.known.setdefault(place, fixed(content))
        if fixed(content) != whole:
            raise Wrong(f"{place}: {str(fixed(content))[:2000]} instead of {str(whole)[:2000]}")

    def ask(self, method, path, body=None):
        """None: no answer. After a single fault the second one comes."""
        for _ in range(2 if self.fault.endswith("+") else 3):
            answer = self.try_once(method, path, body)
            if answer is not None:
                return answer
            self.lost += 1
        if not self.fault.endswith("+"):
            raise Wrong(f"{method} {path}: no answer to the third request after a single fault")
        return None

    def watch(self, session):
        """The engine's move comes, or the reason why not."""
        try:
            with Stream(self.server, session) as stream:
                deadline = time.monotonic() + PATIENCE
                stream.connection.sock.settimeout(1 if self.fault.endswith("+") else PATIENCE)
                while time.monotonic() < deadline:
                    name, data = stream.next(deadline)
                    if name == "state" and (len(data["moves"]) > 1 or data["problem"]):
                        self.compare("session", data)
                        return True
                    if name is None:
                        break
        except (OSError, http.client.HTTPException, AssertionError):
            pass
        return False

    def talk(self):
        for path in ("/", "/app.js", "/api/catalogue", "/api/status", "/api/arenas"):
            self.ask("GET", path)
        state = self.ask("POST", "/api/sessions", {"game": "othello"})
        if not state:
            return
        path = f"/api/sessions/{state['session']}"
        self.ask("POST", path, {"do": "players", "players": ENGINES})
        played = self.ask("GET", path)
        if played and not played["moves"]:
            played = self.try_once("POST", path, {"do": "play", "move": "f5"})
        if not played and not self.fault.endswith("+"):
            now = self.ask("GET", path)  # the answer was lost, or the move
            played = now if now["moves"] else self.ask("POST", path, {"do": "play", "move": "f5"})
        if played and not self.watch(state["session"]) and not self.fault.endswith("+") and not \
                self.watch(state["session"]):
            raise Wrong("no move of the engine, and no reason, in two streams after a single fault")
        self.ask("GET", path)

    def end(self):
        process = self.server.process
        process.send_signal(signal.SIGTERM)
        try:
            _, errors = process.communicate(timeout=PATIENCE)
        except subprocess.TimeoutExpired as late:
            process.kill()
            process.communicate()
            raise Wrong("it is still there after SIGTERM") from late
        if process.returncode != 0:
            raise Wrong(f"exit code {process.returncode} after SIGTERM: {errors.strip()}")


def one_run(known, fault, count):
    """How often no answer came; Wrong if the server did what it should not."""
    try:
        talk = Talk(known, fault, count)
    except AssertionError as refused:  # the server has not begun: it has said why
        if "manyply serve: " not in str(refused) and not fault.startswith("write"):
            raise Wrong(f"it does not begin, without a sentence: {refused}") from refused
        return 1
    try:
        talk.talk()
    finally:
        if talk.server.process.poll() is not None:
            raise Wrong(f"it has ended by itself: {talk.server.process.returncode}, {talk.server.process.stderr.read()}")
        talk.end()
    return talk.lost


def main():
    faults = runs = lost = 0
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        known = {}
        one_run(known, "memory 0", "count")
        for kind in KINDS:
            one_run(known, f"{kind} 0", "count")
            with open("count", encoding="ascii") as file:
                total = int(file.read())
            numbers = list(range(1, total + 1))
            if "/" in SAMPLES:
                part, parts = map(int, SAMPLES.split("/"))
                numbers = numbers[part - 1::parts]
            elif SAMPLES != "all":
                numbers = random.Random(f"serve {kind}").sample(numbers, min(total, int(SAMPLES)))
            for number in numbers:
                for fault in (f"{kind} {number}", f"{kind} {number}+"):
                    runs += 1
                    try:
                        lost += one_run(known, fault, "count")
                    except Wrong as wrong:
                        faults += 1
                        print(f"{fault} of {total}: {wrong}", flush=True)
            print(f"serve: {total} {kind}", flush=True)
    print(f"{runs} runs, {lost} answers lost")
    if not lost:
        sys.exit("no fault has had any effect")
    sys.exit(f"{faults} faults" if faults else 0)


main()
