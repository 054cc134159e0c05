"""The cache of compiled kernels: its notes are true, and its old folders go when nobody needs them."""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from icetable.kernels import cache, jit
from icetable.kernels.cache import Removed
from icetable.kernels.jit import remove_useless_caches

SECONDS = 120.0  # a limit for a program that hangs

ASK = """
from icetable.kernels import bits, jit
said = jit.is_cached("bits")
assert bits.nth(0b1011, 2) == 3
stats = bits.nth.dispatcher.stats
jit.mark_cached("bits")
print(said, sum(stats.cache_hits.values()), jit.is_cached("bits"))
"""
FRESH, FOUND = "False 0 True", "True 1 True"
LEAN = "import sys; sys.modules['scipy'] = None\n"  # else Numba loads linear algebra, which no kernel needs


def run(home: Path, program: str = ASK, package: Path | None = None) -> str:
    """The output of a process of its own, with this installation or a copy of it."""
    path = [str(package)] if package else []
    done = subprocess.run(
        [sys.executable, "-c", LEAN + program],
        capture_output=True,
        text=True,
        timeout=SECONDS,
        env={
            **os.environ,
            "ICETABLE_JIT": "1",
            "XDG_CACHE_HOME": str(home),
            "PYTHONPATH": os.pathsep.join([*path, *sys.path]),
        },
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home of somebody who has compiled, by two processes at once, to be copied."""
    home = tmp_path_factory.mktemp("filled")
    with ThreadPoolExecutor() as pool:
        said = list(pool.map(run, [home] * 2))
    assert {one.split()[2] for one in said} == {"True"}
    return home


LOADED = "False 1 True"
"""Nothing is noted of these sources, but the kernel was compiled from others that say the same."""


def test_a_cache_holds_for_the_same_sources_at_any_place(tmp_path: Path, filled: Path) -> None:
    copy = tmp_path / "elsewhere"
    shutil.copytree(cache.PACKAGE, copy / "icetable", ignore=shutil.ignore_patterns("static", "page", "__pycache__"))
    home = shutil.copytree(filled, tmp_path / "cache")
    other = next((copy / "icetable" / "games").glob("*/rules.py"))
    other.write_text(other.read_text() + "# another version\n")
    assert run(home, package=copy) == FOUND
    assert len(list((home / "icetable" / "kernels").iterdir())) == 1
    bits = copy / "icetable" / "kernels" / "bits.py"
    sources = bits.read_text()
    bits.write_text(sources + "# another version\n")
    assert run(home, package=copy) == LOADED
    bits.write_text(sources.replace("bits &= bits - 1", "bits &= bits - 1 | 0"))
    assert run(home, package=copy) == FRESH


def test_a_kernel_counts_as_cached_while_its_file_is_there_and_whole(
    tmp_path: Path, filled: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(filled, tmp_path, dirs_exist_ok=True)
    monkeypatch.setattr(cache, "cache_folder", lambda: tmp_path / "icetable")
    (kernel,) = (tmp_path / "icetable" / "kernels").glob("*/*.kernel")
    assert kernel.stat().st_mode & 0o444 == 0o444 & ~mask()  # an image's cache may be another user's
    content = kernel.read_bytes()
    assert jit.is_cached("bits")
    assert not jit.is_cached("others")
    kernel.unlink()
    assert not jit.is_cached("bits")
    kernel.write_bytes(content)
    assert jit.is_cached("bits")
    (note,) = kernel.parent.glob("bits-*.compiled")
    for damaged in (b"", b"[]", b"{", b'{"gone.kernel": 1}'):
        note.write_bytes(damaged)
        assert not jit.is_cached("bits")
    monkeypatch.setattr(jit, "_machine", lambda: "another")
    assert not jit.is_cached("bits")
    kernel.write_bytes(content[:100])
    assert run(tmp_path) == FRESH


def mask() -> int:
    """The permissions that this process gives to no file."""
    before = os.umask(0)
    os.umask(before)
    return before


READ_ONLY = """
from icetable.kernels import cache
def refuse(*_): raise OSError(30, "Read-only file system")
cache.write_atomically = cache._register_installation = cache._locked = refuse
"""


def test_a_cache_that_can_only_be_read_is_read(filled: Path) -> None:
    """It was filled by processes that compiled the same at once, and have left one whole file."""
    (own,) = (filled / "icetable" / "kernels").iterdir()
    assert len(list(own.glob("*.kernel"))) == 1
    assert not list(own.glob("*.tmp"))
    assert run(filled, READ_ONLY + ASK) == FOUND


# Old versions


def test_of_each_kernel_the_versions_stay_that_were_used_last(kernels: Path) -> None:
    own = jit.cache_folder()
    assert own is not None
    for version in range(12):
        for what in ("rules.apply-int64", "rules.legal-int64"):
            path = cache.file(own, what, f"{version:03}")
            path.write_bytes(b"12345")
            os.utime(path, (version, version))
    assert cache.read(cache.file(own, "rules.apply-int64", "001")) == b"12345"
    remove_useless_caches()
    left = {path.stem.rpartition("-")[2] for path in own.glob("rules.apply-*")}
    assert left == {"001", *(f"{version:03}" for version in range(5, 12))}
    assert len(list(own.glob("rules.legal-*"))) == cache.MAX_VERSIONS


# Old folders


@pytest.fixture
def kernels(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of all kernels, with this installation's own in it."""
    monkeypatch.setattr(cache, "cache_folder", lambda: tmp_path)
    own = jit.cache_folder()
    assert own is not None
    cache._register_installation(own)
    return tmp_path / "kernels"


def old_folder(kernels: Path, name: str, *installations: dict[str, str]) -> Path:
    folder = kernels / name
    (folder / "installations").mkdir(parents=True)
    (folder / "some.kernel").write_bytes(b"12345")
    for number, one in enumerate(installations):
        word = {**cache._installation(), **one}
        (folder / "installations" / f"{number}.json").write_text(json.dumps(word))
    return folder


GONE = {"package": "/gone/icetable"}
UPGRADED = {"versions": "0.1 0.1"}


@pytest.mark.parametrize(
    ("installations", "is_useless"),
    [
        ([GONE], True),
        ([UPGRADED], True),
        ([{"sources": "of this place, when folders were for sources"}], True),
        ([{"compiler": "/gone/numba/__init__.py"}], True),
        ([GONE, UPGRADED], True),
        ([{}], False),  # this one, on a processor of another kind perhaps
        ([GONE, {}], False),
        ([{"package": str(Path(__file__).parent), "sources": "others"}], False),
        ([{"computer": "another", **GONE}], False),
        ([{"computer": "another", **UPGRADED}], False),
        ([{"python": "/another", "versions": "0.1 0.1"}], False),
        ([], False),
    ],
)
def test_folders_go_that_no_installation_needs(
    kernels: Path, installations: list[dict[str, str]], is_useless: bool
) -> None:
    old = old_folder(kernels, "old", *installations)
    removed = remove_useless_caches()
    assert old.exists() != is_useless
    assert (removed.folders, removed.size > 0) == (is_useless, is_useless)
    assert jit.cache_folder() in list(kernels.iterdir())
    assert remove_useless_caches() == Removed(0, 0)


@pytest.mark.skipif(sys.platform == "win32", reason="no locks of this kind")
def test_a_folder_stays_while_a_process_uses_it(kernels: Path) -> None:
    """A server that began before an upgrade, for instance."""
    old = old_folder(kernels, "old", UPGRADED)
    lock = cache._locked(old)
    assert lock is not None
    try:
        with (old / cache.LOCK_FILE).open() as another:
            fcntl.flock(another, fcntl.LOCK_SH)
            assert remove_useless_caches() == Removed(0, 0)
            assert old.exists()
    finally:
        os.close(lock)
    assert remove_useless_caches().folders == 1


def test_a_process_marks_the_folder_that_it_uses(tmp_path: Path) -> None:
    program = """
import json, os
from icetable.kernels import cache, jit
own = cache.open_folder(jit.cache_folder())
word, = (own / "installations").glob("*.json")
cache._installation = lambda: {**json.loads(word.read_text()), "versions": "after an upgrade"}
print(cache._is_useless(own), cache.remove_useless(None).folders, own.exists())
os.close(cache._locks.pop())
print(cache.remove_useless(None).folders, own.exists())
"""
    assert run(tmp_path, program).splitlines() == ["True 0 True", "1 False"]


@pytest.mark.parametrize(("where", "is_useless"), [("here", True), ("elsewhere", False), ("both", False)])
def test_folders_of_before_tell_by_numbas_names_whose_they_are(kernels: Path, where: str, is_useless: bool) -> None:
    here, elsewhere = (hashlib.sha1(path.encode()).hexdigest() for path in (str(cache.PACKAGE / "core"), "/x"))
    old = kernels / "0123456789abcdef"
    for place in {"here": [here], "elsewhere": [elsewhere], "both": [here, elsewhere]}[where]:
        (old / f"core_{place}").mkdir(parents=True)
    assert remove_useless_caches().folders == is_useless
    assert old.exists() != is_useless


def test_other_folders_are_left_alone(kernels: Path) -> None:
    (kernels / "notes.txt").write_text("mine")
    (kernels / "mine").mkdir()
    damaged = old_folder(kernels, "damaged", GONE)
    (damaged / "installations" / "0.json").write_text("{")
    (kernels / "link").symlink_to(old_folder(kernels.parent, "away", GONE))
    before = sorted(kernels.rglob("*"))
    assert remove_useless_caches() == Removed(0, 0)
    assert sorted(kernels.rglob("*")) == before


# No home


@pytest.mark.parametrize("found", [None, "~/.cache/icetable", "relative/icetable"])
def test_a_user_without_a_home_has_no_folders(found: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    import platformdirs

    from icetable import folders

    def find(_: str) -> str:
        if found is None:
            raise RuntimeError("Could not determine home directory.")
        return found

    monkeypatch.setattr(platformdirs, "user_cache_dir", find)
    monkeypatch.setattr(platformdirs, "user_data_dir", find)
    assert (folders.cache_folder(), folders.data_folder()) == (None, None)
    assert (jit.cache_folder(), jit.can_cache(), jit.is_cached("x")) == (None, False, False)
    assert remove_useless_caches() == Removed(0, 0)
    jit.mark_cached("x")


def test_kernels_work_without_a_home_and_one_sentence_says_so(tmp_path: Path) -> None:
    program = """
import logging, sys
logging.basicConfig(stream=sys.stdout, format="%(message)s")
from icetable.kernels import cache
cache.cache_folder = lambda: None
"""
    said = run(tmp_path, program + ASK + "from icetable.kernels import boards, bits; print(bits.bit(3))").splitlines()
    assert said == [cache.CANNOT_CACHE, "False 0 False", "8"]
