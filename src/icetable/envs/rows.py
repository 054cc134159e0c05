"""The rows of a batch, as kernels that play many games of one kind in step."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, cast

import numpy as np

from icetable.extras.encoding import Codec
from icetable.kernels.jit import clear, copy, draw, inlined, kernel
from icetable.kernels.layout import ACTOR, CHANCE, NOBODY, SEATS, Rules, share

if TYPE_CHECKING:
    import numpy.typing as npt

    from icetable.extras.encoding import Bytes
    from icetable.kernels.jit import Floats, Ints

    Bools = npt.NDArray[np.bool_]
    Reals = npt.NDArray[np.float32]

rules = cast("Rules", None)  # bound for each game
codec = cast("Codec", None)  # bound for each game

SAME, NEXT, OFF = 0, 1, 2
"""The values of `autoreset`; see `Batch`."""
SKIP, RANDOM, NEW_GAME, PLAY_OTHERS, PLAY_OPENING = -1, -2, -3, -4, -5
"""Used instead of an action: skip the row; play a random legal action; begin a new game; and, to continue a step that
found a log full, play the others after the learner's action, or before its first one."""
NO_LEARNER, DRAWN = -1, -2
"""Used instead of the learner's seat: no learner; a seat drawn for each game."""
MAX_UNPLAYED_GAMES = 1000
"""Maximum number of consecutive games that may end before their learner has acted."""
DONE, FULL, ENDLESS = 0, 1, 2
"""Results of a step: success; a log is full; too many games ended before their learner had acted."""


class Rows(NamedTuple):
    """Some rows: their arrays and shared settings."""

    first: Ints
    """int64[words], the position before the first act."""
    positions: Ints
    """int64[n, words]."""
    finals: Ints
    """int64[n, words], the final position of each row's last game."""
    streams: Ints
    """int64[n, 2], the random streams of chance and of random play."""
    logs: npt.NDArray[np.int32]
    """int32[n, 2, capacity], the actions of the current and of the previous game."""
    lengths: Ints
    """int64[n, 2], the number of actions in each log."""
    starts: Ints
    """int64[n, 2], the stream of chance at the start of each log."""
    current: Ints
    """int64[n], the index of the current game's log."""
    given: Bools
    """bool[n, 2], whether each log begins at a given position."""
    before: Ints
    """int64[n, 2], the number of acts counted before that position."""
    learners: Ints
    """As in `Batch`."""
    actor: Ints
    """As in `Batch`."""
    planes: Bytes
    """int8[n, cells, planes], the observations."""
    mask: Bytes
    """As in `Batch`."""
    reward: Reals
    """As in `Batch`."""
    done: Bools
    """As in `Batch`."""
    final_planes: Bytes
    """int8[n, cells, planes], the final observations: the array `planes` unless games restart in the same step."""
    acts: Ints
    """As in `Batch`."""
    autoreset: int
    """SAME, NEXT or OFF."""
    openings: int
    """The number of random acts that begin each game."""
    learner: int
    """The learner's seat, NO_LEARNER or DRAWN."""
    observes: bool
    """Whether each step writes observations."""
    illegal_loses: bool
    """Whether an illegal action loses the game."""
    buffer: Ints
    """Scratch space for legal acts."""
    shares: Floats
    """Scratch space for the shares of a game."""


SHARED_FIELDS = frozenset(
    {"first", "autoreset", "openings", "learner", "observes", "illegal_loses", "buffer", "shares"}
)
"""Fields without a dimension for the rows."""


@kernel
def choose(actions: Ints, chosen: Bools, mask: Bytes, actor: Ints, strict: bool, autoreset: int) -> int:
    """Mark the rows that are not chosen to be skipped; return the first other row with an invalid action, or -1.

    An action out of range is always invalid, an illegal one only if `strict`. After the end an action begins a new
    game, or is invalid if games never restart.
    """
    for row in range(len(actions)):
        action, is_over = actions[row], actor[row] == NOBODY
        if not chosen[row]:
            actions[row] = SKIP
        elif is_over:
            if autoreset == OFF:
                return row
            actions[row] = NEW_GAME
        elif action == RANDOM:
            continue
        elif action < 0 or action >= mask.shape[1] or (strict and not mask[row, action]):
            return row
    return -1


@kernel
def step(actions: Ints, rows: Rows) -> int:
    """Execute each row's action, which may be one of the constants above. Return the result.

    After FULL, grow the logs and call again to continue: completed rows are marked to be skipped.
    """
    for row in range(len(actions)):
        if actions[row] != SKIP:
            result = advance(row, actions, rows)
            if result != DONE:
                return result
            actions[row] = SKIP
    return DONE


@inlined
def advance(row: int, actions: Ints, rows: Rows) -> int:
    """Execute a row's action; then play the others until the learner is to act, if need be in a new game."""
    state, action = rows.positions[row], actions[row]
    seat = state[ACTOR] if rows.learner == NO_LEARNER else rows.learners[row]
    if action >= NEW_GAME:
        rows.done[row] = False
        clear(rows.reward[row])
    if action >= 0 and not rows.mask[row, action]:
        if rows.illegal_loses:
            forfeit(state, state[ACTOR], rows.shares)
        action = PLAY_OTHERS
    for _ in range(MAX_UNPLAYED_GAMES):
        if action == NEW_GAME:
            begin(row, rows)
            action = PLAY_OPENING
        while action >= RANDOM or others_are_to_act(row, rows) or is_in_opening(row, action, rows):
            if rows.lengths[row, rows.current[row]] == rows.logs.shape[2]:
                actions[row] = action
                return FULL
            play(row, action if action >= 0 else pick_one(row, rows), rows)
            if action != PLAY_OPENING:
                action = PLAY_OTHERS
        if not rows.done[row]:
            log = rows.current[row]
            rows.acts[row] = rows.before[row, log] + rows.lengths[row, log]
        if state[ACTOR] != NOBODY:
            show(row, rows)
            return DONE
        if action == PLAY_OTHERS:
            end(row, seat, rows)
            if rows.autoreset != SAME:
                return DONE
        action = NEW_GAME
    return ENDLESS


@inlined
def others_are_to_act(row: int, rows: Rows) -> bool:
    """Whether there is a learner and another seat is to act."""
    actor = rows.positions[row, ACTOR]
    return bool(rows.learner != NO_LEARNER and actor != rows.learners[row] and actor != NOBODY)


@inlined
def is_in_opening(row: int, action: int, rows: Rows) -> bool:
    """Whether a random act of a new game's opening is due."""
    log = rows.current[row]
    begins = action == PLAY_OPENING and not rows.given[row, log] and rows.lengths[row, log] < rows.openings
    return bool(begins and rows.positions[row, ACTOR] != NOBODY)


@kernel
def pick(actions: Ints, rows: Rows) -> None:
    """Replace each 1 by a uniformly random legal action, or by 0 if the game is over."""
    for row in range(len(actions)):
        if actions[row]:
            actions[row] = pick_one(row, rows) if rows.actor[row] != NOBODY else 0


@inlined
def pick_one(row: int, rows: Rows) -> int:
    """A uniformly random legal action of a row."""
    state = rows.positions[row]
    return codec.action_of(state, rules.pick(state, rows.buffer, rows.streams[row, 1:]))


@kernel
def look(seats: Ints, rows: Rows) -> None:
    """Write what a seat sees of each row, except where the seat is negative."""
    for row in range(len(seats)):
        if seats[row] >= 0:
            codec.observe(rows.positions[row], seats[row], rows.planes[row])


@inlined
def begin(row: int, rows: Rows) -> None:
    """Begin a new game in a row, draw its learner, and keep the log of the last finished game."""
    if rows.actor[row] == NOBODY:
        rows.current[row] = 1 - rows.current[row]
        rows.actor[row] = CHANCE
    log = rows.current[row]
    rows.lengths[row, log] = 0
    rows.given[row, log] = False
    rows.before[row, log] = 0
    rows.starts[row, log] = rows.streams[row, 0]
    copy(rows.first, rows.positions[row])
    run_chance(rows.positions[row], rows.buffer, rows.streams[row])
    rows.learners[row] = draw(rows.streams[row, 1:], rows.first[SEATS]) if rows.learner == DRAWN else rows.learner


@inlined
def play(row: int, action: int, rows: Rows) -> None:
    """Play a legal action, then chance; compute the shares if the game is over."""
    state, log = rows.positions[row], rows.current[row]
    rows.logs[row, log, rows.lengths[row, log]] = action
    rows.lengths[row, log] += 1
    rules.apply(state, codec.act_of(state, action))
    if state[ACTOR] == CHANCE:
        run_chance(state, rows.buffer, rows.streams[row])
    if state[ACTOR] == NOBODY:
        share(state, rows.shares)


@kernel
def run_chance(state: Ints, buffer: Ints, stream: Ints) -> None:
    """Play chance until a seat is to act or the game is over."""
    while state[ACTOR] == CHANCE:
        rules.apply(state, rules.pick(state, buffer, stream))


@kernel
def forfeit(state: Ints, loser: int, shares: Floats) -> None:
    """End the game: one seat illegal_loses, the others share the win."""
    state[ACTOR] = NOBODY
    for seat in range(state[SEATS]):
        shares[seat] = 0.0 if seat == loser else 1.0 / (state[SEATS] - 1)


@inlined
def end(row: int, seat: int, rows: Rows) -> None:
    """Write the end of a game: the final observation of a seat, and the rewards of all."""
    rows.done[row] = True
    pay(rows.shares, rows.reward[row])
    copy(rows.positions[row], rows.finals[row])
    if rows.observes:
        codec.observe(rows.finals[row], seat, rows.final_planes[row])
    clear(rows.mask[row])
    rows.actor[row] = NOBODY


@kernel
def pay(shares: Floats, reward: Reals) -> None:
    """Write the rewards for shares of the game."""
    seats = len(shares)
    for seat in range(seats):
        reward[seat] = reward_of(shares[seat], seats)


@kernel
def reward_of(part: float, seats: int) -> float:
    """The reward for a share of the game: -1 / (seats - 1) for nothing, 1 for all of it.

    It divides by an equal share, as a GPU would round a product and a sum together.
    """
    return (part / (1.0 / seats) - 1.0) / (seats - 1) if seats > 1 else 0.0


@inlined
def show(row: int, rows: Rows) -> None:
    """Write the seat to act, its action mask and its observation."""
    state, seat = rows.positions[row], rows.positions[row, ACTOR]
    rows.actor[row] = seat
    write_mask(state, rows.buffer, rows.mask[row])
    if rows.observes:
        codec.observe(state, seat, rows.planes[row])


@kernel
def write_mask(state: Ints, buffer: Ints, mask: Bytes) -> None:
    """Write 1 for each legal action, otherwise 0; after the end none is legal. `buffer` is scratch space."""
    clear(mask)
    if state[ACTOR] != NOBODY:
        for index in range(rules.legal(state, buffer)):
            mask[codec.action_of(state, buffer[index])] = 1
