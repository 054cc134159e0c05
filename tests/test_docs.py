"""Files and names in the documents exist."""

from __future__ import annotations

import doctest
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from icetable.workshop import files

ROOT = Path(__file__).parent.parent
DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
BASES = (ROOT, ROOT / "src" / "icetable", ROOT / "web" / "src")
"""Paths are written from one of these."""
GAMES = ROOT / "src" / "icetable" / "games"
PATH = re.compile(r"`([\w<>./-]+/[\w<>./-]*|[\w<>-]+\.(?:py|ts|svelte|md))`")
LINK = re.compile(r"\]\((?!https?://)([^)#]*)(?:#[^)]*)?\)")
SESSION = re.compile(r"^```pycon\n(.*?)^```$", re.MULTILINE | re.DOTALL)
GAME = re.compile(r"^```python\n((?:(?!```).)*?^class (\w+)\(.*?)^```$", re.MULTILINE | re.DOTALL)
ROW = re.compile(r"^\| (?!word \||---)", re.MULTILINE)


def named(text: str) -> Iterator[str]:
    """The paths in a text that begin with a folder of the project."""
    roots = {path.name for base in BASES for path in base.iterdir() if path.is_dir()}
    yield from (path for path in PATH.findall(text) if path.partition("/")[0] in roots)


def exists(path: str) -> bool:
    """Whether there is such a file or folder, for every game where the path leaves the game open."""
    games = [folder.name for folder in GAMES.iterdir() if (folder / "__init__.py").is_file()]
    wanted = [path.replace("<name>", game) for game in games] if "<name>" in path else [path]
    return any(all((base / one).exists() for one in wanted) for base in BASES)


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_every_path_that_a_document_names_exists(document: Path) -> None:
    assert [path for path in named(document.read_text(encoding="utf-8")) if not exists(path)] == []


def test_all_reasons_to_reject_something_are_told() -> None:
    """The labels of a metric, which are given directly or as the first text of a call that counts."""
    sources = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "src/icetable/server").rglob("*.py"))
    patterns = (
        r'REJECTED\.labels\("(\w+)"\)',
        r'_reject_message\("(\w+)"',
        r'_reject\([\w.]+, "(\w+)"',
        r'charge\(\s*quota(?:_of\(request\))?\.\w+, "(\w+)"',
        r'partial\(charge, quota_of\(request\)\.\w+, "(\w+)"\)',
    )
    counted = {reason for pattern in patterns for reason in re.findall(pattern, sources)}
    table = (ROOT / "docs" / "running.md").read_text(encoding="utf-8").split("| Reason ")[1].split("\n\n")[0]
    assert set(re.findall(r"^\| `(\w+)`", table, re.MULTILINE)) == counted
    assert len(counted) > 12


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_every_link_within_the_project_leads_somewhere(document: Path) -> None:
    links = LINK.findall(document.read_text(encoding="utf-8"))
    assert [link for link in links if link and not (document.parent / link).exists()] == []


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_sessions_go_as_they_are_printed(document: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """They write the pictures beside the document. The games that it shows whole are there as files."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(files, "REGISTERED", {})
    for block, name in GAME.findall(document.read_text(encoding="utf-8")):
        Path(f"{name.lower()}.py").write_text(block, encoding="utf-8")
    sessions = "\n".join(SESSION.findall(document.read_text(encoding="utf-8")))
    examples = doctest.DocTestParser().get_doctest(sessions, {}, document.name, str(document), 0)
    assert doctest.DocTestRunner().run(examples).failed == 0
    for written in tmp_path.glob("*.svg"):
        assert written.read_bytes() == (document.parent / "pictures" / written.name).read_bytes()


def test_the_readme_is_one_page_with_an_example() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert text.count("\n") <= 120
    assert ">>> import icetable" in "".join(SESSION.findall(text))


def test_the_glossary_is_short() -> None:
    words = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8").split("## Words\n")[1].split("\n## ")[0]
    assert 10 < len(ROW.findall(words)) <= 25


def test_wrong_paths_are_found() -> None:
    text = "`games/<name>/rules.py`, `kernels/jit.py`, `games/<name>/faults.py`, `server/nothing.py`, `S@b1`"
    assert [path for path in named(text) if not exists(path)] == ["games/<name>/faults.py", "server/nothing.py"]
