"""The oracle's position and the product's state of it: what one is asked is asked of both."""

from __future__ import annotations

import copy
import functools
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any, Protocol, Self

from icetable import BadNotation, Effect, Game, State

OF_THE_ACT = {"moves", "swaps", "captain", "formation", "places"}
"""Effects that only say which act was made."""


class Adapter(Protocol):
    """What a game's `product.py` says of oracle and product."""

    def game_of(self, position: Any) -> Game:
        """The product's game under an oracle's options."""

    def state_of(self, position: Any) -> State:
        """The product's state of an oracle's position."""

    def key(self, state: State) -> tuple[object, ...]:
        """What `Oracle.key` gives, told by the product."""

    def effects(self, before: Any, act: str, after: Any) -> Collection[tuple[Effect, ...]]:
        """What the oracle says that an act caused, in the words of the product; all ways, where there are several."""


@dataclass(frozen=True)
class Pair:
    """A position of the oracle and the product's state of it: what one is asked is asked of both."""

    adapter: Adapter
    position: Any
    state: State

    @classmethod
    def of(cls, adapter: Any, position: Any) -> Self:
        """A position of the oracle, and the state that is set up like it."""
        return cls(adapter, position, adapter.state_of(position))

    @classmethod
    def at_start(cls, adapter: Any, position: Any) -> Self:
        """The oracle before the first act, and the product as it starts by itself."""
        return cls(adapter, position, adapter.game_of(position).start())

    def __post_init__(self) -> None:
        assert self.adapter.key(self.state) == self.position.key()
        assert self.state.scores == self.position.scores

    def legal(self) -> set[str]:
        """The legal acts."""
        legal: set[str] = self.position.legal()
        assert {str(act) for act in self.state.legal_actions()} == legal if legal else not self.state.legal_actions()
        return legal

    def fault(self, text: str) -> str | None:
        """The rule that refuses an act."""
        rule: str | None = self.position.fault(text)
        assert verdict(self.state, text) == rule, text
        return rule

    def apply(self, text: str) -> Self:
        """The pair after an act, with all that it caused."""
        after, state = self.position.apply(text), self.state.apply(text)
        assert state.effects in self.adapter.effects(self.position, text, after), text
        return type(self)(self.adapter, after, state)

    def acts(self, text: str) -> list[str]:
        """Several acts that are written in a row."""
        return text.split()

    def entry(self, name: str) -> Any:
        """An entry of the view."""
        return self.state.view()[name]

    @property
    def effects(self) -> list[str]:
        """What the last act caused, but for what only says which act was made."""
        return [str(effect) for effect in self.state.effects if effect.kind not in OF_THE_ACT]

    def assert_agreed(self, texts: Iterable[str]) -> None:
        """Whatever could be done here: which rule refuses it, or where it leads."""
        legal = self.legal()
        asked = type(self)(self.adapter, patient(self.position), self.state)
        assert {text for text in texts if asked.fault(text) is None} <= legal
        for text in sorted(legal):
            assert asked.fault(text) is None
            asked.apply(text)


def patient(position: Any) -> Any:
    """An oracle that answers many questions about one position: it works out each answer only once."""
    twin = copy.copy(position)
    for name in ("legal", "paths"):
        if hasattr(position, name):
            setattr(twin, name, functools.cache(getattr(position, name)))
    twin.apply = position.apply
    return twin


def verdict(state: State, text: str) -> str | None:
    """What the product says, as `Oracle.fault` does."""
    try:
        fault = state.fault(text)
    except BadNotation:
        return "notation"
    return fault.rule if fault else None
