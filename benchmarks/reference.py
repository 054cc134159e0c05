#!/usr/bin/env python3
"""The lab's measures of luck and depth on well-known games, compared with their known order."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import NamedTuple

from borrowed.game import info
from scipy.stats import spearmanr

from icetable import games
from icetable.core.turns import TurnGame
from icetable.kernels import jit
from icetable.lab import Plan, match
from icetable.lab.intervals import Estimate
from icetable.lab.luck import split_luck
from icetable.lab.matches import ladder, total
from icetable.lab.plan import seed_of


class Reference(NamedTuple):
    """A well-known game: its name in OpenSpiel, its ranks in the known orders of luck and of depth, and the numbers of
    games and of playouts that measure its luck.

    Luck: games without chance have none; a game whose die selects the piece to move has less than a race whose only
    choice is when to stop. Depth: by the number of spaces of the board; pig has none, and other games with dice can't
    be ranked among those without. Games with more than about twenty acts per turn are left out, because a search of
    `LADDER[1]` hardly visits each act.
    """

    spiel: str
    luck: int
    depth: int | None
    splits: tuple[int, int] = (40, 4)


LADDER = ("random", "pure:32", "pure:64", "pure:128", "pure:256")
"""Players that only need the rules, because these games have no evaluation."""
REFERENCES = {
    "pig": Reference("pig(winscore=30)", 2, 0, (300, 8)),
    "tic-tac-toe": Reference("tic_tac_toe", 0, 9),
    "hex-3": Reference("hex(board_size=3)", 0, 9),
    "connect-four-4": Reference("connect_four(rows=4,columns=4)", 0, 16),
    "hex-4": Reference("hex(board_size=4)", 0, 16),
    "connect-four-5": Reference("connect_four(rows=5,columns=5)", 0, 25),
    "breakthrough": Reference("breakthrough(rows=6,columns=6)", 0, 36),
    "connect-four": Reference("connect_four", 0, 42),
    "einstein": Reference("einstein_wurfelt_nicht", 1, None, (200, 8)),
}


def main() -> None:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", metavar="GAME", help=f"{', '.join(REFERENCES)}; by default all")
    parser.add_argument("--blocks", type=int, default=40, help="openings per step, played in both seats (40)")
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    names = chosen.games or list(REFERENCES)
    if unknown := set(names) - REFERENCES.keys():
        parser.error(f"no such game: {', '.join(unknown)}; allowed: {', '.join(REFERENCES)}")
    jit.ALWAYS_PLAIN = True
    infos = {name: info(name, REFERENCES[name].spiel) for name in names}
    games.info = infos.__getitem__  # type: ignore[assignment]
    luck, depth = [], []
    for name in names:
        game, known = games.load(name), REFERENCES[name]
        assert isinstance(game, TurnGame)
        amount, playouts = known.splits
        split = split_luck(game, amount, chosen.seed, slip=1, playouts=playouts)
        estimates = {"chance": split.chance, "choices": split.choices, "adds_up": split.adds_up}
        luck.append((known.luck, split.chance.value))
        if known.depth is not None:
            estimates["elo"] = climb(name, chosen.blocks, chosen.seed)
            with ThreadPoolExecutor(1) as here:
                estimates["rungs"] = ladder(name, blocks=chosen.blocks, seed=chosen.seed, executor=here).rungs
            depth.append((known.depth, estimates["elo"].value))
        figures = {name: [round(one, 3) for one in (it.value, it.low, it.high)] for name, it in estimates.items()}
        print(json.dumps({"game": name, **figures}), flush=True)
    for what, pairs in (("luck", luck), ("depth", depth)):
        if len(pairs) > 1:
            print(json.dumps({what: round(float(spearmanr(*zip(*pairs, strict=True)).statistic), 3)}))


def climb(name: str, blocks: int, seed: int) -> Estimate:
    """The Elo difference between the top and the bottom of the ladder."""
    with ThreadPoolExecutor(1) as here:
        return total(
            [
                match(
                    Plan(name, seats=[strong, weak], blocks=blocks, seed=seed_of(seed, strong)), executor=here
                ).step.elo
                for weak, strong in pairwise(LADDER)
            ]
        )


if __name__ == "__main__":
    main()
