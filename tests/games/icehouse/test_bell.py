"""When the bell rings: `timer` give or take `timer_spread` of it, uniformly (IH-31)."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import icetable
from icetable import Game
from icetable.server.table import fairness
from tests.fairness import DRAWS, assert_fair, secret, uniform

PARTS = 40


def by_the_face(game: Game) -> list[float | None]:
    rng = np.random.default_rng(5)
    return [game.draw_timer(rng) for _ in range(DRAWS)]


def by_secrets(game: Game) -> list[float | None]:
    return [in_seconds(fairness.bell(secret(number), "k7m2", game)) for number in range(DRAWS)]


def by_tables(game: Game) -> list[float | None]:
    return [in_seconds(fairness.bell(secret(0), f"t{number}", game)) for number in range(DRAWS)]


def in_seconds(bell: int | None) -> float | None:
    return None if bell is None else bell / 1000


each_source = pytest.mark.parametrize("source", [by_the_face, by_secrets, by_tables])


@each_source
@pytest.mark.parametrize(
    ("timer", "spread", "earliest", "latest"), [(600, 0.2, 480, 720), (100, 1, 0, 200), (30, 0.05, 28.5, 31.5)], ids=str
)
@pytest.mark.rule("IH-31")
def test_ih_31_the_bell_rings_at_any_moment_alike(
    source: Any, timer: float, spread: float, earliest: float, latest: float
) -> None:
    """Each part of the time in which it may ring is as likely as any other; before and after it never rings."""
    bells = source(icetable.load("icehouse", timer=timer, timer_spread=spread))
    assert min(bells) >= earliest
    assert max(bells) <= latest
    parts = [min(int((bell - earliest) / (latest - earliest) * PARTS), PARTS - 1) for bell in bells]
    assert_fair(parts, uniform(range(PARTS)))
    assert_fair(zip(parts[:-1:2], parts[1::2], strict=True), uniform(np.ndindex(PARTS, PARTS)))
    assert {round(bell * 1000) / 1000 for bell in bells} == set(bells)


@each_source
@pytest.mark.rule("IH-31")
def test_ih_31_no_spread_or_no_bell(source: Any) -> None:
    assert set(source(icetable.load("icehouse", timer=75, timer_spread=0))) == {75.0}
    assert set(source(icetable.load("icehouse", timer=0))) == {None}


class Extreme:
    """A generator that draws the least or the greatest number there is."""

    def __init__(self, number: float) -> None:
        self.number = number

    def random(self) -> float:
        return self.number


@pytest.mark.parametrize(("drawn", "bell"), [(0.0, 480.0), (0.5, 600.0), (np.nextafter(1, 0), 720.0)], ids=str)
@pytest.mark.rule("IH-31")
def test_ih_31_the_first_and_the_last_moment(drawn: float, bell: float) -> None:
    rng: Any = Extreme(drawn)
    assert icetable.load("icehouse").draw_timer(rng) == bell
