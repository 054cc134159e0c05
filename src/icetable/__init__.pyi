"""Types of the public interface, written by tools/public_types.py. They don't exist at runtime."""

from abc import ABCMeta
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Generic, Literal, Self, TypedDict, TypeVar, overload

from icetable import analysis as analysis
from icetable import bots as bots
from icetable import envs as envs
from icetable import games as games
from icetable import lab as lab
from icetable import workshop as workshop
from icetable.core.errors import (
    BadNotation,
    BadOption,
    BadRecord,
    Fault,
    GameError,
    IllegalAction,
    UnknownGame,
)
from icetable.core.game import CHANCE, Action, Effect, Game, GameInfo, State
from icetable.core.options import Option
from icetable.core.turns import perft
from icetable.games import from_json, list_games, replay
from icetable.games.icehouse import view as icehouse
from icetable.workshop import view as turns

__all__ = [
    "CHANCE",
    "Action",
    "BadNotation",
    "BadOption",
    "BadRecord",
    "Effect",
    "Fault",
    "Game",
    "GameError",
    "GameInfo",
    "IllegalAction",
    "Option",
    "State",
    "UnknownGame",
    "from_json",
    "list_games",
    "load",
    "perft",
    "replay",
]

__version__: str

V = TypeVar("V")
E = TypeVar("E", bound=Effect)

class _Seen(TypedDict):
    game: str
    seat: int | None
    to_act: list[int]
    over: bool
    ended_by: str | None
    winners: list[int]
    scores: list[int]

class _State(State, Generic[V, E], metaclass=ABCMeta):
    @property
    def parent(self) -> Self | None: ...
    @property
    def effects(self) -> tuple[E, ...]: ...
    def apply(self, action: str, seat: int | None = None, at: float | None = None) -> Self: ...
    def view(self, seat: int | None = None) -> V: ...  # type: ignore[override]
    def history(self) -> Iterator[Self]: ...
    def without_history(self) -> Self: ...
    def as_of(self, at: int) -> Self: ...

class _Game(Game, Generic[V, E], metaclass=ABCMeta):
    def start(self) -> _State[V, E]: ...
    def random_game(self, rng: Any) -> _State[V, E]: ...
    def replay(self, text: str) -> _State[V, E]: ...
    def from_json(self, text: str) -> _State[V, E]: ...

class _Icehouse(_Seen, icehouse.View): ...
class _Turns(_Seen, turns.View): ...

_IcehouseGame = _Game[_Icehouse, icehouse.AnyEffect]
_TurnsGame = _Game[_Turns, Effect]

_IcehouseName = Literal["icehouse"]
_TurnsName = Literal["highrise", "icefrogs", "squad", "wrecktangle"]

@overload
def load(name: _IcehouseName, /, preset: str | None = None, **options: object) -> _IcehouseGame: ...
@overload
def load(name: _TurnsName, /, preset: str | None = None, **options: object) -> _TurnsGame: ...
@overload
def load(name: str | type | Path, /, preset: str | None = None, **options: object) -> Game: ...
