"""How strong a bot plays, and the bot itself. This module imports no numpy and no numba until a bot is made."""

from __future__ import annotations

import os
import random
from dataclasses import dataclass
from typing import TYPE_CHECKING

from icetable import games
from icetable.core import jit
from icetable.core.errors import BadOption, GameError
from icetable.core.game import CHANCE
from icetable.core.options import shorten
from icetable.core.realtime import Skill

if TYPE_CHECKING:
    from icetable.core.game import Action, Game, State


@dataclass(frozen=True)
class Level:
    """A strength that bots play at."""

    name: str
    title: str
    about: str

    @property
    def is_quick(self) -> bool:
        """Whether a thought takes a few milliseconds."""
        return True


@dataclass(frozen=True)
class SearchLevel(Level):
    """How much a bot searches where there are turns, and how often it does not care.

    `simulations` and `seconds`, whichever comes first, bound a thought. `slip` is how often it plays any legal act
    instead. `near` is how close to the best in visits another act must come to be played as well, for variety.
    """

    simulations: int | None = None
    seconds: float | None = None
    slip: float = 0.0
    near: float = 0.9

    @property
    def is_quick(self) -> bool:
        return self.simulations is not None and self.simulations <= QUICK


@dataclass(frozen=True)
class RealTimeLevel(Level):
    """How well and how fast a bot plays where there are no turns.

    In seconds: `reaction` from something new to the answer, `carry` from taking a piece up to letting go of it, `pace`
    from one piece to the next, all give or take a little. `heed`: how often, 0 … 1, it sees at once what calls for an
    answer.
    """

    skill: Skill
    reaction: float
    carry: float
    pace: float
    heed: float


QUICK = 100
"""How many simulations take a few milliseconds in every game."""

LEVELS = (
    SearchLevel("beginner", "Beginner", "Sees its next move, and often dreams.", simulations=8, slip=0.35, near=0.3),
    SearchLevel("casual", "Casual", "Looks a little ahead and sometimes slips.", simulations=60, slip=0.1, near=0.5),
    SearchLevel("skilled", "Skilled", "Plans a few moves; punishes mistakes.", simulations=600, seconds=1.0, near=0.8),
    SearchLevel("expert", "Expert", "Searches thousands of lines before each move.", simulations=8_000, seconds=2.0),
    SearchLevel("master", "Master", "The best we have: thinks for a second.", seconds=1.0),
)

REAL_TIME_LEVELS = (
    RealTimeLevel(
        "beginner",
        "Beginner",
        "Slow hands, shaky aim, and no thought of what comes after.",
        Skill(breadth=1, foresight=0.0, patience=0.0, slip=0.7, wobble=50),
        reaction=1.8,
        carry=2.5,
        pace=6.0,
        heed=0.15,
    ),
    RealTimeLevel(
        "casual",
        "Casual",
        "Attacks with a purpose, forgets to keep cover now and then.",
        Skill(breadth=2, foresight=0.5, patience=0.65, slip=0.1, wobble=20),
        reaction=1.2,
        carry=1.8,
        pace=5.5,
        heed=0.4,
    ),
    RealTimeLevel(
        "skilled",
        "Skilled",
        "Builds fortresses and takes prisoners; calls what it sees.",
        Skill(breadth=3, foresight=0.75, patience=0.85, slip=0.06, wobble=12),
        reaction=0.8,
        carry=1.4,
        pace=4.5,
        heed=0.7,
    ),
    RealTimeLevel(
        "expert",
        "Expert",
        "Waits for its moment, and misses little.",
        Skill(breadth=6, foresight=0.9, patience=0.93, slip=0.0, wobble=5),
        reaction=0.5,
        carry=1.1,
        pace=3.5,
        heed=0.9,
    ),
    RealTimeLevel(
        "merciless",
        "Merciless",
        "As fast as hands can be. Sees everything, and forgives nothing.",
        Skill(breadth=10, foresight=1.0, patience=0.97, slip=0.0, wobble=0),
        reaction=0.35,
        carry=0.9,
        pace=3.0,
        heed=1.0,
    ),
)


def levels(game: str) -> tuple[Level, ...]:
    """The levels there are for a game, weakest first. Raises UnknownGame."""
    return LEVELS if games.info(game).turns else REAL_TIME_LEVELS


def level_named(game: Game, name: str) -> Level:
    """The level of that name. Raises BadOption."""
    by_name = {level.name: level for level in levels(game.info.name)}
    if name not in by_name:
        raise BadOption(f"there is no level {shorten(name)}; allowed: {', '.join(by_name)}")
    return by_name[name]


class Bot:
    """A player of one game of turns at one level.

    With a seed its choices are reproducible, unless the clock ends a thought: always at the level that only thinks by
    it, at others in the largest games. Raises GameError for a game without turns, and BadOption for a level that there
    is not.
    """

    def __init__(self, game: Game, level: str, seed: int | None = None) -> None:
        if not game.info.turns:
            raise GameError(f"{game.info.title} has no turns, and is played by a RealTimeBot")
        chosen = level_named(game, level)
        assert isinstance(chosen, SearchLevel)
        self.game = game
        self.level = chosen
        self._random = random.Random(seed)  # noqa: S311 (play, not secrets)

    def choose(self, state: State, seat: int, *, threads: int | None = None) -> Action:
        """A legal act for the seat. Blocks while it thinks; compiled searches let other threads run.

        `threads`: how many the level that thinks by the clock may search in, by default one for every core. Raises
        GameError where the seat has nothing to do.
        """
        from icetable.bots.search import search
        from icetable.core.turns import TurnState

        if state.game != self.game or seat not in state.to_act:
            raise GameError(f"seat {shorten(seat)} is not to act here")
        legal = state.legal_actions(seat)
        if len(legal) == 1:
            return legal[0]
        if self._random.random() < self.level.slip:
            return self._random.choice(legal)
        assert isinstance(state, TurnState)
        candidates = search(
            state,
            simulations=self.level.simulations,
            seconds=self.level.seconds,
            threads=(threads or os.cpu_count() or 1) if self.level.simulations is None else 1,
            seed=self._random.getrandbits(32),
        )
        best = candidates[0]
        good = [c for c in candidates if c.sure == best.sure and c.visits >= self.level.near * best.visits]
        return best.action if best.sure else self._random.choice(good).action


def warm(game: Game) -> None:
    """Compile all kernels that a game needs at a table. Takes seconds when nothing is cached; run it in a thread."""
    import numpy as np

    from icetable.bots.realtime import RealTimeBot
    from icetable.bots.search import search
    from icetable.core.turns import TurnState

    if jit.ALWAYS_PLAIN:
        return
    with jit.compiling():
        state = game.start()
        if isinstance(state, TurnState):
            search(state, simulations=2)
        seen = list(game.random_game(np.random.default_rng(0)).history())
        for one in seen:
            _ask_all(one)
        if not game.info.turns:
            bot = RealTimeBot(game, REAL_TIME_LEVELS[-1].name)
            for now, one in enumerate(seen):
                bot.next(one.view(0), now)


def _ask_all(state: State) -> None:
    """What a table asks of a state when somebody has acted."""
    acts = [(act, seat) for seat in state.to_act - {CHANCE} for act in state.legal_actions(seat)[:1]]
    for act, seat in acts:
        state.fault(act, seat)
    state.view(None)
    assert isinstance(state.effects, tuple)
