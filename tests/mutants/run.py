#!/usr/bin/env python3
"""run.py [-j JOBS] [REGEX] - plants faults in a copy of the source, one at a time, and expects a test to fail.

Each tests/mutants/*.txt is a list of faults. One is a few lines, with an empty line after it:
  fault: what is wrong then, in a sentence
  file:  the file it is in
  after: a text of the file that occurs once; not needed where `text` occurs once itself
  text:  the text that is replaced; with `after`, where it comes next
  with:  what stands there instead; nothing: the text is deleted
  tests: the tests that should fail, the cheapest first; each is a regular expression for whole names
  lives: why no test can fail, where the program does the same with the fault and without it

REGEX chooses among "file: fault". The copy and its build are kept in build/mutants. With --check BUILD nothing is built:
the texts must be in the source, and the tests among those of that build."""
import argparse
import dataclasses
import fcntl
import json
import os
import pathlib
import re
import resource
import shutil
import signal
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
LISTS = pathlib.Path(__file__).resolve().parent
KEYS = {"fault", "file", "after", "text", "with", "tests", "lives"}


class Wrong(Exception):
    """Something that is no fault of the program: the list, the copy or the build."""


# ---- The list ---------------------------------------------------------------------------------------------


@dataclasses.dataclass
class Mutant:
    place: str  # where the list has it
    fault: str
    file: str
    text: str
    tests: list
    replacement: str = ""
    after: str = ""
    lives: str = ""

    def __str__(self):
        return f"{self.file}: {self.fault}"

    def apply(self, source):
        """The file's text with the fault."""
        start = 0
        if self.after:
            if source.count(self.after) != 1:
                raise Wrong(f"{self.place}: '{self.after}' occurs {source.count(self.after)} times in {self.file}, "
                            f"expected once")
            start = source.index(self.after) + len(self.after)
        found = source.count(self.text, start)
        if found == 0 or (found > 1 and not self.after):
            raise Wrong(f"{self.place}: '{self.text}' occurs {found} times in {self.file}"
                        + (" after that" if self.after else "") + ", expected once"
                        + ("" if self.after or not found else ", or `after:` to say which"))
        at = source.index(self.text, start)
        return source[:at] + self.replacement + source[at + len(self.text):]


def read_block(place, lines):
    fields = {}
    for line in lines:
        key, colon, value = line.partition(":")
        if not colon or key not in KEYS or key in fields:
            raise Wrong(f"{place}: '{line}', expected each of {', '.join(sorted(KEYS))} at most once, and a colon")
        fields[key] = value.strip()
    missing = {"fault", "file", "text", "with", "tests"} - fields.keys()
    if missing or not fields["text"] or not fields["tests"].split():
        raise Wrong(f"{place}: without {', '.join(sorted(missing)) or 'a text or tests'}")
    if fields["text"] == fields["with"]:
        raise Wrong(f"{place}: `text` and `with` are the same")
    return Mutant(place, fields["fault"], fields["file"], fields["text"], fields["tests"].split(), fields["with"],
                  fields.get("after", ""), fields.get("lives", ""))


def read_lists():
    mutants = []
    for path in sorted(LISTS.glob("*.txt")):
        lines, block, start = path.read_text().splitlines() + [""], [], 0
        for number, line in enumerate(lines, 1):
            if line.startswith("#"):
                continue
            if line.strip():
                start = start if block else number
                block.append(line)
            elif block:
                mutants.append(read_block(f"{path.name}:{start}", block))
                block = []
    names = [str(mutant) for mutant in mutants]
    for mutant in mutants:
        if names.count(str(mutant)) > 1:
            raise Wrong(f"{mutant.place}: there are two of '{mutant}'")
    return mutants


# ---- The tests of a build ---------------------------------------------------------------------------------


def tests_of(build):
    """All tests by name: the command (if its program is there), its folder and its environment."""
    answer = subprocess.run(["ctest", "--test-dir", build, "--show-only=json-v1"], check=True, capture_output=True)
    tests = {}
    for test in json.loads(answer.stdout)["tests"]:
        properties = {p["name"]: p["value"] for p in test.get("properties", [])}
        environment = dict(entry.split("=", 1) for entry in properties.get("ENVIRONMENT", []))
        tests[test["name"]] = (test.get("command"), properties.get("WORKING_DIRECTORY", str(build)), environment)
    return tests


def names_of(mutant, tests):
    """The names of a mutant's tests, in its order."""
    names = []
    for pattern in mutant.tests:
        found = [name for name in tests if re.fullmatch(pattern, name)]
        if not found:
            raise Wrong(f"{mutant.place}: no test is called '{pattern}'")
        names += [name for name in found if name not in names]
    return names


def run_test(test, most_seconds=None):
    """None: it passes. Else how it ends."""
    command, folder, environment = test
    first_failure_ends_it = {"CMOCKA_TEST_ABORT": "1"}
    with subprocess.Popen(command, cwd=folder, env=os.environ | first_failure_ends_it | environment, stdin=subprocess.DEVNULL,
                          stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True) as process:
        try:
            code = process.wait(most_seconds)
        except subprocess.TimeoutExpired:
            code = "a hang"
        finally:
            try:  # whatever it has started ends with it
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
    return None if code == 0 else code if isinstance(code, str) else f"exit code {code}"


# ---- The copy ---------------------------------------------------------------------------------------------


class Copy:
    """A copy of the files that git knows or would, and its build."""

    def __init__(self, jobs):
        folder = ROOT / "build" / "mutants"
        self.tree, self.build, self.jobs = folder / "tree", folder / "build", jobs
        self.tree.mkdir(parents=True, exist_ok=True)
        self.lock = open(folder / "lock", "w", encoding="utf-8")  # until the end
        try:
            fcntl.flock(self.lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise Wrong(f"another run is at work in {folder}, expected one at a time") from error
        shared, link = ROOT.parent / "shared", folder / "shared"  # beside the tree, as some tests expect it
        if shared.exists() and not link.exists():
            link.symlink_to(shared)
        self.synchronise()
        launcher = ["-DCMAKE_C_COMPILER_LAUNCHER=ccache"] if shutil.which("ccache") else []
        self.run("the copy cannot be configured",
                 ["cmake", "-S", self.tree, "-B", self.build, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=None",
                  "-DCMAKE_C_FLAGS=-O1 -DNDEBUG -w", "-DMANYPLY_TESTS=ON", "-DMANYPLY_OTHER_BUILDS=", "-DEXACTNESS_POSITIONS=10"] + launcher)
        listed = self.run("ninja cannot list its targets", ["ninja", "-C", self.build, "-t", "targets", "all"])
        self.outputs = {line.rsplit(": ", 1)[0] for line in listed.splitlines()}

    @staticmethod
    def run(what, command):
        answer = subprocess.run(command, capture_output=True, text=True, check=False)
        if answer.returncode:
            raise Wrong(f"{what}:\n{answer.stdout[-3000:]}{answer.stderr[-3000:]}")
        return answer.stdout

    def synchronise(self):
        """Writes only what differs, so that the rest need not be built again."""
        listed = subprocess.run(["git", "ls-files", "-coz", "--exclude-standard"], cwd=ROOT, check=True,
                                capture_output=True, text=True).stdout
        wanted = {name for name in listed.split("\0") if name and (ROOT / name).is_file()}
        for path in [path for path in self.tree.rglob("*") if path.is_file()]:
            if path.relative_to(self.tree).as_posix() not in wanted:
                path.unlink()
        for name in wanted:
            source, target = ROOT / name, self.tree / name
            if not target.is_file() or source.read_bytes() != target.read_bytes():
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(source, target)

    def targets_of(self, test):
        """What a test runs or reads of the build."""
        targets = set()
        for word in test[0]:
            path = pathlib.Path(word)
            if path.is_absolute() and path.is_relative_to(self.build):
                name = path.relative_to(self.build).as_posix()
                targets |= {output for output in self.outputs
                            if output == name or (output.startswith(name + "/") and output.endswith(".so"))}
        return targets

    def compile(self, what, targets):
        self.run(what, ["ninja", "-C", self.build, "-j", str(self.jobs), *sorted(targets)])


# ---- The work ---------------------------------------------------------------------------------------------


def check(build):
    tests = tests_of(build)
    mutants = read_lists()
    for mutant in mutants:
        mutant.apply((ROOT / mutant.file).read_text())
        names_of(mutant, tests)
    if not mutants:
        raise Wrong("the lists are empty")
    print(f"{len(mutants)} faults can be planted")


def try_mutant(mutant, copy, tests, seconds):
    """Which test fails, and how; None: none does."""
    path = copy.tree / mutant.file
    source = path.read_text()
    names = names_of(mutant, tests)
    try:
        path.write_text(mutant.apply(source))
        for name in names:  # the first needs less to be built than all
            copy.compile(f"{mutant.place}: {mutant.file} does not compile with it", copy.targets_of(tests[name]))
            end = run_test(tests[name], 30 + 10 * seconds[name])
            if end:
                return name, end
        return None
    finally:
        path.write_text(source)


def time_tests(mutants, copy, tests):
    """How long each test takes on the source as it is; it must pass there."""
    names = list(dict.fromkeys(name for mutant in mutants for name in names_of(mutant, tests)))
    print(f"{len(names)} tests on the source as it is", flush=True)
    seconds = {}
    for name in names:
        start = time.monotonic()
        end = run_test(tests[name])
        if end:
            raise Wrong(f"the test {name} fails on the source as it is: {end}")
        seconds[name] = time.monotonic() - start
    slow = sorted(names, key=seconds.get)[-3:]
    print("all pass; the slowest: " + ", ".join(f"{name} {seconds[name]:.1f} s" for name in slow), flush=True)
    return seconds


def run(options):
    start = time.monotonic()
    everything = read_lists()
    mutants = [mutant for mutant in everything if re.search(options.regex, str(mutant))]
    if not mutants:
        raise Wrong(f"none of {len(everything)} faults fits '{options.regex}'")
    print("building the source as it is", flush=True)
    copy = Copy(options.jobs)
    copy.compile("the source does not compile", [])
    tests = tests_of(copy.build)
    seconds = time_tests(mutants, copy, tests)
    killed, lives, expected, errors = 0, [], [], []
    for number, mutant in enumerate(mutants, 1):
        try:
            end = try_mutant(mutant, copy, tests, seconds)
        except Wrong as error:
            errors.append(str(error))
            print(f"{number} of {len(mutants)} ERROR  {mutant}\n  {error}", flush=True)
            continue
        if end and mutant.lives:
            errors.append(f"{mutant.place}: {end[0]} fails, so `lives:` is not true any more")
        if end:
            killed += 1
            print(f"{number} of {len(mutants)} killed by {end[0]} ({end[1]})  {mutant}", flush=True)
        else:
            (expected if mutant.lives else lives).append(mutant)
            print(f"{number} of {len(mutants)} LIVES  {mutant}", flush=True)
    print(f"\n{killed} of {len(mutants)} killed in {(time.monotonic() - start) / 60:.0f} min")
    for mutant in expected:
        print(f"  lives, as it must: {mutant}: {mutant.lives}")
    for mutant in lives:
        print(f"  LIVES: {mutant} ({mutant.place}; tried {', '.join(mutant.tests)})")
    for error in errors:
        print(f"  ERROR: {error}")
    return 1 if lives or errors else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("regex", nargs="?", default="", metavar="REGEX")
    parser.add_argument("-j", dest="jobs", type=int, default=os.cpu_count(), help="files compiled at once")
    parser.add_argument("--check", metavar="BUILD", help="build nothing, only look whether the lists fit the source")
    options = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    try:
        if options.check:
            check(options.check)
            return 0
        return run(options)
    except Wrong as error:
        print(f"run.py: {error}", file=sys.stderr)
        return 2


sys.exit(main())
