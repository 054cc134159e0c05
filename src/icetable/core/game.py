"""The interface of every game, for players, servers, bots and notebooks.

A game is a log of acts, and a position is their result. Chance (dice, deals, the bell) has a seat like a player,
`CHANCE`. `State.to_act` is a set of seats: in a turn-based game one seat, or all that choose in
secret; in real time all seats.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Hashable, Iterator, Mapping
from dataclasses import dataclass, field
from importlib import import_module, resources
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn, TypeVar

from icetable.core import record
from icetable.core.errors import BadRecord, Fault, GameError
from icetable.core.options import Option, completed, is_integer, milliseconds, resolve, short_repr
from icetable.core.parts import COLOURS, Measured, Pieces, measured_of, module_of, weights_of
from icetable.core.record import Head
from icetable.kernels.layout import CHANCE as CHANCE

if TYPE_CHECKING:
    from fractions import Fraction
    from importlib.resources.abc import Traversable
    from types import ModuleType

    import numpy as np

    from icetable.kernels.jit import Floats

FORMAT_VERSION = 1
POSITION_ENTRIES = {"icetable", "game", "options", "position"}
T = TypeVar("T")
GAME_NAMES: tuple[str, ...] = (
    *("info", "options", "players"),
    *("start", "parse", "random_act", "random_game", "perft", "from_json", "replay"),
    *("layout", "draw", "svg", "pieces", "shows_history", "tie_points", "rating", "draw_timer"),
)
STATE_NAMES: tuple[str, ...] = (
    *("game", "parent", "act", "seat", "at", "history", "without_history"),
    *("to_act", "is_terminal", "winners", "scores", "ended_by", "effects"),
    *("legal_actions", "sample_placements", "chance_outcomes", "fault", "apply"),
    *("view", "draw", "svg", "to_json", "record", "next_change", "deadlines", "as_of"),
)
K = TypeVar("K")
V = TypeVar("V")
LINE_WIDTH = 78
Paint = Callable[[str, int], str]
"""A function that gives a text the colour of a seat."""


class Action(str):
    """An act in its notation: a string, equal to the same text.

    >>> Action("b1-c3") == "b1-c3"
    True
    """

    __slots__ = ()


@dataclass(frozen=True, eq=False)
class Effect:
    """An effect of an act. Effects with the same content are equal.

    >>> str(Effect("covers", ("e3",), "1L"))
    'covers e3 1L'
    """

    kind: str
    """The word for what happens, such as "covers"."""
    spaces: tuple[str, ...] = ()
    """The spaces or pieces concerned, in order."""
    value: int | str | None = None
    """What the kind needs beside the spaces, such as a piece; None if nothing."""

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Effect):
            return NotImplemented
        return (self.kind, self.spaces, self.value) == (other.kind, other.spaces, other.value)

    def __hash__(self) -> int:
        return hash((self.kind, self.spaces, self.value))

    def __str__(self) -> str:
        words = (self.kind, *self.spaces) if self.value is None else (self.kind, *self.spaces, str(self.value))
        return " ".join(words)


class Fixed(dict[K, V]):
    """A dictionary that refuses changes. It is equal to a plain one with the same items, and JSON-able.

    >>> choices = Fixed(board="star")
    >>> choices["board"] = "hexagon"
    Traceback (most recent call last):
    TypeError: this can't be changed; dict(...) makes a copy that can
    """

    def _refuse(self, *_: object, **__: object) -> NoReturn:
        raise TypeError("this can't be changed; dict(...) makes a copy that can")

    __setitem__ = __delitem__ = __ior__ = _refuse
    clear = pop = popitem = setdefault = update = _refuse

    def __copy__(self) -> Fixed[K, V]:
        return self

    def __deepcopy__(self, _memo: object) -> Fixed[K, V]:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return Fixed, (dict(self),)


def no_paint(text: str, _seat: int) -> str:
    """Return the text unchanged: the `Paint` without colours."""
    return text


def check_view(view: object, game: str) -> None:
    """Raise GameError unless the argument is a view of the named game."""
    if hasattr(view, "view"):
        raise GameError("to draw, pass a view, not a state: state.view(), or state.view(seat)")
    if not isinstance(view, Mapping) or "game" not in view:
        raise GameError(f"to draw, pass the view of a state, not {short_repr(view)}")
    if view["game"] != game:
        raise GameError(f"this is a view of {short_repr(view['game'])}, not of {game!r}")


@dataclass(frozen=True)
class GameInfo:
    """The description of a game, available before it is loaded.

    >>> import icetable
    >>> info = icetable.list_games()[1]
    >>> info.title, info.players, [option.name for option in info.options]
    ('IceFrogs', (2, 6), ['board', 'turn_limit'])
    """

    name: str
    """The word that `icetable.load` and commands know the game by."""
    title: str
    """The name for people."""
    summary: str
    """The game in a sentence or two."""
    players: tuple[int, int]
    """The smallest and the largest number of players."""
    default_players: int
    """The number of players by default."""
    options: tuple[Option, ...]
    """The options with their defaults and choices, without the number of players."""
    rule_prefix: str
    """The beginning of the ids of the rules, such as "IF"."""
    turn_rule: str
    """The id of the rule that says whose turn it is."""
    presets: Mapping[str, Mapping[str, Any]] = field(default_factory=dict, hash=False)
    """Named sets of values for some of the options."""
    colours: tuple[str, ...] = COLOURS
    """The colours of the seats, in turn order."""
    turns: bool = True
    """False if every seat may act at any time."""
    random_seats: bool = False
    """Whether the seats are drawn at random."""
    mechanics: tuple[str, ...] = ()
    """The usual names of its mechanics."""
    cooperative: bool = False
    """Whether all players win or lose together."""
    package: str = ""
    """The package of a game that has one: the module `game` with `make(info, options)`, the text `RULES.md`, and
    optionally the modules `lessons`, `levels` and `solve`, `measured.json`, `weights.npz` and `puzzles.json`."""
    source: str = ""
    """A hash of the file of a game that has no package."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "presets", Fixed({name: Fixed(values) for name, values in self.presets.items()}))

    @property
    def is_plain(self) -> bool:
        """Whether the rules are plain Python, as in all external games, so that nothing is compiled."""
        return bool(self.source)

    def part(self, name: str) -> ModuleType | None:
        """A module of the game's package; None if it does not exist."""
        return module_of(self._package, name)

    @property
    def _package(self) -> str:
        return self.package or f"icetable.games.{self.name}"

    @property
    def identity(self) -> object:
        """What tells this game apart from every other one: a hashable value, the same in all processes."""
        return self.name

    @property
    def reference(self) -> str:
        """What `icetable.load` and commands find the game by: its name, or the path of its file."""
        return self.name

    @property
    def players_option(self) -> Option:
        """The number of players as an option."""
        least, most = self.players
        rule = f"{self.rule_prefix}-1"
        return Option("players", "int", self.default_players, "Number of players", rule, (), least, most)

    def load(self, /, preset: object = None, **options: object) -> Game:
        """Create the game with these options. Raises BadOption."""
        complete = resolve((self.players_option, *self.options), self.presets, preset, options)
        game = import_module(f"{self._package}.game").make(self, complete)
        assert isinstance(game, Game)
        return game

    def load_stored(self, options: Mapping[str, Any]) -> Game:
        """Create the game of a stored record or position, which may lack newer options. Raises BadOption."""
        return self.load(**completed(self.options, options))

    @property
    def folder(self) -> Traversable:
        """The folder of the game's package."""
        return resources.files(self._package)

    def rules(self) -> str:
        """The rules for players, in Markdown. The paragraph that states a rule begins with its id in bold."""
        return (self.folder / "RULES.md").read_text(encoding="utf-8")

    def measured(self) -> Mapping[int, Measured]:
        """Measurements with the recommended options, by number of players; empty if there are none."""
        return measured_of(self.folder)

    def teams(self) -> Mapping[int, tuple[tuple[int, ...], ...]]:
        """The seats that win together with the recommended options, by number of players; empty if none do."""
        return {}

    def weights(self) -> Mapping[str, Floats]:
        """The learned weights of a turn-based game, by setting; empty if there are none."""
        return weights_of(self._package)


class Value:
    """An immutable object, which is its own copy. Completion shows its `PUBLIC_NAMES`, which are stable.

    >>> import icetable
    >>> [name for name in dir(icetable.load("squad")) if name.startswith("p")]
    ['parse', 'perft', 'pieces', 'players']
    """

    __slots__ = ()

    PUBLIC_NAMES: ClassVar[tuple[str, ...]] = ()

    def __dir__(self) -> list[str]:
        return [name for name in object.__dir__(self) if name.startswith("_") or name in self.PUBLIC_NAMES]

    def __copy__(self: T) -> T:
        return self

    def __deepcopy__(self: T, _memo: object) -> T:
        return self


class ComparedByKey(Value):
    """A position of a game, compared by its description, or by a cheaper key if the game has one."""

    __slots__ = ()

    _game: Any

    @abstractmethod
    def _position(self) -> Any:
        """The position, JSON-able and exact. Equal positions have equal descriptions."""

    def _comparison_key(self) -> Hashable:
        """A key that is the same for equal positions of a game and differs for most others."""
        return json.dumps(self._position())

    def _same(self, _other: Any) -> bool:
        """Whether a position of the same game with the same key is equal."""
        return True

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ComparedByKey):
            return NotImplemented
        return self is other or (
            self._game == other._game and self._comparison_key() == other._comparison_key() and self._same(other)
        )

    def __hash__(self) -> int:
        return hash(self._comparison_key())


class Game(Value, ABC):
    """A game with chosen options.

    >>> import icetable, numpy
    >>> game = icetable.load("icefrogs", players=3)
    >>> game
    icetable.load('icefrogs', players=3, board='star', turn_limit=400)
    >>> game.parse("L@b2")
    'L@b2'
    >>> state = game.start().apply("L@b2")
    >>> game.replay(state.record()) == game.from_json(state.to_json()) == state
    True
    >>> game.random_act(state, numpy.random.default_rng(5)) in state.legal_actions()
    True
    """

    PUBLIC_NAMES: ClassVar[tuple[str, ...]] = GAME_NAMES

    views_are_equal: ClassVar[bool] = False
    """Whether the views of all seats and watchers are the same, apart from the seat that they name."""

    def __init__(self, info: GameInfo, options: dict[str, Any]) -> None:
        self.info = info
        self.options: Mapping[str, Any] = Fixed(options)
        self.players: int = options["players"]

    def __repr__(self) -> str:
        options = ", ".join(f"{name}={value!r}" for name, value in self.options.items())
        return f"icetable.load({self.info.reference!r}, {options})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Game):
            return NotImplemented
        return self is other or (self.info.identity == other.info.identity and self.options == other.options)

    def __hash__(self) -> int:
        return hash((self.info.identity, tuple(self.options.items())))

    @abstractmethod
    def start(self) -> State:
        """The state before the first act."""

    @abstractmethod
    def parse(self, text: str) -> Action:
        """The act with this notation. Raises BadNotation if no act of the game has it."""

    @abstractmethod
    def random_act(self, state: State, rng: np.random.Generator) -> Action:
        """Draw a random act: at a chance state an outcome by its probability, otherwise a uniformly random legal act.

        Raises GameError when the game is over.
        """

    @abstractmethod
    def layout(self) -> Mapping[str, Any]:
        """The board for clients to draw: JSON-able, the same at every state. A `Layout` of the module `view`."""

    def shows_history(self, state: State) -> bool:
        """Whether players and watchers may look up the record, the earlier acts and the earlier positions of a state.

        They always see the last act.
        """
        return True

    def shown_act(self, state: State) -> str:
        """The last act of a state as everybody may see it during the game."""
        return str(state.act)

    def tie_points(self, state: State) -> tuple[int, ...]:
        """Tie-break points by seat: in a series, their sum decides between seats with the same sum of scores."""
        return (0,) * self.players

    def rating(self, score: int, wins: Fraction) -> Fraction | None:
        """A seat's rating in a tournament; None if the game has no ratings.

        `score` is the sum of the seat's scores, `wins` the number of its wins; a win shared by n seats counts 1/n.
        """
        return None

    @property
    def teams(self) -> tuple[tuple[int, ...], ...]:
        """The seats that win together; by default each seat is a side of its own."""
        return tuple((seat,) for seat in range(self.players))

    def pieces(self) -> Pieces:
        """The equipment needed to play."""
        return Pieces()

    def draw_timer(self, rng: np.random.Generator) -> float | None:
        """Draw the moment at which chance ends the game, in seconds after the start of play; None for never.

        Only a game without turns has such a moment. The host keeps it secret.
        """
        return None

    def check_public(self) -> None:
        """Raise BadOption if a game with these options must not be played at a public table."""

    def draw(self, view: Mapping[str, Any], touched: Collection[str] = (), paint: Paint = no_paint) -> str:
        """A view as text for a terminal, with `touched` spaces marked. Colours only repeat what the letters say.

        A game without its own drawing shows the view as JSON. Raises GameError for anything but a view of the game.
        """
        check_view(view, self.info.name)
        return self._draw(view, touched, paint)

    def svg(self, view: Mapping[str, Any]) -> str:
        """A view as an SVG file. Raises GameError like `draw`, and for a game without an SVG drawing."""
        check_view(view, self.info.name)
        return self._svg(view)

    def thumbnail(self, view: Mapping[str, Any]) -> str:
        """A view as a small SVG file for lists of games: the board alone, as the pages show it. Raises like `svg`."""
        check_view(view, self.info.name)
        return self._thumbnail(view)

    def _thumbnail(self, view: Mapping[str, Any]) -> str:
        """A game without its own shows its SVG drawing."""
        return self._svg(view)

    def _draw(self, view: Mapping[str, Any], touched: Collection[str], paint: Paint) -> str:
        return json.dumps(view, indent=2)

    def _svg(self, view: Mapping[str, Any]) -> str:
        raise GameError(f"{self.info.title} can't be drawn as SVG")

    def random_game(self, rng: np.random.Generator) -> State:
        """Play random acts to the end, and return the last state."""
        state = self.start()
        while not state.is_terminal:
            state = state.apply(self.random_act(state, rng))
        return state

    @abstractmethod
    def _set_up(self, position: Any) -> State:
        """The state of a `State._position`. Raises BadRecord for a position that can't be reached."""

    def perft(self, state: State, depth: int) -> int:
        """`icetable.perft` for a state of this game. Raises GameError for a game without turns."""
        raise GameError(f"{self.info.title} has no turns, so there are no sequences of acts to count")

    def replay(self, text: str) -> State:
        """The last state of a record of this game. Raises BadRecord if it can't be read or breaks the rules."""
        head = record.read_head(text)
        with record.naming_version(head, self.info.source):
            state = self.first_of(head)
            for number, line in head.lines:
                state = record.replayed(state, line, number)
        return state

    def first_of(self, head: Head) -> State:
        """The first state of a record of this game. Raises BadRecord."""
        if head.game != self.info.name:
            raise BadRecord(f"this is a record of {short_repr(head.game)}, not of {self.info.name!r}")
        game = self._as_stored(head.options, "this is a record")
        return game.start() if head.setup is None else game.from_json(head.setup)

    def from_json(self, text: str) -> State:
        """The state saved by `to_json`. Raises BadRecord."""
        return self.from_saved(read_position(text))

    def from_saved(self, position: object) -> State:
        """Like `from_json`, for decoded JSON. Raises BadRecord."""
        parts = check_position(position, self.info.name)
        return self._as_stored(parts["options"], "this position is")._set_up(parts["position"])

    def _as_stored(self, options: object, it_is: str) -> Game:
        """This game as it was when these options were stored. Raises BadRecord if they are another game's options."""
        newer = {option.name: self.options[option.name] for option in self.info.options if option.before is not None}
        if not isinstance(options, Mapping) or not record.same_options(newer | dict(options), self.options):
            raise BadRecord(f"{it_is} of a game with other options than {short_repr(dict(self.options))}")
        return self if len(options) == len(self.options) else self.info.load_stored(options)


class State(ComparedByKey, ABC):
    """A position of a game and the acts that led to it: immutable and hashable. States with equal positions are equal.

    >>> import icetable
    >>> state = icetable.load("wrecktangle").start()
    >>> state.to_act == {icetable.CHANCE}
    True
    >>> state.chance_outcomes()[0]
    ('die:away', 0.16666666666666666)
    >>> state = state.apply("die:away")
    >>> state.to_act, len(state.legal_actions()), state.is_terminal
    (frozenset({0}), 24, False)
    >>> state.fault("d1-d4").message
    'A queen moves exactly 2 squares along its row, along its column or diagonally.'
    >>> state = state.apply("d1-d3")
    >>> state.effects
    (Effect(kind='moves', spaces=('d1', 'd3'), value='0Q'),)
    >>> state.winners, state.scores, state.view(0)["own"]["coin"]
    (frozenset(), (0, 0), 'heads')
    >>> print(state.record().splitlines()[-1])
    0 d1-d3 # moves d1 d3 0Q
    >>> state.to_json()[:34]
    '{"icetable":1,"game":"wrecktangle"'
    """

    __slots__ = ()
    PUBLIC_NAMES: ClassVar[tuple[str, ...]] = STATE_NAMES

    _game: Game
    _parent: State | None
    _act: Action | None
    _seat: int | None
    _at: int | None

    @property
    def game(self) -> Game:
        """The game being played."""
        return self._game

    @property
    def parent(self) -> State | None:
        """The state before the last act; None at the beginning of the log."""
        return self._parent

    @property
    def act(self) -> Action | None:
        """The last act; None at the beginning of the log."""
        return self._act

    @property
    def seat(self) -> int | None:
        """The seat that made the last act; None at the beginning of the log."""
        return self._seat

    @property
    def at(self) -> int | None:
        """The time of the last act, in milliseconds since the start; None if it has no time."""
        return self._at

    @abstractmethod
    def without_history(self) -> State:
        """The same position and time `at`, at the beginning of a new log."""

    @property
    @abstractmethod
    def to_act(self) -> frozenset[int]:
        """The seats that may act: {CHANCE} before a roll or a deal, empty when the game is over."""

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
        """A number for each seat in the game's own points; without such points 1 for a winner, else 0."""

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
        """The legal acts of a seat; without `seat`, of the seat that is to act.

        Raises GameError for a wrong seat, and if chance has over 1000 outcomes. `Game.random_act`, `fault` and `apply`
        still work then.
        """

    def sample_placements(
        self,
        seat: int,
        rng: np.random.Generator,
        n: int,
        standing: bool | None = None,
        target: str | None = None,
    ) -> list[Action]:
        """Random legal placements, in a game that has too many to list. Raises GameError in other games."""
        raise GameError(f"{self.game.info.title} has no placements to sample; legal_actions lists its acts")

    @abstractmethod
    def chance_outcomes(self) -> list[tuple[Action, float]]:
        """Each outcome of chance with its probability. Raises GameError at other states, and for over 1000 outcomes."""

    @abstractmethod
    def fault(self, action: str, seat: int | None = None, at: float | None = None) -> Fault | None:
        """Why the rules refuse an act; None if it is legal. Takes the arguments of `apply`. Raises BadNotation."""

    @abstractmethod
    def apply(self, action: str, seat: int | None = None, at: float | None = None) -> State:
        """The state after an act. `seat` may be left out if one seat is to act. `at` is the time of the act in seconds
        since the start, and matters only in games without turns. Raises BadNotation or IllegalAction.
        """

    def _time(self, at: float) -> int | None:
        """The time of an act in milliseconds. Raises GameError if it is before the last one."""
        time = milliseconds(at)
        timed: State | None = self
        while timed is not None and timed._at is None:
            timed = timed._parent
        if time is not None and timed is not None and timed._at is not None and time < timed._at:
            raise GameError(f"time does not run back: {short_repr(at)} comes before the last act")
        return time

    @property
    def next_change(self) -> int | None:
        """The next time at which the position changes by itself, in milliseconds since the start; None for never."""
        return None

    @property
    def deadlines(self) -> Mapping[int, int]:
        """By seat, the time at which the rules act in its place, in milliseconds since the start. Not secret."""
        return {}

    def as_of(self, at: int) -> State:
        """The position `at` milliseconds after the start, if nobody acts until then.

        Only for views: the next act is applied to this state, not to the one returned.
        """
        return self

    @abstractmethod
    def _see(self, seat: int | None) -> Mapping[str, Any]:
        """The game's own entries of `view`: a `View` of the game's module `view`."""

    def view(self, seat: int | None = None) -> dict[str, Any]:
        """The view of a seat, or of a watcher for None: JSON-able. Raises GameError for a wrong seat."""
        if seat is not None:
            self.check_seat(seat)
        return {
            "game": self.game.info.name,
            "seat": None if seat is None else int(seat),
            "to_act": sorted(self.to_act),
            "over": self.is_terminal,
            "ended_by": self.ended_by,
            "winners": sorted(self.winners),
            "scores": list(self.scores),
            **self._see(seat),
        }

    def draw(self, seat: int | None = None) -> str:
        """The view of a seat, or of a watcher for None, as text for a terminal."""
        return self.game.draw(self.view(seat))

    def svg(self, seat: int | None = None) -> str:
        """The view of a seat, or of a watcher for None, as SVG. Raises GameError for a game without an SVG drawing."""
        return self.game.svg(self.view(seat))

    def _repr_svg_(self) -> str | None:
        """The drawing that notebooks show: the view of a watcher."""
        return self.svg() if type(self.game)._svg is not Game._svg else None

    def history(self) -> Iterator[State]:
        """The states from the beginning of the log up to and including this one."""
        states = []
        state: State | None = self
        while state is not None:
            states.append(state)
            state = state.parent
        return reversed(states)

    def to_json(self) -> str:
        """The position as JSON for `Game.from_json`: exact, versioned, without the log."""
        return write_position(self.game.info.name, self.game.options, self._position())

    def record(self) -> str:
        """The game record, one act per line, for `Game.replay`."""
        first, *later = self.history()
        setup = None if first == self.game.start() else first.to_json()
        head = Head(self.game.info.name, self.game.options, setup, source=self.game.info.source or None)
        return record.written(head, map(record.act_line, later), self)

    def check_seat(self, seat: object) -> None:
        """Raise GameError unless the argument is a seat of the game or CHANCE."""
        if not is_integer(seat) or not (CHANCE <= seat < self.game.players):
            raise GameError(f"there is no seat {short_repr(seat)}; seats are 0 to {self.game.players - 1}")

    def __reduce__(self) -> tuple[Any, ...]:
        first, *later = self.history()
        return _replay_acts, (self.game, first._position(), [(state.act, state.seat, state.at) for state in later])

    def __repr__(self) -> str:
        return f"<{self.game.info.title} after {sum(1 for _ in self.history()) - 1} acts: {self._position()}>"


def _replay_acts(game: Game, first: Any, log: list[tuple[str, int, int | None]]) -> State:
    """Restore a pickled state from its acts; pickle itself would recurse once per state of the log."""
    state = game._set_up(first)
    for act, seat, at in log:
        state = state.apply(act, seat, None if at is None else at / 1000)
    return state


def write_position(game: str, options: Mapping[str, Any], position: object) -> str:
    """Write a saved position as text."""
    saved = {"icetable": FORMAT_VERSION, "game": game, "options": options, "position": position}
    return json.dumps(saved, separators=(",", ":"))


def read_position(text: object) -> object:
    """Decode the JSON of a saved position. Raises BadRecord."""
    if not isinstance(text, str):
        raise BadRecord(f"a saved position is a text, not {short_repr(text)}")
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise BadRecord("a saved position is JSON, and this is not") from None


def check_position(saved: object, game: str | None = None) -> dict[str, Any]:
    """The parts of a saved position, which must be of `game` if that is given. Raises BadRecord."""
    if not isinstance(saved, dict) or set(saved) != POSITION_ENTRIES:
        raise BadRecord("a saved position has the entries icetable, game, options and position")
    if not is_integer(saved["icetable"]) or saved["icetable"] != FORMAT_VERSION:
        raise BadRecord(f"this position is of version {short_repr(saved['icetable'])}; known: {FORMAT_VERSION}")
    if game is not None and saved["game"] != game:
        raise BadRecord(f"this position is of {short_repr(saved['game'])}, not of {game!r}")
    return saved
