"""What the opponents of a learner play, many games at a time."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

import numpy as np

from icetable.bots import Bot, levels
from icetable.bots.many import choose_many
from icetable.bots.players import VERSIONED, Forgetful, Player, Searcher, player_named, player_names
from icetable.core.errors import GameError
from icetable.core.options import short_repr
from icetable.core.turns import determinized

if TYPE_CHECKING:
    from icetable.core.turns import TurnGame
    from icetable.envs.batch import Batch
    from icetable.envs.league import Policy
    from icetable.kernels.jit import Ints

RANDOM = "random"
SEED_LIMIT = 2**31


def check_member(game: TurnGame, member: object) -> None:
    """Raise GameError for what is no opponent."""
    if callable(member) or (isinstance(member, str) and (named(game, member) or member in _by_the_clock(game))):
        return
    if member == "self":
        raise GameError(
            "opponent can't be 'self': one reward for all seats teaches that a loss of others is one's own; "
            "play against copies, League(Frozen(model)), or all seats of a Batch"
        )
    names = [*player_names(game), *_by_the_clock(game)]
    raise GameError(
        f"opponent can't be {short_repr(member)}; allowed: a function, a League or "
        f"{', '.join(map(repr, names))}; {VERSIONED}"
    )


def answer(member: str | Policy, batch: Batch, rows: Ints, rng: np.random.Generator) -> Ints:
    """The actions of an opponent in some rows, where it is to act. Raises GameError where one is illegal."""
    if callable(member):
        return _ask(member, batch, rows, rng)
    if member == RANDOM:
        return batch.pick(_only(batch, rows))[rows]
    player, game = named(batch.game, member), batch.game
    seeds = rng.integers(1, SEED_LIMIT, size=len(rows))
    memory = player.memory if isinstance(player, Forgetful) else None
    searcher = player.free if isinstance(player, Forgetful) else player
    if game.info.is_plain or not isinstance(searcher, Searcher):
        each = zip(rows.tolist(), seeds.tolist(), strict=True)
        return np.array([_ask_one(player, member, batch, row, seed) for row, seed in each])
    positions = batch.positions(_only(batch, rows))
    if hides(game):
        for number, seed in enumerate(seeds):
            positions[number] = game.determinize(positions[number], memory, np.random.default_rng(seed))
    return choose_many(
        game, positions, seeds, searcher.effort, searcher.style, min(batch.threads, len(rows)), batch.side_by_side
    )


@functools.lru_cache(maxsize=64)
def named(game: TurnGame, name: str) -> Player | None:
    """The player of this name that looks at no clock, if there is one."""
    return player_named(game, name)


@functools.lru_cache(maxsize=64)
def hides(game: TurnGame) -> bool:
    """Whether players have to remember what was played."""
    return game.has_secrets


def _by_the_clock(game: TurnGame) -> list[str]:
    """The levels that think as long as the clock lets them."""
    return [level.name for level in levels(game) if not named(game, level.name)]


def _only(batch: Batch, rows: Ints) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """The rows as a mask."""
    which = np.zeros(batch.n, np.bool_)
    which[rows] = True
    return which


def _ask_one(player: Player | None, level: str, batch: Batch, row: int, seed: int) -> int:
    """The action of a player, or else of the bot of a level."""
    state = determinized(batch.state(row), None, seed)
    if player is None:
        return batch.space.number(Bot(batch.game, level, seed).choose(state, state.actor))
    return batch.space.number(player.choose(state, seed))


def _ask(policy: Policy, batch: Batch, rows: Ints, rng: np.random.Generator) -> Ints:
    """The actions of a function. Raises GameError where one is illegal."""
    batch.look(np.where(_only(batch, rows), batch.actor, -1))
    masks = batch.mask[rows]
    given = np.asarray(policy(batch.observation[rows], masks.copy(), rng))
    if given.shape != (len(masks),) or not np.issubdtype(given.dtype, np.integer):
        raise GameError(f"the opponent has to give {len(masks)} whole numbers, not {short_repr(given)}")
    if given.min() < 0 or given.max() >= masks.shape[1] or not masks[np.arange(len(masks)), given].all():
        raise GameError(f"the opponent has played an illegal action: {short_repr(given.tolist())}")
    return given
