"""A player that sees one act ahead: it wants to lead as far as it can, were the numbers shown after its act."""

from __future__ import annotations

import random
from collections.abc import Mapping
from statistics import mean
from typing import Any

from icetable import Action, State
from icetable.core.turns import TurnState
from icetable.games.highrise.compiled import CompiledHighRise
from icetable.games.highrise.game import COLOURS


def greedy(state: State, seat: int, seed: int) -> Action:
    """One of the acts after which the seat leads most by what the numbers are on average, all equally likely."""
    leads = {act: lead(state.apply(act), seat) for act in state.legal_actions(seat)}
    most = max(leads.values())
    return random.Random(seed).choice([act for act in leads if leads[act] == most])


def lead(state: State, seat: int) -> float:
    """How far a seat would lead if the average number lay under every tower (HR-9)."""
    assert isinstance(state, TurnState)
    game = state.game
    assert isinstance(game, CompiledHighRise)
    number = 3.5 if game.design.values == "dice" else mean(game.design.values)
    total = 0.0
    stacks: Mapping[str, Any] = game.table_of(state.array).stacks
    for tower in stacks.values():
        pips = [sum(piece.pips for piece in tower if piece.colour in COLOURS[one]) for one in (seat, 1 - seat)]
        if pips[0] > pips[1]:
            total += pips[1] + number
        elif pips[0] < pips[1]:
            total -= pips[0] + number
    return total
