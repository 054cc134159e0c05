"""What a run plays: a game, its players, and how many games, from which openings."""

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
from icetable.lab.players import Own, check_player, own_players, player

if TYPE_CHECKING:
    from icetable.bots.players import Player
    from icetable.core.game import Game, GameInfo
    from icetable.lab.players import Chooser

MAX_PERMUTED = 4
"""The largest number of players that sit in all orders; more of them only rotate."""
OPENING_ACTS = 2
"""The random acts of each seat at the beginning of a game that chance does not begin, by default."""
MIN_BATCH, MAX_BATCH = 10, 400
"""The fewest and the most blocks of a batch."""
SIMULATIONS = 20_000
"""How many simulations a batch may cost, at one decision a block: it bounds the blocks of a batch."""
FORM = 1
"""The version of the rows: runs of another form can't be gone on with."""
NO_OTHERS: Mapping[str, Chooser] = {}
"""For plans whose players all have names."""
PARTS = ("game", "options", "seats", "blocks", "seed", "opening")


class Plan:
    """What a run plays. Equal plans give equal rows, byte for byte, wherever and by however many workers they run.

    A *block* is what is independent of all else: one opening and one seed of chance, played once with each order of
    the players over the seats that makes a difference (with more than four players: each rotation). `blocks`: how many.

    `game`: a game or its name. `options`: of the game, with `players` beside them; else a game keeps its own.

    `seats`: the players by name, as `icetable lab --help` lists them, or one's own, each a `Chooser`, which is called
    by its `__name__` in results; one player stands for all seats. Plans with players of one's own are told apart by
    these players themselves, so no text describes them whole. `opening`: the
    number of random acts at the beginning, by default two for each seat where chance does not act first, else none.
    `seed`: two plans with the same seed share openings and chance.

    Raises GameError where something is not allowed, with what is.

    >>> from icetable.lab import Plan
    >>> plan = Plan("squad", seats=["sims:100", "greedy"], blocks=50, seed=7)
    >>> plan.orders
    ((0, 1), (1, 0))
    >>> plan.opening, plan.games
    (4, 100)
    """

    def __init__(
        self,
        game: Game | str | type,
        players: int | None = None,
        options: Mapping[str, Any] | None = None,
        seats: Sequence[str | Chooser] = ("random",),
        blocks: int = 100,
        seed: int = 0,
        opening: int | None = None,
    ) -> None:
        self.game: Game = games.with_options(game, **_given(options, players))
        check_whole("blocks", blocks, 1)
        check_whole("seed", seed, 0)
        self.seats: tuple[str, ...]
        self.own: dict[str, Own]
        self.seats, self.own = self._seated(seats)
        self.blocks: int = int(blocks)
        self.seed: int = int(seed)
        if opening is None:
            opening = 0 if is_open_to_chance(self.game) else OPENING_ACTS * self.game.players
        check_whole("opening", opening, 0)
        if opening and not self.game.info.turns:
            raise GameError(f"{self.game.info.title} has no turns, and no openings")
        self.opening: int = int(opening)

    def _seated(self, seats: Sequence[str | Chooser]) -> tuple[tuple[str, ...], dict[str, Own]]:
        """The name of each player, and those of one's own by name. Raises GameError."""
        if not isinstance(seats, list | tuple) or len(seats) not in (1, self.game.players):
            raise GameError(f"seats is one player or {self.game.players} of them, not {short_repr(seats)}")
        own = own_players(self.game, seats)
        names = [one if isinstance(one, str) else Own(one).name for one in seats]
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
        """The orders in which the players sit: `order[seat]` is a player's number. Equal players change no places."""
        numbers = range(len(self.seats))
        if len(self.seats) <= MAX_PERMUTED:
            everyone = list(itertools.permutations(numbers))
        else:
            everyone = [tuple((seat + shift) % len(self.seats) for seat in numbers) for shift in numbers]
        by_names = {tuple(self.seats[player] for player in order): order for order in reversed(everyone)}
        return tuple(sorted(by_names.values()))

    @property
    def games(self) -> int:
        """The number of games."""
        return self.blocks * len(self.orders)

    @property
    def batch(self) -> int:
        """The number of blocks that are played and written together: the more, the quicker the players are."""
        if not isinstance(self.game, TurnGame):
            return MIN_BATCH
        slowest = max(self.player(number).simulations for number in range(len(self.seats)))
        return max(MIN_BATCH, min(SIMULATIONS // slowest, MAX_BATCH))

    @property
    def batches(self) -> int:
        """The number of batches."""
        return -(-self.blocks // self.batch)

    def blocks_of(self, batch: int) -> range:
        """The blocks of a batch."""
        return range(batch * self.batch, min((batch + 1) * self.batch, self.blocks))

    def described(self) -> dict[str, Any]:
        """The plan as JSON can hold it: players of one's own by their names alone."""
        return {
            "form": FORM,
            "game": self.game.info.name,
            "options": dict(self.game.options),
            "seats": list(self.seats),
            "blocks": self.blocks,
            "seed": self.seed,
            "opening": self.opening,
        }

    @classmethod
    def of(
        cls, described: Mapping[str, Any], own: Mapping[str, Chooser] = NO_OTHERS, brought: GameInfo | None = None
    ) -> Plan:
        """The plan that `described` gave, with players of one's own by name, and the game where its name is not enough.

        Raises GameError.
        """
        if not isinstance(described, dict) or described.keys() != {"form", *PARTS}:
            raise GameError(f"this describes no plan: {short_repr(described)}")
        if described["form"] != FORM:
            raise GameError(f"this plan is of form {short_repr(described['form'])}, which is read by another icetable")
        given = {name: described[name] for name in PARTS}
        if brought is not None:
            given["game"] = brought.load()
        elif isinstance(given["options"], dict):
            given["options"] = completed(games.info(given["game"]).options, given["options"])
        if own and isinstance(given["seats"], list):
            given["seats"] = [own.get(name, name) for name in given["seats"]]
        return cls(**given)

    def changed(self, **parts: Any) -> Plan:
        """The same plan but for some parts of `described`. Raises GameError."""
        return Plan.of({**self.described(), **parts}, self.choosers, self.brought)

    @property
    def brought(self) -> GameInfo | None:
        """The game, where it is a class that no name stands for."""
        info = self.game.info
        return None if any(info is one for one in games.list_games()) else info

    @property
    def choosers(self) -> dict[str, Chooser]:
        """The players of one's own, by name."""
        return {name: one.function for name, one in self.own.items()}

    @property
    def key(self) -> str:
        """A short hash of the plan without the number of its blocks: a run may be gone on with for more of them."""
        words = {name: value for name, value in self.described().items() if name != "blocks"}
        return hashlib.sha256(json.dumps(words, sort_keys=True).encode()).hexdigest()[:16]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Plan) and self.described() == other.described() and self.choosers == other.choosers

    def __hash__(self) -> int:
        return hash(self.key)

    def __reduce__(self) -> tuple[Any, ...]:
        return Plan.of, (self.described(), self.choosers, self.brought)

    def __repr__(self) -> str:
        words = ", ".join(
            f"{name}={value!r}" for name, value in self.described().items() if name not in ("form", "game")
        )
        return f"Plan({self.game.info.name!r}, {words})"


def _given(options: object, players: int | None) -> dict[str, Any]:
    """The options with the number of players. Raises BadOption."""
    given = {} if options is None else options
    if not isinstance(given, Mapping) or not all(isinstance(name, str) for name in given):
        raise BadOption(f"options are values by name, not {short_repr(options)}")
    return {**given} | ({} if players is None else {"players": players})


def is_open_to_chance(game: Game) -> bool:
    """Whether two games between the same players differ without an opening: chance acts first, or there are no turns.

    Where chance only decides in the end, players would play one game again and again until then. So they would, more or
    less, where it first tells all what it will decide about: with more outcomes than can be listed.
    """
    if not isinstance(game, TurnGame):
        return True
    start = game.start()
    return start.actor == CHANCE and bool(start.codes())
