"""What acts cause: how often each kind of effect occurs, how early in a game, and whether it pays."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from icetable.core.game import CHANCE
from icetable.lab.blocks import final_state
from icetable.lab.intervals import FEW, mean
from icetable.lab.measures import by_known_block
from icetable.lab.players import effects_of

if TYPE_CHECKING:
    from icetable.core.game import Game
    from icetable.lab.blocks import Row
    from icetable.lab.measures import Figures, Games
    from icetable.lab.plan import Plan

FEW_FIRST = 100
"""When effects first occur can't be told from fewer blocks: the few games that are short count by the inverse of their
length."""

Uses = Sequence[tuple[float, int]]
"""The acts that have an effect: the part of the game that is over by then, and the seat."""


class Noted(NamedTuple):
    """Games with the effects of their acts, for each game by kind, and how often they touch what in each game."""

    games: Games
    effects: Sequence[Mapping[str, Uses]]
    touched: Sequence[Mapping[str, int]]

    @property
    def kinds(self) -> list[str]:
        """The kinds of effects: those that the game declares, and others that occur."""
        seen = {kind for one in self.effects for kind in one}
        declared = effects_of(self.games.plan.game)
        return [*declared, *sorted(seen.difference(declared))]

    def of_each_kind(
        self, value: Callable[[Row, Uses], float], least: float = 0.0, most: float = math.inf, few: int = FEW
    ) -> Figures:
        """The mean of a figure for each kind that has any."""
        orders = len(self.games.plan.orders)
        found = {}
        for kind in self.kinds:
            values = [value(row, one.get(kind, ())) for row, one in zip(self.games.rows, self.effects, strict=True)]
            blocks = by_known_block(values, orders)
            if len(blocks):
                found[kind] = mean(blocks, least, most, few=few)
        return found


def note(games: Games) -> Noted:
    """Games with the effects of their acts."""
    found = [effects_in(games.plan, row) for row in games.rows]
    return Noted(games, [effects for effects, _ in found], [touched for _, touched in found])


def effects_in(plan: Plan, row: Row) -> tuple[Mapping[str, Uses], Mapping[str, int]]:
    """The acts of a game that have each kind of effect, and how often effects touch each space or piece."""
    acts = list(final_state(plan, row).history())[1:]
    moments = row.times or range(1, len(acts) + 1)
    found: dict[str, list[tuple[float, int]]] = {}
    for act, moment, seat in zip(acts, moments, row.seats, strict=True):
        for kind in dict.fromkeys(effect.kind for effect in act.effects):
            found.setdefault(kind, []).append((moment / (moments[-1] or 1), seat))
    return found, Counter(space for act in acts for effect in act.effects for space in effect.spaces)


def spaces_of(game: Game) -> list[dict[str, Any]]:
    """The spaces of a game's board with their places; none where it has no board."""
    layout = game.layout()
    spaces = layout.get("spaces", layout.get("squares", ()))
    return [{name: space[name] for name in ("name", "x", "y")} for space in spaces]


def usage(noted: Noted) -> Figures:
    """The share of games in which an act has each kind of effect."""
    return noted.of_each_kind(lambda _, uses: float(len(uses) > 0), 0, 1)


def uses(noted: Noted) -> Figures:
    """The number of acts of a game that have each kind of effect."""
    return noted.of_each_kind(lambda _, uses: len(uses))


def first_use(noted: Noted) -> Figures:
    """The part of a game that is over when an act first has each kind of effect, in games where one has."""
    return noted.of_each_kind(lambda _, uses: uses[0][0] if uses else math.nan, 0, 1, FEW_FIRST)


def share_of_users(noted: Noted) -> Figures:
    """The mean share of the seats whose acts have each kind of effect, in games where some seats have such acts and
    others have not. It goes with the effect, and need not come from it: who is ahead may do what others can't.
    """
    players = noted.games.plan.game.players

    def share(row: Row, uses: Uses) -> float:
        seats = {seat for _, seat in uses if seat != CHANCE}
        return sum(row.shares[seat] for seat in seats) / len(seats) if 0 < len(seats) < players else math.nan

    return noted.of_each_kind(share, 0, 1)


def board_use(noted: Noted) -> Figures:
    """Where on the board a game is played: of all the times that acts touch a space, as they place, move, take or leap,
    the part at each space.
    """
    names = [space["name"] for space in spaces_of(noted.games.plan.game)]
    times = np.array([[one.get(name, 0) for name in names] for one in noted.touched], float)
    totals = times.sum(axis=1, keepdims=True)
    parts = np.divide(times, totals, out=np.full_like(times, math.nan), where=totals > 0)
    orders = len(noted.games.plan.orders)
    return {name: mean(by_known_block(part, orders), 0, 1) for name, part in zip(names, parts.T, strict=True)}


OF_EFFECTS = (usage, uses, first_use, share_of_users)
OF_ALL = (*OF_EFFECTS, board_use)


def told_by_effects(games: Games) -> dict[str, Figures]:
    """All measures of what acts cause, where a game's acts have effects."""
    noted = note(games)
    if not noted.kinds:
        return {}
    functions = OF_ALL if spaces_of(games.plan.game) else OF_EFFECTS
    return {one.__name__: one(noted) for one in functions}
