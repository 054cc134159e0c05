"""What games and states have in common: they never change, and a part of what they can do is promised."""

from __future__ import annotations

import json
from abc import abstractmethod
from collections.abc import Hashable
from typing import Any, ClassVar, TypeVar

T = TypeVar("T")

GAME: tuple[str, ...] = (
    *("info", "options", "players"),
    *("start", "parse", "random_act", "random_game", "perft", "from_json", "replay"),
    *("layout", "draw", "svg", "pieces", "shows_history", "tie_points", "rating", "draw_timer"),
)
STATE: tuple[str, ...] = (
    *("game", "parent", "act", "seat", "at", "history", "without_history"),
    *("to_act", "is_terminal", "winners", "scores", "ended_by", "effects"),
    *("legal_actions", "sample_placements", "chance_outcomes", "fault", "apply"),
    *("view", "draw", "svg", "to_json", "record", "next_change", "deadlines", "as_of"),
)


class Value:
    """Something that never changes: its copies are it. Completion shows its `PROMISED` names, which stay.

    >>> import icetable
    >>> [name for name in dir(icetable.load("squad")) if name.startswith("p")]
    ['parse', 'perft', 'pieces', 'players']
    """

    __slots__ = ()

    PROMISED: ClassVar[tuple[str, ...]] = ()

    def __dir__(self) -> list[str]:
        return [name for name in object.__dir__(self) if name.startswith("_") or name in self.PROMISED]

    def __copy__(self: T) -> T:
        return self

    def __deepcopy__(self: T, _memo: object) -> T:
        return self


class ComparedByWords(Value):
    """A position of a game: equal ones say the same, which words of them may show sooner."""

    __slots__ = ()

    _game: Any

    @abstractmethod
    def _position(self) -> Any:
        """The position, JSON-able and exact. Equal positions have equal descriptions."""

    def _words(self) -> Hashable:
        """What is alike in equal positions of a game, and different in most others."""
        return json.dumps(self._position())

    def _same(self, _other: Any) -> bool:
        """Whether a position of the same game with the same `_words` is equal; not, if what they leave out differs."""
        return True

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ComparedByWords):
            return NotImplemented
        return self is other or (self._game == other._game and self._words() == other._words() and self._same(other))

    def __hash__(self) -> int:
        return hash(self._words())
