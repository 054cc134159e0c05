"""A player that sees one act ahead: it captures as many pyramids as it can, and else does anything."""

from __future__ import annotations

import random

from icetable import Action, State


def greedy(state: State, seat: int, seed: int) -> Action:
    """One of the acts after which the others have lost most, all equally likely."""
    lost = {act: sum(state.apply(act).view()["own"]["lost"]) for act in state.legal_actions(seat)}
    most = max(lost.values())
    return random.Random(seed).choice([act for act in lost if lost[act] == most])
