"""The moments of a game of Icehouse at which something changed, by an act or by time alone, and what held between."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

from icetable.games.icehouse import rules
from icetable.games.icehouse.notation import SIZE_LETTERS
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
    """The position from a time on: after act number `act`, or as time alone has changed it since.

    `pieces`: those on the field, by id. `attackers`: by the id of a defender, the pieces whose valid attack it is.
    """

    at: int
    act: int
    position: Played
    pieces: Mapping[str, FieldPiece]
    attackers: Mapping[str, Sequence[FieldPiece]]

    @property
    def seats(self) -> range:
        """All seats of the game."""
        return range(len(self.position.colours))

    @property
    def actor(self) -> int:
        """The seat whose act was the last one; chance has a seat too."""
        assert self.position.seat is not None
        return self.position.seat

    def seat_named(self, colour: str) -> int:
        """The seat that has a colour."""
        return [*map(str, self.position.colours)].index(colour)

    def seat_of(self, piece: FieldPiece) -> int:
        """The seat whose colour a piece has."""
        return self.seat_named(piece["colour"])

    def is_frozen(self, seat: int) -> bool:
        """Whether a seat is in the icehouse."""
        return bool(self.position.table[rules.FROZEN] >> seat & 1)

    def force(self, piece: FieldPiece) -> int:
        """The sum of the values of a defender's attackers (IH-14)."""
        return sum(map(value, self.attackers.get(piece["id"], ())))

    def is_successful(self, piece: FieldPiece) -> bool:
        """Whether a piece defends or attacks with success (IH-15)."""
        if piece["standing"]:
            return not piece["iced"]
        return bool(piece["valid"] and self.pieces[str(piece["points_at"])]["iced"])

    def points(self, piece: FieldPiece) -> int:
        """What a piece of this field scores for the player of its colour (IH-33)."""
        return value(piece) if self.is_successful(piece) and not self.is_frozen(self.seat_of(piece)) else 0


def value(piece: FieldPiece) -> int:
    """What a piece is worth (IH-3)."""
    return SIZE_LETTERS.index(piece["size"]) + 1


def kind_of(piece: FieldPiece) -> str:
    """The kind of a piece, such as "L:red"."""
    return f"{piece['size']}:{piece['colour']}"


def clock(position: Played) -> int:
    """When the last act was made."""
    return int(position.table[rules.CLOCK])


def moments(states: Sequence[Played], until: int | None = None) -> list[Moment]:
    """All moments of a game, given the states after each of its acts.

    `until`: when it ended, if that was no act; that moment is the last one.
    """
    times = [*map(clock, states), clock(states[-1]) if until is None else until]
    found = [moment for act, state in enumerate(states) for moment in moments_after(state, act, times[act + 1])]
    return found if until is None else [*found, replace(found[-1], at=until, position=states[-1].as_of(until))]


def moments_after(state: Played, act: int, until: int) -> list[Moment]:
    """The moment of an act, and those at which time alone changes something before the next act."""
    pieces = {piece["id"]: piece for piece in state.pieces()}
    attackers: dict[str, list[FieldPiece]] = {}
    for piece in pieces.values():
        if piece["valid"]:
            attackers.setdefault(str(piece["points_at"]), []).append(piece)
    return [Moment(at, act, state.as_of(at), pieces, attackers) for at in (clock(state), *changes_before(state, until))]


def changes_before(state: Played, until: int) -> list[int]:
    """When time alone changes what seats may do, before the next act: debts are settled, calls are void no more."""
    table = state.table
    ends = [table[rules.QUIET_UNTIL]]
    for seat in range(table[SEATS]):
        ends.append(table[rules.PAUSED_UNTIL + seat])
        if table[rules.DEBT + seat]:
            ends.append(table[rules.DUE + seat])
    return sorted({int(end) + 1 for end in ends if clock(state) <= end < until - 1})


Key = TypeVar("Key", bound=Hashable)
Told = TypeVar("Told")


@dataclass
class Episode(Generic[Key, Told]):
    """Moments in a row at which something held of a key, with what there is to say of each.

    `before` is the last moment before them, `after` the first one after them; None where there is none.
    """

    key: Key
    before: Moment | None
    moments: list[Moment] = field(default_factory=list)
    told: list[Told] = field(default_factory=list)
    after: Moment | None = None

    @property
    def first(self) -> Moment:
        """The first moment at which it held."""
        return self.moments[0]

    @property
    def start(self) -> int:
        """Since when it held."""
        return self.first.at

    @property
    def end(self) -> int:
        """When it held no more, or when the game ended."""
        return (self.after or self.moments[-1]).at


def runs(all_moments: Iterable[Moment], holding: Callable[[Moment], Mapping[Key, Told]]) -> list[Episode[Key, Told]]:
    """How long something held without a break, for each key that `holding` names with what there is to say of it."""
    found: list[Episode[Key, Told]] = []
    going: dict[Key, Episode[Key, Told]] = {}
    before = None
    for moment in all_moments:
        held = holding(moment)
        for key in going.keys() - held.keys():
            going.pop(key).after = moment
        for key, told in held.items():
            if key not in going:
                going[key] = Episode(key, before)
                found.append(going[key])
            going[key].moments.append(moment)
            going[key].told.append(told)
        before = moment
    return found


def covered(spans: Iterable[tuple[int, int]]) -> int:
    """How long any of some spans lasted, each given by its start and its end."""
    total, until = 0, 0
    for start, end in sorted(spans):
        total += max(0, end - max(until, start))
        until = max(until, end)
    return total


def acts(all_moments: Sequence[Moment]) -> list[tuple[Moment, Moment]]:
    """The moment before and the moment after each act."""
    return [(before, after) for before, after in pairwise(all_moments) if before.act < after.act]
