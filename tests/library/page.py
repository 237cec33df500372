#!/usr/bin/env python3
"""page.py SOURCE CC - docs/library.md names every public function and every error code, shows the programs of
examples/library word for word, and what it shows besides compiles."""
import pathlib
import re
import subprocess
import sys

SOURCE, CC = pathlib.Path(sys.argv[1]), sys.argv[2]
STRICT = ["-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Wno-unused", "-Werror", "-fsyntax-only", "-xc", "-"]

# What a piece of a program may use without saying where it comes from.
AROUND = """#include <manyply/manyply.h>
#include <stdlib.h>
bool piece(struct mp_game *game, struct mp_position *position, struct mp_search *search, struct mp_error *error);
bool piece(struct mp_game *game, struct mp_position *position, struct mp_search *search, struct mp_error *error)
{
%s
return error && game && position && search;
}
"""


def functions(header):
    """The names that follow MP_API up to the opening parenthesis."""
    return re.findall(r"^MP_API\s[^;(]*?\b(mp_\w+)\(", header, re.MULTILINE)


def blocks(page, language):
    return re.findall(rf"^```{language}\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)


def main():
    page = (SOURCE / "docs/library.md").read_text()
    header = (SOURCE / "include/manyply/manyply.h").read_text()
    game_header = (SOURCE / "include/manyply/game.h").read_text()
    faults = []

    public = functions(header)
    assert len(public) == len(re.findall(r"^MP_API ", header, re.MULTILINE)) > 50, "the header was not understood"
    shown = set(blocks(page, "c"))
    prose = page
    for block in shown:
        prose = prose.replace(block, "")
    faults += [f"{name} is not on the page" for name in public if not re.search(rf"`{name}\b", prose)]
    faults += [f"{name} is on the page, but not in a header" for name in sorted(set(re.findall(r"\bmp_\w+|\bMP_\w+", page)))
               if not re.search(rf"\b{name}\b", header + game_header)]
    codes = re.findall(r"\bMP_ERROR_\w+", game_header)
    faults += [f"{code} is not on the page" for code in codes if f"`{code}`" not in prose]

    programs = {path.name: path.read_text() for path in sorted((SOURCE / "examples/library").glob("*.c"))}
    assert len(programs) == 2, sorted(programs)
    faults += [f"{name} is not on the page word for word" for name, text in programs.items() if text not in shown]
    for block in shown - set(programs.values()):
        done = subprocess.run([CC, f"-I{SOURCE / 'include'}", *STRICT], input=AROUND % block, capture_output=True, text=True,
                              check=False)
        if done.returncode:
            faults.append(f"this does not compile:\n{block}{done.stderr}")

    consumer = (SOURCE / "tests/house/consumer/CMakeLists.txt").read_text().splitlines()
    recipe = [line for block in blocks(page, "cmake") for line in block.splitlines()]
    assert recipe, "the page shows no CMakeLists.txt"
    faults += [f"'{line}' is not what tests/house/consumer does" for line in recipe
               if line.replace("bestmove", "consumer") not in consumer]

    for target in re.findall(r"\]\(([^)#:]+)", page):
        if not (SOURCE / "docs" / target).exists():
            faults.append(f"the page links to {target}, which does not exist")
    print("\n".join(faults) or f"{len(public)} functions, {len(programs)} programs and {len(shown) - len(programs)} pieces")
    return 1 if faults else 0


sys.exit(main())
