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
    """Its name."""
    about: str
    """What its values mean."""
    most: int = 1
    """The largest value."""


@dataclass(frozen=True)
class Symmetry:
    """A map from each game to an equivalent one, its image."""

    name: str
    """Its name, such as "mirrored"."""
    seats: tuple[int, ...]
    """By seat of the game: the seat of the image."""
    cells: Ints
    """By cell of an observation, `row * width + column`: the cell of the image."""
    actions: Ints
    """By action: that of the image."""

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
    """The meaning of the numbers in a game's encoding."""

    version: int
    """The version, which increases whenever a meaning changes."""
    actions: int
    """The number of actions."""
    numbering: tuple[tuple[int, str], ...]
    """For each block of actions in order: the number of its first action, and the block's meaning."""
    height: int
    """The number of rows of an observation."""
    width: int
    """The number of columns of an observation."""
    cells: str
    """The meaning of a cell."""
    planes: tuple[Plane, ...]
    """The planes of an observation, in order."""
    symmetries: tuple[Symmetry, ...]
    """Generators of the symmetry group."""

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
    """A kind of act."""

    name: str
    """Its name."""
    about: str
    """What it does."""
    arguments: tuple[str, ...] = ()
    """The numbers of an action that it uses, by name."""


@dataclass(frozen=True)
class Feature:
    """A number that describes a piece or an act."""

    name: str
    """Its name."""
    about: str
    """What it means."""


@dataclass(frozen=True)
class Field:
    """A named array of an observation, float32."""

    name: str
    """Its name."""
    about: str
    """What it means."""
    shape: tuple[int, ...]
    """Its shape for one observer."""
    least: float
    """The lowest value."""
    most: float
    """The highest value."""
    features: tuple[Feature, ...] = ()
    """The meanings of its last axis, if these differ; otherwise empty."""
    own: bool = False
    """Whether it only describes the observer."""

    @property
    def size(self) -> int:
        """The number of elements."""
        return math.prod(self.shape)


@dataclass(frozen=True)
class RealTimeEncoding:
    """The meaning of the numbers in a real-time game's encoding."""

    version: int
    """The version, which increases whenever a meaning changes."""
    verbs: tuple[Verb, ...]
    """The kinds of acts by number; the first is to do nothing."""
    arguments: tuple[tuple[str, int], ...]
    """The names of the numbers of an action, and their number of values; the verb comes first."""
    entries: int
    """The number of entries of the menu; the first is to do nothing."""
    menu: tuple[tuple[int, str], ...]
    """For each block of entries: the number of its first entry, and its meaning."""
    act: tuple[Feature, ...]
    """The features of an act."""
    fields: tuple[Field, ...]
    """The arrays of an observation."""
    planes: tuple[Feature, ...]
    """The optional planes."""


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
