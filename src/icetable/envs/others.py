"""Who plays against a learner in a game in ticks: bots with hands of their own, functions, random players."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

import numpy as np

from icetable.bots.levels import REAL_TIME_NAMES
from icetable.bots.players import VERSIONED
from icetable.bots.realtime import Intention, RealTimeBot
from icetable.core.errors import GameError
from icetable.core.options import short_repr
from icetable.envs.answering import RANDOM, SEED_LIMIT
from icetable.envs.league import League

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    import numpy.typing as npt

    from icetable.core.game import State
    from icetable.envs.league import Policy
    from icetable.envs.realtime import RealTime


class Others:
    """Those who play against the learner of a game in ticks: as `opponent` a level, "random", a Policy or a League.

    Raises GameError for anything else.
    """

    def __init__(self, ticks: RealTime, opponent: str | Policy | League) -> None:
        self._ticks = ticks
        self._league = opponent if isinstance(opponent, League) else League(opponent)
        self._check()

    def _check(self) -> None:
        """Raise GameError where a member can't play, and where there is none."""
        names = [*([RANDOM] if self._ticks.action == "menu" else []), *REAL_TIME_NAMES]
        if not self._league.members:
            raise GameError("the league has no members yet")
        for member in self._league.members:
            if not callable(member) and member not in names:
                raise GameError(
                    f"opponent can't be {short_repr(member)}; allowed: a function, a League or "
                    f"{', '.join(map(repr, names))}; {VERSIONED}"
                )

    def begin(self, learner: int, rng: np.random.Generator) -> None:
        """Draw who plays in a new game. All that they draw comes from `rng`. Raises GameError for a wrong member."""
        self._check()
        self._rng = rng
        drawn = self._league.draw(rng, 1, self._ticks.game.players)[0].tolist()
        members = {seat: self._league.members[one] for seat, one in enumerate(drawn) if seat != learner}
        self._random = [seat for seat, member in members.items() if member == RANDOM]
        self._policies: dict[int, tuple[Policy, list[int]]] = {}
        self._bots = []
        for seat, member in members.items():
            if callable(member):
                self._policies.setdefault(drawn[seat], (member, []))[1].append(seat)
            elif member != RANDOM:
                bot = RealTimeBot(self._ticks.game, REAL_TIME_NAMES[member], int(rng.integers(SEED_LIMIT)))
                self._bots.append(Seated(bot, seat))

    def answer(self, actions: npt.NDArray[Any]) -> dict[int, str | None]:
        """Write the actions of functions and random players; the acts of bots. Raises GameError for no actions."""
        ticks = self._ticks
        if self._random:
            actions[self._random] = ticks.pick()[self._random]
        for policy, seats in self._policies.values():
            seen = {name: array[seats] for name, array in ticks.observation.items()}
            given = np.asarray(policy(seen, ticks.mask[seats], self._rng))
            if given.shape != actions[seats].shape or not np.can_cast(given.dtype, actions.dtype, "same_kind"):
                raise GameError(f"the opponent has to give {len(seats)} actions, not {short_repr(given)}")
            actions[seats] = given
        state = functools.cache(lambda: ticks.state().as_of(round(ticks.now * 1000)))
        return {one.seat: one.act(ticks, state) for one in self._bots}


class Seated:
    """A bot at its seat. It sees what is there at once, and acts at the beginning of the tick in which it wants to."""

    def __init__(self, bot: RealTimeBot, seat: int) -> None:
        self.seat = seat
        self._bot = bot
        self._intention = Intention(None, 0.0)

    def act(self, ticks: RealTime, state: Callable[[], State]) -> str | None:
        """What it does in this tick; `state` gives the position."""
        now = ticks.now
        if ticks.fault(self.seat) is not None:
            self._bot.refused()
        waits = self._intention.act is None and self._intention.at <= now
        if waits or ticks.changed:
            self._intention = self._bot.next(state().view(self.seat), now)
        act, at = self._intention
        if act is None or at > now:
            return None
        self._intention = Intention(None, now)
        return act
