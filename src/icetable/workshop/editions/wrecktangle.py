"""WreckTangle in readable form."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from functools import lru_cache
from itertools import combinations

from icetable.workshop import ALL_EIGHT, DIAGONALS, OPPOSITE, ORTHOGONALS, Board, Game, Pyramid, Table, option, squares

HOME_ROWS = {  # by the direction that leads away from it
    "n": [f"{column}1" for column in "bcdefg"],
    "e": [f"a{row}" for row in range(2, 8)],
    "s": [f"{column}8" for column in "bcdefg"],
    "w": [f"h{row}" for row in range(2, 8)],
}
SIDES = {2: "ns", 3: "nes", 4: "nesw"}
WAYS = {"S": ORTHOGONALS, "M": DIAGONALS, "L": ALL_EIGHT}
STEPS = ("away", "toward", "diag-away", "diag-toward")
FACES = (*STEPS, "swap", "wild")
NAME = "[a-z][0-9]+"


class WreckTangle(Game):
    """Form rectangles around your opponents' pyramids, and capture them.

    **WT-1** The board has eight by eight squares, without the four in its corners.

    **WT-2** Each has a home row in the middle of an edge: pawns (small) outside, drones, queens (large) in the middle.

    **WT-3** Two play from rank 1 and rank 8, three from rank 1, file a and rank 8, four from all edges, clockwise.

    **WT-4** A coin lies heads up. Seat 0 begins.

    **WT-5** A turn begins with a roll. Then one normal move has to be made; before or after it one die move may be.

    **WT-6** A normal move goes two squares on, both empty: pawns straight, drones diagonally, queens either way.

    **WT-7** A die move takes any pyramid one step: straight or diagonally, away from its home row or toward it.

    **WT-8** Or it lets two pyramids change places that are not of one colour and size. Wild is any face one likes.

    **WT-9** The turn passes by itself when no move is possible. Without a normal move to make, a player may end it.

    **WT-10** A rectangle has own pyramids at its corners, and upright sides; tilted ones have sides along diagonals.

    **WT-11** A move forms the rectangles of the player who makes it that were not there before.

    **WT-12** A rectangle with a corner in anybody's home row captures nothing and turns no coin.

    **WT-13** Nor does one on the squares of that player's last that captured, until another one has captured.

    **WT-14** All others capture what is inside, or with tails on their sides. Then the coin is turned over once.

    **WT-15** What is captured is out of the game.

    **WT-16** A player who has lost three pyramids is out, and the others of that colour leave the board.

    **WT-17** The last player in the game wins at once.

    **WT-18** After 400 turns the game is a draw of all who are still in it.
    """

    name, title = "wrecktangle_edition", "WreckTangle, the readable edition"
    players = (2, 4)
    leap = option(False, rule="WT-6")
    shape = option("upright", "tilted", rule="WT-10", name="rectangles")
    home_coin = option("stays", "turns", rule="WT-12")
    fallen = option("removed", "stay", rule="WT-16")
    turn_limit = option(400, rule="WT-18")
    turn_rule = "WT-5"

    def board(self) -> Board:
        return squares(8, 8, blocked=("a1", "a8", "h1", "h8"))

    def start(self, table: Table) -> None:
        table.coin, table.last = "heads", [set() for _ in self.seats]
        for seat, side in enumerate(SIDES[table.players]):
            for space, size in zip(HOME_ROWS[side], "SMLLMS", strict=True):
                table.put(Pyramid(size, seat), space)
        self.begin_turn(table)

    def begin_turn(self, table: Table) -> None:
        table.face, table.has_moved, table.has_used_die = "", False, False
        table.roll(FACES)

    def notation(self, text: str) -> bool:
        if swap := re.fullmatch("~([a-z])([0-9]+)[*]([a-z])([0-9]+)", text):
            return (swap[1], int(swap[2])) < (swap[3], int(swap[4]))
        return re.fullmatch(f"die:({'|'.join(FACES)})|~?{NAME}-{NAME}|end", text) is not None

    def acts(self, table: Table) -> list[str]:
        normal = [] if table.has_moved else list(self.normal_moves(table))
        return [*([] if table.has_used_die else self.die_moves(table)), *(normal or ["end"])]

    def normal_moves(self, table: Table) -> Iterator[str]:
        for here in table.where(table.seat):
            for way in WAYS[table.top(here).size]:
                path = table.ray(here, way)[:2]
                if len(path) == 2 and not table.top(path[1]) and (self.leap or not table.top(path[0])):
                    yield f"{here}-{path[1]}"

    def die_moves(self, table: Table) -> Iterator[str]:
        for face in STEPS if table.face == "wild" else [table.face]:
            for here in table.where():
                ways = self.die_ways(face, SIDES[table.players][table.top(here).colour])
                yield from (f"~{here}-{there}" for there in table.steps(here, ways) if not table.top(there))
        if table.face in ("swap", "wild"):
            for one, other in combinations(sorted(table.where()), 2):
                if table.top(one) != table.top(other):
                    yield f"~{one}*{other}"

    def die_ways(self, face: str, away: str) -> list[str]:
        """The directions in which a face moves a pyramid, given the direction away from its home row (WT-7)."""
        way = OPPOSITE[away] if face.endswith("toward") else away
        ways = DIAGONALS if face.startswith("diag") else ORTHOGONALS if face in STEPS else ()
        return [direction for direction in ways if way in direction]

    def play(self, table: Table, act: str) -> None:
        before = self.rectangles(table)
        if act.startswith("die:"):
            table.face = act[4:]
        elif act != "end":
            here, there = re.findall(NAME, act)
            (table.swap if "*" in act else table.move)(here, there)
            table.has_moved |= "~" not in act
            table.has_used_die |= "~" in act
            self.count(table, self.rectangles(table) - before)
        if not self.over(table) and (act == "end" or self.acts(table) == ["end"]):
            table.end_turn()
            self.begin_turn(table)

    def rectangles(self, table: Table) -> set[tuple[str, ...]]:
        return set(filter(self.is_rectangle, combinations(sorted(table.where(table.seat)), 4)))

    def is_rectangle(self, corners: tuple[str, ...]) -> bool:
        """Whether four squares are the corners of a rectangle (WT-10)."""
        return any(list(map(len, lines(corners, way))) == [2, 2] for way in {False, self.shape == "tilted"})

    def count(self, table: Table, formed: Collection[tuple[str, ...]]) -> None:
        """Apply the effects of the rectangles that a move has formed (WT-12 to WT-16)."""
        counting = [rect for rect in formed if not self.is_at_home(rect) and rect not in table.last[table.seat]]
        prey = {rect: list(self.prey(table, rect)) for rect in counting}
        if any(prey.values()):
            table.last[table.seat] = {rect for rect in counting if prey[rect]}
        if counting or (self.home_coin == "turns" and any(map(self.is_at_home, formed))):
            table.coin = "tails" if table.coin == "heads" else "heads"
        for space in sorted(set().union(*prey.values())):
            table.take(space)
        for seat in self.seats:
            if seat not in table.out and len(table.where(seat)) <= 3:
                self.drop_out(table, seat)  # WT-16

    def is_at_home(self, rectangle: tuple[str, ...]) -> bool:
        """Whether a corner is in somebody's home row (WT-12)."""
        return any(corner in HOME_ROWS[side] for side in SIDES[len(self.seats)] for corner in rectangle)

    def prey(self, table: Table, rectangle: tuple[str, ...]) -> Iterator[str]:
        """The squares where a rectangle captures: inside with heads, on its sides with tails (WT-14)."""
        is_tilted = len(lines(rectangle, False)[0]) > 2
        (low, high), (left, right) = lines(rectangle, is_tilted)
        for space in table.where():
            ((one,), (other,)) = lines((space,), is_tilted)
            is_within = low <= one <= high and left <= other <= right and table.top(space).colour != table.seat
            if is_within and (low < one < high and left < other < right) == (table.coin == "heads"):
                yield space

    def drop_out(self, table: Table, seat: int) -> None:
        table.eliminate(seat)
        if self.fallen == "removed":
            for space in sorted(table.where(seat)):
                table.take(space)

    def over(self, table: Table) -> str | None:
        if len(table.out) == len(self.seats) - 1:
            return "WT-17"
        return "WT-18" if table.turn == self.turn_limit > 0 else None

    def winners(self, table: Table) -> list[int]:
        return [seat for seat in self.seats if seat not in table.out]

    def why(self, table: Table, act: str) -> tuple[str, str]:
        if act.startswith("die:") or not table.face:
            return "WT-5", "The die is rolled once, when the turn begins."
        if act == "end" or (table.has_used_die if "~" in act else table.has_moved):
            return "WT-5", "A turn has one normal move, which you must make if you can, and one die move."
        if "~" not in act:
            return "WT-6", "No pyramid of yours can make this normal move."
        if "*" in act and table.face in ("swap", "wild") and {*re.findall(NAME, act)} <= {*table.where()}:
            return "WT-8", "These pyramids are alike: swapping them would change nothing."
        return "WT-7", f"The die shows {table.face}, which does not allow this."


@lru_cache(10_000)
def lines(corners: tuple[str, ...], is_tilted: bool) -> list[list[int]]:
    """The columns and rows of squares, or the diagonals: two and two for the corners of a rectangle."""
    places = [(ord(corner[0]), int(corner[1:])) for corner in corners]
    ways = [(column + row, column - row) if is_tilted else (column, row) for column, row in places]
    return [sorted(set(numbers)) for numbers in zip(*ways, strict=True)]
