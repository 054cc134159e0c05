"""Icehouse for the conformance suite."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from icetable import CHANCE, Game, State
from icetable.games.icehouse.game import IcehouseState
from icetable.games.icehouse.rules import CLOCK, X, Y
from tests.conformance.material import Material

from .product import game_of
from .random_games import random_game

EARLIEST_BELL = 70_000
"""In milliseconds; so much time passes in about sixty acts."""
ROOMY: dict[str, Any] = {"players": 2, "width": 12, "height": 12, "crash": "refuse", "call_pause": 0}
EVENTFUL = (3, 5)
"""Seeds; in few random games a call finds a seat, or an attack that was spoilt hits again. In these they do."""

BAD_NOTATION = (
    "",
    " ",
    "Ready",
    "ready ",
    "ready\n",
    "pass",
    "lift",
    "lift ",
    "lift X",
    "lift L:",
    "lift L:pink",
    "lift l",
    "lift LL",
    "lift L red",
    "lift  L",
    "Lift L",
    "return L",
    "place",
    "place 12000,8500",
    "place 12000,8500 stand",
    "place 12000,8500 stand 45",
    "place 12000,8500 stand 45.00",
    "place 12000,8500 stand 045.0",
    "place 12000,8500 stand 360.0",
    "place 12000,8500 stand -1.0",
    "place 12000,8500 stand .0",
    "place 12000,8500 lie 45.0",
    "place 012000,8500 stand 45.0",
    "place 12000,08500 point 45.0",
    "place 12000, 8500 stand 45.0",
    "place 12000.0,8500 stand 45.0",
    "place 12000 8500 stand 45.0",
    "place 1e4,8500 stand 45.0",
    "place -0,8500 stand 45.0",
    "place +1,8500 stand 45.0",
    "place 12\u066000,8500 stand 45.0",
    "place 12000,8500 stand 45.0 ",
    "place 12000,8500 stand 45.0\x00",
    "icehouse!",
    "ice house",
    "meltdown",
    "meltdown Blue",
    "meltdown pink",
    "capture",
    "capture 17",
    "capture p",
    "capture p0",
    "capture p01",
    "capture p-1",
    "capture q1",
    "give L:red",
    "give L",
    "give L pink",
    "give L:pink green",
    "give L:red green # gives",
    "bell ",
    "0 bell",
    "\ud800",
)


def well_formed(game: Game) -> Iterator[str]:
    """Every act that can be listed, and placements on the field, off it, and far off it."""
    colours = game.info.colours[: game.players]
    yield from ("ready", "return", "icehouse", "bell", "capture p1", "capture p2", "capture p9", "capture p99999999999")
    yield from (f"meltdown {colour}" for colour in colours)
    for size in "SML":
        yield f"lift {size}"
        yield from (f"lift {size}:{colour}" for colour in colours)
        yield from (f"give {size} {colour}" for colour in colours)
        yield from (f"give {size}:{colours[-1]} {colour}" for colour in colours)
    yield from (
        "place 2000,2000 stand 0.0",
        "place 2000,2000 stand 45.0",
        "place 2100,2100 stand 45.0",
        "place 2000,2000 point 359.9",
        "place 0,0 stand 0.0",
        "place -5,2000 stand 0.0",
        "place 99999999999999999999,5 point 90.0",
        "place 5,-99999999999999999999 point 90.0",
    )


def step(state: State, rng: np.random.Generator) -> State:
    """Somebody does something, a little later: mostly they lift and place, sometimes they do all else there is."""
    assert isinstance(state, IcehouseState)
    seats = sorted(state.to_act)
    clock = int(state.table[CLOCK])
    while True:
        seat = int(rng.choice(seats))
        at = (clock + int(rng.integers(1, 2500))) / 1000
        text = choose(state, seat, rng)
        if text is not None and state.fault(text, seat, at) is None:
            return state.apply(text, seat, at)


def choose(state: IcehouseState, seat: int, rng: np.random.Generator) -> str | None:
    """An act that a seat might like, legal or not."""
    if seat == CHANCE:
        return "bell" if state.table[CLOCK] > EARLIEST_BELL and rng.integers(8) == 0 else None
    listed = state.legal_actions(seat)
    if any(act.startswith(("ready", "give", "capture")) for act in listed) and rng.integers(3):
        listed = [act for act in listed if act.startswith(("ready", "give", "capture"))]
    elif state.hand(seat) is not None and rng.integers(10):
        return place(state, seat, rng)
    elif rng.integers(8):
        listed = [act for act in listed if act.startswith("lift")] or listed
    return str(rng.choice(listed)) if listed else None


def place(state: IcehouseState, seat: int, rng: np.random.Generator) -> str | None:
    """A placement that fits, or one that runs into what is there."""
    if len(state.field) and rng.integers(8) == 0:
        x, y = (int(state.field[-1, axis] + rng.integers(-900, 900)) for axis in (X, Y))
        return f"place {max(x, 1)},{max(y, 1)} stand {int(rng.integers(360))}.0"
    found = state.sample_placements(seat, rng, 1)
    return found[0] if found else None


def set_ups(game: Game) -> Iterator[Any]:
    """Before the start with some ready; a debt; a prisoner and somebody in the icehouse; the end."""
    players = game.players
    colours = game.info.colours[:players]
    full = [{colour: {"S": 5, "M": 5, "L": 5}} for colour in colours]
    nothing: list[Any] = [None] * players
    begun = {
        "clock": 0,
        "ready": list(range(players)),
        "in_icehouse": [],
        "last_id": 0,
        "quiet_until": None,
        "paused_until": nothing,
        "hands": nothing,
        "owed": nothing,
        "pads": full,
        "field": [],
        "ended_by": None,
    }
    yield {**begun, "ready": [0]}
    yield {**begun, "clock": 7, "owed": [{"piece": None, "due": 7}, *nothing[1:]]}
    yield {**begun, "clock": 7, "owed": [{"piece": "S:red", "due": 7}, *nothing[1:]]}
    fallen = [{"red": {"S": 5, "M": 4, "L": 5}, colours[1]: {"S": 5, "M": 5, "L": 4}}, {}, *full[2:]]
    yield {
        **begun,
        "clock": 90_000,
        "in_icehouse": [1],
        "last_id": 5,
        "quiet_until": 80_000,
        "hands": ["M:red", *nothing[1:]],
        "pads": fallen,
        "field": [piece(5, colours[1], "L", standing=True, x=500, y=500)],
    }
    if game.options["timer"]:
        yield {**begun, "ended_by": "IH-31"}


def piece(number: int, colour: str, size: str, *, standing: bool, x: int, y: int, heading: int = 0) -> dict[str, Any]:
    """A piece on the field as saved positions describe it."""
    return {"id": number, "colour": colour, "size": size, "standing": standing, "x": x, "y": y, "heading": heading}


def eventful() -> Iterator[State]:
    """Random games led by the oracle, in which attacks hit and calls are made."""
    for seed in EVENTFUL:
        steps = random_game(seed, steps=100, **ROOMY)
        first = next(steps)
        state: State = game_of(first.before).start()
        for one in (first, *steps):
            if one.fault is None:
                state = state.apply(one.text, one.seat, one.at / 1000)
        yield state


MATERIAL = Material(
    bad_notation=BAD_NOTATION,
    well_formed=well_formed,
    set_ups=set_ups,
    worlds=None,
    option_sets=(
        {"players": 3, "length": "height", "range": "ray", "tolerance": 1, "gift_time": 0},
        {"width": 240, "height": 240, "tolerance": 0, "call_pause": 0, "call_grace": 86400, "timer_spread": 1},
        {"players": 5, "width": 1, "height": 1, "timer": 86400, "timer_spread": 0, "gift_time": 86400},
        {"players": 2, "timer": 0, "call_pause": 86400, "call_grace": 0},
    ),
    step=step,
    eventful=eventful,
)
