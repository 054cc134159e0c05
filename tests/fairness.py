"""Whether what chance draws falls as often as the rules say, wherever the product draws it.

Every draw comes from a fixed seed: a test that passes once passes always.
"""

from __future__ import annotations

import hashlib
import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from icetable.core.turns import TurnState
from icetable.kernels import jit
from icetable.lab.plan import BlockChance
from icetable.server.table import fairness

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Mapping

    from icetable import State
    from icetable.kernels.jit import Ints

Source = Callable[[TurnState], Iterator["Ints"]]

DRAWS = 3000
LIMIT = 4.5
"""One fair run in 100,000 strays further than so many standard deviations."""


def uniform(outcomes: Iterable[Hashable]) -> dict[Any, float]:
    """The chances of outcomes that are equally likely."""
    listed = list(outcomes)
    return dict.fromkeys(listed, 1 / len(listed))


def surprise(counts: Mapping[Any, int], chances: Mapping[Any, float]) -> float:
    """How far chi-square is from its expected value, in standard deviations (after Wilson and Hilferty).

    Infinitely far where something was drawn that has no chance.
    """
    assert math.isclose(math.fsum(chances.values()), 1)
    if not counts.keys() <= chances.keys():
        return math.inf
    freedom = len(chances) - 1
    if freedom == 0:
        return 0.0
    draws = sum(counts.values())
    chi_square = sum((counts.get(one, 0) - draws * chance) ** 2 / (draws * chance) for one, chance in chances.items())
    spread = 2 / (9 * freedom)
    return float(((chi_square / freedom) ** (1 / 3) - (1 - spread)) / spread**0.5)


def assert_fair(drawn: Iterable[Hashable], chances: Mapping[Any, float]) -> None:
    """The draws fall neither less evenly than these chances let expect, nor more."""
    counts = Counter(drawn)
    assert abs(surprise(counts, chances)) < LIMIT, counts.most_common(10)


def assert_independent(first: Iterable[Hashable], second: Iterable[Hashable], chances: Mapping[Any, float]) -> None:
    """Two rows of draws from the same chances have nothing to do with each other."""
    pairs = {(one, other): chances[one] * chances[other] for one in chances for other in chances}
    assert_fair(zip(first, second, strict=True), pairs)


def assert_columns_independent(drawn: Ints, chances: Mapping[int, float]) -> None:
    """No two columns of draws, whole numbers from the same chances, have anything to do with each other."""
    assert np.isin(drawn, list(chances)).all()
    pairs = {(one, other): chances[one] * chances[other] for one in chances for other in chances}
    shown = np.stack([drawn == one for one in chances], axis=2).astype(float)
    counts = np.tensordot(shown, shown, axes=(0, 0))
    for one, other in combinations(range(drawn.shape[1]), 2):
        told = dict(zip(pairs, counts[one, :, other].ravel().tolist(), strict=True))
        assert abs(surprise(told, pairs)) < LIMIT, (one, other)


def ends(state: State) -> dict[tuple[int, tuple[int, ...]], float]:
    """How likely random play ends after so many acts with these winners, in a game with turns that is soon over."""
    chances = _ends(state, 0)
    assert sum(chances.values()) == 1
    return {end: float(chance) for end, chance in chances.items()}


def _ends(state: State, acts: int) -> dict[tuple[int, tuple[int, ...]], Fraction]:
    if state.is_terminal:
        return {(acts, tuple(sorted(state.winners))): Fraction(1)}
    chances: dict[tuple[int, tuple[int, ...]], Fraction] = defaultdict(Fraction)
    legal = state.legal_actions()
    for act in legal:
        for end, chance in _ends(state.apply(act), acts + 1).items():
            chances[end] += chance / len(legal)
    return chances


def secret(number: int) -> bytes:
    """One of many secrets."""
    return hashlib.sha256(f"secret {number}".encode()).digest()


# Where positions after an act of nature come from: DRAWS of them, in the order in which they were drawn.


def by_the_face(state: TurnState) -> Iterator[Ints]:
    """One generator of numpy, as notebooks and `random_game` use it."""
    rng = np.random.default_rng(5)
    for _ in range(DRAWS):
        yield state.apply(state.game.random_act(state, rng)).position


def by_the_kernel(state: TurnState) -> Iterator[Ints]:
    """One generator of the kernel, as playouts and searches use it."""
    rules, rng = state.game.rules, jit.seeds(5, 1)
    room = np.empty(rules.MAX_ACTS, np.int64)
    for _ in range(DRAWS):
        after = state.position.copy()
        rules.apply(after, rules.pick(after, room, rng))
        yield after


def by_the_plain_kernel(state: TurnState) -> Iterator[Ints]:
    """The same, not compiled."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(jit, "ALWAYS_PLAIN", True)
        yield from by_the_kernel(state)


def by_seeds(state: TurnState) -> Iterator[Ints]:
    """A generator of the kernel for each draw, as playouts have one for each game."""
    rules, seeds = state.game.rules, jit.seeds(6, DRAWS)
    room = np.empty(rules.MAX_ACTS, np.int64)
    for number in range(DRAWS):
        after = state.position.copy()
        rules.apply(after, rules.pick(after, room, seeds[number : number + 1]))
        yield after


def by_secrets(state: TurnState) -> Iterator[Ints]:
    """The same act of a table of the same name, under many secrets."""
    for number in range(DRAWS):
        yield state.apply(fairness.draw(secret(number), "k7m2", 3, state)).position


def by_numbers(state: TurnState) -> Iterator[Ints]:
    """One act after the other of one table."""
    for number in range(DRAWS):
        yield state.apply(fairness.draw(secret(0), "k7m2", number, state)).position


def by_tables(state: TurnState) -> Iterator[Ints]:
    """The same act of many tables, under one secret."""
    for number in range(DRAWS):
        yield state.apply(fairness.draw(secret(0), f"t{number}", 3, state)).position


def by_blocks(state: TurnState) -> Iterator[Ints]:
    """The first act of chance in the blocks of a run."""
    for number in range(DRAWS):
        yield state.apply(BlockChance(5, number).act(state)).position


def by_occurrences(state: TurnState) -> Iterator[Ints]:
    """One act of chance after the other in a block of a run."""
    chance = BlockChance(5, 0)
    for _ in range(DRAWS):
        yield state.apply(chance.act(state)).position


SOURCES: tuple[Source, ...] = (
    by_the_face,
    by_the_kernel,
    by_the_plain_kernel,
    by_seeds,
    by_secrets,
    by_numbers,
    by_tables,
    by_blocks,
    by_occurrences,
)
each_source = pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.__name__)


def positions(source: Source, state: State) -> np.ndarray[Any, np.dtype[np.int64]]:
    """A row for each position that a source draws at a state."""
    assert isinstance(state, TurnState)
    return np.array(list(source(state)))
