"""What an act of Icehouse caused, found by comparing the position before with the one after."""

from __future__ import annotations

from typing import TYPE_CHECKING

from icetable.core.game import Effect
from icetable.core.kernel import ENDED_BY, WINNERS
from icetable.games.icehouse import notation, rules
from icetable.games.icehouse.notation import kind_name
from icetable.games.icehouse.rules import SIZES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from icetable.core.jit import Ints
    from icetable.games.icehouse.game import IcehouseState


def work_out_effects(before: IcehouseState, after: IcehouseState) -> tuple[Effect, ...]:
    """What the act that led from one state to the next caused, in order.

    Pads are named by their players' colours, pieces on the field by their ids, others such as "L:red".
    """
    assert after.act is not None
    assert after.seat is not None
    colours = after.game.colours
    effects = []
    table = before.table.copy()
    while (debtor := rules.first_overdue(table, int(after.table[rules.CLOCK]))) != rules.NOTHING:
        kind, receiver = rules.smallest_gift(table, debtor), rules.next_seat(table, debtor)
        rules.pass_on(table, debtor, kind, receiver)
        effects.append(Effect("settles", (colours[debtor], colours[receiver]), kind_name(kind, colours)))
    act = notation.read(after.act, colours, max(after.seat, 0))
    effects += effects_of_act(table, before.field, act, after)
    effects += changes(before, after)
    if after.table[ENDED_BY]:
        winners = (colour for seat, colour in enumerate(colours) if after.table[WINNERS] >> seat & 1)
        effects.append(Effect("ends", tuple(winners), after.ended_by))
    return tuple(effects)


def effects_of_act(table: Ints, field: Ints, act: int, after: IcehouseState) -> list[Effect]:
    """What follows from the act itself; `table` and `field` are as they were when it was made."""
    assert after.seat is not None
    verb, seat, colours = rules.verb_of(act), after.seat, after.game.colours
    if verb == rules.READY:
        return [Effect("starts")] if rules.has_started(after.table) else []
    if verb in (rules.STAND, rules.POINT):
        return effects_of_placing(table, after)
    if verb == rules.CAPTURE:
        row = rules.row_of(table, field, rules.first_of(act))
        kind = field[row, rules.COLOUR] * SIZES + field[row, rules.SIZE]
        return [Effect("captures", (f"p{rules.first_of(act)}",), kind_name(kind, colours))]
    if verb == rules.MELTDOWN:
        gone = tuple(f"p{number}" for number in sorted(ids(field) - ids(after.field)))
        return [Effect("melts", gone, colours[rules.second_of(act)])] if gone else []
    if verb == rules.GIVE:
        kind = rules.second_of(act) * SIZES + rules.first_of(act)
        return [Effect("gives", (colours[seat], colours[rules.third_of(act)]), kind_name(kind, colours))]
    if verb == rules.BELL:
        return [Effect("rings"), *emptied_hands(table, colours)]
    return effects_of_call(table, after) if verb == rules.ICEHOUSE else []


def ids(field: Ints) -> set[int]:
    """The numbers of the pieces on a field."""
    return set(field[:, rules.ID].tolist())


def effects_of_placing(table: Ints, after: IcehouseState) -> list[Effect]:
    """A piece lies on the field, or has crashed."""
    assert after.seat is not None
    colours, seat = after.game.colours, after.seat
    piece = kind_name(table[rules.HAND + seat] - 1, colours)
    if after.table[rules.LAST_ID] == table[rules.LAST_ID]:
        return [Effect("crashes", (colours[seat],), piece)]
    return [Effect("places", (f"p{after.table[rules.LAST_ID]}",), piece)]


def emptied_hands(table: Ints, colours: Sequence[str]) -> list[Effect]:
    """The pieces that go back from hands to pads."""
    return [
        Effect("returns", (colour,), kind_name(table[rules.HAND + seat] - 1, colours))
        for seat, colour in enumerate(colours)
        if table[rules.HAND + seat]
    ]


def effects_of_call(table: Ints, after: IcehouseState) -> list[Effect]:
    """A call of icehouse is void, finds players, or is false."""
    assert after.seat is not None
    colours, seat, now = after.game.colours, after.seat, after.table
    if rules.is_void(table, seat, int(now[rules.CLOCK])):
        return [Effect("void")]
    effects = emptied_hands(table, colours)
    rules.empty_hands(table)
    found = [other for other in range(len(colours)) if (now[rules.FROZEN] & ~table[rules.FROZEN]) >> other & 1]
    for other in found:
        effects.append(Effect("finds", (colours[other],)))
        pieces = rules.on_pad(table, other)
        if other != seat and pieces:
            effects.append(Effect("hands_over", (colours[other], colours[seat]), int(pieces)))
    if not found:
        effects.append(Effect("false_call", (colours[seat],)))
        if now[rules.DEBT + seat]:
            effects.append(Effect("owes", (colours[seat],)))
    return effects


def changes(before: IcehouseState, after: IcehouseState) -> list[Effect]:
    """Which pieces were iced or freed, and which attacks were spoilt or came to count again."""
    earlier = dict(zip(before.field[:, rules.ID].tolist(), before.status().tolist(), strict=True))
    # What goes without saying of a piece just placed: it stands free, or makes a valid attack (IH-12).
    placed = [0 if standing else rules.IS_VALID for standing in after.field[:, rules.STANDING].tolist()]
    pieces = [
        (number, earlier.get(number, new), status)
        for number, new, status in zip(after.field[:, rules.ID].tolist(), placed, after.status().tolist(), strict=True)
    ]
    kinds = (
        ("ices", rules.IS_ICED, rules.IS_ICED),
        ("frees", rules.IS_ICED, 0),
        ("spoils", rules.IS_VALID, 0),
        ("renews", rules.IS_VALID, rules.IS_VALID),
    )
    return [
        Effect(kind, (f"p{number}",))
        for kind, bit, wanted in kinds
        for number, old, new in pieces
        if (old ^ new) & bit and new & bit == wanted
    ]
