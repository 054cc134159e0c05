"""The levels that bots play at."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from icetable import games
from icetable.core.errors import BadOption
from icetable.core.options import short_repr
from icetable.core.realtime import Skill

if TYPE_CHECKING:
    from icetable.core.game import Game


@dataclass(frozen=True)
class Level:
    """A strength that bots play at."""

    name: str
    title: str
    about: str

    @property
    def is_quick(self) -> bool:
        """Whether choosing an act takes only a few milliseconds."""
        return True


@dataclass(frozen=True)
class SearchLevel(Level):
    """A level in games of turns: the effort of a bot's search, and how often the bot ignores it.

    `simulations` and `seconds` bound a search: it ends at the first of the two limits. `slip` is the probability of
    playing any legal act instead. For variety the bot may also play an act with at least `near` times the visits of the
    best act. An `exact` bot plays perfectly where the game can be solved at once. Where a game hides what was played, a
    bot remembers the last `memory` acts, and imagines the rest; None is all of them.
    """

    simulations: int | None = None
    seconds: float | None = None
    slip: float = 0.0
    near: float = 0.9
    exact: bool = False
    memory: int | None = None

    @property
    def is_quick(self) -> bool:
        return self.simulations is not None and self.simulations <= QUICK


@dataclass(frozen=True)
class RealTimeLevel(Level):
    """A level in games without turns: how well and how fast a bot plays.

    Average durations in seconds: `reaction` from a change to the answer, `carry` from lifting a piece to placing it,
    `pace` from one piece to the next. `heed` is the probability of noticing at once what calls for an answer.
    """

    skill: Skill
    reaction: float
    carry: float
    pace: float
    heed: float


QUICK = 100
"""A number of simulations that takes only a few milliseconds in every game."""

LEVELS = (
    SearchLevel(
        "beginner",
        "Beginner",
        "Sees its next move, and often dreams.",
        simulations=8,
        seconds=1.0,
        slip=0.35,
        near=0.3,
        memory=4,
    ),
    SearchLevel(
        "casual",
        "Casual",
        "Looks a little ahead and sometimes slips.",
        simulations=60,
        seconds=1.0,
        slip=0.1,
        near=0.5,
        memory=12,
    ),
    SearchLevel(
        "skilled",
        "Skilled",
        "Plans a few moves; punishes mistakes.",
        simulations=600,
        seconds=1.0,
        near=0.8,
        memory=30,
    ),
    SearchLevel("expert", "Expert", "Searches thousands of lines before each move.", simulations=8_000, seconds=2.0),
    SearchLevel("master", "Master", "The best we have: thinks for a second.", seconds=1.0, exact=True),
)

REAL_TIME_LEVELS = (
    RealTimeLevel(
        "beginner",
        "Beginner",
        "Plays its small pieces first and saves the large ones. Slow hands, shaky aim.",
        Skill(breadth=1, foresight=0.38, resolve=0.0, patience=0.3, calm=0.5, wobble=50, choice=2),
        reaction=1.8,
        carry=2.5,
        pace=7.55,
        heed=0.15,
    ),
    RealTimeLevel(
        "casual",
        "Casual",
        "Would rather build than attack, and forgets to keep cover now and then.",
        Skill(breadth=2, foresight=0.48, resolve=0.55, patience=0.8, calm=0.5, wobble=20),
        reaction=1.2,
        carry=1.8,
        pace=7.0,
        heed=0.4,
    ),
    RealTimeLevel(
        "skilled",
        "Skilled",
        "Keeps pieces back for whatever is weak; calls what it sees.",
        Skill(breadth=3, foresight=0.66, resolve=0.55, patience=0.92, calm=0.58, wobble=12),
        reaction=0.95,
        carry=1.4,
        pace=6.5,
        heed=0.7,
    ),
    RealTimeLevel(
        "expert",
        "Expert",
        "Waits for its moment, and misses little.",
        Skill(breadth=6, foresight=0.9, resolve=0.6, patience=0.96, calm=1.0, wobble=5),
        reaction=0.5,
        carry=1.1,
        pace=3.5,
        heed=0.9,
    ),
    RealTimeLevel(
        "merciless",
        "Merciless",
        "As fast as hands can be. Sees everything, and forgives nothing.",
        Skill(breadth=14, foresight=1.0, resolve=0.9, patience=1.0, calm=1.5, wobble=0),
        reaction=0.35,
        carry=0.9,
        pace=3.0,
        heed=1.0,
    ),
)


def levels(game: str) -> tuple[Level, ...]:
    """The levels for a game, weakest first. Raises UnknownGame."""
    return LEVELS if games.info(game).turns else REAL_TIME_LEVELS


def level_named(game: Game, name: str) -> Level:
    """The level with a name. Raises BadOption."""
    by_name = {level.name: level for level in levels(game.info.name)}
    if name not in by_name:
        raise BadOption(f"there is no level {short_repr(name)}; allowed: {', '.join(by_name)}")
    return by_name[name]
