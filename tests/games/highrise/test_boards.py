"""The oracle's drawn boards, shown by the product, and what the board and the stashes are."""

from __future__ import annotations

from typing import Any

import pytest

from icetable import CHANCE, BadOption

from .oracle import COLOURS, Board, Oracle, hidden, read_boards, squares
from .product import begun, effects, key, load, state_of, visible

BOARDS = read_boards()


def boards(rule: str) -> pytest.MarkDecorator:
    """The drawn boards of a rule."""
    return pytest.mark.parametrize("board", [one for one in BOARDS if one.rule == rule], ids=lambda board: board.title)


@boards("HR-7")
@pytest.mark.rule("HR-7")
def test_hr_7_what_is_hidden(board: Board) -> None:
    state = state_of(board.position)
    assert key(state) == board.position.key()
    for seat in (None, 0, 1):
        seen = visible(state, seat)
        assert seen == board.position.visible(seat)
        assert {square: [name == "?" for name in tower] for square, tower in seen.items()} == hidden(board.drawing)


@boards("HR-9")
@pytest.mark.rule("HR-9")
def test_hr_9_scores(board: Board) -> None:
    """Nothing is scored before the deal (HR-8), everything after it; the most points win (HR-10)."""
    state = state_of(board.position)
    assert state.to_act == {CHANCE}
    assert state.scores == (0, 0)
    assert state.view()["account"] is None
    after, twin = state.apply(board.deal), board.position.apply(board.deal)
    assert after.scores == board.scores
    assert key(after) == twin.key()
    assert after.ended_by == "HR-8"
    assert after.winners == {seat for seat in (0, 1) if board.scores[seat] == max(board.scores)}
    assert after.effects == effects(twin, board.deal)
    for square, account in after.view()["account"].items():
        assert account["pips"] == list(twin.pips(square))
        assert account["owner"] == twin.control(square)
    points = [account["points"] for account in after.view()["account"].values()]
    assert sum(points) == sum(board.scores)
    assert visible(after, None) == {
        square: [":".join(piece) for piece in tower] for square, tower in twin.stacks.items()
    }


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


@pytest.mark.parametrize(("rows", "cols"), [(3, 3), (3, 4), (4, 4), (3, 5), (5, 5), (8, 3), (8, 8)])
@pytest.mark.rule("HR-3")
def test_hr_3_stashes(rows: int, cols: int) -> None:
    game, twin = load(rows=rows, cols=cols), Oracle(rows=rows, cols=cols)
    stash = game.start().view()["stash"]
    for seat in (0, 1):
        for size, copies in game.layout()["copies"].items():
            assert sum(stash[seat][size].values()) == twin.left_of_size(seat, size)
            assert list(stash[seat][size]) == list(COLOURS[seat])
            assert set(stash[seat][size].values()) == {copies}


@pytest.mark.rule("HR-4", "HR-5")
def test_hr_4_seat_0_begins_and_hr_5_all_placings_are_open() -> None:
    start = begun()
    assert start.to_act == {0}
    assert {str(act) for act in start.legal_actions()} == Oracle(numbers="unseen").legal()
    after = start.apply("S@b2").apply("L@b2").apply("S@b2")
    assert after.to_act == {1}
    assert {str(act) for act in after.legal_actions()} == Oracle(numbers="unseen").legal()
    assert len(start.legal_actions()) == 27


@pytest.mark.rule("HR-6")
def test_hr_6_the_colour_that_is_used() -> None:
    """With most left of that size, the first when equal; a named one as it is named, and acts keep what was named."""
    state = begun()
    for text in ("L@a1", "L@a1", "L:green@a1", "L:purple@a1", "L@a1", "L@a1", "L:black@a1", "L@a1"):
        state = state.apply(text)
        assert state.act == text
    assert [name.partition(":")[2] for name in state.view()["stacks"]["a1"]] == [
        *("red", "purple", "green", "purple", "yellow", "orange", "black", "clear")
    ]


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
