"""How fast a game without turns goes as an environment: a game of 600 seconds between four random agents, in ticks."""

from __future__ import annotations

import statistics
import sys
import time

from icetable.envs import RealTime

TICKS = 6_000
ROUNDS = 5


def icehouse_ticks(rounds: int = ROUNDS) -> dict[str, float]:
    """By the pace of the hands the median of processor seconds for TICKS ticks of four random agents.

    A game that ends sooner is followed by another one.
    """
    medians = {}
    for hands in ("human", "free"):
        env = RealTime("icehouse", hands=hands)
        play(env, 100)
        medians[hands] = statistics.median(seconds(env, number) for number in range(rounds))
    return medians


def seconds(env: RealTime, seed: int) -> float:
    """The processor seconds that TICKS ticks take."""
    env.reset(seed)
    start = time.process_time()
    play(env, TICKS)
    return time.process_time() - start


def play(env: RealTime, count: int) -> None:
    """Play ticks at random."""
    for _ in range(count):
        env.step(env.pick())
        if env.terminated:
            env.reset()


if __name__ == "__main__":
    for hands, median in icehouse_ticks(int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS).items():
        print(
            f"{hands} hands: {median:.2f} s of processor time for {TICKS} ticks, {4 * TICKS / median:,.0f} decisions/s"
        )
