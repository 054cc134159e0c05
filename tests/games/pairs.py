"""A position of a game with a kernel, by its kernel and by its class alone: what one is asked is asked of both."""

from __future__ import annotations

import functools
import json
from collections.abc import Hashable, Iterable, Mapping
from typing import Any, Self

from icetable import BadNotation, State
from icetable.core.turns import TurnState
from icetable.games import info
from icetable.workshop.checking import described, kernel_differences
from icetable.workshop.compiled import CompiledGame
from icetable.workshop.playing import PlainGame
from icetable.workshop.saving import to_json
from icetable.workshop.table import Table

OF_THE_ACT = {"moves", "swaps", "captain", "formation", "places"}
"""Effects that only say which act was made."""


def both(name: str, **options: Any) -> tuple[CompiledGame, PlainGame]:
    """A game by its kernel, and by its class alone. Raises BadOption."""
    return _both(name, json.dumps(options))


@functools.cache
def _both(name: str, options: str) -> tuple[CompiledGame, PlainGame]:
    game = info(name).load(**json.loads(options))
    assert isinstance(game, CompiledGame)
    return game, PlainGame(game.info, dict(game.options), game.design)


def class_alone(game: Any) -> Any:
    """The game of a class without its kernel."""
    return both(game.info.name, **game.options)[1]


class Pair:
    """The states of the kernel and of the class alone at one position; they must say the same."""

    def __init__(self, state: TurnState, plain: TurnState) -> None:
        self.state, self.plain = state, plain
        assert isinstance(state.game, CompiledGame)
        assert isinstance(plain.game, PlainGame)
        self.game = state.game
        self.table: Table = plain.game.table_of(plain.array)
        differ = list(kernel_differences(state, plain))
        assert not differ, "\n".join([f"after {state.act}", *differ])

    @classmethod
    def start(cls, name: str, **options: Any) -> Self:
        """The position before the first act."""
        compiled, plain = both(name, **options)
        return cls(compiled.start(), plain.start())

    @classmethod
    def at(cls, name: str, table: Table, **options: Any) -> Self:
        """A table, judged as after an act."""
        compiled, plain = both(name, **options)
        return cls(TurnState(compiled, compiled.position_of(table)), TurnState(plain, plain.position_of(table)))

    @property
    def position(self) -> Self:
        """This pair, of which stories ask."""
        return self

    @property
    def options(self) -> Mapping[str, Any]:
        return self.game.options

    @property
    def to_act(self) -> frozenset[int]:
        return self.state.to_act

    @property
    def winners(self) -> frozenset[int]:
        return self.state.winners

    @property
    def scores(self) -> tuple[int, ...]:
        return self.state.scores

    @property
    def ended_by(self) -> str | None:
        return self.state.ended_by

    @property
    def effects(self) -> list[str]:
        """The effects of the last act, except for those that only say which act was made."""
        return [str(effect) for effect in self.state.effects if effect.kind not in OF_THE_ACT]

    def key(self) -> Hashable:
        """All that makes up the position."""
        return json.dumps(described(self.plain))

    def legal(self) -> set[str]:
        """The legal acts."""
        return set(map(str, self.plain.legal_actions()))

    def fault(self, text: str) -> str | None:
        """The rule that refuses a text, "notation" for what is no act, None for a legal act."""
        by_kernel, by_class = verdict(self.state, text), verdict(self.plain, text)
        assert by_kernel == by_class, text
        return by_kernel

    def apply(self, text: str) -> Self:
        """The position after an act. Raises ValueError, with the rule, if it is not legal."""
        if rule := self.fault(text):
            raise ValueError(f"{text}: {rule}")
        after = type(self)(self.state.apply(text), self.plain.apply(text))
        by_kernel, by_class = list(map(str, after.state.effects)), list(map(str, after.plain.effects))
        assert by_kernel == by_class, text
        return after

    def entry(self, name: str) -> Any:
        """The pieces on the board, or a value of the game's own."""
        return self.table.stacks if name == "stacks" else to_json(getattr(self.table, name), name)

    def acts(self, text: str) -> list[str]:
        """Several acts that are written in a row."""
        return text.split()

    def assert_agreed(self, texts: Iterable[str], most: int = 1000) -> None:
        """The same rule refuses each text; of the legal acts, about `most` lead to the same position."""
        legal = self.legal()
        assert {text for text in texts if self.fault(text) is None} <= legal
        for text in sorted(legal)[:: 1 + len(legal) // most]:
            assert self.fault(text) is None
            self.apply(text)


def verdict(state: State, text: str) -> str | None:
    """The rule that refuses a text, "notation" for what is no act, None for a legal act."""
    try:
        fault = state.fault(text)
    except BadNotation:
        return "notation"
    return fault.rule if fault else None


def table_with(game: CompiledGame, stacks: Mapping[str, Iterable[Any]], *gone: Any) -> Table:
    """The table of a game's start with these stacks in place of its own, less pieces that are gone.

    What stands or is gone comes from the pads. Raises ValueError if it is not there.
    """
    table = game.first_table.copy()
    table.stacks = {space: tuple(pieces) for space, pieces in stacks.items() if pieces}
    for piece in (*gone, *(piece for pieces in table.stacks.values() for piece in pieces)):
        owner = next((seat for seat in table.seats if piece in table.pad[seat]), None)
        if owner is None:
            raise ValueError(f"there are not so many {table.text_of(piece)}")
        table.spend(piece, owner)
    return table


def rows_of(game: CompiledGame) -> list[list[str]]:
    """The spaces as they are drawn, the far row first."""
    rows: dict[float, list[str]] = {}
    for name, place in game.board.places.items():
        rows.setdefault(place.y, []).append(name)
    return [rows[y] for y in sorted(rows, reverse=True)]
