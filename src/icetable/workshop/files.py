"""Workshop games by class and by file, with their infos and sources."""

from __future__ import annotations

import hashlib
import importlib.util
import inspect
import linecache
import re
import sys
import textwrap
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from icetable.core.errors import GameError, UnknownGame
from icetable.core.game import Game as AnyGame
from icetable.core.game import GameInfo
from icetable.core.options import resolve, short_repr
from icetable.workshop.design import Game
from icetable.workshop.guard import guarded, lift_cooldown

if TYPE_CHECKING:
    from icetable.core.infobox import Measured
    from icetable.kernels.jit import Floats

MODULE_PREFIX = "icetable_workshop_"
"""The prefix of the names of modules that are loaded from files."""
MAX_PLAYERS = 8
REGISTERED: dict[str, GameInfo] = {}
"""The registered games, by the path of their file. A game that comes from another process brings its file with it."""
WORKSHOP = "icetable.workshop"
"""The package of the parts that all games in one class share."""


@dataclass(frozen=True)
class WorkshopInfo(GameInfo):
    """The info of a workshop game. `design` is its class."""

    design: type[Game] = field(default=Game, hash=False)

    @property
    def file(self) -> Path:
        """The file of its class."""
        return Path(inspect.getsourcefile(self.design) or "")

    def load(self, /, preset: object = None, **options: object) -> AnyGame:
        from icetable.workshop.playing import PlainGame

        complete = resolve((self.players_option, *self.options), self.presets, preset, options)
        for choice in self.design.options():
            if complete[choice.name] is None:
                complete[choice.name] = choice.default_for(complete["players"])
        chosen = {name: value for name, value in complete.items() if name != "players"}
        with guarded("__init__", str(self.file)):
            design = self.design(complete["players"], chosen)
        compiled = self.part("compiled")
        game: AnyGame = (compiled.make if compiled else PlainGame)(self, complete, design)
        return game

    @property
    def is_file(self) -> bool:
        """Whether it is a class of its own, not a package with a kernel and other parts."""
        return self.package == WORKSHOP

    def part(self, name: str) -> ModuleType | None:
        return None if self.is_file and name not in ("levels", "encoding") else super().part(name)

    def rules(self) -> str:
        return f"# {self.title}\n\n{self.design.rules_text()}\n" if self.is_file else super().rules()

    def measured(self) -> Mapping[int, Measured]:
        return {} if self.is_file else super().measured()

    def weights(self) -> Mapping[str, Floats]:
        return {} if self.is_file else super().weights()

    def __reduce__(self) -> tuple[Any, ...]:
        if self.design.__module__.startswith((MODULE_PREFIX, "__main__", "__mp_main__")):
            return _from_file, (str(self.file), self.name)
        return info_of, (self.design,)


def info_of(design: object, package: str = WORKSHOP) -> WorkshopInfo:
    """The info of a game, read from its class. Raises GameError.

    `package`: the package of a game with a kernel and other parts, as `GameInfo` describes them.
    """
    if not (isinstance(design, type) and issubclass(design, Game)):
        raise UnknownGame(f"a game of the workshop is a class of icetable.workshop.Game, not {short_repr(design)}")
    known = vars(design).get("_info")
    if isinstance(known, WorkshopInfo):
        return known
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
        lots=design.lots,
        colours=design.colours,
        package=package,
        design=design,
        cooperative=design.cooperative,
        source=hashlib.sha256(source_of(design).encode()).hexdigest()[:16] if package == WORKSHOP else "",
    )
    design._info = info  # type: ignore[attr-defined]
    return info


def load_file(path: str | Path, text: bytes | None = None) -> WorkshopInfo:
    """The info of the last subclass of `Game` in a file. Raises UnknownGame, or DesignError if the file fails.

    `text`: what the file is to contain, even if it has changed since.
    """
    file = Path(path).resolve()
    if text is None and not file.is_file():
        raise UnknownGame(f"there is no file {short_repr(str(path))}")
    name = MODULE_PREFIX + re.sub(r"\W", "_", file.stem)
    spec = importlib.util.spec_from_file_location(name, file)
    if spec is None or spec.loader is None:
        raise UnknownGame(f"{short_repr(str(path))} is no Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    lift_cooldown(str(file))
    text = file.read_bytes() if text is None else text
    with guarded("the file", str(file)):
        code = compile(text, str(file), "exec")  # not imported: Python's cached bytecode may be older
        lines = importlib.util.decode_source(text).splitlines(keepends=True)
        linecache.cache[str(file)] = len(text), None, lines, str(file)  # sources are those of this text from now on
        exec(code, vars(module))  # noqa: S102
    designs = [design for design in vars(module).values() if inspect.isclass(design) and issubclass(design, Game)]
    own = [design for design in designs if design.__module__ == name]
    if not own:
        raise UnknownGame(f"{file.name} has no class of icetable.workshop.Game")
    return info_of(own[-1])


def _from_file(path: str, name: str) -> GameInfo:
    info = REGISTERED.get(path)
    if info is None:
        info = REGISTERED[path] = load_file(path)
    if info.name != name:
        raise UnknownGame(f"{Path(path).name} has no game {short_repr(name)}")
    return info


def _paragraph(text: str, rule: str) -> str:
    return text.partition(f"**{rule}**")[2].partition("\n\n")[0]


def source_of(design: type[Game]) -> str:
    """The source of a class and its parents; the name of a class without source."""
    texts = []
    for base in design.__mro__:
        if issubclass(base, Game) and base is not Game:
            try:
                texts.append(textwrap.dedent(inspect.getsource(base)))
            except (OSError, TypeError):
                texts.append(f"# {base.__qualname__}\n")
    return "\n".join(texts)
