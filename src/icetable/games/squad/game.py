"""The rules of Who's On The Squad?"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from icetable.core.errors import Fault
from icetable.core.options import Reading
from icetable.workshop.boards import OPPOSITE, ORTHOGONALS, Board, squares
from icetable.workshop.design import Game, option
from icetable.workshop.equipment import Pyramid, Token
from icetable.workshop.look import Look, Says
from icetable.workshop.table import Table

SIZES = {"F": "S", "S": "M", "J": "L"}
NAMES = {"S": "freshman", "M": "sophomore", "L": "junior"}
BEST_SOLO_SCORES = {(2, "exact"): 1, (3, "exact"): 12, (2, "up-to"): 13}
"""The best possible score of a single player, by trios and formation (found by `solve`)."""
READINGS = (
    Reading(
        "Exact",
        "A freshman needs exactly 1 neighbour, a sophomore 2, a junior 3: tight, and often over early. "
        "With two players, the second to play has a slight edge.",
    ),
    Reading(
        "Friendly",
        "A freshman needs 1 neighbour, a sophomore 1 or 2, a junior 1 to 3: more room, more stunts. "
        "With two players, the first to play has the edge, so play two games.",
    ),
)
"""Descriptions of the choices of `formation`. Their figures: `icetable lab sweep squad --over formation=exact,up-to
--seats sims:100 --blocks 300` for each number of players, and measured.json."""


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

    name, title = "squad", "Who's On The Squad?"
    players = (1, 4)
    mechanics = ("Placement", "Leaping", "Chain reactions")
    side = option(
        {1: 4, 2: 4, 3: 6, 4: 6},
        name="board",
        rule="SQ-1",
        about="Squares per side; by default 4 for one or two players, else 6",
    )
    trios = option(
        {1: 3, 2: 2, 3: 3, 4: 3},
        rule="SQ-2",
        about="Friends of each size per player; by default 2 for two players, else 3",
    )
    captain_start = option(1, 0, rule="SQ-3", about="Number a captain shows until its first stunt")
    begins = option(
        "corner",
        "seat",
        rule="SQ-4",
        about="Who begins with three players",
        labels=("the first captain in a corner", "the first seat"),
        before="seat",
    )
    friends = option(
        "any",
        "own",
        rule="SQ-6",
        about="Whose pieces count as friends; with only your own, about half as many find a place",
        labels=("anyone's", "only your own"),
    )
    formation = option(
        "exact",
        "up-to",
        rule="SQ-7",
        about="A friend needs exactly as many friends beside it as its size says, or up to that",
        readings=READINGS,
        recommended="up-to",
    )
    stuck = option(
        "mover",
        "anyone",
        rule="SQ-13",
        about="Whose friends must have no place left for the game to end",
        labels=("those of the player to move", "anyone's"),
        before="mover",
    )
    tie = option(
        "tied",
        "all",
        rule="SQ-15",
        about="Who can win a tie by having the most friends on the board",
        labels=("the players who are tied", "every player"),
        before="tied",
    )
    turn_rule, acts_rule, stuck_rule = "SQ-5", "SQ-6", "SQ-13"
    examples = ("C@a1", "F@b1", "S@b2", "J@c3")
    look = Look(
        goal="The most points: 5 for each junior of yours that stays, and the number on your captain.",
        letters="FSJ",
        names={"F": "freshman|freshmen", "S": "sophomore", "J": "junior", "C": "captain"},
        dice={"C": 4},
        beside="supplies",
        says={
            "captain": Says("<piece> begins on <0>", "<kind> on <0>", "put", "land"),
            "formation": Says("<piece> comes to <0>", "<kind> on <0>", "put", "land"),
            "stunt": Says(
                "<piece> leaps from <0> over <1> to <2> and shows <face>",
                "<whose><kind> leaps to <2>",
                "leap",
                "leap",
                "stunt",
            ),
            "fall": Says("<piece> on <0> <falls|fall>", "<count> <falls|fall>", "fall", "capture", "fall"),
        },
    )

    def board(self) -> Board:
        return squares(self.side, self.side)

    def start(self, table: Table) -> None:
        for seat in self.seats:
            friends = [Pyramid(size, seat) for size in NAMES for _ in range(self.trios)]
            table.pad[seat] = [captain(self.captain_start, seat), *friends]

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

    @property
    def captains_site(self) -> str:
        """Where captains may begin, in words (SQ-4)."""
        return "square on the rim" if len(self.seats) == 3 else "corner"

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
        if letter == "C":
            table.put(table.pad[table.seat].pop(0), space, said="")
            table.say("captain", space, value=f"{table.seat}C")
            table.end_turn(to=None if self.captains_come(table) else self.who_begins(table))
        else:
            friend = Pyramid(SIZES[letter], table.seat)
            table.spend(friend, said="")
            table.put(friend, space, said="formation")
            self.fall(table, self.stunt(table, space))
            table.end_turn()

    def who_begins(self, table: Table) -> int:
        """The seat that places the first friend (SQ-4)."""
        if len(self.seats) == 3 and self.begins == "corner":
            corners = [space for space in table.where() if len(table.steps(space, ORTHOGONALS)) == 2]
            return min((table.top(space).colour for space in corners), default=0)
        return 0

    def stunt(self, table: Table, placed: str) -> list[str]:
        """Make all stunts over a new friend. Returns the squares where captains landed (SQ-8 to SQ-10)."""
        leaps = sorted(self.leaps(table, placed), key=lambda leap: table.top(leap[0]).colour)
        for here, there in leaps:
            table.move(here, there, said="")
        for here, there in leaps:
            seat = table.top(there).colour
            die = captain(self.friends_beside(table, there, seat), seat)
            table.replace(there, die, said="")
            table.say("stunt", here, placed, there, value=str(die))
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
            table.take(space, said="fall")

    def is_crowded(self, table: Table, space: str) -> bool:
        """Whether the pyramid here has more friends beside it than it bears (SQ-11)."""
        piece = table.top(space)
        return isinstance(piece, Pyramid) and self.friends_beside(table, space, piece.colour) > self.bears(piece)

    def scores(self, table: Table) -> list[int]:
        return [5 * self.juniors(table, seat) + self.face(table, seat) for seat in self.seats]

    def juniors(self, table: Table, seat: int) -> int:
        """The juniors of a seat on the board (SQ-14)."""
        return len(table.where(seat, "L"))

    def face(self, table: Table, seat: int) -> int:
        """The number that a seat's captain shows (SQ-14)."""
        standing = (piece for pieces in table.stacks.values() for piece in pieces if piece.colour == seat)
        return next(int(piece.name[1:]) for piece in (*standing, *table.pad[seat]) if is_captain(piece))

    def over(self, table: Table) -> str | None:
        if not all(table.pad):
            return "SQ-13"
        if self.stuck == "anyone" and not all(any(self.placings(table, seat)) for seat in self.seats):
            return "SQ-13"
        return None

    def ending(self, table: Table) -> tuple[int, bool]:
        """The seat that ended the game: its last friend is placed, or it is stuck, as the second value says (SQ-13)."""
        for seat in self.seats:
            if not table.pad[seat]:
                return seat, False
        later = (seat % len(self.seats) for seat in range(table.seat, table.seat + len(self.seats)))
        return next(seat for seat in later if not any(self.placings(table, seat))), True

    def ties(self, table: Table) -> list[int]:
        """The friends of each seat on the board (SQ-15, SQ-16)."""
        return [sum(len(table.where(seat, size)) for size in NAMES) for seat in self.seats]

    def winners(self, table: Table) -> list[int]:
        scores, friends = self.scores(table), self.ties(table)
        best = [seat for seat in self.seats if scores[seat] == max(scores)]
        if self.tie == "all" and len(best) > 1:
            best = list(self.seats)
        return [seat for seat in best if friends[seat] == max(friends[one] for one in best)]

    def why(self, table: Table, act: str) -> Fault:
        letter, space = act.split("@")
        if space not in table.spaces:
            return Fault("no-such-square", f"The board has no square {space!r}.", "SQ-1", (space,))
        is_placed = not any(map(is_captain, table.pad[table.seat]))
        if letter == "C" and is_placed:
            return Fault("captain-placed", "Your captain is already on the board.", "SQ-4")
        if letter == "C":
            message = f"A captain begins on an empty {self.captains_site}, not on {space}."
            return Fault("captain-site", message, "SQ-4", (space,))
        if not is_placed:
            return Fault("captains-first", "All captains have to be placed before the first friend.", "SQ-4")
        friend = Pyramid(SIZES[letter], table.seat)
        name = NAMES[friend.size]
        if friend not in table.pad[table.seat]:
            return Fault("none-left", f"You have no {name} left to place.", "SQ-2")
        if table.top(space):
            return Fault("occupied", f"{space} is taken.", "SQ-6", (space,))
        least, most = self.needs(friend)[0], friend.pips
        needed = str(most) if least == most else f"{least} to {most}"
        friends = ("friend" if most == 1 else "friends") + (" of its colour" if self.friends == "own" else "")
        count = self.friends_beside(table, space, table.seat)
        message = f"A {name} needs {needed} {friends} beside it; on {space} it would have {count}."
        return Fault("wrong-formation", message, "SQ-7", (space,))

    def prompt(self, table: Table) -> str:
        if self.captains_come(table):
            return f"Place your captain: choose a marked {self.captains_site}."
        return "Take a friend from your supply, then choose a marked square."

    def reason(self, table: Table) -> str:
        scores, winners = self.scores(table), self.winners(table)
        last, is_stuck = self.ending(table)
        parts = [
            f"<who {last}> cannot place another friend." if is_stuck else f"<whose {last}> last friend is on the board."
        ]
        if scores.count(max(scores)) > len(winners):
            seats = " ".join(map(str, winners))
            parts.append(f"With equal points, <who {seats}> <has {seats}> more friends there.")
        sums = [
            f"<who {seat}>: {self.juniors(table, seat)} × 5 + {self.face(table, seat)} = {scores[seat]}"
            for seat in self.seats
        ]
        parts.append(f"Score: 5 per junior plus the captain’s number. {'. '.join(sums)}.")
        best = BEST_SOLO_SCORES.get((self.trios, self.formation)) if len(self.seats) == 1 else None
        return " ".join([*parts, *([f"The best known score is {best}."] if best is not None else [])])

    def unsound(self, table: Table) -> str | None:
        if doubled := [space for space in table.spaces if len(table.stack(space)) > 1]:
            return f"more than one piece stands on {doubled[0]} (SQ-6)"
        to_come = [piece for pad in table.pad for piece in pad]
        if table.turn != (3 * self.trios + 1) * len(self.seats) - len(to_come):
            return "the number of turns is not that of the pieces that were placed (SQ-5)"
        captains = sum(is_captain(table.top(space)) for space in table.where())
        if self.captains_come(table) and not table.seat == table.turn == captains:
            return "all captains are placed before the first friend, in the order of the seats (SQ-4)"
        return None


def captain(face: int, seat: int) -> Token:
    """A captain, a die that shows a number (SQ-3)."""
    return Token(f"C{face}", seat)


def is_captain(piece: Any) -> bool:
    """Whether a piece is a captain."""
    return isinstance(piece, Token)
