"""The version names the commit that runs: in a checkout, an archive, an sdist, and a copy of the sources."""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import tarfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import icetable
from icetable.version import NEXT, UNKNOWN

if TYPE_CHECKING:
    from types import ModuleType

ROOT = Path(__file__).parent.parent
FILE = "src/icetable/version.py"
WHO = ("-c", "user.name=Ann", "-c", "user.email=ann@example.org")

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")


def git(folder: Path, *arguments: str, time: int = 1_800_000_000) -> str:
    environment = {"PATH": "/usr/bin:/bin:/usr/local/bin", "GIT_COMMITTER_DATE": f"{time} +0200", "HOME": str(folder)}
    command = ["git", *WHO, *arguments]
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=True
    ).stdout.strip()


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A repository with one commit."""
    folder = tmp_path / "checkout"
    (folder / FILE).parent.mkdir(parents=True)
    for name in (FILE, ".gitattributes"):
        shutil.copy(ROOT / name, folder / name)
    git(folder, "init", "--quiet")
    git(folder, "add", ".")
    git(folder, "commit", "--quiet", "--message", "First")
    return folder


def module_in(folder: Path) -> ModuleType:
    """The module as the build loads it: by its path, without the package."""
    spec = importlib.util.spec_from_file_location("version_of_a_copy", folder / FILE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def version_in(folder: Path) -> str:
    module = module_in(folder)
    assert module.built() == module.version()
    return str(module.built())


def of_commit(folder: Path) -> str:
    return f"{NEXT}.dev202701150800+g{git(folder, 'rev-parse', '--short', 'HEAD')}"


def test_a_checkout_says_its_commit_and_whether_files_were_changed(checkout: Path) -> None:
    assert version_in(checkout) == of_commit(checkout)
    (checkout / "notes.txt").write_text("not a source")
    assert version_in(checkout) == of_commit(checkout)
    with (checkout / FILE).open("a") as file:
        file.write("# changed\n")
    assert version_in(checkout) == f"{of_commit(checkout)}.changed"
    git(checkout, "commit", "--all", "--quiet", "--message", "Second", time=1_800_000_060)
    assert version_in(checkout) == of_commit(checkout).replace("0800+", "0801+")


def test_the_commit_with_the_tag_is_the_release(checkout: Path) -> None:
    git(checkout, "tag", f"v{NEXT}0")
    assert version_in(checkout) == of_commit(checkout)
    git(checkout, "tag", f"v{NEXT}")
    assert version_in(checkout) == NEXT


@pytest.mark.parametrize("is_release", [False, True])
def test_an_archive_says_the_commit_that_it_was_made_of(checkout: Path, tmp_path: Path, is_release: bool) -> None:
    if is_release:
        git(checkout, "tag", f"v{NEXT}")
    git(checkout, "archive", "--output", str(tmp_path / "archive.tar"), "HEAD")
    with tarfile.open(tmp_path / "archive.tar") as archive:
        archive.extractall(tmp_path / "archive", filter="data")
    assert version_in(tmp_path / "archive") == (NEXT if is_release else of_commit(checkout))


def test_an_sdist_keeps_the_version_that_it_was_made_with(checkout: Path) -> None:
    (checkout / "PKG-INFO").write_text("Metadata-Version: 2.4\nName: icetable\nVersion: 7.0.dev1+g0\n")
    assert module_in(checkout).built() == "7.0.dev1+g0"


def test_sources_alone_can_not_say_it(tmp_path: Path) -> None:
    (tmp_path / FILE).parent.mkdir(parents=True)
    shutil.copy(ROOT / FILE, tmp_path / FILE)
    assert module_in(tmp_path).built() == UNKNOWN


def test_this_package_says_it() -> None:
    assert icetable.__version__.startswith(NEXT)
