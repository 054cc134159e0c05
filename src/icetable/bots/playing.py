"""Real-time games between players, on a simulated clock."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from icetable.core.errors import IllegalAction
from icetable.core.game import CHANCE

if TYPE_CHECKING:
    from icetable.bots.realtime import Intention
    from icetable.core.game import State
    from icetable.core.realtime import RealTimeGame


class RealTimePlayer(Protocol):
    """A player, such as a `bots.RealTimeBot`."""

    def next(self, view: Mapping[str, Any], now: float, /) -> Intention: ...
    def refused(self) -> None: ...


Maker = Callable[[int], RealTimePlayer]
"""Creates a player from a seed."""


def play(game: RealTimeGame, players: Sequence[RealTimePlayer], bell: float | None) -> State:
    """Play a game and return its last state. Each player gets the views of its seat.

    Chance ends the game `bell` seconds after the last player is ready. If `bell` is None, the game may also stop before
    its end, when no player intends to act.
    """
    assert len(players) == game.players
    state, now, end = game.start(), 0.0, math.inf
    intentions = [player.next(state.view(seat), now) for seat, player in enumerate(players)]
    while not state.is_terminal:
        seat = min(range(len(players)), key=lambda one: intentions[one].at)
        act, at = intentions[seat]
        if min(at, end) == math.inf:
            break
        if end <= at:
            return state.apply(*end_of(state), end)
        now = max(now, at)
        affected: Sequence[int] = [seat]
        if act is not None:
            try:
                state = state.apply(act, seat, now)
                affected = range(len(players))
            except IllegalAction:
                players[seat].refused()
            if bell is not None and end == math.inf and CHANCE in state.to_act:
                end = now + bell
        for one in affected:
            intentions[one] = players[one].next(state.view(one), now)
    return state


def end_of(state: State) -> tuple[str, int]:
    """The act of chance that ends a game, and the seat of chance."""
    (act,) = state.legal_actions(CHANCE)
    return act, CHANCE
