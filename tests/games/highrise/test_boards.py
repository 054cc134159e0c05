"""The drawn boards, a file for each rule, and what boards and stashes are: kernel and class say what is drawn."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from icetable import CHANCE, BadOption
from icetable.games.highrise.game import COLOURS
from tests.games.boards import Board, each_board, read_boards

from .drawings import begun, drawn, hidden, load, seen, squares, stacks_of, start, stash

BOARDS = read_boards(Path(__file__).parent / "boards")


def test_every_rule_of_the_stacks_has_a_board() -> None:
    assert {board.rule for board in BOARDS} == {"HR-7", "HR-9"}


@each_board([board for board in BOARDS if board.rule == "HR-7"])
def test_hr_7_what_is_hidden(board: Board) -> None:
    pair = drawn(board.drawing, **board.settings)
    for seat in (None, 0, 1):
        towers = seen(pair.state, seat)
        assert towers == seen(pair.plain, seat)
        assert {square: [name is None for name in tower] for square, tower in towers.items()} == hidden(board.drawing)


@each_board([board for board in BOARDS if board.rule == "HR-9"])
def test_hr_9_scores(board: Board) -> None:
    """Nothing is scored before the deal (HR-8), everything after it, when nothing is hidden any more (HR-7)."""
    pair = drawn(board.drawing, **board.settings)
    assert pair.to_act == {CHANCE}
    assert pair.scores == (0, 0)
    assert not any("number" in account for account in pair.state.view()["accounts"].values())
    after = pair.apply(board.act)
    assert after.scores == tuple(map(int, board.told.split(" and ")))
    accounts, stacks = after.state.view()["accounts"], stacks_of(after.state)
    assert list(accounts) == list(pair.table.spaces)
    for square, account in accounts.items():
        tower = stacks.get(square, [])
        pips = [sum("SML".index(name[1]) + 1 for name in tower if name[0] == seat) for seat in "01"]
        assert account["counts"] == pips
        assert account.get("owner") == (None if pips[0] == pips[1] else pips.index(max(pips)))
    assert sum(account.get("points", 0) for account in accounts.values()) == sum(after.scores)
    for seat in (None, 0, 1):
        assert seen(after.state, seat) == stacks


@pytest.mark.rule("HR-1")
def test_hr_1_squares() -> None:
    assert " ".join(squares(3, 3)) == "a1 b1 c1 a2 b2 c2 a3 b3 c3"
    assert " ".join(squares(3, 4)) == "a1 b1 c1 d1 a2 b2 c2 d2 a3 b3 c3 d3"
    assert " ".join(squares(4, 3)) == "a1 b1 c1 a2 b2 c2 a3 b3 c3 a4 b4 c4"
    assert squares(8, 8)[7:9] == ("h1", "a2")
    assert squares(8, 8)[63] == "h8"


@pytest.mark.parametrize(("rows", "cols"), [(3, 3), (3, 4), (4, 3), (8, 3), (5, 7), (8, 8)])
@pytest.mark.rule("HR-1")
def test_hr_1_layout(rows: int, cols: int) -> None:
    layout = load(rows=rows, cols=cols).layout()
    assert tuple(square["name"] for square in layout["spaces"]) == squares(rows, cols)
    for square in layout["spaces"]:
        assert square["name"] == f"{'abcdefgh'[square['x']]}{square['y'] + 1}"
    assert layout["kinds"]["S"]["colours"] == [list(colours) for colours in COLOURS]


def test_numbers_that_are_given() -> None:
    """They are shown in no order that tells anything."""
    view = load(values=[9, 8, 7, 6, 5, 4, 3, 2, 1]).start().view()
    assert view["pool"] == [1, 2, 3, 4, 5, 6, 7, 8, 9]


def test_seats_have_a_colour_of_their_own_stash() -> None:
    """HR-6."""
    info = load().info
    assert all(colour in COLOURS[seat] for seat, colour in enumerate(info.colours))
    assert len(info.colours) == 2


@pytest.mark.parametrize(
    ("rows", "cols", "small", "others"),
    [(3, 3, 5, 10), (3, 4, 10, 15), (4, 4, 15, 20), (3, 5, 10, 15), (5, 5, 20, 25), (8, 3, 20, 25), (8, 8, 60, 65)],
)
@pytest.mark.rule("HR-3")
def test_hr_3_stashes(rows: int, cols: int, small: int, others: int) -> None:
    """9 squares: 2 stashes a player; 12: 3; 16: 4; 15: 3; 25: 5; 24: 5; 64: 13."""
    position = start(rows=rows, cols=cols)
    for seat, left in enumerate(stash(position.state)):
        for size, colours in left.items():
            count = small if size == "S" else others
            assert sum(piece.size == size for piece in position.table.pad[seat]) == count
            assert colours == dict.fromkeys(COLOURS[seat], count // 5)
    assert position.game.layout()["turn_limit"] == 2 * (small + 2 * others)


@pytest.mark.rule("HR-6")
def test_hr_6_the_colour_never_matters() -> None:
    one, other = begun().apply("M:red@b2"), begun().apply("M:blue@b2")
    assert one != other
    assert one.legal_actions() == other.legal_actions()
    assert one.scores == other.scores


@pytest.mark.parametrize(
    "options",
    [
        {"players": 1},
        {"players": 3},
        {"rows": 2},
        {"cols": 9},
        {"memory": "maybe"},
        {"numbers": "maybe"},
        {"values": "chips"},
        {"values": [1] * 8},
        {"values": [1] * 9, "rows": 4},
        {"values": [1] * 8 + [-1]},
        {"values": [1] * 8 + [1.5]},
        {"values": [1] * 8 + [True]},
        {"values": [1] * 8 + [10**9 + 1]},
    ],
    ids=str,
)
def test_options_refused(options: dict[str, Any]) -> None:
    """HR-1, HR-2, HR-7."""
    with pytest.raises(BadOption, match="allowed: ") as error:
        load(**options)
    assert next(iter(options)) in str(error.value)
    assert str(error.value).isprintable()


def test_values_that_do_not_fit_the_board() -> None:
    with pytest.raises(BadOption) as error:
        load(values=[1, 2, 3])
    assert str(error.value) == (
        "values can't be (1, 2, 3); allowed: 'dice' or a list of 9 whole numbers from 0 to 1000000000, "
        "one for each square (HR-2)"
    )
