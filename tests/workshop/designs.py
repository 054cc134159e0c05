"""Small games of the workshop to test it by."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping

from icetable.workshop import (
    SIX,
    BadOption,
    Board,
    Game,
    Look,
    Pyramid,
    Says,
    Table,
    Token,
    drawn,
    hexagons,
    option,
    ring,
    squares,
)


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


class Hands(Game):
    """Play the higher card of three that nobody else sees.

    **HA-1** Two players draw three cards each out of six; only their owner sees them.

    **HA-2** The players take turns to play one onto the table; a hidden stone lies under it.

    **HA-3** When all are played the most pips win.
    """

    def board(self) -> Board:
        return squares(2, 3)

    def start(self, table: Table) -> None:
        table._deck = [Token(str(pips), "white") for pips in range(1, 7)]
        for seat in self.seats:
            table.put(Token(f"stone{seat}", "grey"), ("a1", "b1")[seat])
        table.draw([card.name for card in table._deck])

    def acts(self, table: Table) -> list[str]:
        return [f"play:{card.name}" for card in table.pad[table.seat]]

    def play(self, table: Table, act: str) -> None:
        what, _, pips = act.partition(":")
        card = Token(pips, "white")
        if what == "draw":
            table._deck = [one for one in table._deck if one != card]
            table.keep(card)
            table.seal("draws a card")
            table.end_turn()
            if any(len(pad) < 3 for pad in table.pad):
                table.draw([one.name for one in table._deck])
            return
        table.spend(card)
        table.put(card, ("a1", "b1")[table.seat])
        table.gain(int(pips))
        table.end_turn()

    def hides(self, table: Table, seat: int | None) -> Iterator[object]:
        yield from (other for other in self.seats if other != seat)
        for space in ("a1", "b1"):
            yield from ((space, at) for at in range(len(table.stack(space)) - 1))

    def over(self, table: Table) -> str | None:
        return "HA-3" if table.turn == 12 else None


class Open(Hands):
    """Its score gives the hands away."""

    def play(self, table: Table, act: str) -> None:
        super().play(table, act)
        table.score = [sum(int(card.name) for card in pad) for pad in table.pad]


class Peeking(Hands):
    """Its `acts` looks into the other hand."""

    def acts(self, table: Table) -> list[str]:
        return super().acts(table) + [f"say:{card.name}" for card in table.pad[1 - table.seat]]

    def play(self, table: Table, act: str) -> None:
        if act.startswith("say:"):
            table.end_turn()
        else:
            super().play(table, act)


class Heap(Game):
    """Take what comes first in a heap of names.

    **HE-1** Two take names from a heap in turn. Who takes the last one wins.
    """

    def board(self) -> Board:
        return squares(1, 1)

    def start(self, table: Table) -> None:
        table.heap, table.gone, table.last = {f"name{number}" for number in range(12)}, frozenset(), ""

    def acts(self, table: Table) -> list[str]:
        return ["take"]

    def play(self, table: Table, act: str) -> None:
        table.last = next(iter(table.heap - table.gone))
        table.gone |= {table.last}
        table.say(next(iter(table.gone)))
        table.end_turn()

    def over(self, table: Table) -> str | None:
        return "HE-1" if table.gone == table.heap else None

    def winners(self, table: Table) -> list[int]:
        return [1 - table.seat]


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
    """Its `why` fails, and so does its `play` with an act that it lists.

    **CL-1** It would be over after a turn.
    """

    def acts(self, table: Table) -> list[str]:
        return ["a1-c9"]

    def play(self, table: Table, act: str) -> None:
        table.put(Pyramid("S", 0), act.partition("-")[2])

    def why(self, table: Table, act: str) -> str:
        return self.nothing  # type: ignore[attr-defined, no-any-return]

    def over(self, table: Table) -> str | None:
        return "CL-1" if table.turn == 1 else None


class Endless(Restless):
    """It lists more acts than anybody could look at."""

    def acts(self, table: Table) -> Iterator[str]:
        return (f"n{number}" for number in itertools.count())


class Throws(Game):
    """Dice that fall together, cards in a row, and acts that are not listed.

    **TH-1** A turn rolls some dice. Then the player keeps their sum, or says another one.

    **TH-2** When each has had a turn, the cards are dealt, one to each player.
    """

    dice = option({2: 5, 3: 3}, 2, name="board")
    cards = option("few", list, rule="TH-2")
    players = (2, 3)

    def board(self) -> Board:
        if self.cards != "few" and len(self.cards) < len(self.seats):
            raise BadOption(f"cards are 'few' or a list of at least {len(self.seats)} numbers")
        return squares(2, 1)

    def start(self, table: Table) -> None:
        table.sums, table.dealt = [0] * table.players, None
        table.put(Token("die", 0), "a1")
        table.put(Pyramid("S", 1), "b1")
        table.roll(6, dice=self.dice)

    def notation(self, text: str) -> bool:
        return text in ("swap", "keep") or text.startswith(("say:", "roll:", "deal:"))

    def acts(self, table: Table) -> list[str]:
        return ["keep"]

    def allows(self, table: Table, act: str) -> bool:
        return act == "swap" or act in {f"say:{number}" for number in range(1, 100)}

    def why(self, table: Table, act: str) -> tuple[str, str]:
        return "TH-2", "No."

    def play(self, table: Table, act: str) -> None:
        if act.startswith("roll:"):
            table.rolled = sum(map(int, drawn(act)))
            table.replace("a1", Token(str(table.rolled), 0))
        elif act.startswith("deal:"):
            table.dealt = list(map(int, drawn(act)))
        elif act == "swap":
            table.swap("a1", "b1")
        else:
            table.sums[table.seat] = table.rolled if act == "keep" else int(act[4:])
            table.end_turn()
            if table.turn < table.players:
                table.roll(6, dice=self.dice)
            elif self.cards == "few":
                table.deal([1, 1, 20])
            else:
                table.deal(self.cards)

    def scores(self, table: Table) -> list[int]:
        return table.dealt[: table.players] if table.dealt else [0] * table.players

    def over(self, table: Table) -> str | None:
        return "TH-2" if table.dealt else None


class Depot(Game):
    """Pieces come from the bank, and spaces go.

    **DE-1** On a turn a player puts a piece of the bank beneath a stack, or closes an empty space.

    **DE-2** The game ends when the bank is empty. The players of a team win together.
    """

    players = 4
    teams = (0, 2), (1, 3)
    look = Look(
        banks={"bank": "The bank"},
        says={"slips": Says("<piece> slips under <0>", "<kind> under <0>", "put", "land")},
    )

    def board(self) -> Board:
        return squares(3, 2)

    def start(self, table: Table) -> None:
        table.bank = [Pyramid("M", 0), Pyramid("M", 0), Pyramid("S", 0)]
        table.placed, table.by_size, table.seen = [], {"S": 0}, {("a1", 2)}
        table.put(Pyramid("L", 0), "a1")
        table.remove_space("b1")

    def acts(self, table: Table) -> Iterator[str]:
        yield from (f"slip@{space}" for space in table.spaces if table.stack(space))
        yield from (f"close@{space}" for space in table.empty())
        yield from (f"open@{space}" for space in self.closed(table))

    def closed(self, table: Table) -> list[str]:
        return [space for space in table.board.names if space not in table.spaces]

    def play(self, table: Table, act: str) -> None:
        verb, space = act.split("@")
        if verb == "slip":
            piece = table.bank[0]
            table.spend(piece, "bank", said="")
            table.put(piece, space, said="slips", at=0)
            table.placed.append(space)
        elif verb == "close":
            table.remove_space(space)
        else:
            table.add_space(space)
        table.end_turn()

    def over(self, table: Table) -> str | None:
        return None if table.bank else "DE-2"

    def winners(self, table: Table) -> list[int]:
        return [table.turn % 2, table.turn % 2 + 2]

    def marks(self, table: Table) -> Mapping[str, str]:
        return {space: str(len(table.stack(space))) for space in table.stacks}

    def labels(self, table: Table) -> Mapping[str, str]:
        return {f"slip@{space}": f"Put it under {space}" for space in reversed(table.spaces)}
