#!/usr/bin/env python3
"""Train a learner for the table of docs/baselines.md: AlphaZero or MaskablePPO, the same for every turn-based game.

    python benchmarks/baseline.py squad alphazero --minutes 20 --seed 1 --out squad.pt
    LEARNED=squad.pt icetable lab match squad benchmarks/baseline.py:Agent casual@1 --blocks 100 --seed 2026

Both train the same network on all planes, from the rules alone. AlphaZero plays against itself, PPO against random,
greedy and `casual`. During training the policy's results without search against the level `casual` are reported.
"""

from __future__ import annotations

import contextlib
import json
import os
import time
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn

import icetable
from icetable.envs import Batch, League, TreeSearch, space
from icetable.envs.gymnasium import VectorEnv

GAMES, ACTS, SIMULATIONS = 128, 16, 24
WIDTH, WINDOW_SIZE, BATCH_SIZE, REUSE = 256, 40_000, 512, 4
RANDOM_GAMES = 500
"""Number of random games at the beginning: an untrained network plays the same, but much slower."""
TURN_LIMIT, DISCOUNT = 200, 0.99
"""The turn limit of games that have one, and the discount of the result per act."""
LEVEL, PLAY_SIMULATIONS = "casual", 200
"""The level that learners play against, and AlphaZero's simulations per act in play."""
OPENING_ACTS = 2
"""Random acts per seat at the beginning of half of the training games, and of all evaluation games."""
REPORTS = 4
"""Number of progress reports."""


class Body(nn.Module):
    """The hidden layers over all planes."""

    def __init__(self, space: Any) -> None:
        super().__init__()
        self.register_buffer("most", torch.tensor([float(plane.most) for plane in space.encoding.planes]))
        self.first = nn.Linear(int(np.prod(space.encoding.shape)), WIDTH)
        self.more = nn.Sequential(nn.Linear(WIDTH, WIDTH), nn.ReLU(), nn.Linear(WIDTH, WIDTH))

    def forward(self, seen: torch.Tensor) -> torch.Tensor:
        hidden = torch.relu(self.first((seen.float() / self.most).flatten(1)))
        return torch.relu(hidden + self.more(hidden))


class Network(nn.Module):
    """The logits of all actions, and the values of all seats in turn order from the seat to act."""

    def __init__(self, space: Any) -> None:
        super().__init__()
        self.body = Body(space)
        self.policy = nn.Linear(WIDTH, space.encoding.actions)
        self.value = nn.Linear(WIDTH, space.game.players)
        nn.init.zeros_(self.policy.weight)
        nn.init.zeros_(self.value.weight)

    def forward(self, seen: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        hidden = self.body(seen)
        return self.policy(hidden), self.value(hidden).tanh()

    @torch.inference_mode()
    def evaluate(self, seen: Any, _masks: Any) -> Any:
        """The evaluator for `TreeSearch`."""
        return tuple(output.numpy() for output in self(torch.from_numpy(np.array(seen))))

    def best(self, seen: Any, masks: Any) -> Any:
        """The most probable legal actions."""
        return np.where(masks, self.evaluate(seen, masks)[0], -np.inf).argmax(axis=1)


class Positions:
    """A replay buffer of positions: observations, policies of the search, and results of all seats."""

    def __init__(self, space: Any) -> None:
        self.symmetries = space.encoding.symmetries
        self.seen = np.zeros((WINDOW_SIZE, *space.encoding.shape), np.int8)
        self.policy = np.zeros((WINDOW_SIZE, space.encoding.actions), np.float16)
        self.result = np.zeros((WINDOW_SIZE, space.game.players), np.float32)
        self.added = 0

    def add(self, seen: Any, policy: Any, result: Any) -> None:
        places = np.arange(self.added, self.added + len(seen)) % WINDOW_SIZE
        self.seen[places], self.policy[places], self.result[places] = seen, policy, result
        self.added += len(seen)

    def sample(self, rng: np.random.Generator) -> Any:
        """A random batch, half of it mapped by one of the game's symmetries."""
        chosen = rng.integers(min(self.added, WINDOW_SIZE), size=BATCH_SIZE)
        seen, policy = self.seen[chosen], self.policy[chosen].astype(np.float32)
        if self.symmetries:
            image, half = self.symmetries[rng.integers(len(self.symmetries))], BATCH_SIZE // 2
            seen[:half], policy[:half] = image.of_observations(seen[:half]), image.of_policies(policy[:half])
        return map(torch.from_numpy, (seen, policy, self.result[chosen]))


class SelfPlay:
    """Self-play games, whose positions are added to the buffer when a game is over."""

    def __init__(self, game: Any, network: Network, seed: int) -> None:
        self.batch = Batch(game, GAMES, seed=seed)
        self.search = TreeSearch(self.batch, network.evaluate, SIMULATIONS, "gumbel", noise=1.0, seed=seed)
        self.games: list[list[Any]] = [[] for _ in range(GAMES)]
        self.opens = np.arange(GAMES) % 2 == 0
        self.ended = 0

    def play(self, positions: Positions) -> None:
        batch = self.batch
        for _ in range(ACTS):
            if self.ended < RANDOM_GAMES:
                policy, actions = batch.mask / batch.mask.sum(axis=1, keepdims=True), batch.pick()
            else:
                found = self.search.run()
                opening = (batch.acts < OPENING_ACTS * batch.game.players) & self.opens
                policy, actions = found.policy, np.where(opening, batch.pick(), found.actions)
            seen, policy, seats = batch.observation.copy(), policy.astype(np.float16), batch.actor.copy()
            for row, game in enumerate(self.games):
                game.append((seen[row], policy[row], seats[row]))
            batch.step(actions)
            for row in np.flatnonzero(batch.done):
                seen, policy, seats = map(np.array, zip(*self.games[row], strict=True))
                players = np.arange(batch.game.players)
                result = batch.reward[row, (seats[:, None] + players) % len(players)]
                positions.add(seen, policy, result * DISCOUNT ** np.arange(len(seats))[::-1, None])
                self.games[row] = []
                self.ended += 1


class Progress:
    """Saves the network and reports the results of its policy, at regular intervals of training time."""

    def __init__(self, game: Any, method: str, seed: int, minutes: float, out: Path) -> None:
        self.game, self.method, self.seed, self.minutes, self.out = game, method, seed, minutes, out
        self.start, self.reports = time.process_time(), 1

    def is_over(self, acts: int, network: Network) -> bool:
        spent = (time.process_time() - self.start) / 60
        if spent >= self.minutes * self.reports / REPORTS:
            self.reports += 1
            start = time.process_time()
            share = share_of(self.game, network)
            self.start += time.process_time() - start
            line = {"game": self.game.info.name, "players": self.game.players, "method": self.method, "seed": self.seed}
            print(json.dumps({**line, "minutes": round(spent, 1), "acts": acts, "share": share}), flush=True)
            torch.save({"network": network.state_dict(), "searches": self.method == "alphazero"}, self.out)
        return spent >= self.minutes


def share_of(game: Any, network: Network, games: int = 200) -> float:
    """The share of the policy without search in games against the level, with equal numbers of games in all seats."""
    seats, won = range(game.players), 0.0
    for seat in seats:
        envs = VectorEnv(game, games // len(seats), seat, LEVEL, autoreset_mode="SameStep")
        seen, infos = envs.reset(seed=2026)
        over, rng, turn = np.zeros(envs.num_envs, bool), np.random.default_rng(2026), 0
        while not over.all():
            masks = infos["action_mask"]
            random = (rng.random(masks.shape) * masks).argmax(axis=1)
            seen, rewards, ended, _, infos = envs.step(random if turn < OPENING_ACTS else network.best(seen, masks))
            turn += 1
            won += float(rewards[ended & ~over].sum() * (len(seats) - 1) + (ended & ~over).sum()) / len(seats)
            over |= ended
    return round(won / games, 3)


def learn_alphazero(game: Any, seed: int, progress: Progress) -> None:
    """Alternate between self-play and training on the positions and results of the searches."""
    rng, network, positions = np.random.default_rng(seed), Network(space(game)), Positions(space(game))
    optimizer = torch.optim.Adam(network.parameters(), 1e-3, weight_decay=1e-5)
    games = SelfPlay(game, network, seed)
    while not progress.is_over(positions.added, network):
        before = positions.added
        games.play(positions)
        for _ in range(REUSE * (positions.added - before) // BATCH_SIZE):
            seen, policy, result = positions.sample(rng)
            logits, values = network(seen)
            optimizer.zero_grad()
            loss = nn.functional.cross_entropy(logits, policy) + nn.functional.mse_loss(values, result)
            loss.backward()
            optimizer.step()


def learn_ppo(game: Any, seed: int, progress: Progress) -> None:
    """MaskablePPO of sb3-contrib, with the same network."""
    from learning import SAME_STEP, Games, View
    from sb3_contrib import MaskablePPO
    from stable_baselines3.common.callbacks import BaseCallback
    from stable_baselines3.common.torch_layers import BaseFeaturesExtractor

    class Extractor(BaseFeaturesExtractor):
        def __init__(self, seen: Any) -> None:
            super().__init__(seen, WIDTH)
            self.body = Body(space(game))

        def forward(self, seen: torch.Tensor) -> torch.Tensor:
            return self.body(seen)

    class Watch(BaseCallback):
        def _on_step(self) -> bool:
            return True

        def _on_rollout_start(self) -> None:
            policy, network = self.model.policy, Network(space(game))
            network.body.load_state_dict(policy.features_extractor.body.state_dict())
            network.policy.load_state_dict(policy.action_net.state_dict())
            if progress.is_over(self.num_timesteps, network):
                raise StopIteration

    envs = VectorEnv(game, GAMES, None, League("random", "greedy", LEVEL, newest=0.5), **SAME_STEP)
    model = MaskablePPO(
        "MlpPolicy",
        Games([(envs, View())], envs.single_observation_space),
        learning_rate=5e-4,
        n_steps=32,
        batch_size=512,
        n_epochs=4,
        gamma=1.0,
        gae_lambda=0.9,
        ent_coef=0.01,
        seed=seed,
        policy_kwargs={"features_extractor_class": Extractor, "net_arch": []},
    )
    with contextlib.suppress(StopIteration):
        model.learn(10**9, Watch())


class Agent:
    """Plays by the policy, or by a search with the network if it was trained by searches."""

    def __init__(self, file: str = os.environ.get("LEARNED", "learned.pt")) -> None:
        self.learned = torch.load(file, weights_only=True)
        self.game: Any = None

    def __call__(self, state: Any, seat: int) -> str:
        if state.game != self.game:
            self._begin(state.game)
        batch = self.batch
        batch.set(0, state)
        if self.learned["searches"]:
            return str(batch.space.notation(int(self.search.run().actions[0])))
        return str(batch.space.notation(int(self.network.best(batch.observation, batch.mask)[0])))

    def _begin(self, game: Any) -> None:
        torch.set_num_threads(1)
        self.game, self.batch, self.network = game, Batch(game, 1, autoreset="off"), Network(space(game))
        self.network.load_state_dict(self.learned["network"])
        self.search = TreeSearch(self.batch, self.network.evaluate, PLAY_SIMULATIONS)


def main() -> None:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("game", choices=[info.name for info in icetable.list_games() if info.turns])
    parser.add_argument("method", choices=("alphazero", "ppo"))
    parser.add_argument("--players", type=int, default=2, help="(%(default)s)")
    parser.add_argument("--minutes", type=float, default=20, help="of processor time (%(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="(%(default)s)")
    parser.add_argument("--out", type=Path, default=Path("learned.pt"), help="the output file (%(default)s)")
    chosen = parser.parse_args()
    info = icetable.games.info(chosen.game)
    limited = {"turn_limit": TURN_LIMIT} if any(option.name == "turn_limit" for option in info.options) else {}
    game = info.load(players=chosen.players, **limited)
    torch.set_num_threads(1)
    torch.manual_seed(chosen.seed)
    progress = Progress(game, chosen.method, chosen.seed, chosen.minutes, chosen.out)
    (learn_ppo if chosen.method == "ppo" else learn_alphazero)(game, chosen.seed, progress)


if __name__ == "__main__":
    main()
