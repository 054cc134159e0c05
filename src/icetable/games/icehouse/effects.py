"""The effects of an act of Icehouse, found by comparing the positions before and after it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from icetable.games.icehouse import rules
from icetable.games.icehouse.notation import kind_name
from icetable.games.icehouse.rules import SIZES
from icetable.games.icehouse.view import (
    AnyEffect,
    Captures,
    Colour,
    Crashes,
    Ends,
    FalseCall,
    Finds,
    Frees,
    Gives,
    HandsOver,
    Ices,
    Melts,
    Owes,
    Places,
    Renews,
    Returns,
    Rings,
    Settles,
    Spoils,
    Starts,
    Void,
)
from icetable.kernels.layout import WINNERS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from icetable.games.icehouse.position import Position
    from icetable.kernels.jit import Ints


def work_out_effects(before: Position, act: int, seat: int, after: Position) -> tuple[AnyEffect, ...]:
    """The effects of a seat's act, in order.

    Pads are named by their players' colours, pieces on the field by their ids, other pieces as in "L:red".
    """
    colours = after.colours
    effects: list[AnyEffect] = []
    table = before.table.copy()
    while (debtor := rules.first_overdue(table, int(after.table[rules.CLOCK]))) != rules.NOTHING:
        kind, receiver = rules.smallest_gift(table, debtor), rules.next_seat(table, debtor)
        rules.pass_on(table, debtor, kind, receiver)
        effects.append(Settles((colours[debtor], colours[receiver]), kind_name(kind, colours)))
    effects += effects_of_act(table, before.field, act, seat, after)
    effects += changes(before, after)
    if after.ended_by is not None:
        winners = (colour for seat, colour in enumerate(colours) if after.table[WINNERS] >> seat & 1)
        effects.append(Ends(tuple(winners), after.ended_by))
    return tuple(effects)


def effects_of_act(table: Ints, field: Ints, act: int, seat: int, after: Position) -> Sequence[AnyEffect]:
    """The effects of the act itself; `table` and `field` are as they were just before it."""
    verb, colours = rules.verb_of(act), after.colours
    if verb == rules.READY:
        return [Starts()] if rules.has_started(after.table) else []
    if verb in (rules.STAND, rules.POINT):
        return effects_of_placing(table, seat, after)
    if verb == rules.CAPTURE:
        row = rules.row_of(table, field, rules.first_of(act))
        kind = field[row, rules.COLOUR] * SIZES + field[row, rules.SIZE]
        return [Captures((f"p{rules.first_of(act)}",), kind_name(kind, colours))]
    if verb == rules.MELTDOWN:
        melted = tuple(f"p{number}" for number in sorted(ids(field) - ids(after.field)))
        return [Melts(melted, colours[rules.second_of(act)])] if melted else []
    if verb == rules.GIVE:
        kind = rules.second_of(act) * SIZES + rules.first_of(act)
        return [Gives((colours[seat], colours[rules.third_of(act)]), kind_name(kind, colours))]
    if verb == rules.BELL:
        return [Rings(), *emptied_hands(table, colours)]
    return effects_of_call(table, seat, after) if verb == rules.ICEHOUSE else []


def ids(field: Ints) -> set[int]:
    return set(field[:, rules.ID].tolist())


def effects_of_placing(table: Ints, seat: int, after: Position) -> Sequence[AnyEffect]:
    """The effects of a placement or a crash."""
    colours = after.colours
    piece = kind_name(table[rules.HAND + seat] - 1, colours)
    if after.table[rules.LAST_ID] == table[rules.LAST_ID]:
        return [Crashes((colours[seat],), piece)]
    return [Places((f"p{after.table[rules.LAST_ID]}",), piece)]


def emptied_hands(table: Ints, colours: Sequence[Colour]) -> list[Returns]:
    """The pieces that are returned from hands to pads."""
    return [
        Returns((colour,), kind_name(table[rules.HAND + seat] - 1, colours))
        for seat, colour in enumerate(colours)
        if table[rules.HAND + seat]
    ]


def effects_of_call(table: Ints, seat: int, after: Position) -> Sequence[AnyEffect]:
    """The effects of a call of icehouse: it is void, finds players, or is false."""
    colours, now = after.colours, after.table
    at, quiet_until = int(now[rules.CLOCK]), int(table[rules.QUIET_UNTIL])
    if rules.is_void(table, seat, at):
        return [Void(at - quiet_until + int(table[rules.GRACE]) if at <= quiet_until else None)]
    effects: list[AnyEffect] = [*emptied_hands(table, colours)]
    rules.empty_hands(table)
    found = [other for other in range(len(colours)) if (now[rules.FROZEN] & ~table[rules.FROZEN]) >> other & 1]
    for other in found:
        effects.append(Finds((colours[other],)))
        pieces = rules.on_pad(table, other)
        if other != seat and pieces:
            effects.append(HandsOver((colours[other], colours[seat]), int(pieces)))
    if not found:
        effects.append(FalseCall((colours[seat],)))
        if now[rules.DEBT + seat]:
            effects.append(Owes((colours[seat],)))
    return effects


def changes(before: Position, after: Position) -> list[Ices | Frees | Spoils | Renews]:
    """The pieces that were iced or freed, and the attacks that were spoilt or renewed."""
    earlier = dict(zip(before.field[:, rules.ID].tolist(), before.status().tolist(), strict=True))
    # A new defender is free, and a new attacker makes a valid attack (IH-12), so these are not reported.
    placed = [0 if standing else rules.IS_VALID for standing in after.field[:, rules.STANDING].tolist()]
    pieces = [
        (number, earlier.get(number, new), status)
        for number, new, status in zip(after.field[:, rules.ID].tolist(), placed, after.status().tolist(), strict=True)
    ]
    kinds = (
        (Ices, rules.IS_ICED, rules.IS_ICED),
        (Frees, rules.IS_ICED, 0),
        (Spoils, rules.IS_VALID, 0),
        (Renews, rules.IS_VALID, rules.IS_VALID),
    )
    return [
        kind((f"p{number}",))
        for kind, bit, wanted in kinds
        for number, old, new in pieces
        if (old ^ new) & bit and new & bit == wanted
    ]
