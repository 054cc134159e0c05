"""The drawings of the rules for players are true: each is put on a board and tried."""

from __future__ import annotations

import re

import pytest

import icetable
from icetable.games import info
from icetable.games.squad.game import SIZES
from tests.games.boards import drawings

from .drawings import drawn, sheet, squares, start, tokens

KINDS = {"captain": "C", "freshman": "F", "sophomore": "S", "junior": "J"}
BOARD = re.compile(r"The board of (4|6)\.")
FAN = re.compile(r"Seat (\d) may place a (captain|freshman|sophomore|junior) on every x\.")
PLAY = re.compile(r"Seat (\d) plays ([CFSJ]@\w+)\.")


def check(head: str, *pictures: str) -> str:
    """Try what a drawing says, and tell what kind it is."""
    if found := BOARD.fullmatch(head):
        (picture,) = pictures
        rows = [line.split() for line in reversed(picture.splitlines())]
        assert [name for row in rows for name in row] == list(squares(int(found[1])))
        return "board"
    if found := FAN.fullmatch(head):
        (picture,) = pictures
        state = drawn(picture, seat=int(found[1])).state
        assert state.to_act == {int(found[1])}
        kind = KINDS[found[2]]
        assert {str(act)[2:] for act in state.legal_actions() if act[0] == kind} == sheet(4).marked(picture)
        return "fan"
    found = PLAY.fullmatch(head)
    assert found is not None, f"the test does not understand {head!r}"
    before, after = pictures
    position = drawn(before, seat=int(found[1]))
    assert position.to_act == {int(found[1])}
    expected = {square: token for square, token in sheet(4).read(after).items() if token != "."}
    assert expected == tokens(position.apply(found[2]))
    return "play"


def test_every_drawing_is_true() -> None:
    kinds = [check(*drawing) for drawing in drawings("squad")]
    assert kinds.count("board") == 2
    assert kinds.count("fan") >= 4
    assert kinds.count("play") >= 6


def test_the_checks_can_fail() -> None:
    empty = "\n".join(["0C1 .   .   ."] * 1 + [".   .   .   ."] * 3)
    with pytest.raises(AssertionError):
        check("Seat 1 may place a captain on every x.", empty)
    with pytest.raises(AssertionError):
        check("Seat 0 jumps about.", empty)


def test_statements_of_the_rulings() -> None:
    """SQ-2: the best scores alone; kernel and class start alike."""
    from icetable.games.squad.solve import solve

    text = " ".join(info("squad").rules().split())
    best = {trios: solve(icetable.load("squad", players=1, trios=trios)).worth for trios in (2, 3)}
    assert f"With two of each nobody can score more than {best[2]} alone; with three, up to {best[3]}." in text
    for players in (1, 2, 3, 4):
        assert start(players=players).entry("supply")[0] == dict.fromkeys(SIZES, 2 if players == 2 else 3)
