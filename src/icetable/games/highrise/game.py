"""The rules of High Rise."""

from __future__ import annotations

import functools
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from icetable.core.errors import BadOption, Fault
from icetable.core.options import is_integer, short_repr
from icetable.workshop.boards import Board, squares
from icetable.workshop.design import Game, option
from icetable.workshop.equipment import Piece, Pyramid, drawn
from icetable.workshop.look import Account, Look, Says
from icetable.workshop.table import Table

COLOURS = (("red", "yellow", "green", "blue", "black"), ("purple", "orange", "clear", "cyan", "white"))
NAMES = {"S": "small", "M": "medium", "L": "large"}
PLACING = f"([SML])(?::({'|'.join(COLOURS[0] + COLOURS[1])}))?@([a-z][0-9]+)"
NUMBER = "(?:0|[1-9][0-9]*)"
NUMBERS = f"(?:roll|deal):(?:[0-9]+|(?=.*[0-9][0-9]){NUMBER}(?:,{NUMBER})+)"
"""Numbers are parted by commas if any is above 9."""
MAX_NUMBER = 10**9
"""The greatest of `values`; a kernel could hold far greater ones."""
SIDES = 6
SQUARES_PER_STASH = 5
COUNTS = ("none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


class HighRise(Game):
    """Build towers over numbers: win one by more pips (the dots: 1, 2 or 3), and score the other's pips and its number.

    **HR-1** Two play, Rainbow (seat 0) and Xeno (seat 1), on three by three squares or on a larger board.

    **HR-2** Dice are rolled, one for each square. All see the numbers; then the dice are covered and mixed, and nobody
    knows where they lie. Instead of dice there may be any numbers, one a square.

    **HR-3** A stash is a pyramid of each size in each of a player's five colours. Both have a stash for every five
    squares, or part of five, but one small pyramid of each colour is out of play.

    **HR-4** Seat 0 begins.

    **HR-5** The players take turns. A turn places a pyramid on top of any tower, whatever its size.

    **HR-6** A colour tells only whose a pyramid is. Where none is named, it is one of which most are left.

    **HR-7** Nobody looks beneath: a pyramid is out of sight while a larger one lies anywhere above it.

    **HR-8** When all pyramids are placed, the dice are shown, and the game is over.

    **HR-9** Who has more pips in a tower scores the pips of the other one there, and the number of its die. If both
    have the same number of pips in a tower, nobody scores it.

    **HR-10** The most points win.
    """

    name, title = "highrise", "High Rise"
    mechanics = ("Stacking", "Majorities", "Hidden numbers", "Memory")
    random_seats = True
    colours = COLOURS[0][0], COLOURS[1][0]
    rows = option(3, least=3, most=8, rule="HR-1", about="Rows of the board")
    cols = option(3, least=3, most=8, rule="HR-1", about="Columns of the board")
    values = option(
        "dice", list, rule="HR-2", about="Numbers under the towers: dice, or a list with one for each square"
    )
    numbers = option(
        "seen",
        "unseen",
        rule="HR-2",
        about="Dice before they are covered",
        labels=("are seen by all", "are seen by nobody"),
        before="unseen",
    )
    memory = option("on", "off", rule="HR-7", about="Covered pyramids", labels=("stay hidden", "may be looked up"))
    turn_rule = "HR-5"
    examples = (
        "L@b2 (S, M or L)",
        "L:cyan@b2",
        "roll:112344566",
        "deal:352164135",
        "deal:10,2,… if a number is above 9",
    )
    look = Look(
        goal="The most points: win towers by pips (dots), for the other's pips in them and the hidden numbers.",
        beside="supplies",
        repeats=True,
        colours=COLOURS,
        tall=True,
        covers=True,
        counts="pip",
        facts=(),
        chance={"roll": "rolls", "deal": ""},
        says={
            "rolls": Says("the dice show <numbers>; nobody knows what lies where", "dice <numbers>", "roll", "roll"),
            "places": Says("<piece> comes to <0>", "<kind> on <0>", "put", "land"),
            "reveals": Says(
                "<value> lies under <0>", "the numbers are shown", "open", "reveal", "the numbers are shown"
            ),
            "tied": Says(", which is tied"),
            "controls": Says(", which <seat> <controls>"),
            "scores": Says(" for <value> points"),
            "draw": Says(),
        },
    )

    def __init__(self, players: int, chosen: Mapping[str, Any]) -> None:
        super().__init__(players, chosen)
        self.rolls = self.values == "dice" and self.numbers == "seen"
        """Whether the dice are rolled openly (HR-2)."""
        if self.memory == "off":
            self.hides = None  # type: ignore[method-assign,assignment]  # all is visible, earlier acts too (HR-7)

    def board(self) -> Board:
        count = self.rows * self.cols
        if self.values != "dice" and not (len(self.values) == count and all(map(is_number, self.values))):
            raise BadOption(
                f"values can't be {short_repr(self.values)}; allowed: 'dice' or a list of {count} whole numbers "
                f"from 0 to {MAX_NUMBER}, one for each square (HR-2)"
            )
        return squares(self.cols, self.rows)

    def start(self, table: Table) -> None:
        table.pad = [list(self.stash(seat)) for seat in self.seats]
        table.known = None if self.values == "dice" else sorted(self.values)
        table.shown = None
        if self.is_to_roll(table):
            self.roll_dice(table)

    def stash(self, seat: int) -> list[Pyramid]:
        """The pyramids of a player: one small of each colour is out of play (HR-3)."""
        stashes = -(-self.rows * self.cols // SQUARES_PER_STASH)
        sizes = "S" * (stashes - 1) + "M" * stashes + "L" * stashes
        return [Pyramid(size, colour) for colour in COLOURS[seat] for size in sizes]

    @functools.cached_property
    def turn_limit(self) -> int:
        """The number of all pyramids."""
        return sum(len(self.stash(seat)) for seat in self.seats)

    def roll_dice(self, table: Table) -> None:
        """Let chance roll the dice openly (HR-2)."""
        table.roll(SIDES, dice=len(table.spaces))

    def is_to_roll(self, table: Table) -> bool:
        """Whether the dice have yet to be rolled openly (HR-2)."""
        return table.known is None and self.numbers == "seen"

    def notation(self, text: str) -> bool:
        return re.fullmatch(f"{PLACING}|{NUMBERS}", text) is not None

    def acts(self, table: Table) -> Iterator[str]:
        for size in sorted({piece.size for piece in table.pad[table.seat]}):
            yield from (f"{size}@{space}" for space in table.spaces)

    def allows(self, table: Table, act: str) -> bool:
        """A colour may be named; it makes no difference to the game (HR-6)."""
        found = re.fullmatch(PLACING, act)
        return found is not None and found[3] in table.spaces and Pyramid(found[1], found[2]) in table.pad[table.seat]

    def usual_colour(self, left: Counter[Piece], seat: int, size: str) -> str:
        """The colour of a pyramid if none is named: the first of those with most left (HR-6)."""
        return max(COLOURS[seat], key=lambda colour: left[Pyramid(size, colour)])

    def play(self, table: Table, act: str) -> None:
        if act.startswith("roll:"):
            table.known = list(map(int, drawn(act)))
        elif act.startswith("deal:"):
            self.count(table, list(map(int, drawn(act))))
        else:
            kind, space = act.split("@")
            size, _, colour = kind.partition(":")
            pyramid = Pyramid(size, colour or self.usual_colour(Counter(table.pad[table.seat]), table.seat, size))
            table.spend(pyramid, said="")
            table.put(pyramid, space, said="places")
            table.end_turn()
            if not any(table.pad):
                self.show_dice(table)

    def show_dice(self, table: Table) -> None:
        """Let chance reveal the places of the numbers (HR-2, HR-8)."""
        if table.known is None:
            table.deal(range(1, SIDES + 1), dice=len(table.spaces))
        else:
            table.deal(table.known)

    def count(self, table: Table, numbers: list[int]) -> None:
        """Show the numbers, and count tower by tower (HR-9, HR-10)."""
        table.shown = numbers
        for space, account in self.accounts(table).items():
            table.say("reveals", space, value=account.number)
            if account.owner is None:
                table.say("tied", space)
            else:
                table.say("controls", space, value=account.owner)
                table.say("scores", space, value=account.points)
        if len(list(self.winners(table))) > 1:
            table.say("draw", value="HR-10")

    def hides(self, table: Table, seat: int | None) -> Iterator[tuple[str, int]]:
        """The pyramids beneath larger ones (HR-7)."""
        return ((space, height) for space, tower in table.stacks.items() for height in beneath(tower))

    def accounts(self, table: Table) -> dict[str, Account]:
        """What each tower is worth, by the pyramids in sight (HR-9)."""
        numbers = dict(zip(table.spaces, table.shown or (), strict=False))
        return {
            space: account(table.stack(space), numbers.get(space))
            for space in table.spaces
            if table.stack(space) or numbers
        }

    def pool(self, table: Table) -> list[int]:
        """The numbers under the towers, if they are known; nobody knows which lies where (HR-2)."""
        return table.known or []

    def scores(self, table: Table) -> list[int]:
        if not table.shown:
            return [0, 0]
        accounts = self.accounts(table).values()
        return [sum(account.points for account in accounts if account.owner == seat) for seat in self.seats]

    def over(self, table: Table) -> str | None:
        return "HR-8" if table.shown else None

    def why(self, table: Table, act: str) -> Fault | tuple[str, str]:
        placing = re.fullmatch(PLACING, act)
        if placing is None:
            kind, _, _ = act.partition(":")
            return self.why_numbers(table, kind, drawn(act))
        size, colour, space = placing.groups()
        if self.is_to_roll(table):
            return Fault("not-rolled", "First the dice have to be rolled.", "HR-2")
        if not any(table.pad):
            return Fault("nothing-left", "No pyramids are left to place; now the numbers are shown.", "HR-8")
        if space not in table.spaces:
            return Fault("no-such-square", f"The board has no square {space!r}.", "HR-1", (space,))
        if colour and colour not in COLOURS[table.seat]:
            message = f"Your opponent plays {colour}; your colours are {', '.join(COLOURS[table.seat])}."
            return Fault("not-your-colour", message, "HR-6")
        pyramid = NAMES[size]
        if colour and any(piece.size == size for piece in table.pad[table.seat]):
            pyramid = f"{pyramid} {colour}"
        return Fault("none-left", f"You have no {pyramid} pyramid left in your stash.", "HR-3")

    def why_numbers(self, table: Table, kind: str, numbers: list[str]) -> Fault:
        """Why these numbers can't be rolled or dealt now (HR-2, HR-8)."""
        count = len(table.spaces)
        if kind == "deal" and any(table.pad):
            return Fault("too-early", "The numbers are shown when both stashes are empty.", "HR-8")
        if kind == "roll" and not self.rolls:
            return Fault("no-roll", "In this game no dice are rolled openly.", "HR-2")
        if kind == "roll" and not self.is_to_roll(table):
            return Fault("rolled", "The dice have been rolled.", "HR-2")
        if len(numbers) != count:
            message = f"There are {count} squares, so a {kind} has {count} numbers, not {len(numbers)}."
            return Fault("wrong-count", message, "HR-2")
        if kind == "deal" and table.known is not None:
            source = "that were rolled" if self.rolls else "of this game's values"
            return Fault("other-numbers", f"The numbers of a deal are those {source}, in any order.", "HR-2")
        if not set(numbers) <= set(map(str, range(1, SIDES + 1))):
            return Fault("no-die", f"A die shows 1 to {SIDES}.", "HR-2")
        return Fault("not-in-order", "The numbers of a roll are listed smallest first.", "HR-2")

    def prompt(self, table: Table) -> str:
        return f"Choose a size, then a square. {table.turn} of {self.turn_limit} placed."

    def reason(self, table: Table) -> str:
        winner, *others = self.winners(table)
        if others:
            return f"Both have {self.scores(table)[0]} points."
        owners = [account.owner for account in self.accounts(table).values()]
        won, lost, tied = (count_words(owners.count(owner)) for owner in (winner, 1 - winner, None))
        towers = "tower" if won == "one" else "towers"
        ties = "" if tied == "none" else f"; {tied} {'is' if tied == 'one' else 'are'} tied"
        return f"<who {winner}> <holds {winner}> {won} {towers} and <who {1 - winner}> {lost}{ties}."

    def unsound(self, table: Table) -> str | None:
        placed = sum(map(len, table.stacks.values()))
        left = [(self.turn_limit - placed + seat) // 2 for seat in self.seats]
        if (table.turn, table.seat) != (placed, placed % 2) or list(map(len, table.pad)) != left:
            return "the seats place a pyramid in turn, seat 0 first (HR-5)"
        known, shown = table.known, table.shown
        given = None if self.values == "dice" else sorted(self.values)
        is_rolled = self.rolls and known is not None and known == sorted(known) and self.can_be_dice(known)
        if not is_rolled and (known != given or (placed and self.rolls)):
            return "the known numbers are those of the roll or of `values`, smallest first (HR-2)"
        can_be_shown = shown is None or (self.can_be_dice(shown) if known is None else sorted(shown) == known)
        if not can_be_shown or (shown is not None and any(table.pad)):
            return "the numbers that are shown are the known ones, or those of dice, when all is placed (HR-8)"
        return None

    def can_be_dice(self, numbers: list[int]) -> bool:
        """Whether dice can show these numbers (HR-2)."""
        return len(numbers) == self.rows * self.cols and all(number in range(1, SIDES + 1) for number in numbers)


@functools.lru_cache(4096)
def beneath(tower: tuple[Pyramid, ...]) -> list[int]:
    """The heights of the pyramids of a tower beneath larger ones (HR-7)."""
    found, largest = [], 0
    for height in reversed(range(len(tower))):
        if tower[height].pips < largest:
            found.append(height)
        largest = max(largest, tower[height].pips)
    return found[::-1]


@functools.lru_cache(4096)
def account(tower: tuple[Piece, ...], number: int | None) -> Account:
    """What a tower is worth by its pyramids in sight: its owner, who has more pips in it, scores the other's pips and
    the number; one that is tied has none (HR-9).
    """
    rainbow, xeno = pips = tuple(
        sum(piece.pips for piece in tower if isinstance(piece, Pyramid) and piece.colour in colours)
        for colours in COLOURS
    )
    owner = None if rainbow == xeno else int(rainbow < xeno)
    points = 0 if owner is None else pips[1 - owner] + (number or 0)
    return Account(pips, owner, points, number)


def is_number(value: object) -> bool:
    """Whether a number may lie under a tower (HR-2)."""
    return is_integer(value) and 0 <= value <= MAX_NUMBER


def count_words(count: int) -> str:
    """ "none", "one", "two" or "13"."""
    return COUNTS[count] if count < len(COUNTS) else str(count)
