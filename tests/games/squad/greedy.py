"""A player that sees one act ahead: it wants to lead as far as it can after its act."""

from __future__ import annotations

import random

from icetable import Action, State


def greedy(state: State, seat: int, seed: int) -> Action:
    """One of the acts after which the seat leads most, all equally likely."""
    leads = {act: lead(state.apply(act), seat) for act in state.legal_actions(seat)}
    most = max(leads.values())
    return random.Random(seed).choice([act for act in leads if leads[act] == most])


def lead(state: State, seat: int) -> int:
    """By how many points a seat leads the best of the others as things stand (SQ-14)."""
    return state.scores[seat] - max(score for other, score in enumerate(state.scores) if other != seat)
