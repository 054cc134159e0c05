"""The kinds of effects that each game sends, for the words and the landmarks of other languages: `effects.json`.

`python -m tests.vectors.effects` writes the file. The kinds are those that occur in random games: a few from the start,
one from every set-up of `tests/games/<name>/material.py`, and some of Icehouse led by the oracle, where attacks hit.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import icetable
from icetable import GameInfo, State
from tests.conformance.cases import CASES, Case, set_up
from tests.conformance.material import material
from tests.games.icehouse.product import game_of
from tests.games.icehouse.random_games import random_game

FILE = Path(__file__).with_suffix(".json")
WHOLE_GAMES = 3
LONGEST_WALK = 150
ROOMY = {"players": 2, "width": 12, "height": 12, "crash": "refuse", "call_pause": 0}
ICEHOUSE_GAMES: tuple[tuple[int, dict[str, Any]], ...] = ((0, {}), (1, {}), (2, {}), (3, ROOMY))
"""The seeds and the options; in few random games a call finds somebody, in the last of these one does."""


def text() -> str:
    """The whole file: a game a line."""
    lines = [f'"{info.name}": {json.dumps(kinds(info))}' for info in icetable.list_games()]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def kinds(info: GameInfo) -> list[str]:
    """The kinds of effects that occur in a game's random games."""
    return sorted({effect.kind for end in ends(info) for state in end.history() for effect in state.effects})


def ends(info: GameInfo) -> Iterator[State]:
    """Where the random games of a game have come to."""
    for number, case in enumerate(case for case in CASES if case.name == info.name):
        if number < WHOLE_GAMES:
            yield walk(case, case.game.start())
        for position in material(case.name).set_ups(case.game):
            yield walk(case, set_up(case.game, position))
    if info.name == "icehouse":
        yield from (led_by_the_oracle(seed, options) for seed, options in ICEHOUSE_GAMES)


def walk(case: Case, state: State) -> State:
    """The end of random play from a state, or where it is after LONGEST_WALK acts."""
    rng = case.rng()
    for _ in range(LONGEST_WALK):
        if state.is_terminal:
            break
        state = material(case.name).step(state, rng)
    return state


def led_by_the_oracle(seed: int, options: dict[str, Any]) -> State:
    """The end of a random game of Icehouse in which attacks hit and calls are made."""
    steps = random_game(seed, **options)
    first = next(steps)
    state: State = game_of(first.before).start()
    for step in (first, *steps):
        if step.fault is None:
            state = state.apply(step.text, step.seat, step.at / 1000)
    return state


if __name__ == "__main__":
    FILE.write_text(text(), encoding="utf-8")
