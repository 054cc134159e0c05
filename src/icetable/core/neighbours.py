"""Python files that are loaded by path. Each is a module of its own, and so are the files beside it that it imports.

Two files may share a name, and so may what they import: nothing of one file reaches another. As in a script, files and
folders beside a file come before installed packages, but not before the standard library.
"""

from __future__ import annotations

import ast
import functools
import hashlib
import importlib.util
import linecache
import os
import re
import sys
from collections.abc import Iterator, Mapping
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

NO_NAME = re.compile(r"\W")
"""What the name of a module can't contain."""
INSTALLED = ("site-packages", "dist-packages")
"""The folders of installed packages, which are no neighbours of each other."""
_TEXTS: dict[str, bytes] = {}
"""What files contain for this process, by path, if not what is on the disk."""
_FOLDERS: dict[str, Path] = {}
"""The folder of each loaded file, by the name of the package that its module and its neighbours are in."""


def load_module(file: Path, prefix: str, text: bytes | None = None) -> ModuleType:
    """Run a file, and the neighbours that it imports, as new modules. If it fails, those loaded before stay.

    `prefix`: the beginning of the names of the modules. `text`: what the file is to contain for this process, even if
    it has changed since. Raises whatever the file raises.
    """
    if text is not None:
        _TEXTS[str(file)] = text
        lines = importlib.util.decode_source(text).splitlines(keepends=True)
        linecache.cache[str(file)] = len(text), None, lines, str(file)
    package = prefix + hashlib.sha256(str(file).encode()).hexdigest()[:16]
    name = f"{package}.{NO_NAME.sub('_', file.stem)}"
    if _finder not in sys.meta_path:
        sys.meta_path.insert(0, _finder)
    importlib.invalidate_caches()
    before = _forget(package)
    folder = sys.modules[package] = ModuleType(package)
    folder.__path__ = [str(file.parent)]
    _FOLDERS[package] = file.parent
    spec = importlib.util.spec_from_file_location(name, file, loader=_Loader(name, str(file)))
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except BaseException:
        _forget(package)
        sys.modules.update(before)
        raise
    return module


def _forget(package: str) -> Mapping[str, ModuleType]:
    """Remove the modules of a package, and return them."""
    return {name: sys.modules.pop(name) for name in list(sys.modules) if f"{name}.".startswith(f"{package}.")}


def files_with_neighbours(file: Path) -> dict[Path, bytes]:
    """A file and the neighbours that it imports anywhere, with their contents, as far as they can be read."""
    found: dict[Path, bytes] = {}
    waiting = [file]
    while waiting:
        one = waiting.pop()
        if one not in found:
            try:
                found[one] = _TEXTS[str(one)] if str(one) in _TEXTS else one.read_bytes()
                waiting += _imported(one, file.parent, ast.parse(found[one]))
            except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):  # it fails where it is imported
                continue
    return dict(sorted(found.items()))


def labels_of(files: Sequence[Path]) -> list[str]:
    """Short names for files that tell them apart: with their path from the folder that they share, if need be.

    >>> labels_of([Path("/games/v1/race.py"), Path("/games/v2/race.py")])
    ['v1/race.py', 'v2/race.py']
    """
    if len({file.name for file in files}) == len(set(files)):
        return [file.name for file in files]
    shared = os.path.commonpath([file.parent for file in files])
    return [file.relative_to(shared).as_posix() for file in files]


def _imported(file: Path, folder: Path, tree: ast.AST) -> Iterator[Path]:
    """The neighbours that a file imports."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                if _is_beside(folder, alias.name):
                    yield from _files_of(folder, alias.name)
        elif isinstance(node, ast.ImportFrom) and (node.level or _is_beside(folder, node.module or "")):
            base = file.parents[node.level - 1] if node.level else folder
            for alias in node.names:
                yield from _files_of(base, f"{node.module}.{alias.name}" if node.module else alias.name)


def _files_of(folder: Path, module: str) -> Iterator[Path]:
    """The files of a module and of the packages around it."""
    parts = module.split(".")
    for count in range(1, len(parts) + 1):
        yield from _candidates(folder.joinpath(*parts[:count]))


def _candidates(module: Path) -> list[Path]:
    return [file for file in (module.with_name(f"{module.name}.py"), module / "__init__.py") if file.is_file()]


def _is_beside(folder: Path, module: str) -> bool:
    """Whether an import means a file or a folder beside the file."""
    first = module.partition(".")[0]
    if first in sys.stdlib_module_names or first == "icetable" or folder.name in INSTALLED:
        return False
    return bool(_candidates(folder / first)) or ((folder / first).is_dir() and not _is_installed(first))


def _is_installed(package: str) -> bool:
    """Whether there is a package, and not just a folder of this name."""
    if package in sys.modules:
        return getattr(sys.modules[package], "__file__", None) is not None
    spec = importlib.util.find_spec(package)
    return spec is not None and spec.origin is not None


class _Imports(ast.NodeTransformer):
    """Writes the imports of neighbours as imports from the package of the loaded file."""

    def __init__(self, package: str) -> None:
        self.package = package
        self.is_beside = functools.partial(_is_beside, _FOLDERS[package])

    def visit_Import(self, node: ast.Import) -> list[ast.Import]:
        aliases: list[ast.alias] = []
        for alias in node.names:
            if not self.is_beside(alias.name):
                aliases.append(alias)
                continue
            first = alias.name.partition(".")[0]
            aliases.append(ast.alias(f"{self.package}.{alias.name}", alias.asname or first))
            if alias.asname is None and first != alias.name:  # `import a.b` binds a
                aliases.append(ast.alias(f"{self.package}.{first}", first))
        return [ast.copy_location(ast.Import([alias]), node) for alias in aliases]

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.ImportFrom:
        if not node.level and self.is_beside(node.module or ""):
            node.module = f"{self.package}.{node.module}"
        return node


class _Loader(SourceFileLoader):
    """Loads a file from its source: Python's cached bytecode may be older if a file is saved twice in a second."""

    def get_data(self, path: Any) -> bytes:
        return _TEXTS[path] if path in _TEXTS else super().get_data(path)

    def path_stats(self, path: Any) -> Mapping[str, Any]:
        raise OSError  # as for a source without cached bytecode

    def source_to_code(self, data: Any, path: Any, *, _optimize: int = -1) -> Any:  # type: ignore[override]
        tree = _Imports(self.name.partition(".")[0]).visit(ast.parse(data, path))
        return compile(ast.fix_missing_locations(tree), path, "exec", dont_inherit=True, optimize=_optimize)


class _Finder(MetaPathFinder):
    """Finds the neighbours of loaded files."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname.partition(".")[0] not in _FOLDERS:
            return None
        spec = PathFinder.find_spec(fullname, path, target)
        if spec is not None and isinstance(spec.loader, SourceFileLoader):
            spec.loader = _Loader(spec.loader.name, spec.loader.path)
        return spec


_finder = _Finder()
