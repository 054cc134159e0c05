"""What results depend on: a change makes stale what was made with the module that changed, and can be named.

Of a module counts what it does: comments, the texts that document it and its layout may change.
"""

from __future__ import annotations

import ast
import functools
import hashlib
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

Sources = dict[str, str]
"""A short hash of each module, and perhaps of other files, by name."""

MAX_NAMED = 3
PARTS = "body", "handlers", "orelse", "finalbody", "cases"
"""Where statements hold others."""

SAME_SOURCES = "install the same version there, and edit none of its files while it works"
"""What to do about a worker that has other sources."""


@functools.cache
def sources_of(*names: str) -> Sources:
    """The sources of these modules, of all modules of the same project that they import, and so on.

    Names of modules that are not there are left out.
    """
    return {name: _module(name)[1] for name in sorted(_imported(*(name for name in names if _file(name))))}


def sources_of_file(path: Path) -> Sources:
    """The sources that are in a file which is no module, by its name; none where it is not there."""
    return {path.name: _short(path.read_bytes())} if path.is_file() else {}


def changed(before: object, now: Mapping[str, str]) -> str:
    """What is not the same in two states of the sources, in words."""
    if not isinstance(before, dict):
        return "icetable"
    names = sorted(name for name in {*before, *now} if before.get(name) != now.get(name))
    more = len(names) - MAX_NAMED
    return ", ".join(names[:MAX_NAMED]) + (f" and {more} more" if more > 0 else "")


def _imported(*names: str) -> set[str]:
    """These modules and all modules of this project that they import, and so on."""
    found: set[str] = set()
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += _module(name)[0]
    return found


@functools.cache
def _module(name: str) -> tuple[tuple[str, ...], str]:
    """What a module of this project imports of it when it runs, and its hash."""
    file = _file(name)
    tree = ast.parse(file.read_bytes() if file is not None else b"")
    return tuple(_imports(name, tree)), _short(_told(tree).encode())


def _imports(name: str, tree: ast.AST) -> Iterator[str]:
    imported: list[str] = []
    for node in _running(tree):
        if isinstance(node, ast.Import):
            imported += (one.name for one in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            imported += (node.module, *(f"{node.module}.{one.name}" for one in node.names))
    own = {name.partition(".")[0], "icetable"}
    return (one for one in imported if one.partition(".")[0] in own and one != "icetable" and _file(one))


def _running(node: ast.AST) -> Iterator[ast.AST]:
    """A node and all statements below it but what only type checkers read."""
    yield node
    for below in (one for part in PARTS for one in getattr(node, part, ())):
        if not (isinstance(below, ast.If) and ast.unparse(below.test) == "TYPE_CHECKING"):
            yield from _running(below)


@functools.cache
def _file(name: str) -> Path | None:
    """The file of a module, found without importing it; None where there is none."""
    package, _, last = name.rpartition(".")
    candidates = [folder / "__init__.py" for folder in _folders(name)]
    candidates += [folder / f"{last}.py" for folder in (_folders(package) if package else ())]
    return next((file for file in candidates if file.is_file()), None)


@functools.cache
def _folders(package: str) -> tuple[Path, ...]:
    """Where the modules of a package are."""
    around, _, last = package.rpartition(".")
    if around:
        return tuple(path for folder in _folders(around) if (path := folder / last).is_dir())
    spec = find_spec(package)
    return tuple(map(Path, (spec and spec.submodule_search_locations) or ()))


def _told(tree: ast.AST) -> str:
    """A syntax tree as text, the same in all versions of Python that know all that is in it."""
    words: list[str] = []
    _tell(tree, words)
    return "".join(words)


def _tell(node: object, words: list[str]) -> None:
    if isinstance(node, ast.AST):
        words.append(type(node).__name__)
        for name in node._fields:
            part = getattr(node, name, None)
            if part is not None and part != []:
                words.append(f"({name} ")
                _tell(part, words)
                words.append(")")
    elif isinstance(node, list):
        for one in node:
            if not _documents(one):
                _tell(one, words)
                words.append(",")
    else:
        words.append(repr(node))


def _documents(node: object) -> bool:
    """Whether a statement is only a text."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def _short(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:16]
