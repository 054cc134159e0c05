"""The levels of bots."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from icetable import games
from icetable.core.errors import BadOption
from icetable.core.game import Game, GameInfo
from icetable.core.options import allowed_for, short_repr
from icetable.core.realtime import Skill
from icetable.extras.strength import BEST, Effort, Efforts


@dataclass(frozen=True)
class Level:
    """A strength of play."""

    name: str
    """Its name, as in `Bot`."""
    title: str
    """Its name for people."""
    about: str
    """How it plays, in a sentence or two."""

    @property
    def is_quick(self) -> bool:
        """Whether choosing an act takes only a few milliseconds."""
        return True


@dataclass(frozen=True)
class SearchLevel(Level):
    """A level in turn-based games."""

    effort: Effort
    """How strongly it searches."""

    @property
    def fixed_name(self) -> str:
        """The name with the version, for comparable results."""
        return f"{self.name}@{self.effort.version}"

    @property
    def is_quick(self) -> bool:
        return self.effort.simulations is not None and self.effort.simulations <= MAX_QUICK_SIMULATIONS


@dataclass(frozen=True)
class RealTimeLevel(Level):
    """A level in real-time games: how well and how fast a bot plays. Durations are averages in seconds."""

    skill: Skill
    """How well it sees and aims."""
    reaction: float
    """From a change to the response."""
    carry: float
    """From lifting a piece to placing it."""
    pace: float
    """From one piece to the next."""
    attention: float
    """The probability of noticing an opportunity without extra delay."""
    slowdown: float = 1.0
    """The factor of `pace` while the player is two pieces ahead of another, for games with newcomers."""
    version: int = 2
    """Increases whenever the level's play changes. A change of the policy changes all levels."""

    @property
    def fixed_name(self) -> str:
        """The name with the version, for comparable results."""
        return f"{self.name}@{self.version}"


MAX_QUICK_SIMULATIONS = 100
"""Up to this many simulations take only a few milliseconds in every game."""

NAMES = ("beginner", "casual", "regular", "able", "skilled", "strong", "seasoned", "expert", "master")
"""The levels of turn-based games, weakest first."""

DEFAULT_EFFORTS: Efforts = {
    1: {
        "beginner": Effort(1, attention=0.3),
        "casual": Effort(8, attention=0.6),
        "skilled": Effort(100),
        "expert": Effort(2_000, seconds=2.0, visit_ratio=0.9),
        "master": BEST,
    }
}
"""The efforts in games that don't define their own, by the least number of players."""

REAL_TIME_LEVELS = (
    RealTimeLevel(
        "beginner",
        "Beginner",
        "Sees little of what goes on. Slow hands, shaky aim.",
        Skill(breadth=1, foresight=0.38, confidence=0.0, discount=0.65, discount_start=0.5, hand_error=120, choice=2),
        reaction=1.8,
        carry=2.5,
        pace=7.55,
        attention=0.15,
    ),
    RealTimeLevel(
        "casual",
        "Casual",
        "Would rather build than attack, and forgets to keep cover now and then.",
        Skill(breadth=2, foresight=0.48, confidence=0.55, discount=0.8, discount_start=0.5, hand_error=20),
        reaction=1.2,
        carry=1.8,
        pace=7.0,
        attention=0.4,
    ),
    RealTimeLevel(
        "skilled",
        "Skilled",
        "Keeps pieces back for whatever is weak; calls what it sees.",
        Skill(breadth=3, foresight=0.66, confidence=0.6, discount=0.92, discount_start=0.58, hand_error=12),
        reaction=0.95,
        carry=1.4,
        pace=6.5,
        attention=0.7,
    ),
    RealTimeLevel(
        "expert",
        "Expert",
        "Waits for its moment, and misses little.",
        Skill(breadth=6, foresight=0.9, confidence=0.6, discount=0.96, discount_start=1.0, hand_error=5),
        reaction=0.5,
        carry=1.1,
        pace=3.5,
        attention=0.9,
    ),
    RealTimeLevel(
        "merciless",
        "Merciless",
        "As fast as hands can be. Sees everything, and forgives nothing.",
        Skill(breadth=14, foresight=1.0, confidence=0.9, discount=1.0, discount_start=1.5, hand_error=0),
        reaction=0.35,
        carry=0.9,
        pace=3.0,
        attention=1.0,
    ),
)
REAL_TIME_NAMES = {name: level for level in REAL_TIME_LEVELS for name in (level.name, level.fixed_name)}
"""The levels of real-time games, by name and by name with version."""


def levels(game: Game | GameInfo | str | type, players: int | None = None) -> tuple[Level, ...]:
    """The levels of a game, which may be given by name, weakest first, with the efforts for a number of `players`.

    `players` defaults to the game's number of players. The names are the same for all numbers. Raises UnknownGame.
    """
    info = games.info_of(game)
    own_players = game.players if isinstance(game, Game) else info.default_players
    if not info.turns:
        return REAL_TIME_LEVELS
    module = info.part("levels")
    efforts: Efforts = module.EFFORTS if module else DEFAULT_EFFORTS
    fewest = max(fewest for fewest in efforts if fewest <= max(players or own_players, min(efforts)))
    forget = any(effort.memory is not None for effort in efforts[fewest].values())
    return tuple(
        SearchLevel(name, name.capitalize(), about_level(name, effort, forget), effort)
        for name, effort in efforts[fewest].items()
    )


def about_level(name: str, effort: Effort, forget: bool) -> str:
    """Describe a level for the one who chooses it."""
    return f"{described(effort, forget)}{' Good for a first game.' if name == NAMES[0] else ''}"


def described(effort: Effort, forget: bool = False) -> str:
    """Describe a level in a sentence. `forget`: some levels of the game forget past acts.

    >>> described(Effort(3, attention=0.94, memory=48), forget=True)
    'Tries out 3 lines of play before each move, misses a few of its chances and remembers only the last 48 moves.'
    >>> described(Effort(1, attention=0.5))
    'Looks one move ahead and misses half of its chances.'
    """
    time = "a second" if effort.seconds == 1 else f"{effort.seconds} seconds"
    if effort.simulations is None:
        parts = [f"Thinks for {time}"]
    elif effort.simulations == 1:
        parts = ["Looks one move ahead"]
    else:
        limit = "" if effort.seconds is None else f", for {time} at most"
        parts = [f"Tries out {effort.simulations:,} lines of play before each move{limit}"]
    if effort.attention < 1:
        parts.append(f"misses {_share(1 - effort.attention)} of its chances")
    if effort.solve:
        parts.append("plays perfectly where it can work the game out")
    if forget:
        parts.append("forgets nothing" if effort.memory is None else f"remembers only the last {effort.memory} moves")
    *first, last = parts
    return f"{', '.join(first)} and {last}." if first else f"{last}."


def _share(missed: float) -> str:
    bounds = ((0.7, "most"), (0.55, "more than half"), (0.45, "half"), (0.15, "some"))
    return next((word for least, word in bounds if round(missed, 2) >= least), "a few")


def for_each_number(
    info: GameInfo, levels_for: Callable[[str, int], Sequence[Level]] | None = None
) -> list[tuple[Level, dict[int, str]]]:
    """The levels of a game, each with its description by number of players. `levels_for` may give others, by name."""
    numbers = range(info.players[0], info.players[1] + 1)
    found = (levels_for(info.name, number) if levels_for else levels(info, number) for number in numbers)
    by_level = zip(*found, strict=True)
    return [(same[0], {number: one.about for number, one in zip(numbers, same, strict=True)}) for same in by_level]


def in_words(abouts: Mapping[int, str]) -> str:
    """Combine a level's descriptions by number of players into one text.

    >>> in_words({2: "Thinks for a second.", 3: "Thinks for 2 seconds.", 4: "Thinks for 2 seconds."})
    'With 2 players: thinks for a second. With 3 or 4 players: thinks for 2 seconds.'
    """
    by_text: dict[str, list[int]] = {}
    for number, about in abouts.items():
        by_text.setdefault(about, []).append(number)
    if len(by_text) == 1:
        return next(iter(by_text))
    return " ".join(f"With {_counted(numbers)}: {about[0].lower()}{about[1:]}" for about, numbers in by_text.items())


def _counted(players: list[int]) -> str:
    """Numbers of players as text, such as "1 or 2 players"."""
    numbers = f"{players[0]} to {players[-1]}" if len(players) > 2 else " or ".join(map(str, players))
    return f"{numbers} player{'' if numbers == '1' else 's'}"


def timeless_levels(game: Game) -> list[SearchLevel]:
    """The levels of a turn-based game that are limited by simulations rather than time, weakest first."""
    found = (level for level in levels(game) if isinstance(level, SearchLevel))
    return [level for level in found if level.effort.simulations is not None]


def level_named(game: Game, name: str) -> Level:
    """The level with this name. Raises BadOption."""
    by_name = {level.name: level for level in levels(game)}
    if name not in by_name:
        raise BadOption(f"there is no level {short_repr(name)}; {allowed_for(name, by_name)}")
    return by_name[name]
