"""Exact conversion of tables to JSON and back, for saving and comparing positions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from icetable.core.errors import BadRecord, GameError
from icetable.core.options import is_integer, short_repr
from icetable.workshop.equipment import PIPS, MultiDraw, Piece, Pyramid, Token, in_order
from icetable.workshop.table import STANDARD, Table

KEYS = {"seat", "turn", "pad", "stacks"}
MAX_DRAWN = 1000
"""The maximum number of dice or cards in one act of chance."""
OPTIONAL_KEYS = {"score", "out", "gone", "odds", "several", "asked", "chosen", "own"}
"""Left out if there are none."""


def table_to_json(table: Table) -> dict[str, Any]:
    """A table as JSON. Raises GameError if one of the game's own values can't be saved."""
    optional = {
        "score": list(table.score) if any(table.score) else None,
        "out": sorted(table.out),
        "gone": sorted(table._gone),
        "odds": dict(table._odds),
        "several": [*table._several] if table._several else None,
        "asked": {str(seat): list(choices) for seat, choices in table._asked.items()},
        "chosen": {str(seat): choice for seat, choice in table._chosen.items()},
        "own": {name: to_json(value, name) for name, value in sorted(table.own().items())},
    }
    return {
        "seat": table.seat,
        "turn": table.turn,
        "pad": [[to_json(piece) for piece in pad] for pad in table.pad],
        "stacks": {space: [to_json(piece) for piece in table.stacks[space]] for space in sorted(table.stacks)},
        **{name: value for name, value in optional.items() if value},
    }


PLAIN_TYPES = {type(None), bool, int, float, str}


def with_sorted_pads(table: Table) -> dict[str, Any]:
    """A table as JSON, equal for tables that say the same: the order of the pieces on a pad does not matter."""
    written = table_to_json(table)
    return {**written, "pad": [sorted(pad, key=repr) for pad in written["pad"]]}


def to_json(value: Any, name: str = "") -> Any:
    """A value as JSON. A value that JSON lacks becomes an object whose single key is its type."""
    kind = type(value)  # not isinstance: an enum or a Counter would come back as a plain number or dict
    if kind in PLAIN_TYPES:
        return value
    if isinstance(value, Pyramid):
        return {"pyramid": list(value if value.heading else value[:2])}
    if isinstance(value, Token):
        return {"token": list(value)}
    if kind is list:
        return [to_json(item, name) for item in value]
    if kind is tuple:
        return {"tuple": [to_json(item, name) for item in value]}
    if isinstance(value, set | frozenset):
        what = "set" if isinstance(value, set) else "frozenset"
        return {what: sorted((to_json(item, name) for item in value), key=repr)}
    if kind is dict:
        return {"dict": [[to_json(key, name), to_json(item, name)] for key, item in value.items()]}
    meant = next((f"; use a {base.__name__}" for base in (dict, tuple, list, int, str) if isinstance(value, base)), "")
    raise GameError(
        f"table.{name} can't be part of a position: {short_repr(value)} is no number, text, pyramid, "
        f"or tuple, list, set or dict of such{meant}"
    )


READERS: dict[str, Callable[[Any], Any]] = {
    "pyramid": lambda parts: _pyramid(*parts),
    "token": lambda parts: Token(*parts),
    "tuple": lambda parts: tuple(map(from_json, parts)),
    "set": lambda parts: in_order(set(map(from_json, parts))),
    "frozenset": lambda parts: in_order(frozenset(map(from_json, parts))),
    "dict": lambda parts: {from_json(key): from_json(one) for key, one in parts},
}


def from_json(value: Any) -> Any:
    """The inverse of `to_json`."""
    if isinstance(value, list):
        return [from_json(item) for item in value]
    if isinstance(value, dict):
        ((kind, parts),) = value.items()
        return READERS[kind](parts)
    return value


def _pyramid(size: Any, colour: Any, heading: Any = None) -> Piece:
    if size not in PIPS:
        raise ValueError(size)
    return Pyramid(size, colour, heading)


def table_from_json(described: Any, first: Table) -> Table:
    """The inverse of `table_to_json`. `first`: any table of the game. Raises BadRecord."""
    board, players = first.board, first.players
    if not isinstance(described, dict) or set(described) - OPTIONAL_KEYS != KEYS:
        raise BadRecord(f"a position has {', '.join(sorted(KEYS))}, and optionally {', '.join(sorted(OPTIONAL_KEYS))}")
    table = Table(board, players, first._look)
    try:
        table.seat, table.turn = int(described["seat"]), int(described["turn"])
        table.score = [int(points) for points in described.get("score", [0] * players)]
        table.pad = [[from_json(piece) for piece in pad] for pad in described["pad"]]
        table.out = frozenset(map(int, described.get("out", ())))
        table._gone = frozenset(map(str, described.get("gone", ())))
        table.stacks = {str(space): tuple(map(from_json, pieces)) for space, pieces in described["stacks"].items()}
        table._odds = {str(act): float(odds) for act, odds in described.get("odds", {}).items()}
        if "several" in described:
            word, faces, dice, ordered = described["several"]
            table._several = MultiDraw(word, tuple(map(str, faces)), int(dice), bool(ordered))
            if word not in ("roll", "deal") or not 0 <= int(dice) <= MAX_DRAWN or not 0 < len(faces) <= MAX_DRAWN:
                raise BadRecord(f"chance can't bring {short_repr(described['several'])}")
        table._asked = {int(seat): tuple(map(str, choices)) for seat, choices in described.get("asked", {}).items()}
        table._chosen = {int(seat): str(choice) for seat, choice in described.get("chosen", {}).items()}
        for name, value in described.get("own", {}).items():
            if name in STANDARD or hasattr(Table, name) or not name.isidentifier():
                raise BadRecord(f"{short_repr(name)} is not a value that a game can have added")
            setattr(table, name, from_json(value))
    except (ArithmeticError, AttributeError, KeyError, TypeError, ValueError, RecursionError) as error:
        raise BadRecord(f"this position can't be read: {type(error).__name__}: {short_repr(str(error))}") from None
    seats = set(range(players))
    if (
        not {*table.stacks, *table._gone} <= set(board.names)
        or set(table.stacks) & table._gone
        or not all(table.stacks.values())
        or not {table.seat, *table.out, *table._asked, *table._chosen} <= seats
        or not len(table.score) == len(table.pad) == players
        or not all(is_valid(piece, table) for pieces in (*table.stacks.values(), *table.pad) for piece in pieces)
    ):
        raise BadRecord("this position has spaces, seats or pieces that the game does not have")
    return table


def is_valid(piece: Any, table: Table) -> bool:
    """Whether a value is a piece whose colour is a seat or a word, and whose heading is a direction of the board."""
    if not isinstance(piece, Pyramid | Token):
        return False
    heading = piece.heading if isinstance(piece, Pyramid) else None
    is_colour = isinstance(piece.colour, str) or (is_integer(piece.colour) and 0 <= piece.colour < table.players)
    return is_colour and (heading is None or heading in table.board.rays)
