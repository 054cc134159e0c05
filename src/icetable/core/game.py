"""The contract of every game: what players, servers, bots and notebooks see of it.

A game is a log of acts; a position is what they add up to. Nature (dice, deals, the bell) is a seat like another,
`CHANCE`. `State.to_act` is a set of seats: one of them in a game of turns, everybody in real time.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from numbers import Integral
from typing import TYPE_CHECKING, Any, ClassVar

from icetable.core import record
from icetable.core.decimals import in_parts
from icetable.core.errors import BadRecord, Fault, GameError
from icetable.core.options import Option, resolve, shorten

if TYPE_CHECKING:
    from fractions import Fraction

    import numpy as np

CHANCE = -1
"""The seat of dice, deals and the bell."""

FORMAT = 1
"""The version of saved positions."""

LATEST = 999_999_999
"""The last second that a record can write."""

DEEPEST = 1000
"""No perft goes deeper."""

COLOURS = ("red", "green", "blue", "yellow", "cyan", "orange", "purple", "white")
"""The colours of the seats, where a game does not name its own."""

Paint = Callable[[str, int], str]
"""Gives a text the colour of a seat."""


def in_letters(text: str, _seat: int) -> str:
    """The `Paint` that uses no colours."""
    return text


class Action(str):
    """An act in its notation. Equal to the same text."""

    __slots__ = ()


@dataclass(frozen=True, eq=False)
class Effect:
    """Something that an act caused: its kind, the spaces or pieces concerned in order, and a value where it has one.

    Each kind that a game sends is a subclass in its module `view`. Effects of the same content are equal.
    """

    kind: str
    spaces: tuple[str, ...] = ()
    value: int | str | None = None

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Effect):
            return NotImplemented
        return (self.kind, self.spaces, self.value) == (other.kind, other.spaces, other.value)

    def __hash__(self) -> int:
        return hash((self.kind, self.spaces, self.value))

    def __str__(self) -> str:
        words = (self.kind, *self.spaces) if self.value is None else (self.kind, *self.spaces, str(self.value))
        return " ".join(words)


@dataclass(frozen=True)
class GameInfo:
    """What there is to know of a game before it is loaded.

    `players` is the least and the most; `options` come with defaults and choices, `presets` bundle some of them.
    `face` is the module whose `make` builds the game from its options; only loading a game imports it.
    `turn_rule` is the id of the rule that says whose turn it is; without `turns` anybody may act at any time. `solver`
    is the module that solves the game, where there is one (`core.solving`).
    """

    name: str
    title: str
    summary: str
    players: tuple[int, int]
    default_players: int
    options: tuple[Option, ...]
    face: str
    rule_prefix: str
    turn_rule: str
    presets: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    colours: tuple[str, ...] = COLOURS
    turns: bool = True
    solver: str | None = None

    @property
    def players_option(self) -> Option:
        """The number of players, as an option like the others."""
        least, most = self.players
        rule = f"{self.rule_prefix}-1"
        return Option("players", "int", self.default_players, "How many play", rule, (), least, most)

    def load(self, /, preset: object = None, **options: object) -> Game:
        """The game under these options. Raises BadOption."""
        all_options = (self.players_option, *self.options)
        game = import_module(self.face).make(self, resolve(all_options, self.presets, preset, options))
        assert isinstance(game, Game)
        return game

    def rules(self) -> str:
        """The rules for players, in Markdown. The paragraph that states a rule begins with its id in bold."""
        from importlib import resources

        return (resources.files(self.face.rpartition(".")[0]) / "RULES.md").read_text(encoding="utf-8")


class Game(ABC):
    """A game under chosen options."""

    sees_alike: ClassVar[bool] = False
    """Whether all see the same: a view of a seat is a watcher's view that names the seat."""

    def __init__(self, info: GameInfo, options: dict[str, Any]) -> None:
        self.info = info
        self.options: Mapping[str, Any] = options
        self.players: int = options["players"]

    def __repr__(self) -> str:
        options = ", ".join(f"{name}={value!r}" for name, value in self.options.items())
        return f"icetable.load({self.info.name!r}, {options})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Game):
            return NotImplemented
        return self.info.name == other.info.name and self.options == other.options

    def __hash__(self) -> int:
        return hash((self.info.name, tuple(self.options.items())))

    @abstractmethod
    def start(self) -> State:
        """The state before the first act."""

    @abstractmethod
    def parse(self, text: str) -> Action:
        """The act that a notation names. Raises BadNotation for text that no act of the game could have."""

    @abstractmethod
    def random_act(self, state: State, rng: np.random.Generator) -> Action:
        """At a chance state an outcome drawn by its probability, else any legal act, all equally likely.

        Raises GameError when the game is over.
        """

    @abstractmethod
    def layout(self) -> Mapping[str, Any]:
        """The board as a client draws it: JSON-able, the same throughout the game; a `Layout` of the module `view`."""

    def shows_history(self, state: State) -> bool:
        """Whether everybody may look up the acts that led to a state, the positions on the way and the record.

        The last act may be seen in any case: it was made before everybody's eyes.
        """
        return True

    def tie_points(self, state: State) -> tuple[int, ...]:
        """What decides, added up over a series of games, between seats whose scores add up to the same."""
        return (0,) * self.players

    def rating(self, score: int, wins: Fraction) -> Fraction | None:
        """What a tournament makes of a seat's scores added up and its wins, shared ones in part; None: nothing."""
        return None

    def draw_timer(self, rng: np.random.Generator) -> float | None:
        """When nature ends the game, in seconds after play has started; None for never.

        Only a game without turns has such a moment. Nobody but the host may learn it.
        """
        return None

    def check_public(self) -> None:  # noqa: B027 (most games are for everybody)
        """Raise BadOption where a game under these options is none for strangers."""

    def draw(self, view: Mapping[str, Any], touched: Collection[str] = (), paint: Paint = in_letters) -> str:
        """A view as a text for terminals, `touched` spaces marked. Colours only repeat what the letters say.

        A game that does not draw itself shows the bare view.
        """
        return json.dumps(view, indent=2)

    def svg(self, view: Mapping[str, Any]) -> str:
        """A view as an SVG file of its own. Raises GameError where the game does not draw itself so."""
        raise GameError(f"{self.info.title} can't be drawn as SVG")

    def random_game(self, rng: np.random.Generator) -> State:
        """The last state of a game that is played at random to its end."""
        state = self.start()
        while not state.is_terminal:
            state = state.apply(self.random_act(state, rng))
        return state

    @abstractmethod
    def _set_up(self, position: Any) -> State:
        """The state that `State._position` described. Raises BadRecord for anything the rules could not bring about."""

    def replay(self, text: str) -> State:
        """The last state of a game record. Raises BadRecord where it can't be read or breaks the rules."""
        return record.replay(self, text)

    def from_json(self, text: str) -> State:
        """The state that `State.to_json` wrote. Raises BadRecord."""
        if not isinstance(text, str):
            raise BadRecord(f"a saved position is a text, not {shorten(text)}")
        try:
            saved = json.loads(text)
        except (ValueError, RecursionError):
            raise BadRecord("a saved position is JSON, and this is not") from None
        return self.from_saved(saved)

    def from_saved(self, saved: object) -> State:
        """The state of a decoded saved position. Raises BadRecord."""
        if not isinstance(saved, dict) or set(saved) != {"icetable", "game", "options", "position"}:
            raise BadRecord("a saved position has the entries icetable, game, options and position")
        if not is_whole(saved["icetable"]) or saved["icetable"] != FORMAT:
            raise BadRecord(f"this position is of version {shorten(saved['icetable'])}; known: {FORMAT}")
        if saved["game"] != self.info.name:
            raise BadRecord(f"this position is of {shorten(saved['game'])}, not of {self.info.name!r}")
        if not record.same_options(saved["options"], self.options):
            raise BadRecord(f"this position is of a game under other options than {shorten(dict(self.options))}")
        return self._set_up(saved["position"])


class State(ABC):
    """A position of a game and the acts that led to it: immutable, hashable, equal by the value of the position."""

    __slots__ = ()

    game: Game
    parent: State | None
    """The state before the last act; None where the log begins."""
    act: Action | None
    """The last act; None where the log begins."""
    seat: int | None
    """Who made the last act; None where the log begins."""
    at: int | None
    """When the last act was made, in milliseconds since the start; None where nobody kept the time."""

    @abstractmethod
    def without_history(self) -> State:
        """The same position as the beginning of a log: it holds no other state. Time goes on from `at`."""

    @property
    @abstractmethod
    def to_act(self) -> frozenset[int]:
        """The seats that may act; {CHANCE} when a die must fall; empty when the game is over."""

    @property
    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return not self.to_act

    @property
    @abstractmethod
    def winners(self) -> frozenset[int]:
        """The seats that have won: empty until the game is over, several on a tie or draw."""

    @property
    @abstractmethod
    def scores(self) -> tuple[int, ...]:
        """One number per seat in the game's own points; in a game that only has winners 1 for each of them."""

    @property
    @abstractmethod
    def ended_by(self) -> str | None:
        """The id of the rule that ended the game; None until it is over."""

    @property
    @abstractmethod
    def effects(self) -> tuple[Effect, ...]:
        """What the last act caused, in order."""

    @abstractmethod
    def legal_actions(self, seat: int | None = None) -> list[Action]:
        """The legal acts of a seat, of the one that is to act where none is named. Raises GameError for no seat."""

    @abstractmethod
    def chance_outcomes(self) -> list[tuple[Action, float]]:
        """The outcomes of chance and their probabilities. Raises GameError elsewhere, and where there are over 1000."""

    @abstractmethod
    def fault(self, action: str, seat: int | None = None, at: float | None = None) -> Fault | None:
        """Why the rules refuse an act, or None. Raises BadNotation.

        `at`, in seconds since the start, is when it would be made: it matters in games without turns.
        """

    @abstractmethod
    def apply(self, action: str, seat: int | None = None, at: float | None = None) -> State:
        """The state after an act. Raises BadNotation or IllegalAction and changes nothing.

        `seat` may be left out when one seat is to act; `at` is in seconds since the start.
        """

    @property
    def next_change(self) -> int | None:
        """When time alone changes the position, in milliseconds since the start, if nobody acts before; None: never."""
        return None

    def as_of(self, at: int) -> State:
        """The position as it is some milliseconds after the start if nobody has acted since: itself, or a changed one.

        It is for looking at. The next act is made in the position that it changed from, at its own time.
        """
        return self

    @abstractmethod
    def _see(self, seat: int | None) -> Mapping[str, Any]:
        """The game's own part of `view`, built from what the seat may see; a `View` of the game's module `view`."""

    @abstractmethod
    def _position(self) -> Any:
        """The position, JSON-able, exact and the same for equal positions."""

    def view(self, seat: int | None = None) -> dict[str, Any]:
        """What a seat may see, JSON-able; for None what a watcher may see. Raises GameError for no seat."""
        if seat is not None:
            self.check_seat(seat)
        return {
            "game": self.game.info.name,
            "seat": seat,
            "to_act": sorted(self.to_act),
            "over": self.is_terminal,
            "ended_by": self.ended_by,
            "winners": sorted(self.winners),
            "scores": list(self.scores),
            **self._see(seat),
        }

    def history(self) -> Iterator[State]:
        """The states from the beginning of the log to this one, this one included."""
        states = []
        state: State | None = self
        while state is not None:
            states.append(state)
            state = state.parent
        return reversed(states)

    def to_json(self) -> str:
        """The position, exact and versioned, for `Game.from_json`. The log does not go with it."""
        saved = {
            "icetable": FORMAT,
            "game": self.game.info.name,
            "options": self.game.options,
            "position": self._position(),
        }
        return json.dumps(saved, separators=(",", ":"))

    def record(self) -> str:
        """The game record, one act a line, for `Game.replay`."""
        return record.write(self)

    def perft(self, depth: int) -> int:
        """How many sequences of exactly `depth` acts there are; an outcome of chance counts once."""
        if depth == 0:
            return 1
        return sum(self.apply(act, seat).perft(depth - 1) for seat in self.to_act for act in self.legal_actions(seat))

    def check_seat(self, seat: object) -> None:
        """Raise GameError where nobody sits there."""
        if not is_whole(seat) or not (CHANCE <= seat < self.game.players):  # type: ignore[operator]
            raise GameError(f"there is no seat {shorten(seat)}; seats are 0 to {self.game.players - 1}")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, State):
            return NotImplemented
        return self is other or (self.game == other.game and self._position() == other._position())

    def __hash__(self) -> int:
        return hash((self.game, json.dumps(self._position())))

    def __copy__(self) -> State:
        return self

    def __deepcopy__(self, _memo: object) -> State:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        first, *later = self.history()
        return _play_again, (self.game, first._position(), [(state.act, state.seat, state.at) for state in later])

    def __repr__(self) -> str:
        return f"<{self.game.info.title} after {sum(1 for _ in self.history()) - 1} acts: {self._position()}>"


def _play_again(game: Game, first: Any, log: list[tuple[str, int, int | None]]) -> State:
    """What a pickled state was: a log is as deep as it is long, too deep for pickle."""
    state = game._set_up(first)
    for act, seat, at in log:
        state = state.apply(act, seat, None if at is None else at / 1000)
    return state


def is_whole(value: object) -> bool:
    """Whether it is a whole number of Python's or numpy's, and no bool."""
    return type(value) is int or (isinstance(value, Integral) and not isinstance(value, bool))


def milliseconds(at: object) -> int | None:
    """A time in seconds as whole milliseconds, halves rounded up as in `in_parts`; None for None. Raises GameError."""
    if at is None:
        return None
    if isinstance(at, bool) or not isinstance(at, int | float) or not 0 <= at <= LATEST:
        raise GameError(f"a time is a number of seconds from 0 to {LATEST}, not {shorten(at)}")
    return in_parts(at, 1000)


def perft(state: State, depth: int) -> int:
    """How many sequences of exactly `depth` acts there are from `state`.

    Each outcome of chance counts once; sequences cut short by the end of the game do not count. Raises GameError for
    a depth that is no whole number from 0 to 1000, and for a game without turns.
    """
    if not isinstance(state, State):
        raise GameError(f"perft counts from a State, not from {shorten(state)}")
    if not state.game.info.turns:
        raise GameError(f"{state.game.info.title} has no turns: there is no counting what may be done at any time")
    if not is_whole(depth) or not 0 <= depth <= DEEPEST:
        raise GameError(f"a depth is a whole number from 0 to {DEEPEST}, not {shorten(depth)}")
    return state.perft(depth)
