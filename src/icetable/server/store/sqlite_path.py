"""The path of a SQLite database. It must be unique, since the WAL, lock and tips files are found by its name.

Under a second name, acknowledged acts would be missing and a second server would not see the first.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path

from icetable.server.store.errors import StoreUnusable

LINKED = "The file has a second name (a hard link), under which acts would be lost; remove one of the names."
MOUNTED = "The file is mounted by itself, so acts would be lost; mount its folder, with the files beside it."
MOUNTS = Path("/proc/self/mountinfo")
ESCAPES = ((b"\\", rb"\134"), (b" ", rb"\040"), (b"\t", rb"\011"), (b"\n", rb"\012"))
"""Characters of a path and their escapes in `MOUNTS`."""


def find(path: Path) -> Path:
    """Resolve symbolic links. Raises StoreUnusable for a file that has other names."""
    place = Path(os.path.realpath(path))
    try:
        status = place.stat()
    except OSError:
        return place  # there is no file yet, or opening it will fail with the reason
    if stat.S_ISREG(status.st_mode) and status.st_nlink > 1:
        raise StoreUnusable(LINKED)
    if stat.S_ISREG(status.st_mode) and _is_mount_point(place):
        raise StoreUnusable(MOUNTED)
    return place


def _is_mount_point(place: Path) -> bool:
    name = os.fsencode(place)
    for character, escape in ESCAPES:
        name = name.replace(character, escape)
    try:
        lines = MOUNTS.read_bytes().split(b"\n")
    except OSError:
        return False  # this is not Linux
    return any(line.split(b" ")[4:5] == [name] for line in lines)
