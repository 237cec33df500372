"""Games, positions and moves."""
import os
import pathlib
import xml.etree.ElementTree as ElementTree

import pytest

import manyply as mp

BUILD = pathlib.Path(os.environ.get("MANYPLY_BUILD", pathlib.Path(__file__).resolve().parents[2] / "build"))


def test_built_in_games():
    assert {"backgammon", "chess", "halma", "othello"} <= set(mp.games())
    for name in mp.games():
        game = mp.Game(name)
        assert game.name == name and game.summary and len(game.players) == 2 and game.evaluations[0]["name"]
        assert game.position().moves()


def test_unknown_game_is_one_sentence():
    with pytest.raises(mp.Error, match="unknown game 'tetris', expected backgammon"):
        mp.Game("tetris")


def test_positions_do_not_change():
    game = mp.Game("othello")
    start = game.position()
    after = start.play("f5d6c3")
    assert start == game.position() and start != after and hash(start) == hash(game.position())
    assert [str(move) for move in after.played] == ["f5", "d6", "c3"] and after.player == "White"
    assert after.play(after.moves()[0]).played[-1] == after.moves()[0]
    assert game.position(after.text) == after and game.position(after.text).played == []
    with pytest.raises(mp.Error, match="after 0 moves: .*a1"):
        start.play("a1")
    assert start == game.position()


def test_moves_are_text_with_a_number():
    position = mp.Game("chess").position()
    move = position.parse("Nf3")
    assert move == "g1f3" and move.code in [one.code for one in position.moves()]
    assert position.record_text(move) == "Nf3" == position.record_text("g1f3")
    assert position.perft(3) == 8902 == position.perft(3, threads=2)


def test_ends():
    mate = mp.Game("chess").position(moves="f3 e5 g4 Qh4#")
    assert mate.is_over and mate.margin == -1 and mate.moves() == []
    with pytest.raises(mp.Error, match="not over"):
        mp.Game("chess").position().margin
    bare = mp.Game("chess").position("4k3/8/8/8/8/8/8/4K3 w - - 0 1")
    assert bare.is_drawn and bare.is_over and bare.margin == 0 and bare.moves()


def test_dice():
    position = mp.Game("backgammon").position()
    assert position.is_chance and len(position.outcomes()) == 21
    assert sum(chance for _, chance in position.outcomes()) == pytest.approx(1)
    throw = position.throw(seed=3)
    assert throw == position.throw(seed=3) and not position.play(throw).is_chance
    assert position.play("31").outcomes() == []
    with pytest.raises(mp.Error, match="a player is to move"):
        position.play("31").throw()


@pytest.mark.parametrize("name", ["chess", "othello", "halma", "halma16", "backgammon"])
def test_boards_draw_themselves(name):
    position = mp.Game(name).position(moves="31" if name == "backgammon" else "")
    tree = ElementTree.fromstring(position._repr_svg_())
    count = len(list(tree.iter()))
    arrows = len(list(ElementTree.fromstring(position.svg(arrows=position.moves()[:1], colours=["red"])).iter()))
    assert tree.tag == "{http://www.w3.org/2000/svg}svg" and count > 60 and arrows > count
    assert position.svg(flipped=True) != position.svg() and 'width="200"' in position.svg(width=200)
    assert "script" not in position.svg(arrows=position.moves()[:1], colours=['x"><script'])


def test_plug_ins_load():
    plugin = BUILD / "plugins" / "connect4.so"
    if not plugin.exists():
        pytest.skip("the plug-in is not built")
    game = mp.Game(str(plugin))
    position = game.position(moves="4 4")
    assert game.name == "connect4" and position.search("pvs,depth=6").move in position.moves()
    assert ElementTree.fromstring(position._repr_svg_()) is not None


def test_objects_outlive_their_names():
    position = mp.Game("othello").position()  # nothing else refers to the game
    search = mp.Search(position.game, "pvs,depth=3")
    later = position.play("f5")
    del position
    assert search.run(later).move in later.moves()
