"""Tables that show a record opened from a file.

Nobody holds a seat there, and the game counts as over, whatever the record says, so it can only be replayed and shared.
It is not reviewed, no evaluations are shown, and its positions can't be tried out: the record may be of a game in
progress elsewhere, with a made-up end.
"""

from __future__ import annotations

import contextlib

import msgspec

from icetable import games
from icetable.core import record
from icetable.core.errors import BadRecord, GameError
from icetable.core.game import CHANCE
from icetable.server.gil import yield_gil
from icetable.server.table import fairness
from icetable.server.table.events import DrawSeats, End, Fill, HandOver, Sit, read_event, write_event
from icetable.server.table.salted_names import SaltedName, read_lines
from icetable.server.table.seats import Seat, Seating, checked_name
from icetable.server.table.setup import TableSetup
from icetable.server.table.state import TableState

MAX_ACTS = 3000
"""Maximum number of acts in a record."""


def table_of(head: record.Head, text: str, table: str, created: int) -> TableState:
    """The table for a record, by its head and text. Raises GameError if the record breaks the rules."""
    if sum(1 for _ in head.acts()) > MAX_ACTS:
        raise BadRecord(f"only records of up to {MAX_ACTS} acts can be opened")
    game = games.game_of(head)
    seats = [
        Seat("person", name, None, game.info.colours[number], None)
        for number, name in enumerate(names_in(head, game.info.colours[: game.players]))
    ]
    names = tuple(SaltedName("", seat.name) for seat in seats)
    setup = TableSetup(
        table,
        game.info.name,
        game.options,
        tuple(seats),
        b"",
        created,
        start=head.setup,
        record=record.normalized(text),
        names=names,
        bound=tuple(name.commitment for name in names),
    )
    state = TableState(setup, game)
    for number, line in head.lines:
        yield_gil()
        after = record.replayed(state.position.without_history(), line, number)
        if after.act is not None:
            assert after.seat is not None
            state.append(state.next_entry(after.seat, after.act, after.at or 0))
    if state.is_over and not state.acts:
        raise BadRecord("this record starts from the end of its game, so it has no act to show")
    if not state.is_over:
        ended = head.ended(game.players) or record.Ended("record", (), 0)
        state.append(state.next_entry(CHANCE, write_event(End(ended.reason, ended.winners)), ended.at))  # type: ignore[arg-type]
    return state


def names_in(head: record.Head, colours: tuple[str, ...]) -> list[str]:
    """The names of the seats at the end of a record, as far as it has them; otherwise the names of the colours."""
    names = [colour.title() for colour in colours]
    with contextlib.suppress(GameError, msgspec.DecodeError, RecursionError):
        terms = fairness.read_terms(head.terms or "")
        recorded = read_lines(head.names())
        seats = [
            Seat(seat.kind, _name(recorded.get((0, number))), seat.level, "", None)
            for number, seat in enumerate(terms.seats)
        ]
        seating = Seating(tuple(seats), terms.lots).started_if_ready()
        for number, line in enumerate(head.log(), 1):
            parts = fairness.ENTRY.fullmatch(line)
            event = read_event(parts[5]) if parts else None
            if isinstance(event, Sit):
                event = Sit(event.seat, _name(recorded.get((number, event.seat))), event.code_hash)
            if parts and isinstance(event, Sit | Fill | HandOver | DrawSeats):
                seating = seating.after(event, number, int(parts[2]))
        if len(seating.seats) == len(names):
            names = _cleaned(seating, names)
    return names


def _name(name: SaltedName | None) -> str:
    return "" if name is None else name.name


def _cleaned(seating: Seating, fallbacks: list[str]) -> list[str]:
    """Distinct names for the seats; an invalid one is replaced by its fallback."""
    seats: list[Seat] = []
    for seat, fallback in zip(seating.seats, fallbacks, strict=True):
        name = fallback
        with contextlib.suppress(GameError):
            name = checked_name(seat.name, seats)
        seats.append(msgspec.structs.replace(seat, name=name))
    return [seat.name for seat in seats]
