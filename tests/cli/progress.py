#!/usr/bin/env python3
"""progress.py PROGRAM - a long benchmark or check shows a bar on a terminal, also in the middle of its only search, takes it away
again, and writes nothing to a pipe."""
import os
import pty
import subprocess
import sys

# Limits of time, so that it takes 2.4 s on any machine; the bar comes after 1.5 s.
COMMAND = [sys.argv[1], "bench", "othello", "--strategy", "pvs,time=20ms", "--positions", "2", "--repeats", "60"]
# One search to warm up and one that is measured: nothing ends in between.
LONG_SEARCH = [sys.argv[1], "bench", "othello", "--strategy", "pvs,time=1200ms", "--positions", "1", "--time", "1s"]
# The work is done in another process; it ends after its time.
LONG_CHECK = [sys.argv[1], "check", "othello", "--positions", "1000000", "--time", "3s"]


def on_terminal(command):
    ours, theirs = pty.openpty()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=theirs)
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
    shown = on_terminal(LONG_SEARCH)
    assert "measuring [" in shown and shown.endswith("\r\033[K"), shown
    shown = on_terminal(LONG_CHECK)
    assert "searching [" in shown and shown.endswith("\r\033[K"), shown
    shown = on_terminal(COMMAND)
    assert "measuring [" in shown and "%" in shown and "s left" in shown, shown
    assert shown.endswith("\r\033[K"), shown
    piped = subprocess.run(COMMAND, capture_output=True, text=True, check=True)
    assert piped.stderr == "", piped.stderr
    assert "\033" not in piped.stdout
    print(f"a bar of {len(shown.split(chr(13)))} frames on a terminal, none in a pipe")


main()
