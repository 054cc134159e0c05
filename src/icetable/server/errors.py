"""The errors of requests and of a table's log."""

from __future__ import annotations

from icetable.core.errors import GameError


class BadTable(GameError):
    """A table can't be created as requested, or does not allow a request."""


class SeatTaken(BadTable):
    """No seat is free at a table that is open to everybody."""


class NothingToUndo(GameError):
    """There is no act to undo."""


class TooQuick(BadTable):
    """A hand places pieces more quickly than a hand can."""


class FellThrough(GameError):
    """An act depended on another one, which was refused."""


class TableNotFound(Exception):
    """There is no such table. The message is one sentence."""


class Tampered(GameError):
    """An entry of a table's log does not match its link, or a name does not match its commitment."""


class Hidden(Exception):
    """The viewer may not see the requested data yet. The message is one sentence."""


def sentence(error: GameError) -> str:
    """The message of an error as a sentence."""
    text = str(error)
    return text[:1].upper() + text[1:] + ("" if text.endswith(".") else ".")
