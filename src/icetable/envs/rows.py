"""The rows of a batch, as kernels: many games of one kind in step."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, cast

import numpy as np

from icetable.core.encoding import Codec
from icetable.core.jit import kernel
from icetable.core.kernel import ACTOR, CHANCE, NOBODY, SEATS, Rules, share

if TYPE_CHECKING:
    import numpy.typing as npt

    from icetable.core.encoding import Bytes
    from icetable.core.jit import Floats, Ints

    Bools = npt.NDArray[np.bool_]
    Reals = npt.NDArray[np.float32]

rules = cast("Rules", None)  # bound for each game
codec = cast("Codec", None)  # bound for each game

SAME, NEXT, OFF = 0, 1, 2
"""When a game that is over begins again, as `Batch` says."""
LOSE, STAND, RANDOM = -1, -2, -3
"""In place of an action: the row's game is lost by an illegal one; the row stands still; a random legal action."""


class Rows(NamedTuple):
    """The arrays of some rows. Those that `Batch` shows are described there.

    `first`: the position before the first act. `positions`: int64[n, words]. `finals`: int64[n, words], how the last
    game of each row ended. `planes` and `final_planes`: the observations as int8[n, cells, planes]. `streams`: int64[n,
    2], the generators of chance and of random play. The actions of the game under way and of the game before lie in
    `logs`, int32[n, 2, room], with their numbers in `lengths`, int64[n, 2], and the state of chance at their start in
    `starts`, int64[n, 2]; `current`, int64[n], says which of the two is under way. `observes`: 1 where each step shows
    what the seat to act sees, else 0.
    """

    first: Ints
    positions: Ints
    finals: Ints
    streams: Ints
    logs: npt.NDArray[np.int32]
    lengths: Ints
    starts: Ints
    current: Ints
    actor: Ints
    observes: int
    planes: Bytes
    mask: Bytes
    reward: Reals
    done: Bools
    final_planes: Bytes
    acts: Ints


# The loops below hand single arrays on: a call that takes all of them costs more than a step.


@kernel
def step(actions: Ints, autoreset: int, buffer: Ints, shares: Floats, rows: Rows) -> None:
    """Play an action, or what the constants above say, in every row."""
    for row in range(len(actions)):
        if actions[row] == STAND:
            continue
        state = rows.positions[row]
        for other in range(state[SEATS]):
            rows.reward[row, other] = 0.0
        rows.done[row] = False
        action, seat = actions[row], state[ACTOR]
        starts_anew = seat == NOBODY and autoreset == NEXT
        if seat != NOBODY:
            if action == RANDOM:
                action = codec.action_of(state, rules.pick(state, buffer, rows.streams[row, 1:]))
            if action == LOSE:
                forfeit(state, seat, shares)
            elif rows.mask[row, action]:
                log = rows.current[row]
                rows.logs[row, log, rows.lengths[row, log]] = action
                rows.lengths[row, log] += 1
                rules.apply(state, codec.act_of(state, action))
                if state[ACTOR] == CHANCE:
                    run_chance(state, buffer, rows.streams[row])
                if state[ACTOR] == NOBODY:
                    share(state, shares)
            else:
                continue
            rows.acts[row] = rows.lengths[row, rows.current[row]]
            if state[ACTOR] == NOBODY:
                rows.done[row] = True
                starts_anew = autoreset == SAME
                pay(shares, rows.reward, row)
                copy_to_row(state, rows.finals, row)
                if rows.observes:
                    codec.observe(state, seat, rows.final_planes[row])
                    codec.observe(state, seat, rows.planes[row])
        if starts_anew:
            begin(row, rows.first, state, rows.streams[row], rows.lengths, rows.starts, rows.current, buffer)
        show(state, rows.mask, row, buffer)
        rows.actor[row] = state[ACTOR]
        if rows.observes and state[ACTOR] != NOBODY:
            codec.observe(state, state[ACTOR], rows.planes[row])


@kernel
def restart(which: Bools, autoreset: int, buffer: Ints, shares: Floats, rows: Rows) -> None:
    """Begin a new game in some rows."""
    for row in range(len(which)):
        if which[row]:
            state = rows.positions[row]
            for other in range(state[SEATS]):
                rows.reward[row, other] = 0.0
            rows.done[row] = False
            rows.acts[row] = 0
            begin(row, rows.first, state, rows.streams[row], rows.lengths, rows.starts, rows.current, buffer)
            show(state, rows.mask, row, buffer)
            rows.actor[row] = state[ACTOR]
            if rows.observes:
                codec.observe(state, state[ACTOR], rows.planes[row])


@kernel
def pick(actions: Ints, autoreset: int, buffer: Ints, shares: Floats, rows: Rows) -> None:
    """Replace each 1 by a uniformly random legal action, or by 0 where the game is over."""
    for row in range(len(actions)):
        state = rows.positions[row]
        if actions[row] and rows.actor[row] == NOBODY:
            actions[row] = 0
        elif actions[row]:
            actions[row] = codec.action_of(state, rules.pick(state, buffer, rows.streams[row, 1:]))


@kernel
def look(seats: Ints, autoreset: int, buffer: Ints, shares: Floats, rows: Rows) -> None:
    """Show what a seat sees of each row; nothing new where the seat is negative."""
    for row in range(len(seats)):
        if seats[row] >= 0:
            codec.observe(rows.positions[row], seats[row], rows.planes[row])


@kernel
def begin(
    row: int, first: Ints, state: Ints, stream: Ints, lengths: Ints, starts: Ints, current: Ints, buffer: Ints
) -> None:
    """Begin a new game in a row, and keep the log of the game before."""
    log = 1 - current[row]
    current[row] = log
    lengths[row, log] = 0
    starts[row, log] = stream[0]
    for word in range(len(state)):
        state[word] = first[word]
    run_chance(state, buffer, stream)


@kernel
def run_chance(state: Ints, buffer: Ints, stream: Ints) -> None:
    """Let chance act until a seat is to act or the game is over."""
    while state[ACTOR] == CHANCE:
        rules.apply(state, rules.pick(state, buffer, stream))


@kernel
def forfeit(state: Ints, loser: int, shares: Floats) -> None:
    """One seat loses, the others share the game."""
    state[ACTOR] = NOBODY
    for seat in range(state[SEATS]):
        shares[seat] = 0.0 if seat == loser else 1.0 / (state[SEATS] - 1)


@kernel
def pay(shares: Floats, reward: Reals, row: int) -> None:
    """The rewards for shares of the game: -1 / (seats - 1) for nothing, 1 for all of it."""
    seats = len(shares)
    for seat in range(seats):
        reward[row, seat] = (shares[seat] * seats - 1.0) / (seats - 1) if seats > 1 else 0.0


@kernel
def show(state: Ints, mask: Bytes, row: int, buffer: Ints) -> None:
    """Write the mask of the seat that is to act."""
    for action in range(mask.shape[1]):
        mask[row, action] = 0
    if state[ACTOR] != NOBODY:
        for index in range(rules.legal(state, buffer)):
            mask[row, codec.action_of(state, buffer[index])] = 1


@kernel
def copy_to_row(state: Ints, positions: Ints, row: int) -> None:
    """Copy a position to a row of others."""
    for word in range(len(state)):
        positions[row, word] = state[word]
