"""Every rule is told to the players and has a test that is marked with its id."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path

import pytest

from icetable import GameInfo
from tests.conformance.cases import CASES, INFOS, each_game, states, texts
from tests.conformance.material import GAMES_FOLDER
from tests.conformance.rule_ids import marked_tests


def told(info: GameInfo) -> set[str]:
    """The ids of the rules as players read them: each begins a paragraph, in bold."""
    return set(re.findall(rf"^\W*\*\*({info.rule_prefix}-\d+[a-z]?)\b", info.rules(), re.MULTILINE))


def package(info: GameInfo) -> Path:
    """The folder of a game."""
    found = import_module(f"icetable.games.{info.name}").__file__
    assert found is not None
    return Path(found).parent


def named(info: GameInfo, text: str) -> set[str]:
    """The rule ids that a text names."""
    return set(re.findall(rf"\b{info.rule_prefix}-\d+[a-z]?\b", text))


@pytest.fixture(scope="module")
def marked() -> dict[str, list[str]]:
    """The tests of the games by the rules that they are marked with."""
    return marked_tests(GAMES_FOLDER)


def untested(told: set[str], marked: dict[str, list[str]], folder: str) -> set[str]:
    """The rules of a game without a test in the folder of that game."""
    return {rule for rule in told if not any(folder in test.split("/") for test in marked.get(rule, ()))}


@each_game
def test_every_rule_has_a_test(info: GameInfo, marked: dict[str, list[str]]) -> None:
    assert told(info)
    assert untested(told(info), marked, info.name) == set()


def test_every_marker_names_a_rule(marked: dict[str, list[str]]) -> None:
    assert marked.keys() - {rule for info in INFOS for rule in told(info)} == set()


MADE_UP = """
import pytest

pytestmark = pytest.mark.rule("XY-7")

@pytest.mark.rule("XY-1", "XY-2")
def test_two():
    pass

@pytest.mark.parametrize("number", [pytest.param(3, marks=pytest.mark.rule("XY-3")), 4])
def test_one_of_them(number):
    pass

@pytest.mark.rule("XY-5")
class TestAll:
    def test_xy_4_by_name_only(self):
        \"\"\"XY-4, XY-5 … XY-7.\"\"\"

@pytest.mark.rule("XY-6")
def helper():
    pass

@pytest.mark.rule("XY-8 to XY-9")
def test_range():
    pass
"""


def test_the_check_can_fail(tmp_path: Path) -> None:
    """Only what marks a single test counts: no words, no range, no whole class or module, no other game's test."""
    folder = tmp_path / "made_up"
    folder.mkdir()
    (folder / "test_made_up.py").write_text(MADE_UP, encoding="utf-8")
    marked = marked_tests(tmp_path)
    assert marked.keys() == {"XY-1", "XY-2", "XY-3", "XY-8 to XY-9"}
    assert [test.rpartition("::")[2] for test in marked["XY-3"]] == ["test_one_of_them[3]"]
    told = {f"XY-{number}" for number in range(1, 10)}
    assert untested(told, marked, "made_up") == {f"XY-{number}" for number in range(4, 10)}
    assert untested({"XY-1"}, marked, "other") == {"XY-1"}


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
