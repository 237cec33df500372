"""The declarations for cffi are those of the headers."""
import pathlib
import re
import shutil
import subprocess

import pytest

from manyply import _library

ROOT = pathlib.Path(__file__).resolve().parents[2]
SOURCE = (ROOT / "python/manyply/_library.py").read_text()


def normal(text):
    return re.sub(r"\s+", " ", text).strip()


def test_functions_are_those_of_the_header():
    header = normal((ROOT / "include/manyply/manyply.h").read_text())
    declared = re.findall(r"^[a-z][^;{}]*\bmp_\w+\([^;]*\);", SOURCE.split('cdef("""')[1].split('""")')[0], re.M)
    functions = [text for text in declared if not text.startswith("typedef")]
    assert len(functions) > 40
    for text in functions:
        assert "MP_API " + normal(text) in header, text


def test_structs_have_the_layout_of_the_header(tmp_path):
    if not shutil.which("cc"):
        pytest.skip("no C compiler")
    structs = {name: [field for field, _ in _library.ffi.typeof(f"struct {name}").fields]
               for name in ("mp_error", "mp_evaluation", "mp_game", "mp_svg", "mp_counters", "mp_result", "mp_limits", "mp_info",
                            "mp_key_info")}
    lines = [f'printf("{name}.{field} %zu\\n", offsetof(struct {name}, {field}));'
             for name, fields in structs.items() for field in fields]
    lines += [f'printf("{name} %zu\\n", sizeof(struct {name}));' for name in structs if name != "mp_game"]
    source = tmp_path / "layout.c"
    source.write_text("#include <manyply/manyply.h>\n#include <stdio.h>\nint main(void)\n{\n" + "\n".join(lines) + "\n}\n")
    subprocess.run(["cc", f"-I{ROOT}/include", str(source), "-o", str(tmp_path / "layout")], check=True)
    for line in subprocess.run([str(tmp_path / "layout")], check=True, capture_output=True, text=True).stdout.splitlines():
        what, number = line.split()
        name, _, field = what.partition(".")
        ours = _library.ffi.offsetof(f"struct {name}", field) if field else _library.ffi.sizeof(f"struct {name}")
        assert ours == int(number), what
