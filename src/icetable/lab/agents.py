"""Players loaded from Python files: `mine.py:agent`."""

from __future__ import annotations

import functools
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from icetable.core.errors import GameError
from icetable.core.options import short_repr
from icetable.workshop.files import labels_of, load_module

if TYPE_CHECKING:
    from collections.abc import Sequence

    from icetable.core.game import State
    from icetable.lab.players import Chooser

MODULE_PREFIX = "icetable_agent_"
"""The prefix of the names of modules that are loaded from files."""
AGENT_PATTERN = re.compile(r"(.+\.py):([A-Za-z_]\w*)")


class FileAgent:
    """A `Chooser` from a file: a function, another callable, or a class, which is instantiated.

    The file is loaded on first use, once per process, and imports the modules beside it as its own. So an agent can be
    sent to workers. `label` is its file in results, by default its name without the folder.
    """

    def __init__(self, file: Path, name: str, label: str = "") -> None:
        self.file, self.name, self.label = file.absolute(), name, label or file.name
        self.__name__ = f"{self.label}:{name}"

    def __call__(self, state: State, seat: int, /) -> str:
        return self.choose(state, seat)

    @functools.cached_property
    def choose(self) -> Chooser:
        """The callable from the file. Raises GameError."""
        module = _import(self.file)
        found = getattr(module, self.name, None)
        if not callable(found):
            callables = [name for name in vars(module) if not name.startswith("_") and callable(getattr(module, name))]
            raise GameError(f"{self.file.name} has no callable {self.name}; it has {', '.join(callables)}")
        if not isinstance(found, type):
            return found  # type: ignore[no-any-return]
        try:
            return found()  # type: ignore[no-any-return]
        except Exception as error:
            raise _failure(self.__name__, error) from error

    def __eq__(self, other: object) -> bool:
        return isinstance(other, FileAgent) and (self.file, self.name) == (other.file, other.name)

    def __hash__(self) -> int:
        return hash((self.file, self.name))

    def __reduce__(self) -> tuple[Any, ...]:
        return FileAgent, (self.file, self.name, self.label)


def agent_of(text: str) -> str | Chooser:
    """Load the player that a text such as `mine.py:agent` names; return any other text, a player's name, unchanged.

    Raises GameError if there is no such file or no such callable in it.
    """
    named = AGENT_PATTERN.fullmatch(text)
    if named is None:
        return text
    agent = FileAgent(Path(named[1]), named[2])
    assert callable(agent.choose)
    return agent


def told_apart(agents: Sequence[str | Chooser]) -> list[str | Chooser]:
    """The players, with agents of different files of one name under labels that tell them apart."""
    found = [agent for agent in agents if isinstance(agent, FileAgent)]
    if len({agent.__name__ for agent in found}) == len(set(found)):
        return list(agents)
    labels = dict(zip(found, labels_of([agent.file for agent in found]), strict=True))
    return [
        FileAgent(agent.file, agent.name, labels[agent]) if isinstance(agent, FileAgent) else agent for agent in agents
    ]


@functools.cache
def _import(file: Path) -> Any:
    """Import a file. Raises GameError."""
    if not file.is_file():
        raise GameError(f"there is no file {short_repr(file.name)} in {file.parent}")
    try:
        return load_module(file, MODULE_PREFIX)
    except Exception as error:
        raise _failure(file.name, error) from error


def _failure(what: str, error: Exception) -> GameError:
    return GameError(f"{what} failed: {type(error).__name__}: {error}")
