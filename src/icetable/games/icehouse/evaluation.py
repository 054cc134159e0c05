"""What a position of Icehouse promises a seat: points that are there, and whether they will last.

All numbers here are estimates, tuned by play (`benchmarks/icehouse_strength.py`). A piece counts with its value times
the probability that it scores in the end. What may happen to it depends on how many pieces the others have left, and on
how much room there is around.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from icetable.games.icehouse import geometry, rules
from icetable.games.icehouse.rules import COLOUR, COUNT, NOTHING, SIZES, STANDING, VALID, X, Y
from icetable.kernels.jit import allocating, kernel
from icetable.kernels.layout import SEATS

if TYPE_CHECKING:
    from icetable.kernels.jit import Ints

NO_ACT = 0
HALFWAY = 16
"""From how many directions an attack is tried."""
MAX_OPEN = 2 * HALFWAY
"""The exposure of a piece with nothing around: a small and a large attacker from each direction."""
USUAL = 16
"""The exposure of a piece that was not looked at."""
UNSEEN = -1
APPROACH = 1500
"""From how far away an attacker comes, middle to tip, in thousandths of an inch: beyond each piece's corners."""
TOUCH = 8
"""How near a careful hand comes, in thousandths of an inch."""

THREAT = 0.15
"""How much a piece that a rival has left endangers a defender that is all open, for each point it takes to ice it."""
FOCUS = 5.0
"""How much more a defender is in danger where its player would be left without any."""
RIVALRY = 0.06
"""The same for an attacker, for each point it takes to make it redundant."""
DOOMED = 0.1
"""What is left of an attacker that is redundant."""
AMPLE = 2.0
"""How many times the points that all attacks begun still take have to be left for them to be in no danger from that."""
FAINT_HOPE = 0.15
"""What is left of an attacker whose target is not iced, where its player can't see to that and others might."""
CROWDED = 3.0
"""From how many sides a piece can still be attacked where it is as likely as not that the next attacker finds room."""
KEPT = 0.5
"""What pieces on others' pads are worth to them."""
PRISONER = 0.25
"""What a prisoner is worth to the captor, whatever its size, as long as others have something left to play."""
FOUND = 10.0
"""How bad it is to be there for the icehouse, on top of all points lost."""
BARE, NEARLY_BARE, COVERED = 1.0, 0.25, 0.1
"""How much it matters that all defenders may be iced: fewer pieces on the pad than the limit, few more, and many."""
START = 1.0
"""What the first two defenders are worth by themselves: without them there are no attacks."""


@allocating
def snug(target: Ints, length: int, heading: int, aside: int, gap: int) -> int:
    """A placement of a lying piece whose tip is `gap` from the side of the target; NO_ACT if it passes by.

    `aside` is how far off the target's middle it aims. Whether it fits there is not asked.
    """
    cosine, sine = geometry.COS[heading], geometry.SIN[heading]
    tip = np.zeros(geometry.FOOTPRINT_WORDS, np.int64)
    tip[geometry.DIRECTION_X], tip[geometry.DIRECTION_Y] = cosine, sine
    tip[geometry.TIP_X] = target[X] - (APPROACH * cosine + aside * sine) // geometry.RADIUS
    tip[geometry.TIP_Y] = target[Y] - (APPROACH * sine - aside * cosine) // geometry.RADIUS
    above, below = geometry.entry(tip, target)
    if below == 0:
        return NO_ACT
    on = above * geometry.RADIUS // below - gap - length // 2
    x = tip[geometry.TIP_X] + on * cosine // geometry.RADIUS
    y = tip[geometry.TIP_Y] + on * sine // geometry.RADIUS
    return rules.placement_of(rules.POINT, int(x), int(y), heading)


@kernel
def hits(table: Ints, field: Ints, act: int, kind: int, row: int) -> bool:
    """Whether a lying piece fits and makes a valid attack on a row, be it too early or not."""
    count = table[COUNT]
    piece = field[count]
    rules.lay_out(table, piece, act, kind)
    if not geometry.on_field(piece, table[rules.WIDTH], table[rules.HEIGHT]):
        return False
    overlap, target, near = geometry.judge_placement(field, count, piece, 0, table[rules.ALONG_RAY] == 1)
    return overlap == geometry.APART and target == row and near


@kernel
def exposure(table: Ints, field: Ints, row: int) -> int:
    """From how many sides a standing piece can be attacked as the field lies, 0 … MAX_OPEN."""
    foe = rules.next_seat(table, field[row, COLOUR])
    open_sides = 0
    for turn in range(HALFWAY):
        heading = (turn * geometry.HEADINGS // HALFWAY + field[row, rules.HEADING]) % geometry.HEADINGS
        for size in range(0, SIZES, 2):
            act = snug(field[row], table[rules.LENGTHS + size], heading, 0, TOUCH)
            if act == NO_ACT or not hits(table, field, act, foe * SIZES + size, row):
                break  # where a small piece finds no room, a large one finds none
            open_sides += 1
    return open_sides


@kernel
def expose_all(table: Ints, field: Ints, seat: int, exposed: Ints) -> None:
    """Work out the exposure of all standing pieces of a seat's colour, and of those that it has begun to attack.

    All others are UNSEEN.
    """
    for row in range(table[COUNT]):
        own = field[row, COLOUR] == seat and field[row, STANDING]
        exposed[row] = exposure(table, field, row) if own else UNSEEN
    for row in range(table[COUNT]):
        target = field[row, rules.TARGET]
        if field[row, VALID] and field[row, COLOUR] == seat and not rules.is_iced(table, field, target):
            exposed[target] = exposure(table, field, target)


@kernel
def in_reserve(table: Ints, seat: int) -> int:
    """How many pieces a seat has on its pad and in hand."""
    return rules.on_pad(table, seat) + (1 if table[rules.HAND + seat] else 0)


@allocating
def promise(table: Ints, field: Ints, seat: int, exposed: Ints, keep: float, foresight: float, resolve: float) -> float:
    """How many points more than the others on average a seat can hope for.

    `exposed`: the exposure of each row, or UNSEEN. `keep`: what a piece on its own pad is worth, of its value.
    `resolve`: how likely the seat ends an attack that it has begun, if it has ample pieces and room.
    """
    seats, count = table[SEATS], table[COUNT]
    attacks, begun = np.zeros(count + 1, np.int64), np.zeros(count + 1, np.bool_)
    arms = np.zeros(rules.MAX_SEATS, np.int64)
    for row in range(count):
        if field[row, VALID]:
            attacks[field[row, rules.TARGET]] += rules.value(field, row)
            begun[field[row, rules.TARGET]] |= field[row, COLOUR] == seat
    wanting = 0
    for row in range(count):
        if begun[row]:
            wanting += max(0, rules.value(field, row) + 1 - attacks[row])
    if wanting:
        resolve *= min(1.0, arsenal(table, seat, NOTHING) / (AMPLE * wanting))
    others_left = 0
    for one in range(seats):
        arms[one] = arms_against(table, one)
        others_left += in_reserve(table, one) if one != seat else 0
    points, all_iced = np.zeros(rules.MAX_SEATS, np.float64), np.ones(rules.MAX_SEATS, np.float64)
    for row in range(count):
        colour, value = field[row, COLOUR], rules.value(field, row)
        if field[row, STANDING]:
            if attacks[row] <= value:
                danger = foresight * THREAT * openness(exposed, row) * arms[colour] / (value + 1 - attacks[row])
                spared = 1.0 - ends(table, field, seat, row, attacks[row], exposed, resolve) if begun[row] else 1.0
                points[colour] += value * spared / (1.0 + danger)
                all_iced[colour] *= 1.0 - spared / (1.0 + FOCUS * danger)
        elif field[row, VALID]:
            target = field[row, rules.TARGET]
            danger = foresight * RIVALRY * openness(exposed, target) * arms[field[target, COLOUR]]
            hope = ends(table, field, seat, target, attacks[target], exposed, resolve) if colour == seat else 0.0
            points[colour] += value * success(table, field, row, attacks[target], danger, hope, others_left > 0)
    balance = PRISONER * prisoners(table, seat) if others_left else 0.0
    for one in range(seats):
        if (table[rules.FROZEN] >> one) & 1:
            continue
        if one == seat:
            balance += own_prospects(table, field, seat, points[one] + own_on_pad(table, one) * keep, all_iced[one])
        elif all_iced[one] < 1.0 or in_reserve(table, one) >= rules.STASH_LIMIT:
            balance -= (points[one] + own_on_pad(table, one) * KEPT) / (seats - 1)
    return balance


@kernel
def ends(table: Ints, field: Ints, seat: int, row: int, attacks: int, exposed: Ints, resolve: float) -> float:
    """How likely it is that a seat ices a piece that it has begun to attack.

    `attacks`: what all attackers of the piece are worth. `resolve`: how likely it is where there is much room.
    """
    if arsenal(table, seat, field[row, COLOUR]) <= rules.value(field, row) - attacks:
        return 0.0
    sides = USUAL if exposed[row] == UNSEEN else exposed[row]
    return resolve * sides / (sides + CROWDED)


@kernel
def success(table: Ints, field: Ints, row: int, attacks: int, danger: float, hope: float, others_left: bool) -> float:
    """How likely it is that an attacker scores in the end.

    `attacks`: what all attackers of its target are worth. `danger`: how much others may still do about it. `hope`: how
    likely its player ices a target that is not iced.
    """
    missing = rules.value(field, field[row, rules.TARGET]) + 1 - attacks
    if missing > 0:
        return max(hope, FAINT_HOPE if others_left else 0.0)
    needed = missing + rules.value(field, row)
    return 1.0 / (1.0 + danger / needed) if needed > 0 else DOOMED


@kernel
def own_prospects(table: Ints, field: Ints, seat: int, points: float, all_iced: float) -> float:
    """What a seat's points are worth, with the icehouse in mind and the need to defend first.

    `all_iced`: how likely it is that all its defenders get iced; 1 where none is free now.
    """
    reserve = in_reserve(table, seat)
    if reserve < rules.STASH_LIMIT and all_iced == 1.0:
        return -FOUND
    grave = BARE if reserve < rules.STASH_LIMIT else NEARLY_BARE if reserve < rules.STASH_LIMIT + 2 else COVERED
    too_few = max(0, rules.DEFENDERS_FIRST - rules.defenders(table, field, seat))
    return (points - too_few * START) * (1.0 - grave * all_iced)


@kernel
def arms_against(table: Ints, colour: int) -> int:
    """How many pieces the others have left that may attack a colour."""
    count = 0
    for seat in range(table[SEATS]):
        if seat != colour:
            count += in_reserve(table, seat)
            for size in range(SIZES):
                count -= table[rules.pad_of(seat) + colour * SIZES + size]
    return count


@kernel
def openness(exposed: Ints, row: int) -> float:
    """The exposure of a row, 0 … 1."""
    return (USUAL if exposed[row] == UNSEEN else exposed[row]) / MAX_OPEN


@kernel
def arsenal(table: Ints, seat: int, victim: int) -> int:
    """What the pieces that a seat has left are worth together: those that may attack a colour, all for NOTHING."""
    held = table[rules.HAND + seat] - 1
    total = held % SIZES + 1 if held >= 0 and held // SIZES != victim else 0
    for kind in range(table[SEATS] * SIZES):
        if kind // SIZES != victim:
            total += table[rules.pad_of(seat) + kind] * (kind % SIZES + 1)
    return total


@kernel
def own_on_pad(table: Ints, seat: int) -> int:
    """What a seat's pieces of its own colour, on its pad and in its hand, are worth together."""
    held = table[rules.HAND + seat] - 1
    total = held % SIZES + 1 if held >= 0 and held // SIZES == seat else 0
    for size in range(SIZES):
        total += table[rules.pad_of(seat) + seat * SIZES + size] * (size + 1)
    return total


@kernel
def prisoners(table: Ints, seat: int) -> int:
    """How many pieces of other colours a seat has on its pad and in its hand."""
    count = in_reserve(table, seat)
    for size in range(SIZES):
        count -= table[rules.pad_of(seat) + seat * SIZES + size]
    held = table[rules.HAND + seat] - 1
    return count - 1 if held >= 0 and held // SIZES == seat else count


# Chances


@allocating
def found_by_a_call(table: Ints, field: Ints) -> int:
    """Whom a call of icehouse would find, a bit for each seat (IH-17, IH-18)."""
    at_hand = table.copy()
    rules.empty_hands(at_hand)
    found = 0
    for seat in range(table[SEATS]):
        if rules.is_vulnerable(at_hand, field, seat):
            found |= 1 << seat
    return found


@allocating
def best_capture(table: Ints, field: Ints, seat: int, foresight: float, resolve: float) -> int:
    """The number of the redundant attacker that is best captured; 0 where there is none (IH-26)."""
    best, best_worth = 0, 0.0
    exposed = np.full(len(field), UNSEEN, np.int64)
    for row in range(table[COUNT]):
        if rules.is_redundant(table, field, row) and field[field[row, rules.TARGET], COLOUR] == seat:
            later, left = table.copy(), field.copy()
            rules.capture(later, left, seat, field[row, rules.ID])
            worth = promise(later, left, seat, exposed, 0.0, foresight, resolve)
            if best == 0 or worth > best_worth:
                best, best_worth = field[row, rules.ID], worth
    return best


@allocating
def best_meltdown(table: Ints, field: Ints, seat: int, foresight: float, resolve: float) -> int:
    """The colour on which to call meltdown for a seat's good; NOTHING where there is none (IH-13)."""
    exposed = np.full(len(field), UNSEEN, np.int64)
    best, best_worth = NOTHING, promise(table, field, seat, exposed, 1.0, foresight, resolve)
    if table[rules.PREVENTS]:
        return best
    for colour in range(table[SEATS]):
        if rules.defenders(table, field, colour) < rules.DEFENDERS_FIRST:
            later, left = table.copy(), field.copy()
            rules.call_meltdown(later, left, colour)
            if later[COUNT] < table[COUNT]:
                worth = promise(later, left, seat, exposed, 1.0, foresight, resolve)
                if worth > best_worth:
                    best, best_worth = colour, worth
    return best
