"""The last entry of each table's log, noted in a text file beside the database, so that a loss can be seen.

The server runs without this file too. It is written after the database, so the database has every entry in it.
"""

from __future__ import annotations

import logging
import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path
    from typing import BinaryIO

LINE = re.compile(r"(\S+) (\d{1,18}) ([0-9a-f]{64})")
"""A line that a crash or a full disk has cut off does not match."""
GROWTH = 16 * 2**20
"""How many bytes are added to the file before it is written anew."""

logger = logging.getLogger(__name__)


class Tip(NamedTuple):
    """The last entry of a table: its number and its link in the chain."""

    seq: int
    link: str


class Tips:
    """The file at `path`. Trouble with it is logged once; then nothing is noted until the next start."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: BinaryIO | None = None
        self._left = 0
        self._is_in_trouble = False

    def read(self) -> dict[str, Tip]:
        """What has been noted, by table."""
        try:
            text = self._path.read_text("ascii", "replace")
        except FileNotFoundError:
            return {}
        except OSError as error:
            self._give_up(error)
            return {}
        found = (LINE.fullmatch(line) for line in text.splitlines())
        return {match[1]: Tip(int(match[2]), match[3]) for match in found if match}

    def begin(self, tips: dict[str, Tip]) -> None:
        """Write the file anew with these alone, and add to it from now on."""
        self.close()
        if self._is_in_trouble:
            return
        new = self._path.with_name(f"{self._path.name}.new")
        try:
            new.touch(mode=0o600)
            new.write_bytes(_lines(tips.items()))
            new.replace(self._path)
            self._file, self._left = self._path.open("ab", buffering=0), GROWTH
        except OSError as error:
            self._give_up(error)

    def add(self, tips: dict[str, Tip]) -> None:
        """Note the last entries of some tables."""
        if self._file is None or not tips:
            return
        lines = _lines(tips.items())
        try:
            if self._file.write(lines) < len(lines):
                raise OSError("a line was cut off")
        except OSError as error:
            self._give_up(error)
            return
        self._left -= len(lines)
        if self._left < 0:
            self.begin(self.read())

    def close(self) -> None:
        """Note nothing any more."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def _give_up(self, error: OSError) -> None:
        self.close()
        self._is_in_trouble = True
        logger.error("the last entries of the tables can't be noted: %s", error.strerror or error)


def _lines(tips: Iterable[tuple[str, Tip]]) -> bytes:
    return "".join(f"{table} {tip.seq} {tip.link}\n" for table, tip in tips).encode()
