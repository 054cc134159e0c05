"""The drawn boards, a file for each rule, and what boards and stashes are: edition and product say what is drawn."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from icetable import CHANCE, BadOption
from icetable.workshop.editions.highrise import COLOURS
from tests.games.boards import Board, each_board, read_boards
from tests.games.old_pairs import Pair

from . import product
from .product import begun, drawn, hidden, load, seen, squares, start, visible

BOARDS = read_boards(Path(__file__).parent / "boards")


def test_every_rule_of_the_stacks_has_a_board() -> None:
    assert {board.rule for board in BOARDS} == {"HR-7", "HR-9"}


@each_board([board for board in BOARDS if board.rule == "HR-7"])
def test_hr_7_what_is_hidden(board: Board) -> None:
    pair = Pair.of(product, drawn(board.drawing, **board.settings))
    for seat in (None, 0, 1):
        towers = visible(pair.state, seat)
        assert towers == seen(pair.position, seat)
        assert {square: [name == "?" for name in tower] for square, tower in towers.items()} == hidden(board.drawing)


@each_board([board for board in BOARDS if board.rule == "HR-9"])
def test_hr_9_scores(board: Board) -> None:
    """Nothing is scored before the deal (HR-8), everything after it, when nothing is hidden any more (HR-7)."""
    pair = Pair.of(product, drawn(board.drawing, **board.settings))
    assert pair.state.to_act == {CHANCE}
    assert pair.state.scores == (0, 0)
    assert pair.state.view()["account"] is None
    after = pair.apply(board.act)
    assert after.state.scores == tuple(map(int, board.told.split(" and ")))
    account = after.state.view()["account"]
    for square, counted in account.items():
        position = after.position
        assert counted["pips"] == [position.design.pips(position.table, square, seat) for seat in (0, 1)]
        assert counted["owner"] == position.design.owner(position.table, square)
    assert sum(counted["points"] for counted in account.values()) == sum(after.state.scores)
    table = after.position.table
    shown = {square: [f"{size}:{colour}" for size, colour, _ in table.stack(square)] for square in table.spaces}
    for seat in (None, 0, 1):
        assert visible(after.state, seat) == seen(after.position, seat) == shown


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
    assert (layout["rows"], layout["cols"]) == (rows, cols)
    assert tuple(square["name"] for square in layout["squares"]) == squares(rows, cols)
    for square in layout["squares"]:
        assert square["name"] == f"{'abcdefgh'[square['x']]}{square['y'] + 1}"
    assert layout["colours"] == [list(colours) for colours in COLOURS]
    assert layout["values"] is None
    assert layout["memory"] == "on"


def test_layout_under_other_options() -> None:
    layout = load(values=[9, 8, 7, 6, 5, 4, 3, 2, 1], memory="off").layout()
    assert layout["values"] == [1, 2, 3, 4, 5, 6, 7, 8, 9]  # in no order that tells anything
    assert layout["memory"] == "off"


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
    position, game = start(rows=rows, cols=cols), load(rows=rows, cols=cols)
    stash = game.start().view()["stash"]
    for seat in (0, 1):
        assert [sum(one.size == size for one in position.table.pad[seat]) for size in "SML"] == [small, others, others]
        for size, copies in game.layout()["copies"].items():
            assert stash[seat][size] == dict.fromkeys(COLOURS[seat], copies)
            assert sum(stash[seat][size].values()) == (small if size == "S" else others)


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
