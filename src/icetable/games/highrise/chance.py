"""Chance in High Rise: an open roll of the dice at the start, and the deal of the numbers at the end (HR-2).

Both acts list numbers: in ascending order for a roll, by square for a deal.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from typing import TYPE_CHECKING, Literal, NamedTuple

from icetable.core.errors import Fault
from icetable.core.numbers import is_integer
from icetable.games.highrise.rules import SIDES

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

FORM = re.compile("(roll|deal):([0-9]+|(?:0|[1-9][0-9]*)(?:,(?:0|[1-9][0-9]*))+)")
MAX_NUMBER = 10**9
"""Maximum value; a kernel could hold far greater ones."""
FACES = range(1, SIDES + 1)


class Numbers(NamedTuple):
    """A parsed roll or deal, with its numbers as text."""

    kind: str
    written: tuple[str, ...]

    @property
    def values(self) -> list[int]:
        return list(map(int, self.written))


def read(text: str) -> Numbers | None:
    """Parse the notation of a roll or a deal; None for any other text."""
    found = FORM.fullmatch(text)
    if found is None:
        return None
    if "," not in found[2]:
        return Numbers(found[1], tuple(found[2]))
    numbers = tuple(found[2].split(","))
    return Numbers(found[1], numbers) if any(len(number) > 1 for number in numbers) else None


def write(kind: Literal["roll", "deal"], numbers: Collection[int]) -> str:
    """The notation of a roll or a deal."""
    return f"{kind}:" + ("," if max(numbers) > 9 else "").join(map(str, numbers))


def is_number(value: object) -> bool:
    """Whether a number is allowed under a square (HR-2)."""
    return is_integer(value) and 0 <= value <= MAX_NUMBER


def fault_of(act: Numbers, squares: int, known: Sequence[int] | None, rolled: bool) -> Fault | None:
    """Why these numbers can't be rolled or dealt on this number of squares; None if they can.

    `known`: the numbers to be dealt; None for dice. `rolled`: they are from an open roll.
    """
    count = len(act.written)
    if count != squares:
        message = f"There are {squares} squares, so a {act.kind} has {squares} numbers, not {count}."
        return Fault("wrong-count", message, "HR-2")
    if act.kind == "deal" and known is not None:
        if Counter(act.written) == Counter(map(str, known)):
            return None
        source = "that were rolled" if rolled else "of this game's values"
        return Fault("other-numbers", f"The numbers of a deal are those {source}, in any order.", "HR-2")
    if not set(act.written) <= set(map(str, FACES)):
        return Fault("no-die", f"A die shows 1 to {SIDES}.", "HR-2")
    if act.kind == "roll" and list(act.written) != sorted(act.written):
        return Fault("not-in-order", "The numbers of a roll are listed smallest first.", "HR-2")
    return None


def number_of_rolls(squares: int) -> int:
    """The number of different rolls of one die per square."""
    return math.comb(squares + SIDES - 1, SIDES - 1)


def number_of_deals(squares: int, known: Sequence[int] | None) -> int:
    """The number of different deals of the known numbers, or of dice. All are equally likely."""
    return int(SIDES**squares) if known is None else permutations(Counter(known).values())


def permutations(counts: Collection[int]) -> int:
    """The number of different orders of groups of equal things with these sizes."""
    return math.factorial(sum(counts)) // math.prod(map(math.factorial, counts))


def arrangements(supply: Counter[int]) -> Iterator[tuple[int, ...]]:
    """All different orders of the numbers in a supply."""
    if not supply:
        yield ()
    for number in sorted(supply):
        for rest in arrangements(supply - Counter([number])):
            yield (number, *rest)


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
