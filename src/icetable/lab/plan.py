"""What a run plays: a game, its players, the number of games and their openings, and how the games are played.

Each block is played from its opening and chance seed in every order of the players. Random numbers depend on their
purpose, not on those drawn before (`seed_of`): two plans that differ in a rule get the same die rolls, and any part of
a run can be played alone.
"""

from __future__ import annotations

import functools
import hashlib
import itertools
import json
import threading
from collections.abc import Generator, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from icetable import games
from icetable.bots import realtime
from icetable.bots.trees import MAX_PLAYOUT_ACTS
from icetable.core.errors import BadOption, GameError
from icetable.core.game import State
from icetable.core.options import check_whole, completed, short_repr
from icetable.core.realtime import RealTimeGame
from icetable.core.turns import TurnGame, TurnState
from icetable.kernels import jit
from icetable.kernels.layout import CHANCE, TURN, shares_of
from icetable.lab.players import Own, check_player, maker, own_players, player, with_labels
from icetable.workshop.playing import PlainGame

if TYPE_CHECKING:
    from icetable.bots.players import Player
    from icetable.core.game import Game, GameInfo
    from icetable.lab.players import Chooser


MAX_PERMUTED = 4
"""Maximum number of players for which all seatings are played; with more, players only rotate."""
OPENING_ACTS_PER_SEAT = 2
"""Default number of random acts per seat at the start of a game that chance does not start."""
MIN_BLOCKS_PER_BATCH, MAX_BLOCKS_PER_BATCH = 10, 400
MAX_SIMULATIONS_PER_BATCH = 20_000
"""Limits the size of a batch, counting one decision per block."""
FORMAT_VERSION = 1
"""Version of the rows. Runs of another version can't be continued."""
NO_CHOOSERS: Mapping[str, Chooser] = {}
PARTS = ("game", "options", "seats", "blocks", "seed", "opening")
ACT_SEPARATOR = "\n"
MAX_GAME_ACTS = MAX_PLAYOUT_ACTS
"""Maximum length of a game, in acts of players. It is broken off then, and shared by all seats."""
CHANCE_PER_ACT = 10
"""Number of acts of chance per act of a player after which a game is broken off too."""
UNFINISHED = "unfinished"
"""Ending of a game that was broken off, instead of a rule."""
MAX_OPENING_DRAWS = 20
"""Maximum number of draws for an opening that no other block has; halved whenever none is found."""


class Plan:
    """What a run plays. Equal plans give equal rows, byte for byte, on any machine and any number of workers.

    A *block* is the independent unit: one opening and one chance seed, played once with each distinct order of the
    players over the seats (with more than four players: each rotation). `blocks`: the number of blocks.

    `game`: a game or its name. `players`, `options`: the options of the game; by default a game keeps its own.

    `seats`: the players, by name as `icetable lab --help` lists them, or as a `Chooser`, which results call by its
    `__name__`; a single player fills all seats. Plans with choosers are equal if they have the same objects, as no text
    describes a chooser completely. `opening`: the number of random acts at the start, by default two per seat, or none
    if chance acts first. `seed`: two plans with the same seed share openings and chance.

    Raises GameError for a value that is not allowed, and says which ones are.

    >>> from icetable.lab import Plan
    >>> plan = Plan("squad", seats=["sims:100", "greedy"], blocks=50, seed=7)
    >>> plan.orders
    ((0, 1), (1, 0))
    >>> plan.opening, plan.games
    (4, 100)
    """

    def __init__(
        self,
        game: Game | GameInfo | str | type,
        players: int | None = None,
        options: Mapping[str, Any] | None = None,
        seats: Sequence[str | Chooser] = ("random",),
        blocks: int = 100,
        seed: int = 0,
        opening: int | None = None,
    ) -> None:
        self.game: Game = games.with_options(game, **_options_of(options, players))
        check_whole("blocks", blocks, 1)
        check_whole("seed", seed, 0)
        self.seats: tuple[str, ...]
        self.own: dict[str, Own]
        self.seats, self.own = self._seated(seats)
        self.blocks: int = int(blocks)
        self.seed: int = int(seed)
        if opening is None:
            opening = 0 if is_open_to_chance(self.game) else OPENING_ACTS_PER_SEAT * self.game.players
        check_whole("opening", opening, 0)
        if opening and not self.game.info.turns:
            raise GameError(f"{self.game.info.title} has no turns, and no openings")
        self.opening: int = int(opening)

    def _seated(self, seats: Sequence[str | Chooser]) -> tuple[tuple[str, ...], dict[str, Own]]:
        """The name of each player, and the choosers by name. Raises GameError."""
        if not isinstance(seats, list | tuple) or len(seats) not in (1, self.game.players):
            raise GameError(f"seats is one player or {self.game.players} of them, not {short_repr(seats)}")
        seats = with_labels(seats)
        own = own_players(self.game, seats)
        names = [seat if isinstance(seat, str) else Own(seat).name for seat in seats]
        for name in names:
            if name not in own:
                check_player(self.game, name)
        return tuple(names) * (self.game.players // len(names)), own

    def player(self, number: int) -> Player:
        """A player of a game of turns, by its number."""
        name = self.seats[number]
        return self.own[name] if name in self.own else player(self.game, name)

    @functools.cached_property
    def orders(self) -> tuple[tuple[int, ...], ...]:
        """The distinct orders of the players: `order[seat]` is a player's number. Equal players are not exchanged."""
        numbers = range(len(self.seats))
        if len(self.seats) <= MAX_PERMUTED:
            all_orders = list(itertools.permutations(numbers))
        else:
            all_orders = [tuple((seat + shift) % len(self.seats) for seat in numbers) for shift in numbers]
        by_names = {tuple(self.seats[player] for player in order): order for order in reversed(all_orders)}
        return tuple(sorted(by_names.values()))

    @property
    def games(self) -> int:
        """The number of games."""
        return self.blocks * len(self.orders)

    @property
    def batch(self) -> int:
        """The number of blocks per batch, which are played and written together: more of faster players and games."""
        if not isinstance(self.game, TurnGame) or isinstance(self.game, PlainGame):
            return MIN_BLOCKS_PER_BATCH
        slowest = max(self.player(number).simulations for number in range(len(self.seats)))
        return max(MIN_BLOCKS_PER_BATCH, min(MAX_SIMULATIONS_PER_BATCH // slowest, MAX_BLOCKS_PER_BATCH))

    @property
    def batches(self) -> int:
        """The number of batches."""
        return -(-self.blocks // self.batch)

    def blocks_of(self, batch: int) -> range:
        """The blocks of a batch."""
        return range(batch * self.batch, min((batch + 1) * self.batch, self.blocks))

    def described(self) -> dict[str, Any]:
        """The plan as a JSON-able dict; choosers only by name."""
        return {
            "form": FORMAT_VERSION,
            "game": self.game.info.name,
            "options": dict(self.game.options),
            "seats": list(self.seats),
            "blocks": self.blocks,
            "seed": self.seed,
            "opening": self.opening,
        }

    @classmethod
    def of(
        cls, described: Mapping[str, Any], own: Mapping[str, Chooser] = NO_CHOOSERS, brought: GameInfo | None = None
    ) -> Plan:
        """The inverse of `described`, with choosers by name, and the external game if it is known.

        Raises GameError.
        """
        if not isinstance(described, dict) or described.keys() != {"form", *PARTS}:
            raise GameError(f"this is no plan: {short_repr(described)}")
        if described["form"] != FORMAT_VERSION:
            raise GameError(
                f"this plan has form {short_repr(described['form'])}, which another version of icetable reads"
            )
        parts = {name: described[name] for name in PARTS}
        info = games.info(parts["game"]) if brought is None or brought.name != parts["game"] else brought
        parts["game"] = info
        if isinstance(parts["options"], dict):
            parts["options"] = completed(info.options, parts["options"])
        if own and isinstance(parts["seats"], list):
            parts["seats"] = [own.get(name, name) for name in parts["seats"]]
        return cls(**parts)

    def changed(self, **parts: Any) -> Plan:
        """A copy with some parts of `described` replaced. Raises GameError."""
        return Plan.of({**self.described(), **parts}, self.choosers, self.brought)

    @property
    def brought(self) -> GameInfo | None:
        """The game, if it is external: its name may be that of another one."""
        return self.game.info if self.game.info.source else None

    @property
    def choosers(self) -> dict[str, Chooser]:
        """The choosers by name."""
        return {name: player.function for name, player in self.own.items()}

    @property
    def key(self) -> str:
        """A short hash of the plan without its number of blocks, since a run can be extended."""
        words = {name: value for name, value in self.described().items() if name != "blocks"}
        return hashlib.sha256(json.dumps(words, sort_keys=True).encode()).hexdigest()[:16]

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Plan)
            and self.game == other.game
            and self.described() == other.described()
            and self.choosers == other.choosers
        )

    def __hash__(self) -> int:
        return hash((self.game, self.key))

    def __reduce__(self) -> tuple[Any, ...]:
        return Plan.of, (self.described(), self.choosers, self.brought)

    def __repr__(self) -> str:
        words = ", ".join(
            f"{name}={value!r}" for name, value in self.described().items() if name not in ("form", "game")
        )
        return f"Plan({self.game.info.reference!r}, {words})"


def _options_of(options: object, players: int | None) -> dict[str, Any]:
    """The options with the number of players. Raises BadOption."""
    values = {} if options is None else options
    if not isinstance(values, Mapping) or not all(isinstance(name, str) for name in values):
        raise BadOption(f"options are values by name, not {short_repr(options)}")
    return {**values} | ({} if players is None else {"players": players})


def is_open_to_chance(game: Game) -> bool:
    """Whether games between the same players differ without an opening: chance acts first, or there are no turns.

    If chance only decides at the end, the same players would repeat one game. With too many outcomes to list, a first
    act of chance only announces what it will decide about, and games would be nearly the same too.
    """
    if not isinstance(game, TurnGame):
        return True
    start = game.start()
    return start.actor == CHANCE and bool(start.codes())


def seed_of(*key: int | str) -> int:
    """A seed for `jit.draw` and for generators; different keys give independent seeds.

    >>> seed_of(7, 0, "die", 3, 0) == seed_of(7, 0, "die", 3, 0) != seed_of(7, 0, "die", 4, 0)
    True
    """
    digest = hashlib.blake2b(repr(key).encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big") % (jit.SEED_LIMIT - 1) + 1


class Row(NamedTuple):
    """A game that was played."""

    block: int
    """The number of its block."""
    game: int
    """Its number in the block."""
    players: list[int]
    """The number of the player at each seat."""
    opening: str
    """A hash of the position after the opening; empty without one."""
    shares: list[float]
    """The share of the game of each seat; several winners share 1 equally."""
    points: list[int]
    """The points of each seat."""
    turns: int
    """The number of turns; the players' acts if the game has no turns."""
    ended_by: str
    """The id of the rule that ended it, or UNFINISHED."""
    seats: list[int]
    """The seat of each act of the log; -1 for chance."""
    choices: list[int]
    """The number of legal acts at each act of the log; 0 for chance and in a game without turns."""
    times: list[int]
    """The time of each act of the log in milliseconds; empty in a game of turns."""
    log: str
    """The acts, with ACT_SEPARATOR between them."""


def share_of_first(row: Row) -> float:
    """The share of a plan's first player, whatever its seat."""
    return row.shares[row.players.index(0)]


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
    """The player that is asked."""
    state: TurnState
    """The position."""
    seed: int
    """The seed of the player's random choices."""


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
        for asked_player, questions in asked.items():
            acts = asked_player.choose_many([one.state for _, one in questions], [one.seed for _, one in questions])
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
