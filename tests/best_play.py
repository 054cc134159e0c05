"""Best play of two, by trying everything: slow, and knows nothing but the rules."""

from __future__ import annotations

import pytest

from icetable.analysis import analyse
from icetable.core.game import CHANCE
from icetable.core.turns import TurnState
from icetable.kernels.layout import shares_of


def worth(state: TurnState, seat: int, known: dict[bytes, float]) -> float:
    """A seat's share in best play. `known` keeps what was worked out for it before."""
    key = state.position.tobytes()
    if key not in known:
        known[key] = _worth(state, seat, known)
    return known[key]


def _worth(state: TurnState, seat: int, known: dict[bytes, float]) -> float:
    if state.is_terminal:
        return shares_of(state.winners, 2)[seat]
    if state.actor == CHANCE:
        return sum(odds * worth(state.apply(outcome), seat, known) for outcome, odds in state.chance_outcomes())
    worths = (worth(state.apply(act), seat, known) for act in state.legal_actions())
    return max(worths) if state.actor == seat else min(worths)


def solved(state: TurnState, simulations: int, known: dict[bytes, float]) -> bool:
    """Whether a search solves a position. All that it calls exact is compared with best play."""
    found = analyse(state, simulations=simulations)
    exact = [one for one in found.candidates if one.exact]
    for one in exact:
        assert one.worth[0] == pytest.approx(worth(state.apply(one.act), 0, known), abs=1e-12)
        assert sum(one.worth) == pytest.approx(1, abs=1e-12)
    if found.exact:
        assert found.worth[0] == pytest.approx(worth(state, 0, known), abs=1e-12)
        assert found.worth == found.candidates[0].worth
    else:
        assert len(exact) < len(found.candidates)
    return found.exact
