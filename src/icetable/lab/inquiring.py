"""The games that are played to answer questions about a game, and the claims that they test."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from icetable.core.turns import TurnGame
from icetable.kernels import jit
from icetable.lab.blocks import MAX_GAME_ACTS, UNFINISHED, Row, play_block
from icetable.lab.comparing import other_values
from icetable.lab.intervals import Estimate, anytime_quantile
from icetable.lab.ladders import share_of_first
from icetable.lab.luck import Luck, anytime_part, luck_of, play_and_split
from icetable.lab.plan import Plan
from icetable.lab.probing import Probe, Usage, probe, replay_usage, unused
from icetable.lab.racing import Assessment, Blocks, Claim, estimate_of
from icetable.lab.streams import seed_of
from icetable.workshop.playing import PlainGame

if TYPE_CHECKING:
    from icetable.core.game import Game

MAX_BLOCKS = 4000
"""Maximum number of blocks per kind of players."""
STRONGEST_WEIGHT = 4
"""Weight of the games between the strongest players, which answer most questions."""
STRENGTHS_BY_EVALUATION, STRENGTHS_BY_PLAYOUTS = ["random", "greedy", "sims:30"], ["random", "tries:8"]
"""The players of compiled games with an evaluation of positions, and of other games."""
TRIAL_GAMES = 3
"""Number of random games that decide whether stronger players are tried."""
MAX_ACTS_PLAIN = 500
"""Maximum length of a game in plain Python without a turn limit."""
LUCK_PLAYOUTS = 4
"""Number of playouts from each position, in each half, to measure luck."""
ENDS = Claim(0, 0.05)
"""Games rarely go on without end."""
MAX_SEAT_ADVANTAGE = 0.05
"""Largest distance from an equal share that gives no seat an advantage."""
MIN_SKILL_ADVANTAGE = 0.02
"""A player with no more than this above an equal share is no better."""
NO_RUNAWAY = Claim(0, 0.85)
"""The leader halfway through a game does not nearly always win."""
NO_KINGMAKING = Claim(-1, 0.05)
"""Losing players shift little of the others' shares."""
NO_CHOICES = Claim(-1, 0.03, (-1, 0))
"""No act is better than another."""
PROBE_CLAIMS = {"leader": NO_RUNAWAY, "gain": NO_CHOICES, "sway": NO_KINGMAKING}
"""The claims about the fields of `Probe`."""
RARE = Claim(0, 0.01)
"""A rule or piece that is used in so few games is as good as dead."""
MAX_LENGTH_WIDTH, MAX_LENGTH_WIDTH_RATIO = 2.0, 0.25
"""A length is known if its interval is no wider than two turns, or than this fraction of the length."""


class EqualBlock(NamedTuple):
    """A block between equal players, with the lines, effects and pieces used in its games, and probes of positions."""

    rows: list[Row]
    usage: list[Usage]
    probes: list[Probe]


def play_equal(plan: Plan, longest: int, slip: float | None, block: int) -> EqualBlock:
    """Play a block between equal players. Positions are probed if `slip` is given."""
    rows = play_block(plan, block, longest)
    states, usage = zip(*(replay_usage(plan, row) for row in rows), strict=True)
    probes = [] if slip is None else [probe(plan, row, some, slip) for row, some in zip(rows, states, strict=True)]
    return EqualBlock(rows, list(usage), probes)


def play_luck(game: TurnGame, seed: int, slip: float, block: int) -> list[float]:
    """Play one game, and split the variance of its result by source."""
    seeds = jit.seeds(seed_of(seed, "luck", block), 1)
    parts: list[float] = play_and_split(game, seeds, 1, slip, LUCK_PLAYOUTS)[0].tolist()
    return parts


def is_changed(usual: Plan, other: Plan, longest: int, block: int) -> float:
    """The share of a block's games that another value of an option changes, with the same chance."""
    pairs = zip(*(play_block(plan, block, longest) for plan in (usual, other)), strict=True)
    return float(np.mean([one.log != two.log or one.shares != two.shares for one, two in pairs]))


class Inquiry:
    """The games that are played to answer questions, and the claims that they test.

    To compare two games, give both the same `strengths` of players and the same maximum length.
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
        return Plan(self.game, seats=seats, blocks=MAX_BLOCKS, seed=self.seed)

    @property
    def blocks(self) -> list[Blocks]:
        return [
            *self.equal.values(),
            *self.matches.values(),
            *([self.luck] if self.luck else []),
            *self.options.values(),
        ]

    @property
    def is_probed(self) -> bool:
        """Whether positions can be probed: the game has turns and opponents, and ends under random play."""
        return isinstance(self.game, TurnGame) and self.game.players > 1 and len(self.strengths) > 1

    def _of_equals(self, name: str) -> Blocks:
        is_probed = self.is_probed and name == self.strongest
        play = functools.partial(play_equal, self.plan(name), self.longest, self.slip if is_probed else None)

        def is_known(found: Sequence[EqualBlock]) -> bool:
            claims = [self.ends(found), *self.seats(found)]
            claims += [self.probed(found, claim, figure) for figure, claim in PROBE_CLAIMS.items()] if is_probed else []
            claims += [self.dead(found)] if name == self.strengths[0] and unused(self.game, usage_of(found)) else []
            return is_steady(self.length(found)) and all(claim.holds is not None for claim in claims)

        return Blocks(play, is_known, MAX_BLOCKS, STRONGEST_WEIGHT if is_probed else 2)

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

    # The claims

    def ends(self, found: Sequence[EqualBlock]) -> Assessment:
        """Whether nearly all games end."""
        cut = [share_of(block.rows, is_unfinished) for block in found]
        return Assessment(ENDS, estimate_of(cut, len(self.strengths)))

    def length(self, found: Sequence[EqualBlock]) -> Estimate:
        """The median length in turns, or in minutes for a game without turns."""
        lengths = np.array([[length_of(row) for row in block.rows] for block in found], float)
        return anytime_quantile(lengths, unit="turns" if self.game.info.turns else "minutes")

    def seats(self, found: Sequence[EqualBlock]) -> list[Assessment]:
        """Whether each seat has an equal share. With two seats, the first one is enough."""
        players, equal = self.game.players, self.equal_share
        claim = Claim(equal - MAX_SEAT_ADVANTAGE, equal + MAX_SEAT_ADVANTAGE, (equal, equal))
        seats = range(players if players > 2 else players - 1)
        shares = [[share_of(block.rows, lambda row: row.shares[seat]) for block in found] for seat in seats]  # noqa: B023
        return [Assessment(claim, estimate_of(means, len(seats))) for means in shares]

    def better(self, found: Sequence[list[Row]]) -> Assessment:
        """Whether the first player gets no more than an equal share."""
        claim = Claim(0, self.equal_share + MIN_SKILL_ADVANTAGE, (0, self.equal_share))
        return Assessment(claim, estimate_of([share_of(rows, share_of_first) for rows in found]))

    def probed(self, found: Sequence[EqualBlock], claim: Claim, figure: str) -> Assessment:
        """Whether a claim holds for a figure of the probes."""
        values = [float(np.mean([getattr(probe, figure) for probe in block.probes])) for block in found]
        return Assessment(claim, estimate_of(values, least=min(claim.low, 0), most=1))

    def dead(self, found: Sequence[object]) -> Assessment:
        """Whether an element that none of the games used can be called dead."""
        return Assessment(RARE, estimate_of([0.0] * len(found)))

    def split(self, found: Sequence[Sequence[float]]) -> Luck:
        """The sources of the variance of results."""
        assert isinstance(self.game, TurnGame)
        return luck_of(np.array(found), self.game, anytime_part)


def longest_of(game: Game) -> int:
    """The maximum length of a game, in acts."""
    is_plain = isinstance(game, PlainGame) and not game.options.get("turn_limit")
    return MAX_ACTS_PLAIN if is_plain else MAX_GAME_ACTS


def strengths_of(plan: Plan, longest: int) -> list[str]:
    """The players to use, weakest first; only random ones if random games don't end, as others might not end either."""
    game = plan.game
    if not isinstance(game, TurnGame):
        return ["beginner", "skilled"]
    if all(is_unfinished(play_block(plan, block, longest)[0]) for block in range(TRIAL_GAMES)):
        return ["random"]
    return STRENGTHS_BY_PLAYOUTS if isinstance(game, PlainGame) or not game.is_evaluated else STRENGTHS_BY_EVALUATION


def slip_of(strengths: Sequence[str]) -> float:
    """The probability of a random act in playouts: 1 unless some players use an evaluation of positions."""
    return 0.1 if "greedy" in strengths else 1.0


def rows_of(block: Any) -> Sequence[Row]:
    """The games of a block, if it stores any."""
    rows = block.rows if isinstance(block, EqualBlock) else block
    return rows if isinstance(rows, list) and isinstance(rows[0], Row) else ()


def share_of(rows: Sequence[Row], value: Callable[[Row], float]) -> float:
    """The mean of a figure over a block's games."""
    return sum(map(value, rows)) / len(rows)


def is_unfinished(row: Row) -> bool:
    return row.ended_by == UNFINISHED


def length_of(row: Row) -> float:
    """The length of a game in turns, or in minutes for a game without turns."""
    return row.times[-1] / 60_000 if row.times else row.turns


def is_steady(length: Estimate) -> bool:
    return length.high - length.low <= max(MAX_LENGTH_WIDTH, MAX_LENGTH_WIDTH_RATIO * length.value)


def is_split(game: Game, luck: Luck) -> bool:
    """Whether the amount of luck is known."""
    return luck.is_known if isinstance(game, TurnGame) and game.has_chance else luck.is_seat_known


def usage_of(found: Sequence[EqualBlock]) -> list[Usage]:
    return [usage for one in found for usage in one.usage]
