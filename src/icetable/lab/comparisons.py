"""Two readings of a rule side by side, from the same openings and chance, so that only the rule differs."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from icetable.core.errors import GameError
from icetable.core.options import allowed_for, short_repr
from icetable.lab.intervals import Estimate, false_discoveries, holm, mean, p_of_mean
from icetable.lab.measures import Games, is_drawn, of_choices
from icetable.lab.plan import Plan
from icetable.lab.playouts import has_random_games, random_games
from icetable.lab.runs import run

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Executor
    from pathlib import Path

    from icetable.core.game import Game
    from icetable.core.options import Option
    from icetable.core.turns import Device
    from icetable.lab.intervals import Reals
    from icetable.lab.plan import Row
    from icetable.lab.runs import OnProgress

ALPHA = 0.05
PLACES = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")


@dataclass(frozen=True)
class Difference:
    """The difference of a figure between two readings: b minus a, block by block."""

    measure: str
    """The name of the figure."""
    a: float
    """Its mean in reading a, in the unit of the difference."""
    b: float
    """Its mean in reading b."""
    difference: Estimate
    """That of the means, b minus a."""
    pairing: float
    """The variance of the difference, relative to that without common openings and chance."""
    p: float
    """The p-value of no difference."""
    adjusted: float
    """The p-value, corrected for the number of figures compared."""

    @property
    def is_clear(self) -> bool:
        """Whether the adjusted p-value is significant."""
        return self.adjusted < ALPHA

    def described(self) -> dict[str, Any]:
        """The difference as a JSON-able dict."""
        figures = {"measure": self.measure, "a": self.a, "b": self.b, "pairing": self.pairing}
        return {**figures, "p": self.p, "adjusted": self.adjusted, "difference": self.difference.described()}


def _share(_game: Game, row: Row, seat: int) -> float:
    return row.shares[seat]


def _turns(_game: Game, row: Row) -> float:
    return float(row.turns)


def _choice(_game: Game, row: Row) -> float:
    return of_choices(row, np.mean)


SEATS = {f"{place}-seat": functools.partial(_share, seat=seat) for seat, place in enumerate(PLACES)}
MEASURES: Mapping[str, Callable[[Game, Row], float]] = {
    **SEATS,
    "draws": is_drawn,
    "length": _turns,
    "choice": _choice,
}
"""The figures that are compared: seats' shares, games that no side wins alone, turns, legal acts."""
SHARES = (*SEATS, "draws")
"""The measures between 0 and 1."""


def compare(
    a: Plan,
    b: Plan,
    measures: Sequence[str] | None = None,
    out: Path | None = None,
    executor: Executor | None = None,
    jobs: int = 1,
    on_progress: OnProgress | None = None,
) -> list[Difference]:
    """Play two plans of one game under different options, or of two games, and compare them block by block, by default
    by all measures. Openings are the same if both games allow them. `ask` compares two games by all questions.

    The p-values are adjusted for the number of measures (Holm). Raises GameError for plans that don't match and for
    unknown measures.

    >>> from icetable import lab
    >>> plans = [lab.Plan("squad", options={"formation": one}, blocks=30) for one in ("exact", "up-to")]
    >>> [one.measure for one in lab.compare(*plans, measures=["length"])]
    ['length']
    """
    for name in measures or ():
        if name not in measures_of(a.game):
            known = allowed_for(name, measures_of(a.game))
            raise GameError(f"there is no measure {short_repr(name)} to compare; {known}")
    check_pair(a, b)
    first, second = (
        Games(plan, run(plan, out and out / side, executor, jobs, on_progress).rows)
        for side, plan in (("a", a), ("b", b))
    )
    return differences(first, second, measures)


def check_pair(a: Plan, b: Plan) -> None:
    """Raise GameError if plans differ in more than their games, or in nothing."""
    check_alike(a, b)
    if a.game == b.game:
        raise GameError("both readings are the same game, so there is nothing to compare")


def check_alike(a: Plan, b: Plan) -> None:
    """Raise GameError if plans differ in more than their games."""
    if a.game.info.turns != b.game.info.turns:
        raise GameError(f"{a.game.info.title} and {b.game.info.title} can't be compared: one of them has no turns")
    other = b.described()
    for name, value in a.described().items():
        if name not in ("game", "options") and other[name] != value:
            raise GameError(
                f"plans to compare may differ only in their games, not in {name}: {value!r} and {other[name]!r}"
            )


def measures_of(game: Game) -> tuple[str, ...]:
    """The measures of a game: with two seats only the first seat's share, and legal acts only in games of turns."""
    seats = list(SEATS)[: game.players if game.players > 2 else game.players - 1]
    return (*seats, "draws", "length", *(("choice",) if game.info.turns else ()))


def differences(a: Games, b: Games, measures: Sequence[str] | None = None) -> list[Difference]:
    """Compare games of b with those of a, block by block. Raises GameError if the blocks don't match."""
    check_alike(a.plan, b.plan)
    found = []
    for name in measures_of(a.plan.game) if measures is None else measures:
        first, second = _by_block(a, name), _by_block(b, name)
        found.append((name, first, second, p_of_mean(second - first)))
    adjusted = holm([p for *_, p in found])
    return [
        Difference(
            name,
            float(first.mean()),
            float(second.mean()),
            _mean(name, second - first, -1),
            _pairing(first, second),
            p,
            q,
        )
        for (name, first, second, p), q in zip(found, adjusted, strict=True)
    ]


def _by_block(games: Games, name: str) -> Reals:
    return games.by_block(functools.partial(MEASURES[name], games.plan.game))


def _mean(name: str, values: Reals, least: float) -> Estimate:
    """The mean of a measure or of a difference; `least` is the lower bound of shares."""
    return mean(values, least, 1) if name in SHARES else mean(values)


def _pairing(a: Reals, b: Reals) -> float:
    unpaired = float(a.var() + b.var())
    return float((b - a).var()) / unpaired if unpaired else 1.0


@dataclass(frozen=True)
class Flip:
    """The effect of another value of an option under the same openings and chance.

    If different acts are legal, players act differently, and an even game may then have any winner: so `changed` says
    how many games a rule touches, not how much it matters.
    """

    option: str
    """The name of the option."""
    rule: str
    """The id of the option's rule."""
    value: Any
    """The value that was tried."""
    usual: Any
    """The value of the plan."""
    changed: Estimate
    """The share of games with other winners."""
    unrelated: Estimate
    """For comparison, the same between different blocks of the two readings, which have nothing in common."""
    differences: list[Difference]
    """Those of figures, with p-values adjusted for all flips of the table (Benjamini-Hochberg)."""

    def described(self) -> dict[str, Any]:
        """The flip as a JSON-able dict."""
        figures = [difference.described() for difference in self.differences]
        content = {"option": self.option, "rule": self.rule, "value": self.value, "usual": self.usual}
        shares = {"changed": self.changed.described(), "unrelated": self.unrelated.described()}
        return {**content, **shares, "differences": figures}


def flips(
    plan: Plan,
    out: Path | None = None,
    executor: Executor | None = None,
    jobs: int = 1,
    on_progress: OnProgress | None = None,
) -> list[Flip]:
    """The effect of each other value of each option, one at a time, starting from a plan's options."""
    usual = Games(plan, run(plan, out and out / "usual", executor, jobs, on_progress).rows)
    found = []
    for option, value, flipped in other_values(plan):
        if isinstance(flipped, GameError):
            continue
        folder = out and out / f"{option.name}={value}".replace("/", "_")
        games = Games(flipped, run(flipped, folder, executor, jobs, on_progress).rows)
        shares = _changed(usual, games), _changed(usual, games, shift=1)
        found.append((option, value, shares, differences(usual, games)))
    adjusted = iter(false_discoveries([one.p for *_, several in found for one in several]))
    return [
        Flip(
            option.name,
            option.rule,
            value,
            plan.game.options[option.name],
            *shares,
            [_adjust(one, next(adjusted)) for one in several],
        )
        for option, value, shares, several in found
    ]


def _adjust(one: Difference, adjusted: float) -> Difference:
    return replace(one, adjusted=adjusted)


def _changed(a: Games, b: Games, shift: int = 0) -> Estimate:
    """The share of games whose winners differ, with the blocks of b shifted by a number of blocks."""
    start = shift * len(b.plan.orders)
    others = [*b.rows[start:], *b.rows[:start]]
    differ = [float(row.shares != other.shares) for row, other in zip(a.rows, others, strict=True)]
    return mean(np.reshape(differ, (-1, len(a.plan.orders))).mean(axis=1), 0, 1)


def refusals(plan: Plan) -> list[str]:
    """The reasons why some options and values were not tried, in words."""
    others = list(other_values(plan))
    tried = {option.name for option, *_ in others}
    usual = {name: value for name, value in plan.game.options.items() if name != "players" and name not in tried}
    alone = [f"{name}: no value to try beside {short_repr(value)}" for name, value in usual.items()]
    refused = [f"{option.name}={value}: {found}" for option, value, found in others if isinstance(found, GameError)]
    return alone + refused


def other_values(plan: Plan) -> Iterator[tuple[Option, Any, Plan | GameError]]:
    """The other values of each option, one at a time, each with its plan, or with the error if the game refuses the
    value or has no such players then. Numbers are halved and doubled.
    """
    for option in plan.game.info.options:
        usual = plan.game.options[option.name]
        for value in values_of(option, usual):
            if value != usual:
                try:
                    yield option, value, with_options(plan, {option.name: value})
                except GameError as refused:
                    yield option, value, refused


def values_of(option: Option, usual: Any) -> Sequence[Any]:
    """The values of an option to try."""
    if option.choices:
        return option.choices
    if option.kind == "bool":
        return (False, True)
    if option.kind not in ("int", "float") or not usual:
        return ()
    least, most = option.least or 0, option.most or 2 * usual
    whole = round if option.kind == "int" else float
    return [whole(max(least, usual / 2)), whole(min(most, usual * 2))]


def with_options(plan: Plan, options: Mapping[str, Any]) -> Plan:
    """The same plan under other options. Equal players fill the new number of seats."""
    seats = list(plan.seats if len(set(plan.seats)) > 1 else plan.seats[:1])
    return plan.changed(seats=seats, options={**plan.game.options, **options})


def sweep(
    plan: Plan,
    over: Mapping[str, Sequence[Any]],
    out: Path | None = None,
    executor: Executor | None = None,
    jobs: int = 1,
    on_progress: OnProgress | None = None,
) -> list[tuple[Mapping[str, Any], Games]]:
    """Play a plan under all combinations of some options' values, with the same openings and chance.

    Raises GameError, before any game is played, if a combination is not allowed.
    """
    combinations = [dict(zip(over, values, strict=True)) for values in itertools.product(*over.values())]
    found: list[tuple[Mapping[str, Any], Games]] = []
    for options, varied in [(options, with_options(plan, options)) for options in combinations]:
        name = ",".join(f"{option}={value}" for option, value in options.items()).replace("/", "_")
        found.append((options, Games(varied, run(varied, out and out / name, executor, jobs, on_progress).rows)))
    return found


def figures_of(games: Games, jobs: int = 1, device: Device = "cpu") -> dict[str, Estimate]:
    """The figures of one reading; all but `choice` from `random_games` if they stand for its games.

    Raises GameError as `has_random_games` does.
    """
    results = random_games(games.plan, jobs, device) if has_random_games(games.plan, device) else games
    return {
        name: _mean(name, _by_block(games if name == "choice" else results, name), 0)
        for name in measures_of(games.plan.game)
    }
