"""Effects: every kind that a game's `look` or module `view` declares occurs, and no other.

They are looked for in random games, one of every case and one from every set-up of two of them, and in the eventful
games of a game's material.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import get_args, get_type_hints

import msgspec

from icetable import Effect, GameInfo, State
from icetable.workshop.files import WorkshopInfo
from tests.conformance.cases import CASES, Case, each_game, set_up, walk
from tests.conformance.material import declared, material

SET_UP = 2
LONGEST_WALK = 60


@each_game
def test_every_kind_of_effect_occurs_as_it_is_declared(info: GameInfo) -> None:
    effects = {effect for end in ends(info) for state in end.history() for effect in state.effects}
    if isinstance(info, WorkshopInfo):
        assert {effect.kind for effect in effects} == set(info.design.look.own_effects)
        return
    for effect in effects:
        check(effect)
    assert {type(effect) for effect in effects} == set(get_args(declared(info.name).AnyEffect))


def check(effect: Effect) -> None:
    """See that an effect is what its class says."""
    hints = get_type_hints(type(effect))
    for name in ("kind", "spaces", "value"):
        assert msgspec.convert(getattr(effect, name), hints[name]) == getattr(effect, name)


def ends(info: GameInfo) -> Iterator[State]:
    """Where the random games of a game have come to."""
    for number, case in enumerate(case for case in CASES if case.name == info.name):
        yield walk(case)
        for position in material(case.name).set_ups(case.game) if number < SET_UP else ():
            yield played(case, set_up(case.game, position))
    yield from material(info.name).eventful()


def played(case: Case, state: State) -> State:
    """The end of random play from a state, or where it is after LONGEST_WALK acts."""
    rng = case.rng()
    for _ in range(LONGEST_WALK):
        if state.is_terminal:
            break
        state = material(case.name).step(state, rng)
    return state
