"""The slow twin of IceFrogs: the rules played naively, straight from the rule text.

It shares no code with the product and knows no tricks, so that the fast rules can be checked against it.
Rule ids (IF-1 to IF-18) are those of the rule text.

A position is drawn as the board lies on the table: the top row first, one token a space, rows centred for
the eye (only the order of the tokens counts, not their distance)::

    .       an empty space
    0L1M    a stack, bottom to top: a large pyramid of seat 0 with a medium one of seat 1 on it
    x       an empty space that is marked, as a destination that a test expects
    1Lx     a stack that is marked

`Oracle.drawn` reads the pyramids and `sheet` the marks, so that one drawing can tell both what stands
on the board and where a pyramid may go. Pyramids that are not drawn are in the supply.
"""

import copy
import re
from collections.abc import Iterator

from tests.games.boards import Sheet

Piece = tuple[int, str]
"""Seat and size of a pyramid."""
Path = tuple[str, ...]
"""Spaces that a moving pyramid visits, from the one where it begins to the one where it ends."""
Stacks = dict[str, list[Piece]]
"""For every space its pyramids from bottom to top."""

SIZES = ("S", "M", "L")
ROWS = {"star": (1, 2, 7, 6, 5, 6, 7, 2, 1), "hexagon": (4, 5, 6, 7, 6, 5, 4)}
STARTS = {"star": ("a1", "c7", "g7", "i1", "g1", "c1"), "hexagon": ("a1", "a4", "d7", "g4", "g1", "d1")}
PLACES = {2: (0, 3), 3: (0, 2, 4), 4: (0, 1, 3, 4), 5: (0, 1, 2, 3, 4), 6: (0, 1, 2, 3, 4, 5)}
DIRECTIONS = ((0, 2), (1, 1), (1, -1), (0, -2), (-1, -1), (-1, 1))

ENTRY = re.compile("([SML])@([a-z][0-9]+)")
MOVE = re.compile("([a-z][0-9]+)-([a-z][0-9]+)")
TOKEN = re.compile("[.]|(?!$)(?P<stack>([0-5][SML])*)(?P<mark>x?)")


def coordinates(board: str) -> dict[str, tuple[int, int]]:
    """Row (0 at the bottom) and x of every space of a board by name (IF-1, IF-2)."""
    return {
        f"{'abcdefghi'[row]}{i}": (row, 2 * (i - 1) - (n - 1))
        for row, n in enumerate(ROWS[board])
        for i in range(1, n + 1)
    }


def sheet(board: str) -> Sheet:
    """How positions of a board are drawn."""
    spaces = list(coordinates(board))
    return Sheet(
        rows=[[space for space in spaces if space[0] == row] for row in sorted({space[0] for space in spaces})][::-1],
        token=TOKEN,
        shape=f"a {board} has rows of {ROWS[board]}, from the bottom to the top",
        meaning="a token is '.', or a stack such as 0L1M, an x, or both",
    )


class Oracle:
    """A position of IceFrogs: `apply` gives the next one and leaves this one as it is.

    stacks: every space's pyramids from bottom to top; supplies: for each seat the number of pyramids of each
    size still to come in; starts: each seat's start space; turns: acts played, passes among them; passes:
    passes in a row up to now; ended_by: the rule that ended the game, or None; winners: empty until then.

    Raises ValueError where an option has a value that the rules do not know.
    """

    def __init__(self, players: int = 2, board: str = "star", turn_limit: int = 400) -> None:
        if players not in PLACES:
            raise ValueError(f"players is 2 to 6, not {players}")
        if board not in ROWS:
            raise ValueError(f"board is star or hexagon, not {board}")
        if turn_limit < 0:
            raise ValueError(f"turn_limit is 0 (none) or more, not {turn_limit}")
        self.players = players
        self.board = board
        self.turn_limit = turn_limit
        self.coordinates = coordinates(board)
        self.starts = tuple(STARTS[board][place] for place in PLACES[players])
        self.stacks: Stacks = {space: [] for space in self.coordinates}
        self.supplies = [{"S": 5, "M": 5, "L": 5} for _ in range(players)]
        self.turns = 0
        self.passes = 0
        self.ended_by: str | None = None
        self.winners: frozenset[int] = frozenset()

    @classmethod
    def drawn(
        cls, drawing: str, players: int = 2, board: str = "star", turn_limit: int = 400, seat: int = 0
    ) -> "Oracle":
        """The position of a drawing, with `seat` to move in the first round of turns.

        Raises ValueError where play could not lead to such a position.
        """
        position = cls(players, board, turn_limit)
        position.turns = seat
        for space, token in sheet(board).read(drawing).items():
            for seat_digit, size in re.findall("([0-5])([SML])", token):
                piece = (int(seat_digit), size)
                if piece[0] >= players:
                    raise ValueError(f"{space}: nobody has seat {piece[0]}")
                if not position.may_land(size, space, position.stacks):
                    raise ValueError(f"{space}: a pyramid stands on a smaller one (IF-8)")
                if position.supplies[piece[0]][size] == 0:
                    raise ValueError(f"{space}: seat {piece[0]} has more than five of size {size} (IF-3)")
                position.supplies[piece[0]][size] -= 1
                position.stacks[space].append(piece)
        for start in position.starts:
            if position.stacks[start]:
                raise ValueError(f"{start}: a start space is empty between turns (IF-6)")
        return position

    def __str__(self) -> str:
        """The drawing of the position, which `drawn` reads."""
        return draw(
            self.board,
            {space: "".join(f"{seat}{size}" for seat, size in stack) for space, stack in self.stacks.items()},
        )

    def key(self) -> tuple[object, ...]:
        """All that makes up the position, as plain values that compare and hash.

        In order: seats to act, turns, passes in a row, the rule that ended the game, winners, supplies
        (for each seat the numbers of S, M and L), and the occupied spaces by name with their stacks.
        """
        return (
            tuple(sorted(self.to_act)),
            self.turns,
            self.passes,
            self.ended_by,
            tuple(sorted(self.winners)),
            tuple(tuple(supply[size] for size in SIZES) for supply in self.supplies),
            tuple((space, tuple(stack)) for space, stack in sorted(self.stacks.items()) if stack),
        )

    @property
    def seat(self) -> int:
        """The seat whose turn it is, or would be if the game were not over (IF-5)."""
        return self.turns % self.players

    @property
    def start(self) -> str:
        """The start space of the seat whose turn it is (IF-4)."""
        return self.starts[self.seat]

    @property
    def to_act(self) -> frozenset[int]:
        """The seat to move, or nobody when the game is over."""
        return frozenset() if self.ended_by else frozenset({self.seat})

    @property
    def scores(self) -> tuple[int, ...]:
        """1 for each winner and 0 for the others; all 0 until the game is over (IF-18)."""
        return tuple(int(seat in self.winners) for seat in range(self.players))

    def legal(self) -> set[str]:
        """The notations of all legal acts (IF-6, IF-17)."""
        if self.ended_by:
            return set()
        entries = {f"{size}@{last}" for size in SIZES if self.supplies[self.seat][size] for last in self.paths(size)}
        moves = {
            f"{space}-{last}"
            for space, stack in self.stacks.items()
            if stack and stack[-1][0] == self.seat
            for last in self.paths(space)
        }
        return entries | moves or {"pass"}

    def fault(self, text: str) -> str | None:
        """The rule that a text breaks, the first in the order of the rule text; None when it is legal.

        "notation" for a text that is no act at all, whatever the position.
        """
        entry, move = ENTRY.fullmatch(text), MOVE.fullmatch(text)
        if not entry and not move and text != "pass":
            return "notation"
        if self.ended_by:
            return self.ended_by
        if entry:
            return self._entry_fault(entry[1], entry[2])
        if move:
            return self._move_fault(move[1], move[2])
        return None if self.legal() == {"pass"} else "IF-17"

    def _entry_fault(self, size: str, last: str) -> str | None:
        if last not in self.stacks:
            return "IF-2"
        if self.supplies[self.seat][size] == 0:
            return "IF-6"
        return self._way_fault(size, self.start, last)

    def _move_fault(self, first: str, last: str) -> str | None:
        if first not in self.stacks or last not in self.stacks:
            return "IF-2"
        stack = self.stacks[first]
        if self.seat not in [seat for seat, _ in stack]:
            return "IF-6"
        if stack[-1][0] != self.seat:
            return "IF-7"
        if first == last:
            return "IF-14"
        return self._way_fault(first, first, last)

    def _way_fault(self, source: str, first: str, last: str) -> str | None:
        if last == self.start:
            return "IF-13"
        if last in self.paths(source):
            return None
        if last in self.neighbours(first):
            # A step onto an adjacent space fails for one reason only: a smaller top.
            return "IF-8"
        return "IF-9"

    def apply(self, text: str) -> "Oracle":
        """The position after an act. Raises ValueError, with the rule, where the act is not legal."""
        fault = self.fault(text)
        if fault:
            raise ValueError(f"{text}: {fault}")
        after = copy.copy(self)
        after.stacks = {space: list(stack) for space, stack in self.stacks.items()}
        after.supplies = [dict(supply) for supply in self.supplies]
        after.turns += 1
        after.passes = self.passes + 1 if text == "pass" else 0
        entry, move = ENTRY.fullmatch(text), MOVE.fullmatch(text)
        last = None
        if entry:
            last = entry[2]
            after.supplies[self.seat][entry[1]] -= 1
            after.stacks[last].append((self.seat, entry[1]))
        if move:
            last = move[2]
            after.stacks[last].append(after.stacks[move[1]].pop())
        if last in self.goals():
            after.ended_by, after.winners = "IF-16", frozenset({self.seat})
        elif after.passes == self.players:
            after.ended_by, after.winners = "IF-17", frozenset(range(self.players))
        elif after.turns == self.turn_limit:
            after.ended_by, after.winners = "IF-18", frozenset(range(self.players))
        return after

    def paths(self, source: str) -> dict[str, set[Path]]:
        """All shortest paths to each space where a pyramid of the seat to move may end (IF-8 to IF-16).

        `source` is the space whose top pyramid moves, or the size of a new one. A path lists the spaces
        visited, the first and the last included; a new pyramid's begins on the start space.
        """
        stacks = {space: list(stack) for space, stack in self.stacks.items()}
        if source in SIZES:
            first, size = self.start, source
        else:
            first, size = source, stacks[source].pop()[1]  # IF-7, IF-12
        shortest: dict[str, set[Path]] = {}
        for path in self._ways_on((first,), size, stacks):
            last = path[-1]
            if last in (first, self.start):  # IF-14, IF-13
                continue
            known = shortest.setdefault(last, {path})
            if len(path) == len(next(iter(known))):
                known.add(path)
            elif len(path) < len(next(iter(known))):
                shortest[last] = {path}
        return shortest

    def _ways_on(self, path: Path, size: str, stacks: Stacks) -> Iterator[Path]:
        """Every longer path of a pyramid of this size that has come along `path` and has not ended its turn.

        `stacks` is the board without the pyramid (IF-12). It lies still meanwhile, so that coming back to a
        space opens no way that was not open before: a path that comes back is not followed further.
        """
        for direction in DIRECTIONS:
            near = self.beyond(path[-1], direction)
            if near is None:
                continue
            is_first_hop = len(path) == 1
            if self.may_land(size, near, stacks) and (is_first_hop or stacks[near]):  # IF-8, IF-11
                yield (*path, near)
            if not stacks[near] or is_smaller(size, stacks[near][-1][1]):  # IF-9
                continue
            far = self.beyond(near, direction)
            if far is None or not self.may_land(size, far, stacks):  # IF-9
                continue
            yield (*path, far)
            goes_on = not stacks[far] and far not in self.goals()  # IF-10, IF-11, IF-16
            if goes_on and far not in path:
                yield from self._ways_on((*path, far), size, stacks)

    def may_land(self, size: str, space: str, stacks: Stacks) -> bool:
        """Whether a space is empty or its top of equal or larger size (IF-8, IF-9)."""
        return not stacks[space] or not is_smaller(stacks[space][-1][1], size)

    def goals(self) -> set[str]:
        """The start spaces of the other seats (IF-16)."""
        return set(self.starts) - {self.start}

    def beyond(self, space: str, direction: tuple[int, int]) -> str | None:
        """The next space in a direction, a change of row and x, or None off the board (IF-2)."""
        row, x = self.coordinates[space]
        there = (row + direction[0], x + direction[1])
        return next((name for name, place in self.coordinates.items() if place == there), None)

    def neighbours(self, space: str) -> set[str]:
        """The spaces next to a space (IF-2)."""
        return {near for direction in DIRECTIONS if (near := self.beyond(space, direction))}


def is_smaller(size: str, other: str) -> bool:
    """Whether a pyramid of the first size is smaller than one of the other."""
    return SIZES.index(size) < SIZES.index(other)


def draw(board: str, tokens: dict[str, str]) -> str:
    """The drawing of a board with these tokens; a space with none or an empty one is drawn as '.'."""
    half = (max([1, *map(len, tokens.values())]) + 2) // 2
    lines: dict[int, str] = {}
    for space, (row, x) in coordinates(board).items():
        left = max(ROWS[board]) - 1 + x
        lines[row] = lines.get(row, "").ljust(half * left) + (tokens.get(space) or ".")
    return "\n".join(lines[row] for row in sorted(lines, reverse=True))
