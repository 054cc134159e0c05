"""Carousel: a race round a ring with the Treehouse die."""

from __future__ import annotations

from collections.abc import Iterator

from icetable.workshop import ActSays, Board, Face, Game, Look, Pyramid, Shows, Table, option, ring

FACES = ("tip", "dig", "hop", "aim", "swap")


class Carousel(Game):
    """Ride round the ring as the Treehouse die says, and sit on those who ride ahead of you.

    **CR-1** Two to four play on a ring of ten spaces; the first is the gate. Each has a small, a medium and a large
    pyramid that wait to ride.

    **CR-2** The players take turns. A turn begins with a roll of the Treehouse die. The player brings a waiting pyramid
    to the gate, or moves one as the die says; if neither is possible, the player passes.

    **CR-3** Pyramids stack up where they meet. Only the topmost of a space moves.

    **CR-4** Tip: a pyramid moves to the next space.

    **CR-5** Dig: it moves as many spaces as it has pips.

    **CR-6** Hop: it moves to the space just beyond the next pyramid ahead of it.

    **CR-7** Aim: it moves onto the next pyramid ahead of it.

    **CR-8** Swap: it changes places with the topmost pyramid of the next space ahead of it that is not empty.

    **CR-9** Wild: it does any of these.

    **CR-10** A pyramid that comes round to the gate again is home and leaves the ring. There is nothing to hop over, to
    aim at or to swap with beyond the gate. The first player with two pyramids home wins.
    """

    players = (2, 4)
    home = option(2, 1, 3, rule="CR-10")
    turn_rule = "CR-2"
    look = Look(
        shows={"face": Shows("die", {face: Face(face, face.upper()) for face in (*FACES, "wild")})},
        acts={"pass": ActSays("Pass: nothing can ride", "<who> <passes>", "passes", "p")},
        facts=(),
    )

    def board(self) -> Board:
        return ring(10)

    def start(self, table: Table) -> None:
        table.face = ""
        for seat in self.seats:
            table.pad[seat] = [Pyramid(size, seat) for size in "SML"]
        table.roll("treehouse")

    def acts(self, table: Table) -> Iterator[str]:
        moves = dict.fromkeys(self.moves(table))
        yield from moves
        yield from (f"{piece.size}@r1" for piece in table.pad[table.seat])
        if not moves and not table.pad[table.seat]:
            yield "pass"

    def moves(self, table: Table) -> Iterator[str]:
        """The moves on the ring that the die allows."""
        for face in FACES if table.face == "wild" else (table.face,):
            for here in table.where(table.seat):
                steps = self.steps(table, here, face)
                line = table.spaces[table.spaces.index(here) + 1 :]
                if steps > len(line):
                    yield f"{here} home"
                elif steps:
                    yield f"{'swap ' if face == 'swap' else ''}{here}-{line[steps - 1]}"

    def steps(self, table: Table, here: str, face: str) -> int:
        """The number of spaces that a pyramid moves; 0 if it can't."""
        line = table.spaces[table.spaces.index(here) + 1 :]
        met = next((far for far, there in enumerate(line, 1) if table.top(there)), 0)
        if face == "hop":
            return met and met + 1
        if face == "dig":
            return int(table.top(here).pips)
        return 1 if face == "tip" else met

    def play(self, table: Table, act: str) -> None:
        if act.startswith("die:"):
            table.face = act.removeprefix("die:")
            return
        here, _, there = act.removeprefix("swap ").partition("-")
        if "@" in act:
            piece = Pyramid(act[0], table.seat)
            table.spend(piece)
            table.put(piece, "r1")
        elif act.endswith(" home"):
            table.take(act.removesuffix(" home"))
            table.gain(1)
        elif act.startswith("swap"):
            other = table.take(there)
            table.move(here, there)
            table.put(other, here)
        elif there:
            table.move(here, there)
        table.end_turn()
        table.roll("treehouse")

    def over(self, table: Table) -> str | None:
        return "CR-10" if max(table.score) == self.home else None

    def why(self, table: Table, act: str) -> str | tuple[str, str] | None:
        top = table.top(act) if act in table.spaces else None
        if top and top.colour != table.seat:
            return "CR-3", "Another player's pyramid is on top there."
        return f"The die says {table.face}: that leads elsewhere."
