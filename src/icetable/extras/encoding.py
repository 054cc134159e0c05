"""The encoding of a game's acts and positions for machine learning.

A game's module `encoding` has the kernel functions of `Codec` and `describe(game)`, which returns the meaning of their
numbers. An *action* is a number from 0 up, as opposed to a kernel act. An observation is int8[height, width, planes],
from one seat's point of view.

In a real-time game the module has the functions of `RealTimeCodec` instead, and an observation is several arrays.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    import numpy.typing as npt

    from icetable.core.errors import Fault
    from icetable.core.game import Action, State
    from icetable.core.realtime import RealTimeGame
    from icetable.kernels.jit import Ints

    Bytes = npt.NDArray[np.int8]
    Reals = npt.NDArray[np.float32]


class Codec(Protocol):
    """The kernel functions of an encoding."""

    def action_of(self, state: Ints, act: int) -> int:
        """The action of a kernel act; -1 for an act of chance. `state` is any position of the game."""

    def act_of(self, state: Ints, action: int) -> int:
        """The kernel act of an action, which need not be legal."""

    def observe(self, state: Ints, seat: int, planes: Bytes) -> None:
        """Write what a seat sees to `planes`: int8[height * width, planes], row by row."""


@dataclass(frozen=True)
class Plane:
    """A plane of an observation, with values from 0 to `most`."""

    name: str
    about: str
    most: int = 1


@dataclass(frozen=True)
class Symmetry:
    """A map from each game to an equivalent one, its image.

    Seat s of the game becomes seat `seats[s]` of the image, cell c (`row * width + column`) of an observation becomes
    cell `cells[c]`, and action a becomes `actions[a]`.
    """

    name: str
    seats: tuple[int, ...]
    cells: Ints
    actions: Ints

    def of_observations(self, seen: Bytes) -> Bytes:
        """The images of observations, int8[…, height, width, planes]."""
        image = seen.copy()
        by_cell = (*seen.shape[:-3], len(self.cells), seen.shape[-1])
        image.reshape(by_cell)[..., self.cells, :] = seen.reshape(by_cell)
        return image

    def of_policies(self, values: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """The images of masks, policies or other values per action, [… , actions]."""
        image = values.copy()
        image[..., self.actions] = values
        return image

    def then(self, other: Symmetry) -> Symmetry:
        """The composition of this symmetry followed by another."""
        seats = tuple(other.seats[seat] for seat in self.seats)
        name = f"{self.name}, {other.name}" if self.name else other.name
        return Symmetry(name, seats, other.cells[self.cells], other.actions[self.actions])

    def back(self) -> Symmetry:
        """The inverse."""
        seats = tuple(map(self.seats.index, range(len(self.seats))))
        return Symmetry(f"back from {self.name}", seats, self.cells.argsort(), self.actions.argsort())


@dataclass(frozen=True)
class Encoding:
    """The meaning of the numbers in a game's encoding.

    `actions`: the number of actions. `numbering`: for each block of actions in order, the number of its first action
    and the block's meaning. `planes`: those of an observation of `height` by `width` cells. `cells`: the meaning of a
    cell. `symmetries`: generators of the symmetry group. `version` increases whenever a meaning changes.
    """

    version: int
    actions: int
    numbering: tuple[tuple[int, str], ...]
    height: int
    width: int
    cells: str
    planes: tuple[Plane, ...]
    symmetries: tuple[Symmetry, ...]

    @property
    def shape(self) -> tuple[int, int, int]:
        """The shape of an observation."""
        return self.height, self.width, len(self.planes)


def for_each_seat(players: int, planes: Sequence[Plane]) -> list[Plane]:
    """The same planes for each seat, in turn order from the observer."""
    whose = ["own", *(f"player +{after}" for after in range(1, players))]
    return [Plane(f"{who} {plane.name}", plane.about, plane.most) for who in whose for plane in planes]


VOICE, TAKE, PUT, GRAB, NEEDS = range(5)
"""Needs of an act in a real-time game: the voice, or the hand to lift, put down or grab; and the number of needs."""

NO_ACT = -1
"""Used instead of a kernel act: do nothing."""


@dataclass(frozen=True)
class Verb:
    """A kind of act. `arguments`: the numbers of an action that it uses."""

    name: str
    about: str
    arguments: tuple[str, ...] = ()


@dataclass(frozen=True)
class Feature:
    """A number that describes a piece or an act."""

    name: str
    about: str


@dataclass(frozen=True)
class Field:
    """A named array of an observation, float32, with values from `least` to `most`.

    `features`: the meanings of its last axis, if these differ. `own`: it only describes the observer.
    """

    name: str
    about: str
    shape: tuple[int, ...]
    least: float
    most: float
    features: tuple[Feature, ...] = ()
    own: bool = False

    @property
    def size(self) -> int:
        """The number of elements."""
        return math.prod(self.shape)


@dataclass(frozen=True)
class RealTimeEncoding:
    """The meaning of the numbers in a real-time game's encoding.

    `verbs`: the kinds of acts by number; the first is to do nothing. `arguments`: the names of the numbers of an action
    and their number of values, verb first. `menu`: for each block of entries the number of its first entry and its
    meaning. `entries`: the number of entries; the first is to do nothing. `act`: the features of an act. `fields`: the
    arrays of an observation. `planes`: the optional planes. `version` increases whenever a meaning changes.
    """

    version: int
    verbs: tuple[Verb, ...]
    arguments: tuple[tuple[str, int], ...]
    entries: int
    menu: tuple[tuple[int, str], ...]
    act: tuple[Feature, ...]
    fields: tuple[Field, ...]
    planes: tuple[Feature, ...]


class RealTimeCodec(Protocol):
    """The encoding of a real-time game.

    A position is two arrays: a table, and a field with a row per piece. The functions from `play` on are kernels.
    """

    BELL: int
    """The kernel act of chance that ends the game."""

    def describe(self, game: RealTimeGame) -> RealTimeEncoding:
        """The meaning of the numbers."""

    def arrays(self, state: State) -> tuple[Ints, Ints]:
        """The table and the field of a state, with rows for all pieces."""

    def state_of(self, game: RealTimeGame, table: Ints, field: Ints) -> State:
        """The state of a table and a field, without history."""

    def written(self, game: RealTimeGame, act: int, seat: int) -> Action:
        """A kernel act in the notation of a seat."""

    def read(self, game: RealTimeGame, text: str, seat: int) -> int:
        """Parse the notation of a seat to a kernel act. Raises BadNotation."""

    def explain(self, game: RealTimeGame, reason: int, act: int, seat: int, table: Ints, field: Ints) -> Fault:
        """The fault for the reason of a refusal; the arrays are as `play` left them."""

    def read_grid(self, game: RealTimeGame, actions: Ints) -> Ints:
        """Convert actions, int64[n, arguments], to the format of `act_from`."""

    def read_places(
        self, game: RealTimeGame, verbs: Ints, kinds: Ints, targets: Ints, places: npt.NDArray[np.float64]
    ) -> Ints:
        """Convert actions of four parts each to the format of `act_from`.

        A target is a piece, or modulo the number of seats a colour. A place is x and y as fractions of the field,
        cosine and sine of the heading.
        """

    def choices(self, game: RealTimeGame, acts: list[int], seat: int, ids: list[int]) -> tuple[set[int], ...]:
        """For each argument except the verb, its values in some acts of one verb; empty if all are allowed."""

    def play(self, table: Ints, field: Ints, act: int, seat: int, at: int) -> int:
        """Play an act if it is legal. Returns 0, or the reason of the refusal, with undefined content of the arrays."""

    def is_over(self, table: Ints) -> bool:
        """Whether the game is over."""

    def verb_of(self, act: int) -> int:
        """The verb of an act."""

    def needs(self, act: int) -> int:
        """The need of an act: VOICE, TAKE, PUT or GRAB."""

    def show(self, table: Ints, field: Ints, first: Ints, at: int, seen: Ints) -> None:
        """Write the table as views show it at a time; `first` is the table before the first act."""

    def see_status(self, seen: Ints, field: Ints, status: Ints) -> None:
        """Write the status of each piece."""

    def name_rows(self, seen: Ints, field: Ints, ids: Ints) -> None:
        """Write the id of the piece in each row, and after the last one an id that no piece has."""

    def observe(self, seen: Ints, field: Ints, status: Ints, seat: int, out: Reals) -> None:
        """Write what a seat sees, except times."""

    def observe_times(self, table: Ints, field: Ints, seat: int, at: int, out: Reals) -> None:
        """Write the times in what a seat sees."""

    def paint(self, seen: Ints, field: Ints, status: Ints, seat: int, side: int, out: Reals) -> None:
        """Write planes of `side` by `side` cells."""

    def list_acts(
        self,
        seen: Ints,
        field: Ints,
        seat: int,
        placing: bool,
        rng: Ints,
        acts: Ints,
        reasons: Ints,
        spare_table: Ints,
        spare_field: Ints,
    ) -> None:
        """Write a menu, NO_ACT for an empty entry, and the reasons why the rules refuse its acts, 0 for legal ones.

        `placing`: include placements, and retain those of the previous menu that are still legal.
        """

    def open_verbs(self, acts: Ints, allowed: Bytes, verbs: Bytes) -> None:
        """Write 1 for each verb with an allowed entry in a menu."""

    def describe_act(self, seen: Ints, field: Ints, act: int, seat: int, out: Reals) -> None:
        """Write the features of an act."""

    def act_from(self, action: Ints, seat: int, seats: int, ids: Ints) -> int:
        """The kernel act of an action, which need not be legal; NO_ACT for doing nothing. `ids`: of the rows."""
