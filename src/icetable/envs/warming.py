"""Compiling the kernels of environments in advance."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, get_args

import numpy as np

from icetable.bots.levels import timeless_levels
from icetable.core.turns import TurnGame
from icetable.envs.batch import Batch
from icetable.envs.learner import Learner
from icetable.envs.realtime import RealTime
from icetable.envs.search import Kind, TreeSearch
from icetable.kernels import jit

if TYPE_CHECKING:
    from icetable.core.game import Game


def warm_up(game: Game) -> None:
    """Compile or load the kernels of a game's environments, including those of an opponent that searches."""
    with jit.compiling():
        _use(game)


def _use(game: Game) -> None:
    if not isinstance(game, TurnGame):
        RealTime(game)
        return
    batch = Batch(game, 1)
    batch.step(batch.pick())
    for kind in get_args(Kind):
        TreeSearch(batch, _evaluate_nothing, 1, kind, noise=0.5).run()
    learner = Learner(game, 1, 0, timeless_levels(game)[0].name, None, "lose", "same")
    learner.reset(np.ones(1, np.bool_), np.random.default_rng(0))
    learner.step(learner.batch.mask.argmax(axis=1))


def _evaluate_nothing(_seen: Any, masks: Any) -> Any:
    return np.zeros(masks.shape), np.zeros(len(masks))
