"""The readable editions: short, sound, their rules told, and easily changed."""

from __future__ import annotations

from pathlib import Path

import pytest

import icetable
from icetable import games
from icetable.games.squad.game import Squad
from icetable.workshop import Pyramid, files
from icetable.workshop import editions as package
from icetable.workshop.checking import UNKNOWN_ACT
from icetable.workshop.playing import WorkshopGame
from tests.games.twins import edition

FILES = sorted(path for path in Path(package.__path__[0]).glob("*.py") if path.stem not in ("__init__", "small"))
MAX_LINES = 200
each_name = pytest.mark.parametrize("name", [path.stem for path in FILES])


class Gentle(Squad):
    """Who's On The Squad?, where a sophomore needs one friend or two."""

    def needs(self, friend: Pyramid) -> range:
        return range(1, 3) if friend.size == "M" else super().needs(friend)


def test_every_game_of_turns_has_one_and_none_is_long() -> None:
    assert [path.stem for path in FILES if len(path.read_text(encoding="utf-8").splitlines()) > MAX_LINES] == []


@each_name
def test_its_rules_are_those_of_the_game(name: str) -> None:
    own, info = edition(name).info, games.info(name)
    assert own.rule_prefix == info.rule_prefix
    assert own.turn_rule == info.turn_rule
    assert own.name != info.name


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_it_is_brought_by_its_file(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It has a name of its own beside the built-in game."""
    monkeypatch.setattr(files, "REGISTERED", {})
    info = games.register(path)
    assert info in games.list_games()
    game = info.load()
    assert isinstance(game, WorkshopGame)
    assert not game.is_notation(UNKNOWN_ACT)


def test_a_rule_is_changed_in_three_lines() -> None:
    gentle, usual = icetable.load(Gentle).start(), icetable.load("squad").start()
    for act in ("C@a1", "C@d4"):
        gentle, usual = gentle.apply(act), usual.apply(act)
    assert {*gentle.legal_actions()} - {*usual.legal_actions()} == {"S@a2", "S@b1", "S@c4", "S@d3"}
    assert gentle.game.info.name == "gentle"
    assert gentle.game.info.title == "Gentle"
    assert [option.name for option in gentle.game.info.options] == [
        option.name for option in games.info("squad").options
    ]
