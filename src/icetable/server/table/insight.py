"""Who may see evaluations of positions, and when: never, by any channel, for a game that may be in progress.

A position is analysed or solved only if nobody can be competing in it:

- at a table whose game is over, however it ended;
- at a table for exploring, for the client that holds all its seats. Such a table was opened as one, or the server
  copied its first position from a table that was analysed for the same client (`Terms.explores`). Once a bot or another
  client has a seat, its game is like any other.

A table that began from a position of unknown origin is never analysed, even after its game: the position may come from
a game in progress. Nor is a table that shows a record from a file, since its game was not played there. And a game that
hides its history hides it from analysis too, until it is over.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from icetable.server.errors import Hidden

if TYPE_CHECKING:
    from icetable.core.game import Game, State
    from icetable.server import messages
    from icetable.server.table.state import TableState
    from icetable.server.table.viewers import Viewer

UNKNOWN_ORIGIN = "This table began from a position of a game that may still be in progress, so it is not analysed."
PLAYED_ELSEWHERE = "This game was played elsewhere, where it may still be in progress, so it is not analysed."
UNDER_WAY = "Positions are analysed when the game is over."
NOT_ALONE = "Positions of a table for exploring are analysed for the client that holds all its seats."
HISTORY = "This game hides its history until it is over."
NO_TURNS = "Only turn-based games are analysed."
ALONE = "Games for one player are not analysed."


def check(table: TableState, viewer: Viewer) -> None:
    """Raise Hidden if the viewer may not see evaluations at this table now."""
    reason = _refusal(table, viewer)
    if reason is not None:
        raise Hidden(reason)


def _refusal(table: TableState, viewer: Viewer) -> str | None:
    explores = table.setup.terms.explores
    if table.setup.record is not None:
        return PLAYED_ELSEWHERE
    if table.setup.start is not None and not explores:
        return UNKNOWN_ORIGIN
    if table.is_over:
        return None
    if not explores:
        return UNDER_WAY
    if table.bots or not table.is_local(viewer):
        return NOT_ALONE
    return None if table.game.shows_history(table.position) else HISTORY


def is_open(table: TableState, viewer: Viewer) -> bool:
    """Whether the viewer may see evaluations at this table now."""
    return _refusal(table, viewer) is None


def when(table: TableState, viewer: Viewer) -> messages.Insight:
    """When the viewer may see evaluations at this table, as far as is known now."""
    reason = _refusal(table, viewer)
    if reason is None:
        return "now"
    if reason in (UNKNOWN_ORIGIN, PLAYED_ELSEWHERE):
        return "never"
    return "alone" if reason == NOT_ALONE and not table.bots else "over"


def can_analyse(game: Game) -> bool:
    """Whether the positions of a game can be analysed: it needs turns and at least two players."""
    return game.info.turns and game.players > 1


def position(table: TableState, viewer: Viewer, number: int) -> State:
    """The position after `number` acts, to be analysed for the viewer. Raises Hidden."""
    check_position(table, viewer, number)
    return table.after(number)


def check_position(table: TableState, viewer: Viewer, number: int) -> None:
    """Raise Hidden if the position after `number` acts may not be analysed for the viewer now."""
    if not can_analyse(table.game):
        raise Hidden(ALONE if table.game.info.turns else NO_TURNS)
    check(table, viewer)
    if number > table.acts:
        raise Hidden(f"Only {table.acts} moves have been made.")
