"""Beacons: a game with a die and with pyramids that lie and point."""

from __future__ import annotations

from collections.abc import Iterator

from icetable.workshop import ORTHOGONALS, Board, Face, Game, Look, Pyramid, Shows, Table, option, squares

SIZES = {"small": "S", "medium": "M", "large": "L"}


class Beacons(Game):
    """Lay your beacons so that they shine on the others', and stay in the dark yourself.

    **BE-1** Two to four play on a board of five by five squares. Each has two pyramids of each size, the beacons.

    **BE-2** The players take turns. A turn begins with a roll of a die that shows each size twice.

    **BE-3** The player lays a beacon of that size on an empty square, pointing along the row or the column. If none of
    that size is left, any other may be laid.

    **BE-4** A beacon shines on the first pyramid in the direction in which it points, however far away.

    **BE-5** When all beacons are laid, the game is over. Each player scores the pips of the other players' beacons that
    at least one of their own shines on. The highest score wins.
    """

    players = (2, 4)
    side = option(5, 6, 7, rule="BE-1")
    each = option(2, 1, 3, rule="BE-1")
    turn_rule = "BE-2"
    look = Look(
        names={letter: f"{size} beacon" for size, letter in SIZES.items()},
        shows={"rolled": Shows("die", {size: Face(size, letter) for size, letter in SIZES.items()})},
        facts=(),
    )

    def board(self) -> Board:
        return squares(self.side, self.side)

    def start(self, table: Table) -> None:
        for seat in self.seats:
            table.pad[seat] = [Pyramid(size, seat) for size in "LMS" for _ in range(self.each)]
        table.rolled = ""
        table.roll([*SIZES, *SIZES])

    def acts(self, table: Table) -> Iterator[str]:
        left = {piece.size for piece in table.pad[table.seat]}
        for size in sorted({SIZES[table.rolled]} & left or left):
            for space in table.empty():
                for way in ORTHOGONALS:
                    yield f"{size}@{space}>{way}"

    def play(self, table: Table, act: str) -> None:
        if act.startswith("die:"):
            table.rolled = act.removeprefix("die:")
            return
        size, _, place = act.partition("@")
        space, _, way = place.partition(">")
        table.spend(Pyramid(size, table.seat))
        table.put(Pyramid(size, table.seat, way), space)
        table.score = [self.shining(table, seat) for seat in self.seats]
        table.end_turn()
        if any(table.pad):
            table.roll([*SIZES, *SIZES])

    def shining(self, table: Table, seat: int) -> int:
        """The pips of the other players' beacons that a seat's beacons shine on (BE-4, BE-5)."""
        seen = set()
        for space in table.where(seat):
            lit = next((there for there in table.ray(space, table.top(space).heading) if table.top(there)), None)
            if lit and table.top(lit).colour != seat:
                seen.add(lit)
        return sum(table.top(space).pips for space in seen)

    def over(self, table: Table) -> str | None:
        return None if any(table.pad) else "BE-5"
