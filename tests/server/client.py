"""client.py - starts `manyply serve` and talks to it, with nothing but the standard library."""
import contextlib
import http.client
import json
import re
import signal
import subprocess
import sys
import time


class Server:
    """A running server. Leaving the block ends it with SIGTERM and expects a clean exit."""

    def __init__(self, program, *arguments, environment=None):
        self.process = subprocess.Popen([program, "serve", "--port", "0", *arguments], text=True,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment)
        self.url = self.process.stdout.readline().strip()
        match = re.fullmatch(r"http://(127\.0\.0\.1|\[::1\]):(\d+)/\?token=([0-9a-f]{32})", self.url)
        if not match:
            raise AssertionError(f"unexpected address '{self.url}': {self.process.stderr.read()}")
        self.host, self.port, self.token = match[1], int(match[2]), match[3]

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        self.process.send_signal(signal.SIGTERM)
        try:
            output, errors = self.process.communicate(timeout=60)
        except subprocess.TimeoutExpired as late:
            self.process.kill()
            raise AssertionError("the server is still there a minute after SIGTERM") from late
        if kind is None:
            assert self.process.returncode == 0 and not errors and not output, \
                f"exit code {self.process.returncode} after SIGTERM\n{output}{errors}"
        else:
            sys.stderr.write(errors)

    def connect(self):
        return http.client.HTTPConnection(self.host.strip("[]"), self.port, timeout=60)

    def request(self, method, path, body=None, headers=None, token=True):
        """Returns the status and the body, as JSON where it is JSON."""
        with contextlib.closing(self.connect()) as connection:
            own = {"X-Manyply-Token": self.token} if token else {}
            if body is not None and not isinstance(body, (bytes, str)):
                body = json.dumps(body)
            connection.request(method, path, body, own | (headers or {}))
            answer = connection.getresponse()
            content = answer.read()
            if content and answer.getheader("Content-Type") == "application/json":
                content = json.loads(content)
            return answer.status, content

    def open(self, game, **more):
        status, state = self.request("POST", "/api/sessions", {"game": game, **more})
        assert status == 200, state
        return state

    def act(self, session, **action):
        return self.request("POST", f"/api/sessions/{session}", action)


class Stream:
    """The events of a session."""

    def __init__(self, server, session):
        self.connection = server.connect()
        self.connection.request("GET", f"/api/events?session={session}&token={server.token}")
        self.answer = self.connection.getresponse()
        assert self.answer.status == 200, self.answer.read()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.answer.close()
        self.connection.close()

    def next(self, deadline=float("inf")):
        """The next event: its name and its data."""
        name = None
        for line in iter(self.answer.readline, b""):
            if time.monotonic() > deadline:
                break
            line = line.decode().rstrip("\n")
            if line.startswith("event: "):
                name = line[7:]
            elif line.startswith("data: "):
                return name, json.loads(line[6:])
        return None, None

    def until(self, wanted):
        """Reads events until one fits; a minute is far too long for any of them."""
        deadline = time.monotonic() + 60
        while True:
            name, data = self.next(deadline)
            assert name, "the stream ended, or what is waited for does not come"
            if wanted(name, data):
                return data


def run_all(tests, *arguments):
    """Runs functions by the name test_*; says which."""
    for name, test in tests.items():
        if name.startswith("test_"):
            print(name, flush=True)
            test(*arguments)
