"""Games of OpenSpiel as games of the lab: a position is the list of the acts so far.

Their rules run in plain mode, and a position is judged by a random game from it, in backgammon by the race.
"""

from __future__ import annotations

import math
import random
import zlib
from typing import TYPE_CHECKING, Any

import numpy as np
import pyspiel

from icetable import Effect, Fault, GameInfo, Option
from icetable.core.turns import TurnGame
from icetable.kernels import jit
from icetable.kernels.layout import ACTOR, CHANCE, COMMON, NOBODY, SEATS, TURN, Words, settle, share

if TYPE_CHECKING:
    from icetable.kernels.jit import Floats, Ints

WORDS = Words(COMMON)
MADE = WORDS.add("made", "How many acts were made.")
ACTS = WORDS.length
"""The number of acts so far, and the first of them."""
BAR = 100
"""Backgammon's bar, as OpenSpiel numbers points."""
PIPS = 20
"""The lead in the race that makes a player e times as likely to win as not, about."""
MAX_KEPT = 100_000
"""So many states are kept, that they need not be played anew."""


def info(name: str, spiel: str) -> GameInfo:
    """The game of OpenSpiel with the name `spiel`, for two players."""
    option = Option("spiel", "choice", spiel, "OpenSpiel's name", "RF-1", (spiel,))
    return GameInfo(name, name, name, (2, 2), 2, (option,), "RF", "RF-1", package="borrowed")


class Kernels:
    """The rules and the evaluation of a game of OpenSpiel, as kernels in plain mode."""

    WORDS = WORDS

    def __init__(self, game: pyspiel.Game) -> None:
        self.game = game
        self.MAX_ACTS = max(game.num_distinct_actions(), game.max_chance_outcomes())
        self._kept: dict[bytes, pyspiel.State] = {}

    def state(self, position: Ints) -> pyspiel.State:
        """OpenSpiel's state at a position. Nobody may act on it."""
        acts = position[ACTS : ACTS + position[MADE]]
        key = acts.tobytes()
        if (kept := self._kept.get(key)) is None:
            kept = self.game.new_initial_state()
            for act in acts.tolist():
                kept.apply_action(act)
            self._keep(key, kept)
        return kept

    def legal(self, position: Ints, acts: Ints) -> int:
        legal = self.state(position).legal_actions()
        acts[: len(legal)] = legal
        return len(legal)

    def pick(self, position: Ints, acts: Ints, rng: Ints) -> int:
        state = self.state(position)
        drawn = int(jit.draw(rng, 1 << 30))
        if state.is_chance_node():
            outcomes, odds = zip(*state.chance_outcomes(), strict=True)
            return int(random.Random(drawn).choices(outcomes, odds)[0])
        legal = state.legal_actions()
        return int(legal[drawn % len(legal)])

    def apply(self, position: Ints, act: int) -> None:
        after = self.state(position).clone()
        after.apply_action(act)
        position[TURN] += position[ACTOR] != CHANCE
        position[ACTS + position[MADE]] = act
        position[MADE] += 1
        self._keep(position[ACTS : ACTS + position[MADE]].tobytes(), after)
        enter(position, after)

    def evaluate(self, position: Ints, values: Floats) -> None:
        if position[ACTOR] == NOBODY:
            share(position, values)
            return
        if self.game.get_type().short_name == "backgammon":
            values[:] = race(self.state(position))
            return
        rng = random.Random(zlib.crc32(position.tobytes()))
        state = self.state(position).clone()
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, odds = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(rng.choices(outcomes, odds)[0])
            else:
                state.apply_action(rng.choice(state.legal_actions()))
        values[:] = shares(state)

    def _keep(self, key: bytes, state: pyspiel.State) -> None:
        if len(self._kept) >= MAX_KEPT:
            self._kept.clear()
        self._kept[key] = state


def race(state: pyspiel.State) -> list[float]:
    """What each seat of backgammon may expect by the pips that are left to it: a random game takes too long there."""
    points = (range(23, -1, -1), range(24))  # in the order of the pips that are left
    pips = [
        25 * state.board(seat, BAR) + sum(left * state.board(seat, point) for left, point in enumerate(points[seat], 1))
        for seat in (0, 1)
    ]
    first = 1 / (1 + math.exp((pips[0] - pips[1]) / PIPS))
    return [first, 1 - first]


def shares(state: pyspiel.State) -> list[float]:
    """What each seat has of a game that is over: the best returns share it."""
    returns = state.returns()
    best = [one == max(returns) for one in returns]
    return [one / sum(best) for one in best]


def enter(position: Ints, state: pyspiel.State) -> None:
    """Write who is to act at a state, or who has won."""
    if state.is_terminal():
        settle(position, sum(1 << seat for seat, share in enumerate(shares(state)) if share), 1)
    else:
        position[ACTOR] = CHANCE if state.is_chance_node() else state.current_player()


class BorrowedGame(TurnGame):
    """A game of OpenSpiel as a game of the lab. Acts are written as OpenSpiel numbers them."""

    def __init__(self, info: GameInfo, options: dict[str, Any]) -> None:
        super().__init__(info, options)
        self.rules = self.evaluation = Kernels(pyspiel.load_game(options["spiel"]))
        if self.rules.game.get_type().chance_mode != pyspiel.GameType.ChanceMode.DETERMINISTIC:
            self.chance_parts = ("chance",)

    def first_position(self) -> Ints:
        spiel = self.rules.game
        longest = spiel.max_game_length() + spiel.max_chance_nodes_in_history()
        position = np.zeros(ACTS + longest, np.int64)
        position[SEATS] = self.players
        enter(position, spiel.new_initial_state())
        return position

    def notation(self, code: int) -> str:
        return f"act:{code}"

    def code(self, text: str) -> int:
        return int(text.removeprefix("act:"))

    def judge(self, position: Ints, text: str) -> Fault:
        raise NotImplementedError("the lab plays legal acts")

    def work_out_effects(self, before: Ints, code: int, after: Ints) -> tuple[Effect, ...]:
        return ()

    def describe_position(self, position: Ints) -> Any:
        return position.tolist()

    def read_position(self, described: Any) -> Ints:
        return np.array(described, np.int64)

    def see(self, position: Ints, seat: int | None) -> dict[str, Any]:
        return {}

    def layout(self) -> dict[str, Any]:
        return {}


def make(info: GameInfo, options: dict[str, Any]) -> BorrowedGame:
    """The game: what `icetable.load` calls."""
    return BorrowedGame(info, options)
