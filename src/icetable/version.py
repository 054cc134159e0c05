"""The version of icetable: that of a release, or of the commit between two releases that runs.

`0.2.1.dev202611290557+g0123456` is made of the commit 0123456 of that time (UTC), on the way to 0.2.1; `.changed` at
its end means that files were changed since. pip takes each for another version, and a later one for a newer one. The
build of a wheel executes this file alone (pyproject.toml), so it imports nothing of icetable.
"""

from __future__ import annotations

import functools
import re
import subprocess
from datetime import UTC, datetime
from pathlib import Path

NEXT = "0.2.1"
"""The release that is being made. The commit with the tag `v0.2.1` is the release itself."""
ROOT = Path(__file__).parents[2]
"""The root of a checkout, an archive or an sdist; an installed package has no sources there."""
SOURCES = ("src", "web", "tools", "pyproject.toml", "hatch_build.py")
ARCHIVED = "$Format:%ct|%h|%D$"
"""The commit in an archive made by `git archive`, which substitutes this (.gitattributes)."""
UNKNOWN = f"{NEXT}.dev0+unknown"


@functools.cache
def version() -> str:
    """The version that runs. A checkout asks git, which takes some hundredths of a second, once."""
    from importlib.metadata import PackageNotFoundError
    from importlib.metadata import version as installed_version

    if found := _of_checkout() or _of_archive():
        return found
    try:
        return installed_version("icetable")
    except PackageNotFoundError:  # sources on the path, without a repository
        return UNKNOWN


def built() -> str:
    """The version of a package that is built from the sources here."""
    return _of_sdist() or _of_checkout() or _of_archive() or UNKNOWN


def _of_checkout() -> str | None:
    if not (ROOT / ".git").exists():
        return None
    try:
        commit = _git("log", "-1", "--format=%ct|%h|%D")
        changed = _git("diff", "--name-only", "HEAD", "--", *SOURCES)
    except (OSError, subprocess.SubprocessError):  # without git, or with a repository of another user
        return None
    return _of_commit(commit, is_changed=bool(changed))


def _git(*arguments: str) -> str:
    done = subprocess.run(  # noqa: S603
        ["git", *arguments],  # noqa: S607
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
        timeout=10,
    )
    return done.stdout.strip()


def _of_archive() -> str | None:
    return None if ARCHIVED.startswith("$") else _of_commit(ARCHIVED, is_changed=False)


def _of_commit(commit: str, *, is_changed: bool) -> str:
    seconds, digits, names = commit.split("|", 2)
    if f"tag: v{NEXT}" in names.split(", ") and not is_changed:
        return NEXT
    time = datetime.fromtimestamp(int(seconds), UTC)
    return f"{NEXT}.dev{time:%Y%m%d%H%M}+g{digits}{'.changed' if is_changed else ''}"


def _of_sdist() -> str | None:
    try:
        metadata = (ROOT / "PKG-INFO").read_text(encoding="utf-8")
    except OSError:
        return None
    found = re.search(r"^Version: (.+)$", metadata, re.MULTILINE)
    return found[1] if found else None
