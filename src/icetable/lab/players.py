"""Players for runs: those with a name, the same under restrictions, and others of one's own."""

from __future__ import annotations

import dataclasses
import functools
import re
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Protocol, get_args

from icetable.bots.bot import Bot
from icetable.bots.levels import REAL_TIME_LEVELS, REAL_TIME_NAMES, RealTimeLevel, SearchLevel, levels, timeless_levels
from icetable.bots.players import VERSIONED, Forgetful, Player, player_named, player_names
from icetable.bots.realtime import RealTimeBot
from icetable.core.errors import BadNotation, GameError
from icetable.core.options import short_repr
from icetable.core.turns import TurnGame, TurnState

if TYPE_CHECKING:
    from icetable.bots.playing import Maker
    from icetable.core.game import Action, Game, State

SLOW = 2000
"""Stands for the simulations of players who may take long: so few of their blocks are played at a time."""
WHOLE = re.compile("0|[1-9][0-9]{0,7}")
HANDS = re.compile("hands=([^+]+)[+]mind=(.+)")


class Chooser(Protocol):
    """A player of one's own, for games of turns: anything that is called with a state and the seat to act, and returns
    a legal act. The state holds all, hidden things too; `state.view(seat)` is what the seat may see.

    >>> def hasty(state, seat):
    ...     return state.legal_actions(seat)[0]
    """

    def __call__(self, state: State, seat: int, /) -> str: ...


def check_player(game: Game, name: str) -> None:
    """Raise GameError for the name of no player of a game."""
    if game.info.turns:
        player(game, name)
    else:
        maker(game, name)


def allowed(game: Game) -> str:
    """The names of players, in words."""
    if not isinstance(game, TurnGame):
        names = [level.name for level in levels(game)]
        return f"{', '.join(names)}, or hands=LEVEL+mind=LEVEL; {VERSIONED}"
    forgetful = "; NAME/memory=K, which remembers only the last K acts" if hides(game) else ""
    effects = f"avoids acts of this notation (* is any text) or effect ({', '.join(effects_of(game))})"
    names = [*player_names(game), *(level.name for level in levels(game) if not player_named(game, level.name))]
    return f"{', '.join(names)}; NAME/without=X, which {effects}{forgetful}; {VERSIONED}"


@functools.lru_cache(maxsize=64)
def player(game: Game, name: str) -> Player:
    """The player of a game of turns with a name. Raises GameError."""
    refused = GameError(f"there is no player {short_repr(name)}; allowed: {allowed(game)}")
    if not isinstance(game, TurnGame):
        raise refused
    base, *limits = name.split("/")
    found = player_named(game, base) or by_the_clock(game, base)
    if found is None:
        raise refused
    for limit in limits:
        verb, _, value = limit.partition("=")
        if verb == "without" and _can_be_avoided(game, value):
            found = Restricted(found, value)
        elif verb == "memory" and WHOLE.fullmatch(value) and hides(game):
            found = Forgetful(found, int(value))
        else:
            raise refused
    return found


def by_the_clock(game: TurnGame, name: str) -> Player | None:
    """The player of a level that thinks as long as the clock lets it, if there is one of this name."""
    for level in levels(game):
        if isinstance(level, SearchLevel) and name in (level.name, level.fixed_name):
            return Clocked(level.name)
    return None


def maker(game: Game, name: str) -> Maker:
    """What makes the player of a game without turns with a name. Raises GameError."""
    mixed = HANDS.fullmatch(name)
    hands, mind = mixed.groups() if mixed else (name, name)
    if hands not in REAL_TIME_NAMES or mind not in REAL_TIME_NAMES:
        raise GameError(f"there is no player {short_repr(name)}; allowed: {allowed(game)}")
    body, head = REAL_TIME_NAMES[hands], REAL_TIME_NAMES[mind]
    level = dataclasses.replace(body, skill=head.skill, notices=head.notices)
    return lambda seed: RealTimeBot(game, level, seed)


def usual_player(game: Game) -> str:
    """Who plays where nobody is named: quick, and no fool. Without turns it is the level in the middle."""
    if isinstance(game, TurnGame):
        return "greedy" if game.is_evaluated else "tries:8"
    found = levels(game.info.name)
    return found[len(found) // 2].name


def strongest_player(game: Game) -> str:
    """The strongest level that looks at no clock, by its name with its version."""
    found: Sequence[SearchLevel | RealTimeLevel] = timeless_levels(game) or REAL_TIME_LEVELS
    return found[-1].fixed_name


def hides(game: TurnGame) -> bool:
    """Whether players have to remember what was played."""
    return game.has_secrets


def effects_of(game: Game) -> list[str]:
    """The kinds of effects that a game's acts have."""
    view = game.info.part("view")
    return [effect.kind for effect in get_args(view.AnyEffect)] if view else []


def _can_be_avoided(game: Game, what: str) -> bool:
    """Whether something may be the notation or the effect of an act."""
    if set(what) & set("*?[") or what in effects_of(game):
        return True
    try:
        game.parse(what)
    except BadNotation:
        return False
    return True


class Clocked(Player):
    """Plays as the bot of a level does at a table, for so many seconds on all cores: on another machine differently."""

    simulations = SLOW

    def __init__(self, level: str) -> None:
        self.level = level

    def order(self, state: TurnState, seed: int) -> Iterator[Action]:
        first = self.choose(state, seed)
        return iter([first, *(act for act in state.legal_actions() if act != first)])

    def choose(self, state: TurnState, seed: int) -> Action:
        return Bot(state.game, self.level, seed).choose(state, state.actor)


class Own(Player):
    """Asks a function, or whatever else can be called. The seed is not for it: what it draws is its own."""

    simulations = SLOW

    def __init__(self, choose: Chooser) -> None:
        self.function = choose
        self.name: str = getattr(choose, "__name__", type(choose).__name__)

    def order(self, state: TurnState, seed: int) -> Iterator[Action]:
        first = self.choose(state, seed)
        return iter([first, *(act for act in state.legal_actions() if act != first)])

    def choose(self, state: TurnState, seed: int) -> Action:
        act = self.function(state, state.actor)
        try:
            fault = state.fault(act)
        except BadNotation as error:
            raise GameError(f"{self.name} played what is no act: {error}") from None
        if fault is not None:
            raise GameError(f"{self.name} played {short_repr(act)}, which {fault.rule} refuses: {fault.message}")
        return state.game.parse(act)


def own_players(game: Game, seats: Sequence[str | Chooser]) -> dict[str, Own]:
    """The players that are no names, by the names they get. Raises GameError."""
    own: dict[str, Own] = {}
    for one in seats:
        if isinstance(one, str):
            continue
        if not callable(one):
            raise GameError(f"a player is a name, or is called with a state and a seat; {short_repr(one)} is neither")
        if not game.info.turns:
            raise GameError(f"{game.info.title} has no turns, and its players have names: {allowed(game)}")
        found = Own(one)
        if own.setdefault(found.name, found).function != one or _is_name(game, found.name):
            raise GameError(f"two players are called {short_repr(found.name)}, and results would not tell them apart")
    return own


def _is_name(game: Game, name: str) -> bool:
    """Whether a game has a player of this name."""
    try:
        check_player(game, name)
    except GameError:
        return False
    return True


class Restricted(Player):
    """Plays like another one, but no act of a notation or effect where there is any other act."""

    def __init__(self, free: Player, without: str) -> None:
        self.free, self.without = free, without
        self.simulations = free.simulations

    def order(self, state: TurnState, seed: int) -> Iterator[Action]:
        shunned = []
        for act in self.free.order(state, seed):
            if self._shuns(state, act):
                shunned.append(act)
            else:
                yield act
        yield from shunned

    def _shuns(self, state: TurnState, act: Action) -> bool:
        if fnmatchcase(act, self.without):
            return True
        return any(effect.kind == self.without for effect in state.apply(act).effects)
