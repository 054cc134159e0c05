"""The template of `icetable new`."""

from __future__ import annotations

from collections.abc import Iterator

from icetable.core.game import State
from icetable.workshop import ORTHOGONALS, Board, Game, Look, Pyramid, Table, option, squares


class First(Game):
    """Step beside your own, and leave your opponent no room.

    **FI-1** Two play on a board of five by five squares.

    **FI-2** The players take turns. Each turn places a small pyramid on an empty square, the first one anywhere, each
    later one beside a pyramid of one's own colour.

    **FI-3** Whoever can't place one loses.
    """

    side = option(5, 4, 6, rule="FI-1")
    turn_rule, stuck_rule = "FI-2", "FI-3"
    look = Look(beside="nothing")

    def board(self) -> Board:
        return squares(self.side, self.side)

    def acts(self, table: Table) -> Iterator[str]:
        own = table.where(table.seat)
        for space in table.empty():
            if not own or any(beside in own for beside in table.steps(space, ORTHOGONALS)):
                yield space

    def play(self, table: Table, act: str) -> None:
        table.put(Pyramid("S", table.seat), act)
        table.end_turn()

    def winners(self, table: Table) -> list[int]:
        return [1 - table.seat]

    def why(self, table: Table, act: str) -> str | None:
        if act in table.spaces and not table.top(act):
            return "A pyramid goes beside one of your own."
        return None


def test_a_pyramid_goes_beside_its_own(start: State) -> None:
    state = start.apply("c3").apply("a1")
    assert state.legal_actions() == ["b3", "c2", "c4", "d3"]
    assert state.fault("b1")
