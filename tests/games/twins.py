"""The readable editions as the slow twins of the kernels: what a position of an edition says of itself.

A drawn position is a workshop table: `table_of` begins one, and the `product.py` of each game reads the tokens.
"""

from __future__ import annotations

import functools
import json
from collections import defaultdict
from collections.abc import Hashable, Mapping, Sequence
from importlib import import_module
from typing import Any

from icetable import CHANCE, BadNotation, State
from icetable.core.turns import TurnState
from icetable.workshop import Table, info_of
from icetable.workshop.design import Game as Design
from icetable.workshop.pieces import Piece
from icetable.workshop.playing import ENTRY, WorkshopGame


def edition(name: str, **options: Any) -> WorkshopGame:
    """The readable edition of a game, made once. Raises BadOption."""
    return loaded(name, json.dumps(options))


@functools.cache
def loaded(name: str, options: str) -> WorkshopGame:
    """The readable edition of a game under options in JSON."""
    module = import_module(f"icetable.workshop.editions.{name}")
    (design,) = [one for one in vars(module).values() if isinstance(one, type) and one.__module__ == module.__name__]
    assert issubclass(design, Design)
    game = info_of(design).load(**json.loads(options))
    assert isinstance(game, WorkshopGame)
    return game


class Twin:
    """A position of a readable edition: `apply` gives the next one and leaves this one as it is."""

    def __init__(self, state: TurnState) -> None:
        self.state = state
        self.to_act, self.ended_by, self.winners = state.to_act, state.ended_by, state.winners
        self.scores = state.scores

    @classmethod
    def start(cls, name: str, **options: Any) -> Twin:
        """The readable edition of a game, before the first act."""
        return cls(edition(name, **options).start())

    @classmethod
    def at(cls, game: WorkshopGame, table: Table) -> Twin:
        """A table of an edition, judged as after an act."""
        return cls(TurnState(game, game.position_of(table)))

    @property
    def game(self) -> WorkshopGame:
        """The edition under its options."""
        assert isinstance(self.state.game, WorkshopGame)
        return self.state.game

    @property
    def options(self) -> Mapping[str, Any]:
        """Its options."""
        return self.state.game.options

    @property
    def table(self) -> Table:
        """The table, to look at."""
        table = self.state.position[ENTRY].table
        assert isinstance(table, Table)
        return table

    @property
    def design(self) -> Any:
        """The edition itself, to ask it by its own words."""
        return self.game.design

    def key(self) -> tuple[Hashable, ...]:
        """All that makes up the position."""
        table = self.table
        return key_of(self.state, table.turn, table.stacks, table.pad, {"seat": self.seat, **table.own()})

    @property
    def seat(self) -> int | None:
        """Whose turn it is, where chance is to act in it."""
        return self.table.seat if CHANCE in self.to_act else None

    def legal(self) -> set[str]:
        """The legal acts."""
        return {str(act) for act in self.state.legal_actions()}

    def fault(self, text: str) -> str | None:
        """The rule that refuses a text, "notation" for what is no act, None for a legal act."""
        return verdict(self.state, text)

    def apply(self, text: str) -> Twin:
        """The position after an act. Raises ValueError, with the rule, where the act is not legal."""
        if fault := self.fault(text):
            raise ValueError(f"{text}: {fault}")
        return type(self)(self.state.apply(text))


def verdict(state: State, text: str) -> str | None:
    """The rule that refuses a text, "notation" for what is no act, None for a legal act."""
    try:
        fault = state.fault(text)
    except BadNotation:
        return "notation"
    return fault.rule if fault else None


def key_of(
    state: State,
    turn: int,
    stacks: Mapping[str, Sequence[Piece]],
    pads: Sequence[Sequence[Piece]],
    own: Mapping[str, Any],
) -> tuple[Hashable, ...]:
    """All that makes up a position, as an edition has it: the order of what lies on a pad is of no account."""
    return (
        (tuple(sorted(state.to_act)), state.ended_by, tuple(sorted(state.winners)), turn),
        tuple(sorted((space, tuple(pieces)) for space, pieces in stacks.items() if pieces)),
        tuple(tuple(sorted(map(str, pad))) for pad in pads),
        frozen({"seat": None, **own}),
    )


def frozen(value: Any) -> Hashable:
    """A value as one that compares and hashes."""
    if isinstance(value, Mapping):
        return frozenset((key, frozen(one)) for key, one in value.items())
    if isinstance(value, set | frozenset):
        return frozenset(map(frozen, value))
    return tuple(map(frozen, value)) if isinstance(value, list | tuple) else value


def table_of(game: WorkshopGame, stacks: Mapping[str, Sequence[Piece]], *gone: Piece) -> Table:
    """The table of an edition's start with these stacks in place of its own, less pieces that are gone.

    What stands or is gone comes from the pads. Raises ValueError where it is not there.
    """
    table: Table = game.first_position()[ENTRY].table.copy()
    table.stacks = {}
    for space, pieces in stacks.items():
        for piece in pieces:
            table.put(piece, space)
    for piece in (*gone, *(piece for pieces in stacks.values() for piece in pieces)):
        if not any(table.spend(piece, seat) for seat in range(table.players)):
            raise ValueError(f"there are not so many {piece}")
    return table


def rows_of(game: WorkshopGame) -> list[list[str]]:
    """The spaces as they are drawn, the far row first."""
    rows = defaultdict(list)
    for name, place in game.board.places.items():
        rows[place.y].append(name)
    return [rows[y] for y in sorted(rows, reverse=True)]
