"""Honeycomb: a game for one player, on hexagons."""

from __future__ import annotations

import random
from collections.abc import Iterator

from icetable.workshop import SIX, Board, Game, Look, Pyramid, Table, hexagons, option


class Honeycomb(Game):
    """Clear a honeycomb alone, by jumping over pyramids of another size.

    **HC-1** One plays, on a honeycomb with three hexagons on each side. The middle one is empty. On the others stand
    six pyramids of each size, in one of a thousand deals, which is drawn at random.

    **HC-2** A turn jumps with a pyramid over a neighbour of another size, in a straight line, to the empty hexagon just
    beyond it. The pyramid that was jumped over leaves the board.

    **HC-3** When there is nothing to jump over any more, the game is over. It is won with at most three pyramids left.
    """

    players = 1
    leave = option(3, 5, 4, 2, rule="HC-3")
    turn_rule, stuck_rule = "HC-2", "HC-3"
    look = Look(beside="nothing")

    def board(self) -> Board:
        return hexagons([3, 4, 5, 4, 3])

    def start(self, table: Table) -> None:
        table.draw(range(1, 1001))

    def deal(self, table: Table, number: int) -> None:
        """Set the table up for a deal: the same for the same number."""
        sizes = list("SML" * 6)
        random.Random(number).shuffle(sizes)  # noqa: S311
        for space in table.spaces:
            if space != "c3":
                table.put(Pyramid(sizes.pop(), "black"), space)

    def jumps(self, table: Table, here: str) -> Iterator[tuple[str, str]]:
        """The jumps of a pyramid, as the spaces that it jumps over and to."""
        for way in SIX:
            over, there = (*table.ray(here, way), "", "")[:2]
            if there and not table.top(there) and table.top(over) and table.top(over).size != table.top(here).size:
                yield over, there

    def acts(self, table: Table) -> Iterator[str]:
        for here in table.where():
            yield from (f"{here}-{there}" for _, there in self.jumps(table, here))

    def play(self, table: Table, act: str) -> None:
        if act.startswith("draw:"):
            self.deal(table, int(act.removeprefix("draw:")))
            return
        here, there = act.split("-")
        over = next(over for over, goal in self.jumps(table, here) if goal == there)
        table.take(over)
        table.move(here, there)
        table.end_turn()

    def winners(self, table: Table) -> list[int]:
        return [0] if len(table.where()) <= self.leave else []

    def reason(self, table: Table) -> str:
        left = len(table.where())
        return f"{left} pyramids are left: {'at most' if left <= self.leave else 'more than'} {self.leave}."

    def why(self, table: Table, act: str) -> str | None:
        here, _, there = act.partition("-")
        if there in table.spaces and table.top(there):
            return "A jump ends on an empty hexagon."
        if here in table.spaces and table.top(here):
            return "A jump goes two hexagons straight on, over a pyramid of another size."
        return None
