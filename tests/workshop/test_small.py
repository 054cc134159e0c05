"""The small members of families: their exact values, as the docs tell them, by trying everything."""

from __future__ import annotations

import functools
import json
import re
from pathlib import Path
from typing import Any

import pytest

import icetable
from icetable.core.game import CHANCE
from icetable.games.highrise.game import account
from icetable.games.small import SmallHighRise, SmallIceFrogs
from icetable.kernels.layout import shares_of
from icetable.workshop import Game
from icetable.workshop.playing import WorkshopGame

PAGE = (Path(__file__).parents[2] / "docs" / "environments.md").read_text(encoding="utf-8")
TABLE = dict(re.findall(r"^\| `(Small.*?)` \|.*\| (.*?) \|$", PAGE, re.MULTILINE))
"""The figures in the docs of each game with its options."""


def small(text: str) -> Any:
    name, _, options = text.partition(", ")
    given = {key: json.loads(value) for key, value in re.findall(r"(\w+)=(\[.*?\]|\w+)", options)}
    return icetable.load({"SmallHighRise": SmallHighRise, "SmallIceFrogs": SmallIceFrogs}[name], **given)


@pytest.mark.parametrize("text", [text for text in TABLE if "HighRise" in text])
def test_small_high_rise(text: str) -> None:
    game = small(text)
    assert isinstance(game, WorkshopGame)
    assert f"{share_of_first(game, game.start(), {}):.4f}" == TABLE[text]


def share_of_first(game: WorkshopGame, state: Any, known: dict[Any, float]) -> float:
    """The share of seat 0 in best play; squares that stand alike count as one, as it does not matter where they lie."""
    if state.is_terminal:
        return shares_of(state.winners, 2)[0]
    table = game.table_of(state.position)
    pips = [account(table.stack(space), None).counts for space in table.spaces]
    key = state.actor, str(pips if table.dealt else sorted(pips)), str(table.pad), str(table.dealt)
    if key not in known:
        if state.actor == CHANCE:
            outcomes = state.chance_outcomes()
            known[key] = sum(odds * share_of_first(game, state.apply(act), known) for act, odds in outcomes)
        else:
            shares = [share_of_first(game, state.apply(act), known) for act in state.legal_actions()]
            known[key] = max(shares) if state.actor == 0 else min(shares)
    return known[key]


@pytest.mark.parametrize("text", [text for text in TABLE if "IceFrogs" in text])
def test_small_icefrogs(text: str) -> None:
    game = small(text)
    moves, worth = graph_of_icefrogs()
    start, *_ = moves
    for _ in range(game.options["turn_limit"]):
        worth = {at: worth[at] if not after else max(-worth[there] for there in after) for at, after in moves.items()}
    assert f"{(1 + worth[start]) / 2:.4f}" == TABLE[text]


@functools.cache
def graph_of_icefrogs() -> tuple[dict[str, list[str]], dict[str, int]]:
    """For all positions, whenever they come: which ones may follow, and what they are worth to the seat to act."""
    game = small("SmallIceFrogs, turn_limit=0")

    def key(state: Any) -> str:
        table = game.table_of(state.position)
        return str((state.actor, [table.stack(space) for space in table.spaces], table.pad))

    found = {key(game.start()): game.start()}
    moves: dict[str, list[str]] = {}
    worth = {}
    waiting = list(found)
    for at in waiting:  # which grows
        state = found[at].without_history()
        later = {} if state.is_terminal else {key(after): after for after in map(state.apply, state.legal_actions())}
        moves[at] = list(later)
        worth[at] = 0 if not state.is_terminal or len(state.winners) > 1 else -1  # the last to act has won
        waiting += [after for after in later if after not in found]
        found |= {after: later[after] for after in later if after not in found}
    return moves, worth


@pytest.mark.parametrize("design", [SmallHighRise, SmallIceFrogs])
def test_openspiel_takes_them(design: type[Game]) -> None:
    pyspiel = pytest.importorskip("pyspiel")
    from icetable.envs import openspiel

    info = icetable.games.info_of(design)
    openspiel.register(info)
    pyspiel.random_sim_test(pyspiel.load_game(f"python_icetable_{info.name}"), 1, False, False)
