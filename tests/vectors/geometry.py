"""Positions with the verdicts of the exact geometry, for other languages to be held to: `geometry.json`.

`python -m tests.vectors.geometry` writes the file. The oracle makes it, so the product is held to it like any other.

A piece is [x, y, heading, size, standing]: thousandths of an inch, tenths of a degree, 0 small … 2 large. Where nothing
else is said, lying pieces have the length of their face. `depth2` and `gap2` are squares in thousandths, as fractions;
`tolerance` is in millionths of an inch. `contact`: 0 apart, 1 within the tolerance, 2 beyond it. `entries` are the
places where the ray enters each of the others, in multiples of its direction, `target` is the index of what it points
at, -1 for nothing.
"""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

from tests.games.icehouse import geometry_cases as cases
from tests.games.icehouse import geometry_oracle as oracle
from tests.games.icehouse.geometry_cases import FACE, HEIGHT, Spot, piece

FILE = Path(__file__).with_suffix(".json")
SEED = 1991
FOOTPRINTS, PAIRS, RAYS, VERDICTS = 600, 600, 500, 500
FIELD = 24_000


def text() -> str:
    """The whole file: a case a line."""
    parts = {"footprints": footprints(), "overlaps": overlaps(), "rays": rays(), "verdicts": verdicts()}
    lists = [f'"{name}": [\n' + ",\n".join(map(compact, found)) + "\n]" for name, found in parts.items()]
    lengths = compact({"face": FACE, "height": HEIGHT})
    return "{\n" + ",\n".join([f'"lengths": {lengths}', *lists]) + "\n}\n"


def compact(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"))


def footprints() -> list[dict[str, Any]]:
    rng = random.Random(SEED)
    made = []
    for number in range(FOOTPRINTS):
        heading = number * 6 + rng.randrange(6)
        spot = Spot(rng.randint(0, FIELD), rng.randint(0, FIELD), heading, rng.randrange(3), number % 2 == 0)
        if number % 4 == 1:
            spot = spot._replace(x=rng.randint(0, 1200))
        name, lengths = rng.choice((("face", FACE), ("height", HEIGHT)))
        footprint = oracle.placed(*spot, lengths)
        on_field = oracle.on_field(footprint, FIELD, FIELD)
        made.append(
            {
                "piece": spot,
                "length": name,
                "corners": footprint.corners,
                "direction": footprint.way,
                "field": [FIELD, FIELD],
                "on_field": on_field,
            }
        )
    return made


def overlaps() -> list[dict[str, Any]]:
    made = []
    for a, b, tolerance, length in cases.pairs(SEED, PAIRS):
        p, q = piece(a), piece(b)
        gap2 = oracle.gap2(p, q)
        made.append(
            {
                "pieces": [a, b],
                "tolerance": tolerance,
                "contact": oracle.contact(p, q, tolerance),
                "depth2": str(oracle.depth2(p, q)),
                "gap2": str(gap2),
                "length": length,
                "within": gap2 < length**2,
            }
        )
    return made


def rays() -> list[dict[str, Any]]:
    made = []
    for shooter, others in cases.scenes(SEED, RAYS):
        p, qs = piece(shooter), [piece(other) for other in others]
        entries = [None if place is None else str(place) for place in (oracle.entry(p, q) for q in qs)]
        made.append({"piece": shooter, "others": others, "entries": entries, "target": oracle.aim(p, qs)})
    return made


def verdicts() -> list[dict[str, Any]]:
    made = []
    for number, (shooter, others) in enumerate(cases.scenes(SEED + 1, VERDICTS)):
        tolerance, by_ray = (30_000, 0, 500_000)[number % 3], number % 4 > 1
        verdict = oracle.judge(piece(shooter), [piece(other) for other in others], tolerance, by_ray)
        asked = {"piece": shooter, "others": others, "tolerance": tolerance, "by_ray": by_ray}
        made.append(asked | dict(zip(("contact", "target", "in_range"), verdict, strict=True)))
    return made


if __name__ == "__main__":
    FILE.write_text(text(), encoding="utf-8")
