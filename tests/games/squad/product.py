"""Between the readable edition and the product: the same position in both, and how it is drawn.

A position is drawn as the board lies on the table: the top row first, one token a square::

    .       an empty square
    0F 1S   a freshman of seat 0, a sophomore of seat 1 (J: a junior)
    0C3     the captain of seat 0, its die showing 3
    x       an empty square that is marked, as one where a test expects that a piece may be placed

Friends that are not drawn are still to be placed, but for those that are said to have fallen.
"""

from __future__ import annotations

import re
from collections.abc import Hashable
from typing import Any

import icetable
from icetable import Effect, Game, State
from icetable.core.turns import TurnState
from icetable.games.squad import rules
from icetable.games.squad.game import Squad
from icetable.games.squad.rules import CAPTAIN, FACE, FRIENDS, OF_SIZE, PYRAMIDS, SUPPLY
from icetable.kernels.bits import bit
from icetable.kernels.layout import ACTOR, TURN
from icetable.workshop import Pyramid
from icetable.workshop.pieces import Piece, Token
from tests.games.boards import Sheet
from tests.games.twins import Twin, edition, key_of, rows_of, table_of

SIZES = {"F": "S", "S": "M", "J": "L"}
LETTERS = {size: letter for letter, size in SIZES.items()}
TOKEN = re.compile("[.x]|[0-3](?:[FSJ]|C[0-4])")


def start(**options: Any) -> Twin:
    """The edition before the first act."""
    return Twin.start("squad", **options)


def squares(board: int) -> tuple[str, ...]:
    """The squares of a board, row by row."""
    return edition("squad", board=board).board.names


def sheet(board: int) -> Sheet:
    """How positions of a board are drawn."""
    return Sheet(
        rows=rows_of(edition("squad", board=board)),
        token=TOKEN,
        shape=f"the board has {board} rows of {board}",
        meaning="a token is '.', an x, a friend such as 0F or a captain such as 0C3",
    )


def piece_of(token: str) -> Piece:
    """The piece of a token."""
    seat, kind = int(token[0]), token[1]
    return Token(token[2], seat) if kind == "C" else Pyramid(SIZES[kind], seat)


def token_of(piece: Piece) -> str:
    """The token of a piece."""
    kind = LETTERS[piece.size] if isinstance(piece, Pyramid) else f"C{piece.name}"
    return f"{piece.colour}{kind}"


def drawn(drawing: str, *, seat: int = 0, fallen: str = "", **options: Any) -> Twin:
    """The position of a drawing, with `seat` to move; `fallen` lists the friends that have fallen: "0F 1S".

    While captains are still to be placed, the next one is to move, whatever `seat` says. Raises ValueError where there
    are not so many pieces.
    """
    game = edition("squad", **options)
    tokens = sheet(game.options["board"]).read(drawing).items()
    standing = {square: piece_of(token) for square, token in tokens if token not in (".", "x")}
    captains = {int(piece.colour): piece for piece in standing.values() if isinstance(piece, Token)}
    friends = {square: [piece] for square, piece in standing.items() if isinstance(piece, Pyramid)}
    table = table_of(game, friends, *map(piece_of, fallen.split()))
    for square, piece in standing.items():
        if isinstance(piece, Token):
            table.put(piece, square)
            table.pad[int(piece.colour)].pop(0)
    table.turn = len(captains) + game.players * 3 * game.options["trios"] - friends_left(table.pad)
    table.seat = seat if len(captains) == game.players else len(captains)
    return Twin.at(game, table)


def friends_left(pads: list[list[Piece]]) -> int:
    """How many friends are still to be placed."""
    return sum(isinstance(piece, Pyramid) for pad in pads for piece in pad)


def tokens(position: Twin) -> dict[str, str]:
    """What stands on the board, as it is drawn."""
    return {square: token_of(piece) for square, (piece,) in position.table.stacks.items()}


def game_of(position: Twin) -> Squad:
    """The product's game under an edition's options."""
    game = icetable.load("squad", **position.options)
    assert isinstance(game, Squad)
    return game


def state_of(position: Twin) -> State:
    """The product's state of an edition's position, also of one that no game could reach, as drawings may show it."""
    game = game_of(position)
    words = game.first_position()
    for square, (piece,) in position.table.stacks.items():
        place, seat = bit(game.board.by_name[square].square), int(piece.colour)
        words[FRIENDS] |= place
        if isinstance(piece, Token):
            words[CAPTAIN + seat] = place
            words[FACE + seat] = int(piece.name)
        else:
            words[PYRAMIDS + seat] |= place
            words[OF_SIZE + "SML".index(piece.size)] |= place
    for seat, pad in enumerate(position.table.pad):
        for size, kind in enumerate(LETTERS):
            left = pad.count(Pyramid(kind, seat))
            words[SUPPLY + seat * len(SIZES) + size] = left
            words[TURN] += position.options["trios"] - left
    words[ACTOR] = (position.table.seat - 1) % game.players
    rules.pass_turn(words)
    return TurnState(game, words)


def set_up(game: Game, **position: Any) -> State:
    """The state of a position that is described as it is saved."""
    return game.from_saved({"icetable": 1, "game": "squad", "options": dict(game.options), "position": position})


def key(state: State) -> tuple[Hashable, ...]:
    """What `Twin.key` gives, told by the product."""
    view = state.view()
    stacks = {square: [piece_of(token)] for square, token in view["friends"].items()}
    pads: list[list[Piece]] = [
        [Pyramid(SIZES[letter], seat) for letter, count in supply.items() for _ in range(count)]
        for seat, supply in enumerate(view["supply"])
    ]
    turn = state.game.players * 3 * state.game.options["trios"] - friends_left(pads)
    for seat, captain in enumerate(view["captains"]):
        die = Token(str(captain["face"]), seat)
        if captain["square"] is None:
            pads[seat].append(die)
        else:
            stacks[captain["square"]] = [die]
            turn += 1
    return key_of(state, turn, stacks, pads, {})


def effects(before: Twin, act: str, after: Twin) -> list[tuple[Effect, ...]]:
    """What the edition says that an act caused, in the words of the product: stunts by seat, then falls by square."""
    kind, _, placed = act.partition("@")
    told = [Effect("captain" if kind == "C" else "formation", (placed,), f"{before.table.seat}{kind}")]
    moved = [effect.spaces for effect in after.state.effects if effect.kind == "moves"]
    for first, last in sorted(moved, key=lambda spaces: int(after.table.top(spaces[1]).colour)):
        told.append(Effect("stunt", (first, placed, last), token_of(after.table.top(last))))
    fallen = {effect.spaces[0] for effect in after.state.effects if effect.kind == "takes"}
    falls = [square for square in before.table.spaces if square in fallen]
    told += [Effect("fall", (square,), token_of(before.table.top(square))) for square in falls]
    return [tuple(told)]


def all_texts(board: int) -> list[str]:
    """Every act that could be written for a board: a captain or a friend of any size, on any square."""
    return [f"{kind}@{square}" for kind in ("C", *SIZES) for square in squares(board)]
