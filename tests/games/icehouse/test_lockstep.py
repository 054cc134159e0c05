"""Random games of the oracle and the product side by side: every attempt has the same verdict and the same end."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from . import geometry_oracle as geometry
from .oracle import Oracle, footprint
from .product import compare, game_of, verdict
from .random_games import Step, random_game

GAMES: tuple[tuple[int, int, int, dict[str, Any]], ...] = (
    *((seed, 200, 150, {}) for seed in (1, 5, 18, 22)),
    *((seed, 250, 200, {"players": 2 + seed % 3, "crash": "penalty", "meltdown": "prevent"}) for seed in (0, 4)),
    (13, 450, 450, {"players": 2, "crash": "penalty", "width": 12, "height": 12, "false_call": "free"}),
)
"""Seeds, how many attempts there are and from which on the bell may ring, and options: in them everything occurs."""
each_game = pytest.mark.parametrize("number", range(len(GAMES)))


@cache
def played(number: int) -> tuple[Step, ...]:
    """One of these games, led by the oracle."""
    seed, steps, bell_from, options = GAMES[number]
    return tuple(random_game(seed, steps, bell_from, **options))


@each_game
def test_lockstep(number: int) -> None:
    game = game_of(played(number)[0].before)
    state = game.start()
    after = Oracle(players=game.players)
    for step in played(number):
        assert verdict(state, step.text, step.seat, step.at) == step.fault, (step.text, step.seat, step.at)
        after = step.after
        if step.fault is None:
            state = state.apply(step.text, step.seat, step.at / 1000)
            compare(state, after)
    assert len(state.field) == len(after.field)
    assert game.replay(state.record()) == state
    assert game.from_json(state.to_json()) == state


@each_game
def test_the_oracle_keeps_what_must_hold(number: int) -> None:
    """15 of every colour are always somewhere, nothing overlaps, and what is refused leaves no trace."""
    for step in played(number):
        assert set(step.after.census().values()) == {5}
        assert len(step.after.census()) == 3 * step.after.players
        assert all(0 <= points <= 30 for points in step.after.scores)
        assert step.before.in_icehouse <= step.after.in_icehouse
        if step.fault:
            assert step.after is step.before
            with pytest.raises(ValueError, match=r"(notation|IH-[0-9]+)$"):
                step.before.apply(step.text, step.seat, step.at)
    shapes = [footprint(piece, step.after.length) for piece in step.after.field]
    for place, one in enumerate(shapes):
        assert geometry.on_field(one, step.after.width, step.after.height)
        assert not any(geometry.overlap(one, other) for other in shapes[:place])


def test_everything_occurs() -> None:
    steps = [step for number in range(len(GAMES)) for step in played(number)]
    assert {step.fault for step in steps} >= {
        None,
        "notation",
        *(f"IH-{number}" for number in (1, 5, 6, 7, 12, 13, 20, 22, 24, 26, 30, 31)),
    }
    done = {step.text.split()[0] for step in steps if step.fault is None}
    assert done == {"ready", "lift", "place", "return", "icehouse", "meltdown", "capture", "give", "bell"}
    assert any(step.after.in_icehouse > step.before.in_icehouse for step in steps)
    assert any(step.after.next_id > step.before.next_id and not step.after.field[-1].stands for step in steps)
