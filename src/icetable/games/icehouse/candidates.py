"""Which piece to place where: dozens of candidates are drawn at random, and the most promising one is chosen."""

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
"""How many candidates are looked at twice: the second time with what they change for the pieces around."""
AROUND = 2500
"""How far away a piece may change how open another one is, in thousandths of an inch."""
ENOUGH = 2
"""How many ways to attack a piece with another are compared."""
STANDS_A_LOOK, ATTACKS_A_LOOK = 10, 6
"""How many places are tried for each step of breadth: for each kind of piece, and for each target with it."""
SWERVES = 7
"""How many ways there are to aim at a piece, side by side."""

ROUND_HOME = 2000
"""How far from its player's home a piece is put at the most, across and up, in thousandths of an inch."""
HOME, BESIDE, BETWEEN = 0, 3, 6
"""What a die of GUESSES sides says from which number on: where a piece might stand. From OPEN on: anywhere."""
OPEN, GUESSES = 7, 8


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
    """Write the kind of piece and its placement that promise a seat most; how much more than waiting they promise.

    With a piece in hand it is about that piece. `gap` is the distance that the hand needs to place pieces side by
    side. `choice` is among how many kinds of pieces it chooses, the smallest first. `home` is the place, x and y, that
    the player settles round. Without any candidate the answer is below 0, and nothing is written.
    """
    kinds, acts = np.empty(MAX_CANDIDATES, np.int64), np.empty(MAX_CANDIDATES, np.int64)
    gains = np.empty(MAX_CANDIDATES, np.float64)
    exposed = np.full(len(field), evaluation.UNSEEN, np.int64)
    evaluation.expose_all(table, field, seat, exposed)
    before = evaluation.promise(table, field, seat, exposed, keep, foresight, resolve)
    found = 0
    for kind in range(table[SEATS] * SIZES):
        if is_considered(table, seat, kind, choice):
            found = add_attacks(table, field, seat, kind, breadth, gap, rng, kinds, acts, found)
            found = add_stands(table, field, seat, kind, breadth, gap, home, rng, kinds, acts, found)
    if found == 0:
        return -1.0
    for candidate in range(found):
        gains[candidate] = (
            gain(table, field, seat, kinds[candidate], acts[candidate], keep, foresight, resolve, exposed, False)
            - before
        )
    best, most = NOTHING, -1e9
    for _ in range(min(found, FINALISTS)):
        candidate = int(gains[:found].argmax())
        gains[candidate] = -1e9
        promised = (
            gain(table, field, seat, kinds[candidate], acts[candidate], keep, foresight, resolve, exposed, True)
            - before
        )
        if promised > most:
            best, most = candidate, promised
    out[0], out[1] = kinds[best], acts[best]
    return most


@kernel
def is_considered(table: Ints, seat: int, kind: int, choice: int) -> bool:
    """Whether a seat may play a kind: it holds that, or it is among so many kinds of its pad, the smallest first."""
    held = table[HAND + seat] - 1
    if held >= 0 or table[rules.pad_of(seat) + kind] == 0:
        return bool(kind == held)
    smaller = 0
    for other in range(table[SEATS] * SIZES):
        if other % SIZES < kind % SIZES and table[rules.pad_of(seat) + other]:
            smaller += 1
    return smaller < choice


@allocating
def gain(
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
    """What a position promises a seat once it has placed a piece; `closely`: with what changes around."""
    later, left = table.copy(), field.copy()
    if later[HAND + seat]:
        later[HAND + seat] = 0
    else:
        later[rules.pad_of(seat) + kind] -= 1
    row = later[COUNT]
    if rules.judge_placement(later, left, act, kind) != FINE:
        return -1e9
    rules.settle_in(later, left)
    seen = exposed.copy()
    if left[row, STANDING]:
        seen[row] = evaluation.exposure(later, left, row) if kind // SIZES == seat else evaluation.UNSEEN
    if closely:
        look_around(later, left, seat, row, seen)
    return evaluation.promise(later, left, seat, seen, keep, foresight, resolve)


@kernel
def look_around(table: Ints, field: Ints, seat: int, row: int, exposed: Ints) -> None:
    """Work out anew how open the pieces around a new one are: its player's, and the one that it attacks."""
    for other in range(row):
        near = abs(field[other, X] - field[row, X]) < AROUND and abs(field[other, Y] - field[row, Y]) < AROUND
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
    """Add attacks with a kind of piece on defenders that are not iced yet; how many candidates there are now."""
    if rules.defenders(table, field, kind // SIZES) < rules.DEFENDERS_FIRST:
        return found
    length = table[rules.LENGTHS + kind % SIZES]
    for row in range(table[COUNT]):
        target = field[row]
        if not target[STANDING] or target[COLOUR] == seat or target[COLOUR] == kind // SIZES:
            continue
        missing = rules.value(field, row) + 1 - rules.attack_on(table, field, row)
        if missing <= 0 or smaller_will_do(table, seat, kind, missing):
            continue
        hits = 0
        for _ in range(breadth * ATTACKS_A_LOOK):
            aside = (draw(rng, SWERVES) - SWERVES // 2) * geometry.HALF_BASES[target[rules.SIZE]] // (8 * SWERVES // 2)
            act = evaluation.snug(target, length, draw(rng, geometry.HEADINGS), aside, gap)
            if act != NO_ACT and found < MAX_CANDIDATES and evaluation.hits(table, field, act, kind, row):
                kinds[found], acts[found] = kind, act
                found += 1
                hits += 1
                if hits == ENOUGH:
                    break
    return found


@kernel
def smaller_will_do(table: Ints, seat: int, kind: int, missing: int) -> bool:
    """Whether a seat that may still choose has a smaller piece of that colour that adds what is missing as well."""
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
    """Add places for a kind of piece to stand; how many candidates there are now."""
    for _ in range(breadth * STANDS_A_LOOK):
        act = guess_place(table, field, seat, geometry.HALF_BASES[kind % SIZES] // 8 + 1, gap, home, rng)
        if act != NO_ACT and found < MAX_CANDIDATES and rules.judge_placement(table, field, act, kind) == FINE:
            kinds[found], acts[found] = kind, act
            found += 1
    return found


@kernel
def guess_place(table: Ints, field: Ints, seat: int, half: int, gap: int, home: Ints, rng: Ints) -> int:
    """A place where a piece might stand: its base is twice `half` wide. It may not fit there at all."""
    where = draw(rng, GUESSES)
    if where < BESIDE:
        return near_home(table, home, half + gap, rng)
    if where < OPEN and table[COUNT]:
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
    """A place round a player's home. Where that is at an edge or in a corner, pieces stand along it."""
    x, y = home[0] + draw(rng, 2 * ROUND_HOME + 1) - ROUND_HOME, home[1] + draw(rng, 2 * ROUND_HOME + 1) - ROUND_HOME
    x, y = max(half, min(table[rules.WIDTH] - half, x)), max(half, min(table[rules.HEIGHT] - half, y))
    return rules.placement_of(STAND, x, y, 0)


@kernel
def beside(field: Ints, row: int, half: int, rng: Ints) -> int:
    """A place for a piece to stand at the side of another one."""
    heading = (field[row, rules.HEADING] + 900 * draw(rng, 4)) % geometry.HEADINGS
    cosine, sine = geometry.COS[heading], geometry.SIN[heading]
    reach = geometry.HALF_BASES[field[row, rules.SIZE]] // 8 + 1
    out, aside = reach + half, draw(rng, 2 * reach + 1) - reach
    x = field[row, X] + (out * cosine - aside * sine) // geometry.RADIUS
    y = field[row, Y] + (out * sine + aside * cosine) // geometry.RADIUS
    return rules.placement_of(STAND, x, y, heading)


@kernel
def between(field: Ints, row: int, rng: Ints) -> int:
    """A place on the ray of an attacker, before its target."""
    piece = field[row]
    above, below = geometry.entry(piece, field[piece[rules.TARGET]])
    on = draw(rng, above * geometry.RADIUS // max(below, 1) + 1)
    x = piece[geometry.TIP_X] + on * piece[geometry.DIRECTION_X] // geometry.RADIUS
    y = piece[geometry.TIP_Y] + on * piece[geometry.DIRECTION_Y] // geometry.RADIUS
    return rules.placement_of(STAND, x, y, draw(rng, geometry.HEADINGS))
