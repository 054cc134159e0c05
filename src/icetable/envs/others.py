"""The opponents of a learner in a real-time game: bots with their own hands, functions, random players."""

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

DEFAULT_LEVEL = "beginner@1"


class Others:
    """The opponents of a learner in a real-time game. `opponent`: a level, "random", a Policy or a League.

    None is "random" if there is a menu, otherwise "beginner@1". Raises GameError for anything else.
    """

    def __init__(self, ticks: RealTime, opponent: str | Policy | League | None) -> None:
        self._ticks = ticks
        if opponent is None:
            opponent = RANDOM if ticks.action == "menu" else DEFAULT_LEVEL
        self._league = opponent if isinstance(opponent, League) else League(opponent)
        self._check()

    def _check(self) -> None:
        """Raise GameError if the league is empty or a member can't play."""
        names = [*([RANDOM] if self._ticks.action == "menu" else []), *REAL_TIME_NAMES]
        if not self._league.members:
            raise GameError("the league has no members yet")
        for member in self._league.members:
            if member == RANDOM and RANDOM not in names:
                raise GameError(
                    f"'random' opponents pick from the menu, which action={self._ticks.action!r} lacks; "
                    f"allowed: a function, a League or {', '.join(map(repr, names))}"
                )
            if not callable(member) and member not in names:
                raise GameError(
                    f"opponent can't be {short_repr(member)}; allowed: a function, a League or "
                    f"{', '.join(map(repr, names))}; {VERSIONED}"
                )

    def begin(self, learner: int, rng: np.random.Generator) -> None:
        """Draw the opponents of a new game; `rng` drives all their choices. Raises GameError for an invalid member."""
        self._check()
        self._rng = rng
        drawn = self._league.draw(rng, 1, self._ticks.game.players)[0].tolist()
        members = {seat: self._league.members[member] for seat, member in enumerate(drawn) if seat != learner}
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
        """Write the actions of functions and random players, return the acts of bots. Raises GameError for others."""
        ticks = self._ticks
        if self._random:
            actions[self._random] = ticks.pick()[self._random]
        for policy, seats in self._policies.values():
            seen = {name: array[seats] for name, array in ticks.observation.items()}
            given = np.asarray(policy(seen, ticks.mask[seats], self._rng))
            if given.shape != actions[seats].shape or not np.can_cast(given.dtype, actions.dtype, "same_kind"):
                raise GameError(f"the opponent must return {len(seats)} actions, not {short_repr(given)}")
            actions[seats] = given
        state = functools.cache(lambda: ticks.state().as_of(round(ticks.now * 1000)))
        return {bot.seat: bot.act(ticks, state) for bot in self._bots}


class Seated:
    """A bot at its seat. It sees changes without delay, and acts at the beginning of the tick that it has chosen."""

    def __init__(self, bot: RealTimeBot, seat: int) -> None:
        self.seat = seat
        self._bot = bot
        self._intention = Intention(None, 0.0)

    def act(self, ticks: RealTime, state: Callable[[], State]) -> str | None:
        """The bot's act in this tick, or None; `state` returns the position."""
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
