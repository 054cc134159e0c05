"""What games use and show beside their results: effects of acts, rules and pieces, who led, how much choices mattered.

Where positions are evaluated, it is by random or greedy playouts, so that games need no evaluation of their own. One
half of the playouts selects an act and the other half measures it, which avoids selection bias.
"""

from __future__ import annotations

import itertools
import linecache
import math
import sys
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import CodeType, FrameType
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from icetable.bots import search
from icetable.bots.search import modules_of
from icetable.core.game import CHANCE
from icetable.core.turns import TurnGame, TurnState
from icetable.kernels import jit
from icetable.lab import luck
from icetable.lab.intervals import MIN_BLOCKS, mean
from icetable.lab.measures import by_known_block
from icetable.lab.plan import final_state, seed_of
from icetable.lab.players import effects_of
from icetable.workshop import Game as Design
from icetable.workshop import Pyramid
from icetable.workshop.design import codes_of
from icetable.workshop.playing import PlainGame

if TYPE_CHECKING:
    from icetable.core.game import Game, State
    from icetable.kernels.jit import Floats
    from icetable.lab.measures import Figures, Games
    from icetable.lab.plan import Plan, Row


MIN_BLOCKS_FOR_FIRST_USE = 100
"""Minimum number of blocks for an interval of `first_use`, where short games have a large influence."""

Uses = Sequence[tuple[float, int]]
"""The acts with an effect: the part of the game that is over by then, and the seat."""
POSITIONS_PER_GAME = 4
"""Number of positions probed per game, the last choice among them."""
ACTS_PER_POSITION = 5
PLAYOUTS_PER_ACT = 3
"""Number of playouts after each act, in each half."""
PLAYOUTS_FOR_LEADER = 3
"""Number of playouts that determine the leader, in each half."""
MAX_LOST_SHARE = 0.05
"""A seat with no more than this share in playouts counts as lost."""
SIZES = {"S": "small", "M": "medium", "L": "large"}
IGNORED_METHODS = ("why", "worth")
"""Methods of a design that playing does not call."""


class RecordedEffects(NamedTuple):
    """The effects of some games."""

    games: Games
    """The games."""
    effects: Sequence[Mapping[str, Uses]]
    """For each game: the acts with each kind of effect."""
    touched: Sequence[Mapping[str, int]]
    """For each game: how often effects touch each space or piece."""

    @property
    def kinds(self) -> list[str]:
        """The kinds of effects that the game declares or that occur."""
        seen = {kind for effects in self.effects for kind in effects}
        declared = effects_of(self.games.plan.game)
        return [*declared, *sorted(seen.difference(declared))]

    def of_each_kind(
        self,
        value: Callable[[Row, Uses], float],
        least: float = 0.0,
        most: float = math.inf,
        min_blocks: int = MIN_BLOCKS,
    ) -> Figures:
        """The mean of a figure for each kind with any value."""
        orders = len(self.games.plan.orders)
        found = {}
        for kind in self.kinds:
            values = [value(row, one.get(kind, ())) for row, one in zip(self.games.rows, self.effects, strict=True)]
            blocks = by_known_block(values, orders)
            if len(blocks):
                found[kind] = mean(blocks, least, most, min_blocks=min_blocks)
        return found


def record_effects(games: Games) -> RecordedEffects:
    """Replay games and record the effects of their acts."""
    found = [effects_in(games.plan, row) for row in games.rows]
    return RecordedEffects(games, [effects for effects, _ in found], [touched for _, touched in found])


def effects_in(plan: Plan, row: Row) -> tuple[Mapping[str, Uses], Mapping[str, int]]:
    """The acts of a game with each kind of effect, and how often effects touch each space or piece."""
    acts = list(final_state(plan, row).history())[1:]
    moments = row.times or range(1, len(acts) + 1)
    found: dict[str, list[tuple[float, int]]] = {}
    for act, moment, seat in zip(acts, moments, row.seats, strict=True):
        for kind in dict.fromkeys(effect.kind for effect in act.effects):
            found.setdefault(kind, []).append((moment / (moments[-1] or 1), seat))
    return found, Counter(space for act in acts for effect in act.effects for space in effect.spaces)


def spaces_of(game: Game) -> list[dict[str, Any]]:
    """The spaces of a game's board with their coordinates; none if it has no board."""
    layout = game.layout()
    spaces = layout.get("spaces", layout.get("squares", ()))
    return [{name: space[name] for name in ("name", "x", "y")} for space in spaces]


def usage(recorded: RecordedEffects) -> Figures:
    """The share of games in which each kind of effect occurs."""
    return recorded.of_each_kind(lambda _, uses: float(len(uses) > 0), 0, 1)


def uses(recorded: RecordedEffects) -> Figures:
    """The number of acts per game with each kind of effect."""
    return recorded.of_each_kind(lambda _, uses: len(uses))


def first_use(recorded: RecordedEffects) -> Figures:
    """The part of a game that is over when each kind of effect first occurs, in games where it does."""
    return recorded.of_each_kind(lambda _, uses: uses[0][0] if uses else math.nan, 0, 1, MIN_BLOCKS_FOR_FIRST_USE)


def share_of_users(recorded: RecordedEffects) -> Figures:
    """The mean share of the seats whose acts have each kind of effect, in games where only some seats have such acts.
    This is a correlation, not a cause: a player who is ahead may have acts that others don't.
    """
    players = recorded.games.plan.game.players

    def share(row: Row, uses: Uses) -> float:
        seats = {seat for _, seat in uses if seat != CHANCE}
        return sum(row.shares[seat] for seat in seats) / len(seats) if 0 < len(seats) < players else math.nan

    return recorded.of_each_kind(share, 0, 1)


def board_use(recorded: RecordedEffects) -> Figures:
    """Where on the board a game is played: the distribution over spaces of all the times that acts place, move, take or
    leap there.
    """
    names = [space["name"] for space in spaces_of(recorded.games.plan.game)]
    counts = np.array([[touched.get(name, 0) for name in names] for touched in recorded.touched], float)
    totals = counts.sum(axis=1, keepdims=True)
    parts = np.divide(counts, totals, out=np.full_like(counts, math.nan), where=totals > 0)
    orders = len(recorded.games.plan.orders)
    return {name: mean(by_known_block(part, orders), 0, 1) for name, part in zip(names, parts.T, strict=True)}


EFFECT_MEASURES = (usage, uses, first_use, share_of_users)
USAGE_MEASURES = (*EFFECT_MEASURES, board_use)


def effect_measures(games: Games) -> dict[str, Figures]:
    """All measures of effects, if the game has any."""
    recorded = record_effects(games)
    if not recorded.kinds:
        return {}
    functions = USAGE_MEASURES if spaces_of(games.plan.game) else EFFECT_MEASURES
    return {function.__name__: function(recorded) for function in functions}


Line = tuple[str, int]
"""A file and the number of a line in it."""


class Probe(NamedTuple):
    """Figures of some positions of a game."""

    leader: float
    """The final share of the seats that led halfway through the game."""
    gain: float
    """How much better the best act is than the average one, for its seat: the mean over positions; NaN if none was
    probed.
    """
    sway: float
    """How much of the others' shares a losing seat could shift: the mean over positions; NaN if none was probed."""
    gain_at: int
    """The number of the act before which the gain was largest."""
    sway_at: int
    """The number of the act before which the sway was largest."""


def probe(plan: Plan, row: Row, states: Sequence[Any], slip: float, positions: int = POSITIONS_PER_GAME) -> Probe:
    """Probe some positions of a game between equal players. `slip`: the probability of a random act in playouts.

    Without `positions`, only the leader halfway is told.
    """
    game = plan.game
    assert isinstance(game, TurnGame)
    expect = expectation(game, seed_of(plan.seed, row.block, row.game, "probe"), slip)
    halfway = expect(before_choices(states[(len(states) - 1) // 2]), PLAYOUTS_FOR_LEADER).mean(axis=0)
    leader = float(np.array(row.shares)[halfway >= halfway.max() - 1e-9].mean())
    if not positions:
        return Probe(leader, math.nan, math.nan, 0, 0)
    gains, sways = {}, {}
    for number in chosen_positions(plan, row, positions):
        state = before_choices(states[number])
        rng = np.random.default_rng(seed_of(plan.seed, row.block, row.game, "acts", number))
        legal = state.legal_actions()
        acts = [legal[number] for number in rng.permutation(len(legal))[:ACTS_PER_POSITION]]
        values = np.array([expect(state.apply(act), PLAYOUTS_PER_ACT) for act in acts]).transpose(1, 0, 2)
        gains[number] = spread(values, state.actor, least=False)
        sways[number] = swayed(values, state.actor)
    return Probe(
        leader,
        float(np.mean(list(gains.values()) or [0.0])),
        float(np.mean(list(sways.values()) or [0.0])),
        max(gains, key=gains.__getitem__, default=0),
        max(sways, key=sways.__getitem__, default=0),
    )


def before_choices(state: Any) -> Any:
    """The state as the seat to act knows it if others have chosen in secret at the same moment: none has yet."""
    game = state.game
    if not isinstance(game, PlainGame) or not game.choices(state.array):
        return state
    return TurnState(game, game.turned_to(game.before_choices(state.array), state.actor))


def chosen_positions(plan: Plan, row: Row, most: int) -> list[int]:
    """Choose positions in which a player has a choice: the last one, and random others."""
    pairs = zip(row.seats, row.choices, strict=True)
    numbers = [number for number, (seat, choices) in enumerate(pairs) if seat != CHANCE and choices > 1]
    if len(numbers) <= most:
        return numbers
    rng = np.random.default_rng(seed_of(plan.seed, row.block, row.game, "positions"))
    return [numbers[-1], *(numbers[at] for at in rng.choice(len(numbers) - 1, most - 1, replace=False))]


def expectation(game: TurnGame, seed: int, slip: float) -> Callable[[Any, int], Floats]:
    """A function that returns the mean shares of playouts from a state, in two halves: float64[2, seats]."""
    name = game.info.name
    run = jit.bind(luck.expect, name, rules=game.rules, run_search=jit.bind(search.run, name, **modules_of(game)))
    buffers, values = luck.new_buffers(game), np.empty(2 * game.players)
    buffers.rng[0] = seed
    in_million = round(slip * luck.MILLION)

    def expect(state: Any, playouts: int) -> Floats:
        run(state.array, buffers, playouts, 1, in_million, values)
        return values.reshape(2, -1).copy()

    return expect


def spread(values: Floats, seat: int, least: bool) -> float:
    """How far a seat's best act by one half is above the mean act, or the worst one, by the other half."""
    found = []
    for one, other in (values, values[::-1]):
        best = other[one[:, seat].argmax(), seat]
        found.append(best - (other[one[:, seat].argmin(), seat] if least else other[:, seat].mean()))
    return float(np.mean(found))


def swayed(values: Floats, seat: int) -> float:
    """How much of another seat's share a losing seat can shift; 0 if the seat is not losing."""
    if values.shape[2] < 3 or values[:, :, seat].mean() > MAX_LOST_SHARE:
        return 0.0
    first = np.ptp(values[0], axis=0)
    return spread(values, int(np.where(np.arange(len(first)) == seat, -1.0, first).argmax()), least=True)


class Usage(NamedTuple):
    """What a game used."""

    lines: frozenset[Line]
    """The lines of its file."""
    effects: frozenset[str]
    """The kinds of effects."""
    pieces: frozenset[str]
    """The kinds of pieces."""


def replay_usage(plan: Plan, row: Row) -> tuple[list[State], Usage]:
    """Replay a game, and return its states and its usage."""
    game, lines = plan.game, set[Line]()
    with Tracing(game.design if isinstance(game, PlainGame) else None, lines):
        states = list(final_state(plan, row).history())
    effects = {effect.kind for state in states for effect in state.effects}
    return states, Usage(frozenset(lines), frozenset(effects), frozenset(touched(game, states)))


class Tracing:
    """Record which lines of a design's methods are run."""

    def __init__(self, design: Design | None, lines: set[Line]) -> None:
        self._codes = {code for codes in codes_of(type(design)) for code in codes} if design else set[CodeType]()
        self._lines = lines
        self._previous: Any = None

    def __enter__(self) -> None:
        self._previous = sys.gettrace()
        if self._codes:
            sys.settrace(self._begin)

    def __exit__(self, *_: object) -> None:
        sys.settrace(self._previous)

    def _begin(self, frame: FrameType, _event: str, _arg: object) -> Any:
        return self._record if frame.f_code in self._codes else None

    def _record(self, frame: FrameType, event: str, _arg: object) -> Any:
        if event == "line":
            self._lines.add((frame.f_code.co_filename, frame.f_lineno))
        return self._record


def lines_of(design: Design) -> list[set[Line]]:
    """The lines of each method of a design, without the first one and lines that raise or assert."""
    found = []
    for codes in codes_of(type(design)):
        if codes[0].co_name in IGNORED_METHODS:
            continue
        lines = {(code.co_filename, line) for code in codes for *_, line in code.co_lines() if line is not None}
        first = codes[0].co_filename, codes[0].co_firstlineno
        found.append(
            {line for line in lines if line != first and not text_of(line).startswith(("raise ", "assert ", "def "))}
        )
    return found


def text_of(line: Line) -> str:
    return linecache.getline(*line).strip()


def unused(game: Game, usage: Sequence[Usage]) -> list[str]:
    """Describe everything that some games could have used but did not."""
    lines = frozenset[Line]().union(*(game_usage.lines for game_usage in usage))
    effects = frozenset[str]().union(*(game_usage.effects for game_usage in usage))
    pieces = frozenset[str]().union(*(game_usage.pieces for game_usage in usage))
    found = [f"no act has the effect “{kind}”" for kind in effects_of(game) if kind not in effects]
    if isinstance(game, PlainGame):
        called = [method for method in lines_of(game.design) if method & lines]
        never = sorted(set().union(*called) - lines) if called else []
        found += [f"line {line[1]} of {Path(line[0]).name} is never run: {text_of(line)}" for line in never]
        found += [f"nothing ever happens to {kind}" for kind in sorted(kinds_at(game.start()) - pieces)]
    return found


def touched(game: Game, states: Sequence[Any]) -> set[str]:
    """The kinds of pieces that acts placed, moved, took or changed."""
    if not isinstance(game, PlainGame):
        return set()
    found = set()
    for before, after in itertools.pairwise(states):
        one, other = (game.table_of(state.array) for state in (before, after))
        changed = {space for space in {*one.stacks, *other.stacks} if one.stack(space) != other.stack(space)}
        pads = zip(one.pad, other.pad, strict=True)
        pairs = [*((one.stack(space), other.stack(space)) for space in changed), *pads]
        for here, there in pairs:
            found |= {kind_of(piece) for piece in (Counter(here) - Counter(there)) + (Counter(there) - Counter(here))}
            found |= {kind_of(piece) for piece in here if here != there and Counter(here) == Counter(there)}
    return found


def kinds_at(state: Any) -> set[str]:
    """The kinds of pieces on a table."""
    table = state.game.table_of(state.array)
    return {kind_of(piece) for pieces in (*table.stacks.values(), *table.pad) for piece in pieces}


def kind_of(piece: Any) -> str:
    """The name of a kind of pieces, without their owner."""
    colour = f"{piece.colour} " if isinstance(piece.colour, str) else ""
    return f"{SIZES[piece.size]} {colour}pyramids" if isinstance(piece, Pyramid) else f"{colour}{piece.name} tokens"
