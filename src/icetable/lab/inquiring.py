"""The games that are played to answer questions about a game, and what is claimed of them."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from icetable.core.turns import TurnGame
from icetable.kernels import jit
from icetable.lab.blocks import LONGEST_GAME, UNFINISHED, Row, play_block
from icetable.lab.comparing import other_values
from icetable.lab.intervals import Estimate, anytime_quantile
from icetable.lab.ladders import share_of_first
from icetable.lab.luck import Luck, anytime_part, luck_of, play_and_split
from icetable.lab.plan import Plan
from icetable.lab.probing import Probe, Seen, probe, unused, watched
from icetable.lab.racing import Blocks, Claim, Weighed, known_of
from icetable.lab.streams import seed_of
from icetable.workshop.playing import WorkshopGame

if TYPE_CHECKING:
    from icetable.core.game import Game

MAX_BLOCKS = 4000
"""The most blocks of one kind of players."""
WEIGHT = 4
"""Games between the strongest players answer most questions, and get so much more time than others."""
BY_WORTH, BY_TRYING = ["random", "greedy", "sims:30"], ["random", "tries:8"]
"""The players of compiled games that say what positions are worth, and of others."""
TRIED = 3
"""The random games by which it is seen whether others are worth beginning."""
LONGEST_PLAIN = 500
"""In acts: so long a game in plain Python may be that has no limit of turns."""
LUCK_PLAYOUTS = 4
"""The games that are played on from each position, in each half, to see how much is luck."""
ENDLESS = Claim(0, 0.05)
"""Of few games it is not known whether they end."""
FAIR = 0.05
"""A share that is no farther from an equal one makes no seat better."""
BETTER = 0.02
"""A player who gets so little more than an equal share is no better."""
RUNAWAY = Claim(0, 0.85)
"""Who leads after half of the game does not win nearly always."""
KINGLESS = Claim(-1, 0.05)
"""Those who have lost move little of the others' shares."""
IDLE = Claim(-1, 0.03, (-1, 0))
"""No act is better than another."""
PROBED = {"leader": RUNAWAY, "gain": IDLE, "sway": KINGLESS}
"""What is asked of positions, by its name in `Probe`."""
RARE = Claim(0, 0.01)
"""What is used in so few games is as good as dead."""
SHORTEST, STEADY = 2.0, 0.25
"""A length is known where its interval is no wider than two turns, or than this part of it."""


class Watched(NamedTuple):
    """A block between equal players, with what its games have used, and what positions of them have told."""

    rows: list[Row]
    seen: list[Seen]
    probes: list[Probe]


def play_equal(plan: Plan, longest: int, slip: float | None, block: int) -> Watched:
    """A block between equal players. Positions are looked at where it is said how those play who play on."""
    rows = play_block(plan, block, longest)
    states, seen = zip(*(watched(plan, row) for row in rows), strict=True)
    probes = [] if slip is None else [probe(plan, row, some, slip) for row, some in zip(rows, states, strict=True)]
    return Watched(rows, list(seen), probes)


def play_luck(game: TurnGame, seed: int, slip: float, block: int) -> list[float]:
    """What the variance of one game's result comes from."""
    seeds = jit.seeds(seed_of(seed, "luck", block), 1)
    found: list[float] = play_and_split(game, seeds, 1, slip, LUCK_PLAYOUTS)[0].tolist()
    return found


def is_changed(usual: Plan, other: Plan, longest: int, block: int) -> float:
    """Whether another value of an option changes a game of a block, played on with the same chance."""
    several = zip(*(play_block(plan, block, longest) for plan in (usual, other)), strict=True)
    return float(np.mean([one.log != two.log or one.shares != two.shares for one, two in several]))


class Inquiry:
    """The games that are played to answer, and the claims that they tell about.

    Games that are compared are played by players of the same strengths, and broken off after as many acts.
    """

    def __init__(self, plan: Plan, strengths: Sequence[str] | None = None, longest: int | None = None) -> None:
        self.game, self.seed = plan.game, plan.seed
        self.equal_share = 1 / self.game.players
        self.longest = longest or longest_of(self.game)
        self.strengths = strengths or strengths_of(plan, self.longest)
        self.strongest = self.strengths[-1]
        self.slip = slip_of(self.strengths)
        self.equal = {name: self._of_equals(name) for name in self.strengths}
        self.matches, self.luck = {}, None
        if self.game.players > 1:
            self.matches = {strong: self._of_match(strong, weak) for weak, strong in itertools.pairwise(self.strengths)}
            self.luck = self._of_luck() if self.is_probed else None
        usual = self.plan(self.strengths[0])
        self.options = {
            f"{option.name}={value}": self._of_option(usual, other)
            for option, value, other in other_values(usual)
            if isinstance(other, Plan)
        }

    def plan(self, *seats: str) -> Plan:
        """The plan of some players."""
        return Plan(self.game, seats=seats, blocks=MAX_BLOCKS, seed=self.seed)

    @property
    def blocks(self) -> list[Blocks]:
        """All that is played."""
        return [
            *self.equal.values(),
            *self.matches.values(),
            *([self.luck] if self.luck else []),
            *self.options.values(),
        ]

    @property
    def is_probed(self) -> bool:
        """Whether positions of games can be looked at: there are turns, an end, and somebody to win against."""
        return isinstance(self.game, TurnGame) and self.game.players > 1 and len(self.strengths) > 1

    def _of_equals(self, name: str) -> Blocks:
        is_probed = self.is_probed and name == self.strongest
        play = functools.partial(play_equal, self.plan(name), self.longest, self.slip if is_probed else None)

        def is_known(found: Sequence[Watched]) -> bool:
            told = [self.ends(found), *self.seats(found)]
            told += [self.probed(found, claim, what) for what, claim in PROBED.items()] if is_probed else []
            told += [self.dead(found)] if name == self.strengths[0] and unused(self.game, seen_in(found)) else []
            return is_steady(self.length(found)) and all(one.holds is not None for one in told)

        return Blocks(play, is_known, MAX_BLOCKS, WEIGHT if is_probed else 2)

    def _of_match(self, strong: str, weak: str) -> Blocks:
        play = functools.partial(play_block, self.plan(strong, *[weak] * (self.game.players - 1)), longest=self.longest)
        return Blocks(play, lambda found: self.better(found).holds is not None, MAX_BLOCKS)

    def _of_luck(self) -> Blocks:
        assert isinstance(self.game, TurnGame)
        play = functools.partial(play_luck, self.game, self.seed, self.slip)
        return Blocks(play, lambda found: is_split(self.game, self.split(found)), MAX_BLOCKS)

    def _of_option(self, usual: Plan, other: Plan) -> Blocks:
        play = functools.partial(is_changed, usual, other, self.longest)
        return Blocks(play, lambda found: any(found) or self.dead(found).holds is not None, MAX_BLOCKS, first=1)

    # What games tell

    def ends(self, found: Sequence[Watched]) -> Weighed:
        """Few games are broken off."""
        cut = [share_of(one.rows, is_unfinished) for one in found]
        return Weighed(ENDLESS, known_of(cut, len(self.strengths)))

    def length(self, found: Sequence[Watched]) -> Estimate:
        """The median length: in turns, and without turns in minutes."""
        lengths = np.array([[length_of(row) for row in one.rows] for one in found], float)
        return anytime_quantile(lengths, unit="turns" if self.game.info.turns else "minutes")

    def seats(self, found: Sequence[Watched]) -> list[Weighed]:
        """Each seat has an equal share. Of two seats one tells of both."""
        players, equal = self.game.players, self.equal_share
        claim, seats = Claim(equal - FAIR, equal + FAIR, (equal, equal)), range(players if players > 2 else players - 1)
        return [
            Weighed(claim, known_of([share_of(one.rows, lambda row: row.shares[seat]) for one in found], len(seats)))  # noqa: B023
            for seat in seats
        ]

    def better(self, found: Sequence[list[Row]]) -> Weighed:
        """The first player gets no more than an equal share."""
        claim = Claim(0, self.equal_share + BETTER, (0, self.equal_share))
        return Weighed(claim, known_of([share_of(rows, share_of_first) for rows in found]))

    def probed(self, found: Sequence[Watched], claim: Claim, what: str) -> Weighed:
        """What positions of games tell, on average."""
        values = [float(np.mean([getattr(one, what) for one in played.probes])) for played in found]
        return Weighed(claim, known_of(values, least=min(claim.low, 0), most=1))

    def dead(self, found: Sequence[object]) -> Weighed:
        """What none of the games has used is as good as never used."""
        return Weighed(RARE, known_of([0.0] * len(found)))

    def split(self, found: Sequence[Sequence[float]]) -> Luck:
        """What the variance of results comes from."""
        assert isinstance(self.game, TurnGame)
        return luck_of(np.array(found), self.game, anytime_part)


def longest_of(game: Game) -> int:
    """After how many acts a game is broken off."""
    is_plain = isinstance(game, WorkshopGame) and not game.options.get("turn_limit")
    return LONGEST_PLAIN if is_plain else LONGEST_GAME


def strengths_of(plan: Plan, longest: int) -> list[str]:
    """From the weakest to the strongest. Where random games have no end, others could be waited for in vain."""
    game = plan.game
    if not isinstance(game, TurnGame):
        return ["beginner", "skilled"]
    if all(is_unfinished(play_block(plan, block, longest)[0]) for block in range(TRIED)):
        return ["random"]
    return BY_TRYING if isinstance(game, WorkshopGame) or not game.is_evaluated else BY_WORTH


def slip_of(strengths: Sequence[str]) -> float:
    """How often those who play on play any act: always, unless players go by what positions are worth."""
    return 0.1 if "greedy" in strengths else 1.0


def rows_of(block: Any) -> Sequence[Row]:
    """The games of a block; none where parts of luck alone are kept of it, or whether an option changed it."""
    rows = block.rows if isinstance(block, Watched) else block
    return rows if isinstance(rows, list) and isinstance(rows[0], Row) else ()


def share_of(rows: Sequence[Row], value: Callable[[Row], float]) -> float:
    """The mean of a figure in a block."""
    return sum(map(value, rows)) / len(rows)


def is_unfinished(row: Row) -> bool:
    """Whether a game was broken off."""
    return row.ended_by == UNFINISHED


def length_of(row: Row) -> float:
    """The turns of a game; in a game without turns its minutes."""
    return row.times[-1] / 60_000 if row.times else row.turns


def is_steady(length: Estimate) -> bool:
    """Whether a length is known well enough."""
    return length.high - length.low <= max(SHORTEST, STEADY * length.value)


def is_split(game: Game, luck: Luck) -> bool:
    """Whether it is known how much is luck."""
    return luck.is_known if isinstance(game, TurnGame) and game.has_chance else luck.is_seat_known


def seen_in(found: Sequence[Watched]) -> list[Seen]:
    """What games have used."""
    return [seen for one in found for seen in one.seen]
