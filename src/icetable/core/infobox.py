"""The infobox of a game's page: its equipment and its measurements."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

COLOURS = ("red", "green", "blue", "yellow", "cyan", "orange", "purple", "white")
"""The default colours of the seats."""
STRATEGY_DEPTH = "Strategy depth"
"""The cell that exists only if players who evaluate positions were found to beat random ones."""


class Pieces(NamedTuple):
    """The equipment of a game. Tiles make up a board."""

    pyramids: int = 0
    dice: int = 0
    coins: int = 0
    tiles: int = 0


class Cell(NamedTuple):
    """A cell of the infobox: its name, its text, and the scale of the word in it, if it has one."""

    name: str
    text: str
    scale: str = ""


class Measured(NamedTuple):
    """Measurements of a game: a sentence, the cells of the infobox, and the command that repeats them.

    `favours`: the seat that wins clearly more than its share, if one does.
    """

    said: str
    cells: tuple[Cell, ...]
    command: str
    favours: int | None = None

    @property
    def is_believed(self) -> bool:
        """Whether players who evaluate positions were found to beat random ones."""
        return any(cell.name == STRATEGY_DEPTH for cell in self.cells)

    @property
    def playing_time(self) -> str:
        """The playing time, such as "8 to 17 minutes"; empty if unknown."""
        content = next((cell.text for cell in self.cells if cell.name == "Playing time"), "")
        return re.sub(r" \(.*?\)", "", content)


def measured_of(package: Traversable) -> Mapping[int, Measured]:
    """The contents of a package's `measured.json`, by number of players; empty if it has none."""
    file = package / "measured.json"
    if not file.is_file():
        return {}
    content = json.loads(file.read_text(encoding="utf-8"))
    return {
        int(players): Measured(
            entry["said"], tuple(Cell(**cell) for cell in entry["cells"]), entry["command"], entry["favours"]
        )
        for players, entry in content.items()
    }
