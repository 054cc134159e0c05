"""What can be wrong with what somebody asks for. Every error is a GameError with one clear sentence."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Fault:
    """Why the rules refuse an act.

    `code` names the reason for programs, `message` says it to people, `rule` is the id of the rule ("IF-13"), `where`
    names the spaces or pieces it is about. `proof` is what a screen may draw to show it, JSON-able.
    """

    code: str
    message: str
    rule: str
    where: tuple[str, ...] = ()
    proof: Mapping[str, Any] = field(default_factory=dict, compare=False)


class GameError(Exception):
    """The base of all errors that bad input can cause."""


class UnknownGame(GameError):
    """No game has that name; the message lists those there are."""


class BadOption(GameError):
    """An option that the game does not have, or a value that it does not allow; the message names the allowed."""


class BadNotation(GameError):
    """Text that no act of the game could have."""


class IllegalAction(GameError):
    """A well-formed act that the rules refuse; `fault` says why."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.message)
        self.fault = fault

    def __reduce__(self) -> tuple[type[IllegalAction], tuple[Fault]]:
        return IllegalAction, (self.fault,)


class BadRecord(GameError):
    """A record or a saved position that can't be read, or that the rules contradict."""
