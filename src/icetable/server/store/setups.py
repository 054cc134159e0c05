"""How a table's setup is stored: as a row, with a digest by which damage to it is seen."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any

import msgspec

from icetable.server.table.seats import Seat
from icetable.server.table.setup import Series, TableSetup, Terms

if TYPE_CHECKING:
    from collections.abc import Sequence

Row = tuple[str, str, str, str, bytes, int, str | None, str, str | None, int]
"""The columns id, game, options, seats, secret, created, series, terms, start and form."""

_options = msgspec.json.Decoder(dict[str, Any])
_seats = msgspec.json.Decoder(tuple[Seat, ...])
_series = msgspec.json.Decoder(Series)
_terms = msgspec.json.Decoder(Terms)


def row_of(setup: TableSetup) -> Row:
    """A setup as it is stored."""
    return (
        setup.id,
        setup.game,
        json.dumps(setup.options),
        msgspec.json.encode(setup.seats).decode(),
        setup.secret,
        setup.created,
        None if setup.series is None else msgspec.json.encode(setup.series).decode(),
        msgspec.json.encode(setup.terms).decode(),
        setup.start,
        setup.form,
    )


def setup_of(row: Row) -> TableSetup:
    """The setup that a row holds. Raises msgspec.DecodeError."""
    key, game, options, seats, secret, created, series, terms, start, form = row
    return TableSetup(
        key,
        game,
        _options.decode(options),
        _seats.decode(seats),
        secret,
        created,
        None if series is None else _series.decode(series),
        _terms.decode(terms),
        start,
        form,
    )


def digest(row: Sequence[object]) -> str:
    """The SHA-256 of a row, in hexadecimal digits."""
    return hashlib.sha256(json.dumps(row, default=lambda secret: bytes(secret).hex()).encode()).hexdigest()
