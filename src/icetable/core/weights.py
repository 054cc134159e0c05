"""Learned weights: what a game's package keeps in `weights.npz`, an array for each setting and how it was made."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping
    from importlib.resources.abc import Traversable
    from pathlib import Path

    from icetable.kernels.jit import Floats

FILE = "weights.npz"
MADE = "made"
"""The entry of the file that tells how each of the others was made, in JSON."""


def weights_in(folder: Traversable) -> dict[str, Floats]:
    """The weights by setting; empty where a package has none."""
    return {setting: array.astype(np.float64) for setting, array in _entries(folder / FILE).items() if setting != MADE}


def made_in(folder: Traversable) -> dict[str, Any]:
    """How the weights of each setting were made: the arguments and the version."""
    entries = _entries(folder / FILE)
    return dict(json.loads(str(entries[MADE]))) if MADE in entries else {}


def keep(path: Path, setting: str, weights: Floats, made: Mapping[str, Any]) -> None:
    """Write weights into a file, beside those of other settings. They are kept as 32-bit numbers."""
    entries = _entries(path)
    all_made = dict(json.loads(str(entries.pop(MADE)))) if MADE in entries else {}
    entries[setting], all_made[setting] = weights.astype(np.float32), dict(made)
    entries[MADE] = np.array(json.dumps(all_made))
    with path.open("wb") as file:
        np.savez_compressed(file, allow_pickle=False, **entries)


def _entries(file: Traversable) -> dict[str, Any]:
    if not file.is_file():
        return {}
    with file.open("rb") as opened, np.load(opened) as entries:
        return dict(entries)
