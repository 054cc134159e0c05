"""Players for runs, by name: random and greedy ones, levels, searches of any size, the solver; and restricted ones.

None of these looks at a clock: what they play depends on the position and a seed alone. There may be others, of one's
own.
"""

from __future__ import annotations

import dataclasses
import functools
import itertools
import random
import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any, Protocol, get_args

import numpy as np

from icetable.bots.choosing import by_preference
from icetable.bots.levels import RealTimeLevel, levels, timeless_levels
from icetable.bots.realtime import RealTimeBot
from icetable.bots.search import INFORMED, LONGEST_PLAYOUT, PURE, Style, search
from icetable.core.errors import BadNotation, GameError
from icetable.core.options import short_repr
from icetable.core.turns import TurnGame, TurnState, determinized
from icetable.extras.effort import Effort
from icetable.extras.solving import can_solve, rank, solver_of
from icetable.kernels import jit
from icetable.kernels.layout import ACTOR, NOBODY, WINNERS, shares_of

if TYPE_CHECKING:
    from icetable.bots.playing import Maker
    from icetable.core.game import Action, Game, State

MOST_SIMULATIONS = 10**7
NUMBERED = re.compile("(best|sims|pure):([1-9][0-9]{0,7})")
STYLES: Mapping[str, Style | None] = {"best": None, "sims": INFORMED, "pure": PURE}
TRIES = re.compile("tries:([1-9][0-9]{0,3})")
WHOLE = re.compile("0|[1-9][0-9]{0,7}")
HANDS = re.compile("hands=([a-z]+)[+]mind=([a-z]+)")


class Chooser(Protocol):
    """A player of one's own, for games of turns: anything that is called with a state and the seat to act, and returns
    a legal act. The state holds all, hidden things too; `state.view(seat)` is what the seat may see.

    >>> def hasty(state, seat):
    ...     return state.legal_actions(seat)[0]
    """

    def __call__(self, state: State, seat: int, /) -> str: ...


class Player(ABC):
    """A player of games of turns. `simulations`: of a decision, or so many as take as long."""

    simulations = 1

    @abstractmethod
    def order(self, state: TurnState, seed: int) -> Iterator[Action]:
        """The legal acts of the seat that is to act, the one it plays first. The seed is for what it draws."""

    def choose(self, state: TurnState, seed: int) -> Action:
        """The act that it plays."""
        return next(self.order(state, seed))


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
        return f"{', '.join(names)}, or hands=LEVEL+mind=LEVEL"
    named = [level.name for level in timeless_levels(game)]
    by_worth = ("greedy", "sims:N") if game.is_evaluated else ()
    names = ["random", *by_worth[:1], *named, "best:N", *by_worth[1:], "pure:N", "tries:N"]
    names += ["solver"] if can_solve(game) else []
    forgetful = "; NAME/memory=K, which remembers only the last K acts" if hides(game) else ""
    effects = f"avoids acts of this notation (* is any text) or effect ({', '.join(effects_of(game))})"
    return f"{', '.join(names)}; NAME/without=X, which {effects}{forgetful}"


@functools.lru_cache(maxsize=64)
def player(game: Game, name: str) -> Player:
    """The player of a game of turns with a name. Raises GameError."""
    refused = GameError(f"there is no player {short_repr(name)}; allowed: {allowed(game)}")
    if not isinstance(game, TurnGame):
        raise refused
    base, *limits = name.split("/")
    found = _plain(game, base)
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


def maker(game: Game, name: str) -> Maker:
    """What makes the player of a game without turns with a name. Raises GameError."""
    by_name = {level.name: level for level in levels(game)}
    mixed = HANDS.fullmatch(name)
    hands, mind = mixed.groups() if mixed else (name, name)
    if hands not in by_name or mind not in by_name:
        raise GameError(f"there is no player {short_repr(name)}; allowed: {allowed(game)}")
    body, head = by_name[hands], by_name[mind]
    assert isinstance(body, RealTimeLevel)
    assert isinstance(head, RealTimeLevel)
    level = dataclasses.replace(body, skill=head.skill, notices=head.notices)
    return lambda seed: RealTimeBot(game, level, seed)


def usual_player(game: Game) -> str:
    """Who plays where nobody is named: quick, and no fool. Without turns it is the level in the middle."""
    if isinstance(game, TurnGame):
        return "greedy" if game.is_evaluated else "tries:8"
    found = levels(game.info.name)
    return found[len(found) // 2].name


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


def _plain(game: TurnGame, name: str) -> Player | None:
    """The player with a name without limits."""
    if name == "random":
        return Random()
    if name == "greedy" and game.is_evaluated:
        return Searcher(INFORMED, Effort(1))
    if name == "solver" and can_solve(game):
        return Perfect()
    if (tries := TRIES.fullmatch(name)) is not None:
        return Trier(int(tries[1]))
    level = next((level for level in timeless_levels(game) if level.name == name), None)
    if level is not None:
        searcher, memory = Searcher(None, level.effort), level.effort.memory
        return searcher if memory is None else Forgetful(searcher, memory)
    numbered = NUMBERED.fullmatch(name)
    if numbered is None or int(numbered[2]) > MOST_SIMULATIONS or (numbered[1] == "sims" and not game.is_evaluated):
        return None
    return Searcher(STYLES[numbered[1]], Effort(int(numbered[2])))


class Own(Player):
    """Asks a function, or whatever else can be called. The seed is not for it: what it draws is its own."""

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


class Random(Player):
    """Plays uniformly random legal acts."""

    def order(self, state: TurnState, seed: int) -> Iterator[Action]:
        legal = state.legal_actions()
        _generator(seed).shuffle(legal)
        return iter(legal)

    def choose(self, state: TurnState, seed: int) -> Action:
        rules = state.game.rules
        buffer = np.empty(rules.MOST_ACTS, np.int64)
        return state.game.notations[int(rules.pick(state.position, buffer, np.array([seed], np.int64)))]


class Searcher(Player):
    """Searches, in the best style known or another, with as much effort as it is given; time does not count."""

    def __init__(self, style: Style | None, effort: Effort) -> None:
        assert effort.simulations is not None
        self.style, self.effort, self.simulations = style, effort, effort.simulations

    def order(self, state: TurnState, seed: int) -> Iterator[Action]:
        legal = state.legal_actions()
        if len(legal) == 1:
            return iter(legal)
        found = search(state, self.style, simulations=self.simulations, seed=seed)
        return (one.action for one in by_preference(found, self.effort, _generator(seed)))


class Trier(Player):
    """Plays some random games to the end, from as many acts as it can, and then the act that has won most of its own.

    Quicker than a search, and in no order of the acts, so that it is no fool where it tries fewer games than there are
    acts.
    """

    def __init__(self, tries: int) -> None:
        self.simulations = tries

    def order(self, state: TurnState, seed: int) -> Iterator[Action]:
        legal = state.legal_actions()
        if len(legal) == 1:
            return iter(legal)
        known = determinized(state, None, seed)
        rng, draws = _generator(seed), jit.seeds(seed, 1)
        rng.shuffle(legal)
        shares: dict[Action, list[float]] = {act: [] for act in legal}
        for act in itertools.islice(itertools.cycle(legal), self.simulations):
            shares[act].append(self._play_out(known.game, known.apply(act).position.copy(), draws)[state.actor])
        return iter(sorted(legal, key=lambda act: -float(np.mean(shares[act])) if shares[act] else 1.0))

    def _play_out(self, game: TurnGame, position: Any, rng: Any) -> list[float]:
        """The shares of a random game; equal ones of a game that goes on too long."""
        buffer = np.empty(game.rules.MOST_ACTS, np.int64)
        for _ in range(LONGEST_PLAYOUT):
            if position[ACTOR] == NOBODY:
                winners = [seat for seat in range(game.players) if position[WINNERS] >> seat & 1]
                return shares_of(winners, game.players)
            game.rules.apply(position, game.rules.pick(position, buffer, rng))
        return shares_of(range(game.players), game.players)


class Perfect(Player):
    """Plays perfectly, by the game's solver; of equally good acts any."""

    simulations = 1000

    def order(self, state: TurnState, seed: int) -> Iterator[Action]:
        solver = solver_of(state.game.info)
        assert solver is not None
        ranks = {act: rank(value) for act, value in solver.values(state).items()}
        legal = list(ranks)
        _generator(seed).shuffle(legal)
        return iter(sorted(legal, key=lambda act: -ranks[act]))


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


class Forgetful(Player):
    """Plays like another one, but from what it has in sight and its memory of the last acts."""

    def __init__(self, free: Player, memory: int) -> None:
        self.free, self.memory = free, memory
        self.simulations = free.simulations

    def order(self, state: TurnState, seed: int) -> Iterator[Action]:
        return self.free.order(determinized(state, self.memory, seed), seed)


def _generator(seed: int) -> random.Random:
    return random.Random(seed)  # noqa: S311 (play, not secrets)
