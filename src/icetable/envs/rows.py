"""The rows of a batch, as kernels: many games of one kind in step."""

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
"""When a game that is over begins again, as `Batch` says."""
STAND, RANDOM, BEGIN, GO_ON, OPEN = -1, -2, -3, -4, -5
"""In place of an action: the row stays as it is; a random legal action; a new game; and where that was cut short, what
others do after the learner's action, or before its first one."""
NO_LEARNER, DRAWN = -1, -2
"""In place of the seat that learns: whichever is to act; one that is drawn for each game."""
MAX_BEGINNINGS = 1000
"""The number of games that may end before their learner has acted, until something must be wrong."""
DONE, FULL, ENDLESS = 0, 1, 2
"""How a step went: well; there is no room in a log; too many games have ended before their learner has acted."""


class Rows(NamedTuple):
    """Some rows: their arrays, and what holds for them all. What `Batch` shows or takes is described there.

    `first`: the position before the first act. `positions`: int64[n, words]. `finals`: int64[n, words], how the last
    game of each row ended. `planes` and `final_planes`: the observations as int8[n, cells, planes]; the same where the
    end stays in sight. `streams`: int64[n, 2], the generators of chance and of random play. The actions of the game
    under way and of the game before lie in `logs`, int32[n, 2, room], with their numbers in `lengths`, int64[n, 2], and
    the state of chance at their start in `starts`, int64[n, 2]; `current`, int64[n], says which of the two is under
    way, `given`, bool[n, 2], whether it began at a position that was put in, and `before`, int64[n, 2], how many acts
    count that came before. `learner`: the seat that learns, or what stands above in its place. `observes`: whether each
    step shows what is seen. `loses`: whether an illegal action loses the game. `buffer` and `shares` are room for legal
    acts and for the shares of a game.
    """

    first: Ints
    positions: Ints
    finals: Ints
    streams: Ints
    logs: npt.NDArray[np.int32]
    lengths: Ints
    starts: Ints
    current: Ints
    given: Bools
    before: Ints
    learners: Ints
    actor: Ints
    planes: Bytes
    mask: Bytes
    reward: Reals
    done: Bools
    final_planes: Bytes
    acts: Ints
    autoreset: int
    learner: int
    observes: bool
    loses: bool
    buffer: Ints
    shares: Floats


COMMON = frozenset({"first", "autoreset", "learner", "observes", "loses", "buffer", "shares"})
"""What rows have in common."""


@kernel
def choose(actions: Ints, chosen: Bools, mask: Bytes, actor: Ints, strict: bool, autoreset: int) -> int:
    """Let the rows that are not chosen stand; the first other one whose action can't be played, -1 for none.

    An action off the numbering never can, an illegal one can if not `strict`. After the end all are illegal.
    """
    for row in range(len(actions)):
        action, is_over = actions[row], actor[row] == NOBODY
        if not chosen[row]:
            actions[row] = STAND
        elif is_over and autoreset == NEXT:
            actions[row] = BEGIN
        elif action == RANDOM:
            if strict and is_over:
                return row
        elif action < 0 or action >= mask.shape[1] or (strict and not mask[row, action]):
            return row
    return -1


@kernel
def step(actions: Ints, rows: Rows) -> int:
    """Do what each row's action says, or one of the constants above. Rows that are done stand.

    Returns how it went. After FULL the same call goes on.
    """
    for row in range(len(actions)):
        if actions[row] != STAND:
            result = advance(row, actions, rows)
            if result != DONE:
                return result
            actions[row] = STAND
    return DONE


@inlined
def advance(row: int, actions: Ints, rows: Rows) -> int:
    """Do what a row's action says; then others act until the learner is to act, if need be in a new game."""
    state, action = rows.positions[row], actions[row]
    seat = state[ACTOR] if rows.learner == NO_LEARNER else rows.learners[row]
    if action >= BEGIN:
        rows.done[row] = False
        clear(rows.reward[row])
    if action >= RANDOM and state[ACTOR] == NOBODY:
        return DONE
    if action >= 0 and not rows.mask[row, action]:
        if rows.loses:
            forfeit(state, state[ACTOR], rows.shares)
        action = GO_ON
    for _ in range(MAX_BEGINNINGS):
        if action == BEGIN:
            begin(row, rows)
            action = OPEN
        while action >= RANDOM or others_are_to_act(row, rows):
            if rows.lengths[row, rows.current[row]] == rows.logs.shape[2]:
                actions[row] = action
                return FULL
            play(row, action if action >= 0 else pick_one(row, rows), rows)
            if action != OPEN:
                action = GO_ON
        if not rows.done[row]:
            log = rows.current[row]
            rows.acts[row] = rows.before[row, log] + rows.lengths[row, log]
        if state[ACTOR] != NOBODY:
            show(row, rows)
            return DONE
        if action == GO_ON:
            end(row, seat, rows)
            if rows.autoreset != SAME:
                return DONE
        action = BEGIN
    return ENDLESS


@inlined
def others_are_to_act(row: int, rows: Rows) -> bool:
    """Whether there is a learner, and another seat is to act."""
    actor = rows.positions[row, ACTOR]
    return bool(rows.learner != NO_LEARNER and actor != rows.learners[row] and actor != NOBODY)


@kernel
def pick(actions: Ints, rows: Rows) -> None:
    """Replace each 1 by a uniformly random legal action, or by 0 where the game is over."""
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
    """Show what a seat sees of each row; nothing new where the seat is negative."""
    for row in range(len(seats)):
        if seats[row] >= 0:
            codec.observe(rows.positions[row], seats[row], rows.planes[row])


@inlined
def begin(row: int, rows: Rows) -> None:
    """Begin a new game in a row, with its learner, and keep the log of the last game that has ended."""
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
    """Play a legal action, then chance; where that ends the game, work out the shares."""
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
    """Let chance act until a seat is to act or the game is over."""
    while state[ACTOR] == CHANCE:
        rules.apply(state, rules.pick(state, buffer, stream))


@kernel
def forfeit(state: Ints, loser: int, shares: Floats) -> None:
    """One seat loses, the others share the game."""
    state[ACTOR] = NOBODY
    for seat in range(state[SEATS]):
        shares[seat] = 0.0 if seat == loser else 1.0 / (state[SEATS] - 1)


@inlined
def end(row: int, seat: int, rows: Rows) -> None:
    """Tell how a game has ended: to a seat what it sees, to all what it has brought them."""
    rows.done[row] = True
    pay(rows.shares, rows.reward[row])
    copy(rows.positions[row], rows.finals[row])
    if rows.observes:
        codec.observe(rows.finals[row], seat, rows.final_planes[row])
    clear(rows.mask[row])
    rows.actor[row] = NOBODY


@kernel
def pay(shares: Floats, reward: Reals) -> None:
    """The rewards for shares of the game: -1 / (seats - 1) for nothing, 1 for all of it."""
    seats = len(shares)
    for seat in range(seats):
        reward[seat] = worth(shares[seat], seats)


@kernel
def worth(part: float, seats: int) -> float:
    """The reward for a share of the game."""
    return (part * seats - 1.0) / (seats - 1) if seats > 1 else 0.0


@inlined
def show(row: int, rows: Rows) -> None:
    """Show a position to the seat that is to act, with its legal actions."""
    state, seat = rows.positions[row], rows.positions[row, ACTOR]
    rows.actor[row] = seat
    write_mask(state, rows.buffer, rows.mask[row])
    if rows.observes:
        codec.observe(state, seat, rows.planes[row])


@kernel
def write_mask(state: Ints, buffer: Ints, mask: Bytes) -> None:
    """Write 1 for each legal action, else 0; after the end none is legal. `buffer` is room for legal acts."""
    clear(mask)
    if state[ACTOR] != NOBODY:
        for index in range(rules.legal(state, buffer)):
            mask[codec.action_of(state, buffer[index])] = 1
