"""Policies as players of the laboratory: functions of observations and masks, programs, and trained networks.

A network has a card. Some come with the package; others are stored like them.
"""

from __future__ import annotations

import contextlib
import functools
import json
import shlex
import subprocess
import weakref
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from icetable import games
from icetable.core.errors import GameError
from icetable.core.options import check_whole, is_integer, short_repr
from icetable.core.turns import TurnGame, TurnState
from icetable.envs.batch import check_choice
from icetable.envs.spaces import space

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy.typing as npt

    from icetable.core.game import Game
    from icetable.core.turns import TurnGame
    from icetable.extras.encoding import Bytes, Symmetry
    from icetable.kernels.jit import Ints

    Reals = npt.NDArray[np.float32]
    from icetable.core.game import State
    from icetable.envs.batch import Channels

Policy = Callable[[Any, Any, np.random.Generator], Any]
"""Maps observations int8[n, height, width, planes] and masks int8[n, actions] to actions int64[n], for n games at a
time. The generator is the environment's, so the same seed gives the same choices."""
FOLDER = Path(__file__).parent / "weights"
"""The models of the package: NAME.npz with the weights and NAME.json with the card."""
LAYERS = ("body.first", "body.more.0", "body.more.2", "policy", "value")
WEIGHTS = tuple(f"{layer}.{part}" for layer in LAYERS for part in ("weight", "bias"))
PROTOCOL = 1
"""The version of the lines that a `Program` gets."""
END_SECONDS = 2.0
"""Time for a program to end by itself."""


class Agent:
    """A policy as a player of the laboratory, in batches: `lab.Plan("squad", seats=[Agent(policy), "casual@1"])`.

    `policy` maps observations int8[k, height, width, planes] and masks int8[k, actions] of k positions to k actions,
    each seen by the seat to act, as an opponent of `icetable.envs.gymnasium.Env` does; its third argument is a random
    generator, seeded by `seed` for each agent. With `channels` "first" observations are int8[k, planes, height, width].
    It gets the positions of many games at once.

    Raises GameError if an argument is not allowed and, when it plays, if the policy returns anything but legal actions.

    >>> from icetable import lab
    >>> from icetable.envs import Agent
    >>> def firsts(observations, masks, rng):
    ...     return masks.argmax(axis=1)
    >>> lab.run(lab.Plan("squad", seats=[Agent(firsts), "random"], blocks=10)).rows[0].ended_by
    'SQ-13'
    """

    def __init__(self, policy: Policy, channels: Channels = "last", seed: int = 0) -> None:
        if not callable(policy):
            raise GameError(f"a policy is a function of observations, masks and a generator, not {short_repr(policy)}")
        check_choice("channels", channels, ("last", "first"))
        check_whole("seed", seed, 0)
        self.policy, self.channels = policy, channels
        self.__name__: str = getattr(policy, "__name__", type(policy).__name__)
        self._rng = np.random.default_rng(seed)

    def __call__(self, state: State, seat: int, /) -> str:
        return self.choose_many([state])[0]

    def choose_many(self, states: Sequence[State]) -> list[str]:
        """The acts in some positions of one game, one of the seat to act in each. Raises GameError."""
        if isinstance(self.policy, Model):
            self.policy.check(states[0].game)
        observations, masks = seen_by_actors(states)
        if self.channels == "first":
            observations = np.moveaxis(observations, -1, -3)
        given = np.asarray(self.policy(observations, masks.copy(), self._rng))
        if given.shape != (len(masks),) or not np.issubdtype(given.dtype, np.integer):
            raise GameError(f"{self.__name__} must return {len(masks)} whole numbers, not {short_repr(given)}")
        for action, mask in zip(given.tolist(), masks, strict=True):
            check_action(self.__name__, action, mask)
        spaces = space(states[0].game)
        return [spaces.notation(action) for action in given.tolist()]


class Program:
    """A program as a player of the laboratory, a line of JSON each way: a server with a net, or any other language.

    `command` is what a shell would run, without a shell; each process of a run starts it once. It reads from standard
    input a first line,

        {"icetable": 1, "game": "squad", "options": {...}, "version": 0, "shape": [4, 4, 23], "actions": 64}

    with the version and the sizes of the encoding, and then a line for each question, with the positions of one or
    more games where it is to act:

        {"positions": [{"seat": 0, "observation": [...], "legal": [48, 51], "acts": ["C@a1", "C@d1"]}]}

    The observation is flat, in the order of `shape`; `legal` are the numbers of the legal actions and `acts` the same
    in notation. It answers each question with a line, `{"acts": [...]}`, which has for every position an act or the
    number of its action. Standard error is the program's own. It should end when its input does.

    Raises GameError, when it plays, if the program can't start, ends, or answers anything else.
    """

    def __init__(self, command: str) -> None:
        if not shlex.split(command):
            raise GameError("a program is a command, such as 'python serve.py'")
        self.command = command
        self.__name__ = command
        self._process: subprocess.Popen[str] | None = None
        self._game: TurnGame | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        return Program, (self.command,)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Program) and self.command == other.command

    def __hash__(self) -> int:
        return hash(self.command)

    def __call__(self, state: State, seat: int, /) -> str:
        return self.choose_many([state])[0]

    def choose_many(self, states: Sequence[State]) -> list[str]:
        """The acts in some positions of one game, one of the seat to act in each. Raises GameError."""
        game = states[0].game
        assert isinstance(game, TurnGame)
        spaces = space(game)
        observations, masks = seen_by_actors(states)
        legal = [np.flatnonzero(mask).tolist() for mask in masks]
        asked = [
            {
                "seat": state.actor,
                "observation": observation.ravel().tolist(),
                "legal": actions,
                "acts": list(map(spaces.notation, actions)),
            }
            for state, observation, actions in zip(states, observations, legal, strict=True)
            if isinstance(state, TurnState)
        ]
        answer = self._ask(game, {"positions": asked})
        acts = answer.get("acts") if isinstance(answer, dict) else None
        if not isinstance(acts, list) or len(acts) != len(states):
            form = f'{{"acts": [...]}} with {len(states)}'
            raise GameError(f"{self.command} must answer {form}, not {short_repr(answer)}")
        for act, mask in zip(acts, masks, strict=True):
            if is_integer(act):
                check_action(self.command, act, mask)
            elif not isinstance(act, str):
                raise GameError(f"{self.command} must answer acts or numbers of actions, not {short_repr(act)}")
        return [spaces.notation(act) if is_integer(act) else act for act in acts]

    def _ask(self, game: TurnGame, question: dict[str, Any]) -> Any:
        """The answer to a question. Raises GameError."""
        try:
            process = self._started(game)
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.write(f"{json.dumps(question)}\n")
            process.stdin.flush()
            line = process.stdout.readline()
        except OSError as error:
            raise GameError(f"{self.command} can't be asked: {error.strerror}") from None
        if not line:
            raise GameError(f"{self.command} has ended with {process.wait()} before it answered")
        try:
            return json.loads(line)
        except ValueError:
            raise GameError(f"{self.command} must answer with JSON, not {short_repr(line)}") from None

    def _started(self, game: TurnGame) -> subprocess.Popen[str]:
        """The program, told of the game that it plays."""
        if self._process is None or self._game != game:
            self.close()
            encoding = space(game).encoding
            head = {
                "icetable": PROTOCOL,
                "game": game.info.name,
                "options": dict(game.options),
                "version": encoding.version,
                "shape": list(encoding.shape),
                "actions": encoding.actions,
            }
            command = shlex.split(self.command)
            self._process = subprocess.Popen(  # noqa: S603 (the user names it)
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
            )
            self._game, self._end = game, weakref.finalize(self, end, self._process)
            assert self._process.stdin is not None
            self._process.stdin.write(f"{json.dumps(head)}\n")
        return self._process

    def close(self) -> None:
        """End the program."""
        if self._process is not None:
            self._end()
            self._process = None


def end(process: subprocess.Popen[str]) -> None:
    """Close a program's input, so that it ends, and kill it if it does not."""
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            with contextlib.suppress(OSError):  # what was not written has no reader
                pipe.close()
    try:
        process.wait(END_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def seen_by_actors(states: Sequence[State]) -> tuple[Bytes, Bytes]:
    """What the seats to act see, int8[k, height, width, planes], and their masks, int8[k, actions].

    All states are of one game. Raises GameError for a game without an encoding.
    """
    game = states[0].game
    assert isinstance(game, TurnGame)
    spaces = space(game)
    height, width, planes = spaces.encoding.shape
    observations = np.empty((len(states), height * width, planes), np.int8)
    masks = np.zeros((len(states), spaces.encoding.actions), np.int8)
    for state, observation, mask in zip(states, observations, masks, strict=True):
        assert isinstance(state, TurnState)
        spaces.codec.observe(state.array, state.actor, observation)
        for code in state.codes():
            mask[spaces.codec.action_of(state.array, code)] = 1
    return observations.reshape(len(states), height, width, planes), masks


def check_action(name: str, action: int, mask: Bytes) -> None:
    """Raise GameError unless an action is legal by its mask."""
    if not 0 <= action < len(mask) or not mask[action]:
        raise GameError(f"{name} has played an illegal action: {short_repr(action)}")


@dataclass(frozen=True)
class ModelCard:
    """What a model plays, how it was trained, and how strong it is."""

    name: str
    """Its name, as of its files."""
    game: str
    """The name of its game."""
    options: dict[str, Any]
    """The options of its game."""
    encoding: int
    """The version of its observations and actions."""
    method: str
    """How it was trained."""
    training: str
    """The command that trains it."""
    seed: int
    """The seed of the training."""
    acts: int
    """The number of acts that it was trained on."""
    icetable: str
    """The version of icetable."""
    strength: list[dict[str, Any]] = field(default_factory=list)
    """For each opponent the share of games won, with its 95 % interval and the command that measures it."""

    def loaded(self) -> TurnGame:
        """The game with its options. Raises GameError if this version has no such game."""
        return space(games.load(self.game, **self.options)).game


class Model:
    """A network as a policy: `Agent(model)` in the laboratory, an opponent of `icetable.envs.gymnasium.Env`, or the
    evaluator of a search, `TreeSearch(batch, model.evaluate)`.

    Two hidden layers and a residual one over all planes, in NumPy. It plays the legal action that it holds most
    probable, on average over the game's symmetries. Raises GameError for a game or options other than those of its
    card.

    >>> from icetable import lab
    >>> from icetable.envs import Agent, load_model
    >>> model = load_model("squad-2-ppo")
    >>> lab.run(lab.Plan("squad", seats=[Agent(model), "random"], blocks=5)).rows[0].ended_by
    'SQ-13'
    """

    def __init__(self, path: Path, card: ModelCard, weights: Mapping[str, Reals]) -> None:
        self.card, self._path, self._weights = card, path, weights
        self.__name__ = card.name
        encoding = self._encoding
        self._most = np.array([plane.most for plane in encoding.planes], np.float32)

    def __reduce__(self) -> tuple[Any, ...]:
        return load_model, (self._path,)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Model) and (self._path, self.card) == (other._path, other.card)

    def __hash__(self) -> int:
        return hash(self._path)

    @functools.cached_property
    def game(self) -> TurnGame:
        return self.card.loaded()

    @functools.cached_property
    def _symmetries(self) -> list[Symmetry]:
        """The symmetries that keep every seat, the identity among them."""
        return [one for one in space(self.game).group() if one.seats == tuple(range(self.game.players))]

    @property
    def _encoding(self) -> Any:
        return space(self.game).encoding

    def check(self, game: Game) -> None:
        """Raise GameError unless the model plays this game with these options."""
        if game != self.game:
            own = ", ".join(f"{name}={value!r}" for name, value in self.game.options.items())
            raise GameError(f"{self.card.name} plays {self.card.game} with {own}, no other game and no other options")

    def evaluate(self, observations: Bytes, masks: Bytes) -> tuple[Reals, Reals]:
        """Logits float32[k, actions], and values float32[k, players] in turn order from the seat to act.

        `observations`: int8[k, height, width, planes]; `masks` are not used. Raises GameError for other shapes.
        """
        seen = self._checked(observations)
        hidden = relu(self._layer("body.first", (seen.astype(np.float32) / self._most).reshape(len(seen), -1)))
        hidden = relu(hidden + self._layer("body.more.2", relu(self._layer("body.more.0", hidden))))
        return self._layer("policy", hidden), np.tanh(self._layer("value", hidden))

    def __call__(self, observations: Bytes, masks: Bytes, _rng: np.random.Generator | None = None) -> Ints:
        """The most probable legal action of each row, on average over the symmetries that keep seats: int64[k]."""
        total = np.zeros(np.shape(masks), np.float32)
        seen = self._checked(observations)
        for one in self._symmetries:
            logits = self.evaluate(one.of_observations(seen), masks)[0]
            total += one.back().of_policies(logits)
        actions: Ints = np.where(masks, total, -np.inf).argmax(axis=1)
        return actions

    def _checked(self, observations: Bytes) -> Bytes:
        """The observations. Raises GameError if they are of another shape."""
        seen = np.asarray(observations)
        if seen.ndim != 4 or seen.shape[1:] != self._encoding.shape:
            raise GameError(f"{self.card.name} sees [k, {', '.join(map(str, self._encoding.shape))}], not {seen.shape}")
        return seen

    def _layer(self, name: str, values: Reals) -> Reals:
        result: Reals = values @ self._weights[f"{name}.weight"].T + self._weights[f"{name}.bias"]
        return result


def relu(values: Reals) -> Reals:
    return np.maximum(values, np.float32(0))


def models() -> list[ModelCard]:
    """The cards of the models that come with the package, by name.

    >>> from icetable.envs import models
    >>> "squad-2-ppo" in [card.name for card in models()]
    True
    """
    return [read_card(path) for path in sorted(FOLDER.glob("*.json"))]


def load_model(name: str | Path) -> Model:
    """A model of the package by its name, or one of your own by the path of its `.npz`, whose card lies beside it.

    Raises GameError if there is none, or if it was trained for another version of the encoding.
    """
    path = Path(name) if str(name).endswith(".npz") else FOLDER / f"{name}.npz"
    if not path.is_file() or not path.with_suffix(".json").is_file():
        allowed = ", ".join(card.name for card in models())
        raise GameError(
            f"there is no model {short_repr(str(name))}; allowed: {allowed}, or FILE.npz with its FILE.json"
        )
    card = read_card(path.with_suffix(".json"))
    encoding = space(card.loaded()).encoding
    if encoding.version != card.encoding:
        raise GameError(
            f"{card.name} was trained with version {card.encoding} of the encoding of {card.game}; "
            f"this icetable has version {encoding.version}"
        )
    try:
        with np.load(path, allow_pickle=False) as stored:
            weights = {key: stored[key].astype(np.float32) for key in WEIGHTS}
    except (KeyError, OSError, ValueError) as error:
        raise GameError(f"{path} holds no model: {error}") from None
    inputs, outputs = weights["body.first.weight"].shape[1], len(weights["policy.weight"])
    if (inputs, outputs) != (int(np.prod(encoding.shape)), encoding.actions):
        raise GameError(f"{path} has {inputs} inputs and {outputs} outputs, which are not those of {card.game}")
    return Model(path, card, weights)


def save_model(path: Path, card: ModelCard, weights: Mapping[str, Any]) -> None:
    """Store a model: its weights as float16, named as those of `Network` in `benchmarks/baseline.py`, and its card."""
    halves: dict[str, Any] = {name: np.asarray(weights[name], np.float16) for name in WEIGHTS}
    np.savez_compressed(path.with_suffix(".npz"), **halves)
    path.with_suffix(".json").write_text(json.dumps(asdict(card), indent=1) + "\n", encoding="utf-8")


def read_card(path: Path) -> ModelCard:
    """The card in a file. Raises GameError if it holds none."""
    try:
        return ModelCard(**json.loads(path.read_text(encoding="utf-8")))
    except (TypeError, ValueError) as error:
        raise GameError(f"{path} is no card of a model: {error}") from None
