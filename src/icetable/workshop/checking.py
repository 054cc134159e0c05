"""Checking a game of the workshop: random games in all its options, in which every promise of a game is tried."""

from __future__ import annotations

import ast
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from icetable.core.errors import GameError
from icetable.core.game import CHANCE
from icetable.workshop.files import source_of
from icetable.workshop.guard import DesignError, guarded
from icetable.workshop.hiding import shuffled
from icetable.workshop.playing import HERE, WorkshopGame, codes_at
from icetable.workshop.saving import written_table

if TYPE_CHECKING:
    from icetable.core.turns import TurnState
    from icetable.workshop.files import WorkshopInfo

LONGEST_GAME = 2000
"""In acts. A game that random play has not ended by then may have no end."""
LOOKED_AT = 200
LATER_EVERY = 20
"""The promises are tried at so many positions of a game, and later at one of so many."""
MOST_TRIED = 12
"""How many of the legal acts of a position are tried."""
NO_ACT = "no-such-act"
GAMES = 8
"""Random games under each set of options."""
USUAL_GAMES = 40
"""Random games under the usual options."""
SLOW = 1000
"""Fewer random acts a second are reported."""


@dataclass(frozen=True)
class Finding:
    """What is wrong, under which options, and the acts that lead there."""

    what: str
    options: Mapping[str, Any] = field(default_factory=dict)
    acts: tuple[str, ...] = ()

    def __str__(self) -> str:
        under = " ".join(f"{name}={value}" for name, value in self.options.items())
        after = f"\n    after {' '.join(self.acts)}" if self.acts else ""
        return f"{self.what}{f' [{under}]' if under else ''}{after}"


@dataclass
class Checked:
    """What a check has found: nothing, if the game is sound. `endings`: how often each rule has ended a game."""

    findings: list[Finding] = field(default_factory=list)
    endings: Counter[str] = field(default_factory=Counter)
    lengths: list[int] = field(default_factory=list)
    acts_a_second: float = 0.0

    def report(self, what: str, options: Mapping[str, Any], acts: tuple[str, ...] = ()) -> None:
        """Note a finding, the first of its kind alone."""
        if all(one.what != what for one in self.findings):
            self.findings.append(Finding(what, options, acts))


def check(info: WorkshopInfo, seed: int = 0) -> Checked:
    """Play random games under all options, one changed at a time, and try every promise of a game."""
    checked, rng = Checked(), np.random.default_rng(seed)
    for number, options in enumerate(variants(info)):
        try:
            game = cast("WorkshopGame", info.load(**options))
            found = len(checked.findings)
            for _ in range(GAMES if number else USUAL_GAMES):
                _play(game, options, rng, checked)
                if len(checked.findings) > found:  # further games would tell the same
                    break
        except GameError as error:
            checked.report(str(error), options)
    if not checked.findings:
        checked.acts_a_second = speed(cast("WorkshopGame", info.load()), rng)
        if checked.acts_a_second < SLOW:
            checked.report(f"it is slow: {checked.acts_a_second:.0f} random acts a second; bots will play weakly", {})
    reached = set(checked.endings)
    for rule in sorted(named_in_over(info) - reached) if reached else ():
        checked.report(f"{rule} has ended no game: it may be out of reach", {})
    return checked


def variants(info: WorkshopInfo) -> Iterator[dict[str, Any]]:
    """The usual options, and those in which one option has another value."""
    yield {}
    least, most = info.players
    yield from ({"players": count} for count in range(least, most + 1) if count != info.default_players)
    for option in info.options:
        allowed = (True, False) if option.kind == "bool" else option.choices
        yield from ({option.name: other} for other in allowed if other != option.default)


def _play(game: WorkshopGame, options: Mapping[str, Any], rng: np.random.Generator, checked: Checked) -> None:
    state: TurnState = game.start()
    acts: list[str] = []
    try:
        while not state.is_terminal:
            if len(acts) == LONGEST_GAME:
                checked.report(f"a game of random acts has no end after {LONGEST_GAME} acts", options)
                return
            found = len(checked.findings)
            if len(acts) < LOOKED_AT or len(acts) % LATER_EVERY == 0:
                _look(game, state, options, rng, checked, acts)
            if len(checked.findings) > found:
                return
            act = game.random_act(state, rng)
            acts.append(str(act))
            state = state.apply(act)
    except DesignError as error:
        checked.report(str(error), options, tuple(acts))
        return
    checked.endings[str(state.ended_by)] += 1
    checked.lengths.append(len(acts))
    if game.replay(state.record()) != state:
        checked.report("a record played again does not lead to the same position", options, tuple(acts))


def _look(
    game: WorkshopGame,
    state: TurnState,
    options: Mapping[str, Any],
    rng: np.random.Generator,
    checked: Checked,
    acts: list[str],
) -> None:
    """Try the promises at one position."""
    table = state.position[HERE].table
    before, so_far = written_table(table), tuple(acts)
    if state.actor != CHANCE and not table._asked:
        with guarded("acts", game.file):
            listed = list(game.design.acts(table))
        if len(set(listed)) < len(listed):
            checked.report("acts lists an act twice", options, so_far)
        if written_table(table) != before:
            checked.report("acts changes the table: only start, play and reveal may", options, so_far)
            return
    for what, ask in (
        ("over", lambda: game.design.over(table)),
        ("why", lambda: game.is_written_right(NO_ACT) and game.design.why(table, NO_ACT)),
        ("winners", lambda: list(game.design.winners(table))),
        ("worth", lambda: game.design.worth and list(game.design.worth(table))),
        ("scores", lambda: game.design.scores and list(game.design.scores(table))),
    ):
        with guarded(what, game.file):
            ask()
        if written_table(table) != before:
            checked.report(f"{what} changes the table: only start, play and reveal may", options, so_far)
            return
    legal = [] if table._several else state.legal_actions()
    sealed: dict[str, TurnState] = {}
    for index in rng.permutation(len(legal))[:MOST_TRIED].tolist():
        after = state.apply(legal[index])
        if (words := after.position[HERE].table._sealed) and not after.is_terminal:
            _compare(game, sealed.setdefault(words, after), after, lambda what: checked.report(what, options, so_far))
        if written_table(table) != before:
            checked.report("play changes an earlier position: a value of the table's is shared", options, so_far)
            return
    if len(acts) % 7 == 0:
        again = game.from_json(state.to_json())
        if again != state or (legal and again.legal_actions() != legal):
            checked.report("a saved position is not the same when it is read again", options, so_far)
    if table._chosen:
        other = game.from_json(state.to_json())
        for seat in (None, *game.design.seats):
            if other.view(seat) != state.view(seat):
                checked.report("a view shows a secret choice", options, so_far)
    if game.design.hides is not None and state.actor != CHANCE:
        with guarded("hides", game.file):
            other = game.position_of(shuffled(game.design, table, state.actor, rng))
        alike = game.hidden_from(state.actor, other[HERE].table) == game.hidden_from(state.actor, table)
        if alike and codes_at(other) != codes_at(state.position):
            checked.report("acts depends on what the seat to act does not see", options, so_far)


def _compare(game: WorkshopGame, one: TurnState, other: TurnState, report: Callable[[str], None]) -> None:
    """Try whether watchers, or more than one seat, can tell two acts apart that are sealed with the same words."""
    viewers = (None, *game.design.seats) if game.players > 1 else ()
    telling = [viewer for viewer in viewers if one.view(viewer) != other.view(viewer)]
    if None in telling or len(telling) > 1:
        report(f"a view tells sealed acts apart: {one.act} and {other.act}")


def speed(game: WorkshopGame, rng: np.random.Generator, seconds: float = 1.0) -> float:
    """Random acts a second."""
    acts, begun = 0, time.perf_counter()
    while (spent := time.perf_counter() - begun) < seconds:
        state = game.start()
        while not state.is_terminal and acts % LONGEST_GAME != LONGEST_GAME - 1:
            state = state.apply(game.random_act(state, rng)).without_history()
            acts += 1
        acts += 1
    return acts / spent


def named_in_over(info: WorkshopInfo) -> set[str]:
    """The ids of rules that stand as texts in the game's `over`."""
    found = set()
    for node in ast.walk(ast.parse(source_of(info.design))):
        if isinstance(node, ast.FunctionDef) and node.name == "over":
            texts = {one.value for one in ast.walk(node) if isinstance(one, ast.Constant)}
            found |= {rule for rule in info.design.rule_ids() if rule in texts}
    return found
