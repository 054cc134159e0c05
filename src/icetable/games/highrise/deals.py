"""Chance and memory in High Rise: rolls, the deal at the end with the result over all deals, forgotten pyramids.

Both acts of chance list numbers: in ascending order for a roll, by square for a deal (HR-2).
"""

from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING, Literal

import numpy as np

from icetable.games.highrise.rules import (
    DICE,
    LOG,
    OPEN,
    PIPS,
    PLAYERS,
    SIDES,
    SQUARES,
    UNSEEN,
    VALUES,
    owner,
    seat_of,
    size_of,
    square_of,
)
from icetable.kernels.jit import allocating, kernel
from icetable.kernels.layout import ACTOR, CHANCE, TURN, UNPROVEN

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    import numpy as np

    from icetable.kernels.jit import Floats, Ints

MAX_ADDITIONS = 1 << 18
"""Limit for the deal of known numbers, some tenths of a millisecond."""
MEDIUM, LARGE = 1, 2
SQUARE_MASK = 63
"""The bits of the square in an entry of the log."""


@kernel
def expect(state: Ints) -> float:
    """Seat 1's expected share over all deals (HR-2, HR-9, HR-10), exact except for rounding.

    UNPROVEN before all pyramids are placed, and if known numbers would take too long.
    """
    if state[ACTOR] != CHANCE or state[DICE] == OPEN:
        return UNPROVEN
    own, other, lead = 0, 0, 0  # the squares that seat 0 and seat 1 control, and seat 0's lead without the numbers
    for square in range(state[SQUARES]):
        pips = PIPS + square * PLAYERS
        if owner(state, square) == 0:
            own += 1
            lead += state[pips + 1]
        elif owner(state, square) == 1:
            other += 1
            lead -= state[pips]
    if state[DICE] == UNSEEN:
        return by_dice(own, other, lead)
    return by_values(state, own, other, lead)


@allocating
def by_dice(own: int, other: int, lead: int) -> float:
    """Seat 1's expected share if unseen dice lie under the towers.

    A die that is subtracted is distributed like one that is added, minus 7. So the lead grows by 1 for each of seat 0's
    dice, falls by 6 for each of seat 1's, and grows by a number from 0 to 5 for each die. The numbers of ways to reach
    a sum are the coefficients of (1 + x + … + x⁵)ⁿ, and that sum of powers is (1 + x³)(1 + x + x²).
    """
    below = 3  # padding that is always 0
    ways = np.zeros(below + (SIDES - 1) * (own + other) + 1)
    ways[below] = 1.0
    last = below
    for _ in range(own + other):
        last += SIDES - 1
        for total in range(last, below - 1, -1):
            ways[total] += ways[total - 3]
        for total in range(last, below - 1, -1):
            ways[total] += ways[total - 1] + ways[total - 2]
    return share_behind(ways, lead + own - SIDES * other - below)


@allocating
def by_values(state: Ints, own: int, other: int, lead: int) -> float:
    """Seat 1's expected share if known numbers are dealt in random order.

    Counts, number by number, the ways to put `mine` of them under seat 0's towers and `theirs` under seat 1's, by the
    difference of their sums. All numbers are relative to the least one.
    """
    squares = state[SQUARES]
    values = state[VALUES : VALUES + squares]
    least, most = values[0], 0
    for square in range(squares):
        least = min(least, values[square])
        most += values[square]
    most -= squares * least
    tied = squares - own - other
    if (own + 1) * (other + 1) * (tied + 1) * (2 * most + 1) > MAX_ADDITIONS:
        return UNPROVEN
    ways = np.zeros((own + 1, other + 1, 2 * most + 1))
    ways[0, 0, most] = 1.0
    reach = 0
    for dealt in range(1, squares + 1):
        value = values[dealt - 1] - least
        for mine in range(min(own, dealt), -1, -1):
            for theirs in range(min(other, dealt - mine), max(0, dealt - tied - mine) - 1, -1):
                here = ways[mine, theirs]
                if mine > 0:
                    before = ways[mine - 1, theirs]
                    for total in range(most - reach, most + reach + 1):
                        here[total + value] += before[total]
                if theirs > 0:
                    before = ways[mine, theirs - 1]
                    for total in range(most - reach, most + reach + 1):
                        here[total - value] += before[total]
        reach += value
    return share_behind(ways[own, other], lead + (own - other) * least - most)


@kernel
def share_behind(ways: Floats, start: int) -> float:
    """The share of the seat that is behind if the lead is negative; `ways` counts how often it is `start`, and up."""
    behind, all_ways = 0.0, 0.0
    for more in range(len(ways)):
        lead = start + more
        behind += ways[more] * (1.0 if lead < 0 else 0.5 if lead == 0 else 0.0)
        all_ways += ways[more]
    return behind / all_ways


def write_numbers(kind: Literal["roll", "deal"], numbers: Collection[int]) -> str:
    """The notation of a roll or a deal."""
    return f"{kind}:" + ("," if max(numbers) > 9 else "").join(map(str, numbers))


def number_of_rolls(squares: int) -> int:
    """The number of different rolls of one die per square."""
    return math.comb(squares + SIDES - 1, SIDES - 1)


def number_of_deals(squares: int, known: Sequence[int] | None) -> int:
    """The number of different deals of the known numbers, or of dice. All are equally likely."""
    return int(SIDES**squares) if known is None else permutations(Counter(known).values())


def permutations(counts: Collection[int]) -> int:
    """The number of different orders of groups of equal things with these sizes."""
    return math.factorial(sum(counts)) // math.prod(map(math.factorial, counts))


def odds_of_next_rolled(squares: int, drawn: Sequence[int]) -> list[float]:
    """The probability of each face as the next number of an ascending roll, after the faces `drawn`, from 0."""
    left, last = squares - len(drawn) - 1, drawn[-1] if drawn else 0
    equal = drawn.count(last)
    weights = [0.0] * SIDES
    weights[last] = completions(last, equal + 1, left)
    for face in range(last + 1, SIDES):
        weights[face] = completions(face, 1, left) / math.factorial(equal)
    total = sum(weights)
    return [weight / total for weight in weights]


def completions(face: int, equal: int, left: int) -> float:
    """The relative number of rolls that continue with `left` dice of this or a higher face after `equal` dice of it.

    A roll is weighted by its probability, up to a constant factor: by 1 / n! for each face that n dice show.
    """
    higher = SIDES - 1 - face
    return math.fsum(
        higher ** (left - more) / math.factorial(left - more) / math.factorial(equal + more) for more in range(left + 1)
    )


def determinize(position: Ints, memory: int, rng: np.random.Generator) -> Ints:
    """The position with the forgotten pyramids in places drawn at random.

    The number of pyramids that a tower hides is visible, and the stashes show which ones were placed. Pyramids in sight
    and the last `memory` ones stay in place. Any other pyramid may be wherever one is hidden under a larger one in
    sight; all such arrangements are equally likely. The colour of an imagined pyramid is arbitrary.

    The same sight, memory and draws give the same pips on each square, whatever is really there.
    """
    turns = int(position[TURN])
    forgotten = {turn: cover for turn, cover in hidden(position).items() if turn < turns - memory}
    log = {turn: int(position[LOG + turn]) for turn in forgotten}
    places = sorted(log, key=lambda turn: (square_of(log[turn]), turn))
    entries = sorted(log.values(), key=lambda entry: (-size_of(entry), seat_of(entry)))
    mediums = sum(size_of(entry) == MEDIUM for entry in entries)
    roomy = [turn for turn in places if forgotten[turn] == LARGE]
    for_mediums = [roomy[index] for index in rng.choice(len(roomy), mediums, replace=False)] if mediums else []
    for_smalls = [turn for turn in places if turn not in for_mediums]
    rng.shuffle(for_smalls)
    imagined = position.copy()
    for entry, place in zip(entries, for_mediums + for_smalls, strict=True):
        imagined[LOG + place] = entry & ~SQUARE_MASK | square_of(log[place])
        add_pips(imagined, entry, -1)
        add_pips(imagined, int(imagined[LOG + place]), 1)
    return imagined


def hidden(position: Ints) -> dict[int, int]:
    """The turns in which the hidden pyramids were placed, each with the largest size above the pyramid."""
    above: dict[int, int] = {}
    found = {}
    for turn in range(int(position[TURN]) - 1, -1, -1):
        entry = int(position[LOG + turn])
        square, size = square_of(entry), size_of(entry)
        if above.get(square, 0) > size:
            found[turn] = above[square]
        above[square] = max(above.get(square, 0), size)
    return found


def add_pips(position: Ints, entry: int, times: int) -> None:
    """Add the pips of an entry of the log, `times` times, to those of its seat on its square."""
    position[PIPS + square_of(entry) * PLAYERS + seat_of(entry)] += times * (size_of(entry) + 1)
