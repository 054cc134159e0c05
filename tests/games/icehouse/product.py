"""The product in the terms of the oracle: its state of any position, and its verdicts."""

from __future__ import annotations

from typing import Any

import numpy as np

import icetable
from icetable import CHANCE, BadNotation, State
from icetable.games.icehouse import rules
from icetable.games.icehouse.game import Icehouse, IcehouseState

from .oracle import SIZES, Kind, Oracle

LENGTHS = ("width", "height", "tolerance", "call_pause", "call_grace", "gift_time", "timer")
WORDS = ("length", "range", "crash", "meltdown", "false_call")


def game_of(position: Oracle) -> Icehouse:
    """The product's game under the oracle's options."""
    chosen: dict[str, Any] = {name: float(getattr(position, name) / 1000) for name in LENGTHS}
    chosen |= {name: getattr(position, name) for name in WORDS}
    game = icetable.load("icehouse", players=position.players, timer_spread=float(position.timer_spread), **chosen)
    assert isinstance(game, Icehouse)
    return game


def state_of(position: Oracle) -> IcehouseState:
    """The same position, whether play could bring it about or not."""
    game = game_of(position)
    table = game.start().table.copy()
    table[rules.CLOCK] = position.clock
    table[rules.READY_SEATS] = sum(1 << seat for seat in position.ready)
    table[rules.FROZEN] = sum(1 << seat for seat in position.in_icehouse)
    table[rules.LAST_ID] = position.next_id - 1
    table[rules.QUIET_UNTIL] = rules.NEVER if position.grace_until is None else position.grace_until
    for seat, until in position.pause_until.items():
        table[rules.PAUSED_UNTIL + seat] = until
    table[rules.PADS : rules.PADS + rules.MAX_SEATS * rules.KINDS] = 0
    for seat, pad in enumerate(position.pads):
        for kind, count in pad.items():
            table[rules.pad_of(seat) + number(kind)] = count
        held = position.hands[seat]
        table[rules.HAND + seat] = 0 if held is None else 1 + number(held)
    for seat, debt in position.debts.items():
        table[rules.DEBT + seat] = rules.ANY_PIECE if debt.crashed is None else rules.CRASHED + number(debt.crashed)
        table[rules.DUE + seat] = debt.since + position.gift_time
    field = lie_out(position, table)
    if position.ended_by:
        rules.end(table, field, int(position.ended_by[3:]))
    return IcehouseState(game, table, field)


def number(kind: Kind) -> int:
    """The product's number of a kind of piece."""
    return kind[1] * rules.SIZES + SIZES.index(kind[0])


def lie_out(position: Oracle, table: Any) -> Any:
    """The pieces on the field, aiming at what they point at."""
    field = rules.empty_field(len(position.field))
    for index, piece in enumerate(position.field):
        verb = rules.STAND if piece.stands else rules.POINT
        act = rules.placement_of(verb, piece.x, piece.y, piece.tenths)
        rules.write_row(table, field[index], act, number((piece.size, piece.colour)))
        field[index, rules.ID] = piece.id
    table[rules.COUNT] = len(field)
    for row in np.flatnonzero(field[:, rules.STANDING] == 0).tolist():
        rules.aim(table, field, row)
    return field


def verdict(state: IcehouseState, text: str, seat: int, at: int | None) -> str | None:
    """The rule that refuses an act at a time in milliseconds, None for a legal one, "notation" for no act."""
    try:
        fault = state.fault(text, seat, None if at is None else at / 1000)
    except BadNotation:
        return "notation"
    return fault.rule if fault else None


def compare(state: State, position: Oracle) -> None:
    """Both show the same, and list the same acts."""
    shown = position.view()
    view = state.view()
    assert {name: view[name] for name in shown} == shown
    for seat in position.to_act - {CHANCE}:
        colour = state.game.info.colours[seat]
        assert {written_out(act, colour) for act in state.legal_actions(seat)} == position.legal(seat)


def written_out(text: str, colour: str) -> str:
    """A listed act as the oracle lists it: a gift names its colour."""
    verb, *rest = text.split(" ")
    return f"give {rest[0]}:{colour} {rest[1]}" if verb == "give" and ":" not in rest[0] else text


class Paired(Oracle):
    """An oracle that looks whether the product says the same of everything it is asked."""

    def fault(self, text: str, seat: int, at: int | None = None) -> str | None:
        rule = super().fault(text, seat, at)
        assert verdict(state_of(self), text, seat, at) == rule, (text, seat, at)
        return rule

    def apply(self, text: str, seat: int, at: int | None = None) -> Oracle:
        after = super().apply(text, seat, at)
        state = state_of(self).apply(text, seat, None if at is None else at / 1000)
        compare(state, after)
        assert state == state_of(after)
        return after
