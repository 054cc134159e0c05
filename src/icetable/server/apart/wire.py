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
    """A position of the game with these options: the number by which the process knows it, and how it is saved.

    `saved` is left out first: the process forgets old positions, and a new process knows none.
    """

    options: msgspec.Raw
    number: int
    saved: msgspec.Raw = NOTHING


class Open(msgspec.Struct, frozen=True, tag=True):
    """Load the file at a path; `texts` is what it and its neighbours contain, by path.

    `first` is the number of the first position.
    """

    path: str
    texts: dict[str, bytes]
    first: int


class Load(msgspec.Struct, frozen=True, tag=True):
    """Load the game with these options."""

    options: dict[str, Any]


class Read(msgspec.Struct, frozen=True, tag=True):
    """Read a saved position."""

    position: PositionRef


class Parse(msgspec.Struct, frozen=True, tag=True):
    """Check the notation of an act."""

    options: msgspec.Raw
    text: str


class Apply(msgspec.Struct, frozen=True, tag=True):
    """Play an act."""

    position: PositionRef
    text: str
    seat: int | None


class FindFault(msgspec.Struct, frozen=True, tag=True):
    """Say why an act is refused."""

    position: PositionRef
    text: str
    seat: int | None


class Draw(msgspec.Struct, frozen=True, tag=True):
    """Draw a random act from a seed."""

    position: PositionRef
    seed: int


class Choose(msgspec.Struct, frozen=True, tag=True):
    """Choose an act as a bot does."""

    position: PositionRef
    seat: int
    level: str
    seed: int


class Analyse(msgspec.Struct, frozen=True, tag=True):
    """Analyse the position after `number` acts."""

    position: PositionRef
    number: int
    simulations: int


class RetryAct(msgspec.Struct, frozen=True, tag=True):
    """Judge an act in place of that which was played after `number` acts."""

    position: PositionRef
    act: str
    number: int
    simulations: int


class PlayGame(msgspec.Struct, frozen=True, tag=True):
    """Play a game between bots."""

    options: msgspec.Raw
    seed: int


class ReviewGame(msgspec.Struct, frozen=True, tag=True):
    """Review a game, by its record. Several `ReviewProgress` come before the answer."""

    record: str
    simulations: int


Question = Open | Load | Read | Parse | Apply | FindFault | Draw | Choose | Analyse | RetryAct | PlayGame | ReviewGame


class Asked(msgspec.Struct, frozen=True, array_like=True):
    """A question, and the seconds after which the process must have ended, even if the server is gone."""

    seconds: float
    question: Question


# Answers


class Described(msgspec.Struct, frozen=True, tag=True):
    """The game of a file."""

    fields: dict[str, Any]
    """Those of `GameInfo`."""
    rules: str
    teams: dict[int, tuple[tuple[int, ...], ...]]
    """By number of players."""
    has_worth: bool
    """Whether it says what positions are worth."""


class Snapshot(msgspec.Struct, frozen=True, tag=True, gc=False):
    """All that a server needs to know of a position, with the act that led to it.

    `legal`: the legal acts by seat to act, or of chance; None if chance has too many outcomes to list. `views`: one for
    everybody, or that of each seat and of watchers.
    """

    number: int
    saved: msgspec.Raw
    actor: int
    to_act: tuple[int, ...]
    ended_by: str | None
    winners: tuple[int, ...]
    scores: tuple[int | float, ...]
    ties: tuple[int, ...]
    act: str | None
    shown_act: str
    shows_history: bool
    effects: tuple[tuple[str, tuple[str, ...], int | str | None], ...]
    legal: dict[int, tuple[str, ...]] | None
    views: tuple[msgspec.Raw, ...]


class Loaded(msgspec.Struct, frozen=True, tag=True):
    """A game with its options, as they are stored, and its first position."""

    options: msgspec.Raw
    layout: msgspec.Raw
    views_are_equal: bool
    teams: tuple[tuple[int, ...], ...]
    start: Snapshot


class Said(msgspec.Struct, frozen=True, tag=True):
    """An act, or whatever else is a text or JSON."""

    text: str


class Judged(msgspec.Struct, frozen=True, tag=True):
    """Why an act is refused: the fields of a `Fault`; None if it is legal."""

    fault: dict[str, Any] | None


class ReviewProgress(msgspec.Struct, frozen=True, tag=True):
    """The progress of a review: the numbers of finished and of all searches, or the worth of a position."""

    done: int
    of: int
    worth: tuple[float, ...] | None = None


class Lost(msgspec.Struct, frozen=True, tag=True):
    """The position is not known here: ask again, with it as it was saved."""


class Failed(msgspec.Struct, frozen=True, tag=True):
    """An error: its class, its message, and the fault of an illegal act."""

    error: str
    message: str
    fault: dict[str, Any] | None = None


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
