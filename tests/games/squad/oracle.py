"""The slow twin of Who's On The Squad: the rules played naively, straight from the rule text.

It shares no code with the product and knows no tricks, so that the fast rules can be checked against it.
Rule ids (SQ-1 to SQ-16) are those of the rule text.

A position is drawn as the board lies on the table: the top row first, one token a square::

    .       an empty square
    0F 1S   a freshman of seat 0, a sophomore of seat 1 (J: a junior)
    0C3     the captain of seat 0, its die showing 3
    x       an empty square that is marked, as one where a test expects that a piece may be placed

`Oracle.drawn` reads the pieces and `sheet` the marks, so that one drawing can tell both what stands on
the board and where a piece may go. Friends that are not drawn are still to be placed, but for those that are
said to have fallen.
"""

import copy
import re
from functools import cache
from typing import Any, NamedTuple

from tests.games.boards import Sheet

Piece = tuple[int, str]
"""Seat and kind: a captain C, or a friend of size F, S or J."""
NOBODY: Piece = (-1, "")
"""What stands on an empty square."""
Effect = tuple[str | int, ...]
"""("stunt", seat, from, to, number shown) or ("fall", seat, size, square)."""

SIZES = ("F", "S", "J")
LIMITS = {"F": 1, "S": 2, "J": 3}
"""The number of adjacent friends that is right for a size (SQ-7), and the most that it bears (SQ-11)."""
DIRECTIONS = ((1, 0), (0, 1), (-1, 0), (0, -1))

ACT = re.compile("([CFSJ])@([a-z][0-9]+)")
TOKEN = re.compile("[.x]|[0-3](?:[FSJ]|C[0-4])")


def squares(board: int) -> tuple[str, ...]:
    """The names of all squares of a board, row by row: a1, b1, … (SQ-1)."""
    return tuple(f"{'abcdef'[column]}{row + 1}" for row in range(board) for column in range(board))


def sheet(board: int) -> Sheet:
    """How positions of a board are drawn."""
    return Sheet(
        rows=[squares(board)[first : first + board] for first in range(0, board * board, board)][::-1],
        token=TOKEN,
        shape=f"the board has {board} rows of {board}",
        meaning="a token is '.', an x, a friend such as 0F or a captain such as 0C3",
    )


@cache
def beyond(square: str, direction: tuple[int, int], board: int) -> str | None:
    """The next square in a direction, a change of column and row, or None off the board."""
    name = f"{chr(ord(square[0]) + direction[0])}{int(square[1:]) + direction[1]}"
    return name if name in squares(board) else None


@cache
def neighbours(square: str, board: int) -> frozenset[str]:
    """The squares that share a side with a square (SQ-1)."""
    return frozenset(near for direction in DIRECTIONS if (near := beyond(square, direction, board)))


class Stunt(NamedTuple):
    """The leap of a seat's captain from one square to another."""

    seat: int
    first: str
    last: str


class Oracle:
    """A position of Who's On The Squad: `apply` gives the next one and leaves this one as it is.

    standing: what stands on each occupied square; numbers: for each seat the number on its captain's die, which
    it shows before it is placed too; supplies: for each seat the number of friends of each size still to be
    placed; seat: whose turn it is, or would be if the game were not over; ended_by: the rule that ended the game,
    or None; winners: empty until then; effects: what the last act caused, the stunts by seat and then the falls
    by square, row by row.

    Raises ValueError where an option has a value that the rules do not know.
    """

    def __init__(
        self,
        players: int = 2,
        board: int | None = None,
        trios: int | None = None,
        captain_start: int = 1,
        begins: str = "corner",
        friends: str = "any",
        formation: str = "exact",
        stuck: str = "mover",
        tie: str = "tied",
    ) -> None:
        if players not in (1, 2, 3, 4):
            raise ValueError(f"players is 1 to 4, not {players}")
        if board not in (None, 4, 6):
            raise ValueError(f"board is 4 or 6, not {board}")
        if trios not in (None, 2, 3):
            raise ValueError(f"trios is 2 or 3, not {trios}")
        if captain_start not in (0, 1):
            raise ValueError(f"captain_start is 0 or 1, not {captain_start}")
        if friends not in ("any", "own"):
            raise ValueError(f"friends is any or own, not {friends}")
        if formation not in ("exact", "up-to"):
            raise ValueError(f"formation is exact or up-to, not {formation}")
        if begins not in ("corner", "seat"):
            raise ValueError(f"begins is corner or seat, not {begins}")
        if stuck not in ("mover", "anyone"):
            raise ValueError(f"stuck is mover or anyone, not {stuck}")
        if tie not in ("tied", "all"):
            raise ValueError(f"tie is tied or all, not {tie}")
        self.players = players
        self.board = board or (4 if players <= 2 else 6)
        self.trios = trios or (2 if players == 2 else 3)
        self.captain_start = captain_start
        self.begins = begins
        self.friends = friends
        self.formation = formation
        self.stuck = stuck
        self.tie = tie
        self.squares = squares(self.board)
        self.standing: dict[str, Piece] = {}
        self.numbers = [captain_start] * players  # SQ-3
        self.supplies = [dict.fromkeys(SIZES, self.trios) for _ in range(players)]
        self.seat = 0
        self.ended_by: str | None = None
        self.winners: frozenset[int] = frozenset()
        self.effects: tuple[Effect, ...] = ()

    @classmethod
    def drawn(cls, drawing: str, *, seat: int = 0, fallen: str = "", **options: Any) -> "Oracle":
        """The position of a drawing, with `seat` to move; `fallen` lists the friends that have fallen: "0F 1S".

        While captains are still to be placed, the seats that have placed theirs are the first in order and the
        next one is to move, whatever `seat` says. The end is judged as after an act (SQ-13).

        Raises ValueError where the pieces could not be those of a game. How often each seat has had its turn is
        not looked at, so that a drawing may show few pieces.
        """
        position = cls(**options)
        for square, token in sheet(position.board).read(drawing).items():
            if token not in (".", "x"):
                position.standing[square] = (int(token[0]), token[1])
                if int(token[0]) >= position.players:
                    raise ValueError(f"{square}: nobody has seat {token[0]}")
                if token[1] == "C":
                    position.numbers[int(token[0])] = int(token[2])
        gone = [(int(name[0]), name[1]) for name in fallen.split()]
        if any(owner >= position.players or size not in SIZES for owner, size in gone):
            raise ValueError(f"{fallen}: the fallen are friends such as 0F or 1S")
        placed = [piece for piece in position.standing.values() if piece[1] != "C"]
        for owner, size in (*gone, *placed):
            position.supplies[owner][size] -= 1
            if position.supplies[owner][size] < 0:
                raise ValueError(f"seat {owner} has more than {position.trios} friends of size {size} (SQ-2)")
        captains = sorted(owner for owner, kind in position.standing.values() if kind == "C")
        if captains != list(range(len(captains))):
            raise ValueError(f"captains of the seats {captains}, but they are placed one by one in seat order (SQ-4)")
        position.seat = seat if position.all_captains_stand else len(captains)
        if not position.all_captains_stand and (placed or gone):
            raise ValueError("friends are placed after all captains (SQ-4)")
        if not position.all_captains_stand and not set(position.standing) <= position.captain_squares():
            raise ValueError("a captain begins where it may (SQ-4)")
        position._judge_end()
        return position

    def __str__(self) -> str:
        """The drawing of the position, which `drawn` reads; it does not tell whose turn it is, nor who fell."""
        return sheet(self.board).draw(
            {
                square: f"{owner}{kind}" + (str(self.numbers[owner]) if kind == "C" else "")
                for square, (owner, kind) in self.standing.items()
            }
        )

    def key(self) -> tuple[object, ...]:
        """All that makes up the position, as plain values that compare and hash.

        In order: seats to act, the rule that ended the game, winners, the numbers on the captains, supplies (for
        each seat the numbers of F, S and J), and the occupied squares by name with what stands there.
        """
        return (
            tuple(sorted(self.to_act)),
            self.ended_by,
            tuple(sorted(self.winners)),
            tuple(self.numbers),
            tuple(tuple(supply[size] for size in SIZES) for supply in self.supplies),
            tuple(sorted(self.standing.items())),
        )

    @property
    def to_act(self) -> frozenset[int]:
        """The seat to move, or nobody when the game is over."""
        return frozenset() if self.ended_by else frozenset({self.seat})

    @property
    def scores(self) -> tuple[int, ...]:
        """For each seat 5 for each junior on the board and the number on its captain, at any moment (SQ-14)."""
        return tuple(
            5 * list(self.standing.values()).count((seat, "J")) + self.numbers[seat] for seat in range(self.players)
        )

    @property
    def all_captains_stand(self) -> bool:
        """Whether the time of captains is over and that of friends has come (SQ-4)."""
        return sum(kind == "C" for _, kind in self.standing.values()) == self.players

    def legal(self) -> set[str]:
        """The notations of all legal acts (SQ-4, SQ-6, SQ-7)."""
        return set() if self.ended_by else self.acts_of(self.seat)

    def acts_of(self, seat: int) -> set[str]:
        """What a seat might do if it were its turn."""
        if not self.all_captains_stand:
            return {f"C@{square}" for square in self.captain_squares() if square not in self.standing}
        return {
            f"{size}@{square}"
            for size in SIZES
            if self.supplies[seat][size]
            for square in self.squares
            if square not in self.standing and self.has_formation(size, square, seat)
        }

    def fault(self, text: str) -> str | None:
        """The rule that a text breaks, the first in the order of the rule text; None when it is legal.

        "notation" for a text that is no act at all, whatever the position.
        """
        act = ACT.fullmatch(text)
        if not act:
            return "notation"
        kind, square = act[1], act[2]
        if self.ended_by:
            return self.ended_by
        if square not in self.squares:
            return "SQ-1"
        if kind == "C":
            may_stand = square in self.captain_squares() and square not in self.standing
            return None if may_stand and not self.all_captains_stand else "SQ-4"
        if not self.all_captains_stand:
            return "SQ-4"
        if self.supplies[self.seat][kind] == 0:
            return "SQ-2"
        if square in self.standing:
            return "SQ-6"
        return None if self.has_formation(kind, square, self.seat) else "SQ-7"

    def apply(self, text: str) -> "Oracle":
        """The position after an act. Raises ValueError, with the rule, where the act is not legal."""
        fault = self.fault(text)
        if fault:
            raise ValueError(f"{text}: {fault}")
        kind, square = text.split("@")
        after = copy.copy(self)
        after.standing = {**self.standing, square: (self.seat, kind)}
        after.numbers = list(self.numbers)
        after.supplies = [dict(supply) for supply in self.supplies]
        after.effects = ()
        if kind != "C":
            after.supplies[self.seat][kind] -= 1
            after._stunt_and_fall(square)
        if kind == "C" and after.all_captains_stand:
            after.seat = after.who_begins()
        else:
            after.seat = (self.seat + 1) % self.players  # SQ-5
        after._judge_end()
        return after

    def _stunt_and_fall(self, placed: str) -> None:
        """What follows from a friend that has just been placed."""
        stunts = self.stunts(placed)  # SQ-8, SQ-9: none of them is in the way of another
        for stunt in stunts:
            self.standing[stunt.last] = self.standing.pop(stunt.first)
        for stunt in stunts:
            self.numbers[stunt.seat] = self.friends_beside(stunt.last, stunt.seat)  # SQ-10
        beside = {near for stunt in stunts for near in neighbours(stunt.last, self.board)}  # SQ-11a
        falling = [square for square in self.squares if square in beside and self.is_over_limit(square)]
        falls = [("fall", *self.standing.pop(square), square) for square in falling]  # SQ-11
        shown = [("stunt", *stunt, self.numbers[stunt.seat]) for stunt in stunts]
        self.effects = (*shown, *falls)

    def _judge_end(self) -> None:
        """SQ-13 and SQ-15."""
        played_all = any(not any(supply.values()) for supply in self.supplies)
        watched = range(self.players) if self.stuck == "anyone" and self.all_captains_stand else (self.seat,)
        if not played_all and all(self.acts_of(seat) for seat in watched):
            return
        self.ended_by = "SQ-13"
        best = [seat for seat in range(self.players) if self.scores[seat] == max(self.scores)]
        if self.tie == "all" and len(best) > 1:
            best = list(range(self.players))
        standing = [sum(owner == seat and kind != "C" for owner, kind in self.standing.values()) for seat in best]
        self.winners = frozenset(seat for seat, count in zip(best, standing, strict=True) if count == max(standing))

    def who_begins(self) -> int:
        """The seat that plays the first friend, as the captains have just been placed (SQ-4)."""
        if self.players == 3 and self.begins == "corner":
            for seat in range(3):
                for square, piece in self.standing.items():
                    if piece == (seat, "C") and len(neighbours(square, self.board)) == 2:
                        return seat
        return 0

    def stunts(self, placed: str) -> list[Stunt]:
        """The stunts over a friend that stands on the square, by seat (SQ-8)."""
        found = []
        for column, row in DIRECTIONS:
            first = beyond(placed, (-column, -row), self.board)
            last = beyond(placed, (column, row), self.board)
            if first and last and last not in self.standing:
                seat, kind = self.standing.get(first, NOBODY)
                if kind == "C":
                    found.append(Stunt(seat, first, last))
        return sorted(found)

    def has_formation(self, size: str, square: str, seat: int) -> bool:
        """Whether the number of friends beside a square is right for a friend of a seat (SQ-7)."""
        count = self.friends_beside(square, seat)
        return count == LIMITS[size] or (self.formation == "up-to" and 1 <= count <= LIMITS[size])

    def is_over_limit(self, square: str) -> bool:
        """Whether a friend stands here that is adjacent to more friends than its size allows (SQ-11, SQ-12)."""
        owner, kind = self.standing.get(square, NOBODY)
        return kind in LIMITS and self.friends_beside(square, owner) > LIMITS[kind]

    def friends_beside(self, square: str, seat: int) -> int:
        """How many pieces adjacent to a square are friends of that seat's pieces (SQ-6)."""
        beside = [self.standing[near] for near in neighbours(square, self.board) if near in self.standing]
        return sum(self.friends == "any" or owner == seat for owner, _ in beside)

    def captain_squares(self) -> set[str]:
        """Where captains begin: on a corner, with three players anywhere on the rim (SQ-4)."""
        most = 3 if self.players == 3 else 2
        return {square for square in self.squares if len(neighbours(square, self.board)) <= most}
