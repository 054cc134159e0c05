#!/usr/bin/env python3
"""AlphaZero learns IceFrogs for two on one core, from the rules alone: a network and a search that improves on it.

    pip install 'icetable[lab]' torch
    python alphazero.py --minutes 15                # writes alphazero.pt
    icetable lab match icefrogs alphazero.py:Agent casual@1 --blocks 50

Each iteration continues all games in parallel, with a search for every act, and then trains the policy on the search's
policies and the value on the results of the games. The network always sees the board from the side of seat 0. With
`--device cuda` it is on a GPU, while the search stays on the processor.
"""

from __future__ import annotations

import argparse
import os
import time
from pathlib import Path

import numpy as np
import torch
from torch import nn

from icetable.envs import Batch, TreeSearch, space

GAMES, ACTS, SIMULATIONS = 128, 32, 24
WINDOW_SIZE, BATCH_SIZE = 60_000, 512
REUSE = 4
"""Average number of times each position is sampled."""
RANDOM_GAMES = 1500
"""Number of random games at the beginning: an untrained network plays the same, but much slower."""
TURN_LIMIT, DISCOUNT = 200, 0.99
"""The limit after which games are drawn, and the discount of the result per act."""
FILE = Path(os.environ.get("ALPHAZERO", Path(__file__).with_name("alphazero.pt")))
PLAY_SIMULATIONS = 200
"""Simulations per act of `Agent`."""

SPACE = space("icefrogs")
TURN, MIRROR = SPACE.encoding.symmetries
PLANES = [plane.name for plane in SPACE.encoding.planes]
MAX_VALUES = torch.tensor([plane.most for plane in SPACE.encoding.planes])
FIRST = Batch("icefrogs", 1).observation[0]
CELLS = FIRST[:, :, PLANES.index("board")].astype(bool)
HOME = FIRST[:, :, PLANES.index("own start")].astype(bool)


def is_turned(seen):
    """Whether observations are those of seat 1, which starts on the other side."""
    return ~seen[:, HOME, PLANES.index("own start")].astype(bool)[:, 0]


class Network(nn.Module):
    """Hidden layers over the planes of the spaces, with logits of all actions and the value for the seat to act."""

    def __init__(self, width=256):
        super().__init__()
        inputs, actions = int(CELLS.sum()) * len(PLANES), SPACE.encoding.actions
        self.body = nn.Sequential(nn.Linear(inputs, width), nn.ReLU())
        self.more = nn.Sequential(nn.Linear(width, width), nn.ReLU(), nn.Linear(width, width))
        self.policy, self.value = nn.Linear(width, actions), nn.Linear(width, 1)
        nn.init.zeros_(self.policy.weight)
        nn.init.zeros_(self.value.weight)

    def forward(self, seen):
        planes = seen[:, torch.from_numpy(CELLS)].float() / MAX_VALUES.to(seen.device)
        hidden = self.body(planes.flatten(1))
        hidden = torch.relu(hidden + self.more(hidden))
        return self.policy(hidden), self.value(hidden)[:, 0].tanh()

    @torch.inference_mode()
    def evaluate(self, seen, masks):
        """The evaluator for `TreeSearch`."""
        turned = is_turned(seen)
        seen[turned] = TURN.of_observations(seen[turned])
        logits, values = (output.cpu().numpy() for output in self(torch.from_numpy(seen).to(self.value.weight.device)))
        logits[turned] = logits[turned][:, TURN.actions]
        return logits, values


class Positions:
    """A replay buffer of positions from seat 0's side: observations, policies of the search, and results."""

    def __init__(self, size=WINDOW_SIZE):
        self.seen = np.zeros((size, *SPACE.encoding.shape), np.int8)
        self.policy = np.zeros((size, SPACE.encoding.actions), np.float16)
        self.result = np.zeros(size, np.float32)
        self.size, self.added = size, 0

    def add(self, seen, policy, result):
        places = np.arange(self.added, self.added + len(seen)) % self.size
        self.seen[places], self.policy[places], self.result[places] = seen, policy, result
        self.added += len(seen)

    def sample(self, rng):
        """A random batch, half of it mirrored."""
        chosen = rng.integers(min(self.added, self.size), size=BATCH_SIZE)
        seen, policy = self.seen[chosen], self.policy[chosen].astype(np.float32)
        half = BATCH_SIZE // 2
        seen[:half], policy[:half] = MIRROR.of_observations(seen[:half]), MIRROR.of_policies(policy[:half])
        return map(torch.from_numpy, (seen, policy, self.result[chosen]))


class SelfPlay:
    """Self-play games, whose positions are added to the buffer when a game is over."""

    def __init__(self, network, seed):
        self.batch = Batch("icefrogs", GAMES, seed=seed, turn_limit=TURN_LIMIT)
        self.search = TreeSearch(self.batch, network.evaluate, SIMULATIONS, "gumbel", noise=1.0, seed=seed)
        self.games = [[] for _ in range(GAMES)]
        self.ended = 0

    def play(self, acts, positions):
        batch = self.batch
        for _ in range(acts):
            if self.ended < RANDOM_GAMES:
                policy, actions = batch.mask / batch.mask.sum(axis=1, keepdims=True), batch.pick()
            else:
                found = self.search.run()
                policy, actions = found.policy, found.actions
            seen, policy, seats = batch.observation.copy(), policy.astype(np.float16), batch.actor.copy()
            turned = seats == 1
            seen[turned], policy[turned] = TURN.of_observations(seen[turned]), TURN.of_policies(policy[turned])
            for row, game in enumerate(self.games):
                game.append((seen[row], policy[row], seats[row]))
            batch.step(actions)
            for row in np.flatnonzero(batch.done):
                seen, policy, seats = map(np.array, zip(*self.games[row], strict=True))
                positions.add(seen, policy, batch.reward[row, seats] * DISCOUNT ** np.arange(len(seats))[::-1])
                self.games[row] = []
                self.ended += 1


def train(minutes, seed=1, file=FILE, device="cpu"):
    """Train for some minutes of processor time."""
    torch.manual_seed(seed)
    torch.set_num_threads(1)
    rng, network, positions = np.random.default_rng(seed), Network().to(device), Positions()
    optimizer = torch.optim.Adam(network.parameters(), 1e-3, weight_decay=1e-5)
    games, start, next_report = SelfPlay(network, seed), time.process_time(), 0.0
    while (spent := (time.process_time() - start) / 60) < minutes:
        before = positions.added
        games.play(ACTS, positions)
        losses = []
        for _ in range(REUSE * (positions.added - before) // BATCH_SIZE):
            seen, policy, result = (one.to(device) for one in positions.sample(rng))
            logits, values = network(seen)
            loss = nn.functional.cross_entropy(logits, policy), nn.functional.mse_loss(values, result)
            optimizer.zero_grad()
            sum(loss).backward()
            optimizer.step()
            losses.append([part.item() for part in loss])
        if losses and spent >= next_report:
            policy, value = np.mean(losses, axis=0)
            print(
                f"{spent:5.1f} min  {games.ended:6} games  {positions.added:8} acts  "
                f"policy {policy:.3f}  value {value:.3f}",
                flush=True,
            )
            torch.save(network.state_dict(), file)
            next_report = spent + 0.5
    torch.save(network.state_dict(), file)


class Agent:
    """Plays the best action of a search with a trained network."""

    def __init__(self, simulations=PLAY_SIMULATIONS, file=FILE):
        network = Network()
        network.load_state_dict(torch.load(file, map_location="cpu", weights_only=True))
        self.batch = Batch("icefrogs", 1, autoreset="off")
        self.search = TreeSearch(self.batch, network.evaluate, simulations)

    def __call__(self, state, seat):
        self.batch.set(0, state)
        return self.batch.space.notation(int(self.search.run().actions[0]))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=15, help="of processor time")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--device", choices=("cpu", "cuda"), default="cpu", help="of the network (%(default)s)")
    options = parser.parse_args()
    if options.device == "cuda" and not torch.cuda.is_available():
        parser.error("torch finds no GPU here")
    train(options.minutes, options.seed, device=options.device)
