"""The edition's position and the product's state of it: what one is asked is asked of both."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any, Protocol, Self

from icetable import Effect, Game, State
from tests.games.twins import Twin, verdict

OF_THE_ACT = {"moves", "swaps", "captain", "formation", "places"}
"""Effects that only say which act was made."""


class Adapter(Protocol):
    """What a game's `product.py` says of edition and product."""

    def start(self, **options: Any) -> Twin:
        """The edition before the first act."""

    def drawn(self, drawing: str, **settings: Any) -> Twin:
        """The edition's position that is drawn."""

    def game_of(self, position: Twin) -> Game:
        """The product's game under an edition's options."""

    def state_of(self, position: Twin) -> State:
        """The product's state of an edition's position."""

    def key(self, state: State) -> tuple[object, ...]:
        """What `Twin.key` gives, told by the product."""

    def effects(self, before: Twin, act: str, after: Twin) -> Collection[tuple[Effect, ...]]:
        """What the edition says that an act caused, in the words of the product; all ways, where there are several."""


@dataclass(frozen=True)
class Pair:
    """A position of the edition and the product's state of it: what one is asked is asked of both."""

    adapter: Adapter
    position: Twin
    state: State

    @classmethod
    def of(cls, adapter: Any, position: Twin) -> Self:
        """A position of the edition, and the state that is set up like it."""
        return cls(adapter, position, adapter.state_of(position))

    @classmethod
    def start(cls, adapter: Any, **options: Any) -> Self:
        """The edition before the first act, and the product as it starts by itself."""
        position = adapter.start(**options)
        return cls(adapter, position, adapter.game_of(position).start())

    @classmethod
    def begin(cls, adapter: Any, drawing: str | None, **settings: Any) -> Self:
        """The pair with which a story begins: as it is drawn, else at the start."""
        return (
            cls.start(adapter, **settings) if drawing is None else cls.of(adapter, adapter.drawn(drawing, **settings))
        )

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
        return self.position.table.stacks if name == "stacks" else self.state.view()[name]

    @property
    def effects(self) -> list[str]:
        """What the last act caused, but for what only says which act was made."""
        return [str(effect) for effect in self.state.effects if effect.kind not in OF_THE_ACT]

    def assert_agreed(self, texts: Iterable[str], most: int = 1000) -> None:
        """Whatever could be done here: which rule refuses it, or where it leads; of the legal acts `most` or so."""
        legal = self.legal()
        assert {text for text in texts if self.fault(text) is None} <= legal
        for text in sorted(legal)[:: 1 + len(legal) // most]:
            assert self.fault(text) is None
            self.apply(text)
