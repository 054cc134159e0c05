#!/usr/bin/env python3
"""PPO learns Who's On The Squad? for two on a GPU by playing both seats. Nothing in the loop leaves the GPU.

    pip install 'icetable[lab,cuda]' torch
    python ppo_cuda.py --seconds 60                 # writes ppo_cuda.pt
    icetable lab match squad ppo_cuda.py:Agent casual@1 --blocks 50

With `--device cpu --rows 256` the same code runs slowly without a GPU.
"""

from __future__ import annotations

import argparse
import os
import time
from pathlib import Path

import torch
from torch import nn

from icetable.envs import Batch, space

ROWS, STEPS = 1 << 16, 16
"""Games in parallel, and steps of each between updates; a game takes about twelve."""
EPOCHS, MINIBATCHES = 2, 8
RATE, CLIP, ENTROPY, VALUE, LAMBDA = 1e-3, 0.2, 0.03, 0.5, 0.9
OPENING = 6
"""In the first acts of a game half are random, as all games begin alike. Nothing is learned from these acts."""
REPORTS = 10
FILE = Path(os.environ.get("PPO_CUDA", Path(__file__).with_name("ppo_cuda.pt")))

SPACE = space("squad")
MAX_VALUES = torch.tensor([float(plane.most) for plane in SPACE.encoding.planes])


class Network(nn.Module):
    """Logits of the legal actions, and the value of the position to the seat to act."""

    def __init__(self, width=512):
        super().__init__()
        height, side, planes = SPACE.encoding.shape
        self.register_buffer("scale", 1 / MAX_VALUES, persistent=False)
        self.body = nn.Sequential(
            nn.Linear(height * side * planes, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU()
        )
        self.policy, self.value = nn.Linear(width, SPACE.encoding.actions), nn.Linear(width, 1)
        for head in (self.policy, self.value):
            nn.init.orthogonal_(head.weight, 0.01)

    def forward(self, seen, mask):
        hidden = self.body((seen * self.scale).flatten(1))
        return self.policy(hidden).masked_fill(mask == 0, -1e9).log_softmax(1), self.value(hidden)[:, 0].tanh()


class SelfPlay:
    """Games whose arrays torch shares, and room for a rollout."""

    def __init__(self, rows, device, seed):
        self.batch = Batch("squad", rows, seed=seed, device=device)
        names = ("observation", "mask", "actor", "reward", "done", "acts")
        self.seen, self.mask, self.actor, self.reward, self.done, self.acts = (
            torch.from_dlpack(getattr(self.batch, name)) for name in names
        )

        def room(like, *shape):
            return torch.empty((STEPS, rows, *shape), dtype=like.dtype, device=like.device)

        self.seen_before, self.mask_before = room(self.seen, *self.seen.shape[1:]), room(self.mask, self.mask.shape[1])
        self.seats, self.actions = room(self.actor), room(self.actor)
        self.chances, self.values, self.rewards = (room(self.reward) for _ in range(3))
        self.ends, self.own = room(self.reward), room(self.reward)

    @torch.no_grad()
    def roll(self, network):
        """Play a rollout with a network; returns what `update` takes."""
        rows = torch.arange(len(self.actor), device=self.actor.device)
        for step in range(STEPS):
            self.seen_before[step], self.mask_before[step], self.seats[step] = self.seen, self.mask, self.actor
            chances, self.values[step] = network(self.seen_before[step], self.mask_before[step])
            # `acts` counts those of the finished game where one has just begun.
            opening = (torch.where(self.done, 0, self.acts) < OPENING) & (torch.rand_like(self.reward[:, 0]) < 0.5)
            self.own[step] = ~opening
            actions = torch.multinomial(torch.where(opening[:, None], self.mask.float(), chances.exp()), 1)[:, 0]
            self.actions[step], self.chances[step] = actions, chances[rows, actions]
            self.batch.step(actions)
            self.rewards[step], self.ends[step] = self.reward[rows, self.seats[step]], self.done.float()
        # What is good for the next seat to act is bad for this one, unless it is the same.
        value, advantage, seat = network(self.seen, self.mask)[1], torch.zeros_like(self.values[0]), self.actor
        advantages = torch.empty_like(self.values)
        for step in reversed(range(STEPS)):
            sign = torch.where(seat == self.seats[step], 1.0, -1.0) * (1 - self.ends[step])
            difference = self.rewards[step] + sign * value - self.values[step]
            advantage = advantages[step] = difference + LAMBDA * sign * advantage
            value, seat = self.values[step], self.seats[step]
        learned = self.chances, advantages, advantages + self.values, self.own
        return [array.flatten(0, 1) for array in (self.seen_before, self.mask_before, self.actions, *learned)]


def update(network, optimizer, seen, mask, actions, chances, advantages, targets, own):
    """The epochs of PPO over a rollout, for those acts that are the network's own."""
    for _ in range(EPOCHS):
        for some in torch.randperm(len(actions), device=actions.device).chunk(MINIBATCHES):
            log_chances, values = network(seen[some], mask[some])
            ratio = (log_chances.gather(1, actions[some, None])[:, 0] - chances[some]).exp()
            gain = advantages[some]
            gain = (gain - gain.mean()) / (gain.std() + 1e-8)
            surrogate = (own[some] * torch.minimum(ratio * gain, ratio.clamp(1 - CLIP, 1 + CLIP) * gain)).mean()
            entropy = -(log_chances.exp() * log_chances).sum(1).mean()
            value_loss = (own[some] * (values - targets[some]) ** 2).mean()
            loss = VALUE * value_loss - surrogate - ENTROPY * entropy
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(network.parameters(), 0.5)
            optimizer.step()
    return entropy.detach()


def train(seconds, rows=ROWS, device="cuda", seed=1, file=FILE):
    """Train for some seconds after the rules are compiled; the learning rate falls to 0."""
    torch.manual_seed(seed)
    games, network = SelfPlay(rows, device, seed), Network().to(device)
    optimizer = torch.optim.Adam(network.parameters(), RATE)
    network.train()
    games.roll(network)
    start, reported, steps = time.perf_counter(), 0, 0
    while (spent := time.perf_counter() - start) < seconds:
        for group in optimizer.param_groups:
            group["lr"] = RATE * (1 - spent / seconds)
        entropy = update(network, optimizer, *games.roll(network))
        steps += STEPS * rows
        # The only wait for the GPU: it keeps the time, too.
        if device == "cuda":
            torch.cuda.synchronize()
        if spent >= reported * seconds / REPORTS:
            reported += 1
            print(f"{spent:6.1f} s  {steps:12,} acts  entropy {entropy.item():.3f}", flush=True)
    assert games.batch.faults == 0
    torch.save(network.cpu().state_dict(), file)


class Agent:
    """Plays the most likely action of a trained network."""

    def __init__(self, file=FILE):
        self.network, self.batch = Network(), Batch("squad", 1, autoreset="off")
        self.network.load_state_dict(torch.load(file, weights_only=True))

    @torch.no_grad()
    def __call__(self, state, seat):
        self.batch.set(0, state)
        chances, _ = self.network(torch.from_dlpack(self.batch.observation), torch.from_dlpack(self.batch.mask))
        return self.batch.space.notation(int(chances.argmax()))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--rows", type=int, default=ROWS, help="games in parallel (%(default)s)")
    parser.add_argument("--device", choices=("cuda", "cpu"), default="cuda")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    if options.device == "cuda" and not torch.cuda.is_available():
        parser.error("torch finds no GPU here")
    train(options.seconds, options.rows, options.device, options.seed)
