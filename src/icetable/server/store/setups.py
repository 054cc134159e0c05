"""How a table's setup is stored: as a row with a digest that reveals damage."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any

import msgspec

from icetable.server.table.clock import is_in_days
from icetable.server.table.salted_names import SaltedName, unless_erased
from icetable.server.table.seats import Seat
from icetable.server.table.setup import Series, TableSetup, Terms

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

Row = tuple[str, str, str, str, bytes, int, str | None, str, str | None]
"""The columns id, game, options, seats, secret, created, series, terms and start.

Seats hold commitments to names. The names are in a separate column, outside the digest, and can be
erased.
"""

BEGUN = -1
"""The value of the column `waiting` once the game has begun. Before that, it is when a player was last waiting, in
milliseconds since 1970, and 0 if nobody is."""

_options = msgspec.json.Decoder(dict[str, Any])
_seats = msgspec.json.Decoder(tuple[Seat, ...])
_series = msgspec.json.Decoder(Series)
_terms = msgspec.json.Decoder(Terms)


def row_of(setup: TableSetup) -> Row:
    """The stored columns of a setup, without names that can be erased."""
    return (
        setup.id,
        setup.game,
        json.dumps(setup.options),
        msgspec.json.encode(_named(setup.seats, setup.bound)).decode(),
        setup.secret,
        setup.created,
        None if setup.series is None else msgspec.json.encode(setup.series).decode(),
        msgspec.json.encode(setup.terms).decode(),
        setup.start,
    )


def inserted(setup: TableSetup, bucket: int, wish: str | None) -> tuple[object, ...]:
    """The parameters of INSERT for a new table."""
    row, names = row_of(setup), msgspec.json.encode(setup.names).decode()
    in_days, is_waiting = int(is_in_days(setup.terms.clock)), any(seat.kind == "open" for seat in setup.seats)
    waiting = setup.created if is_waiting else BEGUN
    return (*row, int(setup.terms.public), digest(row), setup.created, bucket, in_days, names, waiting, wish)


INSERT = (
    "INSERT INTO tables (id, game, options, seats, secret, created, series, terms, start,"
    " public, digest, seen, bucket, in_days, names, waiting, wish)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING"
)

names_in = msgspec.json.Decoder(tuple[SaltedName | None, ...]).decode
"""Decodes stored names. Raises msgspec.DecodeError."""


def names_without(stored: str, erased: Collection[str]) -> str:
    """Remove names from a stored list."""
    return msgspec.json.encode(tuple(unless_erased(name, erased) for name in names_in(stored))).decode()


def setup_of(row: Row, stored: str) -> TableSetup:
    """The setup in a row, with its stored names. Raises msgspec.DecodeError, or ValueError if the names don't match."""
    key, game, options, seats, secret, created, series, terms, start = row
    decoded, names = _seats.decode(seats), names_in(stored)
    bound = tuple(seat.name for seat in decoded)
    if any(name is not None and name.commitment != expected for name, expected in zip(names, bound, strict=True)):
        raise ValueError("a name is not the one that was stored")
    return TableSetup(
        key,
        game,
        _options.decode(options),
        _named(decoded, ["" if name is None else name.name for name in names]),
        secret,
        created,
        None if series is None else _series.decode(series),
        _terms.decode(terms),
        start,
        names=names,
        bound=bound,
    )


def _named(seats: tuple[Seat, ...], names: Iterable[str]) -> tuple[Seat, ...]:
    return tuple(msgspec.structs.replace(seat, name=name) for seat, name in zip(seats, names, strict=True))


def digest(row: Sequence[object]) -> str:
    """The SHA-256 of a row, in hexadecimal digits."""
    return hashlib.sha256(json.dumps(row, default=lambda secret: bytes(secret).hex()).encode()).hexdigest()
