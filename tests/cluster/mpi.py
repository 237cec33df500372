#!/usr/bin/env python3
"""mpi.py PROGRAM SEQUENTIAL [POSITIONS [RANKS [LATENCIES [KILLS [SEED]]]]] - runs manyply-mpi (PROGRAM) under mpirun, many ranks
on this machine, and compares each value with that of the sequential `manyply` (SEQUENTIAL): POSITIONS random positions of
each game, with each number of ranks (such as 2,4,8) and each latency (such as 0,1ms,50ms) in turn. Each run is killed
(kill -9) KILLS times at random moments, one rank, mpirun, or mpirun and all ranks, and the same command is given again. What the
ledger had before a kill must be there after it. Then a perft in the same way."""
import json
import os
import pathlib
import random
import re
import signal
import subprocess
import sys
import tempfile
import time

# Every rank on this machine, whatever it has: more ranks than cores, no network, no ssh.
ENVIRONMENT = dict(os.environ, OMPI_MCA_btl="self,vader", OMPI_MCA_btl_vader_single_copy_mechanism="none",
                   OMPI_MCA_plm_rsh_agent="false", OMPI_MCA_mpi_yield_when_idle="1", OMPI_ALLOW_RUN_AS_ROOT="1",
                   OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", OMPI_MCA_rmaps_base_oversubscribe="1",
                   OMPI_MCA_hwloc_base_binding_policy="none", OMPI_MCA_btl_base_warn_component_unused="0")
# A strategy that searches some ten thousand nodes, the most random plies before it, and the nodes of a job.
GAMES = {"chess": ("pvs,depth=5,hash=4", 60, 3000), "othello": ("pvs,depth=7,hash=4", 50, 3000),
         "halma": ("pvs,depth=3,hash=4", 40, 2000), "backgammon": ("star2,depth=2", 30, 1000)}


def sequential(program, *arguments):
    """The JSON that the sequential program prints."""
    done = subprocess.run([program, *arguments, "--json"], check=True, capture_output=True, text=True)
    return json.loads(done.stdout)


def random_line(program, game, most):
    """Random moves from the beginning, to a position with a player to move who has a choice."""
    for _ in range(100):
        line = []
        for _ in range(random.randrange(most)):
            found = sequential(program, "moves", game, "--moves", ", ".join(line))
            if not found["moves"]:
                break
            line.append(random.choice(found["moves"]))
        found = sequential(program, "moves", game, "--moves", ", ".join(line))
        if found.get("chance") and found["moves"]:
            line.append(random.choice(found["moves"]))
            found = sequential(program, "moves", game, "--moves", ", ".join(line))
        if len(found["moves"]) > 1 and not found.get("chance"):
            return ", ".join(line)
    raise AssertionError(f"no position of {game} with a choice")


def children(pid):
    """The processes that a process has started, and theirs."""
    try:
        below = [int(word) for path in pathlib.Path(f"/proc/{pid}/task").glob("*/children")
                 for word in path.read_text().split()]
    except OSError:
        return []
    return below + [pid for child in below for pid in children(child)]


def kill(pid):
    """True: there was something to kill."""
    try:
        os.kill(pid, signal.SIGKILL)
        return True
    except ProcessLookupError:
        return False


def whole_lines(ledger):
    data = ledger.read_bytes() if ledger.exists() else b""
    return data[:data.rfind(b"\n") + 1]


def run(command, ledger, kills):
    """Runs a command until it ends by itself, killing it so many times before. Returns what it printed and the kills."""
    killed = 0
    for attempt in range(kills + 1):
        before = whole_lines(ledger)
        with tempfile.TemporaryFile("w+") as errors, \
                subprocess.Popen(command, env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=errors, text=True) as mpirun:
            if attempt < kills:
                goal = len(before) + random.randrange(2500)  # somewhere in the middle, however fast the machine is
                while mpirun.poll() is None and len(whole_lines(ledger)) <= goal:
                    time.sleep(0.002)
                ranks = children(mpirun.pid)
                victims = random.choice([ranks and [random.choice(ranks)], [mpirun.pid], [mpirun.pid, *ranks]])
                killed += any([kill(pid) for pid in victims])
            output, _ = mpirun.communicate()  # ends when the last rank has ended, too
            errors.seek(0)
            said = errors.read()
        after = whole_lines(ledger)
        assert after.startswith(before), f"records were lost: {len(before)} bytes before, {len(after)} after"
        if mpirun.returncode == 0:
            return json.loads(output), killed
        assert attempt < kills, f"{' '.join(command)}: exit code {mpirun.returncode}: {said}"
    raise AssertionError("killed for ever")


def compare(program, single, folder, game, number, ranks, latency, kills):
    strategy, most, nodes = GAMES[game]
    line = random_line(single, game, most)
    expected = sequential(single, "search", game, "--moves", line, "--strategy", strategy)
    ledger = folder / f"{game}-{number}.ledger"
    command = ["mpirun", "-n", str(ranks), program, "search", game, "--moves", line, "--strategy", strategy,
               "--job-nodes", str(nodes), "--ledger", str(ledger), "--json"]
    if latency != "0":
        command += ["--latency", latency]
    found, killed = run(command, ledger, kills)
    assert found["value"] == expected["value"], f"{' '.join(command)}: {found['value']}, expected {expected['value']}"
    after = sequential(single, "search", game, "--moves", line, "--strategy", strategy.replace("hash=4", "hash=8"))
    assert after["value"] == expected["value"]
    return killed, found, expected


def search_all(program, single, folder, positions, ranks, latencies, kills):
    number = 0
    for game in GAMES:
        killed = nodes = alone = jobs = 0
        idle = []
        for _ in range(positions):
            count, latency = ranks[number % len(ranks)], latencies[number // len(ranks) % len(latencies)]
            times, found, expected = compare(program, single, folder, game, number, count, latency, kills)
            number += 1
            killed += times
            jobs += found["jobs"]
            if not times:  # else a part was searched by those who were killed
                nodes += found["nodes"] + found["master_nodes"]
                alone += expected["nodes"]
                idle.append(found["idle"])
        print(f"{game}: {positions} values as the sequential ones, {killed} kills, {jobs} jobs"
              + (f", {nodes / alone:.2f} times the nodes, idle {100 * sum(idle) / len(idle):.0f}%" if alone else ""),
              flush=True)
    return number


def perft(program, folder, ranks, kills, game, depth, leaves):
    ledger = folder / "perft.ledger"
    command = ["mpirun", "-n", str(ranks), program, "perft", game, str(depth), "--threads", "1", "--split", "2",
               "--ledger", str(ledger), "--json"]
    found, killed = run(command, ledger, kills)
    assert found["leaves"] == leaves, f"{' '.join(command)}: {found['leaves']}, expected {leaves}"
    again = run(command, ledger, 0)[0]
    assert again["leaves"] == leaves and again["jobs"] == 0, again
    print(f"perft {depth} of {game}: {leaves} with {killed} kills, then all from the ledger")
    return command, ledger


def samples(program, folder, kills):
    """Trees on all ranks, whose visits are added up; those of a run that was killed count, too."""
    ledger = folder / "mcts.ledger"
    command = ["mpirun", "-n", "2", program, "search", "othello", "--moves", "f5", "--strategy", "mcts,iterations=20000",
               "--ledger", str(ledger), "--json"]
    found, killed = run(command, ledger, kills)
    assert 18000 <= found["iterations"] <= 24000 and found["move"] in ("d6", "f4", "f6"), found
    text = ledger.read_text()
    assert "run 0 rank 0\t" in text or "run 0 rank 1\t" in text, text
    again = run(command, ledger, 0)[0]
    assert again["jobs"] == 0 and again["iterations"] == again["iterations_from_ledger"] == found["iterations"], again
    assert (again["move"], again["value"]) == (found["move"], found["value"]), (found, again)
    print(f"mcts: {found['iterations']} iterations, {killed} kills, {found['iterations_from_ledger']} from before them")


def batch(program, single, folder):
    """Lines are run in any order and printed in theirs; one that fails is tried again, the others are not."""
    lines, ledger = folder / "lines", folder / "batch.ledger"
    commands = [f"perft othello {depth}" for depth in (5, 3, 1, 4)]
    alone = [subprocess.run([single, *line.split(), "--json"], check=True, capture_output=True, text=True).stdout
             for line in commands]
    command = ["mpirun", "-n", "2", program, "batch", str(lines), "--ledger", str(ledger)]

    def run_lines(text):
        lines.write_text(text)
        return subprocess.run(command, env=ENVIRONMENT, capture_output=True, text=True, check=False)

    def counts(text):
        return re.findall(r'"nodes": (\d+)', text)

    broken = [*commands[:2], "perft othello x", *commands[2:]]
    done = run_lines("# not a line\n\n" + "".join(f"{line} --json\n" for line in broken))
    assert done.returncode == 2 and "1 of 5 lines failed" in done.stderr, (done.returncode, done.stderr)
    assert counts(done.stdout) == counts("".join(alone)) and "DEPTH is 'x'" in done.stdout, done.stdout
    done = run_lines("".join(f"{line} --json\n" for line in commands))
    assert done.returncode == 0 and "4 lines, 4 from the ledger" in done.stderr, (done.returncode, done.stderr)
    assert counts(done.stdout) == counts("".join(alone)), done.stdout
    print("batch: 4 lines, then all from the ledger")


def refusals(command, program):
    """What is wrong is said once, in a sentence, by one rank."""
    other = [word if word != "5" else "4" for word in command]
    for words, sentence in [(other, "is the ledger of another job: perft 5 of"),
                            (["mpirun", "-n", "2", program, "search", "chess", "--strategy", "random"], "is not exact"),
                            (["mpirun", "-n", "2", program, "search", "chess", "--strategy", "pvs"], "expected a depth"),
                            (["mpirun", "-n", "2", program, "search", "checkers"], "checkers")]:
        done = subprocess.run(words, env=ENVIRONMENT, capture_output=True, text=True, check=False)
        said = re.findall(r"^manyply-mpi .*$", done.stderr, re.MULTILINE)
        assert done.returncode == 2 and len(said) == 1 and sentence in said[0], (words, done.returncode, done.stderr)


def main():
    program, single = (os.path.abspath(word) for word in sys.argv[1:3])
    given = sys.argv[3:] + ["1", "2,4", "0,1ms", "1", "1"][len(sys.argv) - 3:]
    positions, ranks, latencies = int(given[0]), [int(word) for word in given[1].split(",")], given[2].split(",")
    kills = int(given[3])
    random.seed(int(given[4]))
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        search_all(program, single, folder, positions, ranks, latencies, kills)
        command, _ = perft(program, folder, 2, kills, "chess", 5, 4865609)
        refusals(command, program)
        batch(program, single, folder)
        samples(program, folder, kills)


main()
