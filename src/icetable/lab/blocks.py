"""The games of a plan: each block is played from its opening and chance seed in every order of the players."""

from __future__ import annotations

import functools
import hashlib
import threading
from collections.abc import Generator, Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from icetable.bots import realtime
from icetable.bots.trees import MAX_PLAYOUT_ACTS
from icetable.core.game import CHANCE, State
from icetable.core.realtime import RealTimeGame
from icetable.core.turns import TurnGame, TurnState
from icetable.kernels.layout import TURN, shares_of
from icetable.lab.players import maker
from icetable.lab.streams import seed_of

if TYPE_CHECKING:
    from icetable.bots.players import Player
    from icetable.lab.plan import Plan

ACT_SEPARATOR = "\n"
MAX_GAME_ACTS = MAX_PLAYOUT_ACTS
"""Maximum length of a game, in acts of players. It is broken off then, and shared by all seats."""
CHANCE_PER_ACT = 10
"""Number of acts of chance per act of a player after which a game is broken off too."""
UNFINISHED = "unfinished"
"""Ending of a game that was broken off, instead of a rule."""
MAX_OPENING_DRAWS = 20
"""Maximum number of draws for an opening that no other block has; halved whenever none is found."""


class Row(NamedTuple):
    """A game.

    `block` and `game` number it, `players` are the numbers of the players by seat, `opening` is a hash of the position
    after the opening. `shares` of the game and `points` are by seat; several winners share 1 equally. `turns` are the
    players' acts if the game has no turns. `ended_by`: the id of a rule, or UNFINISHED. For each act of the `log`:
    its seat in `seats` (-1: chance), the number of legal acts in `choices` (0 for chance and in a game without turns),
    and its time in milliseconds in `times`, which is empty in a game of turns.
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
    """Play the games of a block; each is broken off after `longest` acts of players, by default
    MAX_GAME_ACTS.
    """
    if isinstance(plan.game, RealTimeGame):
        return [_play_in_real_time(plan, plan.game, block, number) for number in range(len(plan.orders))]
    return play_games(plan, [block], longest)


def play_games(plan: Plan, blocks: Iterable[int], longest: int | None = None) -> list[Row]:
    """Play the games of some blocks as `play_block` does; all at once if a player is asked for many at once."""
    if isinstance(plan.game, RealTimeGame):
        return [row for block in blocks for row in play_block(plan, block)]
    assert isinstance(plan.game, TurnGame)
    drawn, orders = openings(plan, plan.game), range(len(plan.orders))
    played = (_game(plan, block, number, drawn.of(block), longest) for block in blocks for number in orders)
    if any(player.plays_many for player in plan.own.values()):
        return [row for _, row in _play_together(list(played))]
    return [_play_together([one])[0][1] for one in played]


def final_state(plan: Plan, row: Row) -> State:
    """The last state of a game, with the acts that led to it."""
    state = plan.game.start()
    times: Sequence[float | None] = [at / 1000 for at in row.times] or [None] * len(row.seats)
    for act, seat, at in zip(row.log.split(ACT_SEPARATOR), row.seats, times, strict=True):
        state = state.apply(act, seat, at)
    return state


class Openings:
    """The random acts at the start of each block, which lead to different positions if such are found."""

    def __init__(self, plan: Plan, game: TurnGame) -> None:
        self._plan, self._game = plan, game
        self._found: list[tuple[str, ...]] = []
        self._known: set[bytes] = set()
        self._lock = threading.Lock()
        self._tries = MAX_OPENING_DRAWS

    def of(self, block: int) -> tuple[str, ...]:
        """The opening of a block."""
        with self._lock:
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
        return tuple(str(after.act) for after in state.history())[1:]

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
    """The openings of a plan's blocks, cached as they take time to draw."""
    return Openings(plan, game)


class BlockChance:
    """The chance of a block's games: keyed by kind, turn and occurrence, independent of all earlier draws."""

    def __init__(self, seed: int, block: int) -> None:
        self._key = seed, block, "chance"
        self._seen: dict[tuple[str, int], int] = {}

    def act(self, state: TurnState) -> str:
        """Draw the next act of chance."""
        kind, turn = self._draw(state, 1).partition(":")[0], int(state.array[TURN])
        occurrence = self._seen[kind, turn] = self._seen.get((kind, turn), 0) + 1
        return self._draw(state, seed_of(*self._key, kind, turn, occurrence))

    def _draw(self, state: TurnState, seed: int) -> str:
        rules = state.game.rules
        buffer = np.empty(rules.MAX_ACTS, np.int64)
        return state.game.act_at(state.array, int(rules.pick(state.array, buffer, np.array([seed], np.int64))))


def play_game(
    plan: Plan, block: int, number: int, opening: Sequence[str], longest: int | None = None
) -> tuple[TurnState, Row]:
    """Play the game of a block in which the players sit in order `number`, from an opening of the same block. Returns
    its last state too.
    """
    return _play_together([_game(plan, block, number, opening, longest)])[0]


class Question(NamedTuple):
    """What a player is asked: for an act in a position."""

    player: Player
    state: TurnState
    seed: int


Played = tuple[TurnState, Row]
Playing = Generator[Question, str, Played]
"""A game under way, which asks its players."""


def _play_together(games: Sequence[Playing]) -> list[Played]:
    """Play games to their ends; each player is asked for all games where it is to act at once."""
    played: dict[int, Played] = {}
    answers: dict[int, str | None] = dict.fromkeys(range(len(games)))
    while answers:
        asked: dict[Player, list[tuple[int, Question]]] = {}
        for number, act in answers.items():
            try:
                question = games[number].send(act)  # type: ignore[arg-type]
            except StopIteration as end:
                played[number] = end.value
            else:
                asked.setdefault(question.player, []).append((number, question))
        answers = {}
        for player, questions in asked.items():
            acts = player.choose_many([one.state for _, one in questions], [one.seed for _, one in questions])
            answers |= zip((number for number, _ in questions), acts, strict=True)
    return [played[number] for number in range(len(games))]


def _game(plan: Plan, block: int, number: int, opening: Sequence[str], longest: int | None) -> Playing:
    """The game that `play_game` plays."""
    game, order = plan.game, plan.orders[number]
    assert isinstance(game, TurnGame)
    chance, left = BlockChance(plan.seed, block), MAX_GAME_ACTS if longest is None else longest
    most = (1 + CHANCE_PER_ACT) * left
    players = [plan.player(number) for number in order]
    state = game.start()
    opening_hash = ""
    seats: list[int] = []
    choices: list[int] = []
    while not state.is_terminal and left and len(seats) < most:
        actor, played = state.actor, len(seats)
        if played == len(opening):
            opening_hash = hashlib.sha256(game.key(state.array)).hexdigest()[:16]
        seats.append(actor)
        choices.append(0 if actor == CHANCE else len(state.codes()))
        left -= actor != CHANCE
        act: str
        if actor == CHANCE:
            act = chance.act(state)
        elif played < len(opening):
            act = opening[played]
        else:
            act = yield Question(players[actor], state, seed_of(plan.seed, block, "player", order[actor], played))
        state = state.apply(act)
    return state, _row(state, block, number, order, opening_hash, int(state.array[TURN]), seats, choices, [])


def _play_in_real_time(plan: Plan, game: RealTimeGame, block: int, number: int) -> Row:
    order = plan.orders[number]
    bell = game.draw_timer(np.random.default_rng(seed_of(plan.seed, block, "bell")))
    bots = [maker(game, plan.seats[number])(seed_of(plan.seed, block, "player", number)) for number in order]
    state = realtime.play(game, bots, bell)
    acts = list(state.history())[1:]
    seats, times = [after.seat or 0 for after in acts], [after.at or 0 for after in acts]
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
    log = ACT_SEPARATOR.join(str(after.act) for after in list(state.history())[1:])
    players = state.game.players
    shares = shares_of(state.winners if state.is_terminal else range(players), players)
    ended_by = state.ended_by or UNFINISHED
    points = list(state.scores)
    return Row(block, number, list(order), opening, shares, points, turns, ended_by, seats, choices, times, log)
