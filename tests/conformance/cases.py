"""Cases of the suite: every registered game under many sets of options, and positions of each."""

from __future__ import annotations

import copy
import functools
import json
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import icetable
from icetable import BadOption, Game, GameInfo, Option, State
from icetable.core.game import FORMAT_VERSION
from icetable.core.turns import TurnGame, TurnState
from tests.conformance.material import material

LONGEST_WALK = 300
STATES_OF_A_WALK = 7
TEXTS_OF_A_STATE = 30


@dataclass(frozen=True)
class Case:
    """A game under one set of options; `label` names what is not as usual."""

    name: str
    label: str
    game: Game

    def __str__(self) -> str:
        return f"{self.name}-{self.label}"

    def rng(self, salt: int = 0) -> np.random.Generator:
        """A source of random numbers, the same whenever the case is run."""
        return np.random.default_rng([zlib.crc32(str(self).encode()), salt])


def option_sets(info: GameInfo) -> Iterator[dict[str, Any]]:
    """Every number of players, every preset, the sets of the material, and by itself what none of these has.

    That is each value of an option that has few values, else the extremes.
    """
    least, most = info.players
    together = material(info.name).option_sets
    yield from ({"players": players} for players in range(least, most + 1))
    yield from ({"preset": preset} for preset in info.presets)
    yield from together
    had = [options.items() for options in (*info.presets.values(), *together)]
    for option in info.options:
        for value in notable_values(option):
            if not any((option.name, value) in items for items in had):
                yield {option.name: value}


def notable_values(option: Option) -> tuple[Any, ...]:
    """The values of an option that are worth a case of their own."""
    if option.choices:
        return option.choices
    if option.kind == "bool":
        return (False, True)
    return tuple(bound for bound in (option.least, option.most) if bound is not None)


def cases_of(info: GameInfo) -> Iterator[Case]:
    """A case for each set of options that the game takes, sets that come to the same but once."""
    known = set()
    for options in option_sets(info):
        try:
            game = info.load(**options)
        except BadOption:  # a value that goes only with another: `test_options` sees that it is not forgotten
            continue
        if game not in known:
            known.add(game)
            yield Case(info.name, label(options), game)


def label(options: dict[str, Any]) -> str:
    """A name for a set of options, fit for a file."""
    words = [f"{name}-{value}" for name, value in options.items()]
    return "-".join("".join(letter if letter.isalnum() else "-" for letter in word) for word in words)


CASES = tuple(case for info in icetable.list_games() for case in cases_of(info))
TURN_CASES = tuple(case for case in CASES if isinstance(case.game, TurnGame))
INFOS = icetable.list_games()

each_case = pytest.mark.parametrize("case", CASES, ids=str)
each_turn_case = pytest.mark.parametrize("case", TURN_CASES, ids=str)
each_game = pytest.mark.parametrize("info", INFOS, ids=lambda info: info.name)


@functools.cache
def walk(case: Case) -> State:
    """Where a random game has ended, or come to after LONGEST_WALK acts."""
    rng, state = case.rng(), case.game.start()
    for _ in range(LONGEST_WALK):
        if state.is_terminal:
            break
        state = material(case.name).step(state, rng)
    return state


def differences(state: State, other: State) -> object:
    """The differences of two states that should be equal, for people to read."""
    if isinstance(state, TurnState) and isinstance(other, TurnState):
        return state.game.rules.WORDS.differences(state.position, other.position)
    return state.to_json(), other.to_json()


def set_up(game: Game, position: Any) -> State:
    """The state of a position that is described as `State.to_json` does."""
    saved = {"icetable": FORMAT_VERSION, "game": game.info.name, "options": game.options, "position": position}
    return game.from_json(json.dumps(saved))


def changed(position: Any, path: str, value: Any) -> Any:
    """A described position with one entry changed: "stacks.b1" is the stack on b1."""
    position = copy.deepcopy(position)
    *way, last = [int(word) if word.isdecimal() else word for word in path.split(".")]
    part = position
    for step in way:
        part = part[step]
    part[last] = value
    return position


@functools.cache
def states(case: Case) -> tuple[State, ...]:
    """States of the random game from first to last, and the set-ups."""
    history = list(walk(case).history())
    picked = sorted({round(part * (len(history) - 1) / (STATES_OF_A_WALK - 1)) for part in range(STATES_OF_A_WALK)})
    sampled = (history[index] for index in picked)
    return (*sampled, *(set_up(case.game, position) for position in material(case.name).set_ups(case.game)))


def some_states(case: Case) -> tuple[State, ...]:
    """Every other state, those between in the next case: for what hardly depends on options."""
    return states(case)[CASES.index(case) % 2 :: 2]


@functools.cache
def texts(case: Case) -> tuple[str, ...]:
    """All well-formed texts worth trying in any position."""
    seen = {str(state.act) for state in walk(case).history() if state.act is not None}
    legal = {str(act) for state in states(case) for seat in state.to_act for act in acts(state, seat)}
    return tuple(sorted(seen | legal | set(material(case.name).well_formed(case.game))))


def some_texts(case: Case, number: int, most: int = TEXTS_OF_A_STATE) -> tuple[str, ...]:
    """About `most` of the texts, others at each number."""
    stride = max(1, len(texts(case)) // most)
    return texts(case)[number % stride :: stride]


def again(state: State, later: State) -> State:
    """`state` after the act that led to `later`, at the same time."""
    assert later.act is not None
    return state.apply(later.act, later.seat, None if later.at is None else later.at / 1000)


def askers(state: State) -> list[int | None]:
    """For whom acts are judged: nobody named where one seat is to act at most, else each that may."""
    return [None] if len(state.to_act) <= 1 else [*sorted(state.to_act)]


def acts(state: State, seat: int) -> list[icetable.Action]:
    """The legal acts of a seat, none where they can't be listed."""
    if seat == icetable.CHANCE and not outcomes_can_be_listed(state):
        return []
    return state.legal_actions(seat)


def outcomes_can_be_listed(state: State) -> bool:
    """Whether `chance_outcomes` lists them."""
    try:
        state.chance_outcomes()
    except icetable.GameError:
        return False
    return True
