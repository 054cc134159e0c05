"""How often a race finds the planted best of 24 variants, and at what fraction of the full cost.

    .venv/bin/python benchmarks/tuning.py

In the game the first seat wins by a hundred-sided die, after a number of turns; both are options, and one of 24
variants is fair and has the wanted length. Twenty races with fixed seeds; the full cost is all blocks of all variants.
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
