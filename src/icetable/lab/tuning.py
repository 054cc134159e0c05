"""Races between variants of a game: variants that surely miss the goal drop out, and the others play on."""

from __future__ import annotations

import functools
import itertools
import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from icetable import games
from icetable.bots.compilation import ensure
from icetable.core.errors import GameError
from icetable.core.options import check_whole, short_repr
from icetable.lab.claims import is_unfinished, share_of
from icetable.lab.comparisons import MEASURES
from icetable.lab.intervals import percent
from icetable.lab.plan import Plan, Row, play_block
from icetable.lab.players import usual_player
from icetable.lab.runs import check_sent
from icetable.lab.scheduler import Assessment, Blocks, Claim, estimate_of, play_all, workers_of

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from icetable.core.game import Game
    from icetable.lab.runs import OnProgress

MAX_BLOCKS_PER_VARIANT = 1000
RANGE = re.compile(r"([a-z]+) +([0-9.]+?)\.\.([0-9.]+)")
WITHIN = re.compile(r"seats +within +([0-9.]+)")
FIGURES: Mapping[str, Callable[[Game, Row], float]] = {
    "turns": MEASURES["length"],
    "choices": MEASURES["choice"],
    "draws": MEASURES["draws"],
    "unfinished": lambda _game, row: is_unfinished(row),
}
"""Figures that a goal can name beside the shares of seats. The goal applies to the median of turns and choices."""
SHARES_OF_GAMES = ("draws", "unfinished")
"""Figures that are shares of games."""


class Want(NamedTuple):
    """A figure of games with the range that its mean should be in."""

    text: str
    """The name of the figure."""
    value: Callable[[Row], float]
    """The figure of a game."""
    claim: Claim
    """The range."""


@dataclass(frozen=True)
class Variant:
    """A variant in a race."""

    options: Mapping[str, Any]
    """The values of the options that vary."""
    known: Mapping[str, Assessment]
    """The assessment of each want, by its text."""
    blocks: int
    """The number of blocks played."""

    @property
    def is_right(self) -> bool | None:
        """Whether it meets the goal; None if that is still open."""
        holding = [assessment.holds for assessment in self.known.values()]
        return False if False in holding else True if all(holding) else None

    @property
    def miss(self) -> float:
        """The largest distance of its current figures from the goal."""
        pairs = [(assessment.estimate.value, assessment.claim) for assessment in self.known.values()]
        return max((max(claim.low - value, value - claim.high, 0.0) for value, claim in pairs), default=math.inf)

    @property
    def name(self) -> str:
        """The options in words."""
        return ", ".join(f"{name}={value}" for name, value in self.options.items())

    def described(self) -> dict[str, Any]:
        """The variant as a JSON-able dict."""
        known = {text: assessment.estimate.described() for text, assessment in self.known.items()}
        return {"options": dict(self.options), "right": self.is_right, "blocks": self.blocks, "known": known}


def tune(
    game: Game | str | type,
    vary: Mapping[str, Sequence[Any]],
    want: str,
    players: int | None = None,
    options: Mapping[str, Any] | None = None,
    seat: str | None = None,
    blocks: int = MAX_BLOCKS_PER_VARIANT,
    seconds: float = math.inf,
    seed: int = 0,
    executor: Executor | None = None,
    jobs: int = 1,
    on_progress: OnProgress | None = None,
) -> list[Variant]:
    """Race all combinations of some options' values, and return them with the best ones first.

    `want`: the goal, such as "turns 30..50, seats within 0.03"; `turns` and `choices` are medians, `draws` and
    `unfinished` shares of games. All variants play from the same openings, with equal players, `seat`. A variant drops
    out once it surely misses the goal; at most 5 of 100 races ever drop one that meets it. The race ends when every
    variant is decided, one is left, or `blocks` or `seconds` are used up. Raises GameError.

    >>> from icetable import lab
    >>> lab.tune("squad", {"board": [4, 6]}, "turns 9..30", seat="random", blocks=60)[0].name
    'board=4'
    """
    check_whole("blocks", blocks, 1)
    chosen = {**(options or {}), **({} if players is None else {"players": players})}
    base = games.with_options(game, **chosen)
    ensure(base.info)
    combinations = [dict(zip(vary, values, strict=True)) for values in itertools.product(*vary.values())]
    varied = [games.with_options(base, **combination) for combination in combinations]
    plans = [Plan(variant, seats=[seat or usual_player(variant)], blocks=blocks, seed=seed) for variant in varied]
    if executor is None and jobs > 1:
        check_sent(plans[0])
    race = Race(plans, [wants_of(want, variant) for variant in varied])
    with workers_of(executor, jobs) as (executor, pieces):
        play_all(race.blocks, seconds, executor, pieces, on_progress)
    found = [Variant(one, race.assess(at), len(race.blocks[at].found)) for at, one in enumerate(combinations)]
    order = {True: 0, None: 1, False: 2}
    return sorted(found, key=lambda variant: (order[variant.is_right], variant.miss))


class Race:
    """Variants that play until they surely meet or miss the goal."""

    def __init__(self, plans: Sequence[Plan], wants: Sequence[Sequence[Want]]) -> None:
        self._wants = wants
        self._dropped: set[int] = set()
        self.blocks = [
            Blocks(functools.partial(play_block, plan), functools.partial(self._is_known, number), plan.blocks)
            for number, plan in enumerate(plans)
        ]

    def assess(self, number: int, found: Sequence[Sequence[Row]] | None = None) -> dict[str, Assessment]:
        """The assessments of a variant by want."""
        rows, wants = self.blocks[number].found if found is None else found, self._wants[number]
        claims = len(self.blocks) * len(wants)
        return {
            one.text: Assessment(one.claim, estimate_of([share_of(block, one.value) for block in rows], claims))
            for one in wants
        }

    def _is_known(self, number: int, found: Sequence[Sequence[Row]]) -> bool:
        holding = [assessment.holds for assessment in self.assess(number, found).values()]
        if False in holding:
            self._dropped.add(number)
        is_last = 0 < len(self._dropped) == len(self.blocks) - 1
        return None not in holding or False in holding or is_last


def wants_of(text: str, game: Game) -> list[Want]:
    """Parse a goal. Raises GameError."""
    found = []
    for part in map(str.strip, text.split(",")):
        within, ranged = WITHIN.fullmatch(part), RANGE.fullmatch(part)
        if within:
            found += [_seat(seat, 1 / game.players, float(within[1])) for seat in range(game.players)]
        elif ranged and ranged[1] in FIGURES and float(ranged[2]) <= float(ranged[3]):
            found += _ranged(game, ranged[1], float(ranged[2]), float(ranged[3]))
        else:
            raise GameError(
                f"{short_repr(part)} is no goal; allowed: seats within 0.03, and a range such as "
                f"turns 30..50 of {', '.join(FIGURES)}"
            )
    return found


def _seat(seat: int, equal: float, width: float) -> Want:
    return Want(f"seat {seat + 1}", lambda row: row.shares[seat], Claim(equal - width, equal + width))


def _ranged(game: Game, name: str, low: float, high: float) -> list[Want]:
    value = functools.partial(FIGURES[name], game)
    if name in SHARES_OF_GAMES:
        return [Want(name, value, Claim(low, high))]
    below = Want(f"under {low:g} {name}", lambda row: float(value(row) < low), Claim(0, 0.5))
    return [below, Want(f"over {high:g} {name}", lambda row: float(value(row) > high), Claim(0, 0.5))]


def race_in_words(found: Sequence[Variant], want: str) -> list[str]:
    """The result of a race in sentences."""
    right, wrong = ([variant for variant in found if variant.is_right is answer] for answer in (True, False))
    unknown = [variant for variant in found if variant.is_right is None]
    said = [f"{variant.name}: yes, {_figures(variant)}." for variant in right]
    so_far = "the only one left" if len(unknown) == 1 and not right and wrong else "can't tell yet"
    said += [f"{variant.name}: {so_far}, {_figures(variant)}." for variant in unknown]
    if not right and not unknown:
        said.append(f"None of {len(found)} variants meets the goal ({want}); the closest is {wrong[0].name}.")
    said += [f"{variant.name}: no, {_figures(variant)}." for variant in wrong]
    return said


def _figures(one: Variant) -> str:
    return ", ".join(f"{text} {percent(assessment.estimate)}" for text, assessment in one.known.items())
