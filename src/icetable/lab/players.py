"""Players of runs: named ones, restricted ones, callables, and those of Python files (`mine.py:agent`)."""

from __future__ import annotations

import dataclasses
import functools
import re
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, get_args

from icetable.bots.levels import REAL_TIME_LEVELS, REAL_TIME_NAMES, RealTimeLevel, SearchLevel, levels, timeless_levels
from icetable.bots.players import SLOW_SIMULATIONS, VERSIONED, Player, first_then_others, player_named, player_names
from icetable.bots.realtime import RealTimeBot
from icetable.core.errors import BadNotation, GameError
from icetable.core.options import short_repr
from icetable.core.turns import TurnGame, TurnState, determinized
from icetable.workshop.files import labels_of, load_module
from icetable.workshop.playing import WorkshopGame

if TYPE_CHECKING:
    from icetable.bots.realtime import Maker
    from icetable.core.game import Action, Game, State


SIMULATIONS_AMONG_MANY = 50
"""Nominal number of simulations of players who are asked for many games at once, which gives them many."""
WHOLE_NUMBER = re.compile("0|[1-9][0-9]{0,7}")
HANDS_AND_MIND = re.compile("hands=([^+]+)[+]mind=(.+)")
MODULE_PREFIX = "icetable_agent_"
"""The prefix of the names of modules that are loaded from files."""
AGENT_PATTERN = re.compile(r"(.+\.py):([A-Za-z_]\w*)")


class Chooser(Protocol):
    """A custom player for games of turns: any callable that takes a state and the seat to act, and returns a legal act.
    The state includes hidden information; `state.view(seat)` is what the seat may see. One with a method
    `choose_many(states)`, which returns an act for each, is asked for many games at once (`icetable.envs.Agent`).

    >>> def hasty(state, seat):
    ...     return state.legal_actions(seat)[0]
    """

    def __call__(self, state: State, seat: int, /) -> str: ...


def check_player(game: Game, name: str) -> None:
    """Raise GameError if a game has no player of this name."""
    if game.info.turns:
        player(game, name)
    else:
        maker(game, name)


def allowed(game: Game) -> str:
    """Describe the names of a game's players."""
    if not isinstance(game, TurnGame):
        names = [level.name for level in levels(game)]
        return f"{', '.join(names)}, or hands=LEVEL+mind=LEVEL; {VERSIONED}"
    forgetful = "; NAME/memory=K, which remembers only the last K acts" if hides(game) else ""
    effects = f"avoids acts of this notation (* is any text) or effect ({', '.join(effects_of(game))})"
    return f"{', '.join(player_names(game))}; NAME/without=X, which {effects}{forgetful}; {VERSIONED}"


@functools.lru_cache(maxsize=64)
def player(game: Game, name: str) -> Player:
    """The player of this name in a game of turns. Raises GameError."""
    refused = GameError(f"there is no player {short_repr(name)}; allowed: {allowed(game)}")
    if not isinstance(game, TurnGame):
        raise refused
    base, *limits = name.split("/")
    found = player_named(game, base)
    if found is None:
        raise refused
    for limit in limits:
        verb, _, value = limit.partition("=")
        if verb == "without" and _can_be_avoided(game, value):
            found = Restricted(found, value)
        elif verb == "memory" and WHOLE_NUMBER.fullmatch(value) and hides(game):
            found = Forgetful(found, int(value))
        else:
            raise refused
    return found


def maker(game: Game, name: str) -> Maker:
    """The factory of the player of this name in a game without turns. Raises GameError."""
    mixed = HANDS_AND_MIND.fullmatch(name)
    hands, mind = mixed.groups() if mixed else (name, name)
    if hands not in REAL_TIME_NAMES or mind not in REAL_TIME_NAMES:
        raise GameError(f"there is no player {short_repr(name)}; allowed: {allowed(game)}")
    body, head = REAL_TIME_NAMES[hands], REAL_TIME_NAMES[mind]
    level = dataclasses.replace(body, skill=head.skill, attention=head.attention)
    return lambda seed: RealTimeBot(game, level, seed)


def usual_player(game: Game) -> str:
    """The default player: fast and sensible. In a game without turns, the middle level."""
    if isinstance(game, TurnGame):
        return "greedy" if game.is_evaluated else "tries:8"
    found = levels(game)
    return found[len(found) // 2].name


def strongest_player(game: Game) -> str:
    """The versioned name of the strongest level that does not play by the clock."""
    found: Sequence[SearchLevel | RealTimeLevel] = timeless_levels(game) or REAL_TIME_LEVELS
    return found[-1].fixed_name


def hides(game: TurnGame) -> bool:
    """Whether players have to remember what was played."""
    return game.has_secrets


def effects_of(game: Game) -> list[str]:
    """The kinds of effects that a game declares."""
    if isinstance(game, WorkshopGame):
        return game.look.own_effects
    view = game.info.part("view")
    return [effect.kind for effect in get_args(view.AnyEffect)] if view else []


def _can_be_avoided(game: Game, text: str) -> bool:
    """Whether a text may be the notation or the effect of an act."""
    if set(text) & set("*?[") or text in effects_of(game):
        return True
    try:
        game.parse(text)
    except BadNotation:
        return False
    return True


class Own(Player):
    """Calls a `Chooser`, which gets no seed and uses its own random numbers."""

    simulations = SLOW_SIMULATIONS

    def __init__(self, choose: Chooser) -> None:
        self.function = choose
        if self.plays_many:
            self.simulations = SIMULATIONS_AMONG_MANY
        self.name: str = getattr(choose, "__name__", type(choose).__name__)

    def order(self, state: TurnState, seed: int) -> Iterator[Action]:
        return first_then_others(self.choose(state, seed), state)

    @property
    def plays_many(self) -> bool:
        """Whether it is asked for many games at once."""
        return hasattr(self.function, "choose_many")

    def choose(self, state: TurnState, seed: int) -> Action:
        return self._checked(state, self.function(state, state.actor))

    def choose_many(self, states: Sequence[TurnState], seeds: Sequence[int]) -> list[Action]:
        if not self.plays_many:
            return super().choose_many(states, seeds)
        acts = self.function.choose_many(states)  # type: ignore[attr-defined]
        if len(acts) != len(states):
            raise GameError(f"{self.name} returned {len(acts)} acts for {len(states)} positions")
        return [self._checked(state, act) for state, act in zip(states, acts, strict=True)]

    def _checked(self, state: TurnState, act: str) -> Action:
        """The act of the function. Raises GameError if it is none, or not legal."""
        try:
            fault = state.fault(act)
        except BadNotation as error:
            raise GameError(f"{self.name} returned no act: {error}") from None
        if fault is not None:
            raise GameError(f"{self.name} played {short_repr(act)}, which {fault.rule} refuses: {fault.message}")
        return state.game.parse(act)


def own_players(game: Game, seats: Sequence[str | Chooser]) -> dict[str, Own]:
    """The choosers among the seats, by the names that results use. Raises GameError."""
    own: dict[str, Own] = {}
    for seat in seats:
        if isinstance(seat, str):
            continue
        if not callable(seat):
            raise GameError(f"a player is a name, or a callable of a state and a seat, not {short_repr(seat)}")
        if not game.info.turns:
            raise GameError(f"{game.info.title} has no turns and takes only named players: {allowed(game)}")
        found = Own(seat)
        if own.setdefault(found.name, found).function != seat or _is_name(game, found.name):
            raise GameError(f"two different players are called {short_repr(found.name)}")
    return own


def _is_name(game: Game, name: str) -> bool:
    """Whether a game has a player of this name."""
    try:
        check_player(game, name)
    except GameError:
        return False
    return True


class Restricted(Player):
    """Plays like another player, but avoids acts of a notation or effect if there are others."""

    def __init__(self, free: Player, without: str) -> None:
        self.free, self.without = free, without
        self.simulations = free.simulations

    def order(self, state: TurnState, seed: int) -> Iterator[Action]:
        avoided = []
        for act in self.free.order(state, seed):
            if self._avoids(state, act):
                avoided.append(act)
            else:
                yield act
        yield from avoided

    def _avoids(self, state: TurnState, act: Action) -> bool:
        if fnmatchcase(act, self.without):
            return True
        return any(effect.kind == self.without for effect in state.apply(act).effects)


class Forgetful(Player):
    """Plays like another player, but only knows what is visible and the last `memory` acts."""

    def __init__(self, player: Player, memory: int) -> None:
        self.player, self.memory = player, memory
        self.simulations = player.simulations

    def order(self, state: TurnState, seed: int) -> Iterator[Action]:
        return self.player.order(determinized(state, self.memory, seed), seed)


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


def with_labels(agents: Sequence[str | Chooser]) -> list[str | Chooser]:
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
