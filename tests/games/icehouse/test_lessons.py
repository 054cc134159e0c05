"""The lesson's goals: placements that reach them, others that do not, and a yard that is as safe as it says."""

from __future__ import annotations

import numpy as np
import pytest

from icetable import games
from icetable.extras import exercises
from icetable.games.icehouse.game import IcehouseState

INFO = games.info("icehouse")

TRIES = {
    "defend": (["lift S", "place 5000,5000 stand 0.0"], ["lift S", "return"]),
    "point": (["lift L", "place 3300,5000 point 0.0"], ["lift L", "place 8000,6400 point 90.0"]),
    "range": (["lift S", "place 5000,6000 point 270.0"], ["lift M", "place 5000,6300 point 270.0"]),
    "joint": (["lift M", "place 6500,8000 point 0.0"], ["lift S", "place 6700,8000 point 0.0"]),
    "block": (["lift L", "place 6050,5000 stand 0.0"], ["lift M", "place 5000,6000 stand 0.0"]),
    "fortress": (["lift M", "place 560,540 stand 5.0"], ["lift M", "place 3000,500 stand 0.0"]),
    "enough": (["lift S", "place 3700,5000 point 0.0"], ["lift L", "place 3300,5000 point 0.0"]),
    "capture": (["capture p6"], ["lift S"]),
    "icehouse": (["icehouse"], ["meltdown green"]),
    "meltdown": (["meltdown green"], ["icehouse"]),
    "crash": (["lift S", "place 5000,5000 stand 0.0"], ["lift S", "place 5000,3000 stand 0.0"]),
    "gift": (["give S green"], []),
    "bell": (["lift L", "place 5000,7000 stand 0.0"], ["lift S", "place 5000,7000 stand 0.0"]),
}
"""Acts of the learner that do what a step asks for, and acts that do not."""


def start(name: str) -> IcehouseState:
    state = exercises.start_of(INFO, exercises.step_of(INFO, name))
    assert isinstance(state, IcehouseState)
    return state


def is_done(name: str, acts: list[str]) -> bool:
    state, step = start(name), exercises.step_of(INFO, name)
    done = False
    for act in acts:
        state = state.apply(act, step.seat)
        done = done or step.is_goal(state)
    return done


def test_every_step_is_tried() -> None:
    assert list(TRIES) == [step.name for step in exercises.steps(INFO)]
    assert len(TRIES) == 13


@pytest.mark.parametrize("name", TRIES)
def test_each_task_can_be_done_and_missed(name: str) -> None:
    right, wrong = TRIES[name]
    assert is_done(name, right)
    assert not is_done(name, wrong)


def test_a_large_blocker_holds_out() -> None:
    state = start("block")
    for act in TRIES["block"][0]:
        state = state.apply(act, 0)
    assert [piece["iced"] for piece in state.pieces() if piece["standing"] and piece["colour"] == "red"] == [False] * 3


@pytest.mark.parametrize("size", "SML")
def test_no_attack_comes_into_the_yard(size: str) -> None:
    state = start("fortress").apply("lift S", 0).apply("place 450,560 stand 20.0", 0).apply(f"lift {size}", 1)
    yard = state.pieces()[-1]["id"]
    assert state.sample_placements(1, np.random.default_rng(1), 50, standing=False, target="p1") != []
    assert state.sample_placements(1, np.random.default_rng(1), 50, standing=False, target=yard) == []
