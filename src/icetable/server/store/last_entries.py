"""The last entry of each table's log, noted in a text file beside the database to detect losses.

The file is optional. It is written after the database, so the database has every entry noted in it.
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

LINE = re.compile(r"(?P<noted>(?P<table>\S+) (?P<seq>\d{1,18}) (?P<link>[0-9a-f]{64})) (?P<sum>[0-9a-f]{8})")
"""A line with its checksum. A line cut off by a crash or a full disk does not match."""
MAX_GROWTH_BYTES = 16 * 2**20
"""Maximum growth of the file before it is rewritten."""

logger = logging.getLogger(__name__)


class LastEntry(NamedTuple):
    """The number of a table's last entry, and its link in the chain."""

    seq: int
    link: str


class LastEntries:
    """The file at `path`. After an error, which is logged, it is not written again until the next start."""

    def __init__(self, path: Path) -> None:
        self.last: dict[str, LastEntry] = {}
        """The last entries by table, including those that could not be written."""
        self._path = path
        self._file: BinaryIO | None = None
        self._bytes_left = 0
        self._has_failed = False

    def read(self) -> None:
        """Read the file. Damaged lines are skipped and logged."""
        try:
            lines = self._path.read_text("ascii", "replace").split("\n")
        except FileNotFoundError:
            return
        except OSError as error:
            self._give_up(error)
            return
        self.last = dict(filter(None, map(_read, lines)))
        damaged = sum(_read(line) is None for line in lines[:-1] if line)  # the last one may be cut off
        if damaged:
            logger.error("lines of the last entries are damaged; see docs/running.md", extra=about(lines=damaged))

    def begin(self) -> None:
        """Rewrite the file with only the last entries, and open it for appending."""
        self.close()
        if self._has_failed:
            return
        new = self._path.with_name(f"{self._path.name}.new")
        try:
            new.touch(mode=0o600)
            new.write_bytes(_lines(self.last))
            new.replace(self._path)
            self._file, self._bytes_left = self._path.open("ab", buffering=0), MAX_GROWTH_BYTES
        except OSError as error:
            self._give_up(error)

    def add(self, tips: dict[str, LastEntry]) -> None:
        """Note the last entries of tables."""
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
        self._bytes_left -= len(lines)
        if self._bytes_left < 0:
            self.begin()

    def forget(self, tables: set[str]) -> None:
        """Remove tables that are about to be deleted."""
        if tables & self.last.keys():
            self.last = {table: tip for table, tip in self.last.items() if table not in tables}
            self.begin()

    def close(self) -> None:
        """Stop writing to the file."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def _give_up(self, error: OSError) -> None:
        self.close()
        self._has_failed = True
        logger.error("the last entries of the tables can't be noted", extra=about(error.strerror or str(error)))


def _lines(tips: dict[str, LastEntry]) -> bytes:
    lines = (f"{table} {tip.seq} {tip.link}" for table, tip in tips.items())
    return "".join(f"{line} {_checksum(line)}\n" for line in lines).encode()


def _read(line: str) -> tuple[str, LastEntry] | None:
    match = LINE.fullmatch(line)
    if match is None or match["sum"] != _checksum(match["noted"]):
        return None
    return match["table"], LastEntry(int(match["seq"]), match["link"])


def _checksum(noted: str) -> str:
    return f"{zlib.crc32(noted.encode()):08x}"
