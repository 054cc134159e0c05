#!/usr/bin/env python3
"""Judging a placement against the pieces of a field: overlap, target and range, compared with Shapely.

`--modes N` also judges N placements in both modes of kernels, and counts the differences.
"""

from __future__ import annotations

import json
from argparse import ArgumentParser
from typing import TYPE_CHECKING, Any

import numpy as np
import shapely
from measure import Work, side_by_side

from icetable.games.icehouse import geometry
from icetable.games.icehouse.geometry import (
    CORNERS,
    DIRECTION_X,
    DIRECTION_Y,
    FACE_LENGTHS,
    FOOTPRINT_WORDS,
    NO_OVERLAP,
    NOTHING,
    RADIUS,
    footprint,
    judge_placement,
    on_field,
)
from icetable.kernels import jit
from icetable.kernels.jit import draw, kernel

if TYPE_CHECKING:
    from icetable.kernels.jit import Ints

OURS, ONE_BY_ONE, IN_BULK = "icetable", "shapely", "shapely in bulk"
POOL_SIZE = 4096
SIDE = 24_000
TOLERANCE = 30_000


@kernel
def scatter(field: Ints, count: int, rng: Ints, side: int) -> None:
    """Place pieces randomly on the field, half of them standing, without overlaps."""
    placed = 0
    while placed < count:
        put_anywhere(field[placed], rng, side, draw(rng, 2) == 0)
        if judge_placement(field, placed, field[placed], 0, False)[0] == NO_OVERLAP:
            placed += 1


@kernel
def put_anywhere(piece: Ints, rng: Ints, side: int, standing: bool) -> None:
    """Write the row of a random piece that is entirely on the field."""
    while True:
        footprint(piece, draw(rng, side), draw(rng, side), draw(rng, 3600), draw(rng, 3), standing, FACE_LENGTHS)
        if on_field(piece, side, side):
            return


@kernel
def fill_pool(pool: Ints, field: Ints, count: int, rng: Ints, side: int) -> None:
    """Fill the pool with lying pieces without overlaps, which need the complete judgement."""
    filled = 0
    while filled < len(pool):
        put_anywhere(pool[filled], rng, side, False)
        if judge_placement(field, count, pool[filled], 0, False)[0] == NO_OVERLAP:
            filled += 1


@kernel
def judge_many(field: Ints, count: int, pool: Ints, number: int) -> int:
    """Judge a number of placements, cycling through the pool, and return how many are in range."""
    in_range = 0
    for index in range(number):
        in_range += judge_placement(field, count, pool[index % len(pool)], TOLERANCE, False)[2]
    return in_range


@kernel
def judge_anywhere(field: Ints, count: int, rng: Ints, side: int, verdicts: Ints) -> None:
    """Judge random placements, standing and lying, with both kinds of range, and write the results."""
    piece = np.zeros(FOOTPRINT_WORDS, np.int64)
    for number in range(len(verdicts)):
        put_anywhere(piece, rng, side, draw(rng, 4) == 0)
        contact, target, in_range = judge_placement(field, count, piece, draw(rng, 1_000_000), draw(rng, 2) == 0)
        verdicts[number, 0], verdicts[number, 1], verdicts[number, 2] = contact, target, in_range
        verdicts[number, 3] = geometry.aim(field, count, piece)
        verdicts[number, 4] = piece[0] * 1_000_000 + piece[3]


def ours(field: Ints, pool: Ints) -> Work:
    """Judge placements in the kernel."""

    def judge(placements: int, _seed: int) -> float:
        judge_many(field, len(field), pool, placements)
        return placements

    return judge


class Shapely:
    """The same judgement by Shapely: one tree of polygons, and a polygon and a line for each placement."""

    def __init__(self, field: Ints, pool: Ints) -> None:
        self.polygons = np.array([shapely.Polygon(geometry.corners_of(row)) for row in field])
        self.standing = field[:, CORNERS] == geometry.STANDING
        self.tree = shapely.STRtree(self.polygons)
        self.corners = pool[:, :6].reshape(-1, 3, 2).astype(float)
        tips = pool[:, :2].astype(float)
        self.lines = np.stack([tips, tips + 2 * SIDE * pool[:, [DIRECTION_X, DIRECTION_Y]] / RADIUS], axis=1)
        self.ranges = pool[:, geometry.RANGE]

    def judge(self, index: int) -> tuple[bool, int, bool]:
        """Whether a placement overlaps a piece, its target, and whether the target is within its range."""
        polygon = shapely.polygons(self.corners[index])
        if len(self.tree.query(polygon, predicate="overlaps")):
            return True, NOTHING, False
        line = shapely.linestrings(self.lines[index])
        hits = self.tree.query(line, predicate="crosses")
        if not len(hits):
            return False, NOTHING, False
        tip = shapely.points(self.lines[index, 0])
        places = shapely.distance(shapely.intersection(self.polygons[hits], line), tip)
        target = int(hits[places.argmin()])
        return False, target, bool(shapely.distance(self.polygons[target], polygon) < self.ranges[index])

    def one_by_one(self, placements: int, _seed: int) -> float:
        for number in range(placements):
            self.judge(number % POOL_SIZE)
        return placements

    def in_bulk(self, pools: int, _seed: int) -> float:
        """Judge the whole pool in each call, which avoids the overhead of Python but is not possible in a game."""
        for _ in range(pools):
            polygons, lines = shapely.polygons(self.corners), shapely.linestrings(self.lines)
            self.tree.query(polygons, predicate="overlaps")
            placement, hit = self.tree.query(lines, predicate="crosses")
            tips = shapely.points(self.lines[placement, 0])
            places = shapely.distance(shapely.intersection(self.polygons[hit], lines[placement]), tips)
            order = np.lexsort((places, placement))
            placement, first = np.unique(placement[order], return_index=True)
            target = hit[order][first]
            shapely.distance(self.polygons[target], polygons[placement]) < self.ranges[placement]  # noqa: B015
        return pools * POOL_SIZE


def differences(peer: Shapely, field: Ints, pool: Ints) -> int:
    """The number of placements of the pool that Shapely judges differently."""
    found = 0
    for index in range(POOL_SIZE):
        contact, target, in_range = judge_placement(field, len(field), pool[index], TOLERANCE, False)
        found += peer.judge(index) != (contact != NO_OVERLAP, target, bool(in_range))
    return found


def modes(placements: int, pieces: int) -> int:
    """The number of placements that the two modes judge differently, on fields of various sizes."""
    differ, left, seed = 0, placements, 0
    while left:
        number, seed = min(left, 10_000), seed + 1
        side = SIDE // 2 + 6_000 * (seed % 5)
        field = np.zeros((pieces, FOOTPRINT_WORDS), np.int64)
        scatter(field, pieces, jit.seeds(seed, 1), side)
        compiled, plain = np.zeros((2, number, 5), np.int64)
        judge_anywhere(field, pieces, jit.seeds(seed, 1), side, compiled)
        jit.ALWAYS_PLAIN = True
        judge_anywhere(field, pieces, jit.seeds(seed, 1), side, plain)
        jit.ALWAYS_PLAIN = False
        differ += int((compiled != plain).any(axis=1).sum())
        left -= number
    return differ


def main() -> None:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--pieces", type=int, default=60, help="pieces on the field (%(default)s)")
    parser.add_argument("--rounds", type=int, default=21, help="timings per program (%(default)s)")
    parser.add_argument("--slice", type=float, default=0.05, metavar="SECONDS", help="length of a timing (%(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the field and the placements (%(default)s)")
    parser.add_argument("--modes", type=int, default=0, metavar="N", help="also judge N placements in both modes")
    chosen = parser.parse_args()
    rng = jit.seeds(chosen.seed, 1)
    field, pool = (np.zeros((rows, FOOTPRINT_WORDS), np.int64) for rows in (chosen.pieces, POOL_SIZE))
    scatter(field, chosen.pieces, rng, SIDE)
    fill_pool(pool, field, chosen.pieces, rng, SIDE)
    peer = Shapely(field, pool)
    programs = {OURS: ours(field, pool), ONE_BY_ONE: peer.one_by_one, IN_BULK: peer.in_bulk}
    speeds = side_by_side(programs, chosen.rounds, chosen.slice)
    findings: dict[str, Any] = {
        "pieces": chosen.pieces,
        "microseconds": {name: round(1e6 / speeds.median(name), 2) for name in programs},
        "ratio": {name: round(speeds.ratio(OURS, name), 1) for name in (ONE_BY_ONE, IN_BULK)},
        "quartiles": {name: speeds.spread(OURS, name) for name in (ONE_BY_ONE, IN_BULK)},
        "otherwise_by_shapely": differences(peer, field, pool),
        "placements": POOL_SIZE,
        "rounds": chosen.rounds,
    }
    if chosen.modes:
        findings |= {"modes_differ": modes(chosen.modes, chosen.pieces), "in_both_modes": chosen.modes}
    print(json.dumps({"geometry": "judge_placement", **findings}), flush=True)


if __name__ == "__main__":
    main()
