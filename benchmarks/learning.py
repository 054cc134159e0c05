#!/usr/bin/env python3
"""MaskablePPO of sb3-contrib learns a game through the Gymnasium interface: how well it plays before and after.

`squad`: alone, with three trios, where 12 points are the most there are. `icefrogs`: for two; first against earlier
states of itself, then most games against a level's bot, which it plays in the end.
"""

from __future__ import annotations

import copy
import time
from argparse import ArgumentParser
from collections import deque
from statistics import mean
from typing import Any

import numpy as np
import torch
from measure import report
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from scipy.stats import binomtest
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from stable_baselines3.common.vec_env import VecEnv
from torch import nn

from icetable.bots import Bot, levels
from icetable.core.encoding import Symmetry
from icetable.core.kernel import NOBODY
from icetable.core.turns import TurnState
from icetable.envs import Batch, Space, space
from icetable.envs.gymnasium import VectorEnv

STEPS = {"squad": 100_000, "icefrogs": 1_000_000}
BOT_STEPS = 1_000_000
SQUAD = {"players": 1, "trios": 3}
SAME_STEP: dict[str, Any] = {"autoreset_mode": "SameStep"}
OPENING = 4
"""The number of random acts at the beginning of a game against a level."""
SNAPSHOTS_AFTER = 10
NEWEST = 0.7
"""A state of the policy is kept after so many rollouts; the opponent is the newest one with this probability."""


class View:
    """What a seat sees, and its actions, turned by a symmetry of the game: so both seats learn as one."""

    def __init__(self, symmetry: Symmetry | None = None) -> None:
        self.symmetry = symmetry
        self.back = None if symmetry is None else np.argsort(symmetry.actions)

    def observations(self, seen: Any) -> Any:
        if self.symmetry is None:
            return seen
        turned = np.empty_like(seen)
        cells = seen.shape[1] * seen.shape[2]
        turned.reshape(-1, cells, seen.shape[3])[:, self.symmetry.cells] = seen.reshape(-1, cells, seen.shape[3])
        return turned

    def masks(self, masks: Any) -> Any:
        if self.symmetry is None:
            return masks
        turned = np.empty_like(masks)
        turned[:, self.symmetry.actions] = masks
        return turned

    def actions(self, turned: Any) -> Any:
        """The actions of the game for those that the policy has chosen."""
        return turned if self.back is None else self.back[turned]


class Games(VecEnv):
    """Vector environments in "SameStep" mode, each with its view, as one for Stable-Baselines3."""

    def __init__(self, parts: list[tuple[VectorEnv, View]]) -> None:
        self.parts = parts
        first = parts[0][0]
        number = sum(envs.num_envs for envs, _ in parts)
        super().__init__(number, first.single_observation_space, first.single_action_space)
        self.results: deque[float] = deque(maxlen=2000)

    def reset(self) -> Any:
        told = [(view, *envs.reset(seed=number)) for number, (envs, view) in enumerate(self.parts)]
        self.masks = np.concatenate([view.masks(infos["action_mask"]) for view, _, infos in told])
        return np.concatenate([view.observations(seen) for view, seen, _ in told])

    def step_async(self, actions: Any) -> None:
        self.actions = np.split(actions, np.cumsum([envs.num_envs for envs, _ in self.parts])[:-1])

    def step_wait(self) -> Any:
        told = []
        for (envs, view), actions in zip(self.parts, self.actions, strict=True):
            seen, rewards, over, _, infos = envs.step(view.actions(actions))
            told.append((view.observations(seen), view.masks(infos["action_mask"]), rewards, over))
        seen, self.masks, rewards, over = (np.concatenate(arrays) for arrays in zip(*told, strict=True))
        self.results.extend(rewards[over].tolist())
        return seen, rewards.astype(np.float32), over, [{} for _ in over]

    def env_method(self, method_name: str, *args: Any, indices: Any = None, **kwargs: Any) -> list[Any]:
        """The masks, which is all that MaskablePPO asks for."""
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
    """The planes of each cell become a few numbers, in the same way for all cells, and these together the features."""

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


class Pairs(nn.Module):
    """Scores of actions that lead from a source to a target, each described by a few numbers; and of one more."""

    def __init__(self, width: int, sources: int, targets: int, size: int) -> None:
        super().__init__()
        self.shape = sources, targets, size
        self.sources, self.targets = nn.Linear(width, sources * size), nn.Linear(width, targets * size)
        self.last = nn.Linear(width, 1)
        for layer in (self.sources, self.targets):
            nn.init.orthogonal_(layer.weight, 0.3)
            nn.init.zeros_(layer.bias)

    def forward(self, features: torch.Tensor) -> torch.Tensor:
        sources, targets, size = self.shape
        left, right = self.sources(features).view(-1, sources, size), self.targets(features).view(-1, targets, size)
        return torch.cat([torch.einsum("bsd,btd->bst", left, right).flatten(1), self.last(features)], 1)


class PairPolicy(MaskableActorCriticPolicy):
    """A policy for IceFrogs, whose actions are numbered by source (37 spaces, 3 sizes that enter) and target."""

    def _build(self, lr_schedule: Any) -> None:
        super()._build(lr_schedule)
        self.action_net = Pairs(self.mlp_extractor.latent_dim_pi, sources=40, targets=37, size=16)
        self.optimizer = self.optimizer_class(self.parameters(), lr=lr_schedule(1), **self.optimizer_kwargs)


class Past:
    """An opponent that plays as the learner once did."""

    def __init__(self, view: View) -> None:
        self.view = view
        self.policy: Any = None

    def __call__(self, seen: Any, masks: Any, rng: np.random.Generator) -> Any:
        with torch.no_grad():
            features = self.policy.extract_features(torch.as_tensor(self.view.observations(seen)).float())
            scores = self.policy.action_net(self.policy.mlp_extractor.forward_actor(features)).numpy()
        allowed = np.where(self.view.masks(masks) > 0, scores, -np.inf)
        return self.view.actions((allowed + rng.gumbel(size=allowed.shape).astype(np.float32)).argmax(axis=1))


class Progress(BaseCallback):
    """Tells how the learner does, and hands its past states to its opponent."""

    def __init__(self, game: Any, games: Games, opponent: Any = None) -> None:
        super().__init__()
        self.game, self.games, self.opponent = game, games, opponent
        self.rollouts = 0
        self.past: list[Any] = []
        self.rng = np.random.default_rng(0)

    def _on_step(self) -> bool:
        return True

    def _on_rollout_start(self) -> None:
        if self.rollouts % SNAPSHOTS_AFTER == 0:
            if self.opponent is not None:
                self.past.append(copy.deepcopy(self.model.policy.state_dict()))
            if self.games.results:
                told = {"steps": self.num_timesteps, "mean_result": round(mean(self.games.results), 3)}
                report(self.game, **told, processor_minutes=round(time.process_time() / 60, 1))
        if self.opponent is not None:
            newest = self.rng.random() < NEWEST
            self.opponent.load_state_dict(self.past[-1 if newest else int(self.rng.integers(len(self.past)))])
        self.rollouts += 1


def learn_squad(steps: int, seed: int) -> None:
    """Alone, from random play to nearly the most points there are."""
    game = space("squad", **SQUAD).game
    games = Games([(VectorEnv("squad", 64, **SAME_STEP, **SQUAD), View())])
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
    """The mean of 1,000 games of Squad, at random without a model."""
    batch = Batch("squad", 1000, seed=1, autoreset="off", rewards="points", **SQUAD)
    while (going := batch.actor != NOBODY).any():
        actions = None if model is None else model.predict(batch.observation.copy(), action_masks=batch.mask.copy())[0]
        batch.step(actions, going)
    return round(float(batch.reward.mean()), 2)


def learn_icefrogs(steps: int, bot_steps: int, seed: int, level: str, matches: int) -> None:
    """Against itself, then also against a level's bot."""
    numbered = space("icefrogs", players=2)
    turn = next(one for one in numbered.encoding.symmetries if one.name == "turn")
    views = [View(), View(turn)]
    opponents = [Past(views[1]), Past(views[0])]

    def against(rows: dict[Any, int]) -> Games:
        """Two halves, one for each seat, with so many games against each opponent."""
        return Games(
            [
                (VectorEnv("icefrogs", n, seat, opponents[seat] if who is Past else who, **SAME_STEP), views[seat])
                for seat in (0, 1)
                for who, n in rows.items()
            ]
        )

    games = against({Past: 64})
    model = MaskablePPO(
        PairPolicy,
        games,
        learning_rate=lambda left: 7e-4 * max(left, 0.1),
        n_steps=64,
        batch_size=2048,
        n_epochs=3,
        gamma=0.99,
        ent_coef=0.01,
        seed=seed,
        policy_kwargs={
            "features_extractor_class": Cells,
            "features_extractor_kwargs": {"width": 256, "each": 16, "cells": spaces_of(numbered)},
            "net_arch": [128],
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
        opening=OPENING,
    )


def spaces_of(numbered: Space) -> list[int]:
    """The cells that are spaces of the board."""
    plane = [plane.name for plane in numbered.encoding.planes].index("board")
    seen = Batch(numbered.game, 1).observation[0]
    return np.flatnonzero(seen[:, :, plane]).tolist()


def wins(model: Any, numbered: Space, views: list[View], level: str, matches: int) -> int:
    """The games that the model wins against a level: two from each random opening, one in each seat."""
    won = 0
    for number in range(matches):
        rng = np.random.default_rng([7, number // 2])
        state = numbered.game.start()
        for _ in range(OPENING):
            state = state.apply(numbered.game.random_act(state, rng))
        bot, seat = Bot(numbered.game, level, seed=number), number % 2
        while not state.is_terminal:
            mine = state.actor == seat
            state = state.apply(best(model, numbered, views[seat], state) if mine else bot.choose(state, state.actor))
        won += state.winners == {seat}
    return won


def best(model: Any, numbered: Space, view: View, state: TurnState) -> str:
    """The act that the model likes best."""
    height, width, planes = numbered.encoding.shape
    seen = np.empty((height * width, planes), np.int8)
    numbered.codec.observe(state.position, state.actor, seen)
    masks = np.zeros((1, numbered.encoding.actions), np.int8)
    masks[0, [numbered.number(act) for act in state.legal_actions()]] = 1
    observations = view.observations(seen.reshape(1, height, width, planes))
    actions, _ = model.predict(observations, action_masks=view.masks(masks), deterministic=True)
    return numbered.notation(int(view.actions(actions)[0]))


def main() -> None:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("game", choices=tuple(STEPS))
    names = [level.name for level in levels("icefrogs")]
    parser.add_argument("--steps", type=int, help="acts of the learner (squad: 100,000; icefrogs: 1,000,000)")
    parser.add_argument("--bot-steps", type=int, default=BOT_STEPS, help="IceFrogs: so many after these (%(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="(%(default)s)")
    parser.add_argument("--threads", type=int, default=1, help="of the networks (%(default)s)")
    parser.add_argument("--level", choices=names, default="casual", help="IceFrogs: the bot's (%(default)s)")
    parser.add_argument("--games", type=int, default=100, help="IceFrogs: so many, an even number (%(default)s)")
    chosen = parser.parse_args()
    steps = STEPS[chosen.game] if chosen.steps is None else chosen.steps
    if min(steps, chosen.bot_steps, chosen.threads, chosen.games) < 1 or chosen.games % 2:
        parser.error("--steps, --bot-steps, --threads and --games are whole numbers from 1 up, and --games is even")
    torch.set_num_threads(chosen.threads)
    torch.distributions.Distribution.set_default_validate_args(False)  # they take a tenth of the time
    if chosen.game == "squad":
        learn_squad(steps, chosen.seed)
    else:
        learn_icefrogs(steps, chosen.bot_steps, chosen.seed, chosen.level, chosen.games)


if __name__ == "__main__":
    main()
