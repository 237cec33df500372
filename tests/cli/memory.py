#!/usr/bin/env python3
"""memory.py PROGRAM NO_MEMORY - memory runs out: a command prints all that it should, or fails with a sentence."""
import os
import resource
import subprocess
import sys
import tempfile

PROGRAM, NO_MEMORY = map(os.path.realpath, sys.argv[1:3])
faults = []


def run(words, limits=(), extra=(), text=None):
    def limit():
        for what, size in limits:
            resource.setrlimit(what, (size, size))
    return subprocess.run([PROGRAM, *words], input=text, stdin=None if text else subprocess.DEVNULL, capture_output=True,
                          text=True, env={**os.environ, **dict(extra)}, preexec_fn=limit)


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

# Each malloc in its turn fails.
with tempfile.TemporaryDirectory() as folder:
    database, count = os.path.join(folder, "games.db"), os.path.join(folder, "count")
    made = run(["arena", "othello", "--player", "random,seed=1", "--player", "random,seed=2", "--games", "4", "--db",
                database])
    assert made.returncode == 0, made.stderr
    for words in (["moves", "othello", "--json"], ["moves", "othello"], ["results", "games", "--json", "--db", database],
                  ["results", "--json", "--db", database]):
        whole = run(words)
        assert whole.returncode == 0, whole.stderr
        run(words, extra=[("LD_PRELOAD", NO_MEMORY), ("NO_MEMORY", "0"), ("NO_MEMORY_COUNT", count)])
        total = int(open(count).read())
        assert total > 10, "%d mallocs in %s" % (total, words)
        failed = 0
        for number in range(1, total + 1, max(1, total // 60)):
            done = run(words, extra=[("LD_PRELOAD", NO_MEMORY), ("NO_MEMORY", str(number))])
            failed += done.returncode == 2
            if done.returncode not in (0, 2) or (done.returncode == 0 and done.stdout != whole.stdout):
                faults.append("malloc %d of %d in `%s`: exit code %d, '%s'" %
                              (number, total, " ".join(words), done.returncode, done.stderr.strip()))
        if failed == 0:
            faults.append("no malloc in `%s` failed" % " ".join(words))
for fault in faults:
    print(fault)
sys.exit("%d faults" % len(faults) if faults else 0)
