"""The adapter of High Rise: notation, faults, effects, views and saved positions."""

from __future__ import annotations

import functools
import math
import re
from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple

from icetable.core.boards import LETTERS
from icetable.core.box import Pieces
from icetable.core.decimals import is_integer
from icetable.core.drawing import Paint, no_paint
from icetable.core.errors import BadNotation, BadOption, BadRecord, Fault, GameError
from icetable.core.game import Action, GameInfo, State
from icetable.core.kernel import ACTOR, CHANCE, NOBODY, TURN
from icetable.core.options import short_repr
from icetable.core.turns import SIZE_LETTERS, SIZE_WORDS, TurnGame, TurnState
from icetable.games.highrise import deals, drawing, evaluation, picture, rules
from icetable.games.highrise.memory import imagine
from icetable.games.highrise.rules import (
    DEAL,
    HIDES,
    LEFT,
    LOG,
    NUMBERS,
    PIPS,
    PLAYERS,
    PYRAMIDS,
    SCORES,
    SIDES,
    SIZES,
    colour_of,
    owner,
    points,
    seat_of,
    size_of,
    square_of,
)
from icetable.games.highrise.towers import (
    ALL_COLOURS,
    COLOURS,
    PYRAMIDS_BY_NAME,
    Pyramid,
    Table,
    can_be_built,
    in_sight,
)
from icetable.games.highrise.view import (
    Account,
    AnyEffect,
    Controls,
    Draw,
    Layout,
    Places,
    Reveals,
    Scores,
    Tied,
    Tower,
    View,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    import numpy as np

    from icetable.core.jit import Ints

PLACING_FORM = re.compile(f"([SML])(?::({'|'.join(ALL_COLOURS)}))?@([a-z][0-9]+)")
DEAL_FORM = re.compile("deal:([0-9]+|(?:0|[1-9][0-9]*)(?:,(?:0|[1-9][0-9]*))+)")
MOST_NUMBER = 10**9
"""The greatest allowed value; a kernel could hold far greater ones."""
MOST_LISTED = 1000
"""The greatest number of outcomes that `chance_outcomes` lists."""
CACHED_TABLES = 1024
"""The number of positions whose `Table` is cached."""


class Placing(NamedTuple):
    """The notation of a placement, read. `colour` is "" where the notation names none."""

    size: int
    colour: str
    square: str


def make(info: GameInfo, options: dict[str, Any]) -> HighRise:
    """The game with complete options. Raises BadOption where the list of values does not fit the board."""
    return HighRise(info, options)


@functools.cache
def placement(entry: int) -> tuple[int, int, int, int]:
    """Square, seat, size and colour of an entry of the log. Cached, because calling a kernel is slower."""
    return square_of(entry), seat_of(entry), size_of(entry), colour_of(entry) - 1


@functools.lru_cache(CACHED_TABLES)
def built(squares: int, log: tuple[int, ...]) -> Table:
    """The table after these placements. Cached, because the table before the last one was usually asked for too."""
    return built(squares, log[:-1]).after(*placement(log[-1])) if log else Table(squares)


class HighRise(TurnGame):
    """High Rise on a board of some size. Kernel acts are those of `rules`."""

    sees_alike = True

    rules = rules
    evaluation = evaluation
    deals = deals
    exploration = 0.08

    def __init__(self, info: GameInfo, options: dict[str, Any]) -> None:
        super().__init__(info, options)
        rows, cols = options["rows"], options["cols"]
        self.squares = tuple(f"{LETTERS[col]}{row + 1}" for row in range(rows) for col in range(cols))
        self.hides = options["memory"] == "on"
        self.values: tuple[int, ...] | None = None
        if options["values"] != "dice":
            self.values = options["values"] = self._checked_values(options["values"])
        numbers = range(1, SIDES + 1) if self.values is None else sorted(set(self.values))
        self.chance_parts = tuple(map(str, numbers))

    def _checked_values(self, values: tuple[Any, ...]) -> tuple[int, ...]:
        count = len(self.squares)
        if len(values) != count or not all(map(is_number, values)):
            raise BadOption(
                f"values can't be {short_repr(values)}; allowed: 'dice' or a list of {count} whole numbers "
                f"from 0 to {MOST_NUMBER}, one for each square (HR-2)"
            )
        return tuple(int(value) for value in values)

    def first_position(self) -> Ints:
        return rules.start(len(self.squares), self.values, self.hides)

    # Notation

    def notation(self, code: int) -> str:
        if code >= DEAL:
            position = self.first_position()
            rules.draw_numbers(position, code - DEAL)
            return write_deal(self._numbers(position))
        colour = f":{ALL_COLOURS[colour_of(code) - 1]}" if colour_of(code) else ""
        return f"{SIZE_LETTERS[size_of(code)]}{colour}@{self.squares[square_of(code)]}"

    def code(self, text: str) -> int | None:
        act = self._read(text)
        if not isinstance(act, Placing):
            return None if self._fault_of_numbers(act) else DEAL
        if act.square not in self.squares:
            return None
        colour = ALL_COLOURS.index(act.colour) + 1 if act.colour else 0
        return colour << 8 | act.size << 6 | self.squares.index(act.square)

    def _read(self, text: str) -> Placing | list[str]:
        """A placement, or the numbers of a deal as text. Raises BadNotation."""
        if isinstance(text, str):
            if placing := PLACING_FORM.fullmatch(text):
                return Placing(SIZE_LETTERS.index(placing[1]), placing[2] or "", placing[3])
            if deal := DEAL_FORM.fullmatch(text):
                if "," not in deal[1]:
                    return list(deal[1])
                numbers = deal[1].split(",")
                if any(len(number) > 1 for number in numbers):
                    return numbers
        raise BadNotation(
            f"{short_repr(text)} is no act; acts look like L@b2 (S, M or L), L:cyan@b2, "
            "deal:352164135, or deal:10,2,… where a number is above 9"
        )

    # Faults, in the order of the spec

    def judge(self, position: Ints, text: str) -> Fault:
        act = self._read(text)
        dealing = position[ACTOR] == CHANCE
        if isinstance(act, Placing) and not dealing:
            return self._judge_placing(position, act)
        if dealing and not isinstance(act, Placing):
            fault = self._fault_of_numbers(act)
            assert fault is not None
            return fault
        if dealing:
            return Fault("nothing-left", "No pyramids are left to place; now the numbers are shown.", "HR-8")
        return Fault("too-early", "The numbers are shown when both stashes are empty.", "HR-8")

    def _fault_of_numbers(self, numbers: list[str]) -> Fault | None:
        """Why the squares can't have these numbers; None where they can."""
        count = len(self.squares)
        if len(numbers) != count:
            message = f"There are {count} squares, so a deal has {count} numbers, not {len(numbers)}."
            return Fault("wrong-count", message, "HR-2")
        if self.values is None:
            if set(numbers) <= {str(side + 1) for side in range(SIDES)}:
                return None
            return Fault("no-die", f"A die shows 1 to {SIDES}.", "HR-2")
        if Counter(numbers) == Counter(map(str, self.values)):
            return None
        return Fault("other-numbers", "The numbers of a deal are those of this game's values, in any order.", "HR-2")

    def _judge_placing(self, position: Ints, act: Placing) -> Fault:
        seat = int(position[ACTOR])
        if act.square not in self.squares:
            return Fault("no-such-square", f"The board has no square {short_repr(act.square)}.", "HR-1", (act.square,))
        if act.colour and act.colour not in COLOURS[seat]:
            message = f"Your opponent plays {act.colour}; your colours are {', '.join(COLOURS[seat])}."
            return Fault("not-your-colour", message, "HR-6")
        word = SIZE_WORDS[act.size]
        if act.colour and position[LEFT + seat * SIZES + act.size]:
            word = f"{word} {act.colour}"
        return Fault("none-left", f"You have no {word} pyramid left in your stash.", "HR-3")

    # Playing

    def list_acts(self, state: TurnState) -> list[Action]:
        """Placements without colours, or all deals. Raises GameError where there are over MOST_LISTED deals."""
        if state.actor != CHANCE:
            return super().list_acts(state)
        if self.number_of_deals() > MOST_LISTED:
            raise GameError(f"there are {self.number_of_deals()} deals, too many to list; random_act draws one (HR-2)")
        assert self.values is not None
        return [Action(write_deal(deal)) for deal in arrangements(Counter(self.values))]

    def allows(self, state: TurnState, code: int) -> bool:
        if state.actor == CHANCE or code == DEAL:
            return state.actor == CHANCE and code == DEAL
        if not colour_of(code):
            return super().allows(state, code)
        colour = colour_of(code) - 1
        named = Pyramid(state.actor, size_of(code), colour)
        return ALL_COLOURS[colour] in COLOURS[state.actor] and self.look(state.position).left(named) > 0

    def play(self, position: Ints, code: int, text: str) -> Action:
        if code != DEAL:
            return super().play(position, code, text)
        numbers = self._read(text)
        position[NUMBERS : NUMBERS + len(self.squares)] = [int(number) for number in numbers]
        rules.show_numbers(position)
        return Action(text)

    def number_of_deals(self) -> int:
        """The number of different deals. All are equally likely."""
        if self.values is None:
            return int(SIDES ** len(self.squares))
        count = math.factorial(len(self.squares))
        for equal in Counter(self.values).values():
            count //= math.factorial(equal)
        return count

    def part_odds(self, drawn: Sequence[int]) -> list[float]:
        """The odds of the number of the next square: those of a die, or of the values that are left (HR-2)."""
        if self.values is None:
            return super().part_odds(drawn)
        left = Counter(map(str, self.values)) - Counter(self.chance_parts[part] for part in drawn)
        return [left[number] / left.total() for number in self.chance_parts]

    def act_of_parts(self, drawn: Sequence[int]) -> str | None:
        """The deal of these numbers, square by square."""
        if len(drawn) < len(self.squares):
            return None
        return write_deal([int(self.chance_parts[part]) for part in drawn])

    def longest(self) -> tuple[int, int]:
        """Every pyramid is placed, then every square gets its number (HR-8)."""
        return int(self.first_position()[PYRAMIDS]), len(self.squares)

    def perft(self, state: State, depth: int) -> int:
        """The kernel counts placements. It can't list the outcomes of the deal, which is the last act of all."""
        assert isinstance(state, TurnState)
        if depth == 0 or state.is_terminal:
            return int(depth == 0)
        placings = int(state.position[PYRAMIDS] - state.position[TURN])
        if depth <= placings:
            return super().perft(state, depth)
        return super().perft(state, placings) * self.number_of_deals() if depth == placings + 1 else 0

    def scores(self, position: Ints) -> tuple[int, ...]:
        return int(position[SCORES]), int(position[SCORES + 1])

    # What an act caused

    def work_out_effects(self, before: Ints, code: int, after: Ints) -> tuple[AnyEffect, ...]:
        """The pyramid that was placed; after the deal the number and the points of each square."""
        if code == DEAL:
            return tuple(self._effects_of_deal(after))
        square = square_of(code)
        return (Places((self.squares[square],), str(self.look(after).towers[square][-1])),)

    def _effects_of_deal(self, after: Ints) -> Iterator[AnyEffect]:
        for name, account in self._accounts(after).items():
            yield Reveals((name,), account["number"])
            if account["owner"] is None:
                yield Tied((name,))
            else:
                yield Controls((name,), account["owner"])
                yield Scores((name,), account["points"])
        if after[SCORES] == after[SCORES + 1]:
            yield Draw("HR-10")

    # What there is to see

    def pieces(self) -> Pieces:
        return Pieces(pyramids=int(self.first_position()[PYRAMIDS]), dice=len(self.squares))

    def layout(self) -> Layout:
        cols = self.options["cols"]
        return {
            "rows": self.options["rows"],
            "cols": cols,
            "squares": [
                {"name": name, "x": square % cols, "y": square // cols} for square, name in enumerate(self.squares)
            ],
            "colours": [list(colours) for colours in COLOURS],
            "copies": {letter: rules.copies(len(self.squares), size) for size, letter in enumerate(SIZE_LETTERS)},
            "values": None if self.values is None else sorted(self.values),
            "memory": self.options["memory"],
        }

    def shows_history(self, state: State) -> bool:
        """Only when the game is over, because earlier acts show the hidden pyramids (HR-7)."""
        return state.is_terminal or not self.hides

    def draw(self, view: Mapping[str, Any], touched: Collection[str] = (), paint: Paint = no_paint) -> str:
        return drawing.draw(self.layout(), view, touched, paint)

    def svg(self, view: Mapping[str, Any]) -> str:
        return picture.svg(self.info.colours, self.layout(), view)

    def lay_open(self, position: Ints) -> Ints:
        """What larger pyramids cover shows (HR-7)."""
        opened = position.copy()
        opened[HIDES] = 0
        return opened

    def imagine(self, position: Ints, memory: int, rng: np.random.Generator) -> Ints:
        return imagine(position, memory, rng) if self.hides else position

    def see(self, position: Ints, seat: int | None) -> View:
        """A player sees what a watcher sees (HR-7)."""
        over = position[ACTOR] == NOBODY
        table = self.look(position)
        towers = [tower if over or not self.hides else in_sight(tower) for tower in table.towers]
        return {
            "stacks": {
                name: [pyramid and str(pyramid) for pyramid in tower]
                for name, tower in zip(self.squares, towers, strict=True)
                if tower
            },
            "towers": self._towers_seen(position, towers),
            "stash": table.stashes(),
            "turn": int(position[TURN]),
            "account": self._accounts(position) if over else None,
        }

    def _towers_seen(self, position: Ints, towers: Sequence[Sequence[Pyramid | None]]) -> dict[str, Tower]:
        """What the pyramids in sight come to, judged as if they were all (HR-7, HR-9)."""
        seen = position.copy()
        seen[PIPS : PIPS + PLAYERS * len(towers)] = seen[NUMBERS : NUMBERS + len(towers)] = 0
        for square, tower in enumerate(towers):
            for pyramid in filter(None, tower):
                seen[PIPS + PLAYERS * square + pyramid.seat] += pyramid.size + 1
        return {
            name: {
                "pips": account["pips"],
                "hidden": tower.count(None),
                "leader": account["owner"],
                "points": account["points"],
            }
            for (name, account), tower in zip(self._accounts(seen).items(), towers, strict=True)
            if tower
        }

    def _accounts(self, position: Ints) -> dict[str, Account]:
        """The points of each square and the seat that scores them, after the deal (HR-9)."""
        accounts: dict[str, Account] = {}
        for square, number in enumerate(self._numbers(position)):
            pips = position[PIPS + PLAYERS * square : PIPS + PLAYERS * (square + 1)].tolist()
            seat = int(owner(position, square))
            accounts[self.squares[square]] = {
                "number": number,
                "pips": pips,
                "owner": None if seat < 0 else seat,
                "points": 0 if seat < 0 else int(points(position, square, seat)),
            }
        return accounts

    def _numbers(self, position: Ints) -> list[int]:
        """The numbers by square, after the deal."""
        numbers: list[int] = position[NUMBERS : NUMBERS + len(self.squares)].tolist()
        return numbers

    def look(self, position: Ints) -> Table:
        """The towers on the squares and the pyramids left in the stashes."""
        return built(len(self.squares), tuple(position[LOG : LOG + position[TURN]].tolist()))

    # Saved positions

    def describe_position(self, position: Ints) -> dict[str, Any]:
        """Stacks and numbers. The turn, the stashes and the end follow from them."""
        towers = zip(self.squares, self.look(position).towers, strict=True)
        return {
            "stacks": {name: [str(pyramid) for pyramid in tower] for name, tower in towers if tower},
            "numbers": self._numbers(position) if position[ACTOR] == NOBODY else None,
        }

    def read_position(self, described: Any) -> Ints:
        if not isinstance(described, dict) or set(described) != {"stacks", "numbers"}:
            raise BadRecord("a position of High Rise has the entries stacks and numbers")
        position = self.first_position()
        table = self._read_stacks(described["stacks"])
        if not can_be_built(table.towers):
            raise BadRecord("the seats place in turn, seat 0 first, and can't have built these stacks (HR-5)")
        for square, tower in enumerate(table.towers):
            for seat, size, colour in tower:
                position[ACTOR] = seat
                rules.place(position, (colour + 1) << 8 | size << 6 | square)
        position[ACTOR] = CHANCE if position[TURN] == position[PYRAMIDS] else position[TURN] % PLAYERS
        if described["numbers"] is not None:
            self._read_numbers(position, described["numbers"])
        return position

    def _read_stacks(self, stacks: Any) -> Table:
        if not isinstance(stacks, dict):
            raise BadRecord(f"stacks is a table of squares, not {short_repr(stacks)}")
        table = Table(len(self.squares))
        for name, stack in stacks.items():
            if name not in self.squares:
                raise BadRecord(f"the board has no square {short_repr(name)} (HR-1)")
            if not isinstance(stack, list) or not stack:
                shape = "a list of pyramids from bottom to top"
                raise BadRecord(f"the stack on {name} is {shape}, not {short_repr(stack)}")
            for one in stack:
                pyramid = PYRAMIDS_BY_NAME.get(one) if isinstance(one, str) else None
                if pyramid is None:
                    message = "a pyramid is written as seat, size and colour of that seat, such as 0L:red"
                    raise BadRecord(f"{message}, not {short_repr(one)}")
                if not table.left(pyramid):
                    raise BadRecord(f"there are more pyramids {one} than the stash has (HR-3)")
                table.place(self.squares.index(name), *pyramid)
        return table

    def _read_numbers(self, position: Ints, numbers: Any) -> None:
        if not isinstance(numbers, list) or not all(map(is_number, numbers)):
            raise BadRecord(
                f"numbers is null or a list of whole numbers from 0 to {MOST_NUMBER}, not {short_repr(numbers)} (HR-2)"
            )
        if position[ACTOR] != CHANCE:
            raise BadRecord("the numbers are not known before both stashes are empty (HR-8)")
        fault = self._fault_of_numbers([str(number) for number in numbers])
        if fault is not None:
            raise BadRecord(f"{short_repr(numbers)} can't be the numbers: {fault.message} (HR-2)")
        position[NUMBERS : NUMBERS + len(numbers)] = numbers
        rules.show_numbers(position)


def is_number(value: Any) -> bool:
    """Whether a number is allowed under a square (HR-2)."""
    return is_integer(value) and 0 <= value <= MOST_NUMBER


def arrangements(supply: Counter[int]) -> Iterator[tuple[int, ...]]:
    """All different orders of the numbers in a supply."""
    if not supply:
        yield ()
    for number in sorted(supply):
        for rest in arrangements(supply - Counter([number])):
            yield (number, *rest)


def write_deal(numbers: Collection[int]) -> str:
    """The notation of a deal."""
    return "deal:" + ("," if max(numbers) > 9 else "").join(map(str, numbers))
