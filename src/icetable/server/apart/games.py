"""The games of files as the server sees them: each is asked in the process of its file, which answers with a snapshot.

A snapshot has all that the server may want to know of a position. So once an act is played nothing has to be asked, and
the event loop, which must not wait, has everything at hand. Acts are played and games loaded in a thread:
`run` runs such work in that of the file, or directly for other games.
"""

from __future__ import annotations

import asyncio
import functools
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from icetable.core.errors import GameError, UnknownGame
from icetable.core.game import Action, Effect, Game, GameInfo, State
from icetable.core.options import Option, Reading, resolve, short_repr
from icetable.kernels.jit import SEED_LIMIT
from icetable.server.apart import wire
from icetable.server.apart.process import SECONDS, GameProcess, fault_of
from icetable.workshop.files import files_with_neighbours, levels_name

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping
    from types import ModuleType

    import numpy as np

    from icetable.core.errors import Fault
    from icetable.core.parts import Measured
    from icetable.kernels.jit import Floats

TABLES_NICENESS = 0
SEARCHES_NICENESS = 5
"""How much lower the priority of searches is than that of tables."""

T = TypeVar("T")


class Code:
    """The code of a file as it was read, in processes of their own for its tables, its bots, and what else searches."""

    def __init__(self, path: str, texts: Mapping[str, bytes], seconds: float = SECONDS) -> None:
        self.texts = texts
        """The contents of the file and of the neighbours that it imports, by path."""
        self.tables = GameProcess(path, texts, TABLES_NICENESS, seconds)
        self.bots = GameProcess(path, texts, SEARCHES_NICENESS, seconds, is_occasional=True)
        self.studies = GameProcess(path, texts, SEARCHES_NICENESS, seconds, is_occasional=True)


@dataclass(frozen=True)
class ApartInfo(GameInfo):
    """The info of a game whose file is kept apart."""

    file: Path = field(default_factory=Path)
    code: Code = field(default=None, hash=False)  # type: ignore[assignment]
    rules_text: str = field(default="", hash=False)
    partners: Mapping[int, tuple[tuple[int, ...], ...]] = field(default_factory=dict, hash=False)
    has_worth: bool = False

    @property
    def identity(self) -> object:
        return str(self.file), self.source

    def load(self, /, preset: object = None, **options: object) -> Game:
        chosen = resolve((self.players_option, *self.options), self.presets, preset, options)
        given = {name: value for name, value in chosen.items() if value is not None}
        loaded = self.code.tables.ask(wire.Load(given), wire.Loaded)
        stored = json.loads(bytes(loaded.options))
        by_name = {option.name: option for option in (self.players_option, *self.options)}
        complete = {name: by_name[name].read(value) for name, value in stored.items() if name in by_name}
        return ApartGame(self, complete, loaded)

    def part(self, name: str) -> ModuleType | None:
        return super().part(levels_name(self.has_worth)) if name == "levels" else None

    def rules(self) -> str:
        return self.rules_text

    def measured(self) -> Mapping[int, Measured]:
        return {}

    def teams(self) -> Mapping[int, tuple[tuple[int, ...], ...]]:
        return self.partners

    def weights(self) -> Mapping[str, Floats]:
        return {}


def open_file(path: str | Path, seconds: float = SECONDS, texts: Mapping[str, bytes] | None = None) -> ApartInfo:
    """The info of the game in a file, in a new process. Raises UnknownGame, or DesignError if the file fails.

    `texts`: what it and its neighbours contained once, by path, in place of what they contain now.
    """
    file = Path(path).resolve()
    if texts is None:
        texts = {str(one): text for one, text in files_with_neighbours(file).items()}
    if str(file) not in texts:
        raise UnknownGame(f"there is no file {short_repr(str(path))}")
    code = Code(str(file), texts, seconds)
    described = code.tables.describe()
    fields: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value for name, value in described.fields.items()
    }
    fields["options"] = tuple(option_of(option) for option in fields["options"])
    return ApartInfo(
        **fields,
        file=file,
        code=code,
        rules_text=described.rules,
        partners=described.teams,
        has_worth=described.has_worth,
    )


def option_of(fields: Mapping[str, Any]) -> Option:
    """The option with these fields, which come from JSON."""
    values: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value for name, value in fields.items()
    }
    values["readings"] = tuple(Reading(**reading) for reading in values["readings"])
    return Option(**values)


async def run(info: GameInfo, work: Callable[..., T], *args: Any) -> T:
    """Run work that may ask a game's code: in the thread of its file, or directly if its code is the server's own."""
    if not isinstance(info, ApartInfo):
        return work(*args)
    return await asyncio.get_running_loop().run_in_executor(info.code.tables.thread, functools.partial(work, *args))


async def in_thread(info: GameInfo, work: Callable[..., T], *args: Any) -> T:
    """Run work in a thread: that of the file, or any for other games."""
    return await (run(info, work, *args) if isinstance(info, ApartInfo) else asyncio.to_thread(work, *args))


class ApartGame(Game):
    """A game with chosen options, whose code runs in the process of its file."""

    info: ApartInfo

    def __init__(self, info: ApartInfo, options: dict[str, Any], loaded: wire.Loaded) -> None:
        super().__init__(info, options)
        self.views_are_equal = loaded.views_are_equal  # type: ignore[misc]
        self.written = loaded.options
        """The options as the process knows them."""
        self._layout = loaded.layout
        self._teams = loaded.teams
        self._start = ApartState(self, loaded.start)

    def ask(self, question: wire.Question, answer: type[T], saved: msgspec.Raw = wire.NOTHING) -> T:
        """Ask the process of the file. Raises like `GameProcess.ask`."""
        return self.info.code.tables.ask(question, answer, saved)

    @property
    def teams(self) -> tuple[tuple[int, ...], ...]:
        return self._teams

    def start(self) -> ApartState:
        return self._start

    def parse(self, text: str) -> Action:
        return Action(self.ask(wire.Parse(self.written, text), wire.Said).text)

    def random_act(self, state: State, rng: np.random.Generator) -> Action:
        """As `TurnGame.random_act` draws it: the process learns one number of the generator, not its secret."""
        assert isinstance(state, ApartState)
        seed = int(rng.integers(1, SEED_LIMIT))
        return Action(self.ask(wire.Draw(state.position, seed), wire.Said, state.snapshot.saved).text)

    def layout(self) -> Mapping[str, Any]:
        found: dict[str, Any] = wire.decoded(self._layout)
        return found

    def shows_history(self, state: State) -> bool:
        assert isinstance(state, ApartState)
        return state.snapshot.shows_history

    def shown_act(self, state: State) -> str:
        assert isinstance(state, ApartState)
        return state.snapshot.shown_act

    def tie_points(self, state: State) -> tuple[int, ...]:
        assert isinstance(state, ApartState)
        return state.snapshot.ties

    def _set_up(self, position: Any) -> ApartState:
        saved = msgspec.Raw(msgspec.json.encode(position))
        question = wire.Read(wire.PositionRef(self.written, 0, saved))
        return ApartState(self, self.ask(question, wire.Snapshot, saved))

    def _draw(self, view: Mapping[str, Any], touched: Collection[str], paint: Any) -> str:
        from icetable.workshop.drawing import drawn

        return drawn(self.layout(), view, touched, paint)

    def _svg(self, view: Mapping[str, Any]) -> str:
        from icetable.workshop.drawing import svg

        return svg(self.info.title, self.layout(), view, self.info.colours)

    def _thumbnail(self, view: Mapping[str, Any]) -> str:
        from icetable.workshop.drawing import thumbnail

        return thumbnail(self.info.title, self.layout(), view, self.info.colours)


class ApartState(State):
    """A position of such a game, as its process has described it."""

    _game: ApartGame
    _parent: ApartState | None
    __slots__ = ("_act", "_at", "_game", "_parent", "_seat", "snapshot")

    def __init__(
        self,
        game: ApartGame,
        snapshot: wire.Snapshot,
        parent: ApartState | None = None,
        seat: int | None = None,
        at: int | None = None,
    ) -> None:
        self._game, self.snapshot, self._parent, self._seat, self._at = game, snapshot, parent, seat, at
        self._act = None if parent is None or snapshot.act is None else Action(snapshot.act)

    @property
    def actor(self) -> int:
        """The seat that is to act, or CHANCE, or a number below it when the game is over."""
        return self.snapshot.actor

    @property
    def game(self) -> ApartGame:
        return self._game

    @property
    def parent(self) -> ApartState | None:
        return self._parent

    @property
    def position(self) -> wire.PositionRef:
        """The position as questions name it."""
        return wire.PositionRef(self._game.written, self.snapshot.number)

    def without_history(self) -> ApartState:
        return ApartState(self._game, self.snapshot, at=self._at)

    def __sizeof__(self) -> int:
        texts = (self.snapshot.saved, *self.snapshot.views)
        return object.__sizeof__(self) + sum(len(memoryview(text)) for text in texts)

    @property
    def to_act(self) -> frozenset[int]:
        return frozenset(self.snapshot.to_act)

    @property
    def winners(self) -> frozenset[int]:
        return frozenset(self.snapshot.winners)

    @property
    def scores(self) -> tuple[int, ...]:
        return self.snapshot.scores  # type: ignore[return-value]

    @property
    def ended_by(self) -> str | None:
        return self.snapshot.ended_by

    @property
    def effects(self) -> tuple[Effect, ...]:
        return () if self._parent is None else tuple(Effect(*effect) for effect in self.snapshot.effects)

    def legal_actions(self, seat: int | None = None) -> list[Action]:
        if seat is not None:
            self.check_seat(seat)
            if seat not in self.to_act:
                return []
        if self.snapshot.legal is None:
            raise GameError("chance has too many outcomes to list; random_act draws one, and apply takes any")
        return [Action(act) for act in self.snapshot.legal.get(self.actor if seat is None else seat, ())]

    def chance_outcomes(self) -> list[tuple[Action, float]]:
        raise GameError("the odds of a game in a file are known to its process alone")

    def fault(self, action: str, seat: int | None = None, at: float | None = None) -> Fault | None:
        question = wire.FindFault(self.position, str(action), seat)
        found = self._game.ask(question, wire.Judged, self.snapshot.saved).fault
        return None if found is None else fault_of(found)

    def apply(self, action: str, seat: int | None = None, at: float | None = None) -> ApartState:
        time = None if at is None else self._time(at)
        question = wire.Apply(self.position, str(action), seat)
        snapshot = self._game.ask(question, wire.Snapshot, self.snapshot.saved)
        return ApartState(self._game, snapshot, self, self.actor if seat is None else int(seat), time)

    def view(self, seat: int | None = None) -> dict[str, Any]:
        if seat is not None:
            self.check_seat(seat)
        views = self.snapshot.views
        raw = views[0] if self._game.views_are_equal else views[-1 if seat is None else seat]
        found: dict[str, Any] = wire.decoded(raw)
        return {**found, "seat": None if seat is None else int(seat)}

    def _see(self, seat: int | None) -> Mapping[str, Any]:
        return self.view(seat)

    def _comparison_key(self) -> bytes:
        return bytes(self.snapshot.saved)

    def _position(self) -> Any:
        return wire.decoded(self.snapshot.saved)
