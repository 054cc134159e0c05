"""The evaluation of a position of Icehouse for a seat: the points on the field, and how likely they are to last.

All weights are estimates, tuned by play (`benchmarks/icehouse_strength.py`). A piece counts as its value times the
probability that it scores in the end. That depends on the number of pieces that the others have left, and on the room
around it.
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
DIRECTIONS = 16
"""The number of directions from which attacks are tried."""
MAX_EXPOSURE = 2 * DIRECTIONS
"""The exposure of a piece with nothing around it: a small and a large attacker from each direction."""
DEFAULT_EXPOSURE = 16
"""The assumed exposure of a piece whose own is UNKNOWN."""
UNKNOWN = -1
APPROACH_DISTANCE = 1500
"""The distance at which an attacker's approach begins, in thousandths of an inch: outside any piece."""
MIN_GAP = 8
"""The gap that a careful hand leaves between pieces, in thousandths of an inch."""

THREAT_RATE = 0.15
"""The danger of each rival piece left for a fully exposed defender, divided by the points missing to ice it."""
ALL_ICED_FACTOR = 5.0
"""The factor on that danger in the probability that all defenders of a player get iced."""
CAPTURE_RATE = 0.06
"""The danger of each rival piece left for an attacker, divided by the points that would make it redundant."""
REDUNDANT_CHANCE = 0.1
"""The probability that a redundant attacker scores."""
AMPLE_RATIO = 2.0
"""The ratio of points left to points missing in a seat's attacks at which these no longer lack pieces."""
FAINT_CHANCE = 0.15
"""The probability that an attacker scores whose target only others might ice."""
HALF_CHANCE_EXPOSURE = 3.0
"""The exposure at which the next attacker finds room with probability ½."""
RIVAL_PAD_SHARE = 0.5
"""The share of their value at which pieces on rivals' pads count."""
PRISONER_VALUE = 0.25
"""The value of a prisoner of any size, while others have pieces left to play."""
ICEHOUSE_PENALTY = 10.0
"""The cost of being open to a call of icehouse, beyond all points lost."""
HIGH_RISK, MEDIUM_RISK, LOW_RISK = 1.0, 0.25, 0.1
"""The weight of the risk that all defenders get iced: with fewer pieces left than the limit, few more, and many."""
FIRST_DEFENDER_VALUE = 1.0
"""The extra value of each of the first two defenders, which permit attacks."""


@allocating
def attack_beside(target: Ints, length: int, heading: int, aside: int, gap: int) -> int:
    """The placement of a lying piece with its tip `gap` from the side of the target; NO_ACT if it would miss.

    `aside` is the offset from the target's centre. The piece may not fit there.
    """
    cosine, sine = geometry.COS[heading], geometry.SIN[heading]
    tip = np.zeros(geometry.FOOTPRINT_WORDS, np.int64)
    tip[geometry.DIRECTION_X], tip[geometry.DIRECTION_Y] = cosine, sine
    tip[geometry.TIP_X] = target[X] - (APPROACH_DISTANCE * cosine + aside * sine) // geometry.RADIUS
    tip[geometry.TIP_Y] = target[Y] - (APPROACH_DISTANCE * sine - aside * cosine) // geometry.RADIUS
    numerator, denominator = geometry.entry(tip, target)
    if denominator == 0:
        return NO_ACT
    on = numerator * geometry.RADIUS // denominator - gap - length // 2
    x = tip[geometry.TIP_X] + on * cosine // geometry.RADIUS
    y = tip[geometry.TIP_Y] + on * sine // geometry.RADIUS
    return rules.placement_of(rules.POINT, int(x), int(y), heading)


@kernel
def hits(table: Ints, field: Ints, act: int, kind: int, row: int) -> bool:
    """Whether a lying piece fits and makes a valid attack on a row, whether or not it is too early."""
    count = table[COUNT]
    piece = field[count]
    rules.write_row(table, piece, act, kind)
    if not geometry.on_field(piece, table[rules.WIDTH], table[rules.HEIGHT]):
        return False
    overlap, target, near = geometry.judge_placement(field, count, piece, 0, table[rules.ALONG_RAY] == 1)
    return overlap == geometry.NO_OVERLAP and target == row and near


@kernel
def exposure(table: Ints, field: Ints, row: int) -> int:
    """The number of open sides of a standing piece: attacks on it that fit, 0 … MAX_EXPOSURE."""
    foe = rules.next_seat(table, field[row, COLOUR])
    open_sides = 0
    for turn in range(DIRECTIONS):
        heading = (turn * geometry.HEADINGS // DIRECTIONS + field[row, rules.HEADING]) % geometry.HEADINGS
        for size in range(0, SIZES, 2):
            act = attack_beside(field[row], table[rules.LENGTHS + size], heading, 0, MIN_GAP)
            if act == NO_ACT or not hits(table, field, act, foe * SIZES + size, row):
                break  # without room for a small piece there is none for a large one
            open_sides += 1
    return open_sides


@kernel
def evaluate_exposures(table: Ints, field: Ints, seat: int, exposed: Ints) -> None:
    """Write the exposure of a seat's own defenders and of its targets that are not iced yet; all others are UNKNOWN."""
    for row in range(table[COUNT]):
        own = field[row, COLOUR] == seat and field[row, STANDING]
        exposed[row] = exposure(table, field, row) if own else UNKNOWN
    for row in range(table[COUNT]):
        target = field[row, rules.TARGET]
        if field[row, VALID] and field[row, COLOUR] == seat and not rules.is_iced(table, field, target):
            exposed[target] = exposure(table, field, target)


@kernel
def in_reserve(table: Ints, seat: int) -> int:
    """The number of pieces on a seat's pad and in its hand."""
    return rules.on_pad(table, seat) + (1 if table[rules.HAND + seat] else 0)


@allocating
def lead(table: Ints, field: Ints, seat: int, exposed: Ints, keep: float, foresight: float, confidence: float) -> float:
    """The expected lead of a seat over the average of the others, in points.

    `exposed`: the exposure of each row, or UNKNOWN. `keep`: the share of their value at which its own pieces on its pad
    count. `confidence`: the probability that it completes an attack, given ample pieces and room.
    """
    seats, count = table[SEATS], table[COUNT]
    attacks, is_target = np.zeros(count + 1, np.int64), np.zeros(count + 1, np.bool_)
    rivals = np.zeros(rules.MAX_SEATS, np.int64)
    for row in range(count):
        if field[row, VALID]:
            attacks[field[row, rules.TARGET]] += rules.value(field, row)
            is_target[field[row, rules.TARGET]] |= field[row, COLOUR] == seat
    missing = 0
    for row in range(count):
        if is_target[row]:
            missing += max(0, rules.value(field, row) + 1 - attacks[row])
    if missing:
        confidence *= min(1.0, points_left(table, seat, NOTHING) / (AMPLE_RATIO * missing))
    others_left = 0
    for other in range(seats):
        rivals[other] = count_attackers(table, other)
        others_left += in_reserve(table, other) if other != seat else 0
    points, all_iced = np.zeros(rules.MAX_SEATS, np.float64), np.ones(rules.MAX_SEATS, np.float64)
    for row in range(count):
        colour, value = field[row, COLOUR], rules.value(field, row)
        if field[row, STANDING]:
            if attacks[row] <= value:
                danger = foresight * THREAT_RATE * openness(exposed, row) * rivals[colour] / (value + 1 - attacks[row])
                free = (
                    1.0 - icing(table, field, seat, row, attacks[row], exposed, confidence) if is_target[row] else 1.0
                )
                points[colour] += value * free / (1.0 + danger)
                all_iced[colour] *= 1.0 - free / (1.0 + ALL_ICED_FACTOR * danger)
        elif field[row, VALID]:
            target = field[row, rules.TARGET]
            danger = foresight * CAPTURE_RATE * openness(exposed, target) * rivals[field[target, COLOUR]]
            hope = icing(table, field, seat, target, attacks[target], exposed, confidence) if colour == seat else 0.0
            points[colour] += value * success(table, field, row, attacks[target], danger, hope, others_left > 0)
    balance = PRISONER_VALUE * prisoners(table, seat) if others_left else 0.0
    for other in range(seats):
        if (table[rules.FROZEN] >> other) & 1:
            continue
        if other == seat:
            balance += risk_adjusted(
                table, field, seat, points[other] + own_on_pad(table, other) * keep, all_iced[other]
            )
        elif all_iced[other] < 1.0 or in_reserve(table, other) >= rules.STASH_LIMIT:
            balance -= (points[other] + own_on_pad(table, other) * RIVAL_PAD_SHARE) / (seats - 1)
    return balance


@kernel
def icing(table: Ints, field: Ints, seat: int, row: int, attacks: int, exposed: Ints, confidence: float) -> float:
    """The probability that a seat ices a piece that it attacks.

    `attacks`: the total value of the piece's attackers. `confidence`: the probability if there is ample room.
    """
    if points_left(table, seat, field[row, COLOUR]) <= rules.value(field, row) - attacks:
        return 0.0
    sides = DEFAULT_EXPOSURE if exposed[row] == UNKNOWN else exposed[row]
    return confidence * sides / (sides + HALF_CHANCE_EXPOSURE)


@kernel
def success(table: Ints, field: Ints, row: int, attacks: int, danger: float, hope: float, others_left: bool) -> float:
    """The probability that an attacker scores in the end.

    `attacks`: the total value of its target's attackers. `danger`: the threat by others. `hope`: the probability that
    its player ices a target that is not iced yet.
    """
    missing = rules.value(field, field[row, rules.TARGET]) + 1 - attacks
    if missing > 0:
        return max(hope, FAINT_CHANCE if others_left else 0.0)
    needed = missing + rules.value(field, row)
    return 1.0 / (1.0 + danger / needed) if needed > 0 else REDUNDANT_CHANCE


@kernel
def risk_adjusted(table: Ints, field: Ints, seat: int, points: float, all_iced: float) -> float:
    """A seat's points, discounted by the risk of the icehouse and by missing first defenders.

    `all_iced`: the probability that all its defenders get iced; 1 if none is free now.
    """
    reserve = in_reserve(table, seat)
    if reserve < rules.STASH_LIMIT and all_iced == 1.0:
        return -ICEHOUSE_PENALTY
    risk = HIGH_RISK if reserve < rules.STASH_LIMIT else MEDIUM_RISK if reserve < rules.STASH_LIMIT + 2 else LOW_RISK
    too_few = max(0, rules.MIN_DEFENDERS - rules.defenders(table, field, seat))
    return (points - too_few * FIRST_DEFENDER_VALUE) * (1.0 - risk * all_iced)


@kernel
def count_attackers(table: Ints, colour: int) -> int:
    """The number of pieces that the others have left to attack a colour with."""
    count = 0
    for seat in range(table[SEATS]):
        if seat != colour:
            count += in_reserve(table, seat)
            for size in range(SIZES):
                count -= table[rules.pad_of(seat) + colour * SIZES + size]
    return count


@kernel
def openness(exposed: Ints, row: int) -> float:
    """The exposure of a row, scaled to 0 … 1."""
    return (DEFAULT_EXPOSURE if exposed[row] == UNKNOWN else exposed[row]) / MAX_EXPOSURE


@kernel
def points_left(table: Ints, seat: int, victim: int) -> int:
    """The total value of the pieces that a seat has left to attack a colour with; of all its pieces for NOTHING."""
    held = table[rules.HAND + seat] - 1
    total = held % SIZES + 1 if held >= 0 and held // SIZES != victim else 0
    for kind in range(table[SEATS] * SIZES):
        if kind // SIZES != victim:
            total += table[rules.pad_of(seat) + kind] * (kind % SIZES + 1)
    return total


@kernel
def own_on_pad(table: Ints, seat: int) -> int:
    """The total value of a seat's own pieces on its pad and in its hand."""
    held = table[rules.HAND + seat] - 1
    total = held % SIZES + 1 if held >= 0 and held // SIZES == seat else 0
    for size in range(SIZES):
        total += table[rules.pad_of(seat) + seat * SIZES + size] * (size + 1)
    return total


@kernel
def prisoners(table: Ints, seat: int) -> int:
    """The number of prisoners on a seat's pad and in its hand."""
    count = in_reserve(table, seat)
    for size in range(SIZES):
        count -= table[rules.pad_of(seat) + seat * SIZES + size]
    held = table[rules.HAND + seat] - 1
    return count - 1 if held >= 0 and held // SIZES == seat else count


# Opportunities


@allocating
def found_by_call(table: Ints, field: Ints) -> int:
    """The seats that a call of icehouse would find, a bit each (IH-17, IH-18)."""
    emptied = table.copy()
    rules.empty_hands(emptied)
    found = 0
    for seat in range(table[SEATS]):
        if rules.is_vulnerable(emptied, field, seat):
            found |= 1 << seat
    return found


@allocating
def best_capture(table: Ints, field: Ints, seat: int, foresight: float, confidence: float) -> int:
    """The id number of the best redundant attacker to capture; 0 if there is none (IH-26)."""
    best, best_value = 0, 0.0
    exposed = np.full(len(field), UNKNOWN, np.int64)
    for row in range(table[COUNT]):
        if rules.is_redundant(table, field, row) and field[field[row, rules.TARGET], COLOUR] == seat:
            later, left = table.copy(), field.copy()
            rules.capture(later, left, seat, field[row, rules.ID])
            value_after = lead(later, left, seat, exposed, 0.0, foresight, confidence)
            if best == 0 or value_after > best_value:
                best, best_value = field[row, rules.ID], value_after
    return best


@allocating
def best_meltdown(table: Ints, field: Ints, seat: int, foresight: float, confidence: float) -> int:
    """The colour on which a call of meltdown helps a seat most; NOTHING if none does (IH-13)."""
    exposed = np.full(len(field), UNKNOWN, np.int64)
    best, best_value = NOTHING, lead(table, field, seat, exposed, 1.0, foresight, confidence)
    if table[rules.PREVENTS]:
        return best
    for colour in range(table[SEATS]):
        if rules.defenders(table, field, colour) < rules.MIN_DEFENDERS:
            later, left = table.copy(), field.copy()
            rules.call_meltdown(later, left, colour)
            if later[COUNT] < table[COUNT]:
                value_after = lead(later, left, seat, exposed, 1.0, foresight, confidence)
                if value_after > best_value:
                    best, best_value = colour, value_after
    return best
