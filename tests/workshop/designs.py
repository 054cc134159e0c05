"""Small games of the workshop to test it by."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping

from icetable.workshop import SIX, Board, Game, Pyramid, Table, Token, hexagons, option, ring, squares


class Duel(Game):
    """Two choose in secret, again and again.

    **DU-1** Each turn both choose high or low in secret. Alike, seat 0 scores; else seat 1.

    **DU-2** Who has three points wins.
    """

    def board(self) -> Board:
        return squares(2, 1)

    def start(self, table: Table) -> None:
        table.ask({0: ["high", "low"], 1: ["high", "low"]})

    def acts(self, table: Table) -> list[str]:
        raise AssertionError("nobody acts but by choosing")

    def reveal(self, table: Table, choices: Mapping[int, str]) -> None:
        table.gain(1, 0 if choices[0] == choices[1] else 1)
        table.ask({0: ["high", "low"], 1: ["high", "low"]})

    def over(self, table: Table) -> str | None:
        return "DU-2" if max(table.score) == 3 else None


class Race(Game):
    """Run round a ring by a die of four.

    **RA-1** Two to four run round a ring of twelve.

    **RA-2** The players take turns. A turn rolls a die, and the runner goes on as far, or stays.

    **RA-3** Who comes round first wins.
    """

    players = (2, 4)
    length = option(12, least=4, most=40, rule="RA-1")

    def board(self) -> Board:
        return ring(self.length)

    def start(self, table: Table) -> None:
        table.gone = [0] * table.players
        for seat in self.seats:
            table.put(Token("runner", seat), "r1")
        table.roll(4)

    def acts(self, table: Table) -> list[str]:
        return ["run", "stay"]

    def play(self, table: Table, act: str) -> None:
        if act.startswith("die:"):
            table.rolled = int(act[4:])
            return
        if act == "run":
            table.gone[table.seat] += table.rolled
        if table.gone[table.seat] < self.length:
            table.end_turn()
            table.roll(4)

    def over(self, table: Table) -> str | None:
        return "RA-3" if max(table.gone) >= self.length else None

    def winners(self, table: Table) -> list[int]:
        return [table.seat]


class Lonely(Game):
    """Fill the hexagons alone.

    **LO-1** Alone, put a pyramid on a hexagon that has no neighbour yet; a point for each.
    """

    players = 1

    def board(self) -> Board:
        return hexagons([2, 3, 2])

    def acts(self, table: Table) -> Iterator[str]:
        return (space for space in table.empty() if not any(map(table.top, table.steps(space, SIX))))

    def play(self, table: Table, act: str) -> None:
        table.put(Pyramid("L", 0), act)
        table.gain(1)


class Knockout(Game):
    """Three players; each throws out another.

    **KN-1** Turn by turn a player throws out another. The last one wins.
    """

    players = 3

    def board(self) -> Board:
        return squares(1, 1)

    def acts(self, table: Table) -> Iterator[str]:
        return (f"out:{seat}" for seat in self.seats if seat != table.seat and seat not in table.out)

    def play(self, table: Table, act: str) -> None:
        table.eliminate(int(act[4:]))
        table.end_turn()

    def over(self, table: Table) -> str | None:
        return "KN-1" if len(table.out) == 2 else None


class Restless(Game):
    """A game without an end."""

    def board(self) -> Board:
        return squares(2, 1)

    def acts(self, table: Table) -> Iterable[str]:
        return ["on"]

    def play(self, table: Table, act: str) -> None:
        table.end_turn()


class Careless(Restless):
    """Its `acts` changes what it looks at."""

    def start(self, table: Table) -> None:
        table.looks = []

    def acts(self, table: Table) -> list[str]:
        table.looks.append(1)
        return ["on"]


class Looping(Restless):
    """Its `play` never comes back."""

    def play(self, table: Table, act: str) -> None:
        for _ in itertools.count():
            pass


class Clumsy(Restless):
    """Its `why` fails, and so does its `play` with an act that it lists."""

    def acts(self, table: Table) -> list[str]:
        return ["a1-c9"]

    def play(self, table: Table, act: str) -> None:
        table.put(Pyramid("S", 0), act.partition("-")[2])

    def why(self, table: Table, act: str) -> str:
        return self.nothing  # type: ignore[attr-defined, no-any-return]


class Endless(Restless):
    """It lists more acts than anybody could look at."""

    def acts(self, table: Table) -> Iterator[str]:
        return (f"n{number}" for number in itertools.count())
