"""The games of a plan: each block is played from its opening and its seed of chance in every order of the players."""

from __future__ import annotations

import functools
import hashlib
import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from icetable.bots import playing
from icetable.bots.search import MAX_PLAYOUT_ACTS
from icetable.core.game import CHANCE, State
from icetable.core.realtime import RealTimeGame
from icetable.core.turns import TurnGame, TurnState
from icetable.kernels.layout import TURN, shares_of
from icetable.lab.players import maker
from icetable.lab.streams import seed_of

if TYPE_CHECKING:
    from icetable.lab.plan import Plan

ACTS = "\n"
"""Stands between the acts of a log."""
LONGEST_GAME = MAX_PLAYOUT_ACTS
"""In acts, those of chance included. After so many a game is broken off, for it may have no end; all seats share it."""
UNFINISHED = "unfinished"
"""In place of the rule that ends a game."""
TRIES = 20
"""How often an opening is drawn again that another block has; half as often each time that nothing new is found."""


class Row(NamedTuple):
    """A game.

    `block` and `game` number it, `players` are the numbers of the players by seat, `opening` is a hash of the position
    after the opening. `shares`: of the game, by seat: several winners share 1 equally. `points` by seat, `turns` (acts
    of players where the game has no turns), `ended_by`: the id of a rule, or UNFINISHED. For each act of the `log`,
    from the first one on: its `seats` (-1: chance), how many acts were legal (`choices`; 0 for those of chance and in a
    game without turns), and `times` in milliseconds, which are empty in a game of turns.
    """

    block: int
    game: int
    players: list[int]
    opening: str
    shares: list[float]
    points: list[int]
    turns: int
    ended_by: str
    seats: list[int]
    choices: list[int]
    times: list[int]
    log: str


def play_block(plan: Plan, block: int, longest: int | None = None) -> list[Row]:
    """The games of a block, each of them broken off after so many acts, by default LONGEST_GAME."""
    if isinstance(plan.game, RealTimeGame):
        return [_play_in_real_time(plan, plan.game, block, number) for number in range(len(plan.orders))]
    assert isinstance(plan.game, TurnGame)
    longest = LONGEST_GAME if longest is None else longest
    return [_play_in_turns(plan, plan.game, block, number, longest) for number in range(len(plan.orders))]


def final_state(plan: Plan, row: Row) -> State:
    """The last state of a game, with the acts that led to it."""
    state = plan.game.start()
    times: Sequence[float | None] = [at / 1000 for at in row.times] or [None] * len(row.seats)
    for act, seat, at in zip(row.log.split(ACTS), row.seats, times, strict=True):
        state = state.apply(act, seat, at)
    return state


class Openings:
    """The random acts at the beginning of each block: different positions as long as TRIES draws find any."""

    def __init__(self, plan: Plan, game: TurnGame) -> None:
        self._plan, self._game = plan, game
        self._found: list[tuple[str, ...]] = []
        self._known: set[bytes] = set()
        self._drawing = threading.Lock()
        self._tries = TRIES

    def of(self, block: int) -> tuple[str, ...]:
        """The opening of a block."""
        with self._drawing:
            while len(self._found) <= block:
                self._found.append(self._draw(len(self._found)))
            return self._found[block]

    def _draw(self, block: int) -> tuple[str, ...]:
        for attempt in range(self._tries):
            state = self._open(block, attempt)
            if state.game.key(state.array) not in self._known:
                break
        else:
            self._tries = max(1, self._tries // 2)
        self._known.add(state.game.key(state.array))
        return tuple(str(one.act) for one in state.history())[1:]

    def _open(self, block: int, attempt: int) -> TurnState:
        """A random opening, cut short before an act that would end the game."""
        seed = self._plan.seed
        rng, chance = np.random.default_rng(seed_of(seed, block, "opening", attempt)), BlockChance(seed, block)
        state = self._game.start()
        left = self._plan.opening
        while left:
            act = chance.act(state) if state.actor == CHANCE else self._game.random_act(state, rng)
            after = state.apply(act)
            if after.is_terminal:
                break
            left -= state.actor != CHANCE
            state = after
        return state


@functools.lru_cache(maxsize=16)
def openings(plan: Plan, game: TurnGame) -> Openings:
    """The openings of a plan's blocks. They take time to draw, so they are kept."""
    return Openings(plan, game)


class BlockChance:
    """What chance draws in the games of a block: by kind, turn and occurrence, whatever else was drawn before."""

    def __init__(self, seed: int, block: int) -> None:
        self._key = seed, block, "chance"
        self._seen: dict[tuple[str, int], int] = {}

    def act(self, state: TurnState) -> str:
        """What chance does."""
        kind, turn = self._draw(state, 1).partition(":")[0], int(state.array[TURN])
        occurrence = self._seen[kind, turn] = self._seen.get((kind, turn), 0) + 1
        return self._draw(state, seed_of(*self._key, kind, turn, occurrence))

    def _draw(self, state: TurnState, seed: int) -> str:
        rules = state.game.rules
        buffer = np.empty(rules.MAX_ACTS, np.int64)
        return state.game.act_at(state.array, int(rules.pick(state.array, buffer, np.array([seed], np.int64))))


def _play_in_turns(plan: Plan, game: TurnGame, block: int, number: int, longest: int) -> Row:
    order, opening = plan.orders[number], openings(plan, game).of(block)
    chance = BlockChance(plan.seed, block)
    seated = [plan.player(one) for one in order]
    state = game.start()
    opened = ""
    seats: list[int] = []
    choices: list[int] = []
    while not state.is_terminal and len(seats) < longest:
        actor, played = state.actor, len(seats)
        if played == len(opening):
            opened = hashlib.sha256(state.game.key(state.array)).hexdigest()[:16]
        seats.append(actor)
        choices.append(0 if actor == CHANCE else len(state.codes()))
        if actor == CHANCE:
            act = chance.act(state)
        elif played < len(opening):
            act = opening[played]
        else:
            act = seated[actor].choose(state, seed_of(plan.seed, block, "player", order[actor], played))
        state = state.apply(act)
    return _row(state, block, number, order, opened, int(state.array[TURN]), seats, choices, [])


def _play_in_real_time(plan: Plan, game: RealTimeGame, block: int, number: int) -> Row:
    order = plan.orders[number]
    bell = game.draw_timer(np.random.default_rng(seed_of(plan.seed, block, "bell")))
    seated = [maker(game, plan.seats[one])(seed_of(plan.seed, block, "player", one)) for one in order]
    state = playing.play(game, seated, bell)
    acts = list(state.history())[1:]
    seats, times = [one.seat or 0 for one in acts], [one.at or 0 for one in acts]
    return _row(state, block, number, order, "", len(acts) - seats.count(CHANCE), seats, [0] * len(acts), times)


def _row(
    state: State,
    block: int,
    number: int,
    order: tuple[int, ...],
    opening: str,
    turns: int,
    seats: list[int],
    choices: list[int],
    times: list[int],
) -> Row:
    """The row of a game that is over, or that goes no further."""
    log = ACTS.join(str(one.act) for one in list(state.history())[1:])
    players = state.game.players
    shares = shares_of(state.winners if state.is_terminal else range(players), players)
    ended_by = state.ended_by or UNFINISHED
    points = list(state.scores)
    return Row(block, number, list(order), opening, shares, points, turns, ended_by, seats, choices, times, log)
