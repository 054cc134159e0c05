"""Hashes of the source files that results depend on, to find stale results and name the changed modules.

Comments, docstrings and layout do not affect the hashes. They cover whole modules, as text and without importing them,
so that two machines can compare what they have. What one compiled kernel is made of, with the values that it has found
in memory, is another question: `kernels.fingerprints` answers it.
"""

from __future__ import annotations

import ast
import functools
import hashlib
from importlib import resources
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

Sources = dict[str, str]
"""Short hashes of modules and other files, by name."""
MAX_NAMED = 3
BLOCK_FIELDS = "body", "handlers", "orelse", "finalbody", "cases"
SAME_SOURCES_HINT = "install the same version there, and don't edit its files while it works"
"""Advice about a worker with other sources."""
ENTRY_MODULES = ("", ".compiled", ".game", ".levels", ".solve", ".view")
"""The modules of a game's package whose imports are followed."""


if TYPE_CHECKING:
    from icetable.core.game import GameInfo


def game_sources(info: GameInfo, *players: str) -> Sources:
    """The sources of a game and of the modules that play it. Games can change only if one of these changes."""
    package = info.package or f"icetable.games.{info.name}"
    modules = sources_of(*(f"{package}{part}" for part in ENTRY_MODULES), *players)
    if info.source:
        return modules | {info.name: info.source}
    with resources.as_file(info.folder / "weights.npz") as weights:
        return modules | sources_of_file(weights)


@functools.cache
def sources_of(*names: str) -> Sources:
    """The sources of modules and of all modules of the same project that they import, recursively.

    Modules that do not exist are skipped.
    """
    return {name: _module(name)[1] for name in sorted(_imported(*(name for name in names if _file(name))))}


def sources_of_file(path: Path) -> Sources:
    """The hash of a file that is not a module, by its name; empty if the file does not exist."""
    return {path.name: _short(path.read_bytes())} if path.is_file() else {}


def changed(before: object, now: Mapping[str, str]) -> str:
    """The modules that differ between two sets of sources, in words."""
    if not isinstance(before, dict):
        return "icetable"
    names = sorted(name for name in {*before, *now} if before.get(name) != now.get(name))
    more = len(names) - MAX_NAMED
    return ", ".join(names[:MAX_NAMED]) + (f" and {more} more" if more > 0 else "")


def _imported(*names: str) -> set[str]:
    """These modules and all modules of the project that they import, recursively."""
    found: set[str] = set()
    queue = list(names)
    while queue:
        name = queue.pop()
        if name not in found:
            found.add(name)
            queue += _module(name)[0]
    return found


@functools.cache
def _module(name: str) -> tuple[tuple[str, ...], str]:
    """A module's imports from the project at run time, and its hash."""
    file = _file(name)
    tree = ast.parse(file.read_bytes() if file is not None else b"")
    return tuple(_imports(name, tree)), _short(_serialized(tree).encode())


def _imports(name: str, tree: ast.AST) -> Iterator[str]:
    imported: list[str] = []
    for node in _runtime_nodes(tree):
        if isinstance(node, ast.Import):
            imported += (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            imported += (node.module, *(f"{node.module}.{alias.name}" for alias in node.names))
    own = {name.partition(".")[0], "icetable"}
    return (found for found in imported if found.partition(".")[0] in own and found != "icetable" and _file(found))


def _runtime_nodes(node: ast.AST) -> Iterator[ast.AST]:
    """A node and all statements below it, without those under TYPE_CHECKING."""
    yield node
    for statement in (child for field in BLOCK_FIELDS for child in getattr(node, field, ())):
        if not (isinstance(statement, ast.If) and ast.unparse(statement.test) == "TYPE_CHECKING"):
            yield from _runtime_nodes(statement)


@functools.cache
def _file(name: str) -> Path | None:
    """The file of a module, found without importing it; None if there is none."""
    package, _, last = name.rpartition(".")
    candidates = [folder / "__init__.py" for folder in _folders(name)]
    candidates += [folder / f"{last}.py" for folder in (_folders(package) if package else ())]
    return next((file for file in candidates if file.is_file()), None)


@functools.cache
def _folders(package: str) -> tuple[Path, ...]:
    parent, _, last = package.rpartition(".")
    if parent:
        return tuple(path for folder in _folders(parent) if (path := folder / last).is_dir())
    spec = find_spec(package)
    return tuple(map(Path, (spec and spec.submodule_search_locations) or ()))


def _serialized(tree: ast.AST) -> str:
    """A syntax tree as text, the same in all versions of Python that support its syntax."""
    words: list[str] = []
    _serialize(tree, words)
    return "".join(words)


def _serialize(node: object, words: list[str]) -> None:
    if isinstance(node, ast.AST):
        words.append(type(node).__name__)
        for name in node._fields:
            part = getattr(node, name, None)
            if part is not None and part != []:
                words.append(f"({name} ")
                _serialize(part, words)
                words.append(")")
    elif isinstance(node, list):
        for child in node:
            if not _is_docstring(child):
                _serialize(child, words)
                words.append(",")
    else:
        words.append(repr(node))


def _is_docstring(node: object) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def _short(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:16]
