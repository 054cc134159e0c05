"""What a run plays: a game, its players, and the number of games and their openings."""

from __future__ import annotations

import functools
import hashlib
import itertools
import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from icetable import games
from icetable.core.errors import BadOption, GameError
from icetable.core.numbers import check_whole
from icetable.core.options import completed, short_repr
from icetable.core.turns import TurnGame
from icetable.kernels.layout import CHANCE
from icetable.lab.agents import told_apart
from icetable.lab.players import Own, check_player, own_players, player
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
        seats = told_apart(seats)
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
