"""Environments that can be copied in the middle of a game."""

from __future__ import annotations

import copy
from typing import Self


class Copied:
    """An environment whose copies continue from the same state, with the same chance outcomes, independently."""

    def __copy__(self) -> Self:
        return copy.deepcopy(self)
