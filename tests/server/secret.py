#!/usr/bin/env python3
"""secret.py PROGRAM API_JS - the token shows neither in a command line nor for long in the address bar."""
import gzip
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

from client import Server

# In the place of xdg-open: keeps how it was called and what it was given.
BROWSER = """#!/bin/sh
ls -l "$1" > "$KEPT/rights"
cat "$1" > "$KEPT/content"
echo "$@" > "$KEPT/arguments.new"
mv "$KEPT/arguments.new" "$KEPT/arguments"
"""

# In the place of a browser: loads the module with an address, and tells what it does with the token.
TAB = """
const kept = new Map();
globalThis.sessionStorage = { getItem: (key) => kept.get(key) ?? null, setItem: (key, value) => kept.set(key, value) };
globalThis.history = { replaceState: (state, title, address) => (location.href = address) };
globalThis.EventSource = class { constructor(address) { seen.stream = address; } addEventListener() {} };
globalThis.fetch = async (path, options) => {
  seen.header = options.headers['X-Manyply-Token'];
  return { ok: true, json: async () => ({}) };
};
let seen;
const all = [];
for (const [i, address] of ['http://h:1/?token=first&a=b#id', 'http://h:1/?a=b#id', 'http://h:1/?token=second'].entries()) {
  globalThis.location = { href: address, search: new URL(address).search };
  seen = {};
  const api = await import(process.argv[1] + '?' + i);
  await api.get('api/status');
  api.listen('5', {}, () => {});
  all.push({ ...seen, address: location.href });
}
console.log(JSON.stringify(all));
"""


def test_no_command_line_has_the_token(program):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for part in ["bin", "kept", "runtime"]:
            (folder / part).mkdir()
        browser = folder / "bin/xdg-open"
        browser.write_text(BROWSER)
        browser.chmod(0o700)
        environment = os.environ | {"PATH": f"{folder}/bin:{os.environ['PATH']}", "KEPT": f"{folder}/kept",
                                    "XDG_RUNTIME_DIR": f"{folder}/runtime"}
        with Server(program, "--open", environment=environment) as server:
            deadline = time.monotonic() + 60
            while not (folder / "kept/arguments").exists():
                assert time.monotonic() < deadline, "no browser was started"
                time.sleep(0.02)
            arguments = (folder / "kept/arguments").read_text()
            assert server.token not in arguments, arguments
            content = (folder / "kept/content").read_text()
            assert f'content="0; url={server.url}"' in content, content
            assert (folder / "kept/rights").read_text().startswith("-rw------- "), "others can read it"
            assert pathlib.Path(arguments.strip()).parent == folder / "runtime", arguments
        assert not os.listdir(folder / "runtime"), "the file is still there"


def test_the_page_keeps_it_to_itself(api_js):
    if not shutil.which("node"):
        print("there is no node here: the script of the page is not run")
        return
    run = subprocess.run(["node", "--input-type=module", "-e", TAB, pathlib.Path(api_js).resolve().as_uri()],
                         capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    first, again, other = json.loads(run.stdout)
    assert first["address"] == "http://h:1/?a=b#id" and other["address"] == "http://h:1/", (first, other)
    assert first["header"] == again["header"] == "first" and other["header"] == "second", (first, again, other)
    assert again["stream"].endswith("token=first"), again


def test_that_script_is_served(program):
    with Server(program) as server:
        status, script = server.request("GET", "/app.js", token=False)
        text = gzip.decompress(script).decode()
        assert status == 200 and "sessionStorage.setItem" in text and "replaceState" in text


def main():
    program, api_js = sys.argv[1:]
    for test, argument in [(test_no_command_line_has_the_token, program), (test_the_page_keeps_it_to_itself, api_js),
                           (test_that_script_is_served, program)]:
        print(test.__name__, flush=True)
        test(argument)
    print("all well")


main()
