"""The opponents of a learner: functions, named players, copies of itself, and leagues of these."""

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
"""Maps observations int8[n, height, width, planes] and masks int8[n, actions] to actions int64[n], for n games at a
time. The generator is the environment's, so the same seed gives the same choices."""


class League:
    """A pool of opponents. Each other seat of each game draws one of them; more can be added at any time.

    `members`: names of players, and functions that take many games at a time. The newest member is drawn with
    probability `newest`, otherwise any of them. Games under way keep their opponents.

    Raises GameError if `newest` is not a probability.

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
        """Add a member, from the next game on."""
        self.members.append(member)

    def draw(self, rng: np.random.Generator, games: int, players: int) -> Ints:
        """Draw the member of each seat: int64[games, players], indices into `members`."""
        last = len(self.members) - 1
        if last == 0:
            return np.zeros((games, players), np.int64)
        drawn = rng.integers(last + 1, size=(games, players))
        return np.where(rng.random((games, players)) < self.newest, last, drawn)


class Frozen:
    """A frozen copy of a learner as an opponent.

    `model`: an object with `predict(observations, action_masks=…, deterministic=…)`, such as MaskablePPO of
    sb3-contrib; if it has a `policy`, only that is copied. Its random choices don't depend on the environment's seed.
    """

    def __init__(self, model: Any, deterministic: bool = False) -> None:
        self.model = copy.deepcopy(getattr(model, "policy", model))
        self.deterministic = deterministic

    def __call__(self, observations: Any, masks: Any, _rng: np.random.Generator) -> Any:
        return self.model.predict(observations, action_masks=masks, deterministic=self.deterministic)[0]
