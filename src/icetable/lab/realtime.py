"""Matches of games without turns between bots, on a simulated clock."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from icetable.bots.realtime import play

if TYPE_CHECKING:
    from icetable.bots.realtime import Maker
    from icetable.core.game import State
    from icetable.core.realtime import RealTimeGame


def matches(
    game: RealTimeGame, makers: Sequence[Maker], games: int, seed: int = 0
) -> Iterator[tuple[State, list[int]]]:
    """Play `games` games; in game n player p sits at seat (p + n) modulo the number of players.

    Yields the last state of each game and the seats of the players, in their order. The same seed gives the same games
    if the players use no other source of randomness.
    """
    for number in range(games):
        rng = np.random.default_rng([seed, number])
        seats = [(player + number) % game.players for player in range(game.players)]
        bots = {seat: makers[player](int(rng.integers(2**31))) for player, seat in enumerate(seats)}
        yield play(game, [bots[seat] for seat in range(game.players)], game.draw_timer(rng)), seats
