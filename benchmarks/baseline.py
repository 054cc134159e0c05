#!/usr/bin/env python3
"""Train a learner for the tables of docs/baselines.md: AlphaZero or PPO by self-play, in any turn-based game.

    python benchmarks/baseline.py squad alphazero --minutes 20 --seed 1 --out squad.npz
    icetable lab match squad model:squad.npz casual@1 --blocks 100 --seed 2026
    LEARNED=squad.npz icetable lab match squad benchmarks/baseline.py:Agent casual@1 --blocks 100 --seed 2026

The second command plays by the network alone, the third searches with it. Both methods train the same network on all
planes, from the rules alone and against itself. During training the results of the policy without search against the
level `casual` are reported.
"""

from __future__ import annotations

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
from icetable.envs import Batch, ModelCard, TreeSearch, load_model, save_model, space
from icetable.envs.gymnasium import VectorEnv
from icetable.version import version

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
PPO_GAMES, PPO_ACTS, PPO_EPOCHS = 256, 32, 3
PPO_RATE, PPO_LAMBDA, PPO_CLIP, PPO_ENTROPY = 1e-3, 0.9, 0.2, 0.01
"""Games at a time and acts of each between updates of PPO; its rate, which falls to 0, and its other constants."""
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
        self.fraction = 0.0

    def is_over(self, acts: int, network: Network) -> bool:
        spent = (time.process_time() - self.start) / 60
        self.fraction = spent / self.minutes
        if spent >= self.minutes * self.reports / REPORTS:
            self.reports += 1
            start = time.process_time()
            share = share_of(self.game, network)
            self.start += time.process_time() - start
            line = {"game": self.game.info.name, "players": self.game.players, "method": self.method, "seed": self.seed}
            print(json.dumps({**line, "minutes": round(spent, 1), "acts": acts, "share": share}), flush=True)
            self.save(acts, network)
        return spent >= self.minutes

    def save(self, acts: int, network: Network) -> None:
        """Save the network with its card, as `icetable.envs.load_model` reads it."""
        name, players = self.game.info.name, self.game.players
        command = f"python benchmarks/baseline.py {name} {self.method} --players {players} --minutes {self.minutes:g}"
        card = ModelCard(
            name=self.out.stem,
            game=name,
            options=dict(self.game.options),
            encoding=space(self.game).encoding.version,
            method=self.method,
            training=f"{command} --seed {self.seed}",
            seed=self.seed,
            acts=acts,
            icetable=version(),
        )
        save_model(self.out, card, network.state_dict())


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
    """PPO by self-play: all seats learn, each from its own rewards and its own values."""
    network, players = Network(space(game)), np.arange(game.players)
    optimizer = torch.optim.Adam(network.parameters(), PPO_RATE)
    batch = Batch(game, PPO_GAMES, seed=seed, openings=OPENING_ACTS * game.players)
    acts = 0
    while not progress.is_over(acts, network):
        for group in optimizer.param_groups:
            group["lr"] = PPO_RATE * max(1 - progress.fraction, 0.05)
        rounds = []
        for turn in range(PPO_ACTS + 1):
            seen, masks, actor = (torch.from_numpy(one.copy()) for one in (batch.observation, batch.legal, batch.actor))
            with torch.inference_mode():
                logits, values = network(seen)
            seats = (actor[:, None] + torch.from_numpy(players)) % game.players
            by_seat = torch.zeros_like(values).scatter_(1, seats, values)  # from the seat to act on, to the first on
            if turn == PPO_ACTS:
                break
            odds = torch.distributions.Categorical(logits=logits.masked_fill(~masks, -1e9))
            actions = odds.sample()
            batch.step(actions.numpy())
            reward, done = (torch.from_numpy(one.copy()) for one in (batch.reward, batch.done))
            rounds.append((seen, masks, seats, actions, odds.log_prob(actions), by_seat, reward, ~done[:, None]))
        acts += PPO_ACTS * PPO_GAMES
        advantage, examples = torch.zeros_like(by_seat), []
        for seen, masks, seats, actions, chances, before, reward, goes_on in reversed(rounds):
            advantage = reward + goes_on * (by_seat + PPO_LAMBDA * advantage) - before
            by_seat = before
            own = advantage.gather(1, seats)
            examples.append((seen, masks, actions, chances, own[:, 0], (advantage + before).gather(1, seats)))
        learn_examples(network, optimizer, [torch.cat(column) for column in zip(*examples, strict=True)])


def learn_examples(network: Network, optimizer: torch.optim.Optimizer, examples: list[torch.Tensor]) -> None:
    """Some epochs of PPO over the acts of one rollout."""
    for _ in range(PPO_EPOCHS):
        for chosen in torch.randperm(len(examples[0])).split(BATCH_SIZE):
            seen, masks, actions, chances, advantage, targets = (column[chosen] for column in examples)
            logits, values = network(seen)
            odds = torch.distributions.Categorical(logits=logits.masked_fill(~masks, -1e9))
            ratio = (odds.log_prob(actions) - chances).exp()
            advantage = (advantage - advantage.mean()) / (advantage.std() + 1e-8)
            gain = torch.min(ratio * advantage, ratio.clamp(1 - PPO_CLIP, 1 + PPO_CLIP) * advantage).mean()
            loss = nn.functional.mse_loss(values, targets) - gain - PPO_ENTROPY * odds.entropy().mean()
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(network.parameters(), 0.5)
            optimizer.step()


class Agent:
    """Plays by a search with a network that was trained by searches."""

    def __init__(self, file: str = os.environ.get("LEARNED", "learned.npz")) -> None:
        self.model = load_model(Path(file))
        self.game: Any = None

    def __call__(self, state: Any, seat: int) -> str:
        if state.game != self.game:
            self._begin(state.game)
        batch = self.batch
        batch.set(0, state)
        return str(batch.space.notation(int(self.search.run().actions[0])))

    def _begin(self, game: Any) -> None:
        self.model.check(game)
        self.game, self.batch = game, Batch(game, 1, autoreset="off")
        self.search = TreeSearch(self.batch, self.model.evaluate, PLAY_SIMULATIONS)


def main() -> None:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("game", choices=[info.name for info in icetable.list_games() if info.turns])
    parser.add_argument("method", choices=("alphazero", "ppo"))
    parser.add_argument("--players", type=int, default=2, help="(%(default)s)")
    parser.add_argument("--minutes", type=float, default=20, help="of processor time (%(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="(%(default)s)")
    parser.add_argument("--out", type=Path, default=Path("learned.npz"), help="the output file (%(default)s)")
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
