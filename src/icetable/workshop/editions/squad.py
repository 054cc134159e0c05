"""Who's On The Squad? in readable form."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from icetable.workshop import OPPOSITE, ORTHOGONALS, Board, Game, Pyramid, Table, Token, option, squares

SIZES = {"F": "S", "S": "M", "J": "L"}
NAMES = {"S": "freshman", "M": "sophomore", "L": "junior"}


class Squad(Game):
    """Place your friends so that your captain leaps into a crowd and your juniors stay standing.

    **SQ-1** One or two play on four by four squares, three or four on six by six. Squares are beside each other where
    they share a side.

    **SQ-2** Each player has friends of one colour: freshmen (small), sophomores (medium) and juniors (large), two of
    each where two play, else three of each.

    **SQ-3** Each player has a captain, a die of four sides. It shows 1 until its first stunt.

    **SQ-4** First all captains are placed, in the order of the seats: each on an empty corner or, where three play, on
    any empty square of the rim. Seat 0 begins; of three players the first whose captain stands in a corner, if any.

    **SQ-5** Then the players take turns.

    **SQ-6** A turn places a friend on an empty square. Pyramids and captains are friends, whoever owns them.

    **SQ-7** Beside that square there must be one friend for a freshman, two for a sophomore, three for a junior.

    **SQ-8** Every captain beside the new friend, whoever owns it, makes a stunt if it can: it leaps straight over the
    friend to the square behind, which has to be empty.

    **SQ-9** Captains on opposite sides of the friend block each other. All stunts are judged before the first is made.

    **SQ-10** A captain that has landed is turned to the number of friends beside it, when all have landed.

    **SQ-11** Then each pyramid beside a captain that made a stunt falls, if more friends are beside it than it bears:
    one, two or three by its size. All fall together, and are out of the game. No other pyramid falls, even if it has
    too many friends beside it (SQ-11a).

    **SQ-12** Captains never leave the board.

    **SQ-13** The game is over when somebody has placed the last friend, or when the player to move can place none.

    **SQ-14** Five points for each own junior on the board, and as many as the captain shows.

    **SQ-15** The most points win. Of players who are equal, those with the most friends on the board.

    **SQ-16** Alone, play for the highest score.
    """

    name, title = "squad_edition", "Who's On The Squad?, the readable edition"
    players = (1, 4)
    side = option({1: 4, 2: 4, 3: 6, 4: 6}, rule="SQ-1", name="board")
    trios = option({1: 3, 2: 2, 3: 3, 4: 3}, rule="SQ-2")
    captain_start = option(1, 0, rule="SQ-3")
    begins = option("corner", "seat", rule="SQ-4")
    friends = option("any", "own", rule="SQ-6")
    formation = option("exact", "up-to", rule="SQ-7")
    stuck = option("mover", "anyone", rule="SQ-13")
    tie = option("tied", "all", rule="SQ-15")
    turn_rule, stuck_rule = "SQ-5", "SQ-13"

    def board(self) -> Board:
        return squares(self.side, self.side)

    def start(self, table: Table) -> None:
        for seat in self.seats:
            trio = [Pyramid(size, seat) for size in NAMES]
            table.pad[seat] = [Token(str(self.captain_start), seat), *trio * self.trios]

    def notation(self, text: str) -> bool:
        return re.fullmatch("[CFSJ]@[a-z][0-9]+", text) is not None

    def acts(self, table: Table) -> Iterator[str]:
        return self.placings(table, table.seat)

    def placings(self, table: Table, seat: int) -> Iterator[str]:
        """The legal placements of a seat."""
        if self.captains_come(table):
            yield from (f"C@{space}" for space in table.empty() if self.is_for_captains(table, space))
            return
        for letter, size in SIZES.items():
            friend = Pyramid(size, seat)
            if friend in table.pad[seat]:
                for space in table.empty():
                    if self.friends_beside(table, space, seat) in self.needs(friend):
                        yield f"{letter}@{space}"

    def captains_come(self, table: Table) -> bool:
        """Whether captains have yet to be placed (SQ-4)."""
        return any(is_captain(piece) for pad in table.pad for piece in pad)

    def is_for_captains(self, table: Table, space: str) -> bool:
        """Whether a captain may begin here (SQ-4)."""
        return len(table.steps(space, ORTHOGONALS)) <= (3 if len(self.seats) == 3 else 2)

    def needs(self, friend: Pyramid) -> range:
        """The numbers of friends with which a pyramid may be placed (SQ-7)."""
        return range(1 if self.formation == "up-to" else friend.pips, friend.pips + 1)

    def bears(self, friend: Pyramid) -> int:
        """The number of friends beside it that a pyramid bears (SQ-11)."""
        return friend.pips

    def friends_beside(self, table: Table, space: str, colour: int | str) -> int:
        """The number of a colour's friends beside a square (SQ-6)."""
        beside = [piece for near in table.steps(space, ORTHOGONALS) if (piece := table.top(near))]
        return sum(self.friends == "any" or piece.colour == colour for piece in beside)

    def play(self, table: Table, act: str) -> None:
        letter, space = act.split("@")
        piece = table.pad[table.seat][0] if letter == "C" else Pyramid(SIZES[letter], table.seat)
        table.spend(piece)
        table.put(piece, space)
        if letter != "C":
            self.fall(table, self.stunt(table, space))
        has_begun = letter != "C" or self.captains_come(table)
        table.end_turn(to=None if has_begun else self.who_begins(table))

    def who_begins(self, table: Table) -> int:
        """The seat that places the first friend (SQ-4)."""
        if len(self.seats) == 3 and self.begins == "corner":
            corners = [space for space in table.where() if len(table.steps(space, ORTHOGONALS)) == 2]
            return min((table.top(space).colour for space in corners), default=0)
        return 0

    def stunt(self, table: Table, placed: str) -> list[str]:
        """Make all stunts over a new friend. Returns the squares where captains landed (SQ-8 to SQ-10)."""
        leaps = list(self.leaps(table, placed))
        for here, there in leaps:
            table.move(here, there)
        for _, there in leaps:
            seat = table.top(there).colour
            table.replace(there, Token(str(self.friends_beside(table, there, seat)), seat))
        return [there for _, there in leaps]

    def leaps(self, table: Table, placed: str) -> Iterator[tuple[str, str]]:
        """The leaps of captains over a square, each by the squares where it starts and ends (SQ-8)."""
        for way in ORTHOGONALS:
            for here in table.steps(placed, [OPPOSITE[way]]):
                for there in table.steps(placed, [way]):
                    if is_captain(table.top(here)) and not table.top(there):
                        yield here, there

    def fall(self, table: Table, landed: list[str]) -> None:
        """Remove the pyramids that fall beside captains that have landed (SQ-11)."""
        beside = {near for space in landed for near in table.steps(space, ORTHOGONALS)}
        for space in [space for space in table.spaces if space in beside and self.is_crowded(table, space)]:
            table.take(space)

    def is_crowded(self, table: Table, space: str) -> bool:
        """Whether the pyramid here has more friends beside it than it bears (SQ-11)."""
        piece = table.top(space)
        return isinstance(piece, Pyramid) and self.friends_beside(table, space, piece.colour) > self.bears(piece)

    def scores(self, table: Table) -> list[int]:
        pieces = [*(table.top(space) for space in table.where()), *(pad[0] for pad in table.pad if pad)]
        dice = {piece.colour: int(piece.name) for piece in pieces if is_captain(piece)}
        return [5 * len(table.where(seat, "L")) + dice[seat] for seat in self.seats]

    def over(self, table: Table) -> str | None:
        if not all(table.pad):
            return "SQ-13"
        if self.stuck == "anyone" and not all(any(self.placings(table, seat)) for seat in self.seats):
            return "SQ-13"
        return None

    def winners(self, table: Table) -> list[int]:
        scores = self.scores(table)
        best = [seat for seat in self.seats if scores[seat] == max(scores)]
        if self.tie == "all" and len(best) > 1:
            best = list(self.seats)
        count = {seat: sum(len(table.where(seat, size)) for size in NAMES) for seat in best}
        return [seat for seat in best if count[seat] == max(count.values())]

    def why(self, table: Table, act: str) -> tuple[str, str]:
        letter, space = act.split("@")
        if space not in table.spaces:
            return "SQ-1", f"The board has no square {space}."
        if letter == "C" or self.captains_come(table):
            return "SQ-4", "All captains come first, each on an empty square of the rim that is open to them."
        friend = Pyramid(SIZES[letter], table.seat)
        if friend not in table.pad[table.seat]:
            return "SQ-2", f"You have no {NAMES[friend.size]} left."
        if table.top(space):
            return "SQ-6", f"{space} is taken."
        count = self.friends_beside(table, space, table.seat)
        return "SQ-7", f"On {space} a {NAMES[friend.size]} would have {count} friends beside it."


def is_captain(piece: Any) -> bool:
    """Whether a piece is a captain, which is a die."""
    return isinstance(piece, Token)
