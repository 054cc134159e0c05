"""Readings side by side: what differs, what only seems to, and what can't be tried."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from icetable import BadOption, GameError
from icetable.lab import Plan, comparisons, run
from icetable.lab.comparisons import MEASURES, compare, differences, flips, refusals, sweep
from icetable.lab.intervals import false_discoveries, holm, p_of_mean
from icetable.lab.measures import Games
from icetable.lab.plan import Row
from icetable.workshop import Board, Game, Pyramid, Table, squares
from tests.lab.here import Here

pytestmark = pytest.mark.usefixtures("toys", "few_resamples")
HERE = Here()
MARCH = ["first-seat", "draws", "length", "choice"]
"""The figures that games of march for two are compared by."""


def plan(seats: Sequence[str] = ("random",), blocks: int = 12, **options: Any) -> Plan:
    return Plan("march", options=options, seats=seats, blocks=blocks, opening=0)


def games(shares: Sequence[float], turns: Sequence[int], choices: Sequence[int]) -> Games:
    """Games between two that have these figures, a block each."""
    rows = [
        Row(block, 0, [0, 1], "", [share, 1 - share], [0, 0], turn, "TY-3", [0], [choice], [], "")
        for block, (share, turn, choice) in enumerate(zip(shares, turns, choices, strict=True))
    ]
    return Games(plan(blocks=len(rows)), rows)


@pytest.mark.parametrize("seats", [["random"], ["random", "greedy"]])
def test_the_same_twice(seats: list[str]) -> None:
    games = Games(plan(seats), run(plan(seats), executor=HERE).rows)
    for one in differences(games, games):
        assert one.a == one.b
        assert (one.difference.value, one.p, one.adjusted, one.is_clear) == (0, 1, 1, False)
        assert one.difference.low <= 0 <= one.difference.high
        if one.measure in comparisons.SHARES:  # equal so far is not equal for ever
            assert one.difference.low < 0 < one.difference.high


def test_a_reading_is_not_compared_with_itself() -> None:
    with pytest.raises(GameError, match="both readings are the same game"):
        compare(plan(["random"]), plan(["random"]), executor=HERE)


class Partners(Game):
    """The second and the fourth win."""

    players = 4
    teams = (0, 2), (1, 3)

    def board(self) -> Board:
        return squares(2, 2)

    def acts(self, table: Table) -> list[str]:
        return table.empty()

    def play(self, table: Table, act: str) -> None:
        table.put(Pyramid("S", table.seat), act)
        table.end_turn()

    def winners(self, table: Table) -> Sequence[int]:
        return (1, 3)


class Even(Partners):
    """All win."""

    def winners(self, table: Table) -> Sequence[int]:
        return self.seats


def test_a_win_of_a_team_is_no_draw() -> None:
    partners, even = (Plan(design, seats=["random"], blocks=12) for design in (Partners, Even))
    found = {one.measure: (one.a, one.b) for one in compare(partners, even, executor=HERE)}
    assert found["draws"] == (0, 1)


def test_an_option_that_changes_nothing() -> None:
    quiet, loud = plan(["sims:2", "random"]), plan(["sims:2", "random"], loud=True)
    assert {one.difference.value for one in compare(quiet, loud, executor=HERE)} == {0}


def test_a_known_difference() -> None:
    found = {one.measure: one for one in compare(plan(length=4), plan(length=6), executor=HERE)}
    assert list(found) == MARCH
    assert (found["length"].a, found["length"].b, found["length"].difference.value) == (4, 6, 2)
    assert found["length"].is_clear
    assert found["choice"].difference.value == 0


def test_figures_and_their_p() -> None:
    """Each is the mean over blocks of the second less the first, and Holm's p counts the questions asked together."""
    a = games([1, 1, 0, 0.5, 0, 1, 0, 1], [5, 6, 7, 8, 9, 10, 11, 12], [4] * 8)
    b = games([1, 0, 0, 0.5, 0, 0, 0, 0], [6, 7, 9, 8, 12, 11, 14, 15], [4] * 8)
    found = differences(a, b)
    pairs = list(zip(a.rows, b.rows, strict=True))
    game = a.plan.game
    ps = [p_of_mean([value(game, y) - value(game, x) for x, y in pairs]) for value in map(MEASURES.__getitem__, MARCH)]
    assert [one.measure for one in found] == MARCH
    assert [one.p for one in found] == ps
    assert [one.adjusted for one in found] == holm(ps)
    by_name = {one.measure: one for one in found}
    assert by_name["first-seat"].difference.value == pytest.approx(-3 / 8)
    assert by_name["first-seat"].p == 0.25  # three changes the same way: two of eight ways to toss three coins
    assert by_name["length"].difference.value == pytest.approx(14 / 8)
    assert by_name["draws"].difference.value == 0
    (alone,) = differences(a, b, ["length"])
    assert alone.adjusted == alone.p == by_name["length"].p < by_name["length"].adjusted
    assert json.loads(json.dumps([one.described() for one in found], allow_nan=False))


def test_pairing() -> None:
    """The variance of the difference, as a share of what it is between strangers."""
    a, b = games([1, 0] * 4, [5, 9] * 4, [4] * 8), games([1, 0] * 4, [6, 10] * 4, [4] * 8)
    found = {one.measure: one.pairing for one in differences(a, b)}
    assert found["first-seat"] == found["length"] == 0
    assert found["choice"] == 1
    (against,) = differences(a, games([0, 1] * 4, [5, 9] * 4, [4] * 8), ["first-seat"])
    assert against.pairing == pytest.approx(2)


@pytest.mark.parametrize(
    ("other", "word"),
    [
        ({"seats": ["greedy"]}, "seats"),
        ({"blocks": 11}, "blocks"),
        ({"seed": 1}, "seed"),
        ({"players": 3}, "seats"),
        ({"opening": 2}, "opening"),
    ],
)
def test_plans_that_do_not_match(other: dict[str, Any], word: str, tmp_path: Path) -> None:
    """They are refused before a game is played."""
    asked = {"game": "march", "seats": ["random"], "blocks": 12, "opening": 0, **other}
    with pytest.raises(GameError, match=f"^plans to compare may differ only in their games, not in {word}: "):
        compare(plan(), Plan(**asked), out=tmp_path, executor=HERE)
    assert list(tmp_path.iterdir()) == []


def test_no_such_measure() -> None:
    with pytest.raises(GameError, match=r"'luck' to compare; allowed: first-seat, draws, length, choice$"):
        compare(plan(), plan(), ["luck"], executor=HERE)


def test_flips() -> None:
    usual = plan(blocks=50, turn_limit=8)
    found = flips(usual, executor=HERE)
    told = [(one.option, one.value, one.usual, one.rule) for one in found]
    assert told == [
        ("length", 2, 4, "TY-3"),
        ("width", 1, 2, "TY-4"),
        ("width", 3, 2, "TY-4"),
        ("loud", True, False, "TY-5"),
        ("turn_limit", 4, 8, "TY-6"),
        ("turn_limit", 16, 8, "TY-6"),
    ]
    short, single, _, loud, *_ = found
    for one in (loud, *found[-2:]):
        assert one.changed.value == 0
        assert 0 < one.changed.high < 1
        assert {each.difference.value for each in one.differences} == {0}
        assert 0 < one.unrelated.value < 1
    assert single.changed.value > 0.2  # the sum of four single steps gives the first seat every game
    figures = {each.measure: each for each in short.differences}
    assert figures["length"].difference.value == -2
    every = [each for one in found for each in one.differences]
    assert [each.adjusted for each in every] == false_discoveries([each.p for each in every])
    assert json.loads(json.dumps([one.described() for one in found], allow_nan=False))


def test_options_that_are_not_tried_are_reported() -> None:
    """An option without another value, and a value that the game refuses, are reported with the reason."""
    assert refusals(plan()) == [
        "names: no value to try beside ()",
        "turn_limit: no value to try beside 0",
        "length=8: length can't be 8 with 2 ways to step",
    ]


def test_players_that_an_option_takes_away() -> None:
    """Nobody can forget where all is told: that value is left out, and the others are tried."""
    highrise = Plan("highrise", seats=["random/memory=2"], blocks=1)
    (told,) = [reason for reason in refusals(highrise) if reason.startswith("memory=off: ")]
    assert "there is no player 'random/memory=2'" in told
    others = {option.name: other for option, _, other in comparisons.other_values(highrise)}
    assert isinstance(others["rows"], Plan)


def test_no_choices_without_turns() -> None:
    icehouse = Plan("icehouse", seats=["beginner"], blocks=1)
    seats = tuple(f"{place}-seat" for place in comparisons.PLACES[:4])
    assert comparisons.measures_of(icehouse.game) == (*seats, "draws", "length")
    with pytest.raises(GameError, match=r"'choice' to compare; allowed: first-seat, .*, draws, length$"):
        compare(icehouse, icehouse, ["choice"], executor=HERE)


@pytest.mark.parametrize("game", ["squad", "highrise", "icefrogs", "icehouse", "wrecktangle"])
def test_each_option_is_tried_or_explained(game: str) -> None:
    of_game = Plan(game, seats=["beginner"])
    told = " ".join(refusals(of_game))
    values: dict[str, list[Any]] = {}
    for option, value, _ in comparisons.other_values(of_game):
        values.setdefault(option.name, []).append(value)
    for option in of_game.game.info.options:
        assert option.name in values or option.name in told
        if option.choices and option.kind != "list":
            assert {of_game.game.options[option.name], *values[option.name]} == set(option.choices)


def test_sweep(tmp_path: Path) -> None:
    found = sweep(plan(blocks=50), {"length": [2, 3], "width": [1, 2]}, out=tmp_path, executor=HERE)
    assert [options for options, _ in found] == [
        {"length": 2, "width": 1},
        {"length": 2, "width": 2},
        {"length": 3, "width": 1},
        {"length": 3, "width": 2},
    ]
    for options, played in found:
        figures = comparisons.figures_of(played)
        assert list(figures) == MARCH
        assert (figures["length"].value, figures["choice"].value) == (options["length"], options["width"])
        assert played.plan.game.options == {**plan(blocks=50).game.options, **options}
        assert figures["draws"].value == 0 < figures["draws"].high < 1
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "length=2,width=1",
        "length=2,width=2",
        "length=3,width=1",
        "length=3,width=2",
    ]


def test_sweep_over_players() -> None:
    """Equal players fill all seats; of others nobody knows who would sit there."""
    found = sweep(plan(blocks=3), {"players": [2, 3, 4]}, executor=HERE)
    assert [len(played.rows[0].shares) for _, played in found] == [2, 3, 4]
    with pytest.raises(GameError, match="seats is one player or 3 of them"):
        sweep(plan(["random", "greedy"], 3), {"players": [2, 3]}, executor=HERE)


def test_a_sweep_is_checked_first(tmp_path: Path) -> None:
    with pytest.raises(BadOption, match="length can't be 7 with 2 ways"):
        sweep(plan(), {"length": [2, 7]}, out=tmp_path, executor=HERE)
    assert list(tmp_path.iterdir()) == []
