"""The last entry of each table's log, noted in a text file beside the database, so that a loss can be seen.

The server runs without this file too. It is written after the database, so the database has every entry in it.
"""

from __future__ import annotations

import logging
import re
import zlib
from typing import TYPE_CHECKING, NamedTuple

from icetable.server.logs import about

if TYPE_CHECKING:
    from pathlib import Path
    from typing import BinaryIO

LINE = re.compile(r"(?P<noted>(?P<table>\S+) (?P<seq>\d{1,18}) (?P<link>[0-9a-f]{64}))(?: (?P<sum>[0-9a-f]{8}))?")
"""A line, which ends in a checksum; older ones have none. What a crash or a full disk has cut off does not match."""
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
        self.last: dict[str, Tip] = {}
        """What has been noted, by table, also where it could not be written."""
        self._path = path
        self._file: BinaryIO | None = None
        self._left = 0
        self._is_in_trouble = False

    def read(self) -> None:
        """Read what has been noted. Damaged lines count for nothing, and are reported."""
        try:
            lines = self._path.read_text("ascii", "replace").split("\n")
        except FileNotFoundError:
            return
        except OSError as error:
            self._give_up(error)
            return
        self.last = dict(filter(None, map(_read, lines)))
        damaged = sum(_read(line) is None for line in lines[:-1] if line)  # the last one may have been cut off
        if damaged:
            logger.error("lines of the last entries are damaged; see docs/running.md", extra=about(lines=damaged))

    def begin(self) -> None:
        """Write the file anew, with the last entries alone, and add to it from now on."""
        self.close()
        if self._is_in_trouble:
            return
        new = self._path.with_name(f"{self._path.name}.new")
        try:
            new.touch(mode=0o600)
            new.write_bytes(_lines(self.last))
            new.replace(self._path)
            self._file, self._left = self._path.open("ab", buffering=0), GROWTH
        except OSError as error:
            self._give_up(error)

    def add(self, tips: dict[str, Tip]) -> None:
        """Note the last entries of some tables."""
        self.last |= tips
        if self._file is None or not tips:
            return
        lines = _lines(tips)
        try:
            if self._file.write(lines) < len(lines):
                raise OSError("a line was cut off")
        except OSError as error:
            self._give_up(error)
            return
        self._left -= len(lines)
        if self._left < 0:
            self.begin()

    def forget(self, tables: set[str]) -> None:
        """Note nothing of some tables any more, as they will be deleted."""
        if tables & self.last.keys():
            self.last = {table: tip for table, tip in self.last.items() if table not in tables}
            self.begin()

    def close(self) -> None:
        """Note nothing any more."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def _give_up(self, error: OSError) -> None:
        self.close()
        self._is_in_trouble = True
        logger.error("the last entries of the tables can't be noted", extra=about(error.strerror or str(error)))


def _lines(tips: dict[str, Tip]) -> bytes:
    noted = (f"{table} {tip.seq} {tip.link}" for table, tip in tips.items())
    return "".join(f"{one} {_checksum(one)}\n" for one in noted).encode()


def _read(line: str) -> tuple[str, Tip] | None:
    match = LINE.fullmatch(line)
    if match is None or match["sum"] not in (None, _checksum(match["noted"])):
        return None
    return match["table"], Tip(int(match["seq"]), match["link"])


def _checksum(noted: str) -> str:
    return f"{zlib.crc32(noted.encode()):08x}"
