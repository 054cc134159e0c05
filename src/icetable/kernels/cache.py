"""The folders of compiled kernels: this installation's own, what it holds, and what is of no more use.

Each folder is for one kind of machine, and the name of each kernel's file says what it is compiled from, so that none
is stale. Installations share a folder, whatever their versions and wherever they are; each leaves a file that says so.
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
"""Where a game's kernels have their sources, beside its own folder."""
VERSIONS = 8
"""How many of a kernel are kept."""
INSTALLATIONS = "installations"
IN_USE = "in-use"
"""In each folder: a file for each installation that uses it, and a file that each process that uses it has locked."""

NOT_KEPT = "compiled kernels can't be kept, so each process compiles its own; XDG_CACHE_HOME may name a folder for them"

logger = logging.getLogger(__name__)


class Removed(NamedTuple):
    """What `remove_useless` has removed: how many folders, and how many bytes."""

    folders: int
    size: int


def folder(machine: str) -> Path | None:
    """The folder of this installation's kernels for a kind of machine; None where there is no place for it.

    It may not exist yet.
    """
    kernels = _all()
    return None if kernels is None else kernels / machine


def _all() -> Path | None:
    own = cache_folder()
    return None if own is None else own / "kernels"


def opened(own: Path | None) -> Path | None:
    """This installation's folder, which this process uses from now on; None where it can't."""
    if own is None or not _opened(own):
        tell_once(NOT_KEPT)
        return None
    return own


@functools.cache
def _opened(own: Path) -> bool:
    """Whether a folder can be used, if only to read."""
    with contextlib.suppress(OSError):
        _sign(own)
        _locks.append(_locked(own))
    return os.path.isdir(own)  # noqa: PTH112 (raises nothing)


_locks: list[int | None] = []
"""Open as long as this process lives."""


def _sign(own: Path) -> None:
    """Leave word that this installation uses a folder. Raises OSError."""
    text = json.dumps(_installation(), sort_keys=True)
    word = own / INSTALLATIONS / f"{hashlib.sha256(text.encode()).hexdigest()[:16]}.json"
    if not word.exists():
        word.parent.mkdir(parents=True, exist_ok=True)
        write_whole(word, text.encode())


@functools.cache
def _installation() -> dict[str, str]:
    """Which installation this is: where its code and its compiler are, on which computer."""
    found = util.find_spec("numba")
    return {
        "computer": platform.node(),
        "package": str(PACKAGE),
        "python": f"{sys.prefix} {sys.implementation.cache_tag}",
        "compiler": str(found.origin) if found is not None else "",
        "versions": f"{metadata.version('numba')} {metadata.version('llvmlite')}",
    }


def write_whole(path: Path, content: bytes) -> None:
    """Write a file that no process sees half. Raises OSError."""
    part = path.with_name(f"{uuid.uuid4().hex}.tmp")
    try:
        part.write_bytes(content)
        part.replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            part.unlink()
        raise


def can_keep(own: Path | None) -> bool:
    """Whether compiled kernels can be kept in a folder for other processes."""
    try:
        if own is not None:
            own.mkdir(parents=True, exist_ok=True)
            tempfile.TemporaryFile(dir=own).close()
    except OSError:
        return False
    return own is not None


@functools.cache
def tell_once(sentence: str) -> None:
    """Log a sentence, once in each process."""
    logger.warning(sentence)


# What is compiled


def file(own: Path, what: str, version: str) -> Path:
    """The file of a kernel."""
    return own / f"{what}-{version}.kernel"


def read(kernel: Path) -> bytes:
    """What a kernel's file holds; it counts as used now. Raises OSError."""
    content = kernel.read_bytes()
    with contextlib.suppress(OSError):
        os.utime(kernel)
    return content


def note(own: Path, what: str, files: Iterable[Path]) -> None:
    """Note that all kernels for a game are in these files of a folder."""
    if not is_noted(own, what):
        with contextlib.suppress(OSError):  # one that can't be written, or a file that has gone
            sizes = {file.name: file.stat().st_size for file in files}
            write_whole(_note(own, what), json.dumps(sizes, sort_keys=True).encode())


def is_noted(own: Path, what: str) -> bool:
    """Whether `note` was called, and all the files are still there."""
    try:
        sizes = json.loads(_note(own, what).read_bytes())
        return all((own / name).stat().st_size == size for name, size in sizes.items())
    except (OSError, ValueError, AttributeError):
        return False


def _note(own: Path, what: str) -> Path:
    return own / f"{what}-{_hash_of_sources(what)}.compiled"


@functools.cache
def _hash_of_sources(game: str) -> str:
    """A short hash of all that a game's kernels may be made of, as it is written, since that is quick to read."""
    sources = hashlib.sha256()
    for part in (*SOURCES, f"games/{game}"):
        for path in sorted((PACKAGE / part).rglob("*.py")):
            sources.update(path.read_bytes())
    return sources.hexdigest()[:16]


# What is useless


def remove_useless(own: Path | None) -> Removed:
    """Remove the folders of kernels that no installation can need any more, and old versions in this one's own.

    Of a folder that is certain where each installation that used it is gone from this computer, or has another folder
    by now, and no process that runs has it open.
    """
    if own is not None:
        _remove_old_versions(own)
    kernels = _all()
    count = size = 0
    for old in _folders_in(kernels) if kernels is not None else ():
        if old != own and _is_useless(old):
            with _alone_in(old) as is_alone:
                if is_alone:
                    size += sum(path.stat().st_size for path in old.rglob("*") if path.is_file())
                    shutil.rmtree(old, ignore_errors=True)
                    count += not old.exists()
    return Removed(count, size)


def _remove_old_versions(own: Path) -> None:
    """Keep the versions of each kernel, and of each note, that were used last."""
    with contextlib.suppress(OSError):  # another process may do the same
        versions: defaultdict[str, list[Path]] = defaultdict(list)
        for path in sorted((*own.glob("*.kernel"), *own.glob("*.compiled")), key=lambda path: -path.stat().st_mtime_ns):
            versions[path.name.rpartition("-")[0]].append(path)
        for old in chain.from_iterable(of_one[VERSIONS:] for of_one in versions.values()):
            old.unlink()


def _folders_in(kernels: Path) -> list[Path]:
    try:
        return sorted(path for path in kernels.iterdir() if path.is_dir() and not path.is_symlink())
    except OSError:
        return []


def _is_useless(old: Path) -> bool:
    try:
        words = [json.loads(path.read_bytes()) for path in (old / INSTALLATIONS).glob("*.json")]
        return all(map(_is_gone, words)) if words else _is_of_this_place_before(old)
    except (OSError, ValueError, KeyError, TypeError):
        return False


def _is_gone(one: dict[str, Any]) -> bool:
    """Whether an installation is certainly not there any more, at least not as it was."""
    this = _installation()
    if one["computer"] != this["computer"]:
        return False  # computers may share a home
    if not Path(one["package"]).exists() or not Path(one["compiler"]).exists():
        return True
    is_of_before = one["package"] == this["package"] and "sources" in one  # when folders were for sources
    same_python = (one["python"], one["compiler"]) == (this["python"], this["compiler"])
    return is_of_before or (same_python and one["versions"] != this["versions"])


def _is_of_this_place_before(old: Path) -> bool:
    """Whether a folder of icetable up to 0.1, which has no files that say whose it is, was this installation's alone.

    Numba kept kernels in folders that are named by a hash of where the sources were.
    """
    here = hashlib.sha1(str(PACKAGE / "core").encode(), usedforsecurity=False).hexdigest()
    places = [path.name for path in old.glob("core_*")]
    return places == [f"core_{here}"]


@contextlib.contextmanager
def _alone_in(old: Path) -> Iterator[bool]:
    """Keep others out of a folder; False where a process uses it, or where that can't be known."""
    if sys.platform == "win32":
        yield False
        return
    import fcntl

    with contextlib.ExitStack() as stack:
        try:
            lock = stack.enter_context((old / IN_USE).open("a"))
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            yield False
        else:
            yield True


def _locked(own: Path) -> int | None:
    """Lock a file in a folder, so that no other process removes the folder, until the descriptor returned is closed.

    Raises OSError.
    """
    if sys.platform == "win32":
        return None
    import fcntl

    while True:
        lock = os.open(own / IN_USE, os.O_RDWR | os.O_CREAT, 0o666)
        fcntl.flock(lock, fcntl.LOCK_SH)
        with contextlib.suppress(FileNotFoundError):
            if os.path.samestat(os.fstat(lock), (own / IN_USE).stat()):
                return lock
        os.close(lock)
        _sign(own)  # the folder was removed meanwhile
