"""Canals: a game of two halves. `icetable play` with the path of this file opens a table."""

from collections.abc import Iterator

from icetable.workshop import (
    ALL_EIGHT,
    DIAGONALS,
    ORTHOGONALS,
    Board,
    Game,
    Look,
    Pyramid,
    Says,
    Table,
    option,
    squares,
)


class Canals(Game):
    """Two halves, a canal between them: every pyramid in your half is yours to move, whoever put it there.

    **CA-1** Four columns and six rows, with a canal across the middle. The lower half is the first player's.

    **CA-2** Each player sets up two pyramids of each size in their own half, from its left corner: large, large, medium
    and small in the first row, medium and small in the second.

    **CA-3** The players take turns. A turn moves one pyramid in the player's own half.

    **CA-4** A small pyramid moves one square diagonally.

    **CA-5** A medium one moves one or two squares along its row or column, and passes over nothing.

    **CA-6** A large one moves any distance in all eight directions, and passes over nothing.

    **CA-7** A move that ends on a pyramid in the other half captures it, for as many points as it has pips. No move
    ends on a pyramid in the player's own half.

    **CA-8** No move takes the pyramid that was just moved straight back to where it came from.

    **CA-9** The game ends after a turn that leaves a half empty. The most points win.

    **CA-10** It also ends if the player to move can't.

    **CA-11** It also ends after 100 turns.
    """

    rows = option(6, 4, 8, rule="CA-1")
    undo = option(False, rule="CA-8")
    turn_limit = option(100, rule="CA-11")
    turn_rule, stuck_rule = "CA-3", "CA-10"
    look = Look(
        zone="half",
        says={
            "moves": Says("<piece> <moves|move> from <0> to <-1>", "<0>–<-1>", "move", "land"),
            "takes": Says("<piece> on <0> <is|are> captured", "captures <kind>", "take", "capture", "capture"),
        },
    )

    def board(self) -> Board:
        half = self.rows // 2
        return squares("abcd", self.rows, zones={0: range(1, half + 1), 1: range(half + 1, self.rows + 1)})

    def start(self, table: Table) -> None:
        table.last = None
        for seat, order in ((0, table.spaces), (1, table.spaces[::-1])):
            for space, size in zip(order, "LLMSMS", strict=False):
                table.put(Pyramid(size, seat), space)

    def acts(self, table: Table) -> Iterator[str]:
        for here in table.zone(table.seat):
            if piece := table.top(here):
                for there in self.reach(table, here, piece):
                    is_open = table.zone_of(there) != table.seat or not table.top(there)
                    if is_open and (self.undo or (there, here) != table.last):
                        yield f"{here}-{there}"

    def reach(self, table: Table, here: str, piece: Pyramid) -> Iterator[str] | list[str]:
        """The spaces that a pyramid reaches from here."""
        if piece.size == "S":
            return table.steps(here, DIAGONALS)
        if piece.size == "M":
            return table.slides(here, ORTHOGONALS, most=2)
        return table.slides(here, ALL_EIGHT)

    def play(self, table: Table, act: str) -> None:
        here, there = act.split("-")
        taken = table.capture(there)
        table.move(here, there)
        table.last = None if taken else (here, there)
        if taken:
            table.gain(taken.pips)
        table.end_turn()

    def over(self, table: Table) -> str | None:
        if not all(any(map(table.top, table.zone(seat))) for seat in self.seats):
            return "CA-9"
        return "CA-11" if table.turn == self.turn_limit else None
