"""Where a SQLite database lies. It must have one name: by that SQLite finds its log, and we find the lock and the tips.

Under a second name acts that were acknowledged would be missing, and a second server would not see the first.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path

from icetable.server.store.errors import StoreError

LINKED = "The file has a second name (a hard link), under which acts would be lost; remove one of the names."
MOUNTED = "The file is mounted by itself, so acts would be lost; mount its folder, with the files beside it."
MOUNTS = Path("/proc/self/mountinfo")
"""Where Linux lists what is mounted."""
ESCAPES = ((b"\\", rb"\134"), (b" ", rb"\040"), (b"\t", rb"\011"), (b"\n", rb"\012"))
"""How it writes some characters of a path there."""


def find(path: Path) -> Path:
    """The place to which a name leads, through symbolic links. Raises StoreError for a file that has other names."""
    place = Path(os.path.realpath(path))
    try:
        found = place.stat()
    except OSError:
        return place  # there is no file yet, or opening it will tell why not
    if stat.S_ISREG(found.st_mode) and found.st_nlink > 1:
        raise StoreError(LINKED)
    if stat.S_ISREG(found.st_mode) and _is_mounted(place):
        raise StoreError(MOUNTED)
    return place


def _is_mounted(place: Path) -> bool:
    """Whether something is mounted just there."""
    name = os.fsencode(place)
    for character, escape in ESCAPES:
        name = name.replace(character, escape)
    try:
        lines = MOUNTS.read_bytes().split(b"\n")
    except OSError:
        return False  # this is not Linux
    return any(line.split(b" ")[4:5] == [name] for line in lines)
