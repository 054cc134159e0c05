"""Games played again in a second process, whose hashes of texts differ: sets iterate in another order there.

The other process runs this module. It reads games, pickled with their info, and writes the deviations as JSON.
"""

from __future__ import annotations

import functools
import hashlib
import json
import os
import pickle
import subprocess
import sys
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, NamedTuple

from icetable.core.errors import GameError
from icetable.workshop.playing import PlainGame
from icetable.workshop.saving import table_to_json

if TYPE_CHECKING:
    from icetable.core.turns import TurnState
    from icetable.workshop.files import WorkshopInfo

MAX_SECONDS = 60.0
HASH_SEEDS = "1", "2"
"""A set of two texts has the same order in half of all processes, so games are played again in more than one."""


class ReplayedGame(NamedTuple):
    """A game: its options, its acts, and digests of its positions, the first one before any act."""

    options: Mapping[str, Any]
    acts: Sequence[str]
    digests: Sequence[str]


class Deviation(NamedTuple):
    """The first position of a game that is not the same elsewhere: its number, and what it is there, or what failed."""

    game: int
    position: int
    there: dict[str, Any] | str


def described(state: TurnState) -> dict[str, Any]:
    """All that a state says of its position; the order of the pieces on a pad does not matter."""
    game: Any = state.game
    table = game.table_of(state.array)
    acts = [] if table._several else sorted(map(str, state.legal_actions()))
    return {
        **table_to_json(table),
        "pad": [sorted(map(str, pad)) for pad in table.pad],
        "to_act": sorted(state.to_act),
        "ended_by": state.ended_by,
        "winners": sorted(state.winners),
        "scores": list(state.scores),
        "legal acts": acts,
    }


def with_effects(state: TurnState) -> dict[str, Any]:
    """What must be the same in every process, which includes the order of effects."""
    return {**described(state), "effects": list(map(str, state.effects))}


def digest(state: TurnState) -> str:
    return hashlib.sha256(json.dumps(_sorted_dicts(with_effects(state)), default=str).encode()).hexdigest()


def _sorted_dicts(value: Any) -> Any:
    """A value with the pairs of its dicts sorted: a game that only looks them up doesn't depend on their order."""
    if isinstance(value, dict):
        return {
            key: sorted(map(_sorted_dicts, one), key=repr) if key == "dict" else _sorted_dicts(one)
            for key, one in sorted(value.items())
        }
    return list(map(_sorted_dicts, value)) if isinstance(value, list | tuple) else value


def deviations_elsewhere(info: WorkshopInfo, games: Sequence[ReplayedGame]) -> list[Deviation]:
    """How games differ in other processes; empty for a class that other processes can't import."""
    try:
        task = pickle.dumps((info, [tuple(game) for game in games]))
    except (pickle.PicklingError, AttributeError, TypeError):
        return []
    with ThreadPoolExecutor(len(HASH_SEEDS)) as pool:
        answers = pool.map(functools.partial(_ask, task), HASH_SEEDS)
    return [Deviation(*one) for answer in answers for one in answer]


def _ask(task: bytes, hash_seed: str) -> list[Any]:
    """The deviations that a new process finds; none if it can't be run in time."""
    environment = os.environ | {"PYTHONHASHSEED": hash_seed, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    command = [sys.executable, "-m", "icetable.workshop.elsewhere"]
    try:
        done = subprocess.run(  # noqa: S603 (this interpreter, with this module)
            command, input=task, capture_output=True, env=environment, timeout=MAX_SECONDS, check=True
        )
    except (OSError, subprocess.SubprocessError):
        return []
    answer: list[Any] = json.loads(done.stdout)
    return answer


def _deviations(info: WorkshopInfo, games: Sequence[Sequence[Any]]) -> list[Deviation]:
    """The deviations of games in this process."""
    found = []
    for number, (options, acts, digests) in enumerate(games):
        position = 0
        try:
            loaded: Any = info.load(**options)
            state = PlainGame(info, dict(loaded.options), loaded.design).start()
            for position, expected in enumerate(digests):
                if position:
                    state = state.apply(acts[position - 1])
                if digest(state) != expected:
                    found.append(Deviation(number, position, with_effects(state)))
                    break
        except GameError as error:
            found.append(Deviation(number, position, str(error)))
    return found


if __name__ == "__main__":
    answer = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # whatever games print, and however
    json.dump(_deviations(*pickle.load(sys.stdin.buffer)), answer)  # noqa: S301 (from the process that started this)
    answer.close()
