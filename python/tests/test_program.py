"""The program from Python, plots, and the notebook."""
import ast
import json
import pathlib
import xml.etree.ElementTree as ElementTree

import pytest

import manyply as mp

ROOT = pathlib.Path(__file__).resolve().parents[2]


@pytest.fixture(autouse=True)
def own_folders(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))


def test_arena_and_its_results(tmp_path):
    db = str(tmp_path / "a.db")
    answer = mp.arena("othello", ["pvs,depth=3 name=deep", "random name=any"], games=4, random_plies=4, db=db)
    assert answer["games"] == 4 and mp.standings(db)["players"][0]["name"] == "deep"
    games = mp.results(db)
    won = [game for game in games if (game["margin"] > 0) == (game["first"] == "deep")]
    assert len(games) == 4 and won and len(mp.results(db, winner="deep")) == len(won)


def test_analyse(tmp_path):
    (tmp_path / "g.pgn").write_text("1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0\n")
    moves = mp.analyse(str(tmp_path / "g.pgn"), depth=5)["games"][0]["moves"]
    assert [move["move"] for move in moves if move.get("mark") == "??"] == ["Nf6"]


def test_errors_are_sentences():
    with pytest.raises(mp.Error, match="unknown game 'tetris'"):
        mp.command("moves", "tetris")


def test_plots():
    plot = mp.plot({"a <b>": [(1, 1.0), (2, 1.9)], "c": [(1, 0.8), (2, 1.2)]}, "T & U", "threads", "speed-up", ideal=True)
    tree = ElementTree.fromstring(plot._repr_svg_())
    assert len([one for one in tree.iter() if one.tag.endswith("circle")]) == 4
    ElementTree.fromstring(mp.plot({"n": [(1, 10), (2, 1000), (3, 20000)]}, log_y=True))
    assert "<td>1,234</td>" in mp.Table([{"nodes": 1234, "name": "x"}])._repr_html_()
    with pytest.raises(ValueError, match="without points"):
        mp.plot({})


def run_notebook(path):
    """The values of the last expressions of its code cells, as a notebook shows them."""
    cells = [cell for cell in json.loads(path.read_text())["cells"] if cell["cell_type"] == "code"]
    scope, shown = {"__name__": "__main__"}, []
    for cell in cells:
        code = ast.parse("".join(cell["source"]), str(path))
        last = code.body.pop() if isinstance(code.body[-1], ast.Expr) else None
        exec(compile(code, str(path), "exec"), scope)
        if last:
            shown.append(eval(compile(ast.Expression(last.value), str(path), "eval"), scope))
    return shown


def test_notebook(monkeypatch):
    monkeypatch.setenv("MANYPLY_DEPTH", "5")
    monkeypatch.chdir(ROOT / "docs/notebooks")
    shown = run_notebook(ROOT / "docs/notebooks/speed-up.ipynb")
    drawings = [one for one in shown if hasattr(one, "_repr_svg_")]
    tables = [one for one in shown if hasattr(one, "_repr_html_")]
    assert len(drawings) >= 3 and len(tables) >= 2
    for drawing in drawings:
        ElementTree.fromstring(drawing._repr_svg_())
    for table in tables:
        assert len(table) > 1
