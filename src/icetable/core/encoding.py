"""How programs that learn number a game's acts and see its positions.

A game's module `encoding` has the kernel functions of `Codec` and `describe(game)`, which says what their numbers mean.
An *action* is a number from 0 up, in contrast to a kernel act. An observation is int8[height, width, planes], from one
seat's point of view.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    import numpy.typing as npt

    from icetable.core.jit import Ints

    Bytes = npt.NDArray[np.int8]


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
