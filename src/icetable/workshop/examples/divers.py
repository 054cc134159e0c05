"""Divers: a game of simultaneous secret choices."""

from __future__ import annotations

from collections.abc import Mapping

from icetable.workshop import Board, Game, Look, Pyramid, Says, Table, option, squares


class Divers(Game):
    """Send your divers in secret to reefs where nobody else sends one as large.

    **DI-1** Two to four play at five reefs in a row. At each lies a treasure of a medium and a small black pyramid.
    Each player has two pyramids of each size, the divers.

    **DI-2** Each round all choose in secret one of their divers and a reef, and show their choices at once.

    **DI-3** At each reef the largest diver brings up all that lies there, for a point per pip. Divers of the same size
    get in each other's way: they bring up nothing, and leave it to the next smaller one.

    **DI-4** The divers stay at their reefs, and are treasure for those who come later.

    **DI-5** When all divers have dived, the game is over. The most points win.
    """

    players = (2, 4)
    reefs = option(5, 3, 4, 6, rule="DI-1")
    turn_rule = "DI-2"
    look = Look(
        says={
            "dives": Says(motion="put", sound="land"),
            "lifts": Says(motion="take", sound="capture"),
            "treasure": Says("<seat> <brings> up all from <0> and <scores>", "<seat> <value> from <0>"),
        }
    )

    def board(self) -> Board:
        return squares(self.reefs, 1)

    def start(self, table: Table) -> None:
        for reef in table.spaces:
            for size in "MS":
                table.put(Pyramid(size, "black"), reef)
        for seat in self.seats:
            table.pad[seat] = [Pyramid(size, seat) for size in "SSMMLL"]
        self.ask(table)

    def ask(self, table: Table) -> None:
        table.ask({seat: self.dives(table, seat) for seat in self.seats})

    def dives(self, table: Table, seat: int) -> list[str]:
        sizes = {piece.size for piece in table.pad[seat]}
        return [f"{size}@{reef}" for size in sorted(sizes) for reef in table.spaces]

    def reveal(self, table: Table, choices: Mapping[int, str]) -> None:
        for reef in table.spaces:
            divers = {seat: Pyramid(dive[0], seat) for seat, dive in choices.items() if dive.endswith(f"@{reef}")}
            self.bring_up(table, reef, divers)
            for seat, diver in divers.items():
                table.spend(diver, seat)
                table.put(diver, reef, said="dives")
        table.turn += 1
        if any(table.pad):
            self.ask(table)

    def bring_up(self, table: Table, reef: str, divers: Mapping[int, Pyramid]) -> None:
        """Give the treasure of a reef to the largest diver without another of its size (DI-3)."""
        sizes = [diver.size for diver in divers.values()]
        alone = [seat for seat, diver in divers.items() if sizes.count(diver.size) == 1]
        if not alone:
            return
        lucky = max(alone, key=lambda seat: divers[seat].pips)
        pips = 0
        while treasure := table.take(reef, said="lifts"):
            pips += treasure.pips
        table.score[lucky] += pips
        table.say("treasure", reef, value=f"{lucky}:+{pips}")

    def prompt(self, table: Table) -> str:
        return "Choose a diver, then a reef. Nobody sees it until all have chosen."

    def over(self, table: Table) -> str | None:
        return None if any(table.pad) else "DI-5"
