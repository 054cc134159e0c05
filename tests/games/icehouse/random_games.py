"""Random games of Icehouse in real time, driven by the oracle alone: the product can be led through the same acts.

The acts are legal and illegal, and some are no acts at all. Placements are made near other pieces, so that attacks,
lesser overlaps, crashes, grazes and sealed cracks happen; times fall on the bounds of grace, pause and gift windows.
"""

import math
from collections.abc import Iterator
from random import Random
from typing import Any, NamedTuple

from . import geometry_oracle as geometry
from .oracle import CHANCE, COLOURS, SIZES, Kind, Oracle, Piece, footprint, read, write

JUNK = (
    *("", "pass", "Ready", "lift", "lift X", "lift L:pink", "lift  L", " lift L", "lift L\n", "lift L:white:red"),
    *("place 1,1 stand", "place 01,1 stand 0.0", "place -0,1 stand 0.0", "place 1,1 stand 0", "place 1,1 stand 0.00"),
    *("place 1,1 stand 360.0", "place 1,1 stand 00.0", "place 1, 1 stand 0.0", "place 1.5,1 stand 0.0"),
    *("place 1,1 lie 0.0", "place 1,1 point -0.1", "place +1,1 point 0.1", "place \u0661,1 point 0.1"),
    *("capture p01", "capture p0", "capture 1", "meltdown", "meltdown pink", "give L", "give L:red", "give red green"),
)
"""Texts that no act is written as, however many play."""


class Step(NamedTuple):
    """An attempt at an act: the position before it, the act, the rule that it breaks, and the position after it.

    `at` is in milliseconds; `fault` is None for a legal act, "notation" for a text that is no act. A refused act
    leaves the position as it is.
    """

    before: Oracle
    text: str
    seat: int
    at: int
    fault: str | None
    after: Oracle


def random_options(random: Random) -> dict[str, Any]:
    """Options that the rules know, on a field small enough for pieces to meet."""
    return {
        "players": random.randint(2, 8),
        "width": random.choice([5, 7, 9.5, 12, 24]),
        "height": random.choice([5, 7, 9.5, 12, 24]),
        "length": random.choice(["face", "height"]),
        "range": random.choice(["gap", "ray"]),
        "crash": random.choice(["penalty", "penalty", "refuse"]),
        "tolerance": random.choice([0.03, 0.03, 0, 0.2]),
        "meltdown": random.choice(["call", "prevent"]),
        "false_call": random.choice(["gift", "gift", "free"]),
        "call_pause": random.choice([10, 2.0005, 0]),
        "call_grace": random.choice([1.5, 0]),
        "gift_time": random.choice([10, 3.0015, 0]),
        "timer": random.choice([600, 600, 0]),
        "timer_spread": random.choice([0.2, 0]),
    }


def random_game(seed: int, steps: int = 400, bell_from: int = 300, **options: Any) -> Iterator[Step]:
    """A game of so many attempts at most; the bell may ring after `bell_from` of them where there is a timer.

    Options that are not given are drawn by `random_options`.
    """
    random = Random(seed)
    position = Oracle(**{**random_options(random), **options})
    for number in range(steps):
        if position.ended_by and random.random() < 0.5:
            return
        seat = random.randrange(position.players)
        at = random_time(position, random)
        text = random_text(position, seat, random)
        if random.random() < 0.02:
            seat = random.choice([CHANCE, position.players, -2])
        if number > bell_from and random.random() < 0.02:
            seat, text = CHANCE, "bell"
        fault = position.fault(text, seat, at)
        after = position if fault else position.apply(text, seat, at)
        yield Step(position, text, seat, at, fault, after)
        position = after


def random_time(position: Oracle, random: Random) -> int:
    """A time a little after the last act, now and then before it, or about where a window closes or a debt is due."""
    bounds = [position.clock]
    bounds += [end for end in (position.grace_until, *position.pause_until.values()) if end is not None]
    bounds += [debt.since + position.gift_time for debt in position.debts.values()]
    if random.random() < 0.25:
        time = random.choice(bounds) + random.randint(-1, 1)
        return time if time >= position.clock or random.random() < 0.1 else position.clock
    return position.clock + random.choice([0, 1, random.randint(2, 400), random.randint(2, 400), 3000])


def random_text(position: Oracle, seat: int, random: Random) -> str:
    """An act of a seat, mostly one that gets the game on; or anything at all."""
    chance = random.random()
    if chance < 0.03:
        return random.choice(JUNK)
    if not position.has_started and chance < 0.7:
        return "ready"
    if chance < 0.08 or not position.has_started:
        return random.choice(["ready", "return", "icehouse", "bell", random_wild(position, random)])
    if seat in position.debts and chance < 0.6:
        kind = position.debts[seat].crashed
        kind = kind if kind and chance < 0.5 else random.choice(position.kinds)
        return f"give {random.choice([write(kind), kind[0]])} {random.choice(COLOURS[: position.players])}"
    catch = position.catch(seat)
    if catch and chance < 0.3:
        return f"capture p{random.choice(sorted(catch))}"
    if chance < 0.16:
        wrong = f"capture p{random.randint(1, position.next_id)}"
        return random.choice([f"meltdown {random.choice(COLOURS[: position.players])}", "icehouse", wrong])
    if chance < 0.22 and position.vulnerable():
        return "icehouse"
    hand = position.hands[seat]
    if hand is None and chance < 0.97:
        on_pad = [write(kind) for kind in sorted(+position.pads[seat])] or ["S"]
        lift = random.choice(on_pad)
        own = f":{COLOURS[seat]}"
        return f"lift {lift.removesuffix(own) if random.random() < 0.5 else lift}"
    tries: dict[str, str] = {}
    for _ in range(10):
        text = random_placement(position, hand or ("S", seat), random)
        if seat == position.players - 1 and random.random() < 0.9:
            text = text.replace("stand", "point")  # who hardly defends is found by icehouse calls
        tries[judge(position, text, hand or ("S", seat))] = text
    if random.random() < 0.7:
        return tries.get("lands", "return")
    return random.choice(sorted(tries.values()))


def judge(position: Oracle, text: str, kind: Kind) -> str:
    """The verdict on a placement of a piece."""
    act = read(text, position.players)
    assert act
    return position.verdict(position.piece(act, kind))


def random_wild(position: Oracle, random: Random) -> str:
    """An act of any kind that need not make sense."""
    kind = random.choice(position.kinds)
    colour = random.choice(COLOURS)
    return random.choice(
        [
            f"lift {write(kind)}",
            f"lift {kind[0]}",
            f"meltdown {colour}",
            f"capture p{random.randint(1, 130)}",
            f"give {write(kind)} {colour}",
            f"give {kind[0]} {colour}",
            random_placement(position, kind, random),
        ]
    )


def random_placement(position: Oracle, kind: Kind, random: Random) -> str:
    """A placement of a piece: anywhere, close to another piece, or aimed at one, at its corner or into a crack."""
    width, height = int(position.width), int(position.height)
    tenths = random.choice([random.randrange(3600), random.randrange(3600), random.randrange(0, 3600, 450)])
    if not position.field or random.random() < 0.2:
        x, y = random.randint(-300, width + 300), random.randint(-300, height + 300)
        return write_placement(x, y, tenths, random.random() < 0.8)
    other = random.choice(position.field)
    if random.random() < 0.45:
        return place_beside(position, kind, other, random)
    standing = [piece for piece in position.field if piece.stands and piece.colour != kind[1]]
    if standing and random.random() < 0.8:
        statuses = position.statuses()
        most = max(standing, key=lambda piece: (len(statuses[piece.id].attackers), -piece.value))
        other = random.choice([most, random.choice(standing)])
    return aim_at(position, kind, other, tenths, random)


def place_beside(position: Oracle, kind: Kind, other: Piece, random: Random) -> str:
    """A standing or lying piece at another: side to side, touching, a little apart or overlapping."""
    (ax, ay), (bx, by) = random.choice(footprint(other, position.length).sides)
    outward = math.degrees(math.atan2(ax - bx, by - ay)) % 360
    tenths = random.choice([round(outward * 10) % 3600, other.tenths, random.randrange(3600)])
    stands = random.random() < 0.7
    size = SIZES.index(kind[0])
    reach = geometry.HALF_BASES[size] / 8 if stands else geometry.LENGTHS[position.length][size] / 2
    reach += random.choice([0, 0, 1, -1, random.randint(2, 60), -math.floor(position.tolerance)])
    share = random.choice([0, 0.5, 1, random.random()])
    angle = math.radians(outward)
    x = round(ax + share * (bx - ax) + reach * math.cos(angle))
    y = round(ay + share * (by - ay) + reach * math.sin(angle))
    if not stands:
        tenths = random.choice([tenths, (tenths + 1800) % 3600])
    return write_placement(x, y, tenths, stands)


def aim_at(position: Oracle, kind: Kind, other: Piece, tenths: int, random: Random) -> str:
    """A lying piece with its tip at some distance from a piece, aimed at its middle or at one of its corners."""
    length = geometry.LENGTHS[position.length][SIZES.index(kind[0])]
    goal = random.choice([(other.x, other.y), (other.x, other.y), *footprint(other, position.length).corners])
    half_base = geometry.HALF_BASES[SIZES.index(other.size)] // 8
    away = random.choice([half_base, length, length + half_base, random.randint(0, length + 2 * half_base)])
    away += random.choice([0, 0, 1, -1, random.randint(-40, 40)])
    angle = math.radians(tenths / 10)
    back = away + length / 2
    x, y = round(goal[0] - back * math.cos(angle)), round(goal[1] - back * math.sin(angle))
    return write_placement(x, y, tenths, stands=False)


def write_placement(x: int, y: int, tenths: int, stands: bool) -> str:
    """A placement as it is written."""
    return f"place {x},{y} {'stand' if stands else 'point'} {tenths // 10}.{tenths % 10}"
