#!/usr/bin/env python3
"""memory.py PROGRAM - memory runs out, or there is little: a command fails with a sentence or goes on."""
import os
import resource
import subprocess
import sys

PROGRAM = os.path.realpath(sys.argv[1])
faults = []


def run(words, limits=(), text=None):
    def limit():
        for what, size in limits:
            resource.setrlimit(what, (size, size))
    return subprocess.run([PROGRAM, *words], input=text, stdin=None if text else subprocess.DEVNULL, capture_output=True,
                          text=True, preexec_fn=limit)


def one_sentence(what, done):
    said = done.stderr.strip()
    if done.returncode != 2 or "memory" not in said or "\n" in said:
        faults.append("%s: exit code %d and '%s', expected a sentence about memory" % (what, done.returncode, said))


# More than there is. 300 MB of addresses are enough for all the rest.
little = [(resource.RLIMIT_AS, 300 << 20)]
for strategy in ("mcts,memory=131072,iterations=10", "mcts,memory=131072,reuse=on,iterations=10",
                 "mcts,split=root,threads=4,memory=1000,iterations=10", "pvs,hash=131072,depth=2"):
    done = run(["search", "othello", "--strategy", strategy], little)
    if "expected" in done.stderr:
        faults.append("%s: %s" % (strategy, done.stderr))
    one_sentence(strategy, done)

# The stack of who started the program is not that of its threads.
for game in ([], ["setoption name Threads value 2"]):
    done = run(["engine", "uci"], [(resource.RLIMIT_STACK, 128 << 10)],
               text="\n".join(["uci", *game, "isready", "position startpos moves e2e4", "go depth 5", "isready", ""]))
    if done.returncode != 0 or "bestmove" not in done.stdout:
        faults.append("the engine with a small stack: exit code %d, '%s'" % (done.returncode, done.stdout[-80:]))

for words in (["check", "othello", "--positions", "4"], ["search", "chess", "--strategy", "mcts,iterations=100"]):
    done = run(words, [(resource.RLIMIT_STACK, 128 << 10)])
    if done.returncode != 0:
        faults.append("%s with a small stack: exit code %d, '%s'" % (words, done.returncode, done.stdout[-200:]))
with subprocess.Popen([PROGRAM, "serve", "--port", "0"], stdout=subprocess.PIPE, text=True, preexec_fn=lambda:
                      resource.setrlimit(resource.RLIMIT_STACK, (128 << 10, 128 << 10))) as server:
    server.stdout.readline()
    server.terminate()
    if server.wait(60) != 0:
        faults.append("the server with a small stack: exit code %d after SIGTERM" % server.returncode)
for fault in faults:
    print(fault)
sys.exit("%d faults" % len(faults) if faults else 0)
