"""Who may see what positions are worth, and when: never of a game that may be under way, by no channel.

A position is analysed or solved only where nobody can be competing in it:

- at a table whose game is over, however it ended;
- at a table for exploring, for the client that holds all its seats. Such a table was opened as one, or the server has
  copied its first position from a table that was analysed for the same client (`Terms.explores`). As soon as a bot or
  another client has a seat there, its game is like any other.

A table that began from a position of unknown origin tells nothing, even when it is over: that position may belong to a
game under way. Nor does a table that shows a record from a file: its game was not played there. And a game that hides
its history hides it from analysis, until it is over.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from icetable.server.table.errors import Hidden

if TYPE_CHECKING:
    from icetable.core.game import Game, State
    from icetable.server import messages
    from icetable.server.table.state import TableState
    from icetable.server.table.viewers import Viewer

UNKNOWN_ORIGIN = "This table began from a position of a game that may still be under way: it is not analysed."
PLAYED_ELSEWHERE = "This game was played elsewhere, where it may still be under way: it is not analysed."
UNDER_WAY = "Positions are analysed when the game is over."
NOT_ALONE = "Positions of a table for exploring are analysed for the client that holds all its seats."
HISTORY = "This game hides its history until it is over."
NO_TURNS = "Only games of turns are analysed."
ALONE = "A game that one player plays alone is not analysed."


def check(table: TableState, viewer: Viewer) -> None:
    """Raise Hidden where the viewer may not see now what positions of this table are worth."""
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
    """Whether the viewer may see now what positions of this table are worth."""
    return _refusal(table, viewer) is None


def when(table: TableState, viewer: Viewer) -> messages.Insight:
    """When the viewer may see what positions of this table are worth, as far as is known now."""
    reason = _refusal(table, viewer)
    if reason is None:
        return "now"
    if reason in (UNKNOWN_ORIGIN, PLAYED_ELSEWHERE):
        return "never"
    return "alone" if reason == NOT_ALONE and not table.bots else "over"


def can_analyse(game: Game) -> bool:
    """Whether the positions of a game can be analysed: somebody else has to have a share of it, and turns."""
    return game.info.turns and game.players > 1


def position(table: TableState, viewer: Viewer, number: int) -> State:
    """The position after `number` acts, for a viewer to whom it is to be analysed. Raises Hidden."""
    check_position(table, viewer, number)
    return table.after(number)


def check_position(table: TableState, viewer: Viewer, number: int) -> None:
    """Raise Hidden where the position after `number` acts is not analysed for the viewer now."""
    if not can_analyse(table.game):
        raise Hidden(ALONE if table.game.info.turns else NO_TURNS)
    check(table, viewer)
    if number > table.acts:
        raise Hidden(f"Only {table.acts} moves have been made.")
