"""The shape of the front end: no circle of imports, and folders that import one way. Imports of types count."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import icetable
from tests.circles import circles

WEB = Path(__file__).parent.parent / "web" / "src"
SUFFIXES = (".ts", ".svelte")
IMPORT = re.compile(r"""(?:\b(?:import|export)\b[^'"`;]*?\bfrom\s*|\bimport\s*\(?\s*)['"](\.[^'"]+)['"]""")

FLOORS = (
    "wire report",
    "app",
    "pieces",
    "board",
    "chapters",
    "games/*",
    "games/registry games/reviews settings",
    "rules review",
    "analysis",
    "table/state",
    "table/session",
    "table/menu",
    "table/chat table/result table/seats",
    "table/analysis table/status",
    "table/dialogs table/moves",
    "table",
    "table/practice",
    "learn lobby playtest puzzles",
    "mistakes tournament",
    "",
)
"""From the bottom up; "" is the app itself, `games/*` is one game; floors of one entry do not import each other."""
LEVELS = {name: level for level, names in enumerate(FLOORS) for name in names.split(" ")}
GAMES = {info.name for info in icetable.list_games()} | {"turns"}


def source_files() -> list[Path]:
    """The files of the front end, without its tests."""
    return [path for path in sorted(WEB.rglob("*")) if path.suffix in SUFFIXES and not path.name.endswith(".test.ts")]


def imports(path: Path) -> set[str]:
    """The files that a file imports, by their paths in the front end. Pictures and style sheets do not count."""
    found = set()
    for match in IMPORT.finditer(path.read_text(encoding="utf-8")):
        target = (path.parent / match[1].partition("?")[0]).resolve()
        candidates = [target, *(target.with_name(target.name + end) for end in (*SUFFIXES, ".svelte.ts"))]
        file = next((one for one in candidates if one.is_file()), None)
        assert file is not None, f"{path.relative_to(WEB)} imports {match[1]}, which is no file"
        if file.suffix in SUFFIXES:
            found.add(file.relative_to(WEB).as_posix())
    return found


GRAPH = {path.relative_to(WEB).as_posix(): imports(path) for path in source_files()}


def floor(file: str) -> str:
    """The floor of a file: its folder, and of a game and the table the folder in that."""
    first, _, rest = file.partition("/")
    if not rest:
        return "wire" if file == "wire.ts" else ""
    second = rest.partition("/")[0]
    if first == "games" and (second in GAMES or second in ("registry.ts", "reviews.ts")):
        return f"games/{second.removesuffix('.ts')}"
    if first == "table" and second != rest:
        return f"table/{second}"
    return first


def level(name: str) -> int:
    """How high a floor is."""
    return LEVELS["games/*" if name.partition("/")[2] in GAMES else name]


def test_no_circle_between_files() -> None:
    assert circles(GRAPH) == []


def test_no_circle_between_folders() -> None:
    folders: dict[str, set[str]] = {}
    for file, targets in GRAPH.items():
        folders.setdefault(folder(file), set()).update({folder(target) for target in targets} - {folder(file)})
    assert circles(folders) == []


def folder(file: str) -> str:
    """The folder of a file; the parts of a board belong to it.

    A file beside folders stands alone: `wire.ts` is below them all, the app above.
    """
    parent = Path(file).parent.as_posix()
    return file if parent in (".", "games") else parent.removesuffix("/parts")


@pytest.mark.parametrize("file", GRAPH)
def test_imports_point_one_way(file: str) -> None:
    here = floor(file)
    for target in sorted(GRAPH[file]):
        there = floor(target)
        assert here == there or level(there) < level(here), f"{file} imports {target}"


def test_one_file_asks_the_system_about_motion() -> None:
    """Everything else follows `app/motion.svelte.ts` or the attribute `data-motion`: users may choose otherwise."""
    files = [*source_files(), *WEB.rglob("*.css")]
    asking = [path.relative_to(WEB).as_posix() for path in files if "prefers-reduced-motion" in path.read_text("utf-8")]
    assert asking == ["app/motion.svelte.ts"]


def test_imports_are_found(tmp_path: Path) -> None:
    texts = {
        "import { a } from './a';": "./a",
        "import type { A } from './a.svelte';": "./a.svelte",
        "import {\n  a,\n  b,\n} from '../b';": "../b",
        "export { a } from './a';": "./a",
        "import './a';": "./a",
        "const a = await import('./a');": "./a",
    }
    assert {text: match[1] for text in texts if (match := IMPORT.search(text))} == texts
    assert circles({"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": {"a"}, "e": {"e"}}) == [["a", "b", "c"], ["e"]]
