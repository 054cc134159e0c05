#!/usr/bin/env python3
"""The lab's measures of luck and depth on games that everybody knows: does the order come out that is known?"""

from __future__ import annotations

import json
from argparse import ArgumentParser
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

from borrowed.game import info
from scipy.stats import spearmanr

from icetable import games
from icetable.core import jit
from icetable.core.turns import TurnGame
from icetable.lab.ladders import ladder
from icetable.lab.luck import split_luck


class Reference(NamedTuple):
    """A game that is known: OpenSpiel's name for it, its places in the known orders of luck and of depth, and how many
    games its luck is measured in, with how many playouts.

    Luck: games without chance have none; of those with dice backgammon has less than a race whose only choice is when
    to stop. Depth: by the spaces of the board; pig has none. Backgammon has no place among games without chance, and
    its ladder is long to climb in plain mode. Games with more than some twenty acts in a turn are left out, for a
    search of 64 simulations hardly looks at each of them.
    """

    spiel: str
    luck: int
    depth: int | None
    splits: tuple[int, int] = (40, 4)


REFERENCES = {
    "pig": Reference("pig(winscore=30)", 2, 0, (300, 8)),
    "tic-tac-toe": Reference("tic_tac_toe", 0, 9),
    "hex-3": Reference("hex(board_size=3)", 0, 9),
    "connect-four-4": Reference("connect_four(rows=4,columns=4)", 0, 16),
    "hex-4": Reference("hex(board_size=4)", 0, 16),
    "connect-four-5": Reference("connect_four(rows=5,columns=5)", 0, 25),
    "breakthrough": Reference("breakthrough(rows=6,columns=6)", 0, 36),
    "connect-four": Reference("connect_four", 0, 42),
    "backgammon": Reference("backgammon", 1, None, (24, 2)),
}


def main() -> None:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", metavar="GAME", help=f"{', '.join(REFERENCES)}; by default all")
    parser.add_argument("--doublings", type=int, default=6, help="of the simulations, on the ladder (6)")
    parser.add_argument("--blocks", type=int, default=60, help="openings of each step, in both seats (60)")
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
        told = {"chance": split.chance, "choices": split.choices, "adds_up": split.adds_up}
        luck.append((known.luck, split.chance.value))
        if known.depth is not None:
            with ThreadPoolExecutor(1) as here:
                steps = ladder(name, doublings=chosen.doublings, blocks=chosen.blocks, seed=chosen.seed, where=here)
            told["rungs"] = steps.rungs
            depth.append((known.depth, steps.rungs.value))
        figures = {what: [round(one, 3) for one in (it.value, it.low, it.high)] for what, it in told.items()}
        print(json.dumps({"game": name, **figures}), flush=True)
    for what, pairs in (("luck", luck), ("depth", depth)):
        if len(pairs) > 1:
            print(json.dumps({what: round(float(spearmanr(*zip(*pairs, strict=True)).statistic), 3)}))


if __name__ == "__main__":
    main()
