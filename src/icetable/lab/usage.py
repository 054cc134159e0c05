"""The effects of acts: how often each kind occurs, how early in a game, and whether it pays."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from icetable.core.game import CHANCE
from icetable.lab.blocks import final_state
from icetable.lab.intervals import MIN_BLOCKS, mean
from icetable.lab.measures import by_known_block
from icetable.lab.players import effects_of

if TYPE_CHECKING:
    from icetable.core.game import Game
    from icetable.lab.blocks import Row
    from icetable.lab.measures import Figures, Games
    from icetable.lab.plan import Plan

MIN_BLOCKS_FOR_FIRST_USE = 100
"""Minimum number of blocks for an interval of `first_use`, where short games have a large influence."""

Uses = Sequence[tuple[float, int]]
"""The acts with an effect: the part of the game that is over by then, and the seat."""


class RecordedEffects(NamedTuple):
    """For each game, the acts with each kind of effect, and how often effects touch each space or piece."""

    games: Games
    effects: Sequence[Mapping[str, Uses]]
    touched: Sequence[Mapping[str, int]]

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
