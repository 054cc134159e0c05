"""Learned weights in `weights.npz` of a game's package: an array for each setting, with its provenance."""

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
PROVENANCE = "made"
"""The entry that says how each of the others was made, in JSON."""


def weights_in(folder: Traversable) -> dict[str, Floats]:
    """The weights by setting; empty if a package has none."""
    return {
        setting: array.astype(np.float64) for setting, array in _entries(folder / FILE).items() if setting != PROVENANCE
    }


def provenance_in(folder: Traversable) -> dict[str, Any]:
    """The provenance of the weights of each setting: the arguments and the version."""
    entries = _entries(folder / FILE)
    return dict(json.loads(str(entries[PROVENANCE]))) if PROVENANCE in entries else {}


def save(path: Path, setting: str, weights: Floats, provenance: Mapping[str, Any]) -> None:
    """Write weights to a file, as 32-bit numbers, beside those of other settings."""
    entries = _entries(path)
    provenances = dict(json.loads(str(entries.pop(PROVENANCE)))) if PROVENANCE in entries else {}
    entries[setting], provenances[setting] = weights.astype(np.float32), dict(provenance)
    entries[PROVENANCE] = np.array(json.dumps(provenances))
    with path.open("wb") as file:
        np.savez_compressed(file, allow_pickle=False, **entries)


def _entries(file: Traversable) -> dict[str, Any]:
    if not file.is_file():
        return {}
    with file.open("rb") as opened, np.load(opened) as entries:
        return dict(entries)
