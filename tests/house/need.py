#!/usr/bin/env python3
"""need.py TOOL - tools/need asks before it uses sudo, takes a no for an answer, and asks nobody where there is no terminal.
The commands that it calls are stand-ins which note that they were called."""
import os
import pathlib
import pty
import subprocess
import sys
import tempfile

TOOL = os.path.abspath(sys.argv[1])


def run(folder, answer):
    """Exit code, what was printed, and what was called; answer None: without a terminal."""
    calls = folder / "calls"
    calls.write_text("")
    environment = dict(os.environ, PATH=f"{folder}:{os.environ['PATH']}", CALLS=str(calls))
    if answer is None:
        done = subprocess.run([TOOL, "one", "two"], env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True)
        return done.returncode, done.stdout + done.stderr, calls.read_text()
    ours, theirs = pty.openpty()
    os.write(ours, (answer + "\n").encode())
    process = subprocess.Popen([TOOL, "one", "two"], env=environment, stdin=theirs, stdout=theirs, stderr=theirs)
    code = process.wait()
    printed = os.read(ours, 65536).decode()
    os.close(theirs)
    os.close(ours)
    return code, printed, calls.read_text()


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for command, body in {"dpkg-query": 'case "$*" in *one) echo installed ;; esac', "id": "echo 1000",
                              "apt-get": 'echo "apt-get $*" >>"$CALLS"', "sudo": 'echo sudo >>"$CALLS"; "$@"'}.items():
            (folder / command).write_text(f"#!/bin/sh\n{body}\n")
            (folder / command).chmod(0o755)
        code, printed, calls = run(folder, "n")
        assert code == 2 and "packages: two" in printed and "[Y/n]" in printed and calls == "", (code, printed, calls)
        for answer in ("y", "", None):
            code, printed, calls = run(folder, answer)
            assert code == 0 and "sudo" in calls and "install" in calls and "two" in calls and "one" not in calls, calls
            assert ("[Y/n]" in printed) == (answer is not None), printed
    print("need asks before it uses sudo")


main()
