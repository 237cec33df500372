#!/usr/bin/env python3
"""run.py [--rewrite] PROGRAM PLUGINS TRANSCRIPT... - runs command transcripts and compares what is printed.

A transcript is read by people first:

    # a comment
    $ manyply perft othello 6
    perft 6: 8200 leaves in [...] s, [...] leaves/s on 1 thread
    $ manyply perft othello banana
    ! manyply perft: DEPTH is 'banana', expected a whole number from 0 to 255
    ? 2

`$` is a command for bash; `!` a line on standard error; `?` the exit code (0 if not given); all else is
standard output. [...] stands for any text in a line, and on a line of its own for any lines. Where the output
is meant to be a JSON object, it is parsed and compared by meaning: the keys must be the same, and "[...]",
"[number]", "[integer]" and "[text]" stand for values. `% needs zsh` skips the next command where there is no
zsh; if all others are right, run.py then exits with 77, which ctest shows as skipped. $PLUGINS is the folder of the tests' plug-ins, $TRANSCRIPTS that of the transcripts.

--rewrite puts what was printed in the place of what differs; read the diff before committing it."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ANY = {"[...]": object, "[number]": (int, float), "[integer]": int, "[text]": str}


class Step:
    """A command and what it is expected to print."""

    def __init__(self, command, line, lead, needs):
        self.command, self.line, self.lead, self.needs = command, line, lead, needs
        self.out, self.err, self.code = [], [], 0


def read_steps(text):
    """The steps of a transcript, and the lines after the last of them."""
    steps, lead, needs = [], [], None
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("% needs "):
            needs = line[8:]
            lead.append(line)
        elif line.startswith("#"):
            lead.append(line)
        elif line.startswith("$ "):
            steps.append(Step(line[2:], number, lead, needs))
            lead, needs = [], None
        elif lead or not steps:
            lead.append(line)
        elif line.startswith("! "):
            steps[-1].err.append(line[2:])
        elif line.startswith("? "):
            steps[-1].code = int(line[2:])
        else:
            steps[-1].out.append(line)
    for step in steps:
        step.blanks = 0
        while step.out and not step.out[-1]:
            step.out.pop()
            step.blanks += 1
    return steps, lead


def matches_json(expected, actual, path="$"):
    """None, or where two JSON values differ."""
    if isinstance(expected, str) and expected in ANY:
        right = isinstance(actual, ANY[expected]) and not (expected != "[...]" and isinstance(actual, bool))
        return None if right else f"{path} is {actual!r}, expected {expected}"
    if isinstance(expected, dict) and isinstance(actual, dict):
        if list(expected) != list(actual):
            return f"{path} has the keys {list(actual)}, expected {list(expected)}"
        pairs = [(f"{path}.{key}", expected[key], actual[key]) for key in expected]
    elif isinstance(expected, list) and isinstance(actual, list) and len(expected) == len(actual):
        pairs = [(f"{path}[{i}]", *pair) for i, pair in enumerate(zip(expected, actual))]
    else:
        same = type(expected) is type(actual) and expected == actual
        return None if same else f"{path} is {actual!r}, expected {expected!r}"
    return next(filter(None, (matches_json(e, a, p) for p, e, a in pairs)), None)


def matches_text(expected, actual):
    pattern = ""
    for line in expected:
        if line == "[...]":
            pattern += r"(?:.*\n)*?"
        else:
            pattern += ".*?".join(map(re.escape, line.split("[...]"))) + r"\n"
    return re.fullmatch(pattern, "".join(line + "\n" for line in actual)) is not None


def differs(kind, expected, actual):
    """None, or a report of how the actual lines differ."""
    if kind == "output" and expected and expected[0].startswith("{"):
        try:
            return matches_json(json.loads("\n".join(expected)), json.loads("\n".join(actual)))
        except json.JSONDecodeError as error:
            return f"not JSON: {error}"
    if matches_text(expected, actual):
        return None
    show = lambda lines: "".join(f"\n    | {line}" for line in lines) or " nothing"
    return f"{kind} expected:{show(expected)}\n  {kind} printed:{show(actual)}"


def run_step(step, environment, folder):
    """None, or how the step went wrong; the step then holds what was printed."""
    done = subprocess.run(["bash", "-c", "set -o pipefail; " + step.command], env=environment, cwd=folder,
                          stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=300, check=False)
    out, err = done.stdout.splitlines(), done.stderr.splitlines()
    while out and not out[-1]:
        out.pop()
    expand = lambda lines: [line.replace("$PLUGINS", environment["PLUGINS"]) for line in lines]
    shrink = lambda lines: [line.replace(environment["PLUGINS"], "$PLUGINS") for line in lines]
    faults = [differs("output", expand(step.out), out), differs("error", expand(step.err), err)]
    if done.returncode != step.code:
        faults.append(f"exit code {done.returncode}, expected {step.code}")
    faults = [fault for fault in faults if fault]
    if faults:
        step.out, step.err, step.code = shrink(out), shrink(err), done.returncode
    return "\n  ".join(faults) or None


def print_transcript(steps, tail):
    lines = []
    for step in steps:
        lines += step.lead + ["$ " + step.command] + step.out + ["! " + line for line in step.err]
        lines += [f"? {step.code}"] * (step.code != 0) + [""] * step.blanks
    return "\n".join(lines + tail) + "\n"


def main():
    arguments = sys.argv[1:]
    rewrite = arguments[0] == "--rewrite"
    program, plugins, *files = arguments[rewrite:]
    failures = skipped = 0
    for file in map(pathlib.Path, files):
        environment = dict(os.environ, PLUGINS=os.path.abspath(plugins), LC_ALL="C.UTF-8",
                           TRANSCRIPTS=str(file.resolve().parent),
                           PATH=os.path.dirname(os.path.abspath(program)) + ":" + os.environ["PATH"])
        steps, tail = read_steps(file.read_text())
        with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as home:
            environment.update(XDG_CACHE_HOME=home, XDG_DATA_HOME=home)  # nothing of the tests stays with who runs them
            for step in steps:
                if step.needs and not shutil.which(step.needs):
                    print(f"{file.name}:{step.line}: skipped, there is no {step.needs} here")
                    skipped += 1
                    continue
                fault = run_step(step, environment, folder)
                if fault:
                    failures += 1
                    print(f"{file.name}:{step.line}: $ {step.command}\n  {fault}")
        if rewrite:
            file.write_text(print_transcript(steps, tail))
        print(f"{file.name}: {len(steps)} commands")
    if failures or not files:
        return 1
    return 77 if skipped else 0


sys.exit(main())
