"""The slow twin of High Rise: the rules played naively, straight from the rule text.

It shares no code with the product and knows no tricks, so that the fast rules can be checked against it.
Rule ids (HR-1 to HR-10) are those of the rule text.

A position is drawn as the board lies on the table: the top row first, one token a square::

    .             a square where only the grey cover stands
    0L1M          a stack, bottom to top: a large pyramid of seat 0 with a medium one of seat 1 on it
    L:redM:cyan   the same, with the colours named; where none is named it is the usual one (HR-6)
    0S?1L         a stack with a small pyramid that is hidden from sight, as a test expects

`Oracle.drawn` reads the pyramids and `hidden` reads the question marks. Pyramids that are not drawn are in the
stashes.
"""

import copy
import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations_with_replacement
from typing import Any

from tests.games.boards import Sheet

Piece = tuple[str, str]
"""Size and colour of a pyramid; the colour tells whose it is."""
Stacks = dict[str, list[Piece]]
"""For every square its pyramids from bottom to top, without the grey cover."""

PIPS = {"S": 1, "M": 2, "L": 3}
COLOURS = (("red", "yellow", "green", "blue", "black"), ("purple", "orange", "clear", "cyan", "white"))
OWNER = {colour: seat for seat, colours in enumerate(COLOURS) for colour in colours}
MOST_LISTED = 1000
"""More outcomes than these are not listed."""

PLACING = re.compile(f"([SML])(?::({'|'.join(OWNER)}))?@([a-z][0-9]+)")
NUMBERS = re.compile("(roll|deal):([0-9]+|(0|[1-9][0-9]*)(,(0|[1-9][0-9]*))+)")
TOKEN = re.compile(f"[.]|(([01][SML]|[SML]:({'|'.join(OWNER)}))[?]?)+")
DRAWN_PIECE = re.compile(r"(?:(?P<seat>[01])(?P<plain>[SML])|(?P<size>[SML]):(?P<colour>[a-z]+))(?P<hidden>[?]?)")


def squares(rows: int, cols: int) -> tuple[str, ...]:
    """The names of all squares of a board, row by row: a1, b1, … (HR-1)."""
    return tuple(f"{'abcdefgh'[col]}{row + 1}" for row in range(rows) for col in range(cols))


def sheet(rows: int, cols: int) -> Sheet:
    """How positions of a board are drawn."""
    return Sheet(
        rows=[squares(rows, cols)[first : first + cols] for first in range(0, rows * cols, cols)][::-1],
        token=TOKEN,
        shape=f"the board has {rows} rows of {cols}",
        meaning="a token is '.', or a stack such as 0L1M or L:redM:cyan",
    )


class Oracle:
    """A position of High Rise: `apply` gives the next one and leaves this one as it is.

    stacks: every square's pyramids from bottom to top; stashes: for each seat how many pyramids of each size and
    colour it still has to place; rolled: the numbers that were rolled openly, smallest first, None before the roll and
    where there is none; numbers: what the dice show by square, None before the deal; ended_by: the rule that ended the
    game, or None; winners: empty until then; effects: what the last act caused, ("roll", number) for every die of a
    roll, and after the deal ("reveal", square, number) for every square, row by row.

    Raises ValueError where an option has a value that the rules do not know.
    """

    def __init__(
        self,
        players: int = 2,
        rows: int = 3,
        cols: int = 3,
        values: str | Sequence[int] = "dice",
        numbers: str = "seen",
        memory: str = "on",
    ) -> None:
        if players != 2:
            raise ValueError(f"players is 2, not {players}")
        for name, size in (("rows", rows), ("cols", cols)):
            if not 3 <= size <= 8:
                raise ValueError(f"{name} is 3 to 8, not {size}")
        if numbers not in ("seen", "unseen"):
            raise ValueError(f"numbers is seen or unseen, not {numbers}")
        if memory not in ("on", "off"):
            raise ValueError(f"memory is on or off, not {memory}")
        self.rows = rows
        self.cols = cols
        self.memory = memory
        self.squares = squares(rows, cols)
        if values != "dice":
            if isinstance(values, str) or len(values) != len(self.squares):
                raise ValueError(f"values is dice or a list of {len(self.squares)} numbers, one a square (HR-2)")
            if not all(type(value) is int and value >= 0 for value in values):
                raise ValueError(f"values are whole numbers of 0 or more, not {list(values)} (HR-2)")
        self.values = values
        self.dice = numbers
        self.rolled: list[int] | None = None
        self.stacks: Stacks = {square: [] for square in self.squares}
        trios = math.ceil(len(self.squares) / 5)
        self.stashes: list[Counter[Piece]] = [
            Counter({(size, colour): trios - (size == "S") for size in PIPS for colour in colours})
            for colours in COLOURS
        ]
        self.numbers: dict[str, int] | None = None
        self.winners: frozenset[int] = frozenset()
        self.effects: tuple[tuple[str | int, ...], ...] = ()

    @classmethod
    def drawn(cls, drawing: str, **options: Any) -> "Oracle":
        """The position of a drawing; the seat that has placed fewer pyramids is to move, seat 0 when equal.

        It tells no numbers: without `numbers="seen"` nobody has seen any, and with it the dice are still to be rolled.
        Raises ValueError where play could not lead to so many pyramids of each seat.
        """
        position = cls(**{"numbers": "unseen", **options})
        for square, token in sheet(position.rows, position.cols).read(drawing).items():
            for found in DRAWN_PIECE.finditer(token):
                size = found["plain"] or found["size"]
                seat = int(found["seat"]) if found["seat"] else OWNER[found["colour"]]
                colour = found["colour"] or position.usual_colour(seat, size)
                if position.stashes[seat][size, colour] == 0:
                    raise ValueError(f"{square}: seat {seat} has no more {colour} pyramid of size {size} (HR-3)")
                position.stashes[seat][size, colour] -= 1
                position.stacks[square].append((size, colour))
        if position.left(0) - position.left(1) not in (0, -1):
            raise ValueError("the seats place in turn, seat 0 first (HR-5)")
        return position

    def __str__(self) -> str:
        """The drawing of the position, which `drawn` reads; it does not tell the numbers of the dice."""
        return sheet(self.rows, self.cols).draw(
            {square: "".join(":".join(piece) for piece in stack) for square, stack in self.stacks.items()}
        )

    def key(self) -> tuple[object, ...]:
        """All that makes up the position, as plain values that compare and hash.

        In order: seats to act, the rule that ended the game, winners, what is left in the stashes (for each seat
        the sizes and colours with their numbers), the stacks row by row, the numbers rolled openly, and the numbers on
        the dice row by row.
        """
        return (
            tuple(sorted(self.to_act)),
            self.ended_by,
            tuple(sorted(self.winners)),
            tuple(tuple(sorted(stash.items())) for stash in self.stashes),
            tuple(tuple(self.stacks[square]) for square in self.squares),
            self.rolled and tuple(self.rolled),
            self.numbers and tuple(self.numbers.values()),
        )

    @property
    def seat(self) -> int:
        """The seat whose turn it is while there are pyramids to place: seat 0 begins (HR-4, HR-5)."""
        return int(self.left(0) < self.left(1))

    @property
    def to_act(self) -> frozenset[int]:
        """The seat to move, nature (-1) when dice are to be rolled or shown, or nobody when the game is over."""
        if self.ended_by:
            return frozenset()
        if self.to_be_rolled:
            return frozenset({-1})
        return frozenset({self.seat if self.left(0) + self.left(1) else -1})

    @property
    def rolls_openly(self) -> bool:
        """Whether the game begins with a roll that all see: not with a list, which is public anyway (HR-2)."""
        return self.values == "dice" and self.dice == "seen"

    @property
    def to_be_rolled(self) -> bool:
        """Whether that roll is still to come."""
        return self.rolls_openly and self.rolled is None

    @property
    def known(self) -> list[int] | None:
        """The numbers that everybody knows to lie somewhere, smallest first; None where nobody knows them (HR-2)."""
        return sorted(int(value) for value in self.values) if self.values != "dice" else self.rolled

    @property
    def ended_by(self) -> str | None:
        """The deal ends the game (HR-8)."""
        return None if self.numbers is None else "HR-8"

    @property
    def scores(self) -> tuple[int, int]:
        """(0, 0) until the dice are shown (HR-8); then the opponent's pips and the numbers (HR-9)."""
        points = [0, 0]
        for square, number in (self.numbers or {}).items():
            seat = self.control(square)
            if seat is not None:
                points[seat] += self.pips(square)[1 - seat] + number
        return points[0], points[1]

    def left(self, seat: int) -> int:
        """How many pyramids a seat has still to place."""
        return self.stashes[seat].total()

    def left_of_size(self, seat: int, size: str) -> int:
        """How many pyramids of a size a seat has still to place."""
        return sum(self.stashes[seat][size, colour] for colour in COLOURS[seat])

    def usual_colour(self, seat: int, size: str) -> str:
        """The colour that is used where none is named (HR-6)."""
        return max(COLOURS[seat], key=lambda colour: self.stashes[seat][size, colour])

    def pips(self, square: str) -> tuple[int, int]:
        """Each seat's pips in a stack (HR-9)."""
        stack = self.stacks[square]
        rainbow, xeno = (sum(PIPS[size] for size, colour in stack if OWNER[colour] == seat) for seat in (0, 1))
        return rainbow, xeno

    def control(self, square: str) -> int | None:
        """The seat that has more pips in a stack, None when tied (HR-9)."""
        rainbow, xeno = self.pips(square)
        return None if rainbow == xeno else int(xeno > rainbow)

    def visible(self, seat: int | None = None) -> dict[str, list[str]]:
        """For every square its pyramids from bottom to top as a seat or a watcher (None) sees them (HR-7).

        A pyramid is written "L:red", a hidden one "?". Nobody sees more than another.
        """
        shows_all = self.memory == "off" or self.ended_by is not None
        return {
            square: [
                "?" if is_hidden(stack, height) and not shows_all else ":".join(piece)
                for height, piece in enumerate(stack)
            ]
            for square, stack in self.stacks.items()
        }

    def legal(self) -> set[str]:
        """The notations of all legal acts, colours left out (HR-5); at the deal all outcomes, equally likely.

        Raises ValueError at a deal of more than MOST_LISTED outcomes, and at a roll, which always has more.
        """
        if self.ended_by:
            return set()
        if -1 in self.to_act:
            return {write_deal(numbers) for numbers in self._outcomes()}
        return {f"{size}@{square}" for size in PIPS if self.left_of_size(self.seat, size) for square in self.squares}

    def _outcomes(self) -> Iterator[tuple[int, ...]]:
        """All ways the numbers can lie (HR-2)."""
        if self.known is None:
            raise ValueError("the outcomes of dice are too many to list")
        supply = Counter(self.known)
        count = math.factorial(len(self.squares))
        for equal in supply.values():
            count //= math.factorial(equal)
        if count > MOST_LISTED:
            raise ValueError(f"{count} outcomes are too many to list")
        return arrangements(supply, len(self.squares))

    def fault(self, text: str) -> str | None:
        """The rule that a text breaks, the first that applies; None when it is legal.

        "notation" for a text that is no act at all, whatever the position. The order is: game over, or a deal
        while there are pyramids to place, or a placing when there are none (HR-8); a roll where none is due, a
        placing before it, or numbers that could not be (HR-2); no such square (HR-1); another's colour (HR-6); none
        of that size or colour left (HR-3).
        """
        placing, numbers = PLACING.fullmatch(text), NUMBERS.fullmatch(text)
        if not placing and not (numbers and is_written_right(text)):
            return "notation"
        all_placed = self.left(0) + self.left(1) == 0
        if self.ended_by or (all_placed if placing else text.startswith("deal") and not all_placed):
            return "HR-8"
        if numbers:
            may_be = self.may_be_rolled if text.startswith("roll") else self.may_be_dealt
            return None if may_be(read_numbers(text)) else "HR-2"
        if self.to_be_rolled:
            return "HR-2"
        assert placing
        size, colour, square = placing.groups()
        if square not in self.squares:
            return "HR-1"
        if colour and OWNER[colour] != self.seat:
            return "HR-6"
        left = self.stashes[self.seat][size, colour] if colour else self.left_of_size(self.seat, size)
        return None if left else "HR-3"

    def may_be_rolled(self, numbers: list[str]) -> bool:
        """Whether the dice are to be rolled now and can show these numbers, told smallest first (HR-2)."""
        right = len(numbers) == len(self.squares) and set(numbers) <= set("123456")
        return self.to_be_rolled and right and numbers == sorted(numbers)

    def may_be_dealt(self, numbers: list[str]) -> bool:
        """Whether these numbers can lie on the squares, row by row (HR-2)."""
        if len(numbers) != len(self.squares):
            return False
        if self.known is None:
            return set(numbers) <= set("123456")
        return sorted(numbers) == sorted(str(value) for value in self.known)

    def apply(self, text: str) -> "Oracle":
        """The position after an act. Raises ValueError, with the rule, where the act is not legal."""
        fault = self.fault(text)
        if fault:
            raise ValueError(f"{text}: {fault}")
        after = copy.copy(self)
        after.effects = ()
        placing = PLACING.fullmatch(text)
        if placing:
            size, colour, square = placing.groups()
            piece = (size, colour or self.usual_colour(self.seat, size))
            after.stacks = {**self.stacks, square: [*self.stacks[square], piece]}
            after.stashes = [Counter(stash) for stash in self.stashes]
            after.stashes[self.seat][piece] -= 1
            return after
        if text.startswith("roll"):
            after.rolled = [int(number) for number in read_numbers(text)]
            after.effects = tuple(("roll", number) for number in after.rolled)
            return after
        after.numbers = dict(zip(self.squares, map(int, read_numbers(text)), strict=True))
        after.effects = tuple(("reveal", square, number) for square, number in after.numbers.items())
        after.winners = frozenset(seat for seat in (0, 1) if after.scores[seat] == max(after.scores))  # HR-10
        return after

    def perft(self, depth: int) -> int:
        """The number of act sequences of exactly this length, colours left out; the deal has outcomes to list."""
        if depth == 0:
            return 1
        if self.to_be_rolled:
            rolls = combinations_with_replacement("123456", len(self.squares))
            return sum(self.apply(f"roll:{''.join(roll)}").perft(depth - 1) for roll in rolls)
        if depth == 1:
            return len(self.legal())
        return sum(self.apply(text).perft(depth - 1) for text in self.legal())


def is_hidden(stack: list[Piece], height: int) -> bool:
    """Whether a larger pyramid lies anywhere above (HR-7)."""
    return any(PIPS[size] > PIPS[stack[height][0]] for size, _ in stack[height + 1 :])


def arrangements(supply: Counter[int], count: int) -> Iterator[tuple[int, ...]]:
    """All different rows of so many numbers out of a supply."""
    if count == 0:
        yield ()
        return
    for number in sorted(supply):
        if supply[number]:
            for rest in arrangements(supply - Counter({number: 1}), count - 1):
                yield (number, *rest)


def write_deal(numbers: Sequence[int]) -> str:
    """The notation of a deal."""
    return write_numbers("deal", numbers)


def write_numbers(kind: str, numbers: Sequence[int]) -> str:
    """The notation of a roll or a deal: commas where any number is above 9."""
    return f"{kind}:" + ("," if max(numbers) > 9 else "").join(map(str, numbers))


def read_numbers(text: str) -> list[str]:
    """The numbers of a roll or a deal, as they are written."""
    written = text.partition(":")[2]
    return written.split(",") if "," in written else list(written)


def is_written_right(text: str) -> bool:
    """Whether a roll or a deal has commas only where a number is above 9."""
    return "," not in text or any(len(number) > 1 for number in read_numbers(text))


def hidden(drawing: str, rows: int = 3, cols: int = 3) -> dict[str, list[bool]]:
    """For every square which of its pyramids, from bottom to top, are marked as hidden."""
    return {
        square: [bool(found["hidden"]) for found in DRAWN_PIECE.finditer(token)]
        for square, token in sheet(rows, cols).read(drawing).items()
    }
