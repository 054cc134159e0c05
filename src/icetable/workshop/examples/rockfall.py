"""Rockfall: a game of stacks that topple over their neighbours."""

from __future__ import annotations

from collections.abc import Iterator

from icetable.workshop import ORTHOGONALS, Board, Game, Look, Pyramid, Table, TurnPart, option, squares


class Rockfall(Game):
    """Pile up stacks until they topple, and bury the others under them.

    **RF-1** Two or three play on a board of five by five squares. Each has four small, three medium and two large
    pyramids. A stack belongs to the player whose pyramid is on top.

    **RF-2** The players take turns. A turn puts a pyramid on an empty square, or on a stack of one's own.

    **RF-3** A stack of four topples: the player says in which of the four directions. The lowest pyramid stays, the
    next one falls onto the next square, on top of what is there, and each further one a square farther.

    **RF-4** What falls over the edge is out of the game. Another player's pyramid is worth its pips in points.

    **RF-5** A stack that becomes too high in this way topples in the same turn, but no square topples twice in a turn.

    **RF-6** When all pyramids are placed, the game is over. Every pyramid in a stack of one's own is worth a point. The
    most points win.
    """

    players = (2, 3)
    high = option(4, 3, 5, rule="RF-3")
    turn_rule = "RF-2"
    look = Look(beside="supplies", repeats=True)

    def board(self) -> Board:
        return squares(5, 5)

    def start(self, table: Table) -> None:
        table._toppled, table._buried = [], [0 for _ in self.seats]
        for seat in self.seats:
            table.pad[seat] = [Pyramid(size, seat) for size in "SSSSMMMLL"]

    def too_high(self, table: Table) -> list[str]:
        """The stacks that have to topple now."""
        return [at for at in table.spaces if len(table.stack(at)) >= self.high and at not in table._toppled]

    def acts(self, table: Table) -> Iterator[str]:
        if high := self.too_high(table):
            yield from (f"{here}>{way}" for here in high for way in ORTHOGONALS)
            return
        for size in {piece.size for piece in table.pad[table.seat]}:
            for space in [*table.empty(), *table.where(table.seat)]:
                yield f"{size}@{space}"

    def play(self, table: Table, act: str) -> None:
        if ">" in act:
            self.topple(table, *act.split(">"))
        else:
            size, space = act.split("@")
            table.spend(Pyramid(size, table.seat))
            table.put(Pyramid(size, table.seat), space)
        table.score = [
            table._buried[seat] + sum(len(table.stack(at)) for at in table.where(seat)) for seat in self.seats
        ]
        if not self.too_high(table):
            table._toppled = []
            table.end_turn()

    def turn_parts(self, table: Table) -> list[TurnPart]:
        topples = bool(self.too_high(table))
        return [
            TurnPart("pyramid", "done" if topples else "to do"),
            TurnPart("topple", "to do" if topples else "not possible"),
        ]

    def topple(self, table: Table, here: str, way: str) -> None:
        """Topple a stack, the topmost pyramid first (RF-3, RF-4)."""
        table._toppled.append(here)
        line = table.ray(here, way)
        for far in range(len(table.stack(here)) - 1, 0, -1):
            if far <= len(line):
                table.move(here, line[far - 1])
            elif (fallen := table.take(here)).colour != table.seat:
                table._buried[table.seat] += fallen.pips

    def over(self, table: Table) -> str | None:
        return None if any(table.pad) or self.too_high(table) else "RF-6"

    def worth(self, table: Table) -> list[float]:
        return [points / 2 for points in table.score]

    def why(self, table: Table, act: str) -> str | tuple[str, str] | None:
        if high := self.too_high(table):
            return "RF-3", f"First topple {high[0]}: name it and a direction."
        space = act.partition("@")[2]
        if space in table.spaces and table.top(space):
            return "That stack is another player's: put yours on an empty square, or on a stack of your own."
        return None
