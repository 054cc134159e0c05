"""The acts of games of the workshop as numbers, which is what kernels play with."""

from __future__ import annotations

from collections.abc import Iterable

UNLISTED = 1 << 40
"""The number of all acts that are not listed; what chance brings by a seed has this and the seed."""


class Texts:
    """The acts of all games of the workshop by number, as long as this process runs."""

    def __init__(self) -> None:
        self._texts: list[str] = []
        self._codes: dict[str, int] = {}

    def code(self, text: str) -> int:
        """The number of an act; a new one for a new act."""
        code = self._codes.get(text)
        if code is None:
            code = self._codes.setdefault(text, len(self._texts))
            self._texts.append(text)
        return code

    def codes(self, texts: Iterable[str]) -> list[int]:
        """The numbers of several acts."""
        known = self._codes
        return [known[text] if text in known else self.code(text) for text in texts]

    def new(self, texts: set[str]) -> set[str]:
        """Those acts that no game has listed before."""
        return texts.difference(self._codes)  # `-` would go through all acts of all games

    def known(self, text: str) -> int:
        """The number of an act; UNLISTED for one that no game has listed."""
        return self._codes.get(text, UNLISTED)

    def text(self, code: int) -> str:
        """The act with a number."""
        return self._texts[code]


TEXTS = Texts()
