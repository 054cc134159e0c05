"""The choice of a placement: candidates are drawn at random, and the one with the best evaluation is chosen."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from icetable.games.icehouse import evaluation, geometry, rules
from icetable.games.icehouse.evaluation import NO_ACT
from icetable.games.icehouse.rules import COLOUR, COUNT, FINE, HAND, NOTHING, SIZES, STAND, STANDING, VALID, X, Y
from icetable.kernels.jit import allocating, draw, kernel
from icetable.kernels.layout import SEATS

if TYPE_CHECKING:
    from icetable.kernels.jit import Ints

MAX_CANDIDATES = 512
FINALISTS = 10
"""Candidates that are evaluated again, with their effect on the exposure of nearby pieces."""
INFLUENCE = 2500
"""The distance within which a piece may change another's exposure, in thousandths of an inch."""
MAX_ATTACKS_PER_TARGET = 2
"""Attacks on a target that are compared, for each kind of piece."""
STANDS_PER_BREADTH, ATTACKS_PER_BREADTH = 10, 6
"""Placements tried per unit of breadth, for each kind of piece: to stand, and to attack each target."""
AIMS = 7
"""The number of points on a target's side to aim at."""

HOME_RANGE = 2000
"""The maximum distance of a piece from its player's home along each axis, in thousandths of an inch."""
BESIDE, BETWEEN, ANYWHERE, GUESSES = 3, 6, 7, 8
"""Thresholds of a random number below GUESSES that decides where a piece might stand; below BESIDE: near home."""


@allocating
def best_candidate(
    table: Ints,
    field: Ints,
    seat: int,
    keep: float,
    foresight: float,
    resolve: float,
    breadth: int,
    gap: int,
    choice: int,
    home: Ints,
    rng: Ints,
    out: Ints,
) -> float:
    """Write the best kind of piece and its placement. Returns its gain over waiting.

    A piece in hand is the only one considered. `gap` is the distance that the hand needs between pieces. `choice` is
    the number of kinds of pieces to choose from, the smallest first. `home` is the x and y around which the player
    settles. Without candidates the result is negative, and nothing is written.
    """
    kinds, acts = np.empty(MAX_CANDIDATES, np.int64), np.empty(MAX_CANDIDATES, np.int64)
    gains = np.empty(MAX_CANDIDATES, np.float64)
    exposed = np.full(len(field), evaluation.UNKNOWN, np.int64)
    evaluation.evaluate_exposures(table, field, seat, exposed)
    before = evaluation.lead(table, field, seat, exposed, keep, foresight, resolve)
    found = 0
    for kind in range(table[SEATS] * SIZES):
        if is_considered(table, seat, kind, choice):
            found = add_attacks(table, field, seat, kind, breadth, gap, rng, kinds, acts, found)
            found = add_stands(table, field, seat, kind, breadth, gap, home, rng, kinds, acts, found)
    if found == 0:
        return -1.0
    for candidate in range(found):
        gains[candidate] = (
            lead_after(table, field, seat, kinds[candidate], acts[candidate], keep, foresight, resolve, exposed, False)
            - before
        )
    best, best_gain = NOTHING, -1e9
    for _ in range(min(found, FINALISTS)):
        candidate = int(gains[:found].argmax())
        gains[candidate] = -1e9
        gain = (
            lead_after(table, field, seat, kinds[candidate], acts[candidate], keep, foresight, resolve, exposed, True)
            - before
        )
        if gain > best_gain:
            best, best_gain = candidate, gain
    out[0], out[1] = kinds[best], acts[best]
    return best_gain


@kernel
def is_considered(table: Ints, seat: int, kind: int, choice: int) -> bool:
    """Whether a seat considers a kind: the one in hand, or one of the smallest `choice` kinds on its pad."""
    held = table[HAND + seat] - 1
    if held >= 0 or table[rules.pad_of(seat) + kind] == 0:
        return bool(kind == held)
    smaller = 0
    for other in range(table[SEATS] * SIZES):
        if other % SIZES < kind % SIZES and table[rules.pad_of(seat) + other]:
            smaller += 1
    return smaller < choice


@allocating
def lead_after(
    table: Ints,
    field: Ints,
    seat: int,
    kind: int,
    act: int,
    keep: float,
    foresight: float,
    resolve: float,
    exposed: Ints,
    closely: bool,
) -> float:
    """The lead of a seat after a placement; `closely`: with the new exposure of nearby pieces."""
    later, left = table.copy(), field.copy()
    if later[HAND + seat]:
        later[HAND + seat] = 0
    else:
        later[rules.pad_of(seat) + kind] -= 1
    row = later[COUNT]
    if rules.judge_placement(later, left, act, kind) != FINE:
        return -1e9
    rules.add_piece(later, left)
    seen = exposed.copy()
    if left[row, STANDING]:
        seen[row] = evaluation.exposure(later, left, row) if kind // SIZES == seat else evaluation.UNKNOWN
    if closely:
        update_exposures(later, left, seat, row, seen)
    return evaluation.lead(later, left, seat, seen, keep, foresight, resolve)


@kernel
def update_exposures(table: Ints, field: Ints, seat: int, row: int, exposed: Ints) -> None:
    """Update the exposure of nearby defenders after a placement: the player's own, and the target."""
    for other in range(row):
        near = abs(field[other, X] - field[row, X]) < INFLUENCE and abs(field[other, Y] - field[row, Y]) < INFLUENCE
        concerns = field[other, COLOUR] == seat or field[row, rules.TARGET] == other
        if field[other, STANDING] and concerns and near:
            exposed[other] = evaluation.exposure(table, field, other)


@kernel
def add_attacks(
    table: Ints,
    field: Ints,
    seat: int,
    kind: int,
    breadth: int,
    gap: int,
    rng: Ints,
    kinds: Ints,
    acts: Ints,
    found: int,
) -> int:
    """Add attacks with a kind of piece on free defenders. Returns the new number of candidates."""
    if rules.defenders(table, field, kind // SIZES) < rules.MIN_DEFENDERS:
        return found
    length = table[rules.LENGTHS + kind % SIZES]
    for row in range(table[COUNT]):
        target = field[row]
        if not target[STANDING] or target[COLOUR] == seat or target[COLOUR] == kind // SIZES:
            continue
        missing = rules.value(field, row) + 1 - rules.attack_on(table, field, row)
        if missing <= 0 or smaller_suffices(table, seat, kind, missing):
            continue
        hits = 0
        for _ in range(breadth * ATTACKS_PER_BREADTH):
            aside = (draw(rng, AIMS) - AIMS // 2) * geometry.HALF_BASES[target[rules.SIZE]] // (8 * AIMS // 2)
            act = evaluation.attack_beside(target, length, draw(rng, geometry.HEADINGS), aside, gap)
            if act != NO_ACT and found < MAX_CANDIDATES and evaluation.hits(table, field, act, kind, row):
                kinds[found], acts[found] = kind, act
                found += 1
                hits += 1
                if hits == MAX_ATTACKS_PER_TARGET:
                    break
    return found


@kernel
def smaller_suffices(table: Ints, seat: int, kind: int, missing: int) -> bool:
    """Whether a seat that may still choose has a smaller piece of the same colour that suffices."""
    if table[HAND + seat]:
        return False
    for smaller in range(kind - kind % SIZES, kind):
        if table[rules.pad_of(seat) + smaller] and smaller % SIZES + 1 >= missing:
            return True
    return False


@kernel
def add_stands(
    table: Ints,
    field: Ints,
    seat: int,
    kind: int,
    breadth: int,
    gap: int,
    home: Ints,
    rng: Ints,
    kinds: Ints,
    acts: Ints,
    found: int,
) -> int:
    """Add places for a kind of piece to stand. Returns the new number of candidates."""
    for _ in range(breadth * STANDS_PER_BREADTH):
        act = guess_place(table, field, seat, geometry.HALF_BASES[kind % SIZES] // 8 + 1, gap, home, rng)
        if act != NO_ACT and found < MAX_CANDIDATES and rules.judge_placement(table, field, act, kind) == FINE:
            kinds[found], acts[found] = kind, act
            found += 1
    return found


@kernel
def guess_place(table: Ints, field: Ints, seat: int, half: int, gap: int, home: Ints, rng: Ints) -> int:
    """A place where a piece with half a base of `half` might stand. It may not fit there."""
    where = draw(rng, GUESSES)
    if where < BESIDE:
        return near_home(table, home, half + gap, rng)
    if where < ANYWHERE and table[COUNT]:
        row = draw(rng, table[COUNT])
        if where < BETWEEN:
            return beside(field, row, half + gap, rng)
        for later in range(row, row + table[COUNT]):
            threat = later % table[COUNT]
            if field[threat, VALID] and field[field[threat, rules.TARGET], COLOUR] == seat:
                return between(field, threat, rng)
    return rules.placement_of(
        STAND, draw(rng, table[rules.WIDTH]), draw(rng, table[rules.HEIGHT]), draw(rng, geometry.HEADINGS)
    )


@kernel
def near_home(table: Ints, home: Ints, half: int, rng: Ints) -> int:
    """A place near a player's home; at an edge or in a corner, pieces line up along it."""
    x, y = home[0] + draw(rng, 2 * HOME_RANGE + 1) - HOME_RANGE, home[1] + draw(rng, 2 * HOME_RANGE + 1) - HOME_RANGE
    x, y = max(half, min(table[rules.WIDTH] - half, x)), max(half, min(table[rules.HEIGHT] - half, y))
    return rules.placement_of(STAND, x, y, 0)


@kernel
def beside(field: Ints, row: int, half: int, rng: Ints) -> int:
    """A place next to another piece."""
    heading = (field[row, rules.HEADING] + 900 * draw(rng, 4)) % geometry.HEADINGS
    cosine, sine = geometry.COS[heading], geometry.SIN[heading]
    reach = geometry.HALF_BASES[field[row, rules.SIZE]] // 8 + 1
    out, aside = reach + half, draw(rng, 2 * reach + 1) - reach
    x = field[row, X] + (out * cosine - aside * sine) // geometry.RADIUS
    y = field[row, Y] + (out * sine + aside * cosine) // geometry.RADIUS
    return rules.placement_of(STAND, x, y, heading)


@kernel
def between(field: Ints, row: int, rng: Ints) -> int:
    """A place on the ray of an attacker, in front of its target."""
    piece = field[row]
    numerator, denominator = geometry.entry(piece, field[piece[rules.TARGET]])
    on = draw(rng, numerator * geometry.RADIUS // max(denominator, 1) + 1)
    x = piece[geometry.TIP_X] + on * piece[geometry.DIRECTION_X] // geometry.RADIUS
    y = piece[geometry.TIP_Y] + on * piece[geometry.DIRECTION_Y] // geometry.RADIUS
    return rules.placement_of(STAND, x, y, draw(rng, geometry.HEADINGS))
