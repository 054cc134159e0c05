"""The pace of hands in a game without turns: no program places pieces faster than a hand at a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from icetable.core.realtime import HAND_BURST, HAND_MS, RealTimeGame
from icetable.server.table.clock import MS_PER_SECOND
from icetable.server.table.errors import TooQuick

if TYPE_CHECKING:
    from collections.abc import Iterator

    from icetable.server.table.log import Entry
    from icetable.server.table.state import TableState

MAX_CREDIT_MS = 3000
"""What was done while a line stood still may arrive at once, but acts lapse after this time."""
WINDOW_MS = 30_000
"""Pieces that were placed longer ago do not count."""


def check(state: TableState, entry: Entry, silence: int) -> None:
    """Raise TooQuick if a hand places its pieces too quickly, by the times at which they arrived.

    In any interval, a hand may place HAND_BURST pieces and one more each HAND_MS. `silence`: how long its line has
    stood still, in milliseconds; what arrives then counts as made throughout that time.
    """
    game = state.game
    if state.setup.terms.scripts or not isinstance(game, RealTimeGame) or not game.is_placing(entry.text):
        return
    silent_since = entry.at - min(silence, MAX_CREDIT_MS)
    for pieces, placed in enumerate(_placements(state, game, entry), 2):
        if entry.at - min(placed, silent_since) < (pieces - HAND_BURST) * HAND_MS:
            seconds = HAND_MS / MS_PER_SECOND
            raise TooQuick(f"your hand is too quick: a piece takes at least {seconds:g} s, so it stays in your hand")


def _placements(state: TableState, game: RealTimeGame, entry: Entry) -> Iterator[int]:
    """When the seat of an entry placed its pieces within WINDOW_MS before, the last one first."""
    for act in reversed(state.positions.acts):
        if act.at < entry.at - WINDOW_MS:
            return
        if act.seat == entry.seat and game.is_placing(act.text):
            yield act.at
