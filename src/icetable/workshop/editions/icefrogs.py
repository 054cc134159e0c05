"""IceFrogs in readable form."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator

from icetable.workshop import SIX, Board, Game, Pyramid, Table, hexagons, option, star

STARTS = {"star": ("a1", "c7", "g7", "i1", "g1", "c1"), "hexagon": ("a1", "a4", "d7", "g4", "g1", "d1")}
"""The six points of each board, counter-clockwise from the bottom."""
PLACES = {2: (0, 3), 3: (0, 2, 4), 4: (0, 1, 3, 4), 5: (0, 1, 2, 3, 4), 6: (0, 1, 2, 3, 4, 5)}
"""The points where players sit, by number of players."""


class IceFrogs(Game):
    """Hop your frogs from chip to chip, and be the first to land on an opponent's start space.

    **IF-1** The board is a star of 37 spaces in centred rows: 1, 2, 7, 6, 5, 6, 7, 2, 1. It may be a hexagon as well,
    with rows of 4, 5, 6, 7, 6, 5, 4.

    **IF-2** A space is named by its row, lettered from the bottom, and its number in the row, from the left. Spaces are
    beside each other in six directions.

    **IF-3** Each player has 15 pyramids of one colour, five of each size, in a supply. The board is empty at first.

    **IF-4** Each player has a start space, a point of the star or a corner of the hexagon. Two sit across from each
    other, three at every other point; a point where nobody sits is a plain space.

    **IF-5** Seat 0 begins, and the players take turns.

    **IF-6** A turn moves a pyramid of one's own that is the top of its space; or it takes one from the supply, which
    comes in at the start space and moves on at once.

    **IF-7** Only the topmost pyramid of a stack moves, and it moves alone.

    **IF-8** A step goes to a space beside that is empty, or whose top is as large as the pyramid or larger. It ends the
    turn.

    **IF-9** A jump goes straight over a space beside, whose top is as large or smaller, to the next one, which is empty
    or has a top as large or larger. Anybody's pyramids may be jumped; nothing is captured.

    **IF-10** A landing on a pyramid ends the turn.

    **IF-11** After a jump to an empty space the pyramid may stop, jump on in any direction, or step onto a pyramid
    beside, but not to an empty space.

    **IF-12** What moves is off the board: its space shows what lay beneath.

    **IF-13** A move may not end on one's own start space, though a chain of jumps may touch it.

    **IF-14** A move may not end where it began.

    **IF-15** A move is named by its pyramid and the space where it ends; how it gets there does not matter.

    **IF-16** A pyramid that reaches an opponent's start space, by a step or a jump, goes no further, and wins.

    **IF-17** Only a player who has no move passes. When all have passed in a row, the game is a draw.

    **IF-18** After 400 turns the game is a draw. In a draw all players win.
    """

    name, title = "icefrogs_edition", "IceFrogs, the readable edition"
    players = (2, 6)
    shape = option("star", "hexagon", rule="IF-1", name="board")
    turn_limit = option(400, rule="IF-18")
    turn_rule = "IF-5"

    def board(self) -> Board:
        return star() if self.shape == "star" else hexagons((4, 5, 6, 7, 6, 5, 4))

    def start(self, table: Table) -> None:
        table.passes = 0
        for seat in self.seats:
            table.pad[seat] = [Pyramid(size, seat) for size in "SML" for _ in range(5)]

    @functools.cached_property
    def homes(self) -> list[str]:
        """The start spaces by seat (IF-4)."""
        return [STARTS[self.shape][place] for place in PLACES[len(self.seats)]]

    def notation(self, text: str) -> bool:
        return re.fullmatch("pass|[SML]@[a-z][0-9]+|[a-z][0-9]+-[a-z][0-9]+", text) is not None

    def acts(self, table: Table) -> list[str]:
        return [*self.entries(table), *self.moves(table)] or ["pass"]

    def entries(self, table: Table) -> Iterator[str]:
        """The moves from the supply (IF-6)."""
        for size in "SML":
            piece = Pyramid(size, table.seat)
            if piece in table.pad[table.seat]:
                yield from (f"{size}@{there}" for there in self.ways(table, self.homes[table.seat], piece))

    def moves(self, table: Table) -> Iterator[str]:
        """The moves of pyramids on the board (IF-7, IF-12)."""
        for here in table.where(table.seat):
            lifted = table.copy()
            piece = lifted.take(here)
            yield from (f"{here}-{there}" for there in self.ways(lifted, here, piece))

    def ways(self, table: Table, here: str, piece: Pyramid) -> dict[str, tuple[str, ...]]:
        """A shortest way from here to each space where a pyramid, which is off the table, may end (IF-10, IF-11)."""
        found: dict[str, tuple[str, ...]] = {}
        chains: list[tuple[str, ...]] = [(here,)]
        touched = {here}
        for chain in chains:  # grows by each jump that may be followed by another
            for there in self.steps(table, chain[-1], piece):
                if len(chain) == 1 or table.top(there):
                    found.setdefault(there, (*chain, there))
            for there in self.jumps(table, chain[-1], piece):
                found.setdefault(there, (*chain, there))
                if there not in touched and self.may_jump_on(table, there):
                    touched.add(there)
                    chains.append((*chain, there))
        for space in (here, self.homes[table.seat]):  # IF-14, IF-13
            found.pop(space, None)
        return found

    def steps(self, table: Table, here: str, piece: Pyramid) -> Iterator[str]:
        """The steps of a pyramid (IF-8)."""
        return (there for there in table.neighbours(here) if self.carries(table, there, piece))

    def jumps(self, table: Table, here: str, piece: Pyramid) -> Iterator[str]:
        """Where a pyramid may jump (IF-9)."""
        for way in SIX:
            over, *beyond = table.ray(here, way)[:2] or ("",)
            if beyond and self.is_jumped(table, over, piece) and self.carries(table, beyond[0], piece):
                yield beyond[0]

    def is_jumped(self, table: Table, space: str, piece: Pyramid) -> bool:
        """Whether a pyramid may jump over what stands here (IF-9)."""
        return bool((top := table.top(space)) and top.pips <= piece.pips)

    def carries(self, table: Table, space: str, piece: Pyramid) -> bool:
        """Whether a pyramid may land here (IF-8, IF-9)."""
        return not (top := table.top(space)) or bool(top.pips >= piece.pips)

    def may_jump_on(self, table: Table, space: str) -> bool:
        """Whether another jump may follow one that landed here (IF-10, IF-16)."""
        return not table.top(space) and (space == self.homes[table.seat] or space not in self.homes)

    def play(self, table: Table, act: str) -> None:
        table.passes = table.passes + 1 if act == "pass" else 0
        if "@" in act:
            size, there = act.split("@")
            table.spend(Pyramid(size, table.seat))
            table.put(Pyramid(size, table.seat), there)
        elif "-" in act:
            here, there = act.split("-")
            table.move(here, there)
        table.end_turn()

    def over(self, table: Table) -> str | None:
        if self.first_home(table):
            return "IF-16"
        if table.passes == len(self.seats):
            return "IF-17"
        return "IF-18" if table.turn == self.turn_limit > 0 else None

    def first_home(self, table: Table) -> list[int]:
        """The colour on a start space; between turns these are empty unless somebody has won (IF-16)."""
        return [top.colour for seat in self.seats if (top := table.top(self.homes[seat]))]

    def winners(self, table: Table) -> list[int]:
        return self.first_home(table) or list(self.seats)

    def why(self, table: Table, act: str) -> tuple[str, str]:
        if act == "pass":
            return "IF-17", "You may pass only when you have no legal move."
        source, there = re.split("[@-]", act)
        for space in (there,) if "@" in act else (source, there):
            if space not in table.spaces:
                return "IF-2", f"The board has no space {space}."
        here = self.homes[table.seat] if "@" in act else source
        if "@" in act and Pyramid(source, table.seat) not in table.pad[table.seat]:
            return "IF-6", "You have no pyramid of this size left."
        if "-" in act and table.seat not in [piece.colour for piece in table.stack(here)]:
            return "IF-6", f"No pyramid of yours stands on {here}."
        if "-" in act and table.top(here).colour != table.seat:
            return "IF-7", f"Your pyramid on {here} lies beneath another; only the top of a stack moves."
        if "-" in act and here == there:
            return "IF-14", f"A move may not end on {here}, where it began."
        if there == self.homes[table.seat]:
            return "IF-13", f"A move may not end on {there}, your own start space."
        if there in table.neighbours(here):
            return "IF-8", f"No pyramid may cover the smaller one on {there}."
        return "IF-9", f"You can't get from {here} to {there} by a step or a chain of jumps."
