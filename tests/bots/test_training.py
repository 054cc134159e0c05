"""Weights are learned alike everywhere, and features tell each seat the same story from its own side."""

from __future__ import annotations

import json
from collections.abc import Callable
from concurrent.futures import Executor, ThreadPoolExecutor
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import icetable
from icetable.bots.search import (
    INFORMED,
    LEARNED_EXPLORATION,
    Style,
    evaluate_features,
    modules_of,
    new_scratch,
    search,
)
from icetable.bots.training import GAMES_PER_STEP, SelfPlay, rate_at, train
from icetable.cli import main
from icetable.core.errors import GameError
from icetable.core.parts import provenance_in, save_weights, weights_in
from icetable.core.turns import TurnGame, TurnState
from icetable.games.icefrogs.rules import BOARDS
from icetable.kernels import jit
from icetable.kernels.layout import OFFSET

if TYPE_CHECKING:
    from icetable.core.game import GameInfo
    from icetable.kernels.jit import Floats

GAMES = GAMES_PER_STEP + 2
"""So few games that a step is cut short too."""

SETTINGS: list[tuple[str, dict[str, Any]]] = [
    ("icefrogs", {"players": 2}),
    ("icefrogs", {"players": 6}),
    ("icefrogs", {"players": 3, "board": "hexagon"}),
    ("wrecktangle", {"players": 2}),
    ("wrecktangle", {"players": 4, "rectangles": "tilted", "fallen": "stay"}),
]


def turn_game(name: str, **options: Any) -> TurnGame:
    game = icetable.load(name, **options)
    assert isinstance(game, TurnGame)
    return game


def positions(game: TurnGame, seed: int, games: int = 3) -> list[TurnState]:
    """All states of some random games."""
    rng = np.random.default_rng(seed)
    found = [one for _ in range(games) for one in game.random_game(rng).history()]
    return [one for one in found if isinstance(one, TurnState)]


def described(game: TurnGame, state: TurnState) -> list[list[tuple[int, float]]]:
    """The features of each seat with their amounts, in order."""
    size = game.features.MAX_ACTIVE
    active, amounts, ends = np.full(size, -1), np.full(size, np.nan), np.full(game.players, -1)
    game.features.features(state.array, active, amounts, ends)
    starts = [0, *ends.tolist()]
    pairs = list(zip(active.tolist(), amounts.tolist(), strict=True))
    return [sorted(pairs[first:end]) for first, end in zip(starts, ends.tolist(), strict=False)]


def shares(game: TurnGame, state: TurnState, weights: Any) -> list[float]:
    """The values of a learned evaluation at a position."""
    bound = jit.bind(evaluate_features, game.info.name, **modules_of(game))
    scratch = new_scratch(game, 1)
    bound(state.array, scratch.active, scratch.amounts, scratch.ends, weights, scratch.values)
    return list(map(float, scratch.values))


@pytest.mark.parametrize(("name", "options"), SETTINGS)
def test_features_have_numbers_of_their_own(name: str, options: dict[str, Any]) -> None:
    game = turn_game(name, **options)
    for state in positions(game, 1):
        if state.is_terminal:
            continue
        told = described(game, state)
        assert sum(map(len, told)) <= game.features.MAX_ACTIVE
        for seat in told:
            assert all(0 <= number < game.features.FEATURES for number, _ in seat)
            assert all(np.isfinite(amount) for _, amount in seat)


@pytest.mark.parametrize(("name", "options"), SETTINGS)
def test_a_learned_evaluation_shares_the_game(name: str, options: dict[str, Any]) -> None:
    """For any weights."""
    game = turn_game(name, **options)
    weights = np.random.default_rng(2).normal(size=game.features.FEATURES)
    weights[OFFSET] = 1.0
    for state in positions(game, 2, games=1):
        if not state.is_terminal:
            told = shares(game, state, weights)
            assert sum(told) == pytest.approx(1)
            assert min(told) >= 0


def altered(state: TurnState, change: Callable[[Any], None]) -> TurnState:
    """A state after a change of its saved position."""
    saved = json.loads(state.to_json())
    change(saved["position"])
    found = state.game.from_saved(saved)
    assert isinstance(found, TurnState)
    return found


def test_frogs_on_opposite_sides_see_the_board_alike() -> None:
    """The star given half a turn, with the seats exchanged, has the features exchanged."""
    game = turn_game("icefrogs", players=2)
    place = {(space.x, space.y): space.name for space in BOARDS["star"].spaces}
    turned = {space.name: place[-space.x, 8 - space.y] for space in BOARDS["star"].spaces}

    def other(pieces: Any) -> list[Any]:
        return [{"pyramid": [size, 1 - seat]} for piece in pieces for size, seat in [piece["pyramid"]]]

    def turn(position: Any) -> None:
        position["stacks"] = {turned[name]: other(stack) for name, stack in position["stacks"].items()}
        position["pad"] = [other(pad) for pad in reversed(position["pad"])]
        position["seat"], position["turn"] = 1 - position["seat"], position["turn"] + 1

    for state in positions(game, 3, games=1):
        if not state.is_terminal:
            assert described(game, altered(state, turn)) == described(game, state)[::-1]


def test_rectangles_are_seen_alike_from_both_home_rows() -> None:
    """So it is on the board of WreckTangle."""
    game = turn_game("wrecktangle", players=2)

    def turned(square: str) -> str:
        return f"{'hgfedcba'['abcdefgh'.index(square[0])]}{9 - int(square[1])}"

    def turn(position: Any) -> None:
        own, stacks = position["own"], position["stacks"].items()
        position["stacks"] = {
            turned(square): [{"pyramid": [size, 1 - seat]}]
            for square, ((size, seat),) in ((square, [one["pyramid"] for one in pieces]) for square, pieces in stacks)
        }
        own["lost"].reverse()
        own["last"] = [
            {"set": [{"tuple": sorted(map(turned, one["tuple"]))} for one in seat["set"]]} for seat in own["last"][::-1]
        ]
        position["seat"] = 1 - position["seat"]
        position["turn"] += 1

    for state in positions(game, 3, games=1)[:200]:
        if not state.is_terminal:
            assert described(game, altered(state, turn)) == described(game, state)[::-1]


def test_a_seat_that_wins_at_once_leaves_nothing_to_the_others() -> None:
    game = turn_game("icefrogs", players=3)
    weights = np.random.default_rng(5).normal(size=game.features.FEATURES)
    weights[OFFSET] = 1.0
    decided = 0
    for state in positions(game, 5):
        if state.is_terminal:
            continue
        wins = any(state.apply(act).winners == {state.actor} for act in state.legal_actions())
        told = shares(game, state, weights)
        assert (told[state.actor] == 1.0) == wins
        decided += wins
    assert decided


@pytest.mark.parametrize(("name", "options"), [SETTINGS[0], SETTINGS[3]])
def test_training_repeats_bit_for_bit(name: str, options: dict[str, Any]) -> None:
    """In this process and in two threads; and another seed learns otherwise."""
    game = turn_game(name, **options)

    def trained(seed: int, executor: Executor | None = None) -> list[bytes]:
        return [step.weights.tobytes() for step in train(game, GAMES, 8, seed, executor)]

    alone = trained(1)
    with ThreadPoolExecutor(2) as two:
        assert trained(1, two) == alone
    assert len(alone) == 2
    assert trained(2)[0] != alone[0]


def test_a_lesson_is_the_slope_of_its_loss() -> None:
    """For each feature, by small steps to either side."""
    game = turn_game("wrecktangle", players=3)
    state = next(one for one in positions(game, 6, games=1)[20:] if not one.is_terminal)
    rng = np.random.default_rng(6)
    weights, wanted = rng.normal(size=game.features.FEATURES), np.array([0.5, 0.5, 0.0])
    weights[OFFSET] = 1.0
    learner = SelfPlay(game, weights, by_hand=False, simulations=1, seed=(0, 0))

    def loss(tried: Floats) -> float:
        room = np.zeros(len(tried))
        return learner.learn(state.array, wanted, 2.0, learner.scratch, learner.scratch.values, tried, room)

    learner.learn(state.array, wanted, 2.0, learner.scratch, learner.scratch.values, weights, learner.gradient)
    told = sorted({number for seat in described(game, state) for number, _ in seat})
    assert len(told) > 20
    for number in told:
        step = np.zeros(len(weights))
        step[number] = 1e-5
        slope = (loss(weights + step) - loss(weights - step)) / 2e-5
        assert learner.gradient[number] == pytest.approx(slope, abs=1e-6)
    assert not np.delete(learner.gradient, told).any()


def test_training_leaves_the_offset_alone() -> None:
    steps = list(train(turn_game("icefrogs"), 40, 4))
    assert [step.games for step in steps] == list(range(GAMES_PER_STEP, 41, GAMES_PER_STEP))
    assert all(step.weights[OFFSET] == 1.0 for step in steps)
    assert not np.array_equal(steps[0].weights, steps[-1].weights)


def test_the_rate_only_falls() -> None:
    rates = [rate_at(done / 100) for done in range(101)]
    assert rates == sorted(rates, reverse=True)
    assert rates[0] == rates[30] > rates[50] > rates[-1] > 0


def test_training_that_is_impossible_is_refused() -> None:
    with pytest.raises(GameError, match="High Rise has no features"):
        next(train(turn_game("highrise"), 10, 10))
    with pytest.raises(GameError, match="games"):
        next(train(turn_game("icefrogs"), 0, 10))
    with pytest.raises(GameError, match="simulations"):
        next(train(turn_game("icefrogs"), 10, 0))


def test_weights_are_kept_beside_those_of_other_settings(tmp_path: Path) -> None:
    file = tmp_path / "weights.npz"
    one, two = np.array([1.0, 0.5]), np.array([1.0, -0.25, 3.0])
    save_weights(file, "players=2", one, {"games": 10})
    save_weights(file, "players=3", two, {"games": 20})
    save_weights(file, "players=2", 2 * one, {"games": 30})
    assert {name: array.tolist() for name, array in weights_in(tmp_path).items()} == {
        "players=2": [2.0, 1.0],
        "players=3": two.tolist(),
    }
    assert provenance_in(tmp_path) == {"players=2": {"games": 30}, "players=3": {"games": 20}}
    assert weights_in(tmp_path / "nothing") == provenance_in(tmp_path / "nothing") == {}


@pytest.mark.parametrize("info", [info for info in icetable.list_games() if info.turns], ids=lambda info: info.name)
def test_weights_that_ship_fit_their_features_and_say_how_they_were_made(info: GameInfo) -> None:
    made = provenance_in(resources.files(f"icetable.games.{info.name}"))
    assert set(made) == set(info.weights())
    for setting, weights in info.weights().items():
        game = turn_game(info.name, **made[setting]["options"])
        assert game.setting == setting
        assert game.weights is weights
        assert len(weights) == game.features.FEATURES
        assert weights[OFFSET] == 1.0
        assert {"games", "simulations", "seed", "version", "beginning"} <= set(made[setting])


def test_best_searches_use_what_was_learned_and_fixed_ones_never_do() -> None:
    game = turn_game("icefrogs")
    start = game.start()
    assert isinstance(start, TurnState)
    style = Style(exploration=LEARNED_EXPLORATION, weights=game.weights, wide=game.exploration)
    learned = search(start, style, simulations=100)
    assert search(start, simulations=100) == learned
    assert len(INFORMED.weights) == 0
    assert search(start, INFORMED, simulations=100) != learned


def test_a_setting_without_weights_is_judged_by_hand() -> None:
    game = turn_game("icefrogs", players=6)
    assert len(game.weights) == 0
    start = game.start()
    assert isinstance(start, TurnState)
    assert search(start, simulations=50) == search(start, INFORMED, simulations=50)


def test_the_command_keeps_what_it_learned(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "weights.npz"
    words = ["train", "icefrogs", "--players", "3", "--games", "40", "--simulations", "2", "--out", str(file)]
    assert main(words) == 0
    told = capsys.readouterr().out
    assert "40 games, loss " in told
    (setting,) = weights_in(tmp_path)
    assert setting == turn_game("icefrogs", players=3).setting
    assert provenance_in(tmp_path)[setting]["beginning"] in told


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["train", "highrise"], "no features"),
        (["train", "icehouse"], "turn-based games"),
        (["train", "icefrogs", "--games", "0"], "games"),
        (["train", "icefrogs", "--jobs", "0"], "jobs"),
    ],
)
def test_the_command_refuses_what_it_can_not_learn(
    words: list[str], why: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(words) == 2
    assert why in capsys.readouterr().err
    assert not list(tmp_path.iterdir())
