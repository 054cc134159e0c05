"""The notation of acts of Icehouse, and their codes in the kernel."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, get_args

from icetable.core.errors import BadNotation
from icetable.core.options import short_repr
from icetable.games.icehouse.rules import (
    BELL,
    CAPTURE,
    GIVE,
    ICEHOUSE,
    LIFT,
    MELTDOWN,
    POINT,
    READY,
    RETURN,
    SIZES,
    STAND,
    act_of,
    first_of,
    place_of,
    placement_of,
    second_of,
    third_of,
    verb_of,
)
from icetable.games.icehouse.view import Size

if TYPE_CHECKING:
    from collections.abc import Sequence

SIZE_LETTERS: tuple[Size, ...] = get_args(Size)
WORDS = {"ready": READY, "return": RETURN, "icehouse": ICEHOUSE, "bell": BELL}
STANCES = {"stand": STAND, "point": POINT}
NUMBER = "(0|-?[1-9][0-9]*)"
PIECE = "([SML])(?::([a-z]+))?"
LIFT_FORM = re.compile(f"lift {PIECE}")
PLACE_FORM = re.compile(rf"place {NUMBER},{NUMBER} (stand|point) (0|[1-9][0-9]*)\.([0-9])")
MELTDOWN_FORM = re.compile("meltdown ([a-z]+)")
CAPTURE_FORM = re.compile("capture p([1-9][0-9]*)")
GIVE_FORM = re.compile(f"give {PIECE} ([a-z]+)")
MAX_COORDINATE = 500_000
"""In thousandths of an inch. Anything farther is off every field, so coordinates are clamped to it."""
MAX_ID = 1 << 30
MAX_DIGITS = 12
"""Digits of a number that are read; longer numbers are beyond all bounds anyway."""

EXAMPLES = (
    "acts look like ready, lift L, lift L:blue, return, place 12000,8500 stand 45.0, place 12000,8500 point 270.0, "
    "icehouse, meltdown blue, capture p17, give L:red green, or bell"
)


def is_placement(text: str) -> bool:
    """Whether an act, if it is one, places a piece."""
    return text.startswith("place ")


def read(text: object, colours: Sequence[str], seat: int) -> int:
    """The code of an act of a seat. Raises BadNotation.

    `colours`: those of the game, by seat. A piece without a colour has the seat's own.
    """
    if not isinstance(text, str):
        raise bad(text)
    return _read(text, tuple(colours), seat)


@lru_cache(1 << 12)
def _read(text: str, colours: tuple[str, ...], seat: int) -> int:
    if text in WORDS:
        return act_of(WORDS[text], 0, 0, 0)
    if form := PLACE_FORM.fullmatch(text):
        heading = int(form[4] + form[5]) if len(form[4]) < 4 else 3600
        if heading >= 3600:
            raise BadNotation(f"{short_repr(text)} is no act; headings go from 0.0 to 359.9 (IH-5)")
        x, y = (max(-MAX_COORDINATE, min(_number(digits), MAX_COORDINATE)) for digits in (form[1], form[2]))
        return placement_of(STANCES[form[3]], x, y, heading)
    if form := LIFT_FORM.fullmatch(text):
        return act_of(LIFT, *_piece(form[1], form[2], colours, seat, text), 0)
    if form := GIVE_FORM.fullmatch(text):
        return act_of(GIVE, *_piece(form[1], form[2], colours, seat, text), _colour(form[3], colours, text))
    if form := CAPTURE_FORM.fullmatch(text):
        return act_of(CAPTURE, min(_number(form[1]), MAX_ID), 0, 0)
    if form := MELTDOWN_FORM.fullmatch(text):
        return act_of(MELTDOWN, 0, _colour(form[1], colours, text), 0)
    raise bad(text)


def bad(text: object) -> BadNotation:
    """The error for a text that is no act."""
    return BadNotation(f"{short_repr(text)} is no act; {EXAMPLES}")


def _number(digits: str) -> int:
    return int(digits[:MAX_DIGITS])


def _piece(letter: str, colour: str | None, colours: Sequence[str], seat: int, text: str) -> tuple[int, int]:
    return SIZE_LETTERS.index(letter), seat if colour is None else _colour(colour, colours, text)


def _colour(name: str, colours: Sequence[str], text: str) -> int:
    if name not in colours:
        raise BadNotation(f"{short_repr(text)} names no colour of this game; there are {', '.join(colours)}")
    return colours.index(name)


def kind_name(kind: int, colours: Sequence[str]) -> str:
    """The name of a kind of pyramid, such as "L:red"."""
    return f"{SIZE_LETTERS[int(kind) % SIZES]}:{colours[int(kind) // SIZES]}"


def write_placement(act: int) -> str:
    """A placement in notation."""
    x, y, heading = place_of(act)
    stance = "stand" if verb_of(act) == STAND else "point"
    return f"place {x},{y} {stance} {heading // 10}.{heading % 10}"


def write(act: int, colours: Sequence[str]) -> str:
    """An act in notation, with all colours: the inverse of `read`."""
    verb, colour = int(verb_of(act)), int(second_of(act))
    if verb in (STAND, POINT):
        return write_placement(act)
    if verb == CAPTURE:
        return f"capture p{first_of(act)}"
    if verb == MELTDOWN:
        return f"meltdown {colours[colour]}"
    if verb in (LIFT, GIVE):
        piece = kind_name(colour * SIZES + int(first_of(act)), colours)
        return f"lift {piece}" if verb == LIFT else f"give {piece} {colours[int(third_of(act))]}"
    return next(word for word, number in WORDS.items() if number == verb)


def shortened(text: str, colours: Sequence[str], seat: int) -> str:
    """An act as in logs: without the colour of a piece of the seat's own."""
    if text.startswith(("lift ", "give ")) and 0 <= seat < len(colours):
        verb, piece, *rest = text.split(" ")
        return " ".join([verb, piece.removesuffix(f":{colours[seat]}"), *rest])
    return text
