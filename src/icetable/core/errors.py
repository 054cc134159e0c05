"""The errors raised for bad input. Each is a GameError, and its message is one sentence."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

PUBLIC_MODULE = "icetable"
"""The module that users import the errors from, so tracebacks and pickles name it."""


@dataclass(frozen=True)
class Fault:
    """Why the rules refuse an act.

    >>> import icetable
    >>> fault = icetable.load("icefrogs").start().fault("pass")
    >>> fault.code, fault.rule, fault.message
    ('needless-pass', 'IF-17', 'You may pass only when you have no legal move.')
    """

    code: str
    """The reason for programs."""
    message: str
    """The reason for people."""
    rule: str
    """The id of the rule."""
    where: tuple[str, ...] = ()
    """The spaces or pieces concerned."""
    proof: Mapping[str, Any] = field(default_factory=dict, compare=False)
    """What a client can draw as evidence, JSON-able."""


class GameError(Exception):
    """Base class of all errors raised for bad input.

    >>> import icetable
    >>> try:
    ...     icetable.load("icefrogs", players=9)
    ... except icetable.GameError as error:
    ...     print(error)
    players can't be 9; allowed: a whole number from 2 to 6
    """

    __module__ = PUBLIC_MODULE


class UnknownGame(GameError):
    """No game has this name. The message lists the games.

    >>> import icetable
    >>> icetable.load("go")
    Traceback (most recent call last):
    icetable.UnknownGame: there is no game 'go'; there are highrise, icefrogs, icehouse, squad, wrecktangle
    """

    __module__ = PUBLIC_MODULE


class BadOption(GameError):
    """The game has no such option or does not allow the value. The message names what is allowed.

    >>> import icetable
    >>> icetable.load("icefrogs", board="round")
    Traceback (most recent call last):
    icetable.BadOption: board can't be 'round'; allowed: 'star' or 'hexagon'
    """

    __module__ = PUBLIC_MODULE


class BadNotation(GameError):
    """Text that is not the notation of any act of the game.

    >>> import icetable
    >>> icetable.load("icefrogs").parse("b1")
    Traceback (most recent call last):
    icetable.BadNotation: 'b1' is not an act; acts look like L@c3 (S, M or L), b2-c3 or pass
    """

    __module__ = PUBLIC_MODULE


class IllegalAction(GameError):
    """The rules refuse a well-formed act. `fault` says why.

    >>> import icetable
    >>> try:
    ...     icetable.load("icefrogs").start().apply("pass")
    ... except icetable.IllegalAction as error:
    ...     print(error.fault.rule, error)
    IF-17 You may pass only when you have no legal move.
    """

    __module__ = PUBLIC_MODULE

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.message)
        self.fault = fault

    def __reduce__(self) -> tuple[type[IllegalAction], tuple[Fault]]:
        return IllegalAction, (self.fault,)


class BadRecord(GameError):
    """A record or a saved position can't be read, or the rules contradict it.

    >>> import icetable
    >>> icetable.replay("no record")
    Traceback (most recent call last):
    icetable.BadRecord: the first line of a record is 'icetable record 1'
    """

    __module__ = PUBLIC_MODULE
