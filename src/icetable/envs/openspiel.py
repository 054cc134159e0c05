"""The turn-based games as OpenSpiel games.

Importing this module registers `python_icetable_<name>` for each game; OpenSpiel does not discover them by itself.
Their parameters are the game's options: lists are separated by spaces (`values=0 0 1 1 2 2 3 3 9`), and 0 means a
default that depends on other options. OpenSpiel needs the maximum game length, so games must have a `turn_limit`.

Actions are those of `space(game)`. Chance is explicit: its outcomes are indices into `TurnGame.chance_parts`, which may
be parts of an act, such as the number of one square. The returns are the rewards of `Batch`: terminal and zero-sum, or
the points in games for one player. The information is perfect, because no act is secret: a player who remembers
everything knows the state. If players may not look up the record, their recall is imperfect: the observation is what
is visible, and the information state is the record. Only games of the workshop can have secrets.

OpenSpiel 2.0.2 crashes if its C++ bots step through any game parameters_of in Python, including its own.
`MCTSBot.mcts_search(state)` does the same search and works, and so do the bots of `open_spiel.python`.

>>> import pyspiel
>>> import icetable.envs.openspiel
>>> game = pyspiel.load_game("python_icetable_squad(players=3)")
>>> state = game.new_initial_state()
>>> state.current_player(), state.action_to_string(state.legal_actions()[0])
(0, 'C@a1')
>>> state.apply_action(state.legal_actions()[0])
>>> state.information_state_string(1)
'0 C@a1'
"""

from __future__ import annotations

import functools
import json
from typing import TYPE_CHECKING, Any

import numpy as np

from icetable.core.errors import GameError, IllegalAction
from icetable.core.game import GameInfo
from icetable.core.options import Option, is_integer, short_repr
from icetable.core.turns import TurnGame, TurnState
from icetable.envs import rows
from icetable.envs.spaces import space
from icetable.games import list_games
from icetable.kernels import jit
from icetable.kernels.layout import ACTOR, CHANCE, NOBODY, shares_of

try:
    import pyspiel
except ModuleNotFoundError as missing:
    raise ModuleNotFoundError("OpenSpiel is not installed; install icetable[openspiel].", name=missing.name) from None

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    import numpy.typing as npt

    from icetable.kernels.jit import Ints

    Reals = npt.NDArray[np.float32]

TERMINAL = int(pyspiel.PlayerId.TERMINAL)
PREFIX = "python_icetable_"
DEPENDENT_DEFAULT = 0
"""Parameter value for an option whose default depends on the other options."""
MAX_ACTS = 2**31 - 1
"""Maximum number of acts and chance outcomes in OpenSpiel."""
SEED_LIMIT = 2**62
DEFAULT_VIEW = pyspiel.IIGObservationType(perfect_recall=False)


class Node:
    """A position, and the parts drawn so far of an incomplete act of chance.

    It is immutable, so copying returns the node itself, and cloning a state costs no more than OpenSpiel's own part.
    """

    __slots__ = ("actions", "drawn", "player", "position", "texts")

    def __init__(self, position: Ints, drawn: tuple[int, ...] = ()) -> None:
        self.position = position
        self.drawn = drawn
        actor = int(position[ACTOR])
        self.player = TERMINAL if actor == NOBODY else actor
        self.actions: list[int] | None = None
        """Cache of the player's legal actions."""
        self.texts: dict[int | None, str] = {}
        """Cache of the board as each seat sees it, and at None as a watcher does."""

    def __deepcopy__(self, _memo: object) -> Node:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return Node, (self.position, self.drawn)


class SpielGame(pyspiel.Game):
    """A turn-based game as an OpenSpiel game. Raises GameError for options that the game or OpenSpiel rejects."""

    info: GameInfo
    """The game of icetable."""

    def __init__(self, parameters: Mapping[str, Any]) -> None:
        self.game = game = game_of(self.info, parameters)
        self.space = space(game)
        self._notation = self.space.notation if game.info.is_plain else functools.cache(self.space.notation)
        self.first = Node(game.first_position())
        self._write_mask = jit.bind(rows.write_mask, self.info.name, rules=game.rules, codec=self.space.codec)
        acts, self._parts = longest(game)
        max_points = game.max_solo_score()
        about = pyspiel.GameInfo(
            num_distinct_actions=self.space.encoding.actions,
            max_chance_outcomes=len(game.chance_parts),
            num_players=game.players,
            min_utility=0.0 if max_points else rows.reward_of(0.0, game.players),
            max_utility=float(max_points) if max_points else 1.0,
            utility_sum=None if max_points else 0.0,
            max_game_length=acts,
        )
        super().__init__(type_of(game), about, parameters_of(game))

    def __reduce__(self) -> tuple[Any, ...]:
        return load_game, (str(self),)

    def max_chance_nodes_in_history(self) -> int:
        return self._parts

    def new_initial_state(self, state: Any = None) -> SpielState:
        """The start, or the state of a struct or dict from `to_struct`. Raises GameError if it is invalid."""
        return SpielState(self) if state is None else SpielState(self, *self._read(state))

    def _read(self, struct: Any) -> tuple[Node, str]:
        """The node of a struct, and the struct as JSON."""
        described = struct.to_dict() if isinstance(struct, pyspiel.StateStruct) else struct
        if not isinstance(described, dict) or not isinstance(described.get("drawn"), list):
            raise GameError(f"a state is a dict as `to_struct` makes it, not {short_repr(struct)}")
        saved = {name: entry for name, entry in described.items() if name != "drawn"}
        state = self.game.from_saved(saved)
        assert isinstance(state, TurnState)
        node = Node(state.array)
        for part in described["drawn"]:
            if node.player != CHANCE or not is_integer(part):
                raise GameError("drawn is a list of outcomes, and empty where chance is not to act")
            node = self.after(node, part)
        return node, json.dumps(described)

    def make_py_observer(self, kind: Any = None, parameters: Mapping[str, Any] | None = None) -> Observer:
        """An observer. `kind` is an IIGObservationType. Raises GameError for any parameters."""
        if parameters:
            raise GameError(f"observers take no parameters, not {short_repr(parameters)}")
        return Observer(self, kind or DEFAULT_VIEW)

    def observation_tensor_shape(self) -> list[int]:
        """Planes, height and width; OpenSpiel itself only knows the total size of tensors with named parts."""
        height, width, planes = self.space.encoding.shape
        return [planes, height, width]

    def legal(self, node: Node) -> list[int]:
        """The legal actions of the player to act, in ascending order."""
        if node.actions is None:
            mask = np.empty(self.space.encoding.actions, np.int8)
            self._write_mask(node.position, np.empty(self.game.rules.MAX_ACTS, np.int64), mask)
            node.actions = mask.nonzero()[0].tolist()
        return node.actions

    def after(self, node: Node, action: int) -> Node:
        """The node after an action. Raises IllegalAction, and GameError for an impossible outcome of chance."""
        if node.player == CHANCE:
            return self._after_part(node, action)
        if action not in self.legal(node):
            fault = TurnState(self.game, node.position).fault(self.space.notation(action))
            assert fault is not None
            raise IllegalAction(fault)
        position = node.position.copy()
        self.game.rules.apply(position, self.space.codec.act_of(position, action))
        return Node(position)

    def drawn(self, node: Node, seat: int | None = None) -> str:
        """The board as a seat sees it, or a watcher."""
        if seat not in node.texts:
            node.texts[seat] = self.game.draw(TurnState(self.game, node.position).view(seat))
        return node.texts[seat]

    def _after_part(self, node: Node, part: int) -> Node:
        """The node after a part of an act of chance; the act is played when it is complete."""
        odds = dict(self.odds(node))
        if part not in odds:
            allowed = ", ".join(map(str, odds))
            raise GameError(f"chance can't draw outcome {short_repr(part)} here; allowed: {allowed}")
        drawn = (*node.drawn, part)
        act = self.game.act_of_parts(node.position, drawn)
        if act is None:
            return Node(node.position, drawn)
        code = self.game.read(act)
        assert code is not None
        position = node.position.copy()
        self.game.play(position, code, act)
        return Node(position)

    def odds(self, node: Node) -> list[tuple[int, float]]:
        """The possible outcomes of chance with their probabilities."""
        return [(part, odds) for part, odds in enumerate(self.game.part_odds(node.position, node.drawn)) if odds]

    def name_of(self, player: int, action: int) -> str:
        """The notation of an action or of a chance outcome. Raises GameError."""
        if player != CHANCE:
            return self._notation(action)
        parts = self.game.chance_parts
        if not 0 <= action < len(parts):
            raise GameError(f"chance has the outcomes 0 to {len(parts) - 1}, not {short_repr(action)}")
        return parts[action]

    def returns(self, node: Node) -> list[float]:
        """The rewards of `Batch`; in a game for one player the points."""
        game = self.game
        if node.player != TERMINAL:
            return [0.0] * game.players
        if game.players == 1:
            return [float(score) for score in game.scores(node.position)]
        shares = shares_of(TurnState(game, node.position).winners, game.players)
        return [rows.reward_of(share, game.players) for share in shares]


class SpielState(pyspiel.State):
    """A state of a turn-based game as an OpenSpiel state."""

    setup = ""
    """The position where the history begins, if that is not the start of the game."""
    _recorded = 0, ""
    """The record at an earlier time: the number of acts, chance's included, and the text."""

    def __init__(self, game: SpielGame, node: Node | None = None, setup: str = "") -> None:
        super().__init__(game)
        self.node = node or game.first
        if setup:
            self.setup = setup

    def current_player(self) -> int:
        return self.node.player

    def is_terminal(self) -> bool:
        return self.node.player == TERMINAL

    def _legal_actions(self, _player: int) -> list[int]:
        return self.node.actions or self.get_game().legal(self.node)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return self.get_game().odds(self.node)

    def _apply_action(self, action: int) -> None:
        self.node = self.get_game().after(self.node, action)

    def _action_to_string(self, player: int, action: int) -> str:
        return self.get_game().name_of(player, action)

    def returns(self) -> list[float]:
        return self.get_game().returns(self.node)

    def record(self) -> str:
        """A line for each act of a player or of chance so far, after the setup if there is one."""
        recorded, text = self._recorded
        history = self.full_history()
        if len(history) > recorded:
            name_of = self.get_game().name_of
            acts = [f"{one.player} {name_of(one.player, one.action)}" for one in history[recorded:]]
            self._recorded = len(history), "\n".join([*filter(None, [text or self.setup]), *acts])
        return self._recorded[1] or self.setup

    def resample_from_infostate(self, _player: int, sampler: Any) -> SpielState:
        """A clone, because no act is secret, so a player who remembers all acts knows the position.

        In games of the workshop with secrets: a position sampled from those that look the same to the player.
        """
        spiel = self.get_game()
        if not keeps_secrets(spiel.game):
            return self.clone()
        rng = np.random.default_rng(int(sampler() * SEED_LIMIT))
        return SpielState(spiel, Node(spiel.game.determinize(self.node.position, None, rng), self.node.drawn))

    def _to_struct(self) -> dict[str, Any]:
        saved = TurnState(self.get_game().game, self.node.position).to_json()
        return {**json.loads(saved), "drawn": list(self.node.drawn)}

    def __str__(self) -> str:
        """The board and the full position: OpenSpiel treats states with equal texts as equal."""
        spiel = self.get_game()
        drawn = [spiel.game.chance_parts[part] for part in self.node.drawn]
        described = json.dumps(spiel.game.describe_position(self.node.position))
        return "\n".join([spiel.drawn(self.node), described, *drawn])


class Observer:
    """An OpenSpiel observer.

    `tensor` is float32, plane by plane; `dict` has each plane by name, float32[height, width]. With perfect recall the
    text is the record. If players may not look up the record, the tensor then also has `acts`,
    float32[acts, actions], 1 for each action played; otherwise there is no tensor. A public observation is from the
    point of view of player 0. Without public information an observation is empty, except in games of the workshop if
    the player's board differs from a watcher's: then it is that board.
    """

    def __init__(self, game: SpielGame, kind: Any) -> None:
        self._game, self._kind = game, kind
        self.tensor: Reals | None = None
        self.dict: dict[str, Reals] = {}
        self._recalls = kind.public_info and kind.perfect_recall
        if kind.public_info and (not self._recalls or game.get_type().provides_information_state_tensor):
            self._make_tensor()

    def __reduce__(self) -> tuple[Any, ...]:
        kind = self._kind
        return observer, (self._game, kind.public_info, kind.perfect_recall, kind.private_info, self.tensor)

    def _make_tensor(self) -> None:
        encoding = self._game.space.encoding
        height, width, planes = encoding.shape
        size = planes * height * width
        shape = (self._game.max_game_length() if self._recalls else 0, encoding.actions)
        tensor = self.tensor = np.zeros(size + shape[0] * shape[1], np.float32)
        self._seen = np.zeros((height * width, planes), np.int8)
        self._planes = tensor[:size].reshape(planes, height * width)
        for plane, values in zip(encoding.planes, self._planes, strict=True):
            self.dict[plane.name] = values.reshape(height, width)
        if self._recalls:
            self.dict["acts"] = tensor[size:].reshape(shape)

    def set_from(self, state: SpielState, player: int) -> None:
        """Write a player's observation of a state to `tensor`."""
        if self.tensor is None:
            return
        self._game.space.codec.observe(state.node.position, self._seat(player), self._seen)
        self._planes[:] = self._seen.T
        if self._recalls:
            acts = self.dict["acts"]
            acts.fill(0)
            played = [one.action for one in state.full_history() if one.player != CHANCE]
            acts[range(len(played)), played] = 1

    def string_from(self, state: SpielState, player: int) -> str:
        """The text of a player's observation: the record so far, or the board as the player sees it."""
        game = self._game.game
        if not self._kind.public_info and not keeps_secrets(game):
            return ""
        if self._recalls and keeps_secrets(game):
            return "\n".join(self._seen_so_far(state, player))
        if self._recalls:
            return state.record()
        seen = self._game.drawn(state.node, self._seat(player))
        return seen if self._kind.public_info or seen != self._game.drawn(state.node) else ""

    def _seen_so_far(self, state: SpielState, player: int) -> Iterator[str]:
        """Every board so far as the player saw it, and the player's own acts."""
        game, node = self._game, self._game.first
        for one in [*state.full_history(), None]:
            yield game.drawn(node, self._seat(player))
            if one is not None:
                if one.player == player:
                    yield game.name_of(player, one.action)
                node = game.after(node, one.action)

    def _seat(self, player: int) -> int:
        return player if self._kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER else 0


def observer(game: SpielGame, public: bool, recalls: bool, private: Any, shown: Reals | None) -> Observer:
    """Recreate an observer with its tensor, so that `dict` has views of it."""
    recreated = Observer(game, pyspiel.IIGObservationType(public, recalls, private))
    if recreated.tensor is not None:
        recreated.tensor[:] = shown
    return recreated


def keeps_secrets(game: TurnGame) -> bool:
    """Whether a player with perfect recall may not know the state; only in games of the workshop."""
    return game.info.is_plain and game.has_secrets


def type_of(game: TurnGame) -> Any:
    """The GameType of a game with its options."""
    kinds = pyspiel.GameType
    perfect, imperfect = kinds.Information.PERFECT_INFORMATION, kinds.Information.IMPERFECT_INFORMATION
    return kinds(
        short_name=f"{PREFIX}{game.info.name}",
        long_name=game.info.title,
        dynamics=kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.EXPLICIT_STOCHASTIC if game.chance_parts else kinds.ChanceMode.DETERMINISTIC,
        information=imperfect if keeps_secrets(game) else perfect,
        utility=kinds.Utility.ZERO_SUM if game.players > 1 else kinds.Utility.GENERAL_SUM,
        reward_model=kinds.RewardModel.TERMINAL,
        min_num_players=game.info.players[0],
        max_num_players=game.info.players[1],
        provides_information_state_string=True,
        provides_information_state_tensor=game.has_secrets and not game.info.is_plain,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=True,
        parameter_specification={option.name: parameter(option, option.default) for option in options_of(game.info)},
    )


def options_of(info: GameInfo) -> tuple[Option, ...]:
    """The options of a game, including the number of players."""
    return info.players_option, *info.options


def parameter(option: Option, value: Any) -> bool | int | float | str:
    """The value of an option as an OpenSpiel parameter."""
    if option.kind == "list" and not isinstance(value, str):
        return " ".join(map(str, value))
    return DEPENDENT_DEFAULT if value is None else value


def parameters_of(game: TurnGame) -> dict[str, bool | int | float | str]:
    """All options of a game as OpenSpiel parameters."""
    return {option.name: parameter(option, game.options[option.name]) for option in options_of(game.info)}


def game_of(info: GameInfo, parameters: Mapping[str, Any]) -> TurnGame:
    """The game with OpenSpiel parameters as options. Raises BadOption."""
    options = {
        option.name: numbers(parameters[option.name]) if option.kind == "list" else parameters[option.name]
        for option in options_of(info)
        if option.name in parameters and not (option.default is None and parameters[option.name] == DEPENDENT_DEFAULT)
    }
    game = info.load(**options)
    assert isinstance(game, TurnGame)
    return game


def numbers(text: str) -> str | list[int]:
    """The whole numbers in a text; the text itself if it has anything else."""
    try:
        return [int(word) for word in text.split()]
    except ValueError:
        return text


def longest(game: TurnGame) -> tuple[int, int]:
    """`TurnGame.longest`. Raises GameError if it is unknown or more than OpenSpiel can handle."""
    bounds = game.longest()
    if bounds is None:
        raise GameError("OpenSpiel needs to know how long a game can be; allowed: a turn_limit from 1")
    if sum(bounds) > MAX_ACTS:
        raise GameError(
            f"a game can have {sum(bounds)} acts and OpenSpiel counts to {MAX_ACTS}; set a lower turn_limit"
        )
    return bounds


def load_game(text: str) -> SpielGame:
    """Load a game by its text. As a function of this module, it makes unpickling register the games first."""
    return pyspiel.load_game(text)


_FILES: dict[str, str] = {}
"""The files of the registered games, by name; a game that is registered again replaces itself."""


def register(info: GameInfo) -> None:
    """Register a game with OpenSpiel. Raises GameError if there is another one with its name."""
    file = getattr(info, "path", "")
    if file and _FILES.setdefault(info.name, file) != file:
        raise GameError(
            f"OpenSpiel tells games by their names, and knows {info.name!r} of {_FILES[info.name]}; give the class in "
            f"{file} another name"
        )
    game = info.load()
    assert isinstance(game, TurnGame)
    # A class, because OpenSpiel releases it after Python has shut down; destroying any other object then would crash.
    pyspiel.register_game(type_of(game), type(f"{SpielGame.__name__}_{info.name}", (SpielGame,), {"info": info}))


for _info in list_games():
    if _info.turns and _info.part("encoding"):
        register(_info)
