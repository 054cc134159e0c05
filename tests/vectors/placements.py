"""Placements of Icehouse with what becomes of them, for what the browser shows of a ghost: `placements.json`.

`python -m tests.vectors.placements` writes the file; `--more N FILE` writes N other placements for a longer test. Half
of them lie at the boundary of two verdicts: one thousandth or a tenth of a degree further all is different.

A scene is a field with a piece in hand ("L:red"). Its pieces are [id, colour, size, x, y, heading, standing], its
placements [x, y, heading, standing, verdict, ids, early]: thousandths of an inch, tenths of a degree. The verdict is
the code of the fault, "crash" where the piece crashes, "fits" where it lands; `ids` are those that the fault names, or
what the piece points at; `early`: a call of meltdown would send it home.
"""

from __future__ import annotations

import json
import math
import random
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import icetable
from icetable import State

FILE = Path(__file__).with_suffix(".json")
SEED = 1990
SCENES, PLACEMENTS = 40, 60
BASES = {"S": 562, "M": 781, "L": 1000}
TRIES = 12
OPTIONS: tuple[dict[str, Any], ...] = (
    {},
    {"crash": "refuse"},
    {"meltdown": "prevent"},
    {"range": "ray"},
    {"length": "height", "width": 12, "height": 8, "players": 2},
    {"preset": "friendly", "tolerance": 0},
    {"tolerance": 0.5, "width": 10, "height": 10, "players": 8},
    {"width": 6, "height": 7, "players": 3, "range": "ray", "crash": "refuse"},
)


class Placement(NamedTuple):
    """Where a piece is put, and how."""

    x: int
    y: int
    heading: int
    standing: bool

    def __str__(self) -> str:
        stance = "stand" if self.standing else "point"
        return f"place {self.x},{self.y} {stance} {self.heading // 10}.{self.heading % 10}"


Verdict = tuple[str, tuple[str, ...], bool]


def judge(state: State, seat: int, placement: Placement) -> Verdict:
    """The verdict on placing the piece in a seat's hand."""
    fault = state.fault(str(placement), seat)
    if fault:
        return fault.code, fault.where, False
    after = state.apply(str(placement), seat)
    if after.effects[0].kind == "crashes":
        return "crash", (), False
    placed = after.view()["field"][-1]
    pointed = (placed["points_at"],) if placed["points_at"] else ()
    melted = after.apply(f"meltdown {placed['colour']}", seat)
    return "fits", pointed, any(placed["id"] in effect.spaces for effect in melted.effects if effect.kind == "melts")


class Proposals:
    """Where a seat might put the piece in its hand."""

    def __init__(self, state: State, seat: int, rng: random.Random) -> None:
        self.layout, self.view, self.rng = state.game.layout(), state.view(), rng
        self.size = self.view["hands"][seat][0]

    def one(self) -> Placement:
        """Anywhere, beside another piece, or aimed at one."""
        rng, field = self.rng, self.view["field"]
        heading, kind = rng.randrange(3600), rng.randrange(4) if field else 0
        if kind == 0:
            x, y = rng.randint(-500, self.layout["width"] + 500), rng.randint(-500, self.layout["height"] + 500)
            return Placement(x, y, heading, rng.random() < 0.6)
        other = rng.choice(field)
        if kind == 1:
            x, y = other["x"] + rng.randint(-1500, 1500), other["y"] + rng.randint(-1500, 1500)
            return Placement(x, y, (tenths(other) + 900 * rng.randrange(4)) % 3600, rng.random() < 0.5)
        length, base = self.layout["lengths"][self.size], BASES[other["size"]]
        back, aside = length / 2 + base / 2 + rng.uniform(-0.1, 1.2) * length, rng.uniform(-0.8, 0.8) * base
        c, s = math.cos(math.radians(heading / 10)), math.sin(math.radians(heading / 10))
        x, y = other["x"] - back * c - aside * s, other["y"] - back * s + aside * c
        return Placement(round(x), round(y), heading, False)


def tenths(piece: dict[str, Any]) -> int:
    """The heading of a piece on the field, in tenths of a degree."""
    heading: float = piece["heading"]
    return round(heading * 10)


def grown(options: dict[str, Any], pieces: int, rng: random.Random) -> tuple[State, int]:
    """A field on which so many pieces were tried, and a seat with a piece in hand."""
    state = icetable.load("icehouse", **options).start()
    for seat in range(state.game.players):
        state = state.apply("ready", seat)
    for _ in range(pieces):
        held, seat = lifted(state, rng)
        proposals = Proposals(held, seat, rng)
        tried = (proposals.one() for _ in range(TRIES))
        fitting = next((one for one in tried if judge(held, seat, one)[0] == "fits"), None)
        state = held.apply(str(fitting), seat) if fitting else state
        if left(state) < 3:
            break
    return lifted(state, rng)


def left(state: State) -> int:
    """How many pieces are on pads. With the last one the game ends, so none is told of that."""
    pads: list[dict[str, dict[str, int]]] = state.view()["pads"]
    return sum(count for pad in pads for sizes in pad.values() for count in sizes.values())


def lifted(state: State, rng: random.Random) -> tuple[State, int]:
    """Some seat with some piece of its pad in hand."""
    seats = range(state.game.players)
    able = [(act, seat) for seat in seats for act in state.legal_actions(seat) if act.startswith("lift")]
    act, seat = rng.choice(able)
    return state.apply(act, seat), seat


def placements(state: State, seat: int, count: int, rng: random.Random) -> Iterator[tuple[Placement, Verdict]]:
    """Random placements, half of them in pairs at a boundary."""
    proposals = Proposals(state, seat, rng)
    while count > 0:
        one = proposals.one()
        other = proposals.one()._replace(standing=one.standing)
        found = [(one, judge(state, seat, one)), (other, judge(state, seat, other))]
        if found[0][1] != found[1][1]:
            found += boundary(state, seat, *found)
        yield from found[:count]
        count -= len(found)


def boundary(
    state: State, seat: int, low: tuple[Placement, Verdict], high: tuple[Placement, Verdict]
) -> list[tuple[Placement, Verdict]]:
    """Two placements on the way between two others, as near as can be, of which different things become."""
    while True:
        (x, y, heading, standing), (u, v, other, _) = low[0], high[0]
        middle = Placement((x + u) // 2, (y + v) // 2, (heading + other) // 2, standing)
        if middle in (low[0], high[0]):
            return [low, high]
        judged = middle, judge(state, seat, middle)
        if judged[1] == low[1]:
            low = judged
        else:
            high = judged


def scenes(seed: int, count: int, each: int) -> Iterator[dict[str, Any]]:
    """Scenes under all options, with an empty field, a full one, or anything between."""
    rng = random.Random(seed)
    for number in range(count):
        options = OPTIONS[number % len(OPTIONS)]
        state, seat = grown(options, rng.choice((0, 2, 6, 15, 30, 60)), rng)
        view = state.view()
        yield {
            "layout": state.game.layout(),
            "hand": view["hands"][seat],
            "field": [
                [*(piece[name] for name in ("id", "colour", "size", "x", "y")), tenths(piece), piece["standing"]]
                for piece in view["field"]
            ],
            "placements": [[*placement, *verdict] for placement, verdict in placements(state, seat, each, rng)],
        }


def text(seed: int, count: int, each: int) -> str:
    """Scenes as JSON, one a line."""
    lines = (json.dumps(scene, separators=(",", ":")) for scene in scenes(seed, count, each))
    return "[\n" + ",\n".join(lines) + "\n]\n"


def usual() -> str:
    """The text of the file."""
    return text(SEED, SCENES, PLACEMENTS)


if __name__ == "__main__":
    parser = ArgumentParser()
    parser.add_argument("--more", nargs=2, metavar=("N", "FILE"))
    more = parser.parse_args().more
    if more:
        Path(more[1]).write_text(text(SEED + 1, math.ceil(int(more[0]) / 1000), 1000), encoding="utf-8")
    else:
        FILE.write_text(usual(), encoding="utf-8")
