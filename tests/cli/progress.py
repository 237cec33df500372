#!/usr/bin/env python3
"""progress.py PROGRAM - a long benchmark shows a bar on a terminal, takes it away again, and writes nothing to a
pipe."""
import os
import pty
import subprocess
import sys

# Limits of time, so that it takes 2.4 s on any machine; the bar comes after 1.5 s.
COMMAND = [sys.argv[1], "bench", "othello", "--strategy", "pvs,time=20ms", "--positions", "2", "--repeats", "60"]


def on_terminal():
    ours, theirs = pty.openpty()
    process = subprocess.Popen(COMMAND, stdout=subprocess.DEVNULL, stderr=theirs)
    os.close(theirs)
    shown = b""
    try:
        while part := os.read(ours, 4096):
            shown += part
    except OSError:  # the other end is closed
        pass
    assert process.wait() == 0
    return shown.decode()


def main():
    shown = on_terminal()
    assert "measuring [" in shown and "%" in shown and "s left" in shown, shown
    assert shown.endswith("\r\033[K"), shown
    piped = subprocess.run(COMMAND, capture_output=True, text=True, check=True)
    assert piped.stderr == "", piped.stderr
    assert "\033" not in piped.stdout
    print(f"a bar of {len(shown.split(chr(13)))} frames on a terminal, none in a pipe")


main()
