"""Encoding and decoding of messages."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import msgspec

from icetable.server.messages.client import ClientMessage

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

T = TypeVar("T")

_client_decoder: msgspec.json.Decoder[ClientMessage] = msgspec.json.Decoder(ClientMessage)
encode = msgspec.json.Encoder().encode


class BadMessage(Exception):
    """A message or request that can't be decoded; the text says why."""


def read_message(text: str) -> ClientMessage:
    """Decode a client's message. Raises BadMessage."""
    return _read(_client_decoder, text, "message")


def request_reader(kind: type[T]) -> Callable[[bytes], T]:
    """Create a decoder for request bodies of a type. It raises BadMessage."""
    decoder = msgspec.json.Decoder(kind)
    return lambda body: _read(decoder, body, "request")


def _read(decoder: msgspec.json.Decoder[T], text: str | bytes, what: str) -> T:
    try:
        return decoder.decode(text)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadMessage(f"The {what} can't be read: {str(error)[:200]}.") from None


def write(message: msgspec.Struct | Sequence[msgspec.Struct]) -> bytes:
    """Encode a message or a response as JSON."""
    return encode(message)
