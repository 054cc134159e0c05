"""How programs that learn number a game's acts and see its positions.

A game's module `encoding` has the kernel functions of `Codec` and `describe(game)`, which says what their numbers mean.
An *action* is a number from 0 up, in contrast to a kernel act. An observation is int8[height, width, planes], from one
seat's point of view.

In a game without turns the module has the functions of `RealTimeCodec` instead, and an observation is some arrays.
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
    """One of the planes of an observation: its values are from 0 to `most`."""

    name: str
    about: str
    most: int = 1


@dataclass(frozen=True)
class Symmetry:
    """A way to map each game to another one that is as likely and as good.

    Seat s of the game plays as seat `seats[s]` of its image. What it sees on cell c (`row * width + column`), its image
    sees on cell `cells[c]`; its action a becomes `actions[a]`.
    """

    name: str
    seats: tuple[int, ...]
    cells: Ints
    actions: Ints

    def of_observations(self, seen: Bytes) -> Bytes:
        """What the images' seats see: int8[…, height, width, planes], as it came, with what is on each cell moved."""
        image = seen.copy()
        by_cell = (*seen.shape[:-3], len(self.cells), seen.shape[-1])
        image.reshape(by_cell)[..., self.cells, :] = seen.reshape(by_cell)
        return image

    def of_policies(self, values: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Masks, policies or whatever else has a value for each action, [… , actions], for the images' actions."""
        image = values.copy()
        image[..., self.actions] = values
        return image

    def then(self, other: Symmetry) -> Symmetry:
        """This one, and another one of its images."""
        seats = tuple(other.seats[seat] for seat in self.seats)
        name = f"{self.name}, {other.name}" if self.name else other.name
        return Symmetry(name, seats, other.cells[self.cells], other.actions[self.actions])

    def back(self) -> Symmetry:
        """The one that undoes this one."""
        seats = tuple(map(self.seats.index, range(len(self.seats))))
        return Symmetry(f"back from {self.name}", seats, self.cells.argsort(), self.actions.argsort())


@dataclass(frozen=True)
class Encoding:
    """What the numbers of a game's encoding mean.

    `actions`: the number of actions. `numbering`: for each block of actions in order the number of its first action and
    what it holds. `planes`: those of an observation of `height` by `width` cells. `cells`: what a cell is. `symmetries`
    generate the game's symmetry group; the identity is left out. `version` counts changes of meaning.
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
    """The same planes for each seat, in the order of turns from the observer on."""
    whose = ["own", *(f"player +{after}" for after in range(1, players))]
    return [Plane(f"{who} {plane.name}", plane.about, plane.most) for who in whose for plane in planes]


VOICE, TAKE, PUT, GRAB, NEEDS = range(5)
"""What an act in a game without turns takes: a word, or of the hand to lift a piece, to put it down, or to snatch."""

NO_ACT = -1
"""In place of a kernel act, for doing nothing."""


@dataclass(frozen=True)
class Verb:
    """A kind of act. `arguments` are those numbers of an action that it uses."""

    name: str
    about: str
    arguments: tuple[str, ...] = ()


@dataclass(frozen=True)
class Feature:
    """One of the numbers that tell of a piece or an act."""

    name: str
    about: str


@dataclass(frozen=True)
class Field:
    """A named array of an observation, float32, with values from `least` to `most`.

    `features` are the meanings of its last axis, where these differ. `own`: it tells of the observer alone.
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
        """How many numbers it has."""
        return math.prod(self.shape)


@dataclass(frozen=True)
class RealTimeEncoding:
    """What the numbers of the encoding of a game without turns mean.

    `verbs`: the kinds of acts by number; the first is to do nothing. `arguments`: the names of the numbers of an action
    and how many values each has, verb first. `menu`: for each block of entries the number of the first and what it
    holds; there are `entries`, with doing nothing as the first. `act`: the features of an act. `fields`: the arrays of
    an observation. `planes`: what the optional planes show. `version` counts changes of meaning.
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
    """The encoding of a game without turns.

    A position is two arrays: a table, and a field with a row for each piece. All but the first functions are kernels.
    """

    BELL: int
    """The kernel act of chance that ends the game."""

    def describe(self, game: RealTimeGame) -> RealTimeEncoding:
        """What the numbers mean."""

    def arrays(self, state: State) -> tuple[Ints, Ints]:
        """The table and the field of a state, with room for all pieces."""

    def state_of(self, game: RealTimeGame, table: Ints, field: Ints) -> State:
        """The state of a table and a field, without history."""

    def written(self, game: RealTimeGame, act: int, seat: int) -> Action:
        """A kernel act in the notation of a seat."""

    def read(self, game: RealTimeGame, text: str, seat: int) -> int:
        """The kernel act that a seat has written. Raises BadNotation."""

    def explain(self, game: RealTimeGame, reason: int, act: int, seat: int, table: Ints, field: Ints) -> Fault:
        """The fault that goes with the reason of a refusal; the arrays are as the refusal left them."""

    def read_grid(self, game: RealTimeGame, actions: Ints) -> Ints:
        """Actions, int64[n, arguments], as `act_from` takes them."""

    def read_places(
        self, game: RealTimeGame, verbs: Ints, kinds: Ints, targets: Ints, places: npt.NDArray[np.float64]
    ) -> Ints:
        """Actions of four parts each as `act_from` takes them.

        A target is a piece, or modulo the number of seats a colour. A place is x and y as parts of the field, cosine
        and sine of the heading.
        """

    def choices(self, game: RealTimeGame, acts: list[int], seat: int, ids: list[int]) -> tuple[set[int], ...]:
        """For each argument but the verb its values in some acts of one verb; empty where any will do."""

    def play(self, table: Ints, field: Ints, act: int, seat: int, at: int) -> int:
        """Judge an act and play it; 0, or why it is refused, and then the arrays hold anything."""

    def is_over(self, table: Ints) -> bool:
        """Whether the game is over."""

    def verb_of(self, act: int) -> int:
        """The verb of an act."""

    def needs(self, act: int) -> int:
        """What an act takes: VOICE, TAKE, PUT or GRAB."""

    def show(self, table: Ints, field: Ints, first: Ints, at: int, seen: Ints) -> None:
        """Write the table as views show it at a time; `first` is the table before the first act."""

    def see_status(self, seen: Ints, field: Ints, status: Ints) -> None:
        """Write what holds of each piece."""

    def name_rows(self, seen: Ints, field: Ints, ids: Ints) -> None:
        """Write the id of the piece in each row, and behind the last one an id that no piece ever has."""

    def observe(self, seen: Ints, field: Ints, status: Ints, seat: int, out: Reals) -> None:
        """Write what a seat sees but for times."""

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
        """Write a menu, NO_ACT for an empty entry, and why the rules refuse each act: 0 where they don't.

        `placing`: with placements, those that are there already as far as they still are legal.
        """

    def open_verbs(self, acts: Ints, allowed: Bytes, verbs: Bytes) -> None:
        """Write 1 for each verb of a menu's entries that are allowed."""

    def describe_act(self, seen: Ints, field: Ints, act: int, seat: int, out: Reals) -> None:
        """Write the features of an act."""

    def act_from(self, action: Ints, seat: int, seats: int, ids: Ints) -> int:
        """The kernel act of an action, which need not be legal; NO_ACT for doing nothing. `ids`: of the rows."""
