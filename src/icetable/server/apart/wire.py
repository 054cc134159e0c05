"""What a server asks the process of a file, and what that answers: JSON, so that an answer is never code."""

from __future__ import annotations

import socket
import time
from typing import Any

import msgspec

MAX_ANSWER_BYTES = 2 * 2**20
"""Maximum size of an answer: a position with its acts, effects and views."""
MAX_QUESTION_BYTES = 64 * 2**20
"""Maximum size of a question; a file's text and a record are the largest."""
HEADER_BYTES = 4


class Closed(Exception):
    """The other side has ended, or has sent what nobody can read."""


def send(stream: socket.socket, message: bytes, until: float | None = None) -> None:
    """Send a message. Raises TimeoutError `until` a time of the monotonic clock, and Closed."""
    try:
        stream.settimeout(_left(until))
        stream.sendall(len(message).to_bytes(HEADER_BYTES) + message)
    except TimeoutError:
        raise
    except OSError as error:
        raise Closed from error


def receive(stream: socket.socket, most: int, until: float | None = None) -> bytes:
    """Receive a message of at most so many bytes. Raises like `send`."""
    size = int.from_bytes(_receive(stream, HEADER_BYTES, until))
    if size > most:
        raise Closed
    return _receive(stream, size, until)


def _receive(stream: socket.socket, size: int, until: float | None) -> bytes:
    parts: list[bytes] = []
    while size:
        try:
            stream.settimeout(_left(until))
            part = stream.recv(min(size, 2**20))
        except TimeoutError:
            raise
        except OSError as error:
            raise Closed from error
        if not part:
            raise Closed
        size -= len(part)
        parts.append(part)
    return parts[0] if len(parts) == 1 else b"".join(parts)


def _left(until: float | None) -> float | None:
    """The seconds left; a socket would take 0 for not waiting at all."""
    return None if until is None else max(0.001, until - time.monotonic())


# Questions


NOTHING = msgspec.Raw(b"null")


class PositionRef(msgspec.Struct, frozen=True, array_like=True):
    """A position of a game.

    `saved` is left out first: the process forgets old positions, and a new process knows none.
    """

    options: msgspec.Raw
    """The options of the game, as they are stored."""
    number: int
    """The number by which the process knows the position."""
    saved: msgspec.Raw = NOTHING
    """The saved position; null if it is left out."""


class Open(msgspec.Struct, frozen=True, tag=True):
    """Load a file."""

    path: str
    """Its path."""
    texts: dict[str, bytes]
    """What it and its neighbours contain, by path, which is loaded instead of what the paths have now."""
    first: int
    """The number of the first position."""


class Load(msgspec.Struct, frozen=True, tag=True):
    """Load the game with these options."""

    options: dict[str, Any]
    """The options by name."""


class Read(msgspec.Struct, frozen=True, tag=True):
    """Read a saved position."""

    position: PositionRef
    """The saved position."""


class Parse(msgspec.Struct, frozen=True, tag=True):
    """Check the notation of an act."""

    options: msgspec.Raw
    """The options of the game, as they are stored."""
    text: str
    """The act."""


class Apply(msgspec.Struct, frozen=True, tag=True):
    """Play an act."""

    position: PositionRef
    """The position before the act."""
    text: str
    """The act."""
    seat: int | None
    """The seat that acts; null for the one to act."""


class FindFault(msgspec.Struct, frozen=True, tag=True):
    """Say why an act is refused."""

    position: PositionRef
    """The position before the act."""
    text: str
    """The act."""
    seat: int | None
    """The seat that wants to act; null for the one to act."""


class Draw(msgspec.Struct, frozen=True, tag=True):
    """Draw a random act from a seed."""

    position: PositionRef
    """The position before the act."""
    seed: int
    """The number that the act is drawn from."""


class Choose(msgspec.Struct, frozen=True, tag=True):
    """Choose an act as a bot does."""

    position: PositionRef
    """The position before the act."""
    seat: int
    """The seat of the bot."""
    level: str
    """The name of its level."""
    seed: int
    """The seed of its choices."""


class Analyse(msgspec.Struct, frozen=True, tag=True):
    """Analyse a position."""

    position: PositionRef
    """The position."""
    number: int
    """The number of acts before it."""
    simulations: int
    """The number of simulations of the search."""


class RetryAct(msgspec.Struct, frozen=True, tag=True):
    """Judge an act in place of the one that was played."""

    position: PositionRef
    """The position before the act."""
    act: str
    """The act to judge."""
    number: int
    """The number of acts before it."""
    simulations: int
    """The number of simulations of each search."""


class PlayGame(msgspec.Struct, frozen=True, tag=True):
    """Play a game between bots."""

    options: msgspec.Raw
    """The options of the game, as they are stored."""
    seed: int
    """The seed of the bots and of chance."""


class ReviewGame(msgspec.Struct, frozen=True, tag=True):
    """Review a game. Several `ReviewProgress` come before the answer."""

    record: str
    """The record of the game."""
    simulations: int
    """The number of simulations of each search."""


Question = Open | Load | Read | Parse | Apply | FindFault | Draw | Choose | Analyse | RetryAct | PlayGame | ReviewGame


class Asked(msgspec.Struct, frozen=True, array_like=True):
    """A question with its time limit."""

    seconds: float
    """The seconds after which the process must have ended, even if the server is gone; 0: never."""
    question: Question
    """The question."""


# Answers


class Described(msgspec.Struct, frozen=True, tag=True):
    """The game of a file."""

    fields: dict[str, Any]
    """Those of `GameInfo`."""
    rules: str
    """The rules, in Markdown."""
    teams: dict[int, tuple[tuple[int, ...], ...]]
    """By number of players."""
    has_worth: bool
    """Whether it says what positions are worth."""


class Snapshot(msgspec.Struct, frozen=True, tag=True, gc=False):
    """All that a server needs to know of a position, with the act that led to it."""

    number: int
    """The number by which the process knows the position."""
    saved: msgspec.Raw
    """The saved position."""
    actor: int
    """The seat to act; CHANCE for chance, NOBODY when the game is over."""
    to_act: tuple[int, ...]
    """The seats that may act."""
    ended_by: str | None
    """The id of the rule that ended the game; null while it goes on."""
    winners: tuple[int, ...]
    """The winning seats."""
    scores: tuple[int | float, ...]
    """The points of each seat."""
    ties: tuple[int, ...]
    """The tie-break points of each seat."""
    act: str | None
    """The act; null at the start."""
    shown_act: str
    """The act as everybody may see it."""
    shows_history: bool
    """Whether all may see the acts so far."""
    effects: tuple[tuple[str, tuple[str, ...], int | str | None], ...]
    """The kind, the spaces and the value of each effect of the act."""
    legal: dict[int, tuple[str, ...]] | None
    """The legal acts by seat to act, or of chance; null if chance has too many outcomes to list."""
    views: tuple[msgspec.Raw, ...]
    """One view for everybody, or that of each seat and of watchers."""


class Loaded(msgspec.Struct, frozen=True, tag=True):
    """A game with its options."""

    options: msgspec.Raw
    """The options, as they are stored."""
    layout: msgspec.Raw
    """The layout of the board."""
    views_are_equal: bool
    """Whether all seats and watchers see the same."""
    teams: tuple[tuple[int, ...], ...]
    """The seats that win together."""
    start: Snapshot
    """The first position."""


class Said(msgspec.Struct, frozen=True, tag=True):
    """An act, or whatever else is a text or JSON."""

    text: str
    """The text."""


class Judged(msgspec.Struct, frozen=True, tag=True):
    """Whether an act is refused."""

    fault: dict[str, Any] | None
    """The fields of a `Fault`; null if the act is legal."""


class ReviewProgress(msgspec.Struct, frozen=True, tag=True):
    """The progress of a review: of its searches, or of one position."""

    done: int
    """The number of finished searches, or the number of a position."""
    of: int
    """The number of all searches; 0 if this is about a position."""
    worth: tuple[float, ...] | None = None
    """The worth of the position; null if this is about searches."""


class Lost(msgspec.Struct, frozen=True, tag=True):
    """The position is not known here: ask again, with it as it was saved."""


class Failed(msgspec.Struct, frozen=True, tag=True):
    """An error."""

    error: str
    """The name of its class."""
    message: str
    """Its message."""
    fault: dict[str, Any] | None = None
    """The fields of the `Fault` of an illegal act; null for other errors."""


Answer = Described | Loaded | Snapshot | Said | Judged | ReviewProgress | Lost | Failed

decoded = msgspec.json.Decoder().decode
write_question = msgspec.json.Encoder(enc_hook=str).encode  # acts are texts of a class of their own
read_question = msgspec.json.Decoder(Asked).decode
write_answer = msgspec.json.Encoder(enc_hook=str).encode
_answers = msgspec.json.Decoder(Answer)


def read_answer(message: bytes) -> Answer:
    """Raises msgspec.DecodeError and RecursionError."""
    found: Answer = _answers.decode(message)
    return found
