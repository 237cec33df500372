#!/usr/bin/env python3
"""Checks the shape of the house that a reader relies on:
  - a scheme is named in its own file and in the list, not in the rest of the library;
  - the text of a strategy is put together in src/strategy alone;
  - functions are not told apart by their addresses;
  - no two files and no two structs have the same name (each game has a folder, and its files plain names);
  - every source opens with what it is;
  - what is used unless something else is said is called the default."""
import pathlib
import re
import sys

LIBRARY = ("base", "games", "search", "parallel", "strategy", "engine")  # the rooms of the library, but for the reports
KEYS = ("depth", "nodes", "time", "eval", "hash", "split", "threads", "levels", "chunk", "seed", "iterations", "games")


def without_comments(text):
    return re.sub(r"/\*.*?\*/", lambda match: "\n" * match[0].count("\n"), text, flags=re.S)


def line_of(text, position):
    return text.count("\n", 0, position) + 1


def is_of_a_game(path):
    return (path.startswith("games/") and path.count("/") == 2) or path.startswith("reports/chess-pm/")


def named_schemes(sources):
    """A scheme's name as a text or as an identifier, outside of the files that may have it."""
    homes = {}
    for path, text in sources.items():
        if path.startswith("parallel/"):
            for name in re.findall(r"const struct scheme scheme_\w+ = \{\s*\.name = \"([^\"]+)\"", text):
                homes[name] = path
    assert len(homes) > 10, f"only {len(homes)} schemes found"
    keys = set(re.findall(r'KEY\("([^"]+)"', sources["strategy/keys.c"]))
    for path, text in sources.items():
        if not path.startswith(LIBRARY) or path == "parallel/schemes.c" or is_of_a_game(path):
            continue
        code = without_comments(text)
        for name, home in homes.items():
            if path == home or name == "none":
                continue
            identifier = re.escape(name.replace("+", "_"))
            pattern = rf"split={re.escape(name)}\b|\bscheme_{identifier}\b|\b{identifier}_hooks\b"
            if name not in keys:
                pattern += rf"|\"{re.escape(name)}\""
            for match in re.finditer(pattern, code):
                yield f"src/{path}:{line_of(code, match.start())}: names the scheme {name}, which is {home}'s"


def put_together(sources):
    """A format that makes a key of a strategy, such as ",depth=%d"."""
    pattern = re.compile(r"\"[^\"]*,(?:%s|" + "|".join(KEYS) + r")=%[^\"]*\"")
    for path, text in sources.items():
        if path.startswith("strategy/"):
            continue
        code = without_comments(text)
        for match in pattern.finditer(code):
            yield f"src/{path}:{line_of(code, match.start())}: {match[0]} puts together a strategy, expected mp_strategy_set"


def compared_functions(sources):
    """A comparison with the name of a function, or of two members that are functions."""
    functions = set()
    for text in sources.values():
        functions |= set(re.findall(r"^(?:[\w*]+[ *]+)+(\w+)\([^;]*?\)\n\{", text, flags=re.M))
        functions |= set(re.findall(r"^search_function ([\w, ]+);", text, flags=re.M))
    functions = {name for group in functions for name in group.split(", ")} - {"main"}
    hooks = "|".join(("play", "list", "search", "iterate", "sample", "evaluate", "run", "report", "driver"))
    members = re.compile(rf"(?:->|\.)({hooks}) [!=]= \w+(?:->|\.)\1\b")
    for path, text in sources.items():
        code = without_comments(text)
        for match in re.finditer(r"(?:->|\.)\w+ [!=]= &?(\w+)\b(?![(\[.-])", code):
            is_variable = re.search(rf"\b(?:int|bool|size_t|mp_\w+|u?int\w+_t|const char) \*?{match[1]}\b", code)
            if match[1] in functions and not is_variable:
                yield f"src/{path}:{line_of(code, match.start())}: compares with the function {match[1]}, expected a flag"
        for match in members.finditer(code):
            yield f"src/{path}:{line_of(code, match.start())}: compares functions, expected a flag"


def names_twice(sources):
    files, structs = {}, {}
    for path, text in sources.items():
        name = path.rsplit("/", 1)[-1]
        if not is_of_a_game(path):
            files.setdefault(name, []).append(path)
        for struct in re.findall(r"^struct (\w+) \{", text, flags=re.M):
            structs.setdefault(struct, []).append(path)
    for kind, found in (("file", files), ("struct", structs)):
        for name, paths in found.items():
            if len(paths) > 1:
                yield f"{kind} {name} is there {len(paths)} times: {', '.join(paths)}"


def purposes(root):
    for folder in ("src", "include", "tests", "bench", "examples"):
        for path in sorted((root / folder).rglob("*.[ch]")):
            first = path.read_text().split("\n", 1)[0]
            if not re.match(rf"/\* {re.escape(path.name)} - \S", first):
                yield f"{path.relative_to(root)}:1: expected '/* {path.name} - what it is'"


def words(root):
    for folder in ("src", "include", "docs", "README.md", "CONTRIBUTING.md", "web/src"):
        paths = [root / folder] if (root / folder).is_file() else sorted((root / folder).rglob("*"))
        for path in paths:
            if path.suffix in (".c", ".h", ".md", ".js", ".svelte"):
                for number, line in enumerate(path.read_text().splitlines(), 1):
                    if re.search(r"\bthe standard is\b", line):
                        yield f"{path.relative_to(root)}:{number}: \"the standard is\", expected default"


def check_rules():
    """What must be found, and what must not."""
    rows = "".join(f'const struct scheme scheme_s{i} = {{\n    .name = "s{i}",\n}};\n' for i in range(12))
    sources = {"parallel/a.c": rows, "strategy/keys.c": 'KEY("depth", 1)', "engine/b.c": 'x = find("s3");',
               "lab/c.c": 'y = find("s3"); f(text, ",depth=%d", 3);', "base/d.c": "/* s3 */ if (a->run == walk) {}",
               "base/e.c": "static int walk(void)\n{\n}\nif (a->run == NULL || b->play == c->play) {}\nstruct t {\n",
               "lab/e.c": "struct t {\n"}
    assert [fault.split(":")[0] for fault in named_schemes(sources)] == ["src/engine/b.c"]
    assert [fault.split(":")[0] for fault in put_together(sources)] == ["src/lab/c.c"]
    assert [fault.split(":")[0] for fault in compared_functions(sources)] == ["src/base/d.c", "src/base/e.c"]
    assert len(list(names_twice(sources))) == 2


def main():
    check_rules()
    root = pathlib.Path(sys.argv[1])
    sources = {path.relative_to(root / "src").as_posix(): path.read_text()
               for path in sorted((root / "src").rglob("*.[ch]")) if "template" not in path.parts}
    faults = [*named_schemes(sources), *put_together(sources), *compared_functions(sources), *names_twice(sources),
              *purposes(root), *words(root)]
    print("\n".join(faults) or f"{len(sources)} sources have the shape of the house")
    return 1 if faults else 0


sys.exit(main())
