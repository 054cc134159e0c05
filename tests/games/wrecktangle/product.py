"""Between the readable edition and the product: the same position in both, and how it is drawn.

A position is drawn as the board lies on the table: rank 8 first, one token a square::

    #       a corner, which is blocked off
    .       an empty square
    0P 1Q   a pawn of seat 0, a queen of seat 1 (D: a drone)
    x       an empty square that is marked, as a destination that a test expects
    1Qx     a pyramid that is marked, as one that a test expects to be swapped

Pyramids that are not drawn are lost.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator, Mapping
from typing import Any

import icetable
from icetable import Effect, Game, State
from icetable.core.turns import TurnGame, TurnState
from icetable.games.wrecktangle import rules
from icetable.kernels.bits import bit
from icetable.kernels.layout import ACTOR, CHANCE, TURN
from icetable.workshop import Pyramid
from icetable.workshop.editions.wrecktangle import FACES
from icetable.workshop.playing import ENTRY, WorkshopGame
from tests.games.boards import Sheet
from tests.games.twins import Twin, edition, key_of

SIZES = {"P": "S", "D": "M", "Q": "L"}
LETTERS = {size: letter for letter, size in SIZES.items()}
PLACES = {
    f"{file}{rank}": (column, rank)
    for column, file in enumerate("abcdefgh", 1)
    for rank in range(1, 9)
    if not {column, rank} <= {1, 8}
}
"""Column and rank of every square, both from 1 (WT-1)."""
SHEET = Sheet(
    rows=[[f"{file}{rank}" for file in "abcdefgh"] for rank in range(8, 0, -1)],
    token=re.compile("#|[.]|x|[0-3][PDQ]x?"),
    shape="the board has 8 rows of 8 (WT-1)",
    meaning="a token is # on a corner, else '.', a pyramid such as 0P, an x, or both",
    blocked=("a1", "a8", "h1", "h8"),
)


def start(**options: Any) -> Twin:
    """The edition before the first act."""
    return Twin.start("wrecktangle", **options)


def pyramid_of(token: str) -> Pyramid:
    """The pyramid of a token."""
    return Pyramid(SIZES[token[1]], int(token[0]))


def token_of(piece: Any) -> str:
    """A pyramid as it is drawn."""
    return f"{piece.colour}{LETTERS[piece.size]}"


def corners_of(text: str) -> tuple[str, ...]:
    """A rectangle by the names of its corners."""
    return tuple(sorted(text.split()))


def drawn(
    drawing: str,
    *,
    seat: int = 0,
    roll: str | None = None,
    normal_made: bool = False,
    die_used: bool = False,
    coin: str = "heads",
    last: str = "",
    last_of_0: str = "",
    turns: int = 0,
    **options: Any,
) -> Twin:
    """The position of a drawing, `seat` to move after this `roll` (None: the die is to be rolled).

    `last` names the last capturing rectangles of that seat, as "c3 c5 e3 e5, c3 c7 e3 e7"; `last_of_0` one of seat 0.
    """
    game = edition("wrecktangle", **options)
    tokens = SHEET.read(drawing).items()
    pyramids = {square: pyramid_of(token) for square, token in tokens if token[0].isdigit()}
    if any(list(pyramids.values()).count(one) > 2 or int(one.colour) >= game.players for one in pyramids.values()):
        raise ValueError("nobody has more than two pyramids of a size (WT-2)")
    rectangles: list[set[tuple[str, ...]]] = [set() for _ in range(game.players)]
    rectangles[0] |= {corners_of(last_of_0)} if last_of_0 else set()
    rectangles[seat] |= {corners_of(text) for text in last.split(",") if text}
    made = {"has_moved": normal_made, "has_used_die": die_used}
    return placed(game, pyramids, seat, turn=turns, face=roll or "", coin=coin, last=rectangles, **made)


def placed(game: WorkshopGame, pyramids: Mapping[str, Pyramid], seat: int, **values: Any) -> Twin:
    """The position with these pyramids on the board, where it is the turn of a seat."""
    table = game.first_position()[ENTRY].table.copy()
    table.stacks = {square: (pyramid,) for square, pyramid in pyramids.items()}
    table.seat = seat
    for name, value in values.items():
        setattr(table, name, value)
    for owner in range(game.players):
        if len(table.where(owner)) <= 3:
            table.eliminate(owner)
    if table.face:
        table._odds = {}
    return Twin.at(game, table)


def tokens(position: Twin) -> dict[str, str]:
    """What stands on the board, as it is drawn."""
    return {square: token_of(pyramid) for square, (pyramid,) in position.table.stacks.items()}


def game_of(position: Twin) -> TurnGame:
    """The product's game under an edition's options."""
    game = icetable.load("wrecktangle", **position.options)
    assert isinstance(game, TurnGame)
    return game


def set_up(game: Game, **position: Any) -> State:
    """The state of a position that is described as it is saved."""
    return game.from_saved({"icetable": 1, "game": "wrecktangle", "options": dict(game.options), "position": position})


def state_of(position: Twin) -> State:
    """The product's state of an edition's position, also of one that no game could reach, as drawings may show it."""
    game, table = game_of(position), position.table
    words = game.first_position()
    words[rules.OWN : rules.OWN + game.players] = words[rules.KINDS : rules.KINDS + len(SIZES)] = 0
    for square, token in tokens(position).items():
        rules.put(words, int(token[0]), "PDQ".index(token[1]), rules.SQUARES[square])
    for seat in range(game.players):
        words[rules.LOST + seat] = 6 - len(table.where(seat))
        for number, corners in enumerate(sorted(table.last[seat])):
            words[rules.LAST + seat * rules.MAX_FORMED + number] = sum(bit(rules.SQUARES[one]) for one in corners)
    words[rules.SEAT], words[TURN], words[rules.COIN] = table.seat, table.turn, table.coin == "tails"
    words[rules.OWED], words[rules.UNUSED] = not table.has_moved, not table.has_used_die
    words[rules.DIE] = FACES.index(table.face) if table.face else rules.NONE
    words[ACTOR] = table.seat if table.face else CHANCE
    return TurnState(game, words)


def key(state: State) -> tuple[Hashable, ...]:
    """What `Twin.key` gives, told by the product."""
    view = state.view()
    own = {
        "seat": view["turn_of"] if CHANCE in state.to_act else None,
        "face": view["roll"] or "",
        "has_moved": not view["normal_owed"],
        "has_used_die": not view["die_unused"],
        "coin": view["coin"],
        "last": [{tuple(corners) for corners in rectangles} for rectangles in view["last"]],
    }
    stacks = {square: [pyramid_of(token)] for square, token in view["pieces"].items()}
    return key_of(state, view["turn"], stacks, [()] * state.game.players, own)


def effects(before: Twin, act: str, after: Twin) -> list[tuple[Effect, ...]]:
    """What the edition says that an act caused, in the words of the product."""
    told: list[Effect] = []
    if places := re.fullmatch(r"~?(\w+)[-*](\w+)", act):
        named = [token_of(top) for place in places.groups() if (top := before.table.top(place))]
        told.append(Effect("swaps" if "*" in act else "moves", places.groups(), " ".join(named)))
        told += [Effect("forms", corners, verdict) for corners, verdict in sorted(formed(before, act))]
    turned = [Effect("coin", (), after.table.coin)] if after.table.coin != before.table.coin else []
    kind = "captures"
    for one in after.state.effects:
        if one.kind == "eliminates":
            told += [*turned, Effect("out", (), one.value)]
            kind, turned = "removes", []
        elif one.kind == "takes":
            told.append(Effect(kind, one.spaces, f"{str(one.value)[0]}{LETTERS[str(one.value)[1]]}"))
    told += turned
    if after.ended_by == "WT-17":
        told.append(Effect("wins", (), min(after.winners)))
    elif after.ended_by == "WT-18":
        told.append(Effect("draw", (), "WT-18"))
    elif after.table.turn > before.table.turn:
        told.append(Effect("turn", (), after.table.seat))
    return [tuple(told)]


def formed(before: Twin, act: str) -> Iterator[tuple[tuple[str, ...], str]]:
    """The rectangles that a move forms, each with what the product says of it."""
    design, table = before.design, before.table.copy()
    here, there = re.findall(r"\w+", act)
    (table.swap if "*" in act else table.move)(here, there)
    for corners in design.rectangles(table) - design.rectangles(before.table):
        repeats = corners in table.last[table.seat]
        yield corners, "home-row" if design.is_at_home(corners) else "repeated" if repeats else "resolved"
