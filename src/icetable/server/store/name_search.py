"""Find a player's name in a database: where it can be erased, and where it can only be deleted."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from icetable.server.store.setups import names_in
from icetable.server.table.events import in_record
from icetable.server.table.salted_names import Place, read_name

if TYPE_CHECKING:
    from icetable.server.store.admin_connection import AdminConnection

SETUP_NAMES = "SELECT id, names FROM tables WHERE instr(names, ?) > 0"
SIT_NAMES = "SELECT table_id, seq, name FROM acts WHERE name IS NOT NULL AND instr(name, ?) > 0"
RECORDS = "SELECT table_id FROM records WHERE instr(text, ?) > 0 OR instr(text, ?) > 0"

TOURNAMENTS = "SELECT DISTINCT tournament FROM tournament_events WHERE instr(text, ?) > 0"


def erasable(database: AdminConnection, name: str) -> dict[str, list[Place]]:
    """The places where a name can be erased, by table. Raises StoreError."""
    quoted = msgspec.json.encode(name).decode()
    places: dict[str, list[Place]] = {}
    for table, names in database.rows(SETUP_NAMES, (quoted,)):
        seats = [(0, seat) for seat, salted in enumerate(names_in(names)) if salted is not None and salted.name == name]
        places.setdefault(table, []).extend(seats)
    for table, number, salted in database.rows(SIT_NAMES, (quoted,)):
        if read_name(salted).name == name:
            places.setdefault(table, []).append((number, 0))
    return places


def permanent(database: AdminConnection, name: str) -> list[str]:
    """The tables that show a record with a name, and the tournaments with it. Raises StoreError."""
    quoted = msgspec.json.encode(name)
    texts = quoted.decode(), in_record(quoted)
    found = [*database.rows(RECORDS, texts), *database.rows(TOURNAMENTS, texts[:1])]
    return sorted({place for (place,) in found})
