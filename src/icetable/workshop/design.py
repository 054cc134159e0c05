"""The base class of workshop games, and their options."""

from __future__ import annotations

import inspect
import math
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from types import CodeType
from typing import TYPE_CHECKING, Any, ClassVar, overload

from icetable.core.errors import GameError
from icetable.core.options import Option, Reading, short_repr
from icetable.core.parts import COLOURS
from icetable.workshop.boards import Board
from icetable.workshop.look import Look

if TYPE_CHECKING:
    from icetable.core.errors import Fault
    from icetable.workshop.table import Table

RULE = re.compile(r"\*\*([A-Z]{1,4})-(\d{1,3})\*\*")
"""The beginning of a paragraph of the rules: its id in bold."""


MAX_NUMBER = 1000
"""The bound of a number option that has none; ten times the default if that is more."""
TEST_PREFIX = "test_"
"""The prefix of the functions in a game's file that test it."""
REQUIRED = {
    "board": "it returns the board, such as squares(5, 5)",
    "acts": "it lists the legal acts of the seat to act, such as 'a1-b2'",
    "play": "it carries out an act, and ends the turn",
    "reveal": "it gets the secret choices of the seats that are asked",
}
"""The methods without a default, and what they do."""
SET_UP = "_is_set_up"
"""Set once a game's attributes are complete: records and copies of a position know only the table's."""


class Choice:
    """An option declared by `option`. Instances of the game have its chosen value instead."""

    def __init__(
        self,
        default: Any,
        others: tuple[Any, ...],
        least: int,
        most: int | None,
        rule: str,
        name: str,
        about: str,
        labels: tuple[str, ...],
        readings: tuple[Reading, ...],
        recommended: Any,
        before: Any,
    ) -> None:
        self.default, self.others, self.least, self.most, self.rule = default, others, least, most, rule
        self.name, self.about = name, about
        self.more = {"labels": labels, "readings": readings, "recommended": recommended, "before": before}
        """What pages and records know about its values."""

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = self.name or name

    @overload
    def __get__(self, game: None, owner: type) -> Choice: ...
    @overload
    def __get__(self, game: object, owner: type) -> Any: ...
    def __get__(self, game: object | None, owner: type) -> Any:
        return self

    def to_option(self, rule: str) -> Option:
        """The option in the form of all games. `rule`: the default for the rule that it changes."""
        about = self.about or self.name.replace("_", " ").capitalize()
        by_players = isinstance(self.default, dict)
        defaults = tuple(dict.fromkeys(self.default.values())) if by_players else (self.default,)
        kind = {bool: "bool", int: "int", float: "float", str: "choice"}.get(type(defaults[0]))
        if kind is None:
            raise GameError(f"option {self.name} is a number, a word, True or False, not {short_repr(self.default)}")
        choices = tuple(dict.fromkeys((*defaults, *self.others))) if by_players or self.others else ()
        if list in self.others:
            kind, choices = "list", tuple(choice for choice in choices if choice is not list)
        if kind in ("int", "float"):
            choices = tuple(sorted(choices))
        numbers = kind in ("int", "float") and not choices
        least, most = (self.least, self.bound) if numbers else (None, None)
        default = None if by_players else self.default
        rule = self.rule or rule
        return Option(self.name, kind, default, about, rule, choices, least, most, **self.more)  # type: ignore[arg-type]

    @property
    def bound(self) -> int:
        """The largest number allowed, as a game may make so many pieces."""
        return max(MAX_NUMBER, math.ceil(10 * self.default), self.least) if self.most is None else self.most

    def default_for(self, players: int) -> Any:
        """The default value."""
        return self.default[players] if isinstance(self.default, dict) else self.default


def option(
    default: Any,
    *others: Any,
    least: int = 0,
    most: int | None = None,
    rule: str = "",
    name: str = "",
    about: str = "",
    labels: tuple[str, ...] = (),
    readings: tuple[Reading, ...] = (),
    recommended: Any = None,
    before: Any = None,
) -> Any:
    """An option of a game: its default, and the other values allowed.

    True and False each allow the other; a number without others allows any from `least` to `most`, by default 1,000. A
    default that depends on the number of players is a dict: `option({2: 4, 3: 6})`. `list` among the others allows a
    list of numbers, which the game gets as a tuple. `rule` is the id of the rule that it changes. `name` is the name of
    the option if it differs from that of the attribute, as for an option called "board". `about` says what it sets;
    `labels` and `readings` name and describe its values, in order. `recommended` is the value for newcomers if it is
    not the default. `before` is the value of records that are older than the option.
    """
    return Choice(default, others, least, most, rule, name, about, labels, readings, recommended, before)


class Game:
    """A game: its start, its legal acts, what they do, and its end. Everything else has a default.

    The docstring of the class is the game's rules, in Markdown: a summary line, then a paragraph per rule that begins
    with its id in bold, such as `**CA-1**`. Errors and endings refer to rules by these ids.
    """

    players: ClassVar[int | tuple[int, int]] = 2
    """The number of players, or the smallest and the largest."""
    name: ClassVar[str] = ""
    """The name in commands, links and records; by default that of the class in lower case. Not inherited."""
    title: ClassVar[str] = ""
    """By default the name of the class. Not inherited."""
    turn_rule: ClassVar[str] = ""
    """The id of the rule that says whose turn it is; by default the first that mentions turns."""
    cooperative: ClassVar[bool] = False
    """Whether all play together against the game, so that a win of all is no draw."""
    acts_rule: ClassVar[str] = ""
    """The id of the rule that says what a turn does, for refusals of what begins no act; by default `turn_rule`."""
    stuck_rule: ClassVar[str] = ""
    """The id of the rule that ends the game if there is no legal act; by default `turn_rule`."""
    random_seats: ClassVar[bool] = False
    """Whether the seats are drawn at random."""
    colours: ClassVar[tuple[str, ...]] = COLOURS
    """The colours of the seats, in order."""
    mechanics: ClassVar[tuple[str, ...]] = ()
    """The usual names of its mechanics, such as "Tile placement"."""
    examples: ClassVar[tuple[str, ...]] = ("a1-b2",)
    """Acts that show what acts look like, for the message about a text that can be none."""
    look: ClassVar[Look] = Look()
    """The parts of the page that the game asks for."""
    teams: Any = ()
    """The seats that win together, if any do, such as ((0, 2), (1, 3)); a property if they depend on `self.seats`."""

    def __init__(self, players: int, chosen: Mapping[str, Any]) -> None:
        self.seats = range(players)
        for attribute, one in self._choices().items():
            vars(self)[attribute] = chosen.get(one.name, one.default)

    def __setattr__(self, name: str, value: object) -> None:
        if SET_UP in vars(self):
            raise GameError(
                f"a game keeps what changes on the table, not on itself: table.{name} in place of self.{name}"
            )
        super().__setattr__(name, value)

    def board(self) -> Board:
        """The board."""
        raise self._lacks("board")

    def start(self, table: Table) -> None:
        """Set the table up."""

    def acts(self, table: Table) -> Iterable[str]:
        """The legal acts of `table.seat`, as short texts that name their spaces, such as "a1-b2". Changes nothing."""
        raise self._lacks("acts")

    def play(self, table: Table, act: str) -> None:
        """Play a legal act or an act of chance on the table."""
        raise self._lacks("play")

    def reveal(self, table: Table, choices: Mapping[int, str]) -> None:
        """Carry out the secret choices of the seats (`Table.ask`)."""
        raise self._lacks("reveal")

    def over(self, table: Table) -> str | None:
        """The id of the rule that ends the game now; None if it continues."""
        return None

    def winners(self, table: Table) -> Iterable[int]:
        """The seats that win when the game is over, if any.

        By default those with the most points among the seats that are not out, or among all if all are out.
        """
        points = self.scores(table) if self.scores else table.score
        left = [seat for seat in self.seats if seat not in table.out] or self.seats
        most = max(points[seat] for seat in left)
        return [seat for seat in left if points[seat] == most]

    def why(self, table: Table, act: str) -> str | tuple[str, str] | Fault | None:
        """Why an act is refused: a sentence, a rule's id and a sentence, or a `Fault` that also names the spaces
        concerned; None for the default message."""
        return None

    def prompt(self, table: Table) -> str:
        """What the player to act does first, in a sentence, with the words of `look`; empty for the default.

        By default the page says what can be chosen: "Take a pyramid from your supply, then choose a marked space.". It
        says what comes next by itself once something is chosen.
        """
        return ""

    def reason(self, table: Table) -> str:
        """Why the game that is over ended like this, in a sentence or two, with the words of `look`; empty for the
        scores."""
        return ""

    def unsound(self, table: Table) -> str | None:
        """Why a table that was saved by hand is no position of the game, in a sentence; None if it may be one."""
        return None

    hides: Any = None
    """Optional: `hides(self, table, seat)` returns the places that a seat, or a watcher (None), does not see: a space,
    the number of a seat for its pad, or such a place with the index of one piece from the bottom, as in ("a1", 0).

    During such a game earlier acts can't be looked up, and bots assume hidden pieces in random order. Attributes that a
    game adds to the table are hidden from all if their names begin with an underscore.
    """
    worth: Any = None
    """Optional, for bots: `worth(self, table)` returns a number for each seat, more for a better position."""

    goals: Any = None
    """Optional, for the board: `goals(self, table)` returns the spaces that win for the seat to act if it gets there
    or, when the game is over, those that have won."""
    marks: Any = None
    """Optional, for the board: `marks(self, table)` returns the spaces that are lit, a dict with a short text for each,
    which may be empty, as in {"a1": "2", "b3": ""}."""

    labels: Any = None
    """Optional, for the page: `labels(self, table)` returns the words of the buttons for acts, a dict by act, in the
    order in which the buttons stand, as in {"S@b3>n": "Lay it down"}. Acts that it leaves out follow with default
    words."""

    turn_limit: Any
    """Optional: the number of turns after which the game ends, as an option or a property, to be shown."""

    accounts: Any = None
    """Optional, for the page: `accounts(self, table)` returns what spaces are worth now, a `look.Account` by space.
    Pieces that the reader does not see are tokens named "hidden"."""

    pool: Any = None
    """Optional, for the page: `pool(self, table)` returns numbers that lie open beside the board, as dice. The accounts
    of spaces show where they turn up."""

    ties: Any = None
    """Optional: `ties(self, table)` returns each seat's points that decide between equal scores in a series."""

    scores: Any = None
    """Optional: `scores(self, table)` returns each seat's points if they follow from the position; the default is
    `Table.score`."""

    turn_parts: Any = None
    """Optional: `turn_parts(self, table)` returns what the turn consists of that is being played: each a
    `look.TurnPart`, "to do" or "done"."""

    threats: Any = None
    """Optional, for learners: `threats(self, table)` returns what a player could do to others with one act, each a
    `look.Threat`. `Look.help` has the words for it."""

    notation: Any = None
    """Optional: `notation(self, text)` says whether a text could be an act at all; others are bad notation."""

    allows: Any = None
    """Optional: `allows(self, table, act)` says whether an act that `acts` does not list is legal, for acts that are
    too many to list or have the same effect as a listed one. Bots don't consider them."""

    def _lacks(self, method: str) -> GameError:
        return GameError(f"{type(self).__name__} has no `{method}`: {REQUIRED[method]}")

    @classmethod
    def options(cls) -> tuple[Choice, ...]:
        """The options in order of declaration, a parent's first."""
        return tuple(cls._choices().values())

    @classmethod
    def _choices(cls) -> dict[str, Choice]:
        found = {name: one for base in reversed(cls.__mro__) for name, one in vars(base).items()}
        return {name: one for name, one in found.items() if isinstance(one, Choice)}

    @classmethod
    def rules_text(cls) -> str:
        """The rules for players, in Markdown; a subclass without rules of its own adds those of its parent."""
        own = inspect.cleandoc(vars(cls).get("__doc__") or "")
        parent = next((base for base in cls.__mro__[1:] if issubclass(base, Game) and base is not Game), None)
        return own if parent is None or RULE.search(own) else f"{own}\n\n{parent.rules_text()}"

    @classmethod
    def rule_ids(cls) -> tuple[str, ...]:
        """The ids of the rules, in order."""
        return tuple(f"{prefix}-{number}" for prefix, number in RULE.findall(cls.rules_text()))


def file_of(design: type[Game]) -> str:
    """The name of the file that defines a class, or of the input of a notebook or an interpreter; "" if unknown."""
    for member in vars(design).values():
        function = inspect.unwrap(member) if inspect.isfunction(member) else None
        if function is not None and function.__module__ == design.__module__:
            return str(function.__code__.co_filename)
    file: str | None = getattr(sys.modules.get(design.__module__), "__file__", None)
    return file or ""


def place_of(design: object, method: str) -> str:
    """Where a class defines a method, as " (canals.py:31)"; empty if it has none of its own."""
    code = getattr(inspect.unwrap(getattr(type(design), method)), "__code__", None)
    return f" ({Path(code.co_filename).name}:{code.co_firstlineno})" if code and code.co_filename != __file__ else ""


def codes_of(design: type[Game]) -> Iterator[list[CodeType]]:
    """The code objects of each function of a class, its parents and their modules, nested ones included; no tests."""
    bases = [base for base in design.__mro__ if issubclass(base, Game) and base is not Game]
    own = {base.__module__ for base in bases}
    for namespace in (*bases, *(sys.modules[name] for name in own if name in sys.modules)):
        for member in vars(namespace).values():
            is_test = getattr(member, "__name__", "").startswith(TEST_PREFIX)
            if inspect.isfunction(member) and member.__module__ in own and not is_test:
                yield list(_nested(member.__code__))


def _nested(code: CodeType) -> Iterator[CodeType]:
    yield code
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield from _nested(inner)
