#!/usr/bin/env python3
"""container.py ROOT - does what Containerfile says, without containers: its stages are folders under ROOT made by
debootstrap, its steps run there by chroot, and at the end the page is asked for. For root; some minutes.

The address of a Debian archive is taken from this machine's own sources."""
import gzip
import json
import pathlib
import re
import shutil
import subprocess
import sys
import time
import urllib.request

HOUSE = pathlib.Path(__file__).resolve().parents[2]
PORT = 8180


def archive():
    for file in sorted(pathlib.Path("/etc/apt").glob("sources.list*")):
        for source in [file] if file.is_file() else sorted(file.iterdir()):
            found = re.search(r"^(?:URIs:|deb(?: \[.*\])?) *(http\S+)", source.read_text(), re.M)
            if found:
                return found.group(1)
    sys.exit("container.py: no Debian archive in /etc/apt, expected one")


def steps():
    text = re.sub(r"\\\n", " ", (HOUSE / "Containerfile").read_text())
    return [line.split(None, 1) for line in text.splitlines() if line and not line.startswith("#")]


def inside(stage, command, user=None):
    who = ["chroot", *(["--userspec", user] if user else []), stage]
    subprocess.run([*who, "/bin/sh", "-c", command], check=True)


def copy(what, stages, stage):
    words = what.split()
    source = HOUSE
    if words[0].startswith("--from="):
        source = stages[words.pop(0).removeprefix("--from=")] / words[0].lstrip("/")
        shutil.copytree(source, stage / words[1].lstrip("/"), dirs_exist_ok=True, symlinks=True)
        return
    names = subprocess.run(["git", "ls-files", "-z"], cwd=HOUSE, check=True, capture_output=True).stdout
    target = stage / words[1].lstrip("/")
    target.mkdir(parents=True)
    subprocess.run(["tar", "--null", "-T", "-", "-cf", target / ".tar"], cwd=HOUSE, input=names, check=True)
    subprocess.run(["tar", "-xf", ".tar"], cwd=target, check=True)


def main(root):
    base = root / "base"
    if not base.exists():
        subprocess.run(["debootstrap", "--variant=minbase", "bookworm", base, archive()], check=True)
        if pathlib.Path("/etc/apt/apt.conf.d").is_dir():  # how this machine reaches the archive
            shutil.copytree("/etc/apt/apt.conf.d", base / "etc/apt/apt.conf.d", dirs_exist_ok=True)
    stages, stage, user = {}, None, None
    for step, rest in steps():
        print(step, rest[:100], flush=True)
        if step == "FROM":
            name = rest.split(" AS ")[1] if " AS " in rest else "last"
            stage = stages[name] = root / name
            shutil.rmtree(stage, ignore_errors=True)
            shutil.copytree(base, stage, symlinks=True, ignore=shutil.ignore_patterns("dev", "proc"))
            for folder in ("dev", "proc"):
                (stage / folder).mkdir(exist_ok=True)
            subprocess.run(["cp", "-a", "/dev/null", "/dev/zero", "/dev/urandom", stage / "dev"], check=True)
        elif step == "RUN":
            inside(stage, rest)
        elif step == "COPY":
            copy(rest, stages, stage)
        elif step == "USER":
            user = rest
        elif step == "CMD":
            command = json.loads(rest)
        elif step not in ("EXPOSE", "WORKDIR"):
            sys.exit(f"container.py: step {step} is not known here")
    server = subprocess.Popen(["chroot", "--userspec", user, stage, *command], stdout=subprocess.PIPE, text=True)
    try:
        time.sleep(1)
        page = gzip.decompress(urllib.request.urlopen(f"http://127.0.0.1:{PORT}/", timeout=10).read())
        if b"Manyply" not in page:
            sys.exit("container.py: the page does not name the program")
    finally:
        server.terminate()
        server.wait(10)
    print(f"the page answers from the last stage, {len(page)} bytes")


main(pathlib.Path(sys.argv[1]))
