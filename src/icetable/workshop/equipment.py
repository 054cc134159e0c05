"""What a table holds: pieces, dice and cards with their odds, and sets that iterate in the same order everywhere."""

from __future__ import annotations

import functools
import itertools
import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple, Self

from icetable.core.errors import GameError
from icetable.core.options import short_repr
from icetable.core.parts import COLOURS

MAX_PIECES = 10_000
"""The maximum number of pieces on a space or a pad."""
NAMED_COLOURS = (*COLOURS, "black", "clear", "grey")
"""The colours that pages and drawings know."""
PIPS = {"S": 1, "M": 2, "L": 3}
_new = tuple.__new__  # found here, not in the class each time: games make pyramids all the time
DICE: Mapping[str, tuple[str, ...]] = {"treehouse": ("aim", "dig", "hop", "swap", "tip", "wild")}
"""Dice with words on their faces, each face equally likely."""
COIN = ("heads", "tails")
MAX_OUTCOMES = 1000
"""The maximum number of outcomes of an act of chance that are listed."""
MAX_FACES = 10_000
"""The maximum number of faces, cards or choices to choose from."""
MAX_DICE = 1000
"""The maximum number of dice of an act of chance."""


class _PyramidFields(NamedTuple):
    size: str
    colour: int | str
    heading: str | None = None


class Pyramid(_PyramidFields):
    """A pyramid of size "S", "M" or "L". It stands, or lies and points in the direction of its `heading`.

    `colour` is a seat, for that seat's colour, or the name of any other colour. `heading` is a direction of the board,
    such as "n". Raises GameError for another size.

    >>> Pyramid("M", 0).pips
    2
    >>> Pyramid("L", "black", "ne")
    Pyramid(size='L', colour='black', heading='ne')
    """

    __slots__ = ()

    def __new__(cls, size: str, colour: int | str, heading: str | None = None) -> Self:
        if size in PIPS:
            return _new(cls, (size, colour, heading))
        raise GameError(f"a pyramid is 'S', 'M' or 'L', not {short_repr(size)}{_size_meant(size, colour)}")

    @property
    def pips(self) -> int:
        """1 for a small, 2 for a medium, 3 for a large pyramid."""
        return PIPS[self.size]

    @property
    def stands(self) -> bool:
        """Whether it stands upright."""
        return self.heading is None

    def __str__(self) -> str:
        return f"{self.colour}{self.size}" + (f">{self.heading}" if self.heading else "")


class Token(NamedTuple):
    """Any other piece: a stone, a marker, a die with its face."""

    name: str
    """Its name."""
    colour: int | str
    """Its colour, as in `Pyramid`."""

    def __str__(self) -> str:
        return f"{self.colour}{self.name}"


Piece = Pyramid | Token


def _size_meant(size: object, colour: object) -> str:
    """What was meant by a size that is none, for an error message."""
    if colour in PIPS:
        return f"; the size comes first: Pyramid({colour!r}, {size!r})"
    letter = size[:1].upper() if isinstance(size, str) else ""
    return f"; did you mean {letter!r}?" if letter in PIPS else ""


def check_piece(piece: object) -> None:
    """Raise GameError for a value that is no piece."""
    if not isinstance(piece, Pyramid | Token):
        raise GameError(f"{short_repr(piece)} is no piece: pieces are such as Pyramid('M', 0) or Token('stone', 1)")


def faces_of(die: int | str | Iterable[object]) -> list[str]:
    """The faces of a die, given by its number of sides, its name in DICE, or a list. Raises GameError."""
    if isinstance(die, str):
        if die not in DICE:
            raise GameError(f"there is no die {short_repr(die)}; there are {', '.join(DICE)}, and any number of sides")
        return list(DICE[die])
    if isinstance(die, int):
        if not 2 <= die <= MAX_FACES:
            raise GameError(f"a die has 2 to {MAX_FACES:,} sides, not {die:,}")
        return [str(face) for face in range(1, die + 1)]
    return texts_of(die)


def texts_of(listed: Iterable[object]) -> list[str]:
    """The texts of faces, cards or choices. Raises GameError if they are too many."""
    found = [str(one) for one in itertools.islice(listed, MAX_FACES + 1)]
    if len(found) > MAX_FACES:
        raise GameError(f"there are at most {MAX_FACES:,} faces, cards or choices to choose from")
    return found


def odds_of(what: str, faces: Iterable[object]) -> dict[str, float]:
    """The outcomes `what:face` with their odds; a face listed twice is twice as likely. Raises GameError.

    The same dict is returned again, and must not be changed.
    """
    return _odds_of_texts(what, tuple(texts_of(faces)))


@functools.lru_cache(maxsize=64)
def _odds_of_texts(what: str, faces: tuple[str, ...]) -> dict[str, float]:
    counts = Counter(faces)
    if not counts:
        raise GameError(f"chance has nothing to choose from ({what})")
    total = counts.total()
    return {f"{what}:{face}": count / total for face, count in sorted(counts.items())}


class MultiDraw(NamedTuple):
    """Several dice or cards in one act of chance, such as `roll:1335` or `deal:10,2,7`."""

    word: str
    """The word before the colon."""
    faces: tuple[str, ...]
    """The faces or cards; one listed twice is twice as likely."""
    dice: int
    """The number of draws with replacement; 0 for a permutation of all faces."""
    ordered: bool
    """Whether the order of the draws counts; otherwise they are sorted in the order of the faces."""

    @property
    def number(self) -> int:
        """The number of ordered outcomes."""
        kinds = Counter(self.faces)
        orders = math.factorial(len(self.faces)) // math.prod(math.factorial(count) for count in kinds.values())
        return int(len(kinds) ** self.dice) if self.dice else orders

    def odds(self) -> dict[str, float]:
        """All possible acts with their odds."""
        found: Counter[str] = Counter()
        for parts, ways in rows(Counter(self.faces), self.dice or len(self.faces), back=self.dice > 0):
            found[self.written(parts)] += ways
        return {act: ways / found.total() for act, ways in sorted(found.items())}

    def drawn_from(self, seed: int) -> str:
        """The act drawn from a seed."""
        import numpy as np  # slow to import when a server starts

        rng, faces = np.random.default_rng(seed), len(self.faces)
        drawn_ = rng.integers(faces, size=self.dice) if self.dice else rng.permutation(faces)
        return self.written(self.faces[number] for number in drawn_.tolist())

    def is_possible(self, act: str) -> bool:
        """Whether an act is possible."""
        parts = drawn(act)
        if self.dice:
            could = len(parts) == self.dice and set(parts) <= set(self.faces)
        else:
            could = sorted(parts) == sorted(self.faces)
        return could and act == self.written(parts)

    def written(self, parts: Iterable[str]) -> str:
        """The act with these parts."""
        parts = list(parts) if self.ordered else sorted(parts, key=self.faces.index)
        return f"{self.word}:" + ("," if any(len(part) > 1 for part in parts) else "").join(parts)


def drawn(act: str) -> list[str]:
    """The parts of an act of chance: `drawn("roll:1335")` is ["1", "3", "3", "5"]."""
    parts = act.partition(":")[2]
    return parts.split(",") if "," in parts else list(parts)


def rows(left: Counter[str], count: int, *, back: bool) -> Iterator[tuple[tuple[str, ...], int]]:
    """All sequences of `count` faces, with the number of ways to draw each; `back`: with replacement."""
    if not count:
        yield (), 1
        return
    for face, copies in left.items():
        for rest, ways in rows(left if back else left - Counter({face: 1}), count - 1, back=back):
            yield (face, *rest), copies * ways


def _sorted(items: Iterable[Any]) -> Iterator[Any]:
    """Numbers and texts in their order, others in that of their repr."""
    listed = list(items)
    kinds = set(map(type, listed))
    listed.sort(key=None if kinds == {int} or kinds == {str} else repr)
    return iter(listed)


class OrderedSet(set[Any]):
    """A set on a table."""

    __slots__ = ()

    def __iter__(self) -> Iterator[Any]:
        return _sorted(set.__iter__(self))

    def pop(self) -> Any:
        """Remove the first item and return it."""
        for item in self:
            self.remove(item)
            return item
        raise KeyError("pop from an empty set")


class OrderedFrozenSet(frozenset[Any]):
    """A frozenset on a table."""

    __slots__ = ()

    def __iter__(self) -> Iterator[Any]:
        return _sorted(frozenset.__iter__(self))


def in_order(value: Any) -> Any:
    """A copy of a set that iterates in a fixed order; any other value itself."""
    kind = type(value)
    if kind is set or kind is OrderedSet:
        return OrderedSet(value)
    return OrderedFrozenSet(value) if kind is frozenset else value


def _ordered(method: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *args: in_order(method(*args))


for _operator in ("or", "and", "sub", "xor"):
    for _name in (f"__{_operator}__", f"__r{_operator}__"):
        setattr(OrderedSet, _name, _ordered(getattr(set, _name)))
        setattr(OrderedFrozenSet, _name, _ordered(getattr(frozenset, _name)))


for _name in ("copy", "union", "intersection", "difference", "symmetric_difference"):
    setattr(OrderedSet, _name, _ordered(getattr(set, _name)))
    setattr(OrderedFrozenSet, _name, _ordered(getattr(frozenset, _name)))
