"""Bastions: two teams of two; a player who loses the keep is out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from icetable.core.game import State
from icetable.workshop import DIAGONALS, ORTHOGONALS, Board, Game, Look, Pyramid, Table, Tally, option, squares

FORCES = {
    0: {"L": ["a1"], "M": ["a2", "b1"], "S": ["a3", "b2", "c1"]},
    1: {"L": ["a7"], "M": ["a6", "b7"], "S": ["a5", "b6", "c7"]},
    2: {"L": ["g7"], "M": ["g6", "f7"], "S": ["g5", "f6", "e7"]},
    3: {"L": ["g1"], "M": ["g2", "f1"], "S": ["g3", "f2", "e1"]},
}


class Bastions(Game):
    """Two against two: storm the keeps of both opponents, and cover your partner's.

    **BA-1** Four play on a board of seven by seven squares. Players who sit across from each other are partners: the
    first and the third against the second and the fourth. Each begins in a corner with a large pyramid, the keep, two
    medium ones beside it and three small ones in front of them.

    **BA-2** The players take turns. A turn moves one pyramid to an empty square, or onto an opponent's pyramid, which
    it captures.

    **BA-3** A large pyramid moves one square in any direction.

    **BA-4** A medium one moves any distance along its row or column, and passes over nothing.

    **BA-5** A small one moves one or two squares diagonally, and passes over nothing.

    **BA-6** A player who loses the keep is out, and all their pyramids leave the board.

    **BA-7** When both opponents are out, both partners win, even one who is out.

    **BA-8** After forty turns in a row without a capture the game is drawn.
    """

    players = 4
    teams = (0, 2), (1, 3)
    patience = option(40, 20, 80, rule="BA-8")
    turn_rule = "BA-2"
    look = Look(beside="points", tally=Tally("lost", 6))

    def board(self) -> Board:
        return squares(7, 7)

    def start(self, table: Table) -> None:
        table.quiet_turns, table.lost = 0, [0 for _ in self.seats]
        for seat, force in FORCES.items():
            for size, spaces in force.items():
                for space in spaces:
                    table.put(Pyramid(size, seat), space)

    def team(self, seat: int) -> tuple[int, int]:
        return seat, (seat + 2) % 4

    def reach(self, table: Table, here: str) -> Iterable[str]:
        """The spaces that a pyramid reaches, as if all others were opponents'."""
        size = table.top(here).size
        if size == "L":
            return table.neighbours(here)
        return table.slides(here, ORTHOGONALS) if size == "M" else table.slides(here, DIAGONALS, most=2)

    def acts(self, table: Table) -> Iterator[str]:
        for here in table.where(table.seat):
            for there in self.reach(table, here):
                if not table.top(there) or table.top(there).colour not in self.team(table.seat):
                    yield f"{here}-{there}"

    def play(self, table: Table, act: str) -> None:
        here, there = act.split("-")
        taken = table.capture(there)
        table.move(here, there)
        table.quiet_turns = 0 if taken else table.quiet_turns + 1
        if taken:
            table.lost[taken.colour] += 1
        if taken and taken.size == "L":
            table.eliminate(taken.colour)
            for space in table.where(taken.colour):
                table.take(space)
        table.end_turn()

    def over(self, table: Table) -> str | None:
        if any(table.out.issuperset(self.team(seat)) for seat in self.seats):
            return "BA-7"
        return "BA-8" if table.quiet_turns >= self.patience else None

    def winners(self, table: Table) -> list[int]:
        lost = [seat for seat in self.seats if table.out.issuperset(self.team(seat))]
        return [seat for seat in self.seats if seat not in lost]

    def worth(self, table: Table) -> list[float]:
        own = [sum(table.top(at).pips ** 2 for at in table.where(seat)) / 4 for seat in self.seats]
        return [sum(own[member] for member in self.team(seat)) for seat in self.seats]

    def why(self, table: Table, act: str) -> str | tuple[str, str] | None:
        here, _, there = act.partition("-")
        if there in table.spaces and (top := table.top(there)) and top.colour in self.team(table.seat):
            return "You can't capture your own or your partner's pyramids."
        if here in table.spaces and (top := table.top(here)):
            return {"L": "BA-3", "M": "BA-4", "S": "BA-5"}[top.size], "That pyramid can't move like that."
        return None


def test_a_capture_ends_the_quiet_turns(start: State) -> None:
    state = start.apply("c1-e3").apply("c7-d6")
    assert state.view()["own"]["quiet_turns"] == 2
    state = state.apply("e7-d6")
    assert state.view()["own"] == {"quiet_turns": 0, "lost": [0, 1, 0, 0]}
