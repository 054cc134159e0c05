"""Where in a database a name stands: where it can be erased, and where it goes only with its table."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from icetable.server.store.setups import names_in
from icetable.server.table.events import in_record
from icetable.server.table.salted_names import FIRST_FORM, Place, read_name

if TYPE_CHECKING:
    from icetable.server.store.beside import Beside

SETTLED = "SELECT id, names FROM tables WHERE instr(names, ?) > 0"
TAKEN = "SELECT table_id, seq, name FROM acts WHERE name IS NOT NULL AND instr(name, ?) > 0"
OLDER = (
    f"SELECT id FROM tables WHERE form < {FIRST_FORM} AND (instr(seats, ?) > 0"  # noqa: S608
    " OR EXISTS (SELECT 1 FROM acts WHERE table_id = id AND substr(text, 1, 1) = '/' AND instr(text, ?) > 0))"
)
RECORDS = "SELECT table_id FROM records WHERE instr(text, ?) > 0 OR instr(text, ?) > 0"

ENTERED = "SELECT DISTINCT tournament FROM tournament_events WHERE instr(text, ?) > 0"


def erasable(database: Beside, name: str) -> dict[str, list[Place]]:
    """Where a name was given that can be erased, by table. Raises StoreError."""
    quoted = msgspec.json.encode(name).decode()
    places: dict[str, list[Place]] = {}
    for table, names in database.rows(SETTLED, (quoted,)):
        given = [(0, seat) for seat, one in enumerate(names_in(names)) if one is not None and one.name == name]
        places.setdefault(table, []).extend(given)
    for table, number, one in database.rows(TAKEN, (quoted,)):
        if read_name(one).name == name:
            places.setdefault(table, []).append((number, 0))
    return places


def lasting(database: Beside, name: str) -> list[str]:
    """The older tables whose chains bind a name itself, those that show a record with it, and the tournaments in which
    it is entered. Raises StoreError.
    """
    quoted = msgspec.json.encode(name)
    texts = quoted.decode(), in_record(quoted)
    found = [row for command in (OLDER, RECORDS) for row in database.rows(command, texts)]
    return sorted({place for (place,) in [*found, *database.rows(ENTERED, texts[:1])]})
