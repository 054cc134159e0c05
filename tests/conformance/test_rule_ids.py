"""Every rule is told to the players and tested under its id."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path

from icetable import GameInfo
from tests.conformance.cases import CASES, each_game, states, texts
from tests.conformance.material import GAMES_FOLDER


def told(info: GameInfo) -> set[str]:
    """The ids of the rules as players read them: each begins a paragraph, in bold."""
    return set(re.findall(rf"^\W*\*\*({info.rule_prefix}-\d+[a-z]?)\b", info.rules(), re.MULTILINE))


def package(info: GameInfo) -> Path:
    """The folder of a game."""
    found = import_module(f"icetable.games.{info.name}").__file__
    assert found is not None
    return Path(found).parent


def named(info: GameInfo, text: str) -> set[str]:
    """The rule ids that a text names: XY-3, xy_3, and XY-3 … XY-5 for those between too."""
    number = rf"\b(?:test_)?{info.rule_prefix}[-_](\d+)([a-z]?)(?![0-9a-z])"
    ids = {f"{info.rule_prefix}-{digits}{letter.lower()}" for digits, letter in re.findall(number, text, re.IGNORECASE)}
    for first, last in re.findall(rf"{info.rule_prefix}-(\d+) (?:to|…) {info.rule_prefix}-(\d+)", text):
        ids |= {f"{info.rule_prefix}-{number}" for number in range(int(first), int(last) + 1)}
    return ids


@each_game
def test_every_rule_has_a_test(info: GameInfo) -> None:
    sources = sorted((GAMES_FOLDER / info.name).rglob("*"))
    text = "\n".join(
        f"{path.name}\n{path.read_text(encoding='utf-8')}" for path in sources if path.suffix in (".py", ".txt")
    )
    assert told(info)
    assert told(info) - named(info, text) == set()


@each_game
def test_every_rule_is_in_the_code(info: GameInfo) -> None:
    """No rule that the code names is unknown to the players."""
    text = "\n".join(path.read_text(encoding="utf-8") for path in sorted(package(info).glob("*.py")))
    assert named(info, text) - told(info) == set()


@each_game
def test_every_rule_that_players_meet_is_told(info: GameInfo) -> None:
    met = {option.rule for option in (info.players_option, *info.options)} | {info.turn_rule}
    for case in CASES:
        if case.name == info.name:
            for state in states(case):
                faults = (state.fault(text) for text in texts(case)[::20])
                met |= {fault.rule for fault in faults if fault}
                met |= {state.ended_by} if state.ended_by else set()
    assert met - told(info) == set()
