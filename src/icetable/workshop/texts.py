"""The codes of acts in workshop games."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

UNLISTED = 1 << 40
"""The code of unlisted acts; an act of chance that is drawn from a seed has this plus the seed."""


class Texts:
    """The acts of all workshop games in this process, by code."""

    def __init__(self) -> None:
        self._texts: list[str] = []
        self._codes: dict[str, int] = {}

    def code(self, text: str) -> int:
        """The code of an act, which a new act is given."""
        code = self._codes.get(text)
        if code is None:
            code = self._codes.setdefault(text, len(self._texts))
            self._texts.append(text)
        return code

    def codes(self, texts: Sequence[str]) -> list[int]:
        found = list(map(self._codes.get, texts))
        return [self.code(text) for text in texts] if None in found else cast("list[int]", found)

    def knows(self, texts: set[Any]) -> bool:
        """Whether games have listed all of these before."""
        return self._codes.keys() >= texts

    def new(self, texts: set[Any]) -> set[Any]:
        """Those that no game has listed before."""
        return texts.difference(self._codes)  # `-` would iterate over all acts of all games

    def known(self, text: str) -> int:
        """The code of an act; UNLISTED for one that no game has listed."""
        return self._codes.get(text, UNLISTED)

    def text(self, code: int) -> str:
        return self._texts[code]


TEXTS = Texts()
