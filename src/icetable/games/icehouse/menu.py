"""The acts of Icehouse for learning programs: chosen from a menu, or composed of numbers.

Colours and kinds of pieces are numbered from the acting seat's own on, in the order of seats.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from icetable.extras.encoding import GRAB, NO_ACT, PUT, TAKE, VOICE
from icetable.games.icehouse import geometry, placements, rules
from icetable.games.icehouse.rules import (
    CAPTURE,
    COLOUR,
    COUNT,
    DEBT,
    FINE,
    GIVE,
    HAND,
    HEIGHT,
    ICEHOUSE,
    ID,
    LIFT,
    MELTDOWN,
    NOTHING,
    POINT,
    RETURN,
    SIZE,
    SIZES,
    STAND,
    TARGET,
    WIDTH,
    X,
    Y,
    act_of,
)
from icetable.kernels.jit import kernel
from icetable.kernels.layout import SEATS

if TYPE_CHECKING:
    from icetable.extras.encoding import Bytes, Reals
    from icetable.kernels.jit import Ints

VERBS = GIVE + 1
"""The number of verbs. They are those of `rules`, except that 0 is to do nothing, as all seats are ready."""
ENTRIES = 65
"""The length of the menu: doing nothing, and 64 acts."""
MAX_PLACEMENTS = 24
"""The entries for placements: half of them to defend, half to attack."""
FIRST_PLACEMENT = ENTRIES - MAX_PLACEMENTS
RETURN_ENTRY, ICEHOUSE_ENTRY, MELTDOWN_ENTRY = 1, 2, 3

VERB, KIND, TO_X, TO_Y, HEADING, TO_SEAT, PIECE = range(7)
"""The arguments of an action. Those that its verb does not use are ignored."""


@kernel
def seat_after(seat: int, after: int, seats: int) -> int:
    """The seat `after` places after another, round the table."""
    return seat + after if seat + after < seats else seat + after - seats


@kernel
def places_after(seat: int, other: int, seats: int) -> int:
    """The number of places by which a seat comes after another, round the table."""
    return other - seat if other >= seat else other - seat + seats


@kernel
def needs(act: int) -> int:
    """What an act requires: VOICE, or an action of the hand."""
    verb = rules.verb_of(act)
    if verb == LIFT:
        return TAKE
    if verb in (RETURN, STAND, POINT):
        return PUT
    return GRAB if verb in (CAPTURE, GIVE) else VOICE


@kernel
def act_from(action: Ints, seat: int, seats: int, ids: Ints) -> int:
    """The act of an action, which need not be legal. `ids`: the ids of the pieces, by row."""
    verb = action[VERB]
    if verb == 0:
        return NO_ACT
    if verb in (STAND, POINT):
        return rules.placement_of(verb, action[TO_X], action[TO_Y], action[HEADING])
    if verb == CAPTURE:
        return act_of(verb, ids[action[PIECE]], 0, 0)
    if verb == MELTDOWN:
        return act_of(verb, 0, seat_after(seat, action[TO_SEAT], seats), 0)
    if verb in (LIFT, GIVE):
        receiver = seat_after(seat, action[TO_SEAT], seats) if verb == GIVE else 0
        return act_of(verb, action[KIND] % SIZES, seat_after(seat, action[KIND] // SIZES, seats), receiver)
    return act_of(verb, 0, 0, 0)


# The menu


@kernel
def list_acts(
    table: Ints,
    field: Ints,
    seat: int,
    placing: bool,
    rng: Ints,
    acts: Ints,
    reasons: Ints,
    spare_table: Ints,
    spare_field: Ints,
) -> None:
    """Write a seat's menu, and for each entry FINE or the reason for a refusal.

    `table` is as views show it: overdue debts are settled. Entries without an act hold NO_ACT. With `placing` the menu
    includes placements: those in `acts` that are still legal, and new ones in place of the others.
    """
    listed = add_others(table, field, seat, acts, add_fixed(table, seat, acts))
    now = table[rules.CLOCK]
    rules.judge_each(table, field, acts[1:listed], seat, now, spare_table, spare_field, reasons[1:listed])
    for entry in range(listed, FIRST_PLACEMENT):
        acts[entry] = NO_ACT
    if placing and reasons[RETURN_ENTRY] == FINE:
        half = FIRST_PLACEMENT + MAX_PLACEMENTS // 2
        add_placements(table, field, seat, STAND, rng, acts[FIRST_PLACEMENT:half])
        add_placements(table, field, seat, POINT, rng, acts[half:ENTRIES])
        for entry in range(FIRST_PLACEMENT, ENTRIES):
            reasons[entry] = FINE
    else:
        for entry in range(max(listed, FIRST_PLACEMENT), ENTRIES):
            acts[entry] = NO_ACT


@kernel
def add_fixed(table: Ints, seat: int, acts: Ints) -> int:
    """Write the acts that every menu has. Returns the number of entries."""
    seats = table[SEATS]
    acts[0] = NO_ACT
    acts[RETURN_ENTRY] = act_of(RETURN, 0, 0, 0)
    acts[ICEHOUSE_ENTRY] = act_of(ICEHOUSE, 0, 0, 0)
    entry = MELTDOWN_ENTRY
    for after in range(seats):
        acts[entry + after] = act_of(MELTDOWN, 0, seat_after(seat, after, seats), 0)
    entry += seats
    for after in range(seats):
        for size in range(SIZES):
            acts[entry] = act_of(LIFT, size, seat_after(seat, after, seats), 0)
            entry += 1
    return entry


@kernel
def add_others(table: Ints, field: Ints, seat: int, acts: Ints, entry: int) -> int:
    """Add captures, or a debtor's gifts, smallest first, while there is room. Returns the number of entries."""
    seats, debt = table[SEATS], table[DEBT + seat]
    if debt:
        for kind in range(SIZES * seats):
            size, colour = kind // seats, seat_after(seat, kind % seats, seats)
            owed = debt < rules.CRASHED or debt - rules.CRASHED == colour * SIZES + size
            if owed and table[rules.pad_of(seat) + colour * SIZES + size]:
                for after in range(1, seats):
                    if entry < ENTRIES:
                        acts[entry] = act_of(GIVE, size, colour, seat_after(seat, after, seats))
                        entry += 1
        return entry
    room = FIRST_PLACEMENT if table[HAND + seat] else ENTRIES
    for row in range(table[COUNT]):
        if entry < room and rules.is_redundant(table, field, row) and field[field[row, TARGET], COLOUR] == seat:
            acts[entry] = act_of(CAPTURE, field[row, ID], 0, 0)
            entry += 1
    return entry


@kernel
def add_placements(table: Ints, field: Ints, seat: int, verb: int, rng: Ints, acts: Ints) -> None:
    """Keep the placements that are legal, and replace the others until none is found."""
    kind = table[HAND + seat] - 1
    is_found = True
    for entry in range(len(acts)):
        act = acts[entry]
        if act == NO_ACT or rules.verb_of(act) != verb or rules.judge_placement(table, field, act, kind) != FINE:
            act = placements.NO_ACT
            if is_found:
                act = propose(table, field, kind, verb, rng)
            is_found = act != placements.NO_ACT
            acts[entry] = act if is_found else NO_ACT


@kernel
def propose(table: Ints, field: Ints, kind: int, verb: int, rng: Ints) -> int:
    """A random legal placement."""
    if verb == STAND:
        return placements.propose_stand(table, field, kind, rng)
    return placements.propose_point(table, field, kind, NOTHING, rng)


@kernel
def open_verbs(acts: Ints, allowed: Bytes, verbs: Bytes) -> None:
    """Write 1 for each verb with an allowed entry, and for both kinds of placements if a piece is in hand."""
    for verb in range(len(verbs)):
        verbs[verb] = 0
    verbs[0] = 1
    for entry in range(1, len(acts)):
        if allowed[entry]:
            verbs[rules.verb_of(acts[entry])] = 1
    verbs[STAND] = verbs[POINT] = verbs[RETURN]


# Features of an act


@kernel
def describe_act(table: Ints, field: Ints, act: int, seat: int, out: Reals) -> None:
    """Write the features of an act of a seat."""
    for index in range(len(out)):
        out[index] = 0.0
    seats, verb = table[SEATS], rules.verb_of(act)
    colours = VERBS - 1
    others = colours + seats + SIZES
    place = others + seats
    target = place + 4
    out[target] = NOTHING
    out[verb - 1] = 1.0
    kind = NOTHING
    if verb in (STAND, POINT, RETURN):
        kind = table[HAND + seat] - 1
    elif verb in (LIFT, GIVE):
        kind = rules.second_of(act) * SIZES + rules.first_of(act)
    elif verb == MELTDOWN:
        out[colours + places_after(seat, rules.second_of(act), seats)] = 1.0
    elif verb == CAPTURE:
        row = rules.row_of(table, field, rules.first_of(act))
        if row != NOTHING:
            kind = field[row, COLOUR] * SIZES + field[row, SIZE]
            write_place(table, field[row], out, place)
            out[target] = row
    if verb == GIVE:
        out[others + places_after(seat, rules.third_of(act), seats)] = 1.0
    if kind >= 0:
        out[colours + places_after(seat, kind // SIZES, seats)] = 1.0
        out[colours + seats + kind % SIZES] = 1.0
        if verb in (STAND, POINT):
            fault = rules.judge_placement(table, field, act, kind)
            piece = field[table[COUNT]]
            write_place(table, piece, out, place)
            if fault == FINE and verb == POINT:
                row = piece[TARGET]
                out[target] = row
                out[target + 1] = rules.attack_on(table, field, row) + kind % SIZES + 1 > rules.value(field, row)
                out[others + places_after(seat, field[row, COLOUR], seats)] = 1.0


@kernel
def write_place(table: Ints, piece: Ints, out: Reals, first: int) -> None:
    """Write the place of a piece: x and y as fractions of the field, cosine and sine of the heading."""
    out[first] = piece[X] / table[WIDTH]
    out[first + 1] = piece[Y] / table[HEIGHT]
    out[first + 2] = piece[geometry.DIRECTION_X] / geometry.RADIUS
    out[first + 3] = piece[geometry.DIRECTION_Y] / geometry.RADIUS
