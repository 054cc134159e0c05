"""The draws of a table from its secret: lots, rolls, deals and bells are fair, and always the same again."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

import icetable
from icetable import CHANCE, State
from icetable.server.table import fairness
from tests.fairness import DRAWS, assert_fair, assert_independent, secret, uniform

FACES = uniform(f"die:{face}" for face in ("away", "toward", "diag-away", "diag-toward", "swap", "wild"))
SECRET = bytes(range(32))


def rolling() -> State:
    return icetable.load("wrecktangle").start()


def dealing(**options: Any) -> State:
    """A deal is to come, of dice that nobody has seen or of given numbers."""
    state: State = icetable.load("highrise", numbers="unseen", **options).start()
    while state.to_act != {CHANCE}:
        state = state.apply(state.legal_actions()[0])
    return state


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_lots_bring_every_order_alike(players: int) -> None:
    orders = uniform(itertools.permutations(range(players)))
    for drawn in (
        [fairness.draw_seats(secret(number), "k7m2", players) for number in range(DRAWS)],
        [fairness.draw_seats(SECRET, f"t{number}", players) for number in range(DRAWS)],
    ):
        assert_fair(drawn, orders)
        if players < 4:
            assert_independent(drawn[:-1], drawn[1:], orders)


def test_rolls_of_two_tables_have_nothing_in_common() -> None:
    """Nor those of one table under two secrets."""
    start = rolling()
    one, other, third = (
        [fairness.draw(key, table, number, start) for number in range(DRAWS)]
        for key, table in ((SECRET, "k7m2"), (SECRET, "k7m3"), (secret(1), "k7m2"))
    )
    assert_independent(one, other, FACES)
    assert_independent(one, third, FACES)


def test_one_draw_of_a_table_says_nothing_of_its_others() -> None:
    start, icehouse = rolling(), icetable.load("icehouse")
    orders, early = uniform(itertools.permutations(range(3))), uniform((True, False))
    secrets = [secret(number) for number in range(DRAWS)]
    lots = [fairness.draw_seats(key, "k7m2", 3) for key in secrets]
    rings_early = [(fairness.bell(key, "k7m2", icehouse) or 0) < 600_000 for key in secrets]
    for number in (0, 1, 2, 10):
        rolls = [fairness.draw(key, "k7m2", number, start) for key in secrets]
        assert_fair(zip(lots, rolls, strict=True), uniform(itertools.product(orders, FACES)))
        assert_fair(zip(rings_early, rolls, strict=True), uniform(itertools.product(early, FACES)))
    assert_fair(zip(lots, rings_early, strict=True), uniform(itertools.product(orders, early)))


def test_every_bit_of_the_secret_matters() -> None:
    """On a board with 6 ** 64 deals, so that none comes twice."""
    state, number = dealing(rows=8, cols=8), int.from_bytes(SECRET)
    others = [(number ^ 1 << bit).to_bytes(32) for bit in range(256)]
    deals = {str(fairness.draw(key, "k7m2", 1, state)) for key in (SECRET, *others)}
    assert len(deals) == 257


def test_tables_and_numbers_bring_other_deals() -> None:
    state = dealing(rows=8, cols=8)
    tables = ["k7m2", "k7m3", "k7m", "k7m22", "k"]
    assert len({str(fairness.draw(SECRET, table, number, state)) for table in tables for number in range(200)}) == 1000


def test_the_same_always_brings_the_same() -> None:
    state, icehouse = dealing(), icetable.load("icehouse")
    for _ in range(2):
        assert fairness.draw(SECRET, "k7m2", 7, state) == fairness.draw(SECRET, "k7m2", 7, dealing())
        assert fairness.draw_seats(SECRET, "k7m2", 4) == fairness.draw_seats(SECRET, "k7m2", 4)
        assert fairness.bell(SECRET, "k7m2", icehouse) == fairness.bell(SECRET, "k7m2", icetable.load("icehouse"))


def test_records_of_earlier_versions_stay_verifiable() -> None:
    """The draws of a secret are fixed for good: an old record is drawn again years later."""
    start = rolling()
    rolls = [fairness.draw(SECRET, "k7m2", number, start).removeprefix("die:") for number in range(1, 7)]
    assert rolls == ["wild", "toward", "diag-toward", "swap", "diag-toward", "diag-away"]
    deals = [fairness.draw(SECRET, "k7m2", 51, dealing(**options)) for options in ({}, {"values": list(range(9))})]
    assert deals == ["deal:412646566", "deal:064328715"]
    seen = icetable.load("highrise").start()
    roll = fairness.draw(SECRET, "k7m2", 1, seen)
    assert roll == "roll:112222336"
    after = seen.apply(roll)
    while after.to_act != {CHANCE}:
        after = after.apply(after.legal_actions()[0])
    assert fairness.draw(SECRET, "k7m2", 52, after) == "deal:121362223"
    assert [fairness.draw_seats(SECRET, "k7m2", players) for players in (2, 3, 4)] == [(0, 1), (2, 0, 1), (2, 3, 0, 1)]
    assert fairness.bell(SECRET, "k7m2", icetable.load("icehouse")) == 564_776
