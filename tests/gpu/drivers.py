#!/usr/bin/env python3
"""drivers.py PROGRAM FAKE SOURCE - drivers that are missing, foreign or broken: whatever they do, the program says so in one
sentence and goes on to its end. FAKE is the libOpenCL of tests/fixtures/fake_opencl.c, SOURCE src/gpu/opencl.h, which
lists the functions that can fail."""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

PROGRAM, FAKE, SOURCE = sys.argv[1:]
SEARCH = ["search", "othello", "--strategy", "mcts,split=gpu,threads=2,iterations=100"]
PERFT = ["perft", "othello", "9", "--device", "gpu"]


def run(arguments, folder, fault=""):
    environment = dict(os.environ, LD_LIBRARY_PATH=str(folder), FAKE_OPENCL=fault)
    result = subprocess.run([PROGRAM, *arguments], env=environment, capture_output=True, text=True, timeout=120)
    assert result.returncode in (0, 1, 2), f"{fault}: {arguments} ends with {result.returncode}: {result.stderr}"
    return result


def refuses(arguments, folder, fault, *parts):
    """One line on standard error that has these parts, and exit code 2."""
    result = run(arguments, folder, fault)
    assert result.returncode == 2, f"{fault}: {arguments}: exit code {result.returncode}, expected 2: {result.stdout}"
    assert result.stderr.count("\n") == 1, f"{fault}: {arguments}: not one sentence: {result.stderr!r}"
    for part in parts:
        assert part in result.stderr, f"{fault}: {arguments}: no {part!r} in {result.stderr!r}"


def main():
    fake = pathlib.Path(FAKE).resolve().parent
    commands = [["devices"], ["devices", "othello"], SEARCH, PERFT]
    with tempfile.TemporaryDirectory() as folder:  # a library that is none, and one that is not OpenCL
        library = pathlib.Path(folder, "libOpenCL.so.1")
        library.write_text("not a library, but long enough that the loader looks at what it begins with: " * 2)
        for command in commands:
            refuses(command, folder, "", "no OpenCL device", "expected the Debian package")
        library.unlink()
        library.symlink_to(fake / "stranger.so")
        for command in commands:
            refuses(command, folder, "", "does not have cl", "expected OpenCL 1.2")
    for command in commands:
        refuses(command, fake, "none", "no OpenCL device", "finds none")
        refuses(command, fake, "crash", "the OpenCL driver crashed (Aborted)")
        refuses(command, fake, "exit", "the OpenCL driver ended the process")
    listed = run(["devices"], fake)
    assert listed.returncode == 0 and listed.stdout.startswith("1  GPU    Nothing") and "\033" not in listed.stdout, listed
    compared = run(["devices", "othello"], fake)  # a device that does nothing is found out
    assert compared.returncode == 1 and "expected" in compared.stdout, compared
    functions = re.findall(r"FUNCTION\([\s\\]*(?:int32_t|cl_\w+), (\w+),", pathlib.Path(SOURCE).read_text())
    assert len(functions) == 24, functions
    failing = [f for f in functions if not f.startswith(("Release", "GetDeviceInfo", "GetPlatformInfo"))]
    for fault in failing + ["broken"]:
        for command in (SEARCH, PERFT):
            refuses(command, fake, fault, "OpenCL")
    # What works in the trial and fails later: in the middle of a search, on two threads, and of a count.
    for fault in ("SetKernelArg", "EnqueueWriteBuffer", "EnqueueNDRangeKernel", "EnqueueReadBuffer", "Flush", "GetEventInfo",
                  "WaitForEvents", "broken"):
        refuses([*SEARCH[:-1], "mcts,split=gpu,threads=2,iterations=5000"], fake, fault + "@20", "device Nothing")
        refuses([*PERFT[:2], "10", *PERFT[3:]], fake, fault + "@10", "device Nothing")
    for fault in set(functions) - set(failing):
        for command in (SEARCH, PERFT, ["devices"]):
            run(command, fake, fault)
    refuses(SEARCH, fake, "BuildProgram", "the kernels of othello do not compile (OpenCL error -11): 7: error: not today")
    print(f"{len(functions)} functions, each failing, and the rest")


main()
