#!/usr/bin/env python3
"""analyse.py PROGRAM - an analysis that is killed or interrupted goes on where it was and ends as one that was not; its files
are read by others: the PGN by pgn-extract, the .mat by GNU Backgammon (what is not installed is left out, and said so), the page
by an XML parser, and it refers to nothing outside of itself."""
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as ElementTree

PROGRAM = os.path.abspath(sys.argv[1])
GAME = """[Event "A <b>bold</b> & \\"quoted\\" event"]
[White "Anderssen"]
[Black "Kieseritzky"]
[Result "1-0"]

1. e4 e5 2. f4 exf4 3. Bc4 Qh4+ 4. Kf1 b5 5. Bxb5 Nf6 6. Nf3 Qh6 7. d3 Nh5 8. Nh4 Qg5 9. Nf5 c6 10. g4 Nf6 11. Rg1 cxb5
12. h4 Qg6 13. h5 Qg5 14. Qf3 Ng8 15. Bxf4 Qf6 16. Nc3 Bc5 17. Nd5 Qxb2 18. Bd6 Bxg1 19. e5 Qxa1+ 20. Ke2 Na6
21. Nxg7+ Kd8 22. Qf6+ Nxf6 23. Be7# 1-0
"""
# A game that begins elsewhere and promotes, a draw with comments, marks and variations of its own.
MORE_GAMES = """
[Event "an end"]
[SetUp "1"]
[FEN "8/P5k1/8/8/8/8/5K2/8 w - - 0 41"]
[Result "1-0"]

41. a8=N Kf6 42. Nc7 Ke5 43. Ne8 1-0

[Event "a draw"]
[Result "1/2-1/2"]

1. e4 $1 {best by test} (1. d4 d5 (1... Nf6 2. c4) 2. c4) 1... c5 2. Nf3 Nf6 $5 3. Bb5 Nxe4 4. O-O Qa5 1/2-1/2
"""
MATCH = """ 5 point match

 Game 1
 ann : 0                         bo : 0
  1) 31: 13/10 6/5               65: 24/18 18/13
  2)  Doubles => 2                Drops
      Wins 1 point

 Game 2
 ann : 1                         bo : 0
  1) 64: 24/14                   21: 13/11* 24/23
  2) 53: bar/20 13/10             Doubles => 2
  3)  Takes                      66: 24/18 13/7(3)
  4)  Doubles => 4                Drops
      Wins 2 points
"""


def command(folder, cache, *more):
    return ([PROGRAM, "analyse", "g.pgn", "--strategy", "pvs,nodes=20000,selective=on", "--concurrency", "1", *more],
            dict(cwd=folder, env=dict(os.environ, XDG_CACHE_HOME=str(cache))))


def analysed(folder, cache, *more):
    arguments, how = command(folder, cache, *more)
    done = subprocess.run(arguments, capture_output=True, text=True, **how)
    assert done.returncode == 0, done.stderr
    return (folder / "g-analysed.pgn").read_text(), (folder / "g-analysed.html").read_text(), done.stdout


def kept_lines(cache):
    files = list((cache / "manyply" / "analysis").glob("*")) if cache.exists() else []
    return [line for file in files for line in file.read_text().splitlines()]


def end_it(folder, cache, number):
    """Begins an analysis, ends it by a signal once a few moves are kept, and says what it printed."""
    arguments, how = command(folder, cache)
    before = len(kept_lines(cache))
    process = subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **how)
    while len(kept_lines(cache)) < before + 3 and process.poll() is None:
        time.sleep(0.002)
    process.send_signal(number)
    return process.communicate()[1], process.returncode


def check_resumption(folder):
    whole = analysed(folder, folder / "whole")
    (folder / "g-analysed.pgn").unlink()
    cache = folder / "parts"
    error, code = end_it(folder, cache, signal.SIGKILL)
    assert code == -signal.SIGKILL, (code, error)
    assert not (folder / "g-analysed.pgn").exists()
    error, code = end_it(folder, cache, signal.SIGINT)
    assert code == 130 and re.search(r"interrupted with \d+ of 44 moves analysed; the same command goes on", error), error
    kept = kept_lines(cache)
    assert 3 <= len(kept) < 44, len(kept)
    # A line that was cut short, and lines of something else, are analysed again.
    file = next((cache / "manyply" / "analysis").glob("*"))
    file.write_text("\n".join(kept[1:]) + "\nnonsense\n99999 1 2 3\n0 3 1 1 1 1 0.0 123456 1 123456 .\n" + kept[0][:20])
    assert analysed(folder, cache) == whole, "the parts are not the whole"
    # What was done was not done again, and nothing is done twice; with --fresh it is.
    before = len(kept_lines(cache))
    assert before == 44 + 4, before
    assert analysed(folder, cache) == whole and len(kept_lines(cache)) == before
    assert analysed(folder, cache, "--fresh") == whole and len(kept_lines(cache)) == 44
    return whole


def check_threads(folder, whole):
    arguments, how = command(folder, folder / "threads")
    arguments[arguments.index("--concurrency") + 1] = "3"
    subprocess.run(arguments, check=True, stdout=subprocess.DEVNULL, **how)
    assert (folder / "g-analysed.pgn").read_text() == whole[0], "it depends on the number of threads"


def check_page(page, boards):
    tree = ElementTree.fromstring(page.split("\n", 1)[1])
    tags = [element.tag.split("}")[-1] for element in tree.iter()]
    assert tags.count("figure") == boards and "script" not in tags and tags.count("svg") == boards + 1, tags.count("svg")
    places = [element.get("id") for element in tree.iter() if element.get("id")]
    links = [element.get("href") for element in tree.iter() if element.get("href")]
    assert len(set(places)) == len(places) and links and all(link[0] == "#" and link[1:] in places for link in links)
    assert "http" not in page.replace('xmlns="http://www.w3.org/2000/svg"', "") and "url(" not in page
    assert "A <b>" not in page and "A &lt;b&gt;bold" in page


def left_out(program):
    print(f"left out: {program} is not installed")


def moves_of(folder, game, name):
    return subprocess.run([PROGRAM, "convert", game, name, "--to", "moves"], cwd=folder, capture_output=True, check=True).stdout


def check_pgn(folder):
    (folder / "games.pgn").write_text(GAME + MORE_GAMES)
    subprocess.run([PROGRAM, "analyse", "games.pgn", "--depth", "4"], cwd=folder, check=True, stdout=subprocess.DEVNULL,
                   env=dict(os.environ, XDG_CACHE_HOME=str(folder / "pgn")))
    ours = (folder / "games-analysed.pgn").read_text()
    assert "$4 {[%eval" in ours and "best by test" in ours, ours
    if not shutil.which("pgn-extract"):
        return left_out("pgn-extract")
    done = subprocess.run(["pgn-extract", "games-analysed.pgn"], cwd=folder, capture_output=True, text=True)
    assert "3 games matched out of 3" in done.stderr and "rror" not in done.stderr, done.stderr
    # What it has made of them are the same games to us, with the same marks and variations.
    (folder / "theirs.pgn").write_text(done.stdout)
    assert moves_of(folder, "chess", "games-analysed.pgn") == moves_of(folder, "chess", "theirs.pgn")
    for what in (r"\$\d+", r"\[%eval \S+\]", r"\("):
        mine, other = (re.findall(what, " ".join(text.split())) for text in (ours, done.stdout))
        assert mine and mine == other, (what, mine, other)


# Of each game the score before it, who won how much, and how many plays and decisions about the cube it has.
GNUBG_SCRIPT = """
import gnubg, json
gnubg.command('import mat "m-analysed.mat"')
match = gnubg.match(analysis=0, boards=0, statistics=0, verbose=0)
games = [[g['info']['score-X'], g['info']['score-O'], g['info']['winner'], g['info']['points-won'], len(g['game'])]
         for g in match['games']]
gnubg.command('export match mat "theirs.mat"')
json.dump([match['match-info']['match-length'], games], open('gnubg.json', 'w'))
"""


def check_mat(folder):
    (folder / "m.mat").write_text(MATCH)
    subprocess.run([PROGRAM, "analyse", "m.mat"], cwd=folder, check=True, stdout=subprocess.DEVNULL,
                   env=dict(os.environ, XDG_CACHE_HOME=str(folder / "mat")))
    text = (folder / "m-analysed.mat").read_text()
    assert "; 1) White 31: 13/10 6/5 ?? loses 0.223, best is 8/5 6/5\n" in text, text
    assert moves_of(folder, "backgammon:cube=on", "m.mat") == moves_of(folder, "backgammon:cube=on", "m-analysed.mat")
    if not shutil.which("gnubg"):
        return left_out("gnubg")
    (folder / "read.py").write_text(GNUBG_SCRIPT)
    done = subprocess.run(["gnubg", "-t", "-q", "-r", "-p", "read.py"], stdin=subprocess.DEVNULL, cwd=folder, capture_output=True,
                          text=True, env=dict(os.environ, HOME=str(folder)))
    assert (folder / "gnubg.json").exists() and "Unrecognised" not in done.stdout, done.stdout + done.stderr
    assert json.loads((folder / "gnubg.json").read_text()) == [5, [[0, 0, "X", 1, 4], [1, 0, "X", 2, 8]]], done.stdout
    assert moves_of(folder, "backgammon:cube=on", "m.mat") == moves_of(folder, "backgammon:cube=on", "theirs.mat")


def main():
    os.environ["PATH"] += ":/usr/games"
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "g.pgn").write_text(GAME)
        whole = check_resumption(folder)
        check_threads(folder, whole)
        check_page(whole[1], len(re.findall(r"\$[24] ", whole[0])))
        check_pgn(folder)
        check_mat(folder)
    print("interrupted analyses go on, and others read what they write")


main()
