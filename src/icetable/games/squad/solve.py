"""The solver of Who's On The Squad?: the value of each position under perfect play, for one or two players.

Each position is searched to the end once. Rotations and reflections of a position count as the same position. The
results are stored, so that later queries about the same game are answered immediately.
"""

from __future__ import annotations

import functools
import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from icetable.core.errors import GameError
from icetable.core.options import short_repr
from icetable.core.turns import TurnState
from icetable.games.squad.compiled import CompiledSquad
from icetable.games.squad.rules import (
    BOARDS,
    CAPTAIN,
    CAPTAIN_KIND,
    FACE,
    MAX_ACTS,
    OF_SIZE,
    PYRAMIDS,
    SIZES,
    SUPPLY,
    WORDS,
    apply,
    legal,
    score,
)
from icetable.kernels import jit
from icetable.kernels.bits import lowest, without_lowest
from icetable.kernels.jit import allocating, copy, kernel
from icetable.kernels.layout import ACTOR, NOBODY, SEATS, WINNERS

if TYPE_CHECKING:
    from icetable.core.game import Action, Game, State
    from icetable.kernels.jit import Ints

MAX_PLAYERS = 2
MAX_PLIES = MAX_PLAYERS * (3 * SIZES + 1) + 1
"""Maximum number of positions in a game."""
EMPTY = -1
INITIAL_SLOTS = 1 << 16
MAX_SLOTS = 1 << 23
UNKNOWN = -1000
"""Less than every value."""
RESULTS = {1: "win", 0: "draw", -1: "loss"}
DEFAULT_OPTIONS = ({"players": 1, "trios": 3}, {"players": 1, "trios": 2}, {"players": 2})
"""The sets of options that `icetable solve` solves by default."""


class HashTable(NamedTuple):
    """The values of positions: a hash table with open addressing."""

    used: Ints
    """The number of slots in use."""
    first: Ints
    """The first word of the position's key; 0 for a free slot."""
    second: Ints
    """The second word of the key."""
    value: Ints


class SolverBuffers(NamedTuple):
    """The buffers of a search. All but `images` and `pieces` have a row for each position of the current line."""

    images: Ints
    """The squares of each rotation and reflection of the board, in the order of their new places."""
    pieces: Ints
    """The piece on each square."""
    states: Ints
    acts: Ints
    left: Ints
    """The number of acts not yet tried."""
    best: Ints
    """The best value found so far, for the seat to act."""
    keys: Ints
    """The two words of a position's key."""


@dataclass(frozen=True)
class SquadSolution:
    """The result of perfect play, as `extras.strength.Solution` describes it."""

    worth: str | int
    end: State
    positions: int


def can_solve(game: Game) -> bool:
    """Whether a game is small enough to be solved."""
    if not isinstance(game, CompiledSquad) or game.players > MAX_PLAYERS:
        return False
    lenient = game.options["formation"] == "up-to" and game.options["friends"] == "any"
    return game.players == 1 or not lenient


def solve(game: Game) -> SquadSolution:
    """Solve a game. Raises GameError for another game, for more than two players, and for a game that is too large."""
    solver = solver_of(game)
    state: State = game.start()
    value = solver.value(state)
    while not state.is_terminal:
        (seat,) = state.to_act
        sign = 1 if seat == 0 else -1
        state = max((state.apply(act) for act in state.legal_actions()), key=lambda after: sign * solver.value(after))
    return SquadSolution(solver.result(value), state, int(solver.table.used[0]))


def values(state: State, positions: int | None = None) -> dict[Action, str | int]:
    """The value of each legal act of a position under perfect play.

    For two players it is "win", "draw" or "loss" of the seat that is to act, for one player the score. Raises GameError
    like `solve`, and if more than `positions` new positions have to be searched or another thread solves the game.
    """
    if not isinstance(state, TurnState):
        raise GameError(f"only the acts of a State have values, not those of {short_repr(state)}")
    solver = solver_of(state.game)
    sign = -1 if 1 in state.to_act else 1
    limit = None if positions is None else solver.known + positions
    return {act: solver.result(sign * solver.value(state.apply(act), limit)) for act in state.legal_actions()}


class SquadSolver:
    """The solver of one game. It stores its results, and is safe for several threads."""

    def __init__(self, game: CompiledSquad) -> None:
        self.game = game
        self.table = new_table(INITIAL_SLOTS)
        self.scratch = SolverBuffers(
            images=images(game.options["board"]),
            pieces=np.full(64, EMPTY, np.int64),
            states=np.empty((MAX_PLIES, WORDS.length), np.int64),
            acts=np.empty((MAX_PLIES, MAX_ACTS), np.int64),
            left=np.empty(MAX_PLIES, np.int64),
            best=np.empty(MAX_PLIES, np.int64),
            keys=np.empty((MAX_PLIES, 2), np.int64),
        )
        self._lock = threading.Lock()

    @property
    def known(self) -> int:
        """The number of positions with a known value."""
        return int(self.table.used[0])

    def value(self, state: State, limit: int | None = None) -> int:
        """The value of a state to seat 0: the score of a single player, otherwise 1, 0 or -1.

        The first call waits for the compiler, because plain mode would take far longer. Raises GameError if the game is
        too large; with a `limit` also if more known positions are needed, or if another thread solves the game.
        """
        assert isinstance(state, TurnState)
        if not self._lock.acquire(blocking=limit is None):
            raise GameError("this game is being solved")
        try:
            with jit.compiling():
                return self._value(state, MAX_SLOTS if limit is None else limit)
        finally:
            self._lock.release()

    def _value(self, state: TurnState, limit: int) -> int:
        while True:
            self.scratch.states[0] = state.array
            value = int(explore(self.table, self.scratch, limit))
            if value != UNKNOWN:
                return value
            if self.known >= limit:
                raise GameError(f"more than {limit:,} positions have to be searched")
            self.table = grown(self.table)

    def result(self, value: int) -> str | int:
        """The score of a single player, otherwise "win", "draw" or "loss"."""
        return value if self.game.players == 1 else RESULTS[value]


def solver_of(game: Game) -> SquadSolver:
    """The solver of a game. Raises GameError."""
    if not isinstance(game, CompiledSquad):
        raise GameError(f"only games of Who's On The Squad? can be solved, not {short_repr(game)}")
    if game.players > MAX_PLAYERS:
        raise GameError(f"a game can be solved for one or two players, not for {game.players}")
    return cached_solver(game)


@functools.lru_cache(maxsize=4)
def cached_solver(game: CompiledSquad) -> SquadSolver:
    return SquadSolver(game)


def new_table(slots: int) -> HashTable:
    """An empty table; `slots` is a power of two."""
    words = (np.zeros(slots, np.int64) for _ in range(3))
    return HashTable(np.zeros(1, np.int64), *words)


def grown(table: HashTable) -> HashTable:
    """A copy of a table with twice the slots. Raises GameError if it would be too large."""
    slots = 2 * len(table.first)
    if slots > MAX_SLOTS:
        raise GameError(f"this game has too many positions: over {int(table.used[0]):,} of those that matter")
    larger = new_table(slots)
    refill(table, larger)
    return larger


def images(board: int) -> Ints:
    """The squares of each rotation and reflection of a board, in the order of their new places."""
    spaces, last = BOARDS[board].spaces, board - 1
    squares = {(space.x, space.y): space.square for space in spaces}
    places = [
        [
            (x, y),
            (last - x, y),
            (x, last - y),
            (last - x, last - y),
            (y, x),
            (last - y, x),
            (y, last - x),
            (last - y, last - x),
        ]
        for x, y in ((space.x, space.y) for space in spaces)
    ]
    return np.array([[squares[place] for place in image] for image in zip(*places, strict=True)], np.int64)


@kernel
def lay_out(scratch: SolverBuffers, squares: int, piece: int) -> None:
    """Write a piece to some squares."""
    while squares:
        scratch.pieces[lowest(squares)] = piece
        squares = without_lowest(squares)


@kernel
def write_key(scratch: SolverBuffers, state: Ints, key: Ints) -> None:
    """Write the two words of a position's key, which is the same for all its images.

    The first word holds the taken squares, the friends not yet placed and the faces of the captains; the second the
    pieces on the taken squares in order. The seat to act follows from the friends not yet placed.
    """
    rest = 0
    scratch.pieces[:] = EMPTY
    for seat in range(state[SEATS]):
        for size in range(SIZES):
            lay_out(scratch, state[PYRAMIDS + seat] & state[OF_SIZE + size], seat << 2 | size)
            rest = rest << 2 | state[SUPPLY + seat * SIZES + size]
        lay_out(scratch, state[CAPTAIN + seat], seat << 2 | CAPTAIN_KIND)
        rest = rest << 3 | state[FACE + seat]
    orientations, squares = scratch.images.shape
    for orientation in range(orientations):
        taken, standing = 0, 0
        for place in range(squares):
            piece = scratch.pieces[scratch.images[orientation, place]]
            if piece != EMPTY:
                taken |= 1 << place
                standing = standing << 3 | piece
        first = taken << 18 | rest
        if orientation == 0 or first < key[0] or (first == key[0] and standing < key[1]):
            key[0] = first
            key[1] = standing


@kernel
def slot_of(table: HashTable, key: Ints) -> int:
    """The slot of a position, or the free slot for it."""
    mask = len(table.first) - 1
    half = (1 << 31) - 1
    mixed = (key[0] & half) * 0x5BD1E995 ^ (key[0] >> 31) * 0x2C1B3C6D
    mixed ^= (key[1] & half) * 0x297A2D39 ^ (key[1] >> 31) * 0x4CF5AD43
    slot: int = (mixed ^ mixed >> 31) & mask
    while table.first[slot] != 0 and (table.first[slot] != key[0] or table.second[slot] != key[1]):
        slot = slot + 1 & mask
    return slot


@kernel
def store(table: HashTable, key: Ints, value: int) -> bool:
    """Store the value of a position. Returns False if the table is too full."""
    if 4 * table.used[0] >= 3 * len(table.first):
        return False
    slot = slot_of(table, key)
    table.used[0] += table.first[slot] == 0
    table.first[slot] = key[0]
    table.second[slot] = key[1]
    table.value[slot] = value
    return True


@allocating
def refill(table: HashTable, larger: HashTable) -> None:
    """Copy all entries of a table."""
    key = np.empty(2, np.int64)
    for slot in range(len(table.first)):
        if table.first[slot] != 0:
            key[0] = table.first[slot]
            key[1] = table.second[slot]
            store(larger, key, table.value[slot])


@kernel
def final_value(state: Ints) -> int:
    """The value of a finished game to seat 0."""
    if state[SEATS] == 1:
        return score(state, 0)
    margin: int = (state[WINNERS] & 1) - (state[WINNERS] >> 1)
    return margin


@kernel
def look_up(table: HashTable, scratch: SolverBuffers, depth: int) -> int:
    """The value of a new position if the game is over or the value is known; else UNKNOWN, with its acts written."""
    state = scratch.states[depth]
    if state[ACTOR] == NOBODY:
        return final_value(state)
    write_key(scratch, state, scratch.keys[depth])
    slot = slot_of(table, scratch.keys[depth])
    if table.first[slot] != 0:
        known: int = table.value[slot]
        return known
    scratch.left[depth] = legal(state, scratch.acts[depth])
    scratch.best[depth] = UNKNOWN
    return UNKNOWN


@kernel
def is_open(scratch: SolverBuffers, depth: int) -> bool:
    """Whether an untried act may be better than the best one so far. No act is better than a win."""
    beatable: bool = scratch.states[depth, SEATS] == 1 or scratch.best[depth] < 1
    return beatable and scratch.left[depth] > 0


@kernel
def explore(table: HashTable, scratch: SolverBuffers, limit: int) -> int:
    """The value of the position `scratch.states[0]` to seat 0; UNKNOWN if the table is full or holds `limit` positions.

    The table stores the value of every searched position.
    """
    depth = 0
    value = look_up(table, scratch, 0)
    while depth > 0 or value == UNKNOWN:
        if value != UNKNOWN:
            depth -= 1
            sign = 1 if scratch.states[depth, ACTOR] == 0 else -1
            scratch.best[depth] = max(scratch.best[depth], sign * value)
        if is_open(scratch, depth):
            scratch.left[depth] -= 1
            copy(scratch.states[depth], scratch.states[depth + 1])
            apply(scratch.states[depth + 1], scratch.acts[depth, scratch.left[depth]])
            depth += 1
            value = look_up(table, scratch, depth)
        else:
            sign = 1 if scratch.states[depth, ACTOR] == 0 else -1
            value = sign * scratch.best[depth]
            if table.used[0] >= limit or not store(table, scratch.keys[depth], value):
                return UNKNOWN
    return value
