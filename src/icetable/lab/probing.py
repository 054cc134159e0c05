"""What a game that was played tells beside its result: who led, what hung on a choice, and what was never used.

Positions are judged by playing on from them, with random acts or as greedy players do, so no game needs to say what
its positions are worth. What is chosen by one half of such games is measured by the other half, so it is not flattered.
"""

from __future__ import annotations

import itertools
import linecache
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from types import CodeType, FrameType
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from icetable.bots import search
from icetable.bots.search import modules_of
from icetable.core.game import CHANCE
from icetable.core.turns import TurnGame
from icetable.kernels import jit
from icetable.lab import luck
from icetable.lab.blocks import final_state
from icetable.lab.players import effects_of
from icetable.lab.streams import seed_of
from icetable.workshop import Game as Design
from icetable.workshop import Pyramid
from icetable.workshop.design import codes_of
from icetable.workshop.playing import ENTRY, WorkshopGame

if TYPE_CHECKING:
    from icetable.core.game import Game, State
    from icetable.kernels.jit import Floats
    from icetable.lab.blocks import Row
    from icetable.lab.plan import Plan

POSITIONS = 4
"""The positions of a game that are looked at, its last choice among them."""
ACTS = 5
"""The acts that are tried in each."""
PLAYOUTS = 3
"""The games that are played on from a position, in each half."""
LEAD = 8
"""The same where only one position is looked at."""
LOST = 0.05
"""A seat that gets no more than this share in games played on is as good as lost."""
Line = tuple[str, int]
"""A line of a file, by its number."""
SIZES = {"S": "small", "M": "medium", "L": "large"}
SILENT = ("why", "worth")
"""The methods of a game that no play needs."""


class Probe(NamedTuple):
    """What positions of a game have told, and after how many acts most hung on a choice.

    `leader`: the share at the end of the seats that led after half of the game. `gain`: by how much the best act is
    better for who plays it than any act, on average. `sway`: how much of the other seats' shares a seat that had lost
    could move, on average over positions.
    """

    leader: float
    gain: float
    sway: float
    gain_at: int
    sway_at: int


def probe(plan: Plan, row: Row, states: Sequence[Any], slip: float) -> Probe:
    """Look at some positions of a game between equal players. Those who play on play any act with this probability."""
    game = plan.game
    assert isinstance(game, TurnGame)
    expect = expecting(game, seed_of(plan.seed, row.block, row.game, "probe"), slip)
    then = expect(states[(len(states) - 1) // 2], LEAD).mean(axis=0)
    leader = float(np.array(row.shares)[then >= then.max() - 1e-9].mean())
    gains, sways = {}, {}
    for number in chosen_positions(plan, row, states):
        state = states[number]
        rng = np.random.default_rng(seed_of(plan.seed, row.block, row.game, "acts", number))
        legal = state.legal_actions()
        acts = [legal[one] for one in rng.permutation(len(legal))[:ACTS]]
        values = np.array([expect(state.apply(act), PLAYOUTS) for act in acts]).transpose(1, 0, 2)
        gains[number] = spread(values, state.actor, least=False)
        sways[number] = swayed(values, state.actor)
    return Probe(
        leader,
        float(np.mean(list(gains.values()) or [0.0])),
        float(np.mean(list(sways.values()) or [0.0])),
        max(gains, key=gains.__getitem__, default=0),
        max(sways, key=sways.__getitem__, default=0),
    )


def chosen_positions(plan: Plan, row: Row, states: Sequence[Any]) -> list[int]:
    """Some positions in which a player has a choice: the last one, and any others."""
    able = [
        at for at, (seat, many) in enumerate(zip(row.seats, row.choices, strict=True)) if seat != CHANCE and many > 1
    ]
    if len(able) <= POSITIONS:
        return able
    rng = np.random.default_rng(seed_of(plan.seed, row.block, row.game, "positions"))
    return [able[-1], *(able[one] for one in rng.choice(len(able) - 1, POSITIONS - 1, replace=False))]


def expecting(game: TurnGame, seed: int, slip: float) -> Callable[[Any, int], Floats]:
    """What tells the mean shares of games that are played on from a state, in two halves: float64[2, seats]."""
    name = game.info.name
    run = jit.bind(luck.expect, name, rules=game.rules, think=jit.bind(search.run, name, **modules_of(game)))
    buffers, values = luck.new_buffers(game), np.empty(2 * game.players)
    buffers.rng[0] = seed
    in_million = round(slip * luck.MILLION)

    def expect(state: Any, playouts: int) -> Floats:
        run(state.array, buffers, playouts, 1, in_million, values)
        return values.reshape(2, -1).copy()

    return expect


def spread(values: Floats, seat: int, least: bool) -> float:
    """How far the act that is best for a seat by one half is above the mean one, or the worst one, by the other."""
    found = []
    for one, other in (values, values[::-1]):
        best = other[one[:, seat].argmax(), seat]
        found.append(best - (other[one[:, seat].argmin(), seat] if least else other[:, seat].mean()))
    return float(np.mean(found))


def swayed(values: Floats, seat: int) -> float:
    """How much of another seat's share a seat can move that has lost whatever it does; 0 where it has not."""
    if values.shape[2] < 3 or values[:, :, seat].mean() > LOST:
        return 0.0
    first = np.ptp(values[0], axis=0)
    return spread(values, int(np.where(np.arange(len(first)) == seat, -1.0, first).argmax()), least=True)


class Seen(NamedTuple):
    """What a game has used: lines of its file, kinds of effects and of pieces."""

    lines: frozenset[Line]
    effects: frozenset[str]
    pieces: frozenset[str]


def watched(plan: Plan, row: Row) -> tuple[list[State], Seen]:
    """The states of a game, and what it has used."""
    game, lines = plan.game, set[Line]()
    with Tracing(game.design if isinstance(game, WorkshopGame) else None, lines):
        states = list(final_state(plan, row).history())
    effects = {effect.kind for state in states for effect in state.effects}
    return states, Seen(frozenset(lines), frozenset(effects), frozenset(touched(game, states)))


class Tracing:
    """Note which lines of a game's functions are run."""

    def __init__(self, design: Design | None, lines: set[Line]) -> None:
        self._codes = {code for codes in codes_of(type(design)) for code in codes} if design else set[CodeType]()
        self._lines = lines
        self._before: Any = None

    def __enter__(self) -> None:
        self._before = sys.gettrace()
        if self._codes:
            sys.settrace(self._begin)

    def __exit__(self, *_: object) -> None:
        sys.settrace(self._before)

    def _begin(self, frame: FrameType, _event: str, _arg: object) -> Any:
        return self._note if frame.f_code in self._codes else None

    def _note(self, frame: FrameType, event: str, _arg: object) -> Any:
        if event == "line":
            self._lines.add((frame.f_code.co_filename, frame.f_lineno))
        return self._note


def lines_of(design: Design) -> list[set[Line]]:
    """The lines of each function of a game, but for its first one, and for those that only say what can't be."""
    found = []
    for codes in codes_of(type(design)):
        if codes[0].co_name in SILENT:
            continue
        lines = {(code.co_filename, line) for code in codes for *_, line in code.co_lines() if line is not None}
        first = codes[0].co_filename, codes[0].co_firstlineno
        found.append(
            {one for one in lines if one != first and not text_of(one).startswith(("raise ", "assert ", "def "))}
        )
    return found


def text_of(line: Line) -> str:
    """What a line says."""
    return linecache.getline(*line).strip()


def unused(game: Game, seen: Sequence[Seen]) -> list[str]:
    """What some games might have used and have not, in words."""
    lines = frozenset[Line]().union(*(one.lines for one in seen))
    effects = frozenset[str]().union(*(one.effects for one in seen))
    pieces = frozenset[str]().union(*(one.pieces for one in seen))
    found = [f"no act has the effect “{kind}”" for kind in effects_of(game) if kind not in effects]
    if isinstance(game, WorkshopGame):
        called = [one for one in lines_of(game.design) if one & lines]
        never = sorted(set().union(*called) - lines) if called else []
        found += [f"line {line[1]} of {Path(line[0]).name} is never run: {text_of(line)}" for line in never]
        found += [f"nothing ever happens to {kind}" for kind in sorted(kinds_at(game.start()) - pieces)]
    return found


def touched(game: Game, states: Sequence[Any]) -> set[str]:
    """The kinds of pieces that acts put, move, take or change."""
    if not isinstance(game, WorkshopGame):
        return set()
    found = set()
    for before, after in itertools.pairwise(states):
        one, other = (state.array[ENTRY].table for state in (before, after))
        changed = {space for space in {*one.stacks, *other.stacks} if one.stack(space) != other.stack(space)}
        pads = zip(one.pad, other.pad, strict=True)
        pairs = [*((one.stack(space), other.stack(space)) for space in changed), *pads]
        for here, there in pairs:
            found |= {kind_of(piece) for piece in (Counter(here) - Counter(there)) + (Counter(there) - Counter(here))}
            found |= {kind_of(piece) for piece in here if here != there and Counter(here) == Counter(there)}
    return found


def kinds_at(state: Any) -> set[str]:
    """The kinds of pieces that lie on a table."""
    table = state.array[ENTRY].table
    return {kind_of(piece) for pieces in (*table.stacks.values(), *table.pad) for piece in pieces}


def kind_of(piece: Any) -> str:
    """What a piece is called, whoever it belongs to."""
    colour = f"{piece.colour} " if isinstance(piece.colour, str) else ""
    return f"{SIZES[piece.size]} {colour}pyramids" if isinstance(piece, Pyramid) else f"{colour}{piece.name} tokens"
