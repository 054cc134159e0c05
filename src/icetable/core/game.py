"""The contract of every game: what players, servers, bots and notebooks see of it.

A game is a log of acts, and a position is what they add up to. Chance (dice, deals, the bell) has a seat like a player,
`CHANCE`. `State.to_act` is a set of seats: one seat in a game of turns, all seats in real time.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from importlib import import_module, resources
from typing import TYPE_CHECKING, Any, ClassVar

from icetable.core import record, saved
from icetable.core.acts import Action as Action
from icetable.core.acts import Effect as Effect
from icetable.core.drawing import Paint, check_view, no_paint
from icetable.core.errors import BadRecord, Fault, GameError
from icetable.core.fixed import Fixed
from icetable.core.infobox import COLOURS, Measured, Pieces, measured_of
from icetable.core.numbers import is_integer
from icetable.core.options import Option, completed, resolve, short_repr
from icetable.core.parts import module_of, weights_of
from icetable.core.record import Head
from icetable.core.values import GAME, STATE, ComparedByWords, Value
from icetable.kernels.layout import CHANCE as CHANCE

if TYPE_CHECKING:
    from fractions import Fraction
    from importlib.resources.abc import Traversable
    from types import ModuleType

    import numpy as np

    from icetable.kernels.jit import Floats


@dataclass(frozen=True)
class GameInfo:
    """What there is to know of a game before it is loaded.

    `players` is the smallest and the largest number of players. `options` have defaults and choices, and each of the
    `presets` sets some of them. `lots`: who sits where is drawn by lot. `rule_prefix` begins the ids of the rules, and
    `turn_rule` is the id of the rule that says whose turn it is. Where `turns` is False, every seat may act at any
    time. `mechanics`: what one does in it, in the words of its kind. `cooperative`: all win or lose together.

    `source` is a hash of the file of a game from outside. `package` holds any other game: the module `game` with
    `make(info, options)`, the text `RULES.md`, and where the game has them the modules `lessons`, `levels`, `puzzles`,
    `themes` and `solve`, what was measured, `measured.json`, learned weights, `weights.npz`, and `puzzles.json`.

    >>> import icetable
    >>> info = icetable.list_games()[1]
    >>> info.title, info.players, [option.name for option in info.options]
    ('IceFrogs', (2, 6), ['board', 'turn_limit'])
    """

    name: str
    title: str
    summary: str
    players: tuple[int, int]
    default_players: int
    options: tuple[Option, ...]
    rule_prefix: str
    turn_rule: str
    presets: Mapping[str, Mapping[str, Any]] = field(default_factory=dict, hash=False)
    colours: tuple[str, ...] = COLOURS
    turns: bool = True
    lots: bool = False
    mechanics: tuple[str, ...] = ()
    cooperative: bool = False
    package: str = ""
    source: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "presets", Fixed({name: Fixed(values) for name, values in self.presets.items()}))

    @property
    def is_plain(self) -> bool:
        """Whether its rules are plain Python, as those of all games from outside: nothing is compiled for it."""
        return bool(self.source)

    def part(self, name: str) -> ModuleType | None:
        """A module of the game's package; None where the game has no such module."""
        return module_of(self._package, name)

    @property
    def _package(self) -> str:
        return self.package or f"icetable.games.{self.name}"

    @property
    def players_option(self) -> Option:
        """The number of players as an option."""
        least, most = self.players
        rule = f"{self.rule_prefix}-1"
        return Option("players", "int", self.default_players, "Number of players", rule, (), least, most)

    def load(self, /, preset: object = None, **options: object) -> Game:
        """The game with these options. Raises BadOption."""
        complete = resolve((self.players_option, *self.options), self.presets, preset, options)
        game = import_module(f"{self._package}.game").make(self, complete)
        assert isinstance(game, Game)
        return game

    def load_kept(self, options: Mapping[str, Any]) -> Game:
        """The game of what was kept with these options, and for newer ones as it was then. Raises BadOption."""
        return self.load(**completed(self.options, options))

    @property
    def folder(self) -> Traversable:
        """The folder of the game's package, for what lies there to be read."""
        return resources.files(self._package)

    def rules(self) -> str:
        """The rules for players, in Markdown. The paragraph that states a rule begins with its id in bold."""
        return (self.folder / "RULES.md").read_text(encoding="utf-8")

    def measured(self) -> Mapping[int, Measured]:
        """What was measured with the options that pages suggest, by the number of players; empty where nothing was."""
        return measured_of(self.folder)

    def weights(self) -> Mapping[str, Floats]:
        """The learned weights of a game of turns, by setting; empty where there are none."""
        return weights_of(self._package)


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

    PROMISED: ClassVar[tuple[str, ...]] = GAME

    sees_alike: ClassVar[bool] = False
    """Whether the views of all seats and watchers are the same but for the seat that they name."""

    def __init__(self, info: GameInfo, options: dict[str, Any]) -> None:
        self.info = info
        self.options: Mapping[str, Any] = Fixed(options)
        self.players: int = options["players"]

    def __repr__(self) -> str:
        options = ", ".join(f"{name}={value!r}" for name, value in self.options.items())
        return f"icetable.load({self.info.name!r}, {options})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Game):
            return NotImplemented
        return self is other or (self.info.name == other.info.name and self.options == other.options)

    def __hash__(self) -> int:
        return hash((self.info.name, tuple(self.options.items())))

    @abstractmethod
    def start(self) -> State:
        """The state before the first act."""

    @abstractmethod
    def parse(self, text: str) -> Action:
        """The act with this notation. Raises BadNotation for text that is the notation of no act of the game."""

    @abstractmethod
    def random_act(self, state: State, rng: np.random.Generator) -> Action:
        """A random act: at a chance state an outcome drawn by its probability, else a uniformly random legal act.

        Raises GameError when the game is over.
        """

    @abstractmethod
    def layout(self) -> Mapping[str, Any]:
        """The board as a client draws it: JSON-able, and the same at every state. A `Layout` of the module `view`."""

    def shows_history(self, state: State) -> bool:
        """Whether players and watchers may look up the record, the earlier acts and the earlier positions of a state.

        They always see the last act.
        """
        return True

    def shown_act(self, state: State) -> str:
        """The last act of a state as all may see it while the game goes on."""
        return str(state.act)

    def tie_points(self, state: State) -> tuple[int, ...]:
        """Tie-break points by seat: in a series, their sum decides between seats with the same sum of scores."""
        return (0,) * self.players

    def rating(self, score: int, wins: Fraction) -> Fraction | None:
        """A seat's rating in a tournament; None where the game has no ratings.

        `score` is the sum of the seat's scores, `wins` the number of its wins; a win shared by n seats counts 1/n.
        """
        return None

    def pieces(self) -> Pieces:
        """What players set out before a game."""
        return Pieces()

    def draw_timer(self, rng: np.random.Generator) -> float | None:
        """Draw the moment at which chance ends the game, in seconds after play has started; None for never.

        Only a game without turns has such a moment. It is secret: only the host knows it.
        """
        return None

    def check_public(self) -> None:
        """Raise BadOption where a game with these options must not be played at a public table."""

    def draw(self, view: Mapping[str, Any], touched: Collection[str] = (), paint: Paint = no_paint) -> str:
        """A view as text for a terminal, with `touched` spaces marked. Colours only repeat what the letters say.

        A game without a drawing of its own shows the view as JSON. Raises GameError for what is no view of the game.
        """
        check_view(view, self.info.name)
        return self._draw(view, touched, paint)

    def svg(self, view: Mapping[str, Any]) -> str:
        """A view as an SVG file. Raises GameError for a game without such a drawing, and as `draw` does."""
        check_view(view, self.info.name)
        return self._svg(view)

    def _draw(self, view: Mapping[str, Any], touched: Collection[str], paint: Paint) -> str:
        return json.dumps(view, indent=2)

    def _svg(self, view: Mapping[str, Any]) -> str:
        raise GameError(f"{self.info.title} can't be drawn as SVG")

    def random_game(self, rng: np.random.Generator) -> State:
        """The last state of a game of random acts."""
        state = self.start()
        while not state.is_terminal:
            state = state.apply(self.random_act(state, rng))
        return state

    @abstractmethod
    def _set_up(self, position: Any) -> State:
        """The state that `State._position` described. Raises BadRecord for a position that no play leads to."""

    def perft(self, state: State, depth: int) -> int:
        """`icetable.perft` for a state of this game. Raises GameError for a game without turns."""
        raise GameError(f"{self.info.title} has no turns: there is no counting what may be done at any time")

    def replay(self, text: str) -> State:
        """The last state of a record of this game. Raises BadRecord where it can't be read or breaks the rules."""
        head = record.read_head(text)
        with record.naming_version(head, self.info.source):
            state = self.first_of(head)
            for number, line in head.lines:
                state = record.replayed(state, line, number)
        return state

    def first_of(self, head: Head) -> State:
        """The state that a record of this game begins with. Raises BadRecord."""
        if head.game != self.info.name:
            raise BadRecord(f"this is a record of {short_repr(head.game)}, not of {self.info.name!r}")
        game = self._as_kept(head.options, "this is a record")
        return game.start() if head.setup is None else game.from_json(head.setup)

    def from_json(self, text: str) -> State:
        """The state whose `to_json` is the text. Raises BadRecord."""
        return self.from_saved(saved.decoded(text))

    def from_saved(self, position: object) -> State:
        """`from_json` for JSON that is decoded already. Raises BadRecord."""
        parts = saved.checked(position, self.info.name)
        return self._as_kept(parts["options"], "this position is")._set_up(parts["position"])

    def _as_kept(self, options: object, it_is: str) -> Game:
        """This game as it was when something with these options was kept. Raises BadRecord for another's options."""
        newer = {option.name: self.options[option.name] for option in self.info.options if option.before is not None}
        if not isinstance(options, Mapping) or not record.same_options(newer | dict(options), self.options):
            raise BadRecord(f"{it_is} of a game under other options than {short_repr(dict(self.options))}")
        return self if len(options) == len(self.options) else self.info.load_kept(options)


class State(ComparedByWords, ABC):
    """A position of a game and the acts that led to it: immutable and hashable. States of equal positions are equal.

    >>> import icetable
    >>> state = icetable.load("wrecktangle").start()
    >>> state.to_act == {icetable.CHANCE}
    True
    >>> state.chance_outcomes()[0]
    ('die:away', 0.16666666666666666)
    >>> state = state.apply("die:away")
    >>> state.to_act, len(state.legal_actions()), state.is_terminal
    (frozenset({0}), 24, False)
    >>> state.fault("d1-d2").message
    'A queen moves exactly 2 squares along a rank, a file or a diagonal.'
    >>> state = state.apply("d1-d3")
    >>> state.effects
    (Moves(kind='moves', spaces=('d1', 'd3'), value='0Q'),)
    >>> state.winners, state.scores, state.view(0)["coin"]
    (frozenset(), (0, 0), 'heads')
    >>> print(state.record().splitlines()[-1])
    0 d1-d3 # moves d1 d3 0Q
    >>> state.to_json()[:34]
    '{"icetable":1,"game":"wrecktangle"'
    """

    __slots__ = ()
    PROMISED: ClassVar[tuple[str, ...]] = STATE

    _game: Game
    _parent: State | None
    _act: Action | None
    _seat: int | None
    _at: int | None

    @property
    def game(self) -> Game:
        """The game that is played."""
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
        """The time of the last act, in milliseconds since the start; None where the act has no time."""
        return self._at

    @abstractmethod
    def without_history(self) -> State:
        """The same position as the beginning of a new log, with the same time `at`."""

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

        Raises GameError for a wrong seat, and where chance has over 1000 outcomes: `Game.random_act` draws one there,
        and `fault` and `apply` take any.
        """

    def sample_placements(
        self,
        seat: int,
        rng: np.random.Generator,
        n: int,
        standing: bool | None = None,
        target: str | None = None,
    ) -> list[Action]:
        """Random legal placements, in a game that has too many to list. Raises GameError for any other game."""
        raise GameError(f"{self.game.info.title} has no placements to sample; legal_actions lists its acts")

    @abstractmethod
    def chance_outcomes(self) -> list[tuple[Action, float]]:
        """Each outcome with its probability. Raises GameError where chance is not to act, or for over 1000."""

    @abstractmethod
    def fault(self, action: str, seat: int | None = None, at: float | None = None) -> Fault | None:
        """Why the rules refuse an act of `apply`; None where it is legal. Raises BadNotation."""

    @abstractmethod
    def apply(self, action: str, seat: int | None = None, at: float | None = None) -> State:
        """The state after an act. `seat` may be left out where one seat is to act; `at`, the time of the act in seconds
        since the start, matters only in games without turns. Raises BadNotation or IllegalAction.
        """

    @property
    def next_change(self) -> int | None:
        """The next moment at which time alone changes the position, in milliseconds since the start; None: never."""
        return None

    @property
    def deadlines(self) -> Mapping[int, int]:
        """By seat, the moment at which time acts in its place, in milliseconds since the start. No secret."""
        return {}

    def as_of(self, at: int) -> State:
        """The position `at` milliseconds after the start, if there is no further act until then.

        It is only for views: the next act is applied to this state, not to the one returned.
        """
        return self

    @abstractmethod
    def _see(self, seat: int | None) -> Mapping[str, Any]:
        """The game's own part of `view`; a `View` of the game's module `view`."""

    def view(self, seat: int | None = None) -> dict[str, Any]:
        """What a seat may see, or a watcher for None: JSON-able. Raises GameError for a wrong seat."""
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
        """What a seat may see, or a watcher for None, as text for a terminal."""
        return self.game.draw(self.view(seat))

    def svg(self, seat: int | None = None) -> str:
        """What a seat may see, or a watcher for None, as an SVG file. Raises GameError for a game without one."""
        return self.game.svg(self.view(seat))

    def _repr_svg_(self) -> str | None:
        """What notebooks show: what a watcher may see."""
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
        return saved.written(self.game.info.name, self.game.options, self._position())

    def record(self) -> str:
        """The game record, one act a line, for `Game.replay`."""
        first, *later = self.history()
        setup = None if first == self.game.start() else first.to_json()
        head = Head(self.game.info.name, self.game.options, setup, source=self.game.info.source or None)
        return record.written(head, map(record.act_line, later), self)

    def check_seat(self, seat: object) -> None:
        """Raise GameError for anything but a seat of the game or CHANCE."""
        if not is_integer(seat) or not (CHANCE <= seat < self.game.players):
            raise GameError(f"there is no seat {short_repr(seat)}; seats are 0 to {self.game.players - 1}")

    def __reduce__(self) -> tuple[Any, ...]:
        first, *later = self.history()
        return _play_again, (self.game, first._position(), [(state.act, state.seat, state.at) for state in later])

    def __repr__(self) -> str:
        return f"<{self.game.info.title} after {sum(1 for _ in self.history()) - 1} acts: {self._position()}>"


def _play_again(game: Game, first: Any, log: list[tuple[str, int, int | None]]) -> State:
    """Restore a pickled state from its acts: pickle itself would recurse once for each state of the log."""
    state = game._set_up(first)
    for act, seat, at in log:
        state = state.apply(act, seat, None if at is None else at / 1000)
    return state
