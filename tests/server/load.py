#!/usr/bin/env python3
"""load.py PROGRAM [SECONDS [REQUESTS_PER_SECOND]] - moves at a steady rate from several clients, while a search
runs; prints how long the answers took and how much the memory of the server grew. The default is 3 s of 200
requests a second; the measurement in docs/http-api.md is 60 s of 1000."""
import http.client
import json
import sys
import threading
import time

from client import Server, Stream

CLIENTS = 8
GAME = ["f5", "d6", "c3", "d3", "c4"]


def memory_kilobytes(pid):
    with open(f"/proc/{pid}/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmRSS"))


def client(server, seconds, interval, times, failures):
    session = server.open("othello")["session"]
    people = [{"engine": False, "strategy": "pvs,depth=2"}] * 2
    server.act(session, do="players", players=people)
    bodies = [{"do": "play", "move": move} for move in GAME] + [{"do": "new"}]
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
    begin = time.monotonic()
    count = 0
    while (due := begin + count * interval) < begin + seconds:
        time.sleep(max(0, due - time.monotonic()))
        body = json.dumps(bodies[count % len(bodies)])
        start = time.monotonic()
        connection.request("POST", f"/api/sessions/{session}", body, {"X-Manyply-Token": server.token})
        answer = connection.getresponse()
        state = json.loads(answer.read())
        times.append(time.monotonic() - start)
        if answer.status != 200 or len(state["moves"]) != (count + 1) % len(bodies):
            failures.append(state)
        count += 1


def main():
    seconds = float(sys.argv[2]) if len(sys.argv) > 2 else 3
    rate = float(sys.argv[3]) if len(sys.argv) > 3 else 200
    times, failures = [], []
    with Server(sys.argv[1]) as server:
        session = server.open("chess")["session"]
        server.act(session, do="players", players=[{"engine": True, "strategy": f"pvs,time={seconds + 30:.0f}s"}, {}])
        with Stream(server, session) as stream:
            stream.until(lambda name, _: name == "pulse")
            clients = [threading.Thread(target=client, args=(server, seconds, CLIENTS / rate, times, failures))
                       for _ in range(CLIENTS)]
            for one in clients:
                one.start()
            time.sleep(min(1, seconds / 2))
            before = memory_kilobytes(server.process.pid)
            for one in clients:
                one.join()
            after = memory_kilobytes(server.process.pid)
    assert not failures, failures[0]
    assert len(times) >= seconds * rate * 0.9, f"only {len(times)} requests"
    times.sort()
    print(f"{len(times)} requests in {seconds:.0f} s, all answered; median {1000 * times[len(times) // 2]:.2f} ms, "
          f"99% within {1000 * times[len(times) * 99 // 100]:.2f} ms, longest {1000 * times[-1]:.2f} ms; "
          f"memory grew by {after - before} kB to {after} kB")


main()
