"""Checking a game of the workshop: random games in all its options, in which every promise of a game is tried."""

from __future__ import annotations

import ast
import time
from collections import Counter
from collections.abc import Generator, Iterator, Mapping
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
SAVED_EVERY = 7
"""At one of so many positions it is saved and read again."""
MAX_TRIED = 12
"""How many of the legal acts of a position are tried."""
NO_ACT = "no-such-act"
GAMES = 8
"""Random games under each set of options."""
USUAL_GAMES = 40
"""Random games under the usual options."""
SLOW = 1000
"""Fewer random acts a second are reported."""
TIMED = 1.0
"""How many seconds of random acts the check times."""


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
            if len(acts) < LOOKED_AT or len(acts) % LATER_EVERY == 0:
                broken = list(_broken(game, state, len(acts), rng))
                for what in broken:
                    checked.report(what, options, tuple(acts))
                if broken:
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


def _broken(game: WorkshopGame, state: TurnState, number: int, rng: np.random.Generator) -> Iterator[str]:
    """The promises that do not hold at one position. Where a table was changed, no others are tried."""
    changed = _changed_by_looking(game, state)
    if changed is None:
        changed = yield from _acts_tried(game, state, rng)
    if changed is not None:
        yield changed
        return
    if number % SAVED_EVERY == 0:
        again = game.from_json(state.to_json())
        if again != state or (not state.array[HERE].table._several and again.legal_actions() != state.legal_actions()):
            yield "a saved position is not the same when it is read again"
    yield from _told(game, state, rng)


def _changed_by_looking(game: WorkshopGame, state: TurnState) -> str | None:
    """What changes the table though it only looks, in words."""
    design, table = game.design, state.array[HERE].table
    before = written_table(table)
    for what, ask in (
        ("acts", lambda: state.actor == CHANCE or table._asked or list(design.acts(table))),
        ("over", lambda: design.over(table)),
        ("why", lambda: game.is_written_right(NO_ACT) and design.why(table, NO_ACT)),
        ("winners", lambda: list(design.winners(table))),
        ("worth", lambda: design.worth and list(design.worth(table))),
        ("scores", lambda: design.scores and list(design.scores(table))),
    ):
        with guarded(what, game.file):
            ask()
        if written_table(table) != before:
            return f"{what} changes the table: only start, play and reveal may"
    return None


def _acts_tried(game: WorkshopGame, state: TurnState, rng: np.random.Generator) -> Generator[str, None, str | None]:
    """What is wrong with the acts of a position, some of which are played; returns what changes the table, in words."""
    table = state.array[HERE].table
    before = written_table(table)
    if state.actor != CHANCE and not table._asked:
        with guarded("acts", game.file):
            listed = list(game.design.acts(table))
        if len(set(listed)) < len(listed):
            yield "acts lists an act twice"
    legal = [] if table._several else state.legal_actions()
    sealed: dict[str, TurnState] = {}
    for index in rng.permutation(len(legal))[:MAX_TRIED].tolist():
        after = state.apply(legal[index])
        if (words := after.array[HERE].table._sealed) and not after.is_terminal:
            one = sealed.setdefault(words, after)
            if _is_told_apart(game, one, after):
                yield f"a view tells sealed acts apart: {one.act} and {after.act}"
        if written_table(table) != before:
            return "play changes an earlier position: a value of the table's is shared"
    return None


def _is_told_apart(game: WorkshopGame, one: TurnState, other: TurnState) -> bool:
    """Whether watchers, or more than one seat, can tell two acts apart that are sealed with the same words."""
    viewers = (None, *game.design.seats) if game.players > 1 else ()
    telling = [viewer for viewer in viewers if one.view(viewer) != other.view(viewer)]
    return None in telling or len(telling) > 1


def _told(game: WorkshopGame, state: TurnState, rng: np.random.Generator) -> Iterator[str]:
    """What views or acts tell of what is hidden."""
    table = state.array[HERE].table
    if table._chosen:
        other = game.from_json(state.to_json())
        if any(other.view(seat) != state.view(seat) for seat in (None, *game.design.seats)):
            yield "a view shows a secret choice"
    if game.design.hides is not None and state.actor != CHANCE:
        with guarded("hides", game.file):
            mixed = game.position_of(shuffled(game.design, table, state.actor, rng))
        alike = game.hidden_from(state.actor, mixed[HERE].table) == game.hidden_from(state.actor, table)
        if alike and codes_at(mixed) != codes_at(state.array):
            yield "acts depends on what the seat to act does not see"


def speed(game: WorkshopGame, rng: np.random.Generator) -> float:
    """Random acts a second."""
    acts, begun = 0, time.perf_counter()
    while (spent := time.perf_counter() - begun) < TIMED:
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
