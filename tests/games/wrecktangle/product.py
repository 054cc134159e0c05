"""Between the oracle and the product: the same position in both."""

from __future__ import annotations

import copy
import re
from itertools import combinations
from typing import Any

import icetable
from icetable import Effect, Game, State

from . import oracle
from .oracle import PLACES, Oracle, Rectangle

VERDICTS = {"counts": "resolved", "home": "home-row", "repeated": "repeated"}


def game_of(position: Oracle) -> Game:
    """The product's game under an oracle's options."""
    return icetable.load(
        "wrecktangle",
        players=position.players,
        leap=position.leap,
        rectangles=position.rectangles,
        fallen=position.fallen,
        home_coin=position.home_coin,
        turn_limit=position.turn_limit,
    )


def set_up(game: Game, **position: Any) -> State:
    """The state of a position that is described as it is saved."""
    return game.from_saved({"icetable": 1, "game": "wrecktangle", "options": dict(game.options), "position": position})


def state_of(position: Oracle) -> State:
    """The product's state of an oracle's position, which must be one that play leads to."""
    standing = [owner for owner, _ in position.standing.values()]
    return set_up(
        game_of(position),
        turn=position.turns,
        turn_of=position.seat,
        roll=position.roll,
        normal_owed=not position.normal_made,
        die_unused=not position.die_used,
        coin=position.coin,
        pieces={square: f"{seat}{size}" for square, (seat, size) in position.standing.items()},
        lost=[6 - standing.count(seat) if position.is_in(seat) else gone(position, seat) for seat in seats(position)],
        last=[[list(rectangle) for rectangle in sorted(rectangles)] for rectangles in position.last],
    )


def seats(position: Oracle) -> range:
    """All seats."""
    return range(position.players)


def gone(position: Oracle, seat: int) -> int:
    """How many pyramids a seat has lost that is out: where all were taken off then, say three."""
    standing = sum(owner == seat for owner, _ in position.standing.values())
    return 6 - standing if position.fallen == "stay" else 3


def grown(position: Oracle) -> Oracle:
    """The position with what drawings leave out, so that play may have led to it.

    The turn is one of the seat's, and what is lost was captured by somebody's rectangle: one that no move can form now.
    """
    twin = copy.copy(position)
    twin.turns = position.turns or position.seat
    standing = [owner for owner, _ in position.standing.values()]
    losers = {seat for seat in seats(position) if standing.count(seat) < 6}
    rectangles = list(position.last)
    for loser in sorted(losers):
        others = [seat for seat in seats(position) if seat != loser]
        if not any(rectangles[seat] for seat in others):
            captor = next((seat for seat in others if seat != position.seat), others[0])
            rectangles[captor] = frozenset({far_away(position, captor)})
    twin.last = tuple(rectangles)
    return twin


def far_away(position: Oracle, seat: int) -> Rectangle:
    """A rectangle that may have captured, at most two of whose corners a seat has."""
    homes = {square for edge in position.edges for square in oracle.EDGES[edge][0]}
    for file, other_file in combinations("abcdefgh", 2):
        for rank, other_rank in combinations(range(1, 9), 2):
            corners = (f"{file}{rank}", f"{file}{other_rank}", f"{other_file}{rank}", f"{other_file}{other_rank}")
            held = sum(position.standing.get(corner, (-1, ""))[0] == seat for corner in corners)
            if set(corners) <= PLACES.keys() - homes and held <= 2 and oracle.inside(corners):
                return corners
    raise AssertionError("a board has room for one")


def key(state: State) -> tuple[object, ...]:
    """What `Oracle.key` gives, told by the product."""
    view = state.view()
    return (
        tuple(sorted(state.to_act)),
        view["turn_of"],
        view["roll"],
        not view["normal_owed"],
        not view["die_unused"],
        view["coin"],
        view["turn"],
        state.ended_by,
        tuple(sorted(state.winners)),
        tuple(tuple(tuple(corners) for corners in rectangles) for rectangles in view["last"]),
        tuple((square, (int(name[0]), name[1])) for square, name in sorted(view["pieces"].items())),
    )


def effects(before: Oracle, act: str, position: Oracle) -> list[tuple[Effect, ...]]:
    """What the oracle says that an act caused, in the words of the product."""
    told = [effect(*caused) for caused in position.effects]
    if places := re.fullmatch(r"~?(\w+)[-*](\w+)", act):
        named = ["{}{}".format(*before.standing[place]) for place in places.groups() if place in before.standing]
        told.insert(0, Effect("swaps" if "*" in act else "moves", places.groups(), " ".join(named)))
    if position.ended_by == "WT-17":
        told.append(Effect("wins", (), min(position.winners)))
    if position.ended_by == "WT-18":
        told.append(Effect("draw", (), "WT-18"))
    return [tuple(told)]


def effect(kind: str | int, *rest: Any) -> Effect:
    """One of the oracle's effects in the words of the product."""
    if kind == "rectangle":
        return Effect("forms", rest[:4], VERDICTS[rest[4]])
    if kind in ("capture", "removed"):
        square, seat, size = rest
        return Effect("captures" if kind == "capture" else "removes", (square,), f"{seat}{size}")
    return Effect(str(kind), (), rest[0])
