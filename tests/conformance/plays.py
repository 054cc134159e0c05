"""Golden playthroughs: games written out act by act, with what was legal, to be read and to be kept.

A play is a game record with more lines in it: before each act `may`, the seat that makes it and its legal acts, and at
the end `saved` and the position as it is saved. `tools/renew.py` writes the plays of a game, this module those of all;
look at what has changed in them before you keep it.
"""

from __future__ import annotations

from pathlib import Path

from icetable import State
from tests.conformance.cases import CASES, Case, acts
from tests.conformance.material import GAMES_FOLDER, material

TRIES = 40
MAX_ACTS = 80


def write(end: State) -> str:
    """The play that led to a state."""
    history = list(end.history())
    lines = end.record().splitlines()
    head = lines.index("") + 1
    written = lines[:head]
    for number, state in enumerate(history):
        acting = history[number + 1].seat if number + 1 < len(history) else None
        shown = [acting] if acting is not None else sorted(state.to_act)
        written += [f"may {seat} {', '.join(sorted(acts(state, seat)))}" for seat in shown]
        written += lines[head + number : head + number + 1]
    written.append(f"saved {end.to_json()}")
    return "\n".join(written) + "\n"


def record_of(play: str) -> str:
    """The record within a play."""
    return "".join(line for line in play.splitlines(keepends=True) if not line.startswith(("may ", "saved ")))


def path(case: Case) -> Path:
    """Where the play of a case is kept."""
    return GAMES_FOLDER / case.name / f"{case.label}.play"


def choose(case: Case) -> State:
    """The end of the shortest of some random games, cut off where none is short."""
    ends = []
    for number in range(TRIES):
        rng = case.rng(number)
        state = case.game.start()
        for _ in range(MAX_ACTS):
            if not state.is_terminal:
                state = material(case.name).step(state, rng)
        ends.append(state)
    return min(ends, key=lambda end: len(list(end.history())))


def renew(name: str) -> None:
    """Write the plays of a game."""
    for case in CASES:
        if case.name == name:
            path(case).write_text(write(choose(case)), encoding="utf-8")


if __name__ == "__main__":
    for name in dict.fromkeys(case.name for case in CASES):
        renew(name)
