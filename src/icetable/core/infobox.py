"""What stands in the box at the top of a game's page: what one needs for it, and what was measured."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

COLOURS = ("red", "green", "blue", "yellow", "cyan", "orange", "purple", "white")
"""The colours of the seats, where a game does not name its own."""
STRATEGY_DEPTH = "Strategy depth"
"""The cell that a box lacks where players who go by the worth of positions were not found to beat random ones."""


class Pieces(NamedTuple):
    """What players set out before a game; tiles are those of a board."""

    pyramids: int = 0
    dice: int = 0
    coins: int = 0
    tiles: int = 0


class Cell(NamedTuple):
    """A cell of the box at the top of a game's page: its name, what it says, and the scale behind its word, if any."""

    name: str
    text: str
    scale: str = ""


class Measured(NamedTuple):
    """What was measured of a game: in a sentence, as a box, and the command that measures it again.

    `favours`: the seat that wins clearly more than its share, if one does.
    """

    said: str
    cells: tuple[Cell, ...]
    command: str
    favours: int | None = None

    @property
    def is_believed(self) -> bool:
        """Whether players who go by the worth of positions were found to beat random ones."""
        return any(cell.name == STRATEGY_DEPTH for cell in self.cells)

    @property
    def playing_time(self) -> str:
        """How long a game takes, such as "8 to 17 minutes"; empty where that is not known."""
        content = next((cell.text for cell in self.cells if cell.name == "Playing time"), "")
        return re.sub(r" \(.*?\)", "", content)


def measured_of(package: Traversable) -> Mapping[int, Measured]:
    """What is written in `measured.json` of a game's package, by the number of players; empty where it has none."""
    file = package / "measured.json"
    if not file.is_file():
        return {}
    content = json.loads(file.read_text(encoding="utf-8"))
    return {
        int(players): Measured(
            one["said"], tuple(Cell(**cell) for cell in one["cells"]), one["command"], one["favours"]
        )
        for players, one in content.items()
    }
