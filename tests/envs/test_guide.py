"""The guide's examples run, and the pages about environments are those of the encodings."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import environments
import pytest

import icetable
from icetable import version
from icetable.envs import space
from icetable.envs.reference import described

ROOT = Path(__file__).parent.parent.parent
GUIDE = ROOT / "docs" / "environments.md"
EXAMPLE = re.compile(r"^## (.+?)$|^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def examples() -> Iterator[Any]:
    """The examples of the guide, and of the games' pages, under their headings."""
    for page in (GUIDE, *sorted(environments.FOLDER.iterdir())):
        heading = ""
        for found in EXAMPLE.finditer(page.read_text(encoding="utf-8")):
            heading = found[1] or heading
            if found[2]:
                yield pytest.param(found[2], id=heading if page == GUIDE else page.stem)


def packages(code: str) -> set[str]:
    """The packages that a program imports."""
    names = set()
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Import):
            names |= {one.name.partition(".")[0] for one in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module.partition(".")[0])
    return names


@pytest.mark.parametrize("code", list(examples()))
def test_examples_run(code: str, capsys: pytest.CaptureFixture[str]) -> None:
    missing = sorted(name for name in packages(code) if find_spec(name) is None)
    if missing:
        pytest.skip(f"needs {', '.join(missing)}, which the tests do without")
    exec(compile(code, str(GUIDE), "exec"), {"__name__": "__main__"})
    assert capsys.readouterr().out


def test_examples_are_found() -> None:
    assert len(list(examples())) >= 2
    assert packages("import a.b\nfrom c.d import e\n") == {"a", "c"}


# The pages of the games


def test_pages_are_up_to_date_and_linked() -> None:
    """Where this fails, run `python tools/environments.py`."""
    written = {path.name: path.read_text(encoding="utf-8") for path in environments.FOLDER.iterdir()}
    assert written == environments.pages()
    guide = GUIDE.read_text(encoding="utf-8")
    assert [page for page in written if f"(environments/{page})" not in guide] == []


@pytest.mark.parametrize(
    ("game", "options"),
    [
        ("icefrogs", {"board": "hexagon", "players": 3}),
        ("wrecktangle", {"players": 4}),
        ("highrise", {"rows": 8, "cols": 3}),
        ("squad", {"players": 1}),
    ],
)
def test_a_page_tells_of_every_action_plane_and_symmetry(game: str, options: dict[str, Any]) -> None:
    one = space(game, **options)
    page = described(one)
    blocks = [
        (int(first), int(last or first)) for first, last in re.findall(r"^- (\d+)(?: to (\d+))?: ", page, re.MULTILINE)
    ]
    assert blocks[0][0] == 0
    assert [last + 1 for _, last in blocks] == [*(first for first, _ in blocks[1:]), one.encoding.actions]
    planes = re.findall(r"^- (\d+) (.+), 0 to (\d+): ", page, re.MULTILINE)
    assert planes == [(str(number), plane.name, str(plane.most)) for number, plane in enumerate(one.encoding.planes)]
    for symmetry in one.encoding.symmetries:
        assert f"- {symmetry.name}: " in page
    assert f"Version {one.encoding.version}: {one.encoding.actions} actions" in page


def test_each_page_tells_the_version_of_its_encoding() -> None:
    for info in icetable.list_games():
        encoding = info.part("encoding").describe(info.load())  # type: ignore[union-attr]
        assert environments.HISTORY[info.name][0].startswith(f"{encoding.version}: ")
        assert environments.PICTURES.joinpath(f"{info.name}.webp").is_file()


def test_the_citation_names_the_last_release_and_what_follows_has_its_section() -> None:
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    (following, *_), (released, date) = re.findall(r"^## (\S+) \N{EN DASH} (\S+)$", changes, re.MULTILINE)[:2]
    assert following == version.NEXT
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"\nversion: {released}\ndate-released: {date}\n" in citation
    assert f"version = {{{released}}}" in (ROOT / "docs" / "results.md").read_text(encoding="utf-8")
