"""Material of every game for the suite: `tests/games/<name>/material.py` exports MATERIAL."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from icetable import Game, State

GAMES_FOLDER = Path(__file__).parent.parent / "games"


@dataclass(frozen=True)
class Worlds:
    """Two states that differ only in what a seat (None: a watcher) can't know."""

    one: State
    other: State
    seat: int | None


def declared(name: str) -> Any:
    """The module that declares the views and the layout of a game."""
    of_its_own = find_spec(f"icetable.games.{name}.view")
    return import_module(f"icetable.games.{name}.view" if of_its_own else "icetable.workshop.view")


def random_step(state: State, rng: np.random.Generator) -> State:
    """The state after a random act of the one seat that is to act."""
    (seat,) = state.to_act
    return state.apply(state.game.random_act(state, rng), seat)


@dataclass(frozen=True)
class Material:
    """Facts of a game that the suite can't find out by itself.

    `bad_notation`: texts that no act could have. `well_formed`: texts that an act could have, legal or not, to be
    tried everywhere. `set_ups`: positions that play reaches seldom or never, as `State.to_json` describes them.
    `worlds`: pairs that must look alike to a seat; None for a game that hides nothing, or where its options make it
    hide nothing. `option_sets`: options that are tested together; what none of them has is tested by itself. `step`:
    how random play goes on, where several seats may act at once. `usual`: how `legal_actions` writes an act that can be
    written in several ways. `eventful`: the ends of games in which more happens than in random ones. `drawn`: the
    spaces where a picture of a view draws something, once each; None where the game's own tests look at its pictures.
    """

    bad_notation: tuple[str, ...]
    well_formed: Callable[[Game], Iterable[str]]
    set_ups: Callable[[Game], Iterable[Any]]
    worlds: Callable[[Game, np.random.Generator], Iterable[Worlds] | None] | None
    option_sets: tuple[dict[str, Any], ...] = ()
    step: Callable[[State, np.random.Generator], State] = random_step
    usual: Callable[[str], str] = str
    eventful: Callable[[], Iterable[State]] = tuple
    drawn: Callable[[Mapping[str, Any]], Collection[str]] | None = None


def material(name: str) -> Material:
    """The material of a game."""
    found = import_module(f"tests.games.{name}.material").MATERIAL
    assert isinstance(found, Material)
    return found
