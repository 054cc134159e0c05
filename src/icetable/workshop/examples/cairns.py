"""Cairns: a game of stacks."""

from __future__ import annotations

from collections.abc import Iterator

from icetable.workshop import ORTHOGONALS, Account, Board, Game, Look, Pyramid, Table, option, squares


class Cairns(Game):
    """Every move piles one cairn on another: when nobody can move any more, the tall ones count.

    **CN-1** Two to four play on a square board of six by six squares. At the start a pyramid stands on every square.
    The players' colours alternate along each row, and each row begins with the next colour.

    **CN-2** A cairn is the stack on a square. It belongs to the player whose pyramid is on top.

    **CN-3** The players take turns. Each turn moves a whole cairn of one's own along its row or column, exactly as many
    squares as it is high, onto another cairn; cairns in between do not matter.

    **CN-4** A player who can't move is passed over. When nobody can move, the game is over.

    **CN-5** Each cairn scores the square of its number of pyramids for its owner. The highest score wins.
    """

    players = (2, 4)
    side = option(6, 4, 5, 8, rule="CN-1")
    turn_rule = "CN-3"
    look = Look(beside="points", tall=True, counts="pyramid")

    def board(self) -> Board:
        return squares(self.side, self.side)

    def start(self, table: Table) -> None:
        for number, space in enumerate(table.spaces):
            row, column = divmod(number, self.side)
            table.put(Pyramid("M", (row + column) % table.players), space)
        self.count(table)

    def moves(self, table: Table, seat: int) -> Iterator[str]:
        for here in table.where(seat):
            height = len(table.stack(here))
            for way in ORTHOGONALS:
                reached = table.ray(here, way)
                if len(reached) >= height and table.top(reached[height - 1]):
                    yield f"{here}-{reached[height - 1]}"

    def acts(self, table: Table) -> Iterator[str]:
        return self.moves(table, table.seat)

    def play(self, table: Table, act: str) -> None:
        here, there = act.split("-")
        table.move(here, there, count=len(table.stack(here)))
        self.count(table)
        order = [(table.seat + step) % table.players for step in range(1, table.players + 1)]
        able = [seat for seat in order if any(self.moves(table, seat))]
        table.end_turn(to=able[0] if able else None)

    def accounts(self, table: Table) -> dict[str, Account]:
        """What each cairn is worth (CN-5)."""
        cairns = {space: [piece.colour for piece in table.stack(space)] for space in table.where()}
        return {
            space: Account(tuple(map(colours.count, self.seats)), colours[-1], len(colours) ** 2)
            for space, colours in cairns.items()
        }

    def count(self, table: Table) -> None:
        """Update the scores (CN-5)."""
        table.score = [sum(len(table.stack(space)) ** 2 for space in table.where(seat)) for seat in self.seats]

    def over(self, table: Table) -> str | None:
        return None if any(any(self.moves(table, seat)) for seat in self.seats) else "CN-4"

    def worth(self, table: Table) -> list[float]:
        return [points / 10 for points in table.score]

    def why(self, table: Table, act: str) -> str | tuple[str, str] | None:
        here = act.partition("-")[0]
        if here in table.spaces and (top := table.top(here)) and top.colour != table.seat:
            return "CN-2", "That cairn is not yours: another player's pyramid is on top."
        if here in table.spaces and table.top(here):
            return f"That cairn moves exactly {len(table.stack(here))} squares, onto another one."
        return None
