"""The drawings of the rules for players are true: each is put on a board and tried."""

from __future__ import annotations

import re

import pytest

from icetable.core.turns import TurnState
from icetable.games import info
from icetable.games.highrise.game import COLOURS
from icetable.games.highrise.rules import NUMBERS, show_numbers
from tests.games.boards import drawings

from .drawings import drawn, hidden, load, seen, squares, stash

BOARD = re.compile(r"The board of (\d) rows and (\d) columns\.")
PLAY = re.compile(r"Seat (\d) plays ([SML](?::\w+)?@\w+)\.")
HIDDEN = "Hidden pyramids are marked."
COUNT = re.compile(r"With (\d+) these towers bring seat 0 (\d+) points and seat 1 (\d+)\.")


def check(head: str, *pictures: str) -> str:
    """Try what a drawing says, and tell what kind it is."""
    if found := BOARD.fullmatch(head):
        (picture,) = pictures
        rows = [line.split() for line in reversed(picture.splitlines())]
        assert tuple(name for row in rows for name in row) == squares(int(found[1]), int(found[2]))
        return "board"
    if found := PLAY.fullmatch(head):
        before, after = (drawn(picture) for picture in pictures)
        assert before.to_act == {int(found[1])}
        assert before.apply(found[2]).key() == after.key()
        return "play"
    (picture,) = pictures
    state = drawn(picture).state
    if head == HIDDEN:
        shown = {square: [name is None for name in tower] for square, tower in seen(state).items()}
        assert shown == hidden(picture)
        return "hidden"
    found = COUNT.fullmatch(head)
    assert found is not None, f"the test does not understand {head!r}"
    assert scores(state, found[1]) == (int(found[2]), int(found[3]))
    return "count"


def scores(state: TurnState, numbers: str) -> tuple[int, ...]:
    """The scores with these numbers under the towers, though there is more to place."""
    words = state.position.copy()
    words[NUMBERS : NUMBERS + len(numbers)] = [int(number) for number in numbers]
    show_numbers(words)
    return TurnState(state.game, words).scores


def test_every_drawing_is_true() -> None:
    kinds = [check(*drawing) for drawing in drawings("highrise")]
    assert kinds.count("board") == 2
    assert kinds.count("play") >= 2
    assert kinds.count("hidden") >= 1
    assert kinds.count("count") >= 1


def test_the_checks_can_fail() -> None:
    empty = ".  .  .\n.  .  .\n.  .  ."
    with pytest.raises(AssertionError):
        check("Seat 1 plays L@b2.", empty, empty)
    with pytest.raises(AssertionError):
        check("Seat 0 plays L@b2.", empty, empty)
    with pytest.raises(AssertionError):
        check("With 352164135 these towers bring seat 0 1 points and seat 1 0.", empty)
    with pytest.raises(AssertionError):
        check("Seat 0 jumps about.", empty)


def test_statements_of_the_text() -> None:
    """HR-3, HR-6, and the deals of the last section."""
    text = " ".join(info("highrise").rules().split())
    left = [sum(colours.values()) for colours in stash(load().start())[0].values()]
    assert "{} small, {} medium and {} large pyramids".format(*left) in text
    for player, colours in zip(("Rainbow", "Xeno"), COLOURS, strict=True):
        assert f"{player} has {', '.join(colours[:-1])} and {colours[-1]}" in text
    game = load(values=[10, 20, 0, 0, 0, 0, 0, 0, 5])
    for deal, one in (("deal:352164135", load()), ("deal:10,20,0,0,0,0,0,0,5", game)):
        assert f"`{deal}`" in text
        assert one.code(deal) is not None
