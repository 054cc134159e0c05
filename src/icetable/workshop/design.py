"""A game of the workshop: one class of plain Python, from which everything else follows."""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from types import CodeType
from typing import TYPE_CHECKING, Any, ClassVar, overload

from icetable.core.errors import GameError
from icetable.core.options import Option, short_repr
from icetable.workshop.boards import Board

if TYPE_CHECKING:
    from icetable.workshop.table import Table

RULE = re.compile(r"\*\*([A-Z]{1,4})-(\d{1,3})\*\*")
"""How a paragraph of the rules begins: its id in bold."""


class Choice:
    """An option of a game, as `option` makes it. A game has the chosen value in its place."""

    def __init__(
        self, default: Any, others: tuple[Any, ...], least: int, most: int | None, rule: str, name: str
    ) -> None:
        self.default, self.others, self.least, self.most, self.rule = default, others, least, most, rule
        self.name = name

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = self.name or name

    @overload
    def __get__(self, game: None, owner: type) -> Choice: ...
    @overload
    def __get__(self, game: object, owner: type) -> Any: ...
    def __get__(self, game: object | None, owner: type) -> Any:
        return self

    def described(self, rule: str) -> Option:
        """The option as all games have theirs. `rule`: what it changes where it does not say."""
        about = self.name.replace("_", " ").capitalize()
        by_players = isinstance(self.default, dict)
        usual = tuple(dict.fromkeys(self.default.values())) if by_players else (self.default,)
        kind = {bool: "bool", int: "int", float: "float", str: "choice"}.get(type(usual[0]))
        if kind is None:
            raise GameError(f"option {self.name} is a number, a word, True or False, not {short_repr(self.default)}")
        choices = tuple(dict.fromkeys((*usual, *self.others))) if by_players or self.others else ()
        if list in self.others:
            kind, choices = "list", tuple(one for one in choices if one is not list)
        numbers = kind in ("int", "float") and not choices
        least, most = (self.least, self.most) if numbers else (None, None)
        default = None if by_players else self.default
        return Option(self.name, kind, default, about, self.rule or rule, choices, least, most)  # type: ignore[arg-type]

    def usual(self, players: int) -> Any:
        """The value that it has where none is chosen."""
        return self.default[players] if isinstance(self.default, dict) else self.default


def option(default: Any, *others: Any, least: int = 0, most: int | None = None, rule: str = "", name: str = "") -> Any:
    """An option of a game: its usual value, and the others that are allowed.

    With True or False the other one is allowed too; with a number and no others, any from `least` to `most`. A usual
    value that hangs on the number of players is a dict: `option({2: 4, 3: 6})`. `list` among the others allows a list
    of numbers, which the game gets as a tuple. `rule` is the id of the rule that it changes, `name` what it is called
    where the game can't have that name, as it has a `board` already.
    """
    return Choice(default, others, least, most, rule, name)


class Game:
    """A game: how it begins, what may be done, what that does, and when it ends. All else has a default.

    The docstring of the class is the game's rules, in Markdown: a line that says what the game is, then a paragraph for
    each rule that begins with its id in bold, such as `**CA-1**`. Errors and endings name rules by these ids.
    """

    players: ClassVar[int | tuple[int, int]] = 2
    """The number of players, or the smallest and the largest."""
    name: ClassVar[str] = ""
    """In commands, links and records: by default the name of the class in small letters. A changed game has its own."""
    title: ClassVar[str] = ""
    """By default the name of the class. A changed game has its own."""
    turn_rule: ClassVar[str] = ""
    """The id of the rule that says whose turn it is; by default the first that speaks of turns."""
    cooperative: ClassVar[bool] = False
    """Whether all play against the game: where all win, that is no draw."""
    stuck_rule: ClassVar[str] = ""
    """The id of the rule that ends the game where nothing may be done; by default `turn_rule`."""

    def __init__(self, players: int, chosen: Mapping[str, Any]) -> None:
        self.seats = range(players)
        for attribute, one in self._choices().items():
            vars(self)[attribute] = chosen.get(one.name, one.default)

    def board(self) -> Board:
        """The board, drawn as it is declared."""
        raise NotImplementedError

    def start(self, table: Table) -> None:
        """Set the table up."""

    def acts(self, table: Table) -> Iterable[str]:
        """What `table.seat` may do, as short texts that name the spaces concerned, such as "a1-b2". Changes nothing."""
        raise NotImplementedError

    def play(self, table: Table, act: str) -> None:
        """Play a legal act, or what chance has drawn, on the table."""
        raise NotImplementedError

    def reveal(self, table: Table, choices: Mapping[int, str]) -> None:
        """Go on with what the seats have chosen in secret (`Table.ask`)."""
        raise NotImplementedError

    def over(self, table: Table) -> str | None:
        """The id of the rule that ends the game now; None where it goes on."""
        return None

    def winners(self, table: Table) -> Iterable[int]:
        """The seats that win when the game is over; none where nobody does.

        By default those with the most points among those that are not out, or among all where nobody is left.
        """
        points = self.scores(table) if self.scores else table.score
        left = [seat for seat in self.seats if seat not in table.out] or self.seats
        most = max(points[seat] for seat in left)
        return [seat for seat in left if points[seat] == most]

    def why(self, table: Table, act: str) -> str | tuple[str, str] | None:
        """Why an act is refused: a sentence, or the id of a rule and a sentence; None where there is no more to say."""
        return None

    hides: Any = None
    """Optional: `hides(self, table, seat)` gives what a seat does not see, or a watcher, who is None: a space, or the
    number of a seat for its pad, for all that lies there; or such a place with a number from the bottom, as ("a1", 0).

    While such a game goes on nobody looks up earlier acts, and bots take what they don't see to lie in any order. What
    a game adds to the table is hidden from all where its name begins with an underscore.
    """
    worth: Any = None
    """Optional, for bots: `worth(self, table)` gives a number for each seat, more for a seat that stands better."""

    scores: Any = None
    """Optional: `scores(self, table)` gives each seat's points where they follow from what lies there; without it they
    are those that `Table.gain` has added up."""

    notation: Any = None
    """Optional: `notation(self, text)` says whether a text could be an act at all. Any other is bad notation."""

    allows: Any = None
    """Optional: `allows(self, table, act)` says whether an act may be made that `acts` does not list, since there are
    too many to list or they come to the same. Bots don't think of them."""

    @classmethod
    def options(cls) -> tuple[Choice, ...]:
        """The options, in the order in which they are written, a parent's first."""
        return tuple(cls._choices().values())

    @classmethod
    def _choices(cls) -> dict[str, Choice]:
        found = {name: one for base in reversed(cls.__mro__) for name, one in vars(base).items()}
        return {name: one for name, one in found.items() if isinstance(one, Choice)}

    @classmethod
    def rules_text(cls) -> str:
        """The rules for players, in Markdown, with those of the game that it changes, where it has none of its own."""
        own = inspect.cleandoc(vars(cls).get("__doc__") or "")
        changed = next((base for base in cls.__mro__[1:] if issubclass(base, Game) and base is not Game), None)
        return own if changed is None or RULE.search(own) else f"{own}\n\n{changed.rules_text()}"

    @classmethod
    def rule_ids(cls) -> tuple[str, ...]:
        """The ids of the rules, in order."""
        return tuple(f"{prefix}-{number}" for prefix, number in RULE.findall(cls.rules_text()))


def codes_of(design: type[Game]) -> Iterator[list[CodeType]]:
    """The code of each function of a class, of the classes that it changes and of their files, with what lies in it."""
    bases = [base for base in design.__mro__ if issubclass(base, Game) and base is not Game]
    own = {base.__module__ for base in bases}
    for place in (*bases, *(sys.modules[name] for name in own if name in sys.modules)):
        for member in vars(place).values():
            if inspect.isfunction(member) and member.__module__ in own:
                yield list(_nested(member.__code__))


def names_in(design: type[Game]) -> set[str]:
    """The names of verbs and values that the code of a class uses."""
    return {name for codes in codes_of(design) for code in codes for name in code.co_names}


def _nested(code: CodeType) -> Iterator[CodeType]:
    yield code
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield from _nested(inner)
