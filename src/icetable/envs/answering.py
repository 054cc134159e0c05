"""The actions of a learner's opponents, for many games at a time."""

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
from icetable.envs.models import Model

if TYPE_CHECKING:
    from icetable.core.turns import TurnGame
    from icetable.envs.batch import Batch
    from icetable.envs.league import Policy
    from icetable.kernels.jit import Ints

RANDOM = "random"
SEED_LIMIT = 2**31


def check_member(game: TurnGame, member: object) -> None:
    """Raise GameError if `member` is not a valid opponent."""
    if isinstance(member, Model):
        member.check(game)
    if callable(member) or (
        isinstance(member, str) and (clockless_player(game, member) or member in _clocked_levels(game))
    ):
        return
    if member == "self":
        raise GameError(
            "opponent can't be 'self': one reward for all seats teaches that a loss of others is one's own; "
            "play against copies, League(Frozen(model)), or all seats of a Batch"
        )
    names = [*player_names(game), *_clocked_levels(game)]
    raise GameError(
        f"opponent can't be {short_repr(member)}; allowed: a function, a League or "
        f"{', '.join(map(repr, names))}; {VERSIONED}"
    )


def answer(member: str | Policy, batch: Batch, rows: Ints, rng: np.random.Generator) -> Ints:
    """The actions of an opponent in the rows where it is to act. Raises GameError if one is illegal."""
    if callable(member):
        return _call_policy(member, batch, rows, rng)
    if member == RANDOM:
        return batch.pick(_row_mask(batch, rows))[rows]
    player, game = clockless_player(batch.game, member), batch.game
    seeds = rng.integers(1, SEED_LIMIT, size=len(rows))
    memory = player.memory if isinstance(player, Forgetful) else None
    searcher = player.player if isinstance(player, Forgetful) else player
    if game.info.is_plain or not isinstance(searcher, Searcher):
        each = zip(rows.tolist(), seeds.tolist(), strict=True)
        return np.array([_choose_one(player, member, batch, row, seed) for row, seed in each])
    positions = batch.positions(_row_mask(batch, rows))
    if has_secrets(game):
        for number, seed in enumerate(seeds):
            positions[number] = game.determinize(positions[number], memory, np.random.default_rng(seed))
    return choose_many(
        game, positions, seeds, searcher.effort, searcher.style, min(batch.threads, len(rows)), batch.side_by_side
    )


@functools.lru_cache(maxsize=64)
def clockless_player(game: TurnGame, name: str) -> Player | None:
    """The player of this name, or None if there is none or it plays by the clock."""
    return player_named(game, name)


@functools.lru_cache(maxsize=64)
def has_secrets(game: TurnGame) -> bool:
    return game.has_secrets


def _clocked_levels(game: TurnGame) -> list[str]:
    """The levels whose thinking time depends on the clock."""
    return [level.name for level in levels(game) if not clockless_player(game, level.name)]


def _row_mask(batch: Batch, rows: Ints) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    which = np.zeros(batch.n, np.bool_)
    which[rows] = True
    return which


def _choose_one(player: Player | None, level: str, batch: Batch, row: int, seed: int) -> int:
    """The action of a player, or of the level's bot if `player` is None."""
    state = determinized(batch.state(row), None, seed)
    if player is None:
        return batch.space.number(Bot(batch.game, level, seed).choose(state, state.actor))
    return batch.space.number(player.choose(state, seed))


def _call_policy(policy: Policy, batch: Batch, rows: Ints, rng: np.random.Generator) -> Ints:
    """The actions that a function chooses. Raises GameError if one is illegal."""
    batch.look(np.where(_row_mask(batch, rows), batch.actor, -1))
    masks = batch.mask[rows]
    given = np.asarray(policy(batch.observation[rows], masks.copy(), rng))
    if given.shape != (len(masks),) or not np.issubdtype(given.dtype, np.integer):
        raise GameError(f"the opponent must return {len(masks)} whole numbers, not {short_repr(given)}")
    if given.min() < 0 or given.max() >= masks.shape[1] or not masks[np.arange(len(masks)), given].all():
        raise GameError(f"the opponent has played an illegal action: {short_repr(given.tolist())}")
    return given
