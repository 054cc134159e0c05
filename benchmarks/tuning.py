"""How often a race finds the planted best of 24 variants, and at what part of the full cost.

    .venv/bin/python benchmarks/tuning.py

A game whose first seat wins by a die of a hundred, after a number of turns that is an option too: one of 24 variants is
fair and of the wanted length. Twenty races with fixed seeds; the full cost is that of all blocks of all variants.
"""

from __future__ import annotations

import json

from icetable.lab.tuning import MAX_BLOCKS_PER_VARIANT
from tests.lab.test_tuning import LEANS, LENGTHS, PLANTED, race

RACES = 20


def main() -> None:
    full = len(LEANS) * len(LENGTHS) * MAX_BLOCKS_PER_VARIANT
    races = [race(seed) for seed in range(RACES)]
    found = sum(left == [PLANTED] for left, _ in races)
    costs = [blocks / full for _, blocks in races]
    print(
        json.dumps({"races": RACES, "found": found, "cost": {"mean": sum(costs) / RACES, "most": max(costs)}}, indent=1)
    )


if __name__ == "__main__":
    main()
