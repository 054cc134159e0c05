"""The drawings in the rules for players are true: each says in its first line what it shows, and is tried."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

import pytest

from tests.games.boards import drawings

from .drawings import PLACES, SHEET, drawn, start, tokens

PLAYERS = {"two": 2, "three": 3, "four": 4}
BOARD = re.compile(r"The board for (two|three|four) players\.")
GAME = re.compile(r"(?:(Three|Four) players\. )?(?:With (leap|tilted)\. )?(.*)")
FAN = re.compile(r"Seat (\d) (?:has rolled (\S+) and takes|moves from) (\w\d)\.")
PLAY = re.compile(r"Seat (\d) plays (\S+)\. (Heads|Tails) before, (heads|tails) after\.")
OPTIONS: dict[str | None, dict[str, Any]] = {"leap": {"leap": True}, "tilted": {"rectangles": "tilted"}, None: {}}


def check(head: str, *pictures: str) -> str:
    """Try what a drawing says, and tell what kind it is."""
    if board := BOARD.fullmatch(head):
        position = start(players=PLAYERS[board[1]])
        assert tokens(drawn(pictures[0], players=PLAYERS[board[1]])) == tokens(position)
        return "board"
    found = GAME.fullmatch(head)
    assert found is not None
    players, option, rest = found.groups()
    options: dict[str, Any] = {"players": PLAYERS[players.lower()] if players else 2, **OPTIONS[option]}
    if fan := FAN.fullmatch(rest):
        check_fan(options, *fan.groups(), *pictures)
        return "fan"
    play = PLAY.fullmatch(rest)
    assert play is not None, f"the test does not understand {head!r}"
    check_play(options, *play.groups(), *pictures)
    return "play"


def check_fan(options: dict[str, Any], seat: str, roll: str | None, square: str, picture: str) -> None:
    """The marked squares are where the pyramid may go, no more and no less."""
    state = drawn(picture, seat=int(seat), roll=roll or "wild", **options).state
    prefix = f"~{square}-" if roll else f"{square}-"
    legal = state.legal_actions()
    assert {place for place in PLACES if prefix + place in legal} == SHEET.marked(picture)


def check_play(
    options: dict[str, Any], seat: str, act: str, coin: str, coin_after: str, before: str, after: str
) -> None:
    """The act leads from one drawing to the other, and turns the coin."""
    done = drawn(before, seat=int(seat), roll="wild", coin=coin.lower(), **options).apply(act)
    assert tokens(done) == {place: token for place, token in SHEET.read(after).items() if token != "."}
    assert done.table.coin == coin_after


def test_every_drawing_is_true() -> None:
    """WT-3, WT-6, WT-7, WT-14 and WT-16."""
    kinds = Counter(check(*drawing) for drawing in drawings("wrecktangle"))
    assert kinds["board"] == 2
    assert kinds["fan"] >= 4
    assert kinds["play"] >= 5


def test_the_checks_can_fail() -> None:
    _, picture = next(found for found in drawings("wrecktangle") if found[0] == "Seat 0 moves from d4.")
    with pytest.raises(AssertionError):
        check("With leap. Seat 0 moves from d4.", picture)
    with pytest.raises(AssertionError):
        check("Seat 0 moves about.", picture)
    head, before, after = next(found for found in drawings("wrecktangle") if "Heads before" in found[0])
    with pytest.raises(AssertionError):
        check(head.replace("tails after", "heads after"), before, after)
    with pytest.raises(AssertionError):
        check(head, before, before)
