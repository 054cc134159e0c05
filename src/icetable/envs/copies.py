"""Environments that are copied in the middle of a game."""

from __future__ import annotations

import copy
from typing import Self


class Copied:
    """An environment whose copies go on where it is, with the same chance to come; neither changes the other."""

    def __copy__(self) -> Self:
        return copy.deepcopy(self)
