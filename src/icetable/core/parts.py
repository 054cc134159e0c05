"""What a game's package may hold beside its rules: modules, learned weights, and what was measured."""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Mapping
from importlib import import_module, resources
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable
    from pathlib import Path
    from types import ModuleType

    from icetable.kernels.jit import Floats

WEIGHTS_FILE = "weights.npz"
"""An array for each setting, with its provenance."""
PROVENANCE = "made"
"""The entry that says how each of the others was made, in JSON."""
COLOURS = ("red", "green", "blue", "yellow", "cyan", "orange", "purple", "white")
"""The default colours of the seats."""
STRATEGY_DEPTH = "Strategy depth"
"""The cell that exists only if players who evaluate positions were found to beat random ones."""


@functools.cache
def module_of(package: str, name: str) -> ModuleType | None:
    """A module of a game's package; None if it does not exist."""
    return import_module(f"{package}.{name}") if find_spec(f"{package}.{name}") else None


@functools.cache
def weights_of(package: str) -> Mapping[str, Floats]:
    """The learned weights of a game, by setting; empty if there are none."""
    # imports numpy, which a list of games does not need

    return weights_in(resources.files(package))


def weights_in(folder: Traversable) -> dict[str, Floats]:
    """The weights by setting; empty if a package has none."""
    import numpy as np  # which a list of games does not need

    return {
        setting: array.astype(np.float64)
        for setting, array in _entries(folder / WEIGHTS_FILE).items()
        if setting != PROVENANCE
    }


def provenance_in(folder: Traversable) -> dict[str, Any]:
    """The provenance of the weights of each setting: the arguments and the version."""
    entries = _entries(folder / WEIGHTS_FILE)
    return dict(json.loads(str(entries[PROVENANCE]))) if PROVENANCE in entries else {}


def save_weights(path: Path, setting: str, weights: Floats, provenance: Mapping[str, Any]) -> None:
    """Write weights to a file, as 32-bit numbers, beside those of other settings."""
    import numpy as np

    entries = _entries(path)
    provenances = dict(json.loads(str(entries.pop(PROVENANCE)))) if PROVENANCE in entries else {}
    entries[setting], provenances[setting] = weights.astype(np.float32), dict(provenance)
    entries[PROVENANCE] = np.array(json.dumps(provenances))
    with path.open("wb") as file:
        np.savez_compressed(file, allow_pickle=False, **entries)


def _entries(file: Traversable) -> dict[str, Any]:
    import numpy as np

    if not file.is_file():
        return {}
    with file.open("rb") as opened, np.load(opened) as entries:
        return dict(entries)


class Pieces(NamedTuple):
    """The equipment of a game."""

    pyramids: int = 0
    """The number of pyramids."""
    dice: int = 0
    """The number of dice."""
    coins: int = 0
    """The number of coins."""
    tiles: int = 0
    """The tiles that make up a board."""


class Cell(NamedTuple):
    """A cell of the infobox on a game's page."""

    name: str
    """What it is about, such as "Players"."""
    text: str
    """What it says."""
    scale: str = ""
    """The scale of the word in the text, if it has one."""


class Measured(NamedTuple):
    """Measurements of a game."""

    said: str
    """What was found, in a sentence."""
    cells: tuple[Cell, ...]
    """The cells of the infobox."""
    command: str
    """The command that repeats the measurements."""
    favours: int | None = None
    """The seat that wins clearly more than its share, if one does."""

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
