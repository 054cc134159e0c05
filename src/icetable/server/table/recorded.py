"""The table that shows a record which a visitor has opened from a file.

Nobody holds a seat there, and for the table the game is over, whatever its record says: so it can be watched again from
any place and shared, and nothing else. It is not reviewed, no value of an act is shown, and no position of it can be
tried: whoever plays a game elsewhere could write it down, with any end.
"""

from __future__ import annotations

import contextlib

import msgspec

from icetable import games
from icetable.core import record
from icetable.core.errors import BadRecord, GameError
from icetable.core.game import CHANCE
from icetable.server.pauses import pause
from icetable.server.table import fairness
from icetable.server.table.events import End, Fill, HandOver, Lots, Sit, read_event, write_event
from icetable.server.table.salted_names import FIRST_FORM, SaltedName, read_lines
from icetable.server.table.seats import Seat, Seating, checked_name
from icetable.server.table.setup import TableSetup
from icetable.server.table.state import TableState

MAX_ACTS = 3000
"""The acts of the longest record that is opened."""


def table_of(head: record.Head, text: str, table: str, created: int) -> TableState:
    """The table that shows a record, whose head and text these are. Raises GameError where it breaks the rules."""
    if sum(1 for _ in head.acts()) > MAX_ACTS:
        raise BadRecord(f"only records of up to {MAX_ACTS} acts are opened")
    game = games.game_of(head)
    seats = [
        Seat("person", name, None, game.info.colours[number], None)
        for number, name in enumerate(names_in(head, game.info.colours[: game.players]))
    ]
    setup = TableSetup(
        table,
        game.info.name,
        game.options,
        tuple(seats),
        b"",
        created,
        start=head.setup,
        form=1,
        record=record.normalized(text),
    )
    state = TableState(setup, game)
    for number, line in head.lines:
        pause()
        after = record.replayed(state.position.without_history(), line, number)
        if after.act is not None:
            assert after.seat is not None
            state.append(state.next_entry(after.seat, after.act, after.at or 0))
    if state.is_over and not state.acts:
        raise BadRecord("this record begins where its game is over, and has no act to show")
    if not state.is_over:
        ended = head.ended(game.players) or record.Ended("record", (), 0)
        state.append(state.next_entry(CHANCE, write_event(End(ended.reason, ended.winners)), ended.at))  # type: ignore[arg-type]
    return state


def names_in(head: record.Head, colours: tuple[str, ...]) -> list[str]:
    """Who sat where at the end, as far as a record tells; else the names of the colours."""
    names = [colour.title() for colour in colours]
    with contextlib.suppress(GameError, msgspec.DecodeError, RecursionError):
        terms = fairness.read_terms(head.terms or "")
        told = read_lines(head.names())
        seats = [Seat(seat.kind, seat.name, seat.level, "", None) for seat in terms.seats]
        if terms.form >= FIRST_FORM:
            seats = [msgspec.structs.replace(seat, name=_name(told.get((0, i)))) for i, seat in enumerate(seats)]
        seating = Seating(tuple(seats), terms.lots).begun()
        for number, line in enumerate(head.log(), 1):
            parts = fairness.ENTRY.fullmatch(line)
            event = read_event(parts[5]) if parts else None
            if isinstance(event, Sit) and terms.form >= FIRST_FORM:
                event = Sit(event.seat, _name(told.get((number, event.seat))), event.code_hash)
            if parts and isinstance(event, Sit | Fill | HandOver | Lots):
                seating = seating.after(event, number, int(parts[2]))
        if len(seating.seats) == len(names):
            names = _cleaned(seating, names)
    return names


def _name(name: SaltedName | None) -> str:
    return "" if name is None else name.name


def _cleaned(seating: Seating, others: list[str]) -> list[str]:
    """The names of the seats, each different; one that can't be shown is replaced."""
    seats: list[Seat] = []
    for seat, other in zip(seating.seats, others, strict=True):
        name = other
        with contextlib.suppress(GameError):
            name = checked_name(seat.name, seats)
        seats.append(msgspec.structs.replace(seat, name=name))
    return [seat.name for seat in seats]
