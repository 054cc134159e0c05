"""The sources that results depend on: the modules that play imports, by what they do."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

import icetable
from icetable import sources
from icetable.sources import changed, game_sources, sources_of, sources_of_file

FILES = {
    "__init__": "",
    "rules": '"""The rules."""\nfrom made_up.board import SIZE\n\ndef score(stones):\n    return SIZE * stones\n',
    "board": "SIZE = 4\n",
    "lessons": "from made_up import rules\n",
}


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.syspath_prepend(tmp_path)
    folder = tmp_path / "made_up"
    folder.mkdir()
    for name, text in FILES.items():
        (folder / f"{name}.py").write_text(text)
    return folder


def read(*names: str) -> sources.Sources:
    """The sources as a new process finds them."""
    for known in (sources_of, sources._file, sources._folders, sources._module):
        known.cache_clear()
    return sources_of(*names)


def test_imported_modules_belong_to_the_sources(package: Path) -> None:
    assert set(read("made_up.rules")) == {"made_up.rules", "made_up.board"}
    assert set(read("made_up.lessons")) == {"made_up.lessons", "made_up", "made_up.rules", "made_up.board"}
    assert read("made_up.nothing") == {}


@pytest.mark.parametrize(
    "text",
    [
        "from made_up.board import SIZE\n\n\n\ndef score(stones):  # counts them\n    return SIZE * stones\n",
        '"""Other."""\nfrom made_up.board import SIZE\ndef score(stones):\n  """Sum."""\n  return (SIZE * stones)\n',
        'from made_up.board import SIZE\n"""In spaces."""\ndef score(stones):\n    return SIZE * stones',
    ],
    ids=["comments", "documentation", "layout"],
)
def test_words_change_nothing(package: Path, text: str) -> None:
    before = read("made_up.lessons")
    (package / "rules.py").write_text(text)
    assert read("made_up.lessons") == before


def test_a_change_of_a_module_changes_its_hash_alone(package: Path) -> None:
    before = read("made_up.lessons")
    (package / "board.py").write_text("SIZE = 5\n")
    now = read("made_up.lessons")
    assert changed(before, now) == "made_up.board"
    (package / "rules.py").write_text(FILES["rules"].replace("*", "+"))
    assert changed(before, read("made_up.lessons")) == "made_up.board, made_up.rules"
    assert changed("an older hash", now) == "icetable"


def test_types_are_no_part_of_it(package: Path) -> None:
    (package / "rules.py").write_text(
        dedent("""
            from typing import TYPE_CHECKING
            if TYPE_CHECKING:
                from made_up.lessons import Lesson
        """)
    )
    assert set(read("made_up.rules")) == {"made_up.rules"}


def test_files_that_are_no_modules(tmp_path: Path) -> None:
    path = tmp_path / "weights.npz"
    assert sources_of_file(path) == {}
    path.write_bytes(b"1")
    before = sources_of_file(path)
    path.write_bytes(b"2")
    assert changed(before, sources_of_file(path)) == "weights.npz"


def test_games_are_not_made_of_each_other() -> None:
    for info in icetable.list_games():
        found = set(game_sources(info, "icetable.lab.plan"))
        assert f"icetable.games.{info.name}.rules" in found
        assert {"icetable.core.turns", "icetable.core.realtime", "icetable.bots.search"} <= found
        own = f"icetable.games.{info.name}"
        assert all(name.startswith(own) for name in found if name.startswith("icetable.games."))
        assert not {"icetable.lab.measures", "icetable.lab.studies"} & found
