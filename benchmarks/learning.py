#!/usr/bin/env python3
"""Train MaskablePPO of sb3-contrib through the Gymnasium interface, and compare its play before and after.

`squad`: for one player, with three trios and at most 12 points. `icefrogs`: for two players; first against earlier
snapshots of itself, then mostly against a level's bot, the opponent of the final evaluation. Before that it learns how
pyramids move, from the legal acts of random games.
"""

from __future__ import annotations

import copy
import time
from argparse import ArgumentParser
from collections import deque
from collections.abc import Callable
from statistics import mean
from typing import Any

import numpy as np
import torch
from gymnasium.spaces import Box
from measure import report
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from scipy.stats import binomtest
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from stable_baselines3.common.vec_env import VecEnv
from torch import nn

from icetable.bots import Bot, levels
from icetable.core.turns import TurnState
from icetable.envs import Batch, space
from icetable.envs import Spaces as Numbered
from icetable.envs.gymnasium import VectorEnv
from icetable.extras.encoding import Symmetry
from icetable.kernels.layout import NOBODY

STEPS = {"squad": 100_000, "icefrogs": 160_000}
BOT_STEPS = 400_000
SQUAD = {"players": 1, "trios": 3}
SAME_STEP: dict[str, Any] = {"autoreset_mode": "SameStep"}
OPENING_ACTS = 4
"""The number of random acts at the beginning of a game against a level."""
ROLLOUTS_PER_SNAPSHOT = 10
NEWEST_PROBABILITY = 0.7
"""The interval between snapshots of the policy, and the probability that the newest one is the opponent."""
ROLLOUTS_PER_REPORT = 20
RANDOM_ACT_PROBABILITY = 0.15
"""The probability of a random act of a snapshot as an opponent, without which games would soon repeat."""
NEIGHBOURS = ((0, 1), (0, -1), (1, 0), (-1, 0), (1, -1), (-1, 1))
"""Offsets in rows and columns from a cell of IceFrogs to its neighbours."""
SIZES = ("small", "medium", "large")
MAX_LEAPS = 5
"""Moves of more leaps are rare and ignored."""


class View:
    """Maps a seat's observations and actions by a symmetry of the game, so that both seats share one policy.

    `features` converts observations to the learner's input.
    """

    def __init__(self, symmetry: Symmetry | None = None, features: Callable[[Any], Any] = lambda seen: seen) -> None:
        self.symmetry = symmetry
        self.features = features
        self.back = None if symmetry is None else symmetry.back()

    def observations(self, seen: Any) -> Any:
        return self.features(seen if self.symmetry is None else self.symmetry.of_observations(seen))

    def masks(self, masks: Any) -> Any:
        return masks if self.symmetry is None else self.symmetry.of_policies(masks)

    def actions(self, turned: Any) -> Any:
        """The game's actions for the policy's actions."""
        return turned if self.back is None else self.back.actions[turned]


class Games(VecEnv):
    """Several vector environments in "SameStep" mode, each with its view, as one for Stable-Baselines3."""

    def __init__(self, parts: list[tuple[VectorEnv, View]], observations: Any) -> None:
        self.parts = parts
        super().__init__(sum(envs.num_envs for envs, _ in parts), observations, parts[0][0].single_action_space)
        self.results: deque[float] = deque(maxlen=2000)

    def reset(self) -> Any:
        starts = [(view, *envs.reset(seed=number)) for number, (envs, view) in enumerate(self.parts)]
        self.masks = np.concatenate([view.masks(infos["action_mask"]) for view, _, infos in starts])
        return np.concatenate([view.observations(seen) for view, seen, _ in starts])

    def step_async(self, actions: Any) -> None:
        self.actions = np.split(actions, np.cumsum([envs.num_envs for envs, _ in self.parts])[:-1])

    def step_wait(self) -> Any:
        steps = []
        for (envs, view), actions in zip(self.parts, self.actions, strict=True):
            seen, rewards, over, _, infos = envs.step(view.actions(actions))
            steps.append((view.observations(seen), view.masks(infos["action_mask"]), rewards, over))
        seen, self.masks, rewards, over = (np.concatenate(arrays) for arrays in zip(*steps, strict=True))
        self.results.extend(rewards[over].tolist())
        return seen, rewards.astype(np.float32), over, [{} for _ in over]

    def env_method(self, method_name: str, *args: Any, indices: Any = None, **kwargs: Any) -> list[Any]:
        """The masks, which are all that MaskablePPO requests."""
        return list(self.masks)

    def has_attr(self, attr_name: str) -> bool:
        return attr_name == "action_masks"

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        return [None] * self.num_envs

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        raise NotImplementedError

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:
        return [False] * self.num_envs

    def close(self) -> None:
        for envs, _ in self.parts:
            envs.close()


class Cells(BaseFeaturesExtractor):
    """A small layer shared by all cells, followed by a layer over all cells."""

    def __init__(self, seen: Any, width: int, each: int, cells: list[int]) -> None:
        super().__init__(seen, width)
        planes = seen.shape[2]
        self.register_buffer("most", torch.as_tensor(seen.high, dtype=torch.float32).reshape(-1, planes)[cells])
        self.register_buffer("cells", torch.as_tensor(cells))
        self.each = nn.Sequential(nn.Linear(planes, each), nn.ReLU())
        self.together = nn.Sequential(nn.Flatten(), nn.Linear(each * len(cells), width), nn.ReLU())

    def forward(self, seen: torch.Tensor) -> torch.Tensor:
        features: torch.Tensor = self.together(self.each(seen.flatten(1, 2)[:, self.cells] / self.most))
        return features


class Ways(nn.Module):
    """Where the pyramids of both seats can move in a few turns, learned from the legal acts of random games.

    The geometry is given: which spaces are neighbours and in line. A small network decides by the planes of a space
    whether pyramids of a size are on it, may leap over it, continue from it, end there, and end there with a last step.
    A tensor of `places` says for each space, position and size whether pyramids can get there.
    """

    def __init__(self, numbered: Numbered) -> None:
        super().__init__()
        self.cells = spaces_of(numbered)
        width, planes = numbered.encoding.width, numbered.encoding.planes
        places = {divmod(cell, width): number for number, cell in enumerate(self.cells)}
        self.near = torch.zeros(len(places), len(places))
        rows = []
        for (row, column), number in places.items():
            for down, right in NEIGHBOURS:
                middle = places.get((row + down, column + right))
                if middle is not None:
                    self.near[number, middle] = 1
                    rows.append((number, middle, places.get((row + 2 * down, column + 2 * right))))
        self.origins, self.middles, self.landings = torch.tensor([row for row in rows if row[2] is not None]).T
        self.names = [plane.name for plane in planes]
        self.most = torch.tensor([plane.most for plane in planes], dtype=torch.float32)
        own, other = ([name for name in self.names if name.startswith(who)] for who in ("own", "player +1"))
        swapped = dict(zip(own + other, other + own, strict=True))
        self.swapped = [self.names.index(swapped.get(name, name)) for name in self.names]
        self.gates = nn.Sequential(nn.Linear(len(planes), 32), nn.ReLU(), nn.Linear(32, 5 * len(SIZES)))
        nn.init.constant_(self.gates[2].bias, -1.5)
        self.shape = len(self.cells), len(planes) + 2 * 5 * len(SIZES)

    def learn(self, game: Any, batches: int = 400) -> float:
        """Learn from random games, and return the error rate of the ends of moves in the last batch."""
        optimizer = torch.optim.Adam(self.parameters())
        schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, 2e-2, batches)
        batch = Batch(game, 512, seed=1)
        own, sizes = self.names.index("own level 0"), [self.names.index(f"{size} at level 0") for size in SIZES]
        for _ in range(batches):
            for _ in range(3):
                batch.step(None)
            planes = self.planes(batch.observation.copy())
            acts = torch.tensor(batch.mask[:, :-1]).float().unflatten(1, (-1, len(self.cells)))
            moving, entering = acts.split([len(self.cells), len(SIZES)], 1)
            movers = planes[:, :, own, None] * planes[:, :, sizes]
            legal = ((movers.transpose(1, 2) @ moving + entering) > 0).float().permute(2, 0, 1).flatten(1)
            starts, *gates = self.open(planes)
            ends = self.ends(starts, *gates)
            loss = nn.functional.binary_cross_entropy(ends.clamp(1e-4, 1 - 1e-4), legal)
            optimizer.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            optimizer.step()
            schedule.step()
        return float(((ends > 0.5) != (legal > 0.5)).float().mean())

    def planes(self, seen: Any) -> torch.Tensor:
        """The planes of the spaces, from 0 to 1."""
        return torch.as_tensor(seen).flatten(1, 2)[:, self.cells] / self.most

    def open(self, planes: torch.Tensor) -> torch.Tensor:
        """The network's outputs for each space: five tensors of places."""
        gates: torch.Tensor = self.gates(planes).sigmoid().unflatten(2, (5, len(SIZES)))
        return gates.permute(2, 1, 0, 3).flatten(2)

    def leap(self, places: torch.Tensor, over: torch.Tensor, on: torch.Tensor) -> torch.Tensor:
        """Where leaps from some places land."""
        crossing = over.index_select(0, self.middles)
        landed = torch.zeros_like(places)
        for _ in range(MAX_LEAPS):
            leaping = torch.maximum(places, landed * on).index_select(0, self.origins)
            landed = torch.zeros_like(places).index_add(0, self.landings, leaping * crossing).clamp(max=1)
        return landed

    def ends(
        self, places: torch.Tensor, over: torch.Tensor, on: torch.Tensor, end: torch.Tensor, last: torch.Tensor
    ) -> torch.Tensor:
        """Where moves from some places end."""
        landed = self.leap(places, over, on)
        return (end * (landed + (self.near @ places).clamp(max=1)) + last * (self.near @ (landed * on))).clamp(0, 1)

    def sources(self, places: torch.Tensor, over: torch.Tensor, on: torch.Tensor) -> torch.Tensor:
        """The places from which some places can be reached in one move."""
        return (self.leap(places, over, on) + self.near @ places).clamp(max=1)

    @torch.no_grad()
    def features(self, seen: Any) -> Any:
        """The planes of the spaces, and for each seat and size the places it can reach in one, two and three turns, and
        the places from which it wins in one and in two."""
        planes = self.planes(seen)
        both = torch.cat([planes, planes[:, :, self.swapped]])
        starts, over, on, end, last = self.open(both)
        reachable = []
        places = starts
        for _ in range(3):
            reachable.append(self.ends(places, over, on, end, last))
            places = torch.maximum(places, reachable[-1])
        places = both[:, :, self.names.index("player +1 start")].T.repeat_interleave(len(SIZES), 1)
        for _ in range(2):
            reachable.append(self.sources(places, over, on))
            places = reachable[-1] * end
        by_space = torch.stack(reachable, -1).unflatten(1, (len(both), -1)).flatten(2).transpose(0, 1)
        return torch.cat([planes, *by_space.split(len(planes))], 2).numpy()


class Spaces(BaseFeaturesExtractor):
    """A small layer shared by all spaces, a layer over all spaces, and a second shared layer that also sees the output
    of the latter. The features are the outputs of the last two."""

    def __init__(self, seen: Any, each: int, width: int) -> None:
        spaces, numbers = seen.shape
        super().__init__(seen, spaces * each + width)
        self.each = nn.Sequential(nn.Linear(numbers, each), nn.ReLU())
        self.together = nn.Sequential(nn.Flatten(), nn.Linear(spaces * each, width), nn.ReLU())
        self.again, self.in_view = nn.Linear(each, each), nn.Linear(width, each)
        self.where = nn.Parameter(torch.zeros(spaces, each))

    def forward(self, seen: torch.Tensor) -> torch.Tensor:
        each = self.each(seen)
        together = self.together(each)
        again = torch.relu(self.again(each) + self.in_view(together)[:, None] + self.where)
        return torch.cat([again.flatten(1), together], 1)


class Pairs(nn.Module):
    """Scores of acts from a source to a target: the product of two vectors, plus biases. Sources are the spaces and the
    sizes that enter. The last score is that of passing."""

    def __init__(self, spaces: int, each: int, width: int, size: int) -> None:
        super().__init__()
        self.shape, self.width = (spaces, each), width
        self.source, self.target = nn.Linear(each, size + 1), nn.Linear(each, size + 1)
        self.enter, self.last = nn.Linear(width, len(SIZES) * (size + 1)), nn.Linear(width, 1)
        for layer in (self.source, self.target, self.enter, self.last):
            nn.init.orthogonal_(layer.weight, 0.5)
            nn.init.zeros_(layer.bias)

    def forward(self, features: torch.Tensor) -> torch.Tensor:
        each, together = features[:, : -self.width].unflatten(1, self.shape), features[:, -self.width :]
        sources = torch.cat([self.source(each), self.enter(together).unflatten(1, (len(SIZES), -1))], 1)
        targets = self.target(each)
        products = sources[:, :, :-1] @ targets[:, :, :-1].transpose(1, 2)
        scores = products + sources[:, :, -1:] + targets[:, None, :, -1]
        return torch.cat([scores.flatten(1), self.last(together)], 1)


class PairPolicy(MaskableActorCriticPolicy):
    """A policy for IceFrogs, where actions are numbered by source (37 spaces, 3 entering sizes) and target."""

    def _build(self, lr_schedule: Any) -> None:
        super()._build(lr_schedule)
        self.action_net = Pairs(self.observation_space.shape[0], **self.features_extractor_kwargs, size=16)
        self.optimizer = self.optimizer_class(self.parameters(), lr=lr_schedule(1), **self.optimizer_kwargs)


class Past:
    """An opponent that plays like a snapshot of the learner, with some random acts."""

    def __init__(self, view: View) -> None:
        self.view = view
        self.policy: Any = None

    def __call__(self, seen: Any, masks: Any, rng: np.random.Generator) -> Any:
        with torch.no_grad():
            features = self.policy.extract_features(torch.as_tensor(self.view.observations(seen)).float())
            scores = self.policy.action_net(self.policy.mlp_extractor.forward_actor(features)).numpy()
        scores[rng.random(len(scores)) < RANDOM_ACT_PROBABILITY] = 0
        allowed = np.where(self.view.masks(masks) > 0, scores, -np.inf)
        return self.view.actions((allowed + rng.gumbel(size=allowed.shape).astype(np.float32)).argmax(axis=1))


class Progress(BaseCallback):
    """Reports the learner's results, and loads snapshots of it into its opponent."""

    def __init__(self, game: Any, games: Games, opponent: Any = None) -> None:
        super().__init__()
        self.game, self.games, self.opponent = game, games, opponent
        self.rollouts = 0
        self.past: list[Any] = []
        self.rng = np.random.default_rng(0)

    def _on_step(self) -> bool:
        return True

    def _on_rollout_start(self) -> None:
        if self.games.results and self.rollouts % ROLLOUTS_PER_REPORT == 0:
            progress = {"steps": self.num_timesteps, "mean_result": round(mean(self.games.results), 3)}
            report(self.game, **progress, processor_minutes=round(time.process_time() / 60, 1))
        if self.opponent is not None:
            if self.rollouts % ROLLOUTS_PER_SNAPSHOT == 0:
                self.past.append(copy.deepcopy(self.model.policy.state_dict()))
            newest = self.rng.random() < NEWEST_PROBABILITY
            self.opponent.load_state_dict(self.past[-1 if newest else int(self.rng.integers(len(self.past)))])
        self.rollouts += 1


def learn_squad(steps: int, seed: int) -> None:
    """Train in a game for one player, from random play to nearly the maximum score."""
    game = space("squad", **SQUAD).game
    envs = VectorEnv("squad", 64, **SAME_STEP, **SQUAD)
    games = Games([(envs, View())], envs.single_observation_space)
    model = MaskablePPO(
        "MlpPolicy",
        games,
        learning_rate=1e-3,
        n_steps=32,
        batch_size=512,
        n_epochs=4,
        gamma=1.0,
        ent_coef=0.01,
        seed=seed,
        policy_kwargs={
            "features_extractor_class": Cells,
            "features_extractor_kwargs": {"width": 128, "each": 16, "cells": list(range(16))},
            "net_arch": [64],
        },
    )
    before = mean_points(None)
    model.learn(steps, Progress(game, games))
    report(
        game,
        steps=model.num_timesteps,
        processor_minutes=round(time.process_time() / 60, 1),
        points_at_random=before,
        points=mean_points(model),
        most_points=12,
    )


def mean_points(model: Any) -> float:
    """The mean score of 1,000 games of Squad, with random play if there is no model."""
    batch = Batch("squad", 1000, seed=1, autoreset="off", rewards="points", **SQUAD)
    while (going := batch.actor != NOBODY).any():
        actions = None if model is None else model.predict(batch.observation.copy(), action_masks=batch.mask.copy())[0]
        batch.step(actions, going)
    return round(float(batch.reward.mean()), 2)


def learn_icefrogs(steps: int, bot_steps: int, seed: int, level: str, matches: int) -> None:
    """Train the moves of pyramids, then against itself, then also against a level's bot."""
    numbered = space("icefrogs", players=2)
    torch.manual_seed(seed)
    ways = Ways(numbered)
    report(numbered.game, ends_told_wrongly=round(ways.learn(numbered.game), 4))
    turn = next(one for one in numbered.encoding.symmetries if one.name == "turn")
    views = [View(None, ways.features), View(turn, ways.features)]
    opponents = [Past(views[1]), Past(views[0])]

    def against(rows: dict[Any, int]) -> Games:
        """Environments for each seat with the given numbers of games against each opponent."""
        return Games(
            [
                (VectorEnv("icefrogs", n, seat, opponents[seat] if kind is Past else kind, **SAME_STEP), views[seat])
                for seat in (0, 1)
                for kind, n in rows.items()
            ],
            Box(0, 1, ways.shape),
        )

    games = against({Past: 64})
    model = MaskablePPO(
        PairPolicy,
        games,
        learning_rate=lambda left: 5e-4 * max(left, 0.1),
        n_steps=32,
        batch_size=512,
        n_epochs=4,
        gamma=1.0,
        gae_lambda=0.8,
        ent_coef=0.03,
        seed=seed,
        policy_kwargs={
            "features_extractor_class": Spaces,
            "features_extractor_kwargs": {"each": 32, "width": 192},
            "net_arch": {"pi": [], "vf": [64]},
        },
    )
    past = copy.deepcopy(model.policy)
    past.set_training_mode(False)
    for opponent in opponents:
        opponent.policy = past
    before = wins(model, numbered, views, level, matches)
    model.learn(steps, Progress(numbered.game, games, past))
    by_itself = wins(model, numbered, views, level, matches)
    games = against({level: 48, Past: 16})
    model.set_env(games)
    model.learn(bot_steps, Progress(numbered.game, games, past), reset_num_timesteps=False)
    minutes = round(time.process_time() / 60, 1)
    won = wins(model, numbered, views, level, matches)
    interval = binomtest(won, matches).proportion_ci(0.95, method="wilson")
    report(
        numbered.game,
        steps=model.num_timesteps,
        processor_minutes=minutes,
        level=level,
        games=matches,
        wins_before=before,
        wins_after_itself=by_itself,
        wins=won,
        interval_95=[round(interval.low, 4), round(interval.high, 4)],
        opening=OPENING_ACTS,
    )


def spaces_of(numbered: Numbered) -> list[int]:
    """The cells that are spaces of the board."""
    plane = [plane.name for plane in numbered.encoding.planes].index("board")
    seen = Batch(numbered.game, 1).observation[0]
    return np.flatnonzero(seen[:, :, plane]).tolist()


def wins(model: Any, numbered: Numbered, views: list[View], level: str, matches: int) -> int:
    """The number of games that the model wins against a level: two from each random opening, one in each seat."""
    won = 0
    for number in range(matches):
        rng = np.random.default_rng([7, number // 2])
        state = numbered.game.start()
        for _ in range(OPENING_ACTS):
            state = state.apply(numbered.game.random_act(state, rng))
        bot, seat = Bot(numbered.game, level, seed=number), number % 2
        while not state.is_terminal:
            mine = state.actor == seat
            state = state.apply(best(model, numbered, views[seat], state) if mine else bot.choose(state, state.actor))
        won += state.winners == {seat}
    return won


def best(model: Any, numbered: Numbered, view: View, state: TurnState) -> str:
    """The model's most probable act."""
    height, width, planes = numbered.encoding.shape
    seen = np.empty((height * width, planes), np.int8)
    numbered.codec.observe(state.array, state.actor, seen)
    masks = np.zeros((1, numbered.encoding.actions), np.int8)
    masks[0, [numbered.number(act) for act in state.legal_actions()]] = 1
    observations = view.observations(seen.reshape(1, height, width, planes))
    actions, _ = model.predict(observations, action_masks=view.masks(masks), deterministic=True)
    return numbered.notation(int(view.actions(actions)[0]))


def main() -> None:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("game", choices=tuple(STEPS))
    names = [level.name for level in levels("icefrogs")]
    parser.add_argument("--steps", type=int, help="acts of the learner (squad: 100,000; icefrogs: 160,000)")
    parser.add_argument("--bot-steps", type=int, default=BOT_STEPS, help="IceFrogs: acts after these (%(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="(%(default)s)")
    parser.add_argument("--threads", type=int, default=1, help="threads of the networks (%(default)s)")
    parser.add_argument("--level", choices=names, default="casual", help="IceFrogs: level of the bot (%(default)s)")
    parser.add_argument(
        "--games", type=int, default=100, help="IceFrogs: evaluation games, an even number (%(default)s)"
    )
    chosen = parser.parse_args()
    steps = STEPS[chosen.game] if chosen.steps is None else chosen.steps
    if min(steps, chosen.bot_steps, chosen.threads, chosen.games) < 1 or chosen.games % 2:
        parser.error("--steps, --bot-steps, --threads and --games are whole numbers from 1 up, and --games is even")
    torch.set_num_threads(chosen.threads)
    torch.distributions.Distribution.set_default_validate_args(False)  # validation takes a tenth of the time
    if chosen.game == "squad":
        learn_squad(steps, chosen.seed)
    else:
        learn_icefrogs(steps, chosen.bot_steps, chosen.seed, chosen.level, chosen.games)


if __name__ == "__main__":
    main()
