"""The slow twin of WreckTangle: the rules played naively, straight from the rule text.

It shares no code with the product and knows no tricks, so that the fast rules can be checked against it.
Rule ids (WT-1 to WT-18) are those of the rule text.

A position is drawn as the board lies on the table: rank 8 first, one token a square::

    #       a corner, which is blocked off
    .       an empty square
    0P 1Q   a pawn of seat 0, a queen of seat 1 (D: a drone)
    x       an empty square that is marked, as a destination that a test expects
    1Qx     a pyramid that is marked, as one that a test expects to be swapped

`Oracle.drawn` reads the pyramids and `SHEET.marked` the marks, so that one drawing can tell both what stands on
the board and where a pyramid may go. Pyramids that are not drawn are lost.
"""

import copy
import re
from collections.abc import Callable, Iterator
from itertools import combinations, product
from typing import Any

from tests.games.boards import Sheet

Piece = tuple[int, str]
"""Seat and size of a pyramid."""
Place = tuple[int, int]
"""File and rank of a square, both from 1 to 8; also a direction, as a change of both."""
Rectangle = tuple[str, str, str, str]
"""The corners of a rectangle in the order of their names."""
Measure = Callable[[str], Place]
"""Two numbers for each square, so that the sides of a rectangle have one of them in common."""
Effect = tuple[str | int, ...]
"""("rectangle", four corners, "counts", "home" or "repeated"), ("capture", square, seat, size),
("coin", side that shows), ("out", seat), ("removed", square, seat, size) or ("turn", seat whose turn it is)."""

STRAIGHT = ((0, 1), (1, 0), (0, -1), (-1, 0))
DIAGONAL = ((1, 1), (1, -1), (-1, -1), (-1, 1))
DIRECTIONS = {"P": STRAIGHT, "D": DIAGONAL, "Q": STRAIGHT + DIAGONAL}
"""Where a pyramid of each size may go by a normal move (WT-6)."""
FACES = ("away", "toward", "diag-away", "diag-toward", "swap", "wild")

EDGES: dict[str, tuple[tuple[str, ...], Place]] = {
    "rank 1": (("b1", "c1", "d1", "e1", "f1", "g1"), (0, 1)),
    "file a": (("a2", "a3", "a4", "a5", "a6", "a7"), (1, 0)),
    "rank 8": (("b8", "c8", "d8", "e8", "f8", "g8"), (0, -1)),
    "file h": (("h2", "h3", "h4", "h5", "h6", "h7"), (-1, 0)),
}
"""For each edge the squares of the home row on it, and the direction away from it (WT-2, WT-7)."""
SEATS = {
    2: ("rank 1", "rank 8"),
    3: ("rank 1", "file a", "rank 8"),
    4: ("rank 1", "file a", "rank 8", "file h"),
}
"""The edges of the seats by number of players (WT-3)."""
HOME_ROW = ("P", "D", "Q", "Q", "D", "P")
LOST = 3
"""A player who has lost so many of the six pyramids is out (WT-16)."""

NAME = "[a-z][0-9]+"
ROLL = re.compile(f"die:({'|'.join(FACES)})")
MOVE = re.compile(f"({NAME})-({NAME})")
STEP = re.compile(f"~({NAME})-({NAME})")
SWAP = re.compile(f"~({NAME})[*]({NAME})")

PLACES: dict[str, Place] = {
    f"{'abcdefgh'[file - 1]}{rank}": (file, rank)
    for file, rank in product(range(1, 9), repeat=2)
    if not {file, rank} <= {1, 8}
}
"""File and rank of every square by name: a2, a3, …, b1, … (WT-1)."""
NAMES = {place: name for name, place in PLACES.items()}
SHEET = Sheet(
    rows=[[f"{file}{rank}" for file in "abcdefgh"] for rank in range(8, 0, -1)],
    token=re.compile("#|[.]|x|[0-3][PDQ]x?"),
    shape="the board has 8 rows of 8 (WT-1)",
    meaning="a token is # on a corner, else '.', a pyramid such as 0P, an x, or both",
    blocked=("a1", "a8", "h1", "h8"),
)


class Oracle:
    """A position of WreckTangle: `apply` gives the next one and leaves this one as it is.

    standing: what stands on each occupied square; seat: whose turn it is, or would be if the game were not over;
    roll: the face of the die, None before the roll; normal_made, die_used: what has been done in this turn;
    coin: the side that shows; last: for each seat its last capturing rectangles (WT-13); turns: those that have
    passed; ended_by: the rule that ended the game, or None; winners: empty until then; effects: what the last act
    caused, in order, those of a kind by square or seat.

    Raises ValueError where an option has a value that the rules do not know.
    """

    def __init__(
        self,
        players: int = 2,
        leap: bool = False,
        rectangles: str = "upright",
        home_coin: str = "stays",
        fallen: str = "removed",
        turn_limit: int = 400,
    ) -> None:
        if players not in SEATS:
            raise ValueError(f"players is 2 to 4, not {players}")
        if leap not in (False, True):
            raise ValueError(f"leap is false or true, not {leap}")
        if rectangles not in ("upright", "tilted"):
            raise ValueError(f"rectangles is upright or tilted, not {rectangles}")
        if home_coin not in ("stays", "turns"):
            raise ValueError(f"home_coin is stays or turns, not {home_coin}")
        if fallen not in ("removed", "stay"):
            raise ValueError(f"fallen is removed or stay, not {fallen}")
        if turn_limit < 0:
            raise ValueError(f"turn_limit is 0 (none) or more, not {turn_limit}")
        self.players = players
        self.leap = leap
        self.rectangles = rectangles
        self.home_coin = home_coin
        self.fallen = fallen
        self.turn_limit = turn_limit
        self.edges = SEATS[players]
        self.standing: dict[str, Piece] = {
            square: (seat, size)
            for seat, edge in enumerate(self.edges)
            for square, size in zip(EDGES[edge][0], HOME_ROW, strict=True)
        }
        self.seat = 0
        self.roll: str | None = None
        self.normal_made = False
        self.die_used = False
        self.coin = "heads"  # WT-4
        self.last: tuple[frozenset[Rectangle], ...] = (frozenset(),) * players
        self.turns = 0
        self.ended_by: str | None = None
        self.winners: frozenset[int] = frozenset()
        self.effects: tuple[Effect, ...] = ()

    @classmethod
    def drawn(
        cls,
        drawing: str,
        *,
        seat: int = 0,
        roll: str | None = None,
        normal_made: bool = False,
        die_used: bool = False,
        coin: str = "heads",
        last: str = "",
        turns: int = 0,
        **options: Any,
    ) -> "Oracle":
        """The position of a drawing, `seat` to move after this `roll` (None: the die is to be rolled).

        `last` names the last capturing rectangles of that seat: "c3 c5 e3 e5, c3 c7 e3 e7".

        Raises ValueError where play could not lead to such a position, though how the coin came to show a side is
        not looked at.
        """
        position = cls(**options)
        position.standing = {}
        for square, token in SHEET.read(drawing).items():
            if found := re.match("([0-3])([PDQ])", token):
                position.standing[square] = (int(found[1]), found[2])
        for piece in position.standing.values():
            if piece[0] >= position.players:
                raise ValueError(f"nobody has seat {piece[0]} (WT-3)")
            if list(position.standing.values()).count(piece) > 2:
                raise ValueError(f"seat {piece[0]} has more than two of size {piece[1]} (WT-2)")
        if position.fallen == "removed" and any(not position.is_in(owner) for owner, _ in position.standing.values()):
            raise ValueError("a player who is out has no pyramids on the board (WT-16)")
        if len(position.seats_in()) < 2:
            raise ValueError("the last player in the game has won (WT-17)")
        if not position.is_in(seat):
            raise ValueError(f"seat {seat} is out (WT-16)")
        if roll not in (None, *FACES):
            raise ValueError(f"no face of the die is {roll} (WT-7)")
        if roll is None and (normal_made or die_used):
            raise ValueError("the roll comes first (WT-5)")
        position.seat, position.roll, position.normal_made, position.die_used = seat, roll, normal_made, die_used
        position.coin, position.turns = coin, turns
        rectangles = frozenset(read_rectangle(text) for text in last.split(",") if text)
        position.last = tuple(rectangles if owner == seat else frozenset() for owner in range(position.players))
        if roll is not None and position.legal() == {"end"}:
            raise ValueError("the turn has passed by itself (WT-9)")
        return position

    def __str__(self) -> str:
        """The drawing of the position, which `drawn` reads; it tells nothing but what stands on the board."""
        return SHEET.draw({square: f"{seat}{size}" for square, (seat, size) in self.standing.items()})

    def key(self) -> tuple[object, ...]:
        """All that makes up the position, as plain values that compare and hash.

        In order: seats to act, the seat whose turn it is, the roll, whether the normal move is made, whether the
        die is used, the side of the coin, turns, the rule that ended the game, winners, for each seat its last
        capturing rectangles, and the occupied squares by name with what stands there.
        """
        return (
            tuple(sorted(self.to_act)),
            self.seat,
            self.roll,
            self.normal_made,
            self.die_used,
            self.coin,
            self.turns,
            self.ended_by,
            tuple(sorted(self.winners)),
            tuple(tuple(sorted(rectangles)) for rectangles in self.last),
            tuple(sorted(self.standing.items())),
        )

    @property
    def to_act(self) -> frozenset[int]:
        """The seat to move, nature (-1) when the die is to be rolled, or nobody when the game is over."""
        if self.ended_by:
            return frozenset()
        return frozenset({-1 if self.roll is None else self.seat})

    @property
    def scores(self) -> tuple[int, ...]:
        """1 for each winner and 0 for the others; all 0 until the game is over (WT-18)."""
        return tuple(int(seat in self.winners) for seat in range(self.players))

    def is_in(self, seat: int) -> bool:
        """Whether a seat has lost fewer than three of its six pyramids (WT-16)."""
        return sum(owner == seat for owner, _ in self.standing.values()) > len(HOME_ROW) - LOST

    def seats_in(self) -> list[int]:
        """The seats that are still in the game."""
        return [seat for seat in range(self.players) if self.is_in(seat)]

    def legal(self) -> set[str]:
        """The notations of all legal acts (WT-5, WT-9); before the roll the six faces, equally likely."""
        if self.ended_by:
            return set()
        if self.roll is None:
            return {f"die:{face}" for face in FACES}
        normal_moves = set() if self.normal_made else self.normal_moves()
        die_moves = set() if self.die_used else self.die_moves()
        return die_moves | (normal_moves or {"end"})

    def normal_moves(self) -> set[str]:
        """All normal moves of the seat whose turn it is (WT-6)."""
        return {
            f"{square}-{last}"
            for square, (owner, size) in self.standing.items()
            if owner == self.seat
            for direction in DIRECTIONS[size]
            if (last := self._two_squares_on(square, direction))
        }

    def _two_squares_on(self, square: str, direction: Place) -> str | None:
        """The square on which a normal move in a direction lands, None where it can't be made."""
        between = beyond(square, direction)
        last = between and beyond(between, direction)
        if not between or not last or last in self.standing:
            return None
        return last if self.leap or between not in self.standing else None

    def die_moves(self) -> set[str]:
        """All die moves that the roll allows (WT-7, WT-8)."""
        assert self.roll
        faces = set(FACES) - {"wild"} if self.roll == "wild" else {self.roll}
        steps = {
            f"~{square}-{last}"
            for face in faces - {"swap"}
            for square, (owner, _) in self.standing.items()
            for direction in self.steps(owner, face)
            if (last := beyond(square, direction)) and last not in self.standing
        }
        swaps = {
            f"~{first}*{second}"
            for first, second in combinations(sorted(self.standing), 2)
            if self.standing[first] != self.standing[second]
        }
        return steps | swaps if "swap" in faces else steps

    def steps(self, owner: int, face: str) -> list[Place]:
        """The directions in which a face of the die moves the pyramids of a seat (WT-7)."""
        file, rank = EDGES[self.edges[owner]][1]
        if face.endswith("toward"):
            file, rank = -file, -rank
        if face in ("away", "toward"):
            return [(file, rank)]
        return [(file or side, rank or side) for side in (1, -1)]

    def fault(self, text: str) -> str | None:
        """The rule that a text breaks, the first in the order of the rule text; None when it is legal.

        "notation" for a text that is no act at all, whatever the position. An `end` that is not allowed is one in
        the wrong phase (WT-5).
        """
        roll, move, step, swap = (pattern.fullmatch(text) for pattern in (ROLL, MOVE, STEP, SWAP))
        if swap and not in_order(swap[1], swap[2]):
            return "notation"
        if not (roll or move or step or swap or text == "end"):
            return "notation"
        if self.ended_by:
            return self.ended_by
        if bool(roll) != (self.roll is None):
            return "WT-5"
        if (move and self.normal_made) or ((step or swap) and self.die_used):
            return "WT-5"
        if roll or text in self.legal():
            return None
        if move:
            return "WT-6"
        if swap and self.roll in ("swap", "wild") and {swap[1], swap[2]} <= set(self.standing):
            return "WT-8"
        return "WT-7" if step or swap else "WT-5"

    def apply(self, text: str) -> "Oracle":
        """The position after an act. Raises ValueError, with the rule, where the act is not legal."""
        fault = self.fault(text)
        if fault:
            raise ValueError(f"{text}: {fault}")
        after = copy.copy(self)
        after.standing = dict(self.standing)
        after.effects = ()
        move, step, swap = (pattern.fullmatch(text) for pattern in (MOVE, STEP, SWAP))
        if roll := ROLL.fullmatch(text):
            after.roll = roll[1]
        elif swap:
            after.standing[swap[1]], after.standing[swap[2]] = self.standing[swap[2]], self.standing[swap[1]]
            after.die_used = True
        elif moved := move or step:
            after.standing[moved[2]] = after.standing.pop(moved[1])
            after.normal_made = self.normal_made or bool(move)
            after.die_used = self.die_used or bool(step)
        if move or step or swap:
            after._form(self.rectangles_of(self.seat))
        if text == "end" or after.legal() == {"end"}:  # WT-9
            after._pass_the_turn()
        return after

    def _form(self, before: set[Rectangle]) -> None:
        """What comes of the rectangles that a move has formed, those `before` it apart (WT-11 to WT-17)."""
        formed = {rectangle: self.status(rectangle) for rectangle in self.rectangles_of(self.seat) - before}
        prey = {rectangle: self.prey(rectangle) for rectangle, status in formed.items() if status == "counts"}
        captured = sorted(set().union(*prey.values()))  # WT-14
        self.effects = tuple(("rectangle", *rectangle, status) for rectangle, status in sorted(formed.items()))
        self.effects += tuple(("capture", square, *self.standing[square]) for square in captured)
        capturing = frozenset(rectangle for rectangle, squares in prey.items() if squares)
        if capturing:  # WT-13
            self.last = tuple(capturing if seat == self.seat else last for seat, last in enumerate(self.last))
        if prey or (self.home_coin == "turns" and "home" in formed.values()):  # WT-12, WT-14
            self.coin = "tails" if self.coin == "heads" else "heads"
            self.effects += (("coin", self.coin),)
        were_in = self.seats_in()
        for square in captured:  # WT-15
            del self.standing[square]
        for seat in were_in:
            if not self.is_in(seat):
                self._drop_out(seat)
        if len(self.seats_in()) == 1:  # WT-17
            self.ended_by, self.winners = "WT-17", frozenset(self.seats_in())

    def _drop_out(self, seat: int) -> None:
        """WT-16."""
        self.effects += (("out", seat),)
        if self.fallen == "removed":
            for square in sorted(square for square, (owner, _) in self.standing.items() if owner == seat):
                self.effects += (("removed", square, *self.standing.pop(square)),)

    def _pass_the_turn(self) -> None:
        """WT-9 and WT-18."""
        self.turns += 1
        self.roll, self.normal_made, self.die_used = None, False, False
        following = [(self.seat + step) % self.players for step in range(1, self.players)]
        self.seat = next(seat for seat in following if self.is_in(seat))
        if self.turns == self.turn_limit:
            self.ended_by, self.winners = "WT-18", frozenset(self.seats_in())
        else:
            self.effects += (("turn", self.seat),)

    def rectangles_of(self, seat: int) -> set[Rectangle]:
        """All rectangles whose corners are pyramids of a seat (WT-10)."""
        own = sorted(square for square, (owner, _) in self.standing.items() if owner == seat)
        return {
            (a, b, c, d)
            for a, b, c, d in combinations(own, 4)
            if is_box((a, b, c, d), upright) or (self.rectangles == "tilted" and is_box((a, b, c, d), tilted))
        }

    def status(self, rectangle: Rectangle) -> str:
        """Whether a rectangle that the seat whose turn it is has formed "counts" (WT-14), or why it does not.

        "home": a corner is in a home row (WT-12); "repeated": it was the last to capture (WT-13).
        """
        if any(corner in EDGES[edge][0] for edge in self.edges for corner in rectangle):
            return "home"
        return "repeated" if rectangle in self.last[self.seat] else "counts"

    def prey(self, rectangle: Rectangle) -> set[str]:
        """The squares on which a rectangle captures opponents, as the coin lies (WT-14)."""
        squares = inside(rectangle) if self.coin == "heads" else sides(rectangle)
        return {square for square in squares if self.standing.get(square, (self.seat, ""))[0] != self.seat}


def beyond(square: str, direction: Place) -> str | None:
    """The next square in a direction, None off the board or on a corner (WT-1)."""
    file, rank = PLACES[square]
    return NAMES.get((file + direction[0], rank + direction[1]))


def in_order(first: str, second: str) -> bool:
    """Whether the first square is lower than the second: files a to h, then ranks 1 to 8 (WT-8)."""
    return (first[0], int(first[1:])) < (second[0], int(second[1:]))


def upright(square: str) -> Place:
    """File and rank."""
    return PLACES[square]


def tilted(square: str) -> Place:
    """The two diagonals on which a square lies."""
    file, rank = PLACES[square]
    return file + rank, file - rank


def is_box(corners: Rectangle, measure: Measure) -> bool:
    """Whether four different squares are the corners of a rectangle (WT-10)."""
    first, second = zip(*map(measure, corners), strict=True)
    return len(set(first)) == len(set(second)) == 2


def covered(rectangle: Rectangle) -> Iterator[tuple[str, bool]]:
    """The squares strictly inside a rectangle, with True, and those on its sides, with False (WT-10)."""
    measure = upright if is_box(rectangle, upright) else tilted
    first, second = (sorted(set(values)) for values in zip(*map(measure, rectangle), strict=True))
    for square in PLACES:
        one, other = measure(square)
        within = first[0] <= one <= first[1] and second[0] <= other <= second[1]
        if within and square not in rectangle:
            yield square, one not in first and other not in second


def inside(rectangle: Rectangle) -> set[str]:
    """The squares whose centres lie strictly inside a rectangle (WT-10)."""
    return {square for square, is_inside in covered(rectangle) if is_inside}


def sides(rectangle: Rectangle) -> set[str]:
    """The squares on the sides of a rectangle, its corners apart (WT-10)."""
    return {square for square, is_inside in covered(rectangle) if not is_inside}


def read_rectangle(text: str) -> Rectangle:
    """A rectangle from the names of its corners."""
    a, b, c, d = sorted(set(text.split()))
    if not is_box((a, b, c, d), upright) and not is_box((a, b, c, d), tilted):
        raise ValueError(f"{text} is no rectangle (WT-10)")
    return a, b, c, d
