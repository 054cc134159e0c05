"""Who plays against a learner: functions, players by name, copies of itself, and leagues of all these."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from icetable.core.errors import GameError
from icetable.core.options import short_repr

if TYPE_CHECKING:
    from icetable.kernels.jit import Ints

Policy = Callable[[Any, Any, np.random.Generator], Any]
"""Chooses actions, for n games at a time: observations int8[n, height, width, planes] and masks int8[n, actions] give
actions int64[n]. The generator is the environment's, so that a seed gives the same choices again."""


class League:
    """Opponents, of which one is drawn for each other seat of each game, and more of which may join at any time.

    `members`: names of players, and functions that take many games at a time. The one that joined last is drawn with
    the probability `newest`, and else any of them. Games that are under way go on as they began.

    Raises GameError for a probability that is none.

    >>> from icetable.envs import League
    >>> from icetable.envs.gymnasium import Env
    >>> league = League("random", "greedy", newest=0.5)
    >>> env = Env("squad", opponent=league)
    >>> league.add("casual@1")
    >>> league.members
    ['random', 'greedy', 'casual@1']
    """

    def __init__(self, *members: str | Policy, newest: float = 0.0) -> None:
        if not 0 <= newest <= 1:
            raise GameError(f"newest is a probability from 0 to 1, not {short_repr(newest)}")
        self.members, self.newest = list(members), newest

    def add(self, member: str | Policy) -> None:
        """Let a member join, from the next game on."""
        self.members.append(member)

    def draw(self, rng: np.random.Generator, games: int, players: int) -> Ints:
        """int64[games, players], the numbers of members for all seats."""
        last = len(self.members) - 1
        if last == 0:
            return np.zeros((games, players), np.int64)
        drawn = rng.integers(last + 1, size=(games, players))
        return np.where(rng.random((games, players)) < self.newest, last, drawn)


class Frozen:
    """A learner as it is now, as an opponent: a copy that learns nothing more.

    `model`: what has `predict(observations, action_masks=…, deterministic=…)`, as MaskablePPO of sb3-contrib has; of
    one with a `policy` that is copied alone. What it draws it draws by itself, not from the environment's seed.
    """

    def __init__(self, model: Any, deterministic: bool = False) -> None:
        self.model = copy.deepcopy(getattr(model, "policy", model))
        self.deterministic = deterministic

    def __call__(self, observations: Any, masks: Any, _rng: np.random.Generator) -> Any:
        return self.model.predict(observations, action_masks=masks, deterministic=self.deterministic)[0]
