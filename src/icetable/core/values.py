"""The common base of games and states: immutable values with a public interface."""

from __future__ import annotations

import json
from abc import abstractmethod
from collections.abc import Hashable
from typing import Any, ClassVar, TypeVar

T = TypeVar("T")

GAME_NAMES: tuple[str, ...] = (
    *("info", "options", "players"),
    *("start", "parse", "random_act", "random_game", "perft", "from_json", "replay"),
    *("layout", "draw", "svg", "pieces", "shows_history", "tie_points", "rating", "draw_timer"),
)
STATE_NAMES: tuple[str, ...] = (
    *("game", "parent", "act", "seat", "at", "history", "without_history"),
    *("to_act", "is_terminal", "winners", "scores", "ended_by", "effects"),
    *("legal_actions", "sample_placements", "chance_outcomes", "fault", "apply"),
    *("view", "draw", "svg", "to_json", "record", "next_change", "deadlines", "as_of"),
)


class Value:
    """An immutable object, which is its own copy. Completion shows its `PUBLIC_NAMES`, which are stable.

    >>> import icetable
    >>> [name for name in dir(icetable.load("squad")) if name.startswith("p")]
    ['parse', 'perft', 'pieces', 'players']
    """

    __slots__ = ()

    PUBLIC_NAMES: ClassVar[tuple[str, ...]] = ()

    def __dir__(self) -> list[str]:
        return [name for name in object.__dir__(self) if name.startswith("_") or name in self.PUBLIC_NAMES]

    def __copy__(self: T) -> T:
        return self

    def __deepcopy__(self: T, _memo: object) -> T:
        return self


class ComparedByKey(Value):
    """A position of a game, compared by its description, or by a cheaper key if the game has one."""

    __slots__ = ()

    _game: Any

    @abstractmethod
    def _position(self) -> Any:
        """The position, JSON-able and exact. Equal positions have equal descriptions."""

    def _comparison_key(self) -> Hashable:
        """A key that is the same for equal positions of a game and differs for most others."""
        return json.dumps(self._position())

    def _same(self, _other: Any) -> bool:
        """Whether a position of the same game with the same key is equal."""
        return True

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ComparedByKey):
            return NotImplemented
        return self is other or (
            self._game == other._game and self._comparison_key() == other._comparison_key() and self._same(other)
        )

    def __hash__(self) -> int:
        return hash(self._comparison_key())
