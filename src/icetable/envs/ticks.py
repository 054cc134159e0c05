"""The ticks of a real-time game, as kernels: all seats choose simultaneously, and their acts are applied in turn."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, cast

from icetable.extras.encoding import GRAB, NEEDS, NO_ACT, PUT, TAKE, RealTimeCodec
from icetable.kernels.jit import copy, draw, kernel
from icetable.kernels.layout import CHANCE

if TYPE_CHECKING:
    from icetable.extras.encoding import Bytes, Reals
    from icetable.kernels.jit import Ints

codec = cast("RealTimeCodec", None)  # bound for each game

NOW, TICK, BELL_AT, CARRY, PACE, SNATCH = range(6)
"""Words of the clock, in milliseconds: the current time; the length of a tick; the time of the bell; the minimum time a
piece is in the hand; the minimum time between two lifts; and the rest after a quick move."""
COUNT, LOGGED, CHANGED = range(6, 9)
"""The number of ticks and of logged acts so far, and the tick of the last visible change."""
HAND_PART, MENU_PART, PLANES_PART, FEATURES, SIDE, CLOCK_WORDS = range(9, 15)
"""The offsets of the parts of an observation; the features per menu entry, 0 without a menu; and the cells per side of
the planes, 0 without planes."""
NEVER = -1
BY_ACTION = -2
"""Used instead of an act: the seat plays its action."""
MS_PER_SECOND = 1000.0
SEAT, ACT, AT = range(3)
"""The columns of the log."""
DONE, EMPTY, BUSY = 0, -2, -3
"""Results of an act besides the reasons of the rules: success; an empty menu entry; the hand is busy."""


class World(NamedTuple):
    """The arrays of a game with p players. Arrays with `slots` are ring buffers: tick c is at c % slots."""

    clock: Ints
    """int64[CLOCK_WORDS], the words above."""
    first: Ints
    """The table before the first act."""
    table: Ints
    """The table of the position."""
    field: Ints
    """The field of the position."""
    seen: Ints
    """The table as views show it."""
    status: Ints
    """The status of each piece."""
    tables: Ints
    """By seat, the table after its last act was tried; and one more for trying acts."""
    fields: Ints
    """The fields of the same positions."""
    hands: Ints
    """int64[p, 4], the earliest time for each need of an act."""
    order: Ints
    """The order in which the seats act in a tick."""
    streams: Ints
    """int64[p + 1, 1], the random streams of the menus and of the order."""
    acts: Ints
    """int64[p, entries], the menus."""
    reasons: Ints
    """int64[p, entries], for each entry DONE, or why it would be refused."""
    shown: Ints
    """The menus, by slot."""
    allowed: Bytes
    """The masks of the menus, by slot."""
    verbs: Bytes
    """The masks of the verbs, by slot."""
    ids: Ints
    """The pieces in the rows of an observation, by slot."""
    current: Reals
    """float32[p, words], what each seat sees now: the fields of the game, those of the hand, then the features of the
    menu and the planes, if any."""
    rings: Reals
    """The same, by slot."""
    recent: Reals
    """float32[p, latency, features], the last acts, the newest first."""
    tried: Ints
    """The act of each seat in the last tick."""
    faults: Ints
    """The results of these acts."""
    log: Ints
    """int64[capacity, 3], the acts so far: SEAT, ACT and AT."""


@kernel
def step(actions: Ints, acts: Ints, world: World) -> None:
    """Play a tick of `actions`: int64[players, 1], entries of the menus, or rows for `act_from`.

    `acts`: int64[players], the acts of seats without the limits of `hands`; BY_ACTION for all others.
    """
    clock, table, seats = world.clock, world.table, len(actions)
    slots = len(world.shown)
    shown = (clock[COUNT] + 1) % slots if clock[COUNT] >= slots - 1 else 0
    shuffle(world.order, world.streams[seats])
    at = clock[NOW]
    for index in range(seats):
        seat = world.order[index]
        act = acts[seat]
        world.faults[seat] = DONE
        if act != BY_ACTION:
            world.hands[seat, :] = 0
        elif actions.shape[1] > 1:
            act = codec.act_from(actions[seat], seat, seats, world.ids[shown])
        else:
            act = world.shown[shown, seat, actions[seat, 0]]
            if act == NO_ACT and actions[seat, 0]:
                world.faults[seat] = EMPTY
        world.tried[seat] = act
        note(table, world.field, act, seat, world.recent[seat])
        if act != NO_ACT:
            ring(table, world.field, clock, world.log, at)
            world.faults[seat] = attempt(
                act, seat, at, clock, table, world.field, world.tables[seat], world.fields[seat], world.hands, world.log
            )
            at += 1
    clock[NOW] += clock[TICK]
    clock[COUNT] += 1
    ring(table, world.field, clock, world.log, clock[NOW])
    look(world)


@kernel
def shuffle(order: Ints, rng: Ints) -> None:
    for index in range(len(order) - 1, 0, -1):
        other = draw(rng, index + 1)
        order[index], order[other] = order[other], order[index]


@kernel
def note(table: Ints, field: Ints, act: int, seat: int, recent: Reals) -> None:
    """Insert an act in front of a seat's last acts."""
    for index in range(len(recent) - 1, 0, -1):
        for feature in range(recent.shape[1]):
            recent[index, feature] = recent[index - 1, feature]
    if len(recent):
        describe(table, field, act, seat, recent[0])


@kernel
def describe(table: Ints, field: Ints, act: int, seat: int, out: Reals) -> None:
    """Write the features of an act; zeros for none."""
    if act == NO_ACT:
        for index in range(len(out)):
            out[index] = 0.0
    else:
        codec.describe_act(table, field, act, seat, out)


@kernel
def ring(table: Ints, field: Ints, clock: Ints, log: Ints, at: int) -> None:
    """Ring the bell if it is due."""
    if clock[BELL_AT] != NEVER and clock[BELL_AT] <= at and not codec.is_over(table):
        codec.play(table, field, codec.BELL, CHANCE, clock[BELL_AT])
        log_act(clock, log, CHANCE, codec.BELL, clock[BELL_AT])


@kernel
def log_act(clock: Ints, log: Ints, seat: int, act: int, at: int) -> None:
    row = clock[LOGGED]
    log[row, SEAT], log[row, ACT], log[row, AT] = seat, act, at
    clock[LOGGED] = row + 1


@kernel
def attempt(
    act: int,
    seat: int,
    at: int,
    clock: Ints,
    table: Ints,
    field: Ints,
    tried_table: Ints,
    tried_field: Ints,
    hands: Ints,
    log: Ints,
) -> int:
    """Play an act if the hand is free and the rules allow it. Returns DONE, or the reason if nothing has changed."""
    need = codec.needs(act)
    if clock[NOW] < hands[seat, need]:
        return BUSY
    copy_position(table, field, tried_table, tried_field)
    fault = codec.play(tried_table, tried_field, act, seat, at)
    if fault == DONE:
        copy_position(tried_table, tried_field, table, field)
        log_act(clock, log, seat, act, at)
        if need == TAKE:
            hands[seat, TAKE] = clock[NOW] + clock[PACE]
            hands[seat, PUT] = clock[NOW] + clock[CARRY]
        elif need == GRAB:
            for other in (TAKE, PUT, GRAB):
                hands[seat, other] = max(hands[seat, other], clock[NOW] + clock[SNATCH])
    return fault


@kernel
def copy_position(table: Ints, field: Ints, to_table: Ints, to_field: Ints) -> None:
    copy(table, to_table)
    for row in range(len(field)):
        copy(field[row], to_field[row])


@kernel
def look(world: World) -> None:
    """Write every seat's current observation and menu."""
    clock, seats, slot = world.clock, len(world.order), world.clock[COUNT] % len(world.shown)
    seen = world.tables[seats]
    codec.show(world.table, world.field, world.first, clock[NOW], seen)
    changed = clock[COUNT] == 0
    for word in range(len(seen)):
        changed |= world.seen[word] != seen[word]
    if changed:
        clock[CHANGED] = clock[COUNT]
        copy(seen, world.seen)
        codec.see_status(seen, world.field, world.status)
        for seat in range(seats):
            refresh(seat, world)
    codec.name_rows(world.seen, world.field, world.ids[slot])
    for seat in range(seats):
        current = world.current[seat]
        codec.observe_times(world.table, world.field, seat, clock[NOW], current)
        for need in range(1, NEEDS):
            current[clock[HAND_PART] + need - 1] = max(0, world.hands[seat, need] - clock[NOW]) / MS_PER_SECOND
        allow(world.acts[seat], world.reasons[seat], world.hands[seat], clock[NOW], world.allowed[slot, seat])
        codec.open_verbs(world.acts[seat], world.allowed[slot, seat], world.verbs[slot, seat])
        copy(world.acts[seat], world.shown[slot, seat])
        copy(current, world.rings[slot, seat])


@kernel
def refresh(seat: int, world: World) -> None:
    """Recompute what a seat sees and may do. Both depend only on what views show."""
    clock, seen, field, current, acts = world.clock, world.seen, world.field, world.current[seat], world.acts[seat]
    features, seats = clock[FEATURES], len(world.order)
    codec.observe(seen, field, world.status, seat, current[: clock[HAND_PART]])
    codec.list_acts(
        seen,
        field,
        seat,
        features > 0,
        world.streams[seat],
        acts,
        world.reasons[seat],
        world.tables[seats],
        world.fields[seats],
    )
    if features:
        for entry in range(1, len(acts)):
            first = clock[MENU_PART] + (entry - 1) * features
            describe(seen, field, acts[entry], seat, current[first : first + features])
    if clock[SIDE]:
        codec.paint(seen, field, world.status, seat, clock[SIDE], current[clock[PLANES_PART] :])


@kernel
def allow(acts: Ints, reasons: Ints, hand: Ints, now: int, allowed: Bytes) -> None:
    """Write 1 for the entries of a menu that the rules and the hand allow now."""
    allowed[0] = 1
    for entry in range(1, len(acts)):
        allowed[entry] = acts[entry] != NO_ACT and reasons[entry] == DONE and now >= hand[codec.needs(acts[entry])]
