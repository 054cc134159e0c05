"""Workshop games by class and by file, with their infos and sources.

A file is a module of its own, and so are the files beside it that it imports. Two files may share a name, and so may
what they import: nothing of one file reaches another. As in a script, files and folders beside a file come before
installed packages, but not before the standard library.
"""

from __future__ import annotations

import ast
import contextlib
import functools
import hashlib
import importlib.util
import inspect
import linecache
import os
import pickle
import re
import sys
import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from operator import attrgetter
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any
from weakref import WeakValueDictionary

from icetable.core.errors import GameError, UnknownGame
from icetable.core.game import Game as AnyGame
from icetable.core.game import GameInfo
from icetable.core.options import resolve, short_repr
from icetable.workshop.design import SET_UP, Game, file_of
from icetable.workshop.guard import DesignError, guarded
from icetable.workshop.mistakes import mistakes_in

if TYPE_CHECKING:
    from collections.abc import Sequence

    from icetable.core.parts import Measured
    from icetable.kernels.jit import Floats

NO_NAME = re.compile(r"\W")
"""What the name of a module can't contain."""
INSTALLED = ("site-packages", "dist-packages")
"""The folders of installed packages, which are no neighbours of each other."""
_TEXTS: dict[str, bytes] = {}
"""What files contain for this process, by path, if not what is on the disk."""
_FOLDERS: dict[str, Path] = {}
"""The folder of each loaded file, by the name of the package that its module and its neighbours are in."""
MODULE_PREFIX = "icetable_workshop_"
"""The prefix of the names of modules that are loaded from files."""
MAX_PLAYERS = 8
GAMES_VARIABLE = "ICETABLE_GAMES"
REGISTERED: dict[str, GameInfo] = {}
"""The registered games, by the path of their file."""
WORKSHOP = "icetable.workshop"
"""The package of the parts that all games in one class share."""


def load_module(file: Path, prefix: str, texts: Mapping[Path, bytes] | None = None) -> ModuleType:
    """Run a file, and the neighbours that it imports, as new modules. If it fails, those loaded before stay.

    `prefix`: the beginning of the names of the modules. `texts`: what files are to contain for this process, even if
    they have changed since or are gone. Raises whatever the file raises.
    """
    for path, text in (texts or {}).items():
        _TEXTS[str(path)] = text
        with contextlib.suppress(SyntaxError, ValueError):  # it fails where it is imported
            lines = importlib.util.decode_source(text).splitlines(keepends=True)
            linecache.cache[str(path)] = len(text), None, lines, str(path)
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
    files = module.with_name(f"{module.name}.py"), module / "__init__.py"
    return [file for file in files if str(file) in _TEXTS or file.is_file()]


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
        name = fullname.rpartition(".")[2]
        if given := [file for folder in path or () for file in _candidates(Path(folder) / name) if str(file) in _TEXTS]:
            return importlib.util.spec_from_file_location(fullname, given[0], loader=_Loader(fullname, str(given[0])))
        spec = PathFinder.find_spec(fullname, path, target)
        if spec is not None and isinstance(spec.loader, SourceFileLoader):
            spec.loader = _Loader(spec.loader.name, spec.loader.path)
        return spec


_finder = _Finder()


VERSIONS: WeakValueDictionary[tuple[str, str, str], WorkshopInfo] = WeakValueDictionary()
"""The games of files that this process has loaded, by `WorkshopInfo.identity`."""


@dataclass(frozen=True)
class WorkshopInfo(GameInfo):
    """The info of a workshop game.

    `design` is its class. `path`: the file in which any process finds the class; empty if there is none, as for a class
    in a notebook, an interpreter or a function.
    """

    design: type[Game] = field(default=Game, hash=False)
    path: str = ""

    @property
    def file(self) -> Path:
        """The file of its class."""
        return Path(file_of(self.design))

    @property
    def reference(self) -> str:
        return self.path if self.design.__module__.startswith(MODULE_PREFIX) else self.name

    @property
    def identity(self) -> object:
        """Its file, class and source; a class that only this process has is itself."""
        if not self.is_file:
            return super().identity
        if not self.path:
            return self.design
        return self.path, self.design.__qualname__, self.source

    def load(self, /, preset: object = None, **options: object) -> AnyGame:
        from icetable.workshop.playing import PlainGame

        complete = resolve((self.players_option, *self.options), self.presets, preset, options)
        for choice in self.design.options():
            if complete[choice.name] is None:
                complete[choice.name] = choice.default_for(complete["players"])
        chosen = {name: value for name, value in complete.items() if name != "players"}
        with guarded("__init__", str(self.file)):
            design = self.design(complete["players"], chosen)
        vars(design)[SET_UP] = True
        compiled = self.part("compiled")
        game: AnyGame = (compiled.make if compiled else PlainGame)(self, complete, design)
        return game

    @property
    def is_file(self) -> bool:
        """Whether it is a class of its own, not a package with a kernel and other parts."""
        return self.package == WORKSHOP

    def part(self, name: str) -> ModuleType | None:
        if not self.is_file:
            return super().part(name)
        if name == "levels":
            name = levels_name(bool(self.design.worth))
        return super().part(name) if name in ("levels", "levels_by_play", "encoding") else None

    def rules(self) -> str:
        return f"# {self.title}\n\n{self.design.rules_text()}\n" if self.is_file else super().rules()

    def measured(self) -> Mapping[int, Measured]:
        return {} if self.is_file else super().measured()

    def teams(self) -> Mapping[int, tuple[tuple[int, ...], ...]]:
        if not self.design.teams:
            return {}
        least, most = self.players
        found = {players: self.load(players=players).teams for players in range(least, most + 1)}
        return {players: teams for players, teams in found.items() if any(len(team) > 1 for team in teams)}

    def weights(self) -> Mapping[str, Floats]:
        return {} if self.is_file else super().weights()

    def __reduce__(self) -> tuple[Any, ...]:
        if not self.path:
            return _from_code, (_code_of(self.design), self.source)
        if self.design.__module__.startswith((MODULE_PREFIX, "__main__", "__mp_main__")):
            return _from_file, (self.path, self.design.__qualname__, self.source)
        return info_of, (self.design,)


def levels_name(has_worth: bool) -> str:
    """The name of the module with the levels of games that say what positions are worth, or of others."""
    return "levels" if has_worth else "levels_by_play"


class _Kept:
    """The info of a class, which a copy of the class in another process does not take along."""

    def __init__(self, info: WorkshopInfo | None = None) -> None:
        self.info = info

    def __reduce__(self) -> tuple[Any, ...]:
        return _Kept, ()


def info_of(design: object, package: str = WORKSHOP, source: str = "") -> WorkshopInfo:
    """The info of a game, read from its class. Raises GameError.

    `package`: the package of a game with a kernel and other parts, as `GameInfo` describes them. `source`: the hash of
    the source of a class that another process has made.
    """
    if not (isinstance(design, type) and issubclass(design, Game)):
        raise UnknownGame(f"a game of the workshop is a class of icetable.workshop.Game, not {short_repr(design)}")
    known = vars(design).get("_kept")
    if isinstance(known, _Kept) and known.info is not None:
        return known.info
    if package == WORKSHOP and (certain := [str(mistake) for mistake in mistakes_in(design) if mistake.is_certain]):
        raise DesignError("; ".join(certain))
    name = vars(design).get("name") or re.sub(r"\W", "", design.__name__).lower()
    text = design.rules_text()
    ids = design.rule_ids()
    prefix = ids[0].partition("-")[0] if ids else name[:2].upper()
    if foreign := {rule for rule in ids if not rule.startswith(f"{prefix}-")}:
        raise GameError(f"{design.__name__}: its rules begin with {prefix}-, except for {', '.join(sorted(foreign))}")
    turn_rule = design.turn_rule or next((rule for rule in ids if " turn" in _paragraph(text, rule)), f"{prefix}-1")
    counts: tuple[Any, ...] = design.players if isinstance(design.players, tuple) else (design.players, design.players)
    allowed = len(counts) == 2 and all(isinstance(count, int) for count in counts)
    if not allowed or not 1 <= counts[0] <= counts[1] <= MAX_PLAYERS:
        raise GameError(
            f"{design.__name__}: players is a number from 1 to {MAX_PLAYERS}, or the smallest and the largest such as "
            f"(2, 4), not {short_repr(design.players)}"
        )
    path = _path_of(design)
    info = WorkshopInfo(
        name=name,
        title=vars(design).get("title") or " ".join(re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z0-9]+", design.__name__)),
        summary=text.strip().split("\n", 1)[0] or "A game of the workshop.",
        players=counts,
        default_players=max(counts[0], min(2, counts[1])),
        options=tuple(choice.to_option(turn_rule) for choice in design.options()),
        rule_prefix=prefix,
        turn_rule=turn_rule,
        mechanics=design.mechanics,
        random_seats=design.random_seats,
        colours=design.colours,
        package=package,
        design=design,
        cooperative=design.cooperative,
        source=source or _hash_of(design) if package == WORKSHOP else "",
        path=path,
    )
    design._kept = _Kept(info)  # type: ignore[attr-defined]
    if path:
        VERSIONS[path, design.__qualname__, info.source] = info
    return info


def load_file(path: str | Path, texts: Mapping[Path, bytes] | None = None) -> WorkshopInfo:
    """The info of the last subclass of `Game` in a file. Raises UnknownGame, or DesignError if the file fails.

    `texts`: what it and its neighbours are to contain for this process, even if they have changed since or are gone.
    """
    module = _module_of(path, texts)
    designs = [design for design in vars(module).values() if inspect.isclass(design) and issubclass(design, Game)]
    own = [design for design in designs if design.__module__ == module.__name__]
    if not own:
        raise UnknownGame(f"{Path(path).name} has no class of icetable.workshop.Game")
    return info_of(own[-1])


def _module_of(path: str | Path, texts: Mapping[Path, bytes] | None = None) -> ModuleType:
    """Run a file. Raises UnknownGame, or DesignError if the file fails."""
    file = Path(path).resolve()
    if texts is None and not file.is_file():
        raise UnknownGame(f"there is no file {short_repr(str(path))}")
    if file.suffix != ".py":
        raise UnknownGame(f"{short_repr(str(path))} is no Python file")
    with guarded("the file", str(file)):
        return load_module(file, MODULE_PREFIX, texts)


def known_files() -> list[Path]:
    """The files of external games: those that the user lists, and those registered since."""
    listed = [str(Path(path).resolve()) for path in os.environ.get(GAMES_VARIABLE, "").split(os.pathsep) if path]
    return [Path(path) for path in dict.fromkeys((*listed, *REGISTERED))]


def _from_file(path: str, name: str, source: str) -> WorkshopInfo:
    """The game of a class in a file, as the process that sent it had loaded it. Raises UnknownGame or DesignError.

    On another machine it may be one of `known_files` in another folder.
    """
    if (known := VERSIONS.get((path, name, source))) is not None:
        return known
    if not Path(path).is_file():
        moved = [file for file in known_files() if file.name == Path(path).name and file.is_file()]
        if moved:
            return _from_file(str(moved[0]), name, source)
    try:
        info = info_of(attrgetter(name)(_module_of(path)))
    except AttributeError:
        raise UnknownGame(f"{path} has no class {name} any more") from None
    if info.source != source:
        raise UnknownGame(f"{path} is not as it was when its game was loaded: load it again")
    return info


def _code_of(design: type[Game]) -> bytes:
    """A class without a file, for another process. Raises PicklingError."""
    try:
        import cloudpickle
    except ModuleNotFoundError:
        raise pickle.PicklingError(
            f"other processes can't import {design.__qualname__}, a class of a notebook, an interpreter or a function: "
            "save it in a file, or install cloudpickle"
        ) from None
    code: bytes = cloudpickle.dumps(design)
    return code


def _from_code(code: bytes, source: str) -> WorkshopInfo:
    return info_of(pickle.loads(code), source=source)  # noqa: S301 (inside of a pickle already)


def _paragraph(text: str, rule: str) -> str:
    return text.partition(f"**{rule}**")[2].partition("\n\n")[0]


def _path_of(design: type[Game]) -> str:
    """The file in which any process finds a class under its name; empty if there is none."""
    module = sys.modules.get(design.__module__)
    file = Path(getattr(module, "__file__", None) or "").resolve()
    try:
        found = attrgetter(design.__qualname__)(module)
    except AttributeError:  # defined in a function
        return ""
    return str(file) if found is design and file.is_file() and file == Path(file_of(design)).resolve() else ""


def _bases_of(design: type[Game]) -> list[type[Game]]:
    """A class and its parents, as far as they say rules."""
    return [base for base in design.__mro__ if issubclass(base, Game) and base is not Game]


def _hash_of(design: type[Game]) -> str:
    """A hash of the files of a class, of its parents, and of what these import beside them."""
    files: dict[Path, bytes] = {}
    for base in _bases_of(design):
        files |= files_with_neighbours(Path(file_of(base)))
    texts = [*map(_without_calls, files.values()), source_of(design).encode()]
    return hashlib.sha256(b"\0".join(texts)).hexdigest()[:16]


def _without_calls(content: bytes) -> bytes:
    """A file without what it does as a script, under `if __name__ == "__main__":`, which says no rule."""
    lines = content.splitlines()
    with contextlib.suppress(SyntaxError, ValueError):
        for node in reversed(ast.parse(content).body):
            if isinstance(node, ast.If) and ast.unparse(node.test) == "__name__ == '__main__'":
                del lines[node.lineno - 1 : node.end_lineno]
    return b"\n".join(lines).rstrip()


def source_of(design: type[Game]) -> str:
    """The source of a class and its parents; the name of a class without source."""
    return "\n".join(map(_source_of, _bases_of(design)))


def _source_of(design: type[Game]) -> str:
    try:
        return textwrap.dedent(inspect.getsource(design))
    except (OSError, TypeError):  # notebooks know the sources of functions only
        functions = [member for member in vars(design).values() if inspect.isfunction(member)]
    try:
        return "\n".join(textwrap.dedent(inspect.getsource(function)) for function in functions)
    except OSError:
        return f"# {design.__qualname__}\n"
