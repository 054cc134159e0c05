"""High Rise as a `TurnGame`: notation, faults, effects, views and saved positions."""

from __future__ import annotations

import functools
import re
from collections import Counter
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from icetable.core.drawing import Paint
from icetable.core.errors import BadNotation, BadOption, BadRecord, Fault, GameError
from icetable.core.game import Action, GameInfo, State
from icetable.core.infobox import Pieces
from icetable.core.options import short_repr
from icetable.core.turns import SIZE_LETTERS, SIZE_WORDS, TurnGame, TurnState
from icetable.games.highrise import chance, deals, drawing, evaluation, picture, rules
from icetable.games.highrise.chance import FACES, MAX_NUMBER, Numbers, is_number
from icetable.games.highrise.memory import determinize
from icetable.games.highrise.rules import (
    DEAL,
    DICE,
    HIDES,
    KNOWN,
    LEFT,
    LOG,
    NUMBERS,
    OPEN,
    PIPS,
    PLAYERS,
    PYRAMIDS,
    ROLL,
    SCORES,
    SIZES,
    VALUES,
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
    Pyramid,
    Table,
    can_be_built,
    in_sight,
    read_stacks,
)
from icetable.games.highrise.view import (
    Account,
    AnyEffect,
    Controls,
    Draw,
    Layout,
    Places,
    Reveals,
    Rolls,
    Scores,
    Tied,
    Tower,
    View,
)
from icetable.kernels.boards import LETTERS
from icetable.kernels.layout import ACTOR, CHANCE, NOBODY, TURN

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    import numpy as np

    from icetable.kernels.jit import Ints

PLACING_FORM = re.compile(f"([SML])(?::({'|'.join(ALL_COLOURS)}))?@([a-z][0-9]+)")
MAX_OUTCOMES = 1000
"""Maximum number of outcomes that `chance_outcomes` lists."""
MAX_CACHED_TABLES = 1024


class Placing(NamedTuple):
    """A parsed placement. `colour` is "" if the notation does not name one."""

    size: int
    colour: str
    square: str


def make(info: GameInfo, options: dict[str, Any]) -> HighRise:
    """Create the game. Raises BadOption if the list of values does not fit the board."""
    return HighRise(info, options)


@functools.cache
def placement(entry: int) -> tuple[int, int, int, int]:
    """Square, seat, size and colour of an entry of the log, cached because calling a kernel is slower."""
    return square_of(entry), seat_of(entry), size_of(entry), colour_of(entry) - 1


@functools.lru_cache(MAX_CACHED_TABLES)
def built(squares: int, log: tuple[int, ...]) -> Table:
    """The table after these placements, cached because the table before the last one is usually needed too."""
    return built(squares, log[:-1]).after(*placement(log[-1])) if log else Table(squares)


class HighRise(TurnGame):
    """High Rise. Kernel acts are those of `rules`."""

    views_are_equal = True
    compared_words = LOG

    rules = rules
    evaluation = evaluation
    deals = deals
    exploration = 0.005

    def __init__(self, info: GameInfo, options: dict[str, Any]) -> None:
        super().__init__(info, options)
        rows, cols = options["rows"], options["cols"]
        self.squares = tuple(f"{LETTERS[col]}{row + 1}" for row in range(rows) for col in range(cols))
        self.hides = options["memory"] == "on"
        self.values: tuple[int, ...] | None = None
        if options["values"] != "dice":
            self.values = options["values"] = self._checked_values(options["values"])
        self.rolls = self.values is None and options["numbers"] == "seen"
        """Whether the dice are rolled openly at the start (HR-2)."""
        self.chance_parts = tuple(map(str, FACES if self.values is None else sorted(set(self.values))))

    def _checked_values(self, values: tuple[Any, ...]) -> tuple[int, ...]:
        count = len(self.squares)
        if len(values) != count or not all(map(is_number, values)):
            raise BadOption(
                f"values can't be {short_repr(values)}; allowed: 'dice' or a list of {count} whole numbers "
                f"from 0 to {MAX_NUMBER}, one for each square (HR-2)"
            )
        return tuple(int(value) for value in values)

    def first_position(self) -> Ints:
        return rules.start(len(self.squares), self.values, self.rolls, self.hides)

    # Notation

    def act_at(self, position: Ints, code: int) -> Action:
        if code < ROLL:
            return super().act_at(position, code)
        drawn = position.copy()
        if code >= DEAL:
            rules.draw_numbers(drawn, code - DEAL)
            return Action(chance.write("deal", self._numbers(drawn)))
        rules.roll(drawn, code - ROLL)
        return Action(chance.write("roll", self._values(drawn)))

    def notation(self, code: int) -> str:
        colour = f":{ALL_COLOURS[colour_of(code) - 1]}" if colour_of(code) else ""
        return f"{SIZE_LETTERS[size_of(code)]}{colour}@{self.squares[square_of(code)]}"

    def code(self, text: str) -> int | None:
        act = self._read(text)
        if not isinstance(act, Placing):
            return ROLL if act.kind == "roll" else DEAL
        if act.square not in self.squares:
            return None
        colour = ALL_COLOURS.index(act.colour) + 1 if act.colour else 0
        return colour << 8 | act.size << 6 | self.squares.index(act.square)

    def _read(self, text: str) -> Placing | Numbers:
        """Parse a placement, a roll or a deal. Raises BadNotation."""
        if isinstance(text, str):
            if placing := PLACING_FORM.fullmatch(text):
                return Placing(SIZE_LETTERS.index(placing[1]), placing[2] or "", placing[3])
            if numbers := chance.read(text):
                return numbers
        raise BadNotation(
            f"{short_repr(text)} is not an act; acts look like L@b2 (S, M or L), L:cyan@b2, roll:112344566, "
            "deal:352164135, or deal:10,2,… if a number is above 9"
        )

    # Faults, in the order of the spec

    def judge(self, position: Ints, text: str) -> Fault:
        act = self._read(text)
        if isinstance(act, Placing):
            return self._judge_placing(position, act)
        fault = self._fault_of_numbers(position, act)
        assert fault is not None
        return fault

    def _fault_of_numbers(self, position: Ints, act: Numbers) -> Fault | None:
        """Why these numbers can't be rolled or dealt now; None if they can."""
        if act.kind == "deal" and (position[ACTOR] != CHANCE or position[DICE] == OPEN):
            return Fault("too-early", "The numbers are shown when both stashes are empty.", "HR-8")
        if act.kind == "roll" and not self.rolls:
            return Fault("no-roll", "In this game no dice are rolled openly.", "HR-2")
        if act.kind == "roll" and position[DICE] != OPEN:
            return Fault("rolled", "The dice have been rolled.", "HR-2")
        return chance.fault_of(act, len(self.squares), self._known(position), self.rolls)

    def _judge_placing(self, position: Ints, act: Placing) -> Fault:
        if position[DICE] == OPEN:
            return Fault("not-rolled", "First the dice have to be rolled.", "HR-2")
        if position[ACTOR] == CHANCE:
            return Fault("nothing-left", "No pyramids are left to place; now the numbers are shown.", "HR-8")
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
        """Placements without colours, or all deals. Raises GameError for over MAX_OUTCOMES deals, and for a roll, which
        always has more outcomes.
        """
        if state.actor != CHANCE:
            return super().list_acts(state)
        kind, count = "deals", chance.number_of_deals(len(self.squares), self._known(state.array))
        if state.array[DICE] == OPEN:
            kind, count = "rolls", chance.number_of_rolls(len(self.squares))
        if count > MAX_OUTCOMES:
            instead = "random_act draws one, and apply takes any"
            raise GameError(f"there are {count} {kind}, too many to list; {instead} (HR-2)")
        supply = Counter(self._values(state.array))
        return [Action(chance.write("deal", deal)) for deal in chance.arrangements(supply)]

    def allows(self, state: TurnState, code: int, text: str) -> bool:
        if code >= ROLL:
            numbers = self._read(text)
            assert isinstance(numbers, Numbers)
            return self._fault_of_numbers(state.array, numbers) is None
        if state.actor == CHANCE:
            return False
        if not colour_of(code):
            return super().allows(state, code, text)
        colour = colour_of(code) - 1
        named = Pyramid(state.actor, size_of(code), colour)
        return ALL_COLOURS[colour] in COLOURS[state.actor] and self.table(state.array).left(named) > 0

    def play(self, position: Ints, code: int, text: str) -> Action:
        if code < ROLL:
            return super().play(position, code, text)
        act = self._read(text)
        assert isinstance(act, Numbers)
        if act.kind == "roll":
            self._take_rolled(position, act.values)
        else:
            self._take_dealt(position, act.values)
        return Action(text)

    def _take_rolled(self, position: Ints, numbers: Sequence[int]) -> None:
        """Reveal these numbers, and let seat 0 begin."""
        position[VALUES : VALUES + len(self.squares)] = numbers
        rules.begin(position)

    def _take_dealt(self, position: Ints, numbers: Sequence[int]) -> None:
        """Reveal these numbers on the squares, and end the game."""
        position[NUMBERS : NUMBERS + len(self.squares)] = numbers
        rules.show_numbers(position)

    def part_odds(self, position: Ints, drawn: Sequence[int]) -> list[float]:
        """The probabilities of the next number: of an ascending roll, or in a deal those of a die or of the known
        numbers left (HR-2).
        """
        if position[DICE] == OPEN:
            return chance.odds_of_next_rolled(len(self.squares), drawn)
        known = self._known(position)
        if known is None:
            return super().part_odds(position, drawn)
        left = Counter(map(str, known)) - Counter(self.chance_parts[part] for part in drawn)
        return [left[number] / left.total() for number in self.chance_parts]

    def act_of_parts(self, position: Ints, drawn: Sequence[int]) -> str | None:
        """The roll or the deal of these numbers."""
        if len(drawn) < len(self.squares):
            return None
        kind: Literal["roll", "deal"] = "roll" if position[DICE] == OPEN else "deal"
        return chance.write(kind, [int(self.chance_parts[part]) for part in drawn])

    def longest(self) -> tuple[int, int]:
        """Every pyramid is placed, and every number is dealt, and may have been rolled before (HR-2, HR-8)."""
        return int(self.first_position()[PYRAMIDS]), len(self.squares) * (1 + self.rolls)

    def perft(self, state: State, depth: int) -> int:
        """The kernel counts placements. Outcomes of chance can't be listed, so a formula counts them."""
        assert isinstance(state, TurnState)
        if depth == 0 or state.is_terminal:
            return int(depth == 0)
        squares, known = len(self.squares), self._known(state.array)
        placings = int(state.array[PYRAMIDS] - state.array[TURN])
        if state.array[DICE] == OPEN:
            rolled = state.array.copy()
            rules.begin(rolled)
            state, depth = TurnState(self, rolled), depth - 1
            rolls = chance.number_of_rolls(squares)
        else:
            rolls = 1
        if depth <= placings:
            return rolls * super().perft(state, depth)
        # The number of rolls times their deals is the number of ordered results of the dice.
        return super().perft(state, placings) * chance.number_of_deals(squares, known) if depth == placings + 1 else 0

    def scores(self, position: Ints) -> tuple[int, ...]:
        return int(position[SCORES]), int(position[SCORES + 1])

    # Effects

    def work_out_effects(self, before: Ints, code: int, after: Ints) -> tuple[AnyEffect, ...]:
        """The placed pyramid; the numbers of the roll; after the deal the number and points of each square."""
        if code == ROLL:
            return (Rolls(value=chance.write("roll", self._values(after)).partition(":")[2]),)
        if code == DEAL:
            return tuple(self._effects_of_deal(after))
        square = square_of(code)
        return (Places((self.squares[square],), str(self.table(after).towers[square][-1])),)

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

    # Views

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
        """Only after the end if pyramids are hidden, because earlier acts show them (HR-7)."""
        return state.is_terminal or not self.hides

    def _draw(self, view: Mapping[str, Any], touched: Collection[str], paint: Paint) -> str:
        return drawing.draw(self.layout(), view, touched, paint)

    def _svg(self, view: Mapping[str, Any]) -> str:
        return picture.svg(self.info.colours, self.layout(), view)

    def revealed(self, position: Ints) -> Ints:
        """The position with all covered pyramids visible (HR-7)."""
        revealed = position.copy()
        revealed[HIDES] = 0
        return revealed

    def determinize(self, position: Ints, memory: int | None, rng: np.random.Generator) -> Ints:
        return determinize(position, memory, rng) if self.hides and memory is not None else position

    def see(self, position: Ints, seat: int | None) -> View:
        """Players and watchers see the same (HR-7)."""
        over = position[ACTOR] == NOBODY
        table = self.table(position)
        towers = [tower if over or not self.hides else in_sight(tower) for tower in table.towers]
        return {
            "stacks": {
                name: [pyramid and str(pyramid) for pyramid in tower]
                for name, tower in zip(self.squares, towers, strict=True)
                if tower
            },
            "towers": self._visible_towers(position, towers),
            "stash": table.stashes(),
            "numbers": self._known(position),
            "turn": int(position[TURN]),
            "account": self._accounts(position) if over else None,
        }

    def _visible_towers(self, position: Ints, towers: Sequence[Sequence[Pyramid | None]]) -> dict[str, Tower]:
        """The pips, leaders and points of the towers by the pyramids in sight alone (HR-7, HR-9)."""
        visible = position.copy()
        visible[PIPS : PIPS + PLAYERS * len(towers)] = visible[NUMBERS : NUMBERS + len(towers)] = 0
        for square, tower in enumerate(towers):
            for pyramid in filter(None, tower):
                visible[PIPS + PLAYERS * square + pyramid.seat] += pyramid.size + 1
        return {
            name: {
                "pips": account["pips"],
                "hidden": tower.count(None),
                "leader": account["owner"],
                "points": account["points"],
            }
            for (name, account), tower in zip(self._accounts(visible).items(), towers, strict=True)
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

    def _values(self, position: Ints) -> list[int]:
        """The numbers that were rolled or given as an option, smallest first."""
        values: list[int] = position[VALUES : VALUES + len(self.squares)].tolist()
        return sorted(values)

    def _known(self, position: Ints) -> list[int] | None:
        """The numbers for the towers, smallest first; None if the players do not know them."""
        return self._values(position) if position[DICE] == KNOWN else None

    def table(self, position: Ints) -> Table:
        """The towers on the squares and the pyramids left in the stashes."""
        return built(len(self.squares), tuple(position[LOG : LOG + position[TURN]].tolist()))

    # Saved positions

    def describe_position(self, position: Ints) -> dict[str, Any]:
        """Stacks, the numbers of an open roll, and the numbers by square. Turn, stashes and end follow from them."""
        towers = zip(self.squares, self.table(position).towers, strict=True)
        return {
            "stacks": {name: [str(pyramid) for pyramid in tower] for name, tower in towers if tower},
            **({"rolled": self._known(position)} if self.rolls else {}),
            "numbers": self._numbers(position) if position[ACTOR] == NOBODY else None,
        }

    def same(self, position: Ints, other: Ints) -> bool:
        """Whether the towers are equal, in whatever order they were built."""
        return self.table(position).towers == self.table(other).towers

    def read_position(self, described: Any) -> Ints:
        entries = ("stacks", "rolled", "numbers") if self.rolls else ("stacks", "numbers")
        if not isinstance(described, dict) or set(described) != set(entries):
            raise BadRecord(f"a position of High Rise has the entries {', '.join(entries[:-1])} and {entries[-1]}")
        position = self.first_position()
        if self.rolls and described["rolled"] is not None:
            self._take_rolled(position, self._read_numbers(position, "roll", described["rolled"]))
        table = read_stacks(self.squares, described["stacks"])
        if not can_be_built(table.towers):
            raise BadRecord("the seats place in turn, seat 0 first, and can't have built these stacks (HR-5)")
        if position[DICE] == OPEN:
            if described["stacks"] or described["numbers"] is not None:
                raise BadRecord("before the dice are rolled there are no stacks and no numbers (HR-2)")
            return position
        for square, tower in enumerate(table.towers):
            for seat, size, colour in tower:
                position[ACTOR] = seat
                rules.place(position, (colour + 1) << 8 | size << 6 | square)
        position[ACTOR] = CHANCE if position[TURN] == position[PYRAMIDS] else position[TURN] % PLAYERS
        if described["numbers"] is not None:
            self._take_dealt(position, self._read_numbers(position, "deal", described["numbers"]))
        return position

    def _read_numbers(self, position: Ints, kind: str, numbers: Any) -> list[int]:
        """Read the numbers of a roll or a deal from a saved position. Raises BadRecord."""
        if not isinstance(numbers, list) or not all(map(is_number, numbers)):
            entry, form = "rolled" if kind == "roll" else "numbers", f"whole numbers from 0 to {MAX_NUMBER}"
            raise BadRecord(f"{entry} is null or a list of {form}, not {short_repr(numbers)} (HR-2)")
        if kind == "deal" and position[ACTOR] != CHANCE:
            raise BadRecord("the numbers are not known before both stashes are empty (HR-8)")
        fault = self._fault_of_numbers(position, Numbers(kind, tuple(map(str, numbers))))
        if fault is not None:
            raise BadRecord(f"{short_repr(numbers)} can't be the numbers: {fault.message} (HR-2)")
        return numbers
