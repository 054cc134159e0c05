"""Hidden pieces: their placeholder in views and effects, and random worlds that look the same to a seat."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from icetable.core.errors import GameError
from icetable.core.game import Effect
from icetable.core.options import short_repr
from icetable.workshop.equipment import Piece, Pyramid, Token
from icetable.workshop.vocabulary import kind_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy as np

    from icetable.workshop.design import Game
    from icetable.workshop.table import Table

Spot = tuple[str | int, int]
"""A piece by its space, the seat of its pad or the name of a secret list, and its index from the bottom."""

HIDDEN = Token("hidden", "grey")
"""The placeholder of a hidden piece."""
MAX_TRIES = 50


def hidden_from(seat: int | None, design: Game, table: Table) -> frozenset[Spot]:
    """The pieces on spaces and pads that a seat, or a watcher (None), does not see. Raises GameError."""
    found: set[Spot] = set()
    stacks = table.stacks
    places = design.hides(table, seat)
    if not isinstance(places, Iterable):
        raise GameError(f"it returns a list of spaces and seats, not {short_repr(places)}")
    for hidden in places:
        place, number = hidden if isinstance(hidden, tuple) else (hidden, None)
        pieces: Sequence[Any] | None = stacks.get(place)
        if pieces is None:
            if not (place in table.seats if isinstance(place, int) else place in table.board.places):
                raise GameError(f"hides returns spaces and seats, not {short_repr(place)}")
            pieces = _pieces_at(table, place)
        if number is None:
            found.update((place, at) for at in range(len(pieces)))
        elif 0 <= number < len(pieces):
            found.add((place, number))
        else:
            raise GameError(f"hides returns piece {short_repr(number)} of {place}, where there are {len(pieces)}")
    return frozenset(found)


def shown_effects(
    before: Table, after: Table, unseen_before: frozenset[Spot], unseen_after: frozenset[Spot]
) -> tuple[Effect, ...]:
    """The public effects of the last act: a piece that is hidden before or after it is not named, unless it is visible
    at a space of the effect.
    """
    if not after._effects or not (unseen_before or unseen_after):
        return after.recorded()
    tables = (before, unseen_before), (after, unseen_after)

    def is_hidden(name: str) -> bool:
        return any(
            after.text_of(_pieces_at(table, place)[at]) == name for table, unseen in tables for place, at in unseen
        )

    def is_visible(name: str, space: str) -> bool:
        return any(
            (pieces := table.stack(space))
            and table.text_of(pieces[-1]) == name
            and (space, len(pieces) - 1) not in unseen
            for table, unseen in tables
        )

    def shown(effect: Effect) -> Effect:
        value = str(effect.value)
        if any(is_visible(value, space) for space in effect.spaces):
            return effect
        seat, mark, name = ("", "", value) if is_hidden(value) else value.partition(":")
        if not is_hidden(name) or any(is_visible(name, space) for space in effect.spaces):
            return effect
        return Effect(effect.kind, effect.spaces, f"{seat}{mark}{HIDDEN}")

    return tuple(map(shown, after.recorded()))


def concealed(table: Table, unseen: frozenset[Spot]) -> Table:
    """A table with HIDDEN in place of each piece that its reader does not see."""
    return _replaced(table, dict.fromkeys(unseen, HIDDEN)) if unseen else table


def shuffled(design: Game, table: Table, seat: int, rng: np.random.Generator) -> Table:
    """A table that looks the same to a seat, with the pieces that it does not see in random order."""
    unseen = hidden_from(seat, design, table)
    spots = sorted(unseen, key=repr) + [
        (name, at) for name in sorted(table.own()) for at in range(len(_pieces_at(table, name))) if name.startswith("_")
    ]
    pieces = [_pieces_at(table, place)[at] for place, at in spots]
    shuffled_table = table
    for _ in range(MAX_TRIES):
        order = rng.permutation(len(spots)).tolist()
        shuffled_table = _replaced(table, dict(zip(spots, map(pieces.__getitem__, order), strict=True)))
        if hidden_from(seat, design, shuffled_table) == unseen:
            break
    return shuffled_table


def renamed(choices: Iterable[str], before: Sequence[Piece], after: Sequence[Piece]) -> tuple[str, ...]:
    """The choices of a seat whose pad has other pieces than before: each that names one now names what it became."""
    found: dict[str, None] = {}
    for choice in choices:
        words = re.split(r"(\w+)", choice)
        became = [
            (kind_of(one), kind_of(other)) for one, other in zip(before, after, strict=True) if kind_of(one) in words
        ]
        for old, new in became or [("", "")]:
            found["".join(new if word == old else word for word in words)] = None
    return tuple(found)


def _pieces_at(table: Table, place: str | int) -> Sequence[Any]:
    """The pieces at a place, or in a value of the game's own that is a list or a tuple of pieces."""
    if isinstance(place, int):
        return table.pad[place]
    if place in table.board.places:
        return table.stack(place)
    value = getattr(table, place)
    is_secret_list = isinstance(value, list | tuple) and all(isinstance(item, Pyramid | Token) for item in value)
    return value if is_secret_list else ()


def _replaced(table: Table, pieces: Mapping[Spot, Piece]) -> Table:
    """A copy of a table with other pieces at these spots."""
    copy = table.twin()
    places: dict[str | int, list[Any]] = {}
    for (place, at), piece in pieces.items():
        if place not in places:
            places[place] = list(_pieces_at(table, place))
        places[place][at] = piece
    for place, changed in places.items():
        if isinstance(place, int):
            copy.pad[place] = changed
        elif place in table.board.places:
            copy.stacks[place] = tuple(changed)
        else:
            setattr(copy, place, type(getattr(table, place))(changed))
    return copy
