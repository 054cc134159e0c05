"""The shape of the house: imports point one way, games keep to their folders, and no file holds what it must not."""

from __future__ import annotations

import ast
import functools
import io
import re
import shutil
import subprocess
import tokenize
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

import icetable
from icetable.sources import BLOCK_FIELDS
from tests.circles import circles

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src"
PACKAGE = SOURCE / "icetable"

LAYERS = (
    "folders version",
    "kernels",
    "core",
    "sources workers",
    "extras",
    "workshop",
    "games",
    "",
    "bots",
    "analysis",
    "lab envs server",
    "cli",
    "__main__",
)
"""From the bottom up; "" is the public interface. Parts of one layer do not import each other."""
LEVELS = {part: level for level, parts in enumerate(LAYERS) for part in parts.split(" ")}

FLOORS = (
    "",
    "messages errors names metrics logs rate_limits position_cache gil bot_games",
    "apart chat",
    "table",
    "tournament",
    "store",
    "live",
    "http",
)
"""The floors of the server, from the bottom up. Parts of one floor do not import each other."""
FLOOR_LEVELS = {part: level for level, parts in enumerate(FLOORS) for part in parts.split(" ")}

INPUT_AND_OUTPUT = {
    *("asyncio", "concurrent", "multiprocessing", "signal", "subprocess", "threading"),
    *("fcntl", "io", "os", "pathlib", "shutil", "sqlite3", "tempfile"),
    *("http", "select", "selectors", "socket", "ssl", "starlette", "urllib", "uvicorn", "uvloop", "websockets"),
    "logging",
}
"""Modules that PURE does without."""
PURE = ("table", "names", "chat", "tournament")
"""The parts of the server that only say what a table, a name, a chat or a tournament is."""

MODULES = sorted(PACKAGE.rglob("*.py"))


def dotted(path: Path) -> str:
    """The name of a module of the product."""
    parts = path.relative_to(SOURCE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


NAMES = {dotted(path) for path in MODULES}


@functools.cache
def statements(path: Path) -> list[ast.AST]:
    """A module and all statements in it, wherever they stand."""
    found: list[ast.AST] = [ast.parse(path.read_text(encoding="utf-8"))]
    for node in found:
        found += (one for part in BLOCK_FIELDS for one in getattr(node, part, ()))
    return found


@functools.cache
def imports(path: Path) -> frozenset[str]:
    """All modules that a module imports, wherever in it and for whatever end."""
    found: set[str] = set()
    for node in statements(path):
        if isinstance(node, ast.Import):
            found.update(name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            assert node.module is not None
            inner = [f"{node.module}.{name.name}" for name in node.names]
            found.update(name if name in NAMES else node.module for name in inner)
    return frozenset(found)


def place(module: str) -> tuple[str, str]:
    """The part of the product that a module belongs to, and within `games` the game."""
    part, _, rest = module.partition(".")[2].partition(".")
    return part, rest.partition(".")[0] if part == "games" else ""


SMALL_GAMES = "icetable.games.small"
"""Small versions of several games, which no game imports."""


def pairs(paths: Iterable[Path]) -> Iterator[tuple[str, str]]:
    """Modules, and each one that they import."""
    return ((dotted(path), module) for path in paths for module in sorted(imports(path)))


def test_imports_point_one_way() -> None:
    for name, module in pairs(MODULES):
        assert module.partition(".")[0] not in ("tests", "conftest", "tools", "pytest", "hypothesis"), name
        if module.partition(".")[0] == "icetable":
            (part, game), (other, other_game) = place(name), place(module)
            assert LEVELS[other] < LEVELS[part] or other == part, f"{name} imports {module}"
            assert other_game in ("", game) or name == SMALL_GAMES, f"{name} imports {module}"


def test_no_circle_of_imports() -> None:
    """Imports within functions and those for types count."""
    graph = {dotted(path): imports(path) & NAMES - {dotted(path)} for path in MODULES}
    assert circles(graph) == []


def test_the_floors_of_the_server() -> None:
    for name, module in pairs(path for path in MODULES if PACKAGE / "server" in path.parents):
        part = floor(name)
        if module.startswith("icetable.server."):
            other = floor(module)
            assert FLOOR_LEVELS[other] < FLOOR_LEVELS[part] or other == part, f"{name} imports {module}"
        if part in PURE:
            assert module.partition(".")[0] not in INPUT_AND_OUTPUT, f"{name} imports {module}"


def floor(module: str) -> str:
    """The part of the server that a module belongs to."""
    return module.removeprefix("icetable.server").lstrip(".").partition(".")[0]


MAX_FILES = 12
"""Maximum number of files in a folder of the server."""
MAX_PARAMETERS = 8


def test_the_rooms_of_the_server_are_few_and_its_functions_take_little() -> None:
    in_server = sorted((PACKAGE / "server").rglob("*.py"))
    files = Counter(path.parent for path in in_server)
    assert {folder: count for folder, count in files.items() if count > MAX_FILES} == {}
    for path in [*in_server, PACKAGE / "cli" / "server.py"]:
        for node in ast.walk(statements(path)[0]):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                taken = [one for one in (*node.args.args, *node.args.kwonlyargs) if one.arg not in ("self", "cls")]
                assert len(taken) <= MAX_PARAMETERS, f"{path}: {node.name}"


GPU = "icetable.kernels.cuda"


def test_only_one_file_knows_each_compiler() -> None:
    """The one for the processor, and the one for a GPU, which is imported only in a function that needs it."""
    by_module = {dotted(path): {module.partition(".")[0] for module in imports(path)} for path in MODULES}
    assert {name for name, used in by_module.items() if used & {"numba", "llvmlite"}} == {GPU, "icetable.kernels.jit"}
    assert {name for name, used in by_module.items() if used & {"numba_cuda", "cuda"}} == {GPU}
    assert {name for name, module in pairs(MODULES) if module == GPU} == {"icetable.core.turns"}
    turns = statements(PACKAGE / "core" / "turns.py")[0]
    assert isinstance(turns, ast.Module)
    at_once = [one for one in turns.body if isinstance(one, ast.ImportFrom) and one.module == "icetable.kernels"]
    assert all(name.name != "cuda" for one in at_once for name in one.names)


def test_the_parts_are_all_known() -> None:
    assert {place(name)[0] for name in NAMES} <= set(LEVELS)


# One name for one thing

WIRE = re.compile(
    r"icetable\.(server\.(messages\.\w+|store\.pubsub)|workshop\.view|games\.\w+\.(view|review\.(parts|page)))"
)
"""Messages are named after what they tell of, and each game's view has its own words, often the same ones."""


WORKSHOP = {"Board", "Game", "Pyramid", "Table"}
"""The words that designers write in their files, where nothing else is in sight."""


def public_classes(path: Path) -> Iterator[str]:
    """The names of a module's public classes."""
    module = statements(path)[0]
    assert isinstance(module, ast.Module)
    for node in module.body:
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            yield node.name


def test_no_two_classes_share_a_name() -> None:
    places = defaultdict(list)
    for path in MODULES:
        if not WIRE.fullmatch(dotted(path)):
            here = set(public_classes(path)) - (WORKSHOP if "icetable.workshop" in dotted(path) else set())
            for name in here:
                places[name].append(dotted(path))
    assert {name: modules for name, modules in places.items() if len(modules) > 1} == {}


# What belongs to one game stands in its own folders


@functools.cache
def game_words() -> re.Pattern[str]:
    """A pattern of the names and titles of games, and of the ids of their rules."""
    words = [word for info in icetable.list_games() for word in (info.name, info.title)]
    rules = [rf"{info.rule_prefix}-[0-9]+" for info in icetable.list_games()]
    return re.compile(rf"\b({'|'.join([*map(re.escape, words), *rules])})\b", re.IGNORECASE)


def python_words(path: Path) -> str:
    """Names and texts of a Python file, without comments and docstrings."""
    source = path.read_text(encoding="utf-8")
    docstrings = {
        node.body[0].lineno
        for node in statements(path)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        and ast.get_docstring(node) is not None
    }
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    return "\n".join(
        token.string
        for token in tokens
        if token.type != tokenize.COMMENT and not (token.type == tokenize.STRING and token.start[0] in docstrings)
    )


def web_words(path: Path) -> str:
    """The text of a file of the browser's, without comments."""
    return re.sub(r"/\*.*?\*/|<!--.*?-->|(?<![:'\"`])//[^\n]*", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)


def files_that_know_no_game() -> Iterator[Path]:
    """The product and what tests all games, less the folders of the games."""
    for folder in (PACKAGE, ROOT / "tests" / "conformance", ROOT / "tests" / "core", ROOT / "tests" / "kernels"):
        yield from (path for path in sorted(folder.rglob("*.py")) if PACKAGE / "games" not in path.parents)
    yield Path(__file__)
    web = ROOT / "web" / "src"
    for path in sorted(web.rglob("*")):
        if path.suffix in (".ts", ".svelte", ".css", ".html") and not path.name.endswith(".test.ts"):
            yield from [path] if web / "games" not in path.parents else []


def test_no_game_outside_its_folders() -> None:
    for path in files_that_know_no_game():
        if game_words().search(path.read_text(encoding="utf-8")):
            words = python_words(path) if path.suffix == ".py" else web_words(path)
            assert game_words().findall(words) == [], path
        assert game_words().findall(path.stem) == [], path


def test_game_words_are_found() -> None:
    info = icetable.list_games()[0]
    for text in (f"load('{info.name}')", info.title.upper(), f"({info.rule_prefix}-1)"):
        assert game_words().search(text)
    assert not game_words().search(f"my{info.name}")


# What must not be in the project

FORBIDDEN = {
    "a registry's address": r"pypi\.org|pythonhosted\.org|npmjs\.(org|com)|debian\.org|crates\.io|anaconda\.(org|com)",
    "a path of some machine": r"/(?<![\w.]/)(work|root|home/\w+)/[\w.]",
}


def tracked_files() -> list[Path]:
    """The files that git has or would take."""
    git = shutil.which("git")
    if git is None or not (ROOT / ".git").exists():
        pytest.skip("not a checkout")
    listed = subprocess.run(
        [git, "ls-files", "--cached", "--others", "--exclude-standard", "-z"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return [path for name in listed.stdout.split("\0") if name and (path := ROOT / name).is_file()]


@pytest.mark.parametrize("what", FORBIDDEN)
def test_nothing_forbidden(what: str) -> None:
    found = []
    for path in tracked_files():
        text = path.read_bytes().decode("utf-8", "replace")
        found += [f"{path.relative_to(ROOT)}: {hit.group()}" for hit in re.finditer(FORBIDDEN[what], text)]
    assert found == []


def test_forbidden_things_are_found() -> None:
    hosts, paths = FORBIDDEN.values()
    assert re.search(hosts, "https://{}.org/simple".format("pypi"))
    assert re.search(paths, "cd /{}/main".format("root"))
    assert not re.search(paths, "src/{0}/main, ../{1}/x, /{1}ed/x".format("work", "root"))
