"""Games of secret choices, some by one step and some longer, all of them even between equal players."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from icetable.workshop import Board, Game, Table, Token, option, squares

BEATEN = {"rock": "scissors", "paper": "rock", "scissors": "paper"}


class Secret(Game):
    """Choose in secret, round after round.

    **SE-1** Each round both choose in secret.

    **SE-2** After some rounds the most points win.
    """

    rounds = option(1, 2, 3, rule="SE-2")
    choices: Sequence[str] = tuple(BEATEN)

    def board(self) -> Board:
        return squares(2, 1)

    def start(self, table: Table) -> None:
        table.ask(dict.fromkeys(self.seats, self.choices))

    def reveal(self, table: Table, choices: Mapping[int, str]) -> None:
        for seat, points in enumerate(self.points(choices[0], choices[1])):
            table.gain(points, seat)
        table.turn += 1
        if table.turn < self.rounds:
            self.start(table)

    def points(self, first: str, second: str) -> tuple[int, int]:
        return int(BEATEN[first] == second), int(BEATEN[second] == first)

    def over(self, table: Table) -> str | None:
        return "SE-2" if table.turn == self.rounds else None


class Numbers(Secret):
    """Name the higher number."""

    choices = tuple("31524")

    def points(self, first: str, second: str) -> tuple[int, int]:
        return int(first), int(second)


class Penalty(Secret):
    """Seat 0 wants to choose as seat 1 does, and would rather have it left.

    Who plays well chooses left one time in three.
    """

    choices = "left", "right"

    def points(self, first: str, second: str) -> tuple[int, int]:
        return (first == second) + (first == second == "left"), 1


class Bids(Secret):
    """Bid numbers for prizes, each number once."""

    rounds = option(3, rule="SE-2")

    def start(self, table: Table) -> None:
        table.left = [list(range(1, self.rounds + 1)) for _ in self.seats]
        table.ask(dict(enumerate(table.left)))

    def reveal(self, table: Table, choices: Mapping[int, str]) -> None:
        bids = [int(choices[seat]) for seat in self.seats]
        if bids[0] != bids[1]:
            table.gain(self.rounds - table.turn, bids.index(max(bids)))
        for seat, bid in enumerate(bids):
            table.left[seat].remove(bid)
        table.turn += 1
        if table.turn < self.rounds:
            table.ask(dict(enumerate(table.left)))


class Judged(Secret):
    """Rock, paper, scissors that says what a position is worth."""

    def worth(self, table: Table) -> list[int]:
        return table.score


class Tricks(Game):
    """Play cards in secret, out of hands that the other does not see.

    **TR-1** Each draws two of six cards. Twice both play one in secret, and the higher one scores.

    **TR-2** When all are played the most points win.
    """

    def board(self) -> Board:
        return squares(2, 1)

    def start(self, table: Table) -> None:
        table._deck = [Token(str(pips), "white") for pips in range(1, 7)]
        table.draw([card.name for card in table._deck])

    def play(self, table: Table, act: str) -> None:
        card = Token(act.removeprefix("draw:"), "white")
        table._deck = [one for one in table._deck if one != card]
        table.keep(card)
        table.seal("draws a card")
        table.end_turn()
        if table.turn < 4:
            table.draw([one.name for one in table._deck])
        else:
            self.ask(table)

    def ask(self, table: Table) -> None:
        table.ask({seat: [card.name for card in table.pad[seat]] for seat in self.seats})

    def reveal(self, table: Table, choices: Mapping[int, str]) -> None:
        for seat in self.seats:
            table.spend(Token(choices[seat], "white"), seat)
        table.gain(1, max(self.seats, key=lambda seat: int(choices[seat])))
        if any(table.pad):
            self.ask(table)

    def hides(self, table: Table, seat: int | None) -> list[int]:
        return [other for other in self.seats if other != seat]

    def over(self, table: Table) -> str | None:
        return "TR-2" if table.turn == 4 and not any(table.pad) else None
