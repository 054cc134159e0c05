"""The moments of a game of Icehouse when something changed, by an act or by time alone, and episodes between them."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

from icetable.games.icehouse import rules
from icetable.games.icehouse.position import SIZE_LETTERS
from icetable.kernels.layout import SEATS

if TYPE_CHECKING:
    from icetable.core.game import Action, Effect
    from icetable.games.icehouse.view import Colour, FieldPiece
    from icetable.kernels.jit import Ints


class Played(Protocol):
    """A position of a game, with the act that led to it."""

    table: Ints
    field: Ints
    colours: tuple[Colour, ...]

    @property
    def act(self) -> Action | None: ...
    @property
    def seat(self) -> int | None: ...
    @property
    def effects(self) -> Sequence[Effect]: ...
    @property
    def scores(self) -> tuple[int, ...]: ...
    @property
    def ended_by(self) -> str | None: ...
    @property
    def winners(self) -> frozenset[int]: ...
    def pieces(self) -> list[FieldPiece]: ...
    def as_of(self, at: int, /) -> Played: ...


@dataclass(frozen=True)
class Moment:
    """The position from a time on, after act number `act` or a later change by time alone.

    `pieces`: those on the field, by id. `attackers`: the valid attackers of defenders, by the defender's id.
    """

    at: int
    act: int
    position: Played
    pieces: Mapping[str, FieldPiece]
    attackers: Mapping[str, Sequence[FieldPiece]]

    @property
    def seats(self) -> range:
        return range(len(self.position.colours))

    @property
    def actor(self) -> int:
        """The seat, or CHANCE, of the last act."""
        assert self.position.seat is not None
        return self.position.seat

    def seat_named(self, colour: str) -> int:
        """The seat of a colour."""
        return [*map(str, self.position.colours)].index(colour)

    def seat_of(self, piece: FieldPiece) -> int:
        """The seat of a piece's colour."""
        return self.seat_named(piece["colour"])

    def is_frozen(self, seat: int) -> bool:
        """Whether a seat is in the icehouse."""
        return bool(self.position.table[rules.FROZEN] >> seat & 1)

    def force(self, piece: FieldPiece) -> int:
        """The sum of the values of a defender's attackers (IH-14)."""
        return sum(map(value, self.attackers.get(piece["id"], ())))

    def is_successful(self, piece: FieldPiece) -> bool:
        """Whether a piece defends or attacks successfully (IH-15)."""
        if piece["standing"]:
            return not piece["iced"]
        return bool(piece["valid"] and self.pieces[str(piece["points_at"])]["iced"])

    def points(self, piece: FieldPiece) -> int:
        """The points that a piece scores for the player of its colour (IH-33)."""
        return value(piece) if self.is_successful(piece) and not self.is_frozen(self.seat_of(piece)) else 0


def value(piece: FieldPiece) -> int:
    """The value of a piece (IH-3)."""
    return SIZE_LETTERS.index(piece["size"]) + 1


def kind_of(piece: FieldPiece) -> str:
    """The kind of a piece, such as "L:red"."""
    return f"{piece['size']}:{piece['colour']}"


def clock(position: Played) -> int:
    """The time of the last act."""
    return int(position.table[rules.CLOCK])


def moments(states: Sequence[Played], until: int | None = None) -> list[Moment]:
    """All moments of a game, given the states after each of its acts.

    `until`: the end, if it was not an act; it becomes the last moment.
    """
    times = [*map(clock, states), clock(states[-1]) if until is None else until]
    found = [moment for act, state in enumerate(states) for moment in moments_after(state, act, times[act + 1])]
    return found if until is None else [*found, replace(found[-1], at=until, position=states[-1].as_of(until))]


def moments_after(state: Played, act: int, until: int) -> list[Moment]:
    """The moment of an act, and those of changes by time alone before the next act."""
    pieces = {piece["id"]: piece for piece in state.pieces()}
    attackers: dict[str, list[FieldPiece]] = {}
    for piece in pieces.values():
        if piece["valid"]:
            attackers.setdefault(str(piece["points_at"]), []).append(piece)
    return [Moment(at, act, state.as_of(at), pieces, attackers) for at in (clock(state), *changes_before(state, until))]


def changes_before(state: Played, until: int) -> list[int]:
    """The times of changes by time alone before the next act: debts are settled, calls stop being void."""
    table = state.table
    ends = [table[rules.QUIET_UNTIL]]
    for seat in range(table[SEATS]):
        ends.append(table[rules.PAUSED_UNTIL + seat])
        if table[rules.DEBT + seat]:
            ends.append(table[rules.DUE + seat])
    return sorted({int(end) + 1 for end in ends if clock(state) <= end < until - 1})


Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


@dataclass
class Episode(Generic[Key, Value]):
    """Consecutive moments at which a key was present, with its value at each.

    `before` is the last moment before them, `after` the first one after them; None if there is none.
    """

    key: Key
    before: Moment | None
    moments: list[Moment] = field(default_factory=list)
    values: list[Value] = field(default_factory=list)
    after: Moment | None = None

    @property
    def first(self) -> Moment:
        return self.moments[0]

    @property
    def start(self) -> int:
        return self.first.at

    @property
    def end(self) -> int:
        """The end of the episode or of the game."""
        return (self.after or self.moments[-1]).at


def runs(all_moments: Iterable[Moment], holding: Callable[[Moment], Mapping[Key, Value]]) -> list[Episode[Key, Value]]:
    """The episodes of each key that `holding` returns with its value."""
    found: list[Episode[Key, Value]] = []
    open_episodes: dict[Key, Episode[Key, Value]] = {}
    before = None
    for moment in all_moments:
        held = holding(moment)
        for key in open_episodes.keys() - held.keys():
            open_episodes.pop(key).after = moment
        for key, current in held.items():
            if key not in open_episodes:
                open_episodes[key] = Episode(key, before)
                found.append(open_episodes[key])
            open_episodes[key].moments.append(moment)
            open_episodes[key].values.append(current)
        before = moment
    return found


def covered(spans: Iterable[tuple[int, int]]) -> int:
    """The total length of time in at least one of the spans, given by start and end."""
    total, until = 0, 0
    for start, end in sorted(spans):
        total += max(0, end - max(until, start))
        until = max(until, end)
    return total


def acts(all_moments: Sequence[Moment]) -> list[tuple[Moment, Moment]]:
    """The moment before and the moment after each act."""
    return [(before, after) for before, after in pairwise(all_moments) if before.act < after.act]
