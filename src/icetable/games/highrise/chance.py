"""Chance in High Rise: an open roll of the dice at the start, and the deal of the numbers at the end (HR-2).

Both acts list numbers: in ascending order for a roll, by square for a deal.
"""

from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING, Literal

from icetable.games.highrise.rules import SIDES

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence


def write(kind: Literal["roll", "deal"], numbers: Collection[int]) -> str:
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
