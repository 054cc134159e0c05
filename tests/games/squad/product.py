"""Between the oracle and the product: the same position in both."""

from __future__ import annotations

from typing import Any

import icetable
from icetable import Effect, Game, State
from icetable.core.turns import TurnState
from icetable.games.squad import rules
from icetable.games.squad.game import Squad
from icetable.games.squad.rules import CAPTAIN, FACE, FRIENDS, OF_SIZE, PYRAMIDS, SUPPLY
from icetable.kernels.bits import bit
from icetable.kernels.layout import ACTOR, TURN

from .oracle import SIZES, Oracle, squares

OPTIONS = ("players", "board", "trios", "captain_start", "begins", "friends", "formation", "stuck", "tie")


def game_of(position: Oracle) -> Squad:
    """The product's game under an oracle's options."""
    game = icetable.load("squad", **{name: getattr(position, name) for name in OPTIONS})
    assert isinstance(game, Squad)
    return game


def state_of(position: Oracle) -> State:
    """The product's state of an oracle's position, also of one that no game could reach, as drawings may show it."""
    game = game_of(position)
    words = game.first_position()
    for square, (seat, kind) in position.standing.items():
        place = bit(game.board.by_name[square].square)
        words[FRIENDS] |= place
        if kind == "C":
            words[CAPTAIN + seat] = place
        else:
            words[PYRAMIDS + seat] |= place
            words[OF_SIZE + SIZES.index(kind)] |= place
    for seat, supply in enumerate(position.supplies):
        words[FACE + seat] = position.numbers[seat]
        for size, letter in enumerate(SIZES):
            words[SUPPLY + seat * len(SIZES) + size] = supply[letter]
            words[TURN] += position.trios - supply[letter]
    words[ACTOR] = (position.seat - 1) % position.players
    rules.hand_on(words)
    return TurnState(game, words)


def set_up(game: Game, **position: Any) -> State:
    """The state of a position that is described as it is saved."""
    return game.from_saved({"icetable": 1, "game": "squad", "options": dict(game.options), "position": position})


def key(state: State) -> tuple[object, ...]:
    """What `Oracle.key` gives, told by the product."""
    view = state.view()
    standing = {square: (int(friend[0]), friend[1]) for square, friend in view["friends"].items()}
    standing |= {
        captain["square"]: (captain["seat"], "C") for captain in view["captains"] if captain["square"] is not None
    }
    return (
        tuple(sorted(state.to_act)),
        state.ended_by,
        tuple(sorted(state.winners)),
        tuple(captain["face"] for captain in view["captains"]),
        tuple(tuple(supply[size] for size in SIZES) for supply in view["supply"]),
        tuple(sorted(standing.items())),
    )


def effects(before: Oracle, act: str, after: Oracle) -> list[tuple[Effect, ...]]:
    """What the oracle says that an act caused, in the words of the product."""
    kind, _, placed = act.partition("@")
    told = [Effect("captain" if kind == "C" else "formation", (placed,), f"{before.seat}{kind}")]
    for what, seat, *rest in after.effects:
        if what == "stunt":
            first, last, number = rest
            told.append(Effect("stunt", (str(first), placed, str(last)), f"{seat}C{number}"))
        else:
            size, square = rest
            told.append(Effect("fall", (str(square),), f"{seat}{size}"))
    return [tuple(told)]


def all_texts(board: int) -> list[str]:
    """Every act that could be written for a board: a captain or a friend of any size, on any square."""
    return [f"{kind}@{square}" for kind in ("C", *SIZES) for square in squares(board)]
