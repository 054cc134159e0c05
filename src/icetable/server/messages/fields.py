"""What the fields of many messages hold, and how long messages may be."""

from __future__ import annotations

from typing import Annotated, Any, Literal, NewType

from msgspec import Meta

Value = str | int | float | bool | None | list[Any]
Options = NewType("Options", dict[str, Value])

SeatKind = Literal["person", "bot", "open"]
Text = Annotated[str, Meta(max_length=200)]
Name = Annotated[str, Meta(max_length=64)]
Count = Annotated[int, Meta(ge=0, le=10**9)]
NewCode = Annotated[str, Meta(pattern="^[0-9a-f]{32}$")]
"""A seat code of 128 bits that the client draws and stores before it asks, so that a lost answer loses no seat."""
Codes = Annotated[list[Name], Meta(max_length=16)]

LONGEST = 8192
"""The greatest length of a message (in characters) and of a request's body (in bytes)."""

LONGEST_RECORD = 300_000
"""The greatest length of a record that is opened (in characters)."""
LONGEST_UPLOAD = 400_000
"""The greatest length of the body of a request with a record or a parcel (in bytes)."""

PAGE = 500
"""The greatest number of lines of a game in one message."""
