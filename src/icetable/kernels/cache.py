"""The folders of compiled kernels: the one of this machine, its files, and the removal of unused folders and files.

Each folder is for one kind of machine. The name of a kernel's file has a hash of everything that it is compiled from,
so files are never stale. Installations of all versions share a folder; each registers itself with a file there.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import json
import logging
import os
import platform
import shutil
import sys
import tempfile
import uuid
from collections import defaultdict
from importlib import metadata, util
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from icetable.folders import cache_folder

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

PACKAGE = Path(__file__).parent.parent
SOURCES = "kernels", "core", "extras", "bots"
"""Folders with sources of kernels, besides the game's own."""
MAX_VERSIONS = 8
"""Maximum number of versions of a kernel in the cache."""
INSTALLATIONS = "installations"
LOCK_FILE = "in-use"
"""In each folder: a folder with a file per installation that uses it, and a file that processes in it have locked."""

CANNOT_CACHE = (
    "compiled kernels can't be cached, so each process compiles its own; set XDG_CACHE_HOME to a folder for them"
)

logger = logging.getLogger(__name__)


class Removed(NamedTuple):
    """The result of `remove_useless`: the number of folders removed, and their size in bytes."""

    folders: int
    size: int


def folder(machine: str) -> Path | None:
    """The folder of kernels for a kind of machine, which may not exist yet; None for a user without a home."""
    kernels = _kernels_folder()
    return None if kernels is None else kernels / machine


def _kernels_folder() -> Path | None:
    own = cache_folder()
    return None if own is None else own / "kernels"


def open_folder(own: Path | None) -> Path | None:
    """Start using a folder in this process, and return it; None if it can't be used."""
    if own is None or not _use(own):
        warn_once(CANNOT_CACHE)
        return None
    return own


@functools.cache
def _use(own: Path) -> bool:
    """Whether a folder can at least be read."""
    with contextlib.suppress(OSError):
        _register_installation(own)
        _locks.append(_locked(own))
    return os.path.isdir(own)  # noqa: PTH112 (never raises)


_locks: list[int | None] = []
"""Open until this process ends."""


def _register_installation(own: Path) -> None:
    """Register this installation as a user of a folder. Raises OSError."""
    text = json.dumps(_installation(), sort_keys=True)
    file = own / INSTALLATIONS / f"{hashlib.sha256(text.encode()).hexdigest()[:16]}.json"
    if not file.exists():
        file.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(file, text.encode())


@functools.cache
def _installation() -> dict[str, str]:
    """The identity of this installation: its computer, and the paths and versions of its code and compiler."""
    found = util.find_spec("numba")
    return {
        "computer": platform.node(),
        "package": str(PACKAGE),
        "python": f"{sys.prefix} {sys.implementation.cache_tag}",
        "compiler": str(found.origin) if found is not None else "",
        "versions": f"{metadata.version('numba')} {metadata.version('llvmlite')}",
    }


def write_atomically(path: Path, content: bytes) -> None:
    """Write a file atomically. Raises OSError."""
    part = path.with_name(f"{uuid.uuid4().hex}.tmp")
    try:
        part.write_bytes(content)
        part.replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            part.unlink()
        raise


def can_cache(own: Path | None) -> bool:
    """Whether compiled kernels can be stored in a folder for other processes."""
    try:
        if own is not None:
            own.mkdir(parents=True, exist_ok=True)
            tempfile.TemporaryFile(dir=own).close()
    except OSError:
        return False
    return own is not None


@functools.cache
def warn_once(sentence: str) -> None:
    """Log a warning, once per process."""
    logger.warning(sentence)


# Files


def file(own: Path, what: str, version: str) -> Path:
    return own / f"{what}-{version}.kernel"


def read(kernel: Path) -> bytes:
    """Read a kernel's file, and update its time of use. Raises OSError."""
    content = kernel.read_bytes()
    with contextlib.suppress(OSError):
        os.utime(kernel)
    return content


def note(own: Path, what: str, files: Iterable[Path]) -> None:
    """Record the files in a folder that hold all kernels of a game."""
    if not is_complete(own, what):
        with contextlib.suppress(OSError):  # the note can't be written, or a file was removed
            sizes = {file.name: file.stat().st_size for file in files}
            write_atomically(_note(own, what), json.dumps(sizes, sort_keys=True).encode())


def is_complete(own: Path, what: str) -> bool:
    """Whether all files recorded by `note` still exist."""
    try:
        sizes = json.loads(_note(own, what).read_bytes())
        return all((own / name).stat().st_size == size for name, size in sizes.items())
    except (OSError, ValueError, AttributeError):
        return False


def _note(own: Path, what: str) -> Path:
    return own / f"{what}-{_hash_of_sources(what)}.compiled"


@functools.cache
def _hash_of_sources(game: str) -> str:
    """A short hash of all source files that a game's kernels may depend on."""
    sources = hashlib.sha256()
    for part in (*SOURCES, f"games/{game}"):
        for path in sorted((PACKAGE / part).rglob("*.py")):
            sources.update(path.read_bytes())
    return sources.hexdigest()[:16]


# Removal


def remove_useless(own: Path | None) -> Removed:
    """Remove the folders of kernels that no installation can need any more, and old versions in `own`.

    A folder is removed only if each installation that used it has been removed from this computer or has another
    folder by now, and no running process uses it.
    """
    if own is not None:
        _remove_old_versions(own)
    kernels = _kernels_folder()
    count = size = 0
    for old in _folders_in(kernels) if kernels is not None else ():
        if old != own and _is_useless(old):
            with _exclusive(old) as is_alone:
                if is_alone:
                    size += sum(path.stat().st_size for path in old.rglob("*") if path.is_file())
                    shutil.rmtree(old, ignore_errors=True)
                    count += not old.exists()
    return Removed(count, size)


def _remove_old_versions(own: Path) -> None:
    """Remove all but the last used versions of each kernel and each note."""
    with contextlib.suppress(OSError):  # another process may do the same
        versions: defaultdict[str, list[Path]] = defaultdict(list)
        for path in sorted((*own.glob("*.kernel"), *own.glob("*.compiled")), key=lambda path: -path.stat().st_mtime_ns):
            versions[path.name.rpartition("-")[0]].append(path)
        for old in chain.from_iterable(files[MAX_VERSIONS:] for files in versions.values()):
            old.unlink()


def _folders_in(kernels: Path) -> list[Path]:
    try:
        return sorted(path for path in kernels.iterdir() if path.is_dir() and not path.is_symlink())
    except OSError:
        return []


def _is_useless(old: Path) -> bool:
    try:
        users = [json.loads(path.read_bytes()) for path in (old / INSTALLATIONS).glob("*.json")]
        return all(map(_is_removed, users)) if users else _is_old_format(old)
    except (OSError, ValueError, KeyError, TypeError):
        return False


def _is_removed(user: dict[str, Any]) -> bool:
    """Whether an installation has certainly been removed or changed."""
    this = _installation()
    if user["computer"] != this["computer"]:
        return False  # computers may share a home
    if not Path(user["package"]).exists() or not Path(user["compiler"]).exists():
        return True
    is_old_format = user["package"] == this["package"] and "sources" in user  # from when each source had its folder
    same_python = (user["python"], user["compiler"]) == (this["python"], this["compiler"])
    return is_old_format or (same_python and user["versions"] != this["versions"])


def _is_old_format(old: Path) -> bool:
    """Whether a folder of icetable up to 0.1, where installations did not register, was used only by this one.

    Numba stored kernels in folders named by a hash of the path of the sources.
    """
    path_hash = hashlib.sha1(str(PACKAGE / "core").encode(), usedforsecurity=False).hexdigest()
    places = [path.name for path in old.glob("core_*")]
    return places == [f"core_{path_hash}"]


@contextlib.contextmanager
def _exclusive(old: Path) -> Iterator[bool]:
    """Lock a folder exclusively; False if a process uses it, or if that is unknown."""
    if sys.platform == "win32":
        yield False
        return
    import fcntl

    with contextlib.ExitStack() as stack:
        try:
            lock = stack.enter_context((old / LOCK_FILE).open("a"))
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            yield False
        else:
            yield True


def _locked(own: Path) -> int | None:
    """Protect a folder from removal by other processes until the returned descriptor is closed. Raises OSError."""
    if sys.platform == "win32":
        return None
    import fcntl

    while True:
        lock = os.open(own / LOCK_FILE, os.O_RDWR | os.O_CREAT, 0o666)
        fcntl.flock(lock, fcntl.LOCK_SH)
        with contextlib.suppress(FileNotFoundError):
            if os.path.samestat(os.fstat(lock), (own / LOCK_FILE).stat()):
                return lock
        os.close(lock)
        _register_installation(own)  # the folder was removed in the meantime
