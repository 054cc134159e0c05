"""What can be wrong with a request, or with the log of a table."""

from __future__ import annotations

from icetable.core.errors import GameError


class BadTable(GameError):
    """A table can't be created as asked, or does not allow what was asked of it."""


class SeatTaken(BadTable):
    """No seat is free at a table that anybody could join."""


class NothingToUndo(GameError):
    """There is no act to take back."""


class FellThrough(GameError):
    """An act was to count only after another one, which was refused."""


class TableNotFound(Exception):
    """There is no such table. The text says so in one sentence."""


class Tampered(GameError):
    """An entry of a table's log does not follow from the one before, or a name is another: it was changed since."""


class Hidden(Exception):
    """The viewer may not see yet what was asked for; the text says so, in one sentence."""


def sentence(error: GameError) -> str:
    """An error as a sentence for players."""
    text = str(error)
    return text[:1].upper() + text[1:] + ("" if text.endswith(".") else ".")
