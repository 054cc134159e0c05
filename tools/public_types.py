#!/usr/bin/env python3
"""Writes src/icetable/__init__.pyi: the types of the public interface, including each game's views and effects.

Type checkers then know the type of `load("squad")`, though no module names the games.
"""

from __future__ import annotations

import textwrap
from pathlib import Path

import icetable
from icetable import games
from icetable.workshop.files import WorkshopInfo

FILE = Path(__file__).parent.parent / "src" / "icetable" / "__init__.pyi"

HEAD = '''\
"""Types of the public interface, written by tools/public_types.py. They don't exist at runtime."""

from abc import ABCMeta
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Generic, Literal, Self, TypedDict, TypeVar, overload

'''

SHARED = """
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
"""

VIEW = "\nclass _{title}(_Seen, {name}.View): ..."
GAME = "\n_{title}Game = _Game[_{title}, {effect}]"
NAMES = "\n_{title}Name = Literal[{names}]"
OVERLOAD = """
@overload
def load(name: _{title}Name, /, preset: str | None = None, **options: object) -> _{title}Game: ..."""
FALLBACK = """
@overload
def load(name: str | type | Path, /, preset: str | None = None, **options: object) -> Game: ...
"""


def generate() -> str:
    """Generate the file from the imports of the module, with `load` for each game."""
    module = FILE.with_suffix(".py").read_text(encoding="utf-8")
    imports, rest = module.split("if TYPE_CHECKING:\n")[1].split("\n__all__ = ")
    infos = games.list_games()
    of_turns = [info.name for info in infos if isinstance(info, WorkshopInfo)]
    own = [info.name for info in infos if info.name not in of_turns]
    views = [*own, "turns"]
    effects = {name: f"{name}.AnyEffect" for name in own} | {"turns": "Effect"}
    return "".join(
        [
            HEAD,
            *(f"from icetable import {part} as {part}\n" for part in vars(icetable)["_SUBPACKAGES"]),
            textwrap.dedent(imports).replace(" load,", ""),
            *(f"from icetable.games.{name} import view as {name}\n" for name in own),
            "from icetable.workshop import view as turns\n",
            f"\n__all__ = {rest.partition(']')[0]}]\n",
            SHARED,
            *(VIEW.format(name=name, title=name.title()) for name in views),
            "\n",
            *(GAME.format(title=name.title(), effect=effects[name]) for name in views),
            "\n",
            *(NAMES.format(names=f'"{name}"', title=name.title()) for name in own),
            NAMES.format(names=", ".join(f'"{name}"' for name in of_turns), title="Turns"),
            "\n",
            *(OVERLOAD.format(title=name.title()) for name in views),
            FALLBACK,
        ]
    )


if __name__ == "__main__":
    FILE.write_text(generate(), encoding="utf-8")
