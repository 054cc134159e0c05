"""Tiny games of the workshop of which the answers are known."""

from __future__ import annotations

from icetable.workshop import Board, Game, Pyramid, Table, drawn, option, squares


class Tiny(Game):
    """A board of one square and a few turns.

    **TI-1** There is a board.

    **TI-2** The players take turns.

    **TI-3** In the end somebody wins.
    """

    turns = 2
    turn_rule = "TI-2"

    def board(self) -> Board:
        return squares(1, 1)

    def acts(self, table: Table) -> list[str]:
        return ["left", "right"]

    def play(self, table: Table, act: str) -> None:
        table.end_turn()

    def over(self, table: Table) -> str | None:
        return "TI-3" if table.turn >= self.turns else None


class Coin(Tiny):
    """A coin decides, whatever was done."""

    def play(self, table: Table, act: str) -> None:
        if act.startswith("coin:"):
            table.gain(1, int(act == "coin:tails"))
            return
        table.end_turn()
        if table.turn == self.turns:
            table.toss()

    def over(self, table: Table) -> str | None:
        return "TI-3" if any(table.score) else None


class Nim(Tiny):
    """Take one to three of seven; the last one wins."""

    heap = option(7, 5, 11)

    def start(self, table: Table) -> None:
        table.left = self.heap

    def acts(self, table: Table) -> list[str]:
        return [str(number) for number in (1, 2, 3) if number <= table.left]

    def play(self, table: Table, act: str) -> None:
        table.left -= int(act)
        if not table.left:
            table.gain(1)
        table.end_turn()

    def over(self, table: Table) -> str | None:
        return None if table.left else "TI-3"


class Rigged(Tiny):
    """The second seat wins."""

    def winners(self, table: Table) -> list[int]:
        return [1]


class Endless(Tiny):
    """It goes on."""

    def over(self, table: Table) -> str | None:
        return None


class King(Tiny):
    """The third seat can't win, and says which of the others does."""

    players = 3
    turns = 3

    def play(self, table: Table, act: str) -> None:
        if table.seat == 2:
            table.gain(1, int(act == "right"))
        table.end_turn()


class Fair(Tiny):
    """For three: a coin for each of two turns, and nobody ever has lost before."""

    players = 3
    turns = 3
    sides = 3

    def play(self, table: Table, act: str) -> None:
        if act.startswith("die:"):
            table.gain(1, int(act.removeprefix("die:")) - 1)
            return
        table.end_turn()
        if table.turn == self.turns:
            table.roll(self.sides)

    def over(self, table: Table) -> str | None:
        return "TI-3" if any(table.score) else None


class Dead(Nim):
    """Nim with what nobody needs: large pyramids, a noise, and a rule for long games."""

    noise = option(False)

    def start(self, table: Table) -> None:
        super().start(table)
        table.pad[0] = [Pyramid("S", 0), Pyramid("L", 0)]
        table.pad[1] = [Pyramid("S", 1), Pyramid("L", 1)]

    def play(self, table: Table, act: str) -> None:
        if table.turn < len(self.seats):
            table.spend(Pyramid("S", table.seat))
        if table.turn > 20:
            table.gain(5)
        super().play(table, act)


class Slide(Tiny):
    """The first seat wins by chance, in `lean` of a hundred games, after so many turns."""

    lean = option(50, least=0, most=100)
    long = option(4, least=1, most=40)

    def play(self, table: Table, act: str) -> None:
        if act.startswith("die:"):
            table.gain(1, int(int(act.removeprefix("die:")) > self.lean))
            return
        table.end_turn()
        if table.turn == self.long:
            table.roll(100)

    def over(self, table: Table) -> str | None:
        return "TI-3" if any(table.score) else None


class Long(Tiny):
    """A race that is longer than the lab's first limit, with dice that are no acts of players."""

    turns = 6

    def play(self, table: Table, act: str) -> None:
        if not act.startswith("die:"):
            table.end_turn()
            table.roll(6)


class Patience(Tiny):
    """For one: five cards are dealt to five places, and two of them are taken for their numbers."""

    players = 1

    def start(self, table: Table) -> None:
        table.cards = ()
        table.deal([1, 2, 3, 4, 5])

    def acts(self, table: Table) -> list[str]:
        return [f"take:{number}" for number in table.cards]

    def play(self, table: Table, act: str) -> None:
        if act.startswith("deal:"):
            table.cards = tuple(drawn(act))[:3]
            return
        card = next(card for card in table.cards if f"take:{card}" == act)
        table.cards = tuple(number for number in table.cards if number != card)
        table.gain(int(card))
        table.end_turn()

    def winners(self, table: Table) -> list[int]:
        return [0]


class Peril(Patience):
    """The same, but with less than seven points it is lost: so are six in ten games of random players."""

    def winners(self, table: Table) -> list[int]:
        return [0] if table.score[0] >= 7 else []
