"""Trained networks with their cards: those that come with the package, and those of your own, stored like them."""

from __future__ import annotations

import functools
import json
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from icetable import games
from icetable.core.errors import GameError
from icetable.core.options import short_repr
from icetable.envs.spaces import space

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy.typing as npt

    from icetable.core.game import Game
    from icetable.core.turns import TurnGame
    from icetable.extras.encoding import Bytes, Symmetry
    from icetable.kernels.jit import Ints

    Reals = npt.NDArray[np.float32]

FOLDER = Path(__file__).parent / "weights"
"""The models of the package: NAME.npz with the weights and NAME.json with the card."""
LAYERS = ("body.first", "body.more.0", "body.more.2", "policy", "value")
WEIGHTS = tuple(f"{layer}.{part}" for layer in LAYERS for part in ("weight", "bias"))


@dataclass(frozen=True)
class ModelCard:
    """What a model plays, how it was trained, and how strong it is.

    `options`: those of its game; `encoding`: the version of its observations and actions. `training`: the command,
    `acts` the number of acts that it was trained on, and `icetable` the version. `strength`: for each opponent the
    share of games won, with its 95 % interval and the command that measures it.
    """

    name: str
    game: str
    options: dict[str, Any]
    encoding: int
    method: str
    training: str
    seed: int
    acts: int
    icetable: str
    strength: list[dict[str, Any]] = field(default_factory=list)

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
