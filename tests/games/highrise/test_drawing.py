"""The drawing for terminals tells the whole view, and tells it without colours."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

from icetable import State

from .product import load

SEAT = re.compile(r"([> ]) seat (\d)  score (\d+)")
STASH = re.compile(r"    (\d+) ([SML])(?:: (.*))?")
UNDER = re.compile(r"^Under the towers lie ([\d\s]+)\.$", re.MULTILINE)
RESULT = re.compile(r"number (\d+), pips (\d+)-(\d+): (?:nobody scores|seat (\d) scores (\d+))\.")

BOARDS: tuple[dict[str, Any], ...] = (
    {},
    {"rows": 4, "cols": 5},
    {"memory": "off"},
    {"rows": 8, "cols": 8},
    {"values": [1000] * 9},
)


def read(drawing: str) -> dict[str, Any]:
    """What a drawing tells, in the words of a view."""
    assert all(len(line) <= 78 for line in drawing.splitlines())
    parts = drawing.split("\n\n")
    board, rest, towers = parts[0].splitlines(), parts[-1].splitlines(), parts[1:-1]
    letters = board.pop()
    cells: dict[str, str] = {}
    for row in board:
        for letter in letters.split():
            column = letters.index(letter) - 1
            cells[f"{letter}{row[0]}"] = row.ljust(80)[column : column + 8].strip()
    told: dict[str, Any] = {
        "tops": {square: cell.strip("[]") for square, cell in cells.items() if cell.strip("[]") != "."},
        "touched": {square for square, cell in cells.items() if cell[0] == "["},
        "stacks": {},
        "account": {},
        "to_act": [],
        "scores": [],
        "stash": [],
        "turn": int(rest.pop().removeprefix("Turns played: ")),
        "numbers": None,
    }
    if numbers := UNDER.search("\n".join(rest)):
        told["numbers"] = [int(number) for number in numbers[1].split()]
        rest = rest[: -len(numbers[0].splitlines())]
    for line in re.sub(r"\n    ", " ", towers[0]).splitlines() if towers else []:
        square, words = line[:2], line[4:]
        if found := RESULT.match(words):
            number, one, other, seat, points = found.groups()
            told["account"][square] = {
                "number": int(number),
                "pips": [int(one), int(other)],
                "owner": None if seat is None else int(seat),
                "points": int(points or 0),
            }
            words = words[found.end() :]
        if words.split():
            told["stacks"][square] = [None if name == "?" else name for name in words.split()]
    for line in rest:
        if seats := SEAT.fullmatch(line):
            told["to_act"] += [int(seats[2])] if seats[1] == ">" else []
            told["scores"].append(int(seats[3]))
            told["stash"].append({})
        else:
            stash = STASH.fullmatch(line)
            assert stash is not None, line
            colours = [part.split() for part in stash[3].split(", ")] if stash[3] else []
            assert int(stash[1]) == sum(int(count) for count, _ in colours)
            told["stash"][-1][stash[2]] = {colour: int(count) for count, colour in colours}
    return told


def positions(**options: Any) -> list[State]:
    """States of a random game."""
    game = load(**options)
    rng = np.random.default_rng(1)
    state: State = game.start()
    while not state.is_terminal:
        state = state.apply(game.random_act(state, rng))
    history = list(state.history())
    return [*history[::7], *history[-3:]]


@pytest.mark.parametrize("options", BOARDS, ids=str)
def test_it_tells_the_whole_view(options: dict[str, Any]) -> None:
    for state in positions(**options):
        view = state.view()
        touched = {space for effect in state.effects for space in effect.spaces}
        told = read(state.game.draw(view, touched))
        assert told["stacks"] == view["stacks"]
        assert told["account"] == (view["account"] or {})
        assert told["to_act"] == [seat for seat in view["to_act"] if seat >= 0]
        assert told["scores"] == view["scores"]
        assert told["turn"] == view["turn"]
        assert told["numbers"] == view["numbers"]
        assert told["touched"] == touched
        assert told["stash"] == [
            {size: {colour: left for colour, left in by_colour.items() if left} for size, by_colour in stash.items()}
            for stash in view["stash"]
        ]
        assert told["tops"] == {
            square: tower[-1][:2] + (f"+{len(tower) - 1}" if len(tower) > 1 else "")
            for square, tower in view["stacks"].items()
        }
