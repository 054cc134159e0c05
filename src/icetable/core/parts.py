"""Optional parts of a game's package: modules and learned weights, loaded on first use."""

from __future__ import annotations

import functools
from importlib import import_module, resources
from importlib.util import find_spec
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from types import ModuleType

    from icetable.kernels.jit import Floats


@functools.cache
def module_of(package: str, name: str) -> ModuleType | None:
    """A module of a game's package; None if it does not exist."""
    return import_module(f"{package}.{name}") if find_spec(f"{package}.{name}") else None


@functools.cache
def weights_of(package: str) -> Mapping[str, Floats]:
    """The learned weights of a game, by setting; empty if there are none."""
    from icetable.core.weights import weights_in  # imports numpy, which a list of games does not need

    return weights_in(resources.files(package))
