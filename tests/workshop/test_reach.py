"""Verbs that reach into stacks, pads of nobody, spaces that come and go, marks, labels and teams."""

from __future__ import annotations

import itertools

import pytest

import icetable
from icetable import GameError, lab
from icetable.lab import comparisons
from icetable.lab.measures import Games
from icetable.workshop import Pyramid, Table
from icetable.workshop.playing import WorkshopGame
from tests.workshop.designs import Depot
from tests.workshop.test_playing import starts

LARGE, MEDIUM, SMALL = Pyramid("L", 0), Pyramid("M", 0), Pyramid("S", 0)


def table_with(*pieces: Pyramid) -> Table:
    game = starts(Depot).game
    assert isinstance(game, WorkshopGame)
    table = game.first_table.copy()
    table.stacks["a1"] = pieces
    return table


@pytest.mark.parametrize("height", [1, 2, 3])
def test_verbs_reach_every_piece_of_a_stack_as_lists_do(height: int) -> None:
    stack = [LARGE, MEDIUM, SMALL][:height]
    for at in range(-height, height):
        table, expected = table_with(*stack), stack.copy()
        assert table.take("a1", at=at) == expected.pop(at)
        assert list(table.stack("a1")) == expected
        table, expected = table_with(*stack), stack.copy()
        table.put(Pyramid("S", 1), "a1", at=at)
        expected.insert(at, Pyramid("S", 1))
        assert list(table.stack("a1")) == expected
        table, expected = table_with(*stack), stack.copy()
        table.replace("a1", Pyramid("S", 1), at=at)
        expected[at] = Pyramid("S", 1)
        assert list(table.stack("a1")) == expected
    for first, count in itertools.product(range(height), range(1, height + 1)):
        table = table_with(*stack)
        if first + count > height:
            with pytest.raises(GameError, match=f"a1 has {height} pieces, and not {count} from {first}"):
                table.move("a1", "a2", count, at=first)
            continue
        table.move("a1", "a2", count, at=first)
        assert list(table.stack("a1")) == stack[:first] + stack[first + count :]
        assert list(table.stack("a2")) == stack[first : first + count]


def test_a_piece_that_is_not_there_can_not_be_reached() -> None:
    table = table_with(LARGE, SMALL)
    for call in (
        lambda: table.take("a1", at=2),
        lambda: table.replace("a1", SMALL, at=-3),
        lambda: table.put(SMALL, "a1", at=3),
        lambda: table.capture("a1", at=2),
    ):
        with pytest.raises(GameError, match="a1 has 2 pieces"):
            call()
    assert table.stack("a1") == (LARGE, SMALL)


def test_a_bank_is_a_pad_of_nobody() -> None:
    table = table_with(LARGE, SMALL)
    assert table.spend(SMALL, "bank") == SMALL
    with pytest.raises(GameError, match=r"there is no 0S in table.bank, which has 0M, 0M"):
        table.spend(SMALL, "bank")
    table.keep(LARGE, "bank")
    assert table.capture("a1", "bank", at=0) == LARGE
    assert table.bank == [MEDIUM, MEDIUM, LARGE, LARGE]
    assert list(map(str, table.recorded())) == ["spends 0S", "keeps 0L", "takes a1 0L"]
    with pytest.raises(GameError, match=r"table.chest is no list of pieces; `start` may set table.chest = \[\]"):
        table.keep(LARGE, "chest")


def test_a_space_that_is_gone_is_nowhere() -> None:
    table = table_with(LARGE)
    assert table.spaces == ("a1", "c1", "a2", "b2", "c2")
    assert (table.ray("a1", "e"), table.neighbours("a1")) == ((), ("a2", "b2"))
    assert (list(table.slides("c1", ["w"])), table.empty()) == ([], ["c1", "a2", "b2", "c2"])
    for call in (
        lambda: table.put(SMALL, "b1"),
        lambda: table.move("a1", "b1"),
        lambda: table.top("b1"),
        lambda: table.remove_space("b1"),
    ):
        with pytest.raises(GameError, match="there is no space 'b1'"):
            call()
    assert table.stack("a1") == (LARGE,)
    with pytest.raises(GameError, match="a1 can't go while pieces stand on it"):
        table.remove_space("a1")
    with pytest.raises(GameError, match="'a2' is no space of the board that is gone"):
        table.add_space("a2")
    table.add_space("b1")
    assert (table.ray("a1", "e"), table.spaces) == (("b1", "c1"), table.board.names)


def test_the_page_is_told() -> None:
    state = starts(Depot).apply("slip@a1")
    view = state.view()
    assert state.game.layout()["teams"] == [[0, 2], [1, 3]]
    assert state.game.info.teams() == {4: ((0, 2), (1, 3))}
    assert view["gone"] == ["b1"]
    assert view["marks"] == {"a1": "2"}
    assert view["labels"][0] == ["slip@c2", "Put it under c2"]
    assert view["banks"] == {"bank": {"0M": 1, "0S": 1}}
    assert view["own"] == {"by_size": {"dict": [["S", 0]]}, "placed": ["a1"], "seen": {"set": [{"tuple": ["a1", 2]}]}}
    drawn = state.draw().splitlines()
    for line in ("The bank: 1 0M  1 0S", "Marked: a1 2", "Placed: a1", "By size: S: 0", "Seen: a1, 2"):
        assert line in drawn
    assert not any("b1" in line for line in drawn)


def test_the_laboratory_counts_the_wins_of_teams() -> None:
    played = lab.run(lab.Plan(icetable.load(Depot), seats=("random",), blocks=2, seed=1))
    assert all(max(row.shares) == 1 / 2 for row in played.rows)
    assert played.measure.draws[""].value == 0
    assert comparisons.figures_of(Games(played.plan, played.rows))["draws"].value == 0
