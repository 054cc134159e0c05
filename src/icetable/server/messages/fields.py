"""Field types shared by many messages, and size limits."""

from __future__ import annotations

from typing import Annotated, Any, Literal, NewType

from msgspec import Meta

Value = str | int | float | bool | None | list[Any]
Options = NewType("Options", dict[str, Value])

RulesChoice = Literal["back", "keep", "again"]
SeatKind = Literal["person", "bot", "open"]
Text = Annotated[str, Meta(max_length=200)]
Name = Annotated[str, Meta(max_length=64)]
Count = Annotated[int, Meta(ge=0, le=10**9)]
NewCode = Annotated[str, Meta(pattern="^[0-9a-f]{32}$", max_length=32)]  # `$` alone lets a line feed through
"""A seat code of 128 bits. The client draws and stores it before its request, so that a lost answer loses no seat."""
Codes = Annotated[list[Name], Meta(max_length=16)]

MAX_LENGTH = 8192
"""Maximum length of a message in characters, and of a request's body in bytes."""
MAX_RECORD_LENGTH = 300_000
"""Maximum length of an uploaded record, in characters."""
MAX_UPLOAD_BYTES = 400_000
"""Maximum length of the body of a request with a record or a transfer."""
LINES_PER_PAGE = 500
"""Maximum number of lines of a game in one message."""
