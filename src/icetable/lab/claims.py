"""The games that are played to answer questions about a game, and the claims that they test."""

from __future__ import annotations

import functools
import itertools
import math
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from icetable.core.game import CHANCE
from icetable.core.turns import TurnGame
from icetable.kernels import jit
from icetable.lab.comparisons import other_values
from icetable.lab.intervals import MIN_BLOCKS_FOR_PARTS, Estimate, anytime_quantile
from icetable.lab.luck import (
    MAX_INTERVAL_WIDTH,
    Luck,
    anytime_part,
    luck_of,
    luck_of_seats,
    play_and_split,
)
from icetable.lab.plan import ACT_SEPARATOR, UNFINISHED, Plan, Row, play_block, play_game, seed_of, share_of_first
from icetable.lab.scheduler import BLOCKS_BEFORE_FIRST_CHECK, USUAL_BLOCKS, Assessment, Blocks, Claim, estimate_of
from icetable.lab.usage import (
    ACTS_PER_POSITION,
    PLAYOUTS_FOR_LEADER,
    PLAYOUTS_PER_ACT,
    POSITIONS_PER_GAME,
    Probe,
    Usage,
    probe,
    replay_usage,
    unused,
)
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
"""Number of random games that tell how long games are, and whether they end."""
TRIAL_PART = 0.15
"""The part of the time after which the trial looks no further for the end of a game."""
FIRST_LIMIT, LAST_LIMIT = 500, 16_000
"""Length of a random game, in acts of players: the limit that doubles until games end, and the largest one."""
LIMIT_FACTOR = 5
"""The limit as a multiple of the longest trial game."""
STRONG_BLOCKS = 60
"""Number of blocks between the strongest players that must fit into half of the time; if not, random players are
probed.
"""
MATCH_GAMES = 60
"""Number of games that must fit into a third of the time; if not, the better player plays only the end of games."""
PARTS_OF_GAMES = {1.0: "", 1 / 2: "second half", 1 / 4: "last quarter", 1 / 8: "last eighth", 1 / 16: "last sixteenth"}
"""The parts of games that the better player may play."""
ACTS_PER_SEARCH, REPLAY_FACTOR = 10, 4
"""About how many random acts take as long as a search of a compiled game, and as an act that is replayed and traced."""
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
    """A block between equal players."""

    rows: list[Row]
    """Its games."""
    usage: list[Usage]
    """What each game used."""
    probes: list[Probe]
    """The probes of the positions of each game."""


class Trial(NamedTuple):
    """What a few random games show."""

    longest: int
    """The number of acts of players after which games are broken off."""
    acts: float
    """The mean number of acts, with those of chance."""
    ends: bool
    """Whether any game ended."""
    seconds_per_act: float
    """The seconds that an act took."""


def try_out(game: Game, seed: int, seconds: float, clock: Callable[[], float] = time.perf_counter) -> Trial:
    """Play a few random games, with a limit that grows until they end. No game is begun once its time is up."""
    if not isinstance(game, TurnGame):
        return Trial(LAST_LIMIT, 0.0, True, 0.0)
    plan = Plan(game, seats=["random"], blocks=TRIAL_GAMES, seed=seed, opening=0)
    longest, begun = FIRST_LIMIT, clock()
    played: list[Row] = []
    paces: list[float] = []
    while len(played) < TRIAL_GAMES:
        before = clock()
        _, row = play_game(plan, len(played), 0, (), longest)
        now = clock()
        paces.append((now - before) / max(1, len(row.seats)))
        if is_unfinished(row) and longest < LAST_LIMIT and now - begun < TRIAL_PART * seconds:
            longest = min(2 * longest, LAST_LIMIT)
        else:
            played.append(row)
    ended = [acts_of(row) for row in played if not is_unfinished(row)]
    longest = max(longest, min(LIMIT_FACTOR * max(ended, default=0), LAST_LIMIT))
    return Trial(longest, float(np.mean([len(row.seats) for row in played])), bool(ended), min(paces))


def play_equal(plan: Plan, longest: int, slip: float | None, positions: int, is_traced: bool, block: int) -> EqualBlock:
    """Play a block between equal players. Their usage is traced if asked for, and some `positions`, and the leader
    halfway, are probed if `slip` is given.
    """
    if is_traced:
        rows = play_block(plan, block, longest)
        pairs = [replay_usage(plan, row) for row in rows]
        games, usage = [states for states, _ in pairs], [used for _, used in pairs]
    elif slip is not None:
        last, row = play_game(plan, block, 0, (), longest)
        rows, games, usage = [row], [list(last.history())], []
    else:
        return EqualBlock(play_block(plan, block, longest), [], [])
    if slip is None:
        return EqualBlock(rows, usage, [])
    probes = [probe(plan, row, states, slip, positions) for row, states in zip(rows, games, strict=True)]
    return EqualBlock(rows, usage, probes)


def play_end(plan: Plan, equal: Plan, longest: int, part: float, block: int) -> list[Row]:
    """Play the last part of a game between other, equal players, in every order."""
    (game,) = play_block(equal, block, longest)
    acts = game.log.split(ACT_SEPARATOR)
    opening = acts[: round((1 - part) * len(acts))]
    return [play_game(plan, block, number, opening, longest)[1] for number in range(len(plan.orders))]


def play_luck(game: TurnGame, seed: int, slip: float, block: int) -> list[float]:
    """Play one game, and split the variance of its result by source."""
    seeds = jit.seeds(seed_of(seed, "luck", block), 1)
    parts: list[float] = play_and_split(game, seeds, 1, slip, LUCK_PLAYOUTS)[0].tolist()
    return parts


def play_alone(weak: Plan, strong: Plan, longest: int, block: int) -> list[Row]:
    """Play a game for one player by two players, with the same chance: the better one first."""
    return [row for plan in (strong, weak) for row in play_block(plan, block, longest)]


def is_changed(usual: Plan, other: Plan, longest: int, block: int) -> float:
    """The share of a block's games that another value of an option changes, with the same chance."""
    pairs = zip(*(play_block(plan, block, longest) for plan in (usual, other)), strict=True)
    return float(np.mean([one.log != two.log or one.shares != two.shares for one, two in pairs]))


class Inquiry:
    """The games that are played to answer questions, and the claims that they test.

    Random games come first, as they answer most questions. Better players play where a question is about them, and
    positions of their games are probed, if the processor time `seconds` allows that; without, nothing depends on time.
    To compare two games, give both the same `trial` and the same `strengths` of players.
    """

    def __init__(
        self, plan: Plan, trial: Trial, strengths: Sequence[str] | None = None, seconds: float = math.inf
    ) -> None:
        self.game, self.seed, self.trial = plan.game, plan.seed, trial
        self.equal_share = 1 / self.game.players
        self.longest = trial.longest
        self.strengths = strengths or strengths_of(self.game, trial)
        self.weakest, self.strongest = self.strengths[0], self.strengths[-1]
        self.slip = slip_of(self.strengths)
        self.has_chance = isinstance(self.game, TurnGame) and self.game.has_chance
        self.pace = trial.seconds_per_act if 0 < seconds < math.inf else 0.0
        acts = seconds / trial.seconds_per_act if trial.seconds_per_act else math.inf
        probes = (PLAYOUTS_FOR_LEADER + POSITIONS_PER_GAME * ACTS_PER_POSITION * PLAYOUTS_PER_ACT) * trial.acts
        fits = STRONG_BLOCKS * (self.acts_of(self.strongest) + probes) <= acts / 2
        self.probed_players = self.strongest if fits else self.weakest
        self.part = next(
            (part for part in PARTS_OF_GAMES if MATCH_GAMES * self.acts_of_match(part) <= acts / 3),
            min(PARTS_OF_GAMES),
        )
        self.equal = {name: self._of_equals(name) for name in self.strengths}
        self.usage = self._of_usage() if self.game.info.turns else None
        self.leaders = self.choices = self.equal[self.strongest]
        if self.is_probed and not fits:
            self.leaders = self._of_probes(0, ["leader"], PLAYOUTS_FOR_LEADER * trial.acts)
            figures = ["gain", "sway"] if self.game.players > 2 else ["gain"]
            self.choices = self._of_probes(POSITIONS_PER_GAME, figures, probes)
        pairs = itertools.pairwise(self.strengths)
        self.matches = {strong: self._of_match(strong, weak) for weak, strong in pairs}
        self.luck = self._of_luck() if self.is_probed and self.has_chance else None
        usual = self.plan(self.weakest)
        self.options = {
            f"{option.name}={value}": self._of_option(usual, other)
            for option, value, other in other_values(usual)
            if isinstance(other, Plan)
        }

    def plan(self, *seats: str) -> Plan:
        """A plan with these players. Random ones need no opening."""
        opening = 0 if {*seats} == {"random"} else None
        return Plan(self.game, seats=seats, blocks=MAX_BLOCKS, seed=self.seed, opening=opening)

    @property
    def blocks(self) -> list[Blocks]:
        every = [
            *self.equal.values(),
            *([self.usage] if self.usage else []),
            self.leaders,
            self.choices,
            *self.matches.values(),
            *([self.luck] if self.luck else []),
            *self.options.values(),
        ]
        return list(dict.fromkeys(every))

    @property
    def is_probed(self) -> bool:
        """Whether positions can be probed: the game has turns and opponents, and ends under random play."""
        return isinstance(self.game, TurnGame) and self.game.players > 1 and len(self.strengths) > 1

    def acts_of(self, name: str, part: float = 1.0) -> float:
        """The number of random acts that take as long as the last part of a game between such players."""
        acts = part * self.trial.acts
        kind, _, number = name.partition(":")
        if kind == "tries":
            return acts * (1 + int(number) * acts / 2)
        return acts * (1 if kind == "random" else ACTS_PER_SEARCH)

    def acts_of_match(self, part: float) -> float:
        """The same for a game in which one seat is the strongest player's."""
        return self.trial.acts + self.acts_of(self.strongest, part) / self.game.players

    def play_of(self, name: str) -> Callable[[int], EqualBlock]:
        """A function that plays blocks between equal players, with their usage, and with probes of the strongest."""
        slip = self.slip if self.is_probed and name == self.strongest else None
        is_traced = self.game.info.turns
        return functools.partial(play_equal, self.plan(name), self.longest, slip, POSITIONS_PER_GAME, is_traced)

    def _of_equals(self, name: str) -> Blocks:
        is_weakest = name == self.weakest
        is_probed = self.is_probed and name == self.strongest and self.probed_players == name
        play = self.play_of(name)
        if not is_probed:
            play = functools.partial(play_equal, self.plan(name), self.longest, None, 0, False)

        def needs(found: Sequence[EqualBlock]) -> list[int]:
            claims = [self.ends(found), *(self.seats(found) if self.game.players > 1 else [])]
            claims += [self.probed(found, figure) for figure in PROBE_CLAIMS] if is_probed else []
            found_luck = is_weakest and self.is_probed and not self.has_chance
            more = [blocks_for_luck(self.luck_without_chance(found))] if found_luck else []
            more += [blocks_for_length(self.score(found))] if self.game.players == 1 else []
            return [*more, blocks_for_length(self.length(found)), *(claim.more_blocks for claim in claims)]

        acts = self.acts_of(name) * (1 if is_weakest else 1.5)
        return self._run(play, needs, STRONGEST_WEIGHT if is_probed else 2, acts)

    def _run(
        self,
        play: Callable[[int], Any],
        needs: Callable[[Sequence[Any]], list[int]],
        weight: int,
        acts: float,
        first: int = BLOCKS_BEFORE_FIRST_CHECK,
    ) -> Blocks:
        """A run that is known once nothing `needs` more blocks, and takes as long as some random acts per block."""

        def more(found: Sequence[Any]) -> int:
            return min(filter(None, needs(found)), default=0)

        return Blocks(play, lambda _: False, MAX_BLOCKS, weight, first, more, self.pace * acts)

    def _of_usage(self) -> Blocks:
        def needs(found: Sequence[EqualBlock]) -> list[int]:
            return [self.dead(found).more_blocks] if unused(self.game, usage_of(found)) else []

        play = functools.partial(play_equal, self.plan(self.weakest), self.longest, None, 0, True)
        return self._run(play, needs, 1, REPLAY_FACTOR * self.trial.acts)

    def _of_probes(self, positions: int, figures: Sequence[str], acts: float) -> Blocks:
        def needs(found: Sequence[EqualBlock]) -> list[int]:
            return [self.probed(found, figure).more_blocks for figure in figures]

        play = functools.partial(play_equal, self.plan(self.weakest), self.longest, self.slip, positions, False)
        return self._run(play, needs, 1, acts + REPLAY_FACTOR * self.trial.acts)

    def _of_match(self, strong: str, weak: str) -> Blocks:
        def needs(found: Sequence[list[Row]]) -> list[int]:
            return [self.better(found).more_blocks]

        if self.game.players == 1:
            play: Callable[[int], Any] = functools.partial(play_alone, self.plan(weak), self.plan(strong), self.longest)
            return self._run(play, needs, 1, self.trial.acts + self.acts_of(strong))
        plan = self.plan(strong, *[weak] * (self.game.players - 1))
        play = functools.partial(play_block, plan, longest=self.longest)
        if self.part < 1:
            play = functools.partial(play_end, plan, self.plan(weak), self.longest, self.part)
        return self._run(play, needs, 1, len(plan.orders) * self.acts_of_match(self.part))

    @property
    def play_of_luck(self) -> Callable[[int], list[float]]:
        """A function that plays a game by its number, and splits the variance of its result."""
        assert isinstance(self.game, TurnGame)
        return functools.partial(play_luck, self.game, self.seed, self.slip)

    def _of_luck(self) -> Blocks:
        acts = self.trial.acts * (1 + LUCK_PLAYOUTS * self.trial.acts)
        return self._run(self.play_of_luck, lambda found: [blocks_for_luck(self.split(found))], 1, acts)

    def _of_option(self, usual: Plan, other: Plan) -> Blocks:
        def needs(found: Sequence[float]) -> list[int]:
            return [] if any(found) else [self.dead(found).more_blocks]

        play = functools.partial(is_changed, usual, other, self.longest)
        return self._run(play, needs, 1, 2 * self.trial.acts, first=1)

    # The claims

    def ends(self, found: Sequence[EqualBlock]) -> Assessment:
        """Whether nearly all games end."""
        cut = [share_of(block.rows, is_unfinished) for block in found]
        return Assessment(ENDS, estimate_of(cut, len(self.strengths)))

    def length(self, found: Sequence[EqualBlock]) -> Estimate:
        """The median length in turns, or in minutes for a game without turns. Games that were broken off are longer."""
        lengths = np.array([[length_of(row) for row in block.rows] for block in found], float)
        return anytime_quantile(lengths, unit="turns" if self.game.info.turns else "minutes")

    def score(self, found: Sequence[EqualBlock], part: float = 0.5) -> Estimate:
        """A quantile of the points of a single player, by default the median."""
        return anytime_quantile(np.array([[row.points[0] for row in block.rows] for block in found], float), part)

    def seats(self, found: Sequence[EqualBlock]) -> list[Assessment]:
        """Whether each seat has an equal share. With two seats, the first one is enough."""
        players, equal = self.game.players, self.equal_share
        claim = Claim(equal - MAX_SEAT_ADVANTAGE, equal + MAX_SEAT_ADVANTAGE, (equal, equal))
        seats = range(players if players > 2 else players - 1)
        shares = [[share_of(block.rows, lambda row: row.shares[seat]) for block in found] for seat in seats]  # noqa: B023
        return [Assessment(claim, estimate_of(means, len(seats))) for means in shares]

    def better(self, found: Sequence[list[Row]]) -> Assessment:
        """Whether the first player gets no more than an equal share; alone, whether it is better in no more games."""
        equal = 0.5 if self.game.players == 1 else self.equal_share
        value = share_of_duels if self.game.players == 1 else share_of_games
        claim = Claim(0, equal + MIN_SKILL_ADVANTAGE, (0, equal))
        return Assessment(claim, estimate_of([value(rows) for rows in found]))

    def probed(self, found: Sequence[EqualBlock], figure: str) -> Assessment:
        """Whether the claim holds for a figure of the probes."""
        claim = PROBE_CLAIMS[figure]
        values = [float(np.mean([getattr(probe, figure) for probe in block.probes])) for block in found if block.probes]
        return Assessment(claim, estimate_of(values, least=min(claim.low, 0), most=1))

    def dead(self, found: Sequence[object]) -> Assessment:
        """Whether an element that none of the games used can be called dead."""
        return Assessment(RARE, estimate_of([0.0] * len(found)))

    def split(self, found: Sequence[Sequence[float]]) -> Luck:
        """The sources of the variance of results."""
        assert isinstance(self.game, TurnGame)
        return luck_of(np.array(found), self.game, anytime_part)

    def luck_without_chance(self, found: Sequence[EqualBlock]) -> Luck:
        """The same for a game without chance, from its results alone."""
        return luck_of_seats(np.array([row.shares for block in found for row in block.rows]))


def strengths_of(game: Game, trial: Trial) -> list[str]:
    """The players to use, weakest first; only random ones if random games don't end, as others might not end either."""
    if not isinstance(game, TurnGame):
        return ["beginner", "skilled"]
    if not trial.ends:
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


def share_of_games(rows: Sequence[Row]) -> float:
    """The mean share of the first player in a block."""
    return share_of(rows, share_of_first)


def share_of_duels(rows: Sequence[Row]) -> float:
    """1 if the first of two games for one player is the better one, 0.5 if they are equal: by its result, then by its
    points.
    """
    one, other = ((row.shares[0], row.points[0]) for row in rows)
    return 0.5 if one == other else float(one > other)


def acts_of(row: Row) -> int:
    """The number of acts of players."""
    return len(row.seats) - row.seats.count(CHANCE)


def length_of(row: Row) -> float:
    """The length of a game in turns, infinite if it was broken off; in minutes for a game without turns."""
    if is_unfinished(row):
        return math.inf
    return row.times[-1] / 60_000 if row.times else row.turns


def is_steady(length: Estimate) -> bool:
    width = length.high - length.low
    return math.isfinite(width) and width <= max(MAX_LENGTH_WIDTH, MAX_LENGTH_WIDTH_RATIO * length.value)


def blocks_for_length(length: Estimate) -> int:
    """The number of further blocks until a length is known well enough, or known to be longer than any game."""
    if is_steady(length) or length.low == math.inf:
        return 0
    width = length.high - length.low
    if not math.isfinite(width):
        return max(USUAL_BLOCKS, length.blocks)
    wanted = max(MAX_LENGTH_WIDTH, MAX_LENGTH_WIDTH_RATIO * length.value)
    return math.ceil(length.blocks * ((width / wanted) ** 2 - 1))


def blocks_for_luck(luck: Luck) -> int:
    """The number of further blocks until the sources of results are known well enough."""
    if luck.is_known:
        return 0
    blocks = max(luck.seat.blocks, 1)
    width = max(part.high - part.low for part in luck)
    if not math.isfinite(width):
        return max(MIN_BLOCKS_FOR_PARTS - blocks, 1)
    return max(1, math.ceil(blocks * ((width / MAX_INTERVAL_WIDTH) ** 2 - 1)))


def usage_of(found: Sequence[EqualBlock]) -> list[Usage]:
    return [usage for one in found for usage in one.usage]
