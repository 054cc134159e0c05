"""The check of a game of turns: random games under all options, in which the contract of games is tested.

A game with a kernel is checked by its class alone, and the kernel is held to the class act by act.
"""

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
from icetable.workshop.compiled import CompiledGame
from icetable.workshop.files import source_of
from icetable.workshop.guard import DesignError, guarded
from icetable.workshop.hiding import shuffled
from icetable.workshop.playing import PlainGame, codes_at
from icetable.workshop.saving import table_to_json

if TYPE_CHECKING:
    from icetable.core.turns import TurnState
    from icetable.workshop.files import WorkshopInfo
    from icetable.workshop.playing import WorkshopGame

MAX_ACTS = 2000
"""The number of acts after which a random game is taken to be endless."""
DENSE_POSITIONS = 200
LATER_INTERVAL = 20
"""The first positions of a game are all tested; later only one per interval."""
SAVE_INTERVAL = 7
"""One position per interval is saved and loaded."""
MAX_ACTS_TRIED = 12
"""The maximum number of legal acts tried at a position."""
UNKNOWN_ACT = "no-such-act"
GAMES_PER_VARIANT = 8
"""Random games under each changed option."""
DEFAULT_GAMES = 40
"""Random games under the default options."""
MIN_ACTS_PER_SECOND = 1000
"""Slower random play is reported."""
TIMED_SECONDS = 1.0
"""The length of the speed test."""


@dataclass(frozen=True)
class Finding:
    """A fault, the options under which it occurs, and the acts that lead to it."""

    what: str
    options: Mapping[str, Any] = field(default_factory=dict)
    acts: tuple[str, ...] = ()

    def __str__(self) -> str:
        under = " ".join(f"{name}={value}" for name, value in self.options.items())
        after = f"\n    after {' '.join(self.acts)}" if self.acts else ""
        return f"{self.what}{f' [{under}]' if under else ''}{after}"


@dataclass
class CheckResult:
    """The result of a check; no findings if the game is sound. `endings`: the number of games ended by each rule."""

    findings: list[Finding] = field(default_factory=list)
    endings: Counter[str] = field(default_factory=Counter)
    lengths: list[int] = field(default_factory=list)
    acts_per_second: float = 0.0

    def report(self, what: str, options: Mapping[str, Any], acts: tuple[str, ...] = ()) -> None:
        """Add a finding, unless there is one of its kind."""
        if all(finding.what != what for finding in self.findings):
            self.findings.append(Finding(what, options, acts))


def check(info: WorkshopInfo, seed: int = 0) -> CheckResult:
    """Test random games under the default options, and with one option changed at a time."""
    result, rng = CheckResult(), np.random.default_rng(seed)
    for number, options in enumerate(variants(info)):
        try:
            game, kernel = both_ways(info, options)
            found = len(result.findings)
            for _ in range(GAMES_PER_VARIANT if number else DEFAULT_GAMES):
                _play(game, kernel, options, rng, result)
                if len(result.findings) > found:  # further games would find the same
                    break
        except GameError as error:
            result.report(str(error), options)
    if not result.findings:
        result.acts_per_second = speed(cast("WorkshopGame", info.load()), rng)
        if result.acts_per_second < MIN_ACTS_PER_SECOND:
            result.report(f"it is slow: {result.acts_per_second:.0f} random acts a second; bots will play weakly", {})
    reached = set(result.endings)
    for rule in sorted(rules_in_over(info) - reached) if reached else ():
        result.report(f"{rule} has ended no game: it may be out of reach", {})
    return result


def both_ways(info: WorkshopInfo, options: Mapping[str, Any]) -> tuple[PlainGame, CompiledGame | None]:
    """A game by its class alone, and by its kernel if it has one."""
    game = info.load(**options)
    if isinstance(game, PlainGame):
        return game, None
    assert isinstance(game, CompiledGame)
    return PlainGame(info, dict(game.options), game.design), game


def variants(info: WorkshopInfo) -> Iterator[dict[str, Any]]:
    """The default options, and those with one option changed."""
    yield {}
    least, most = info.players
    yield from ({"players": count} for count in range(least, most + 1) if count != info.default_players)
    for option in info.options:
        allowed = (True, False) if option.kind == "bool" else option.choices
        yield from ({option.name: other} for other in allowed if other != option.default)


def _play(
    game: PlainGame,
    kernel: CompiledGame | None,
    options: Mapping[str, Any],
    rng: np.random.Generator,
    result: CheckResult,
) -> None:
    state: TurnState = game.start()
    by_kernel = kernel.start() if kernel else None
    acts: list[str] = []
    try:
        while not state.is_terminal:
            if len(acts) == MAX_ACTS:
                result.report(f"a game of random acts has no end after {MAX_ACTS} acts", options)
                return
            if len(acts) < DENSE_POSITIONS or len(acts) % LATER_INTERVAL == 0:
                violations = [*_violations(game, state, len(acts), rng), *kernel_differences(by_kernel, state)]
                for what in violations:
                    result.report(what, options, tuple(acts))
                if violations:
                    return
            act = game.random_act(state, rng)
            acts.append(str(act))
            state, by_kernel = state.apply(act), by_kernel.apply(act) if by_kernel else None
    except DesignError as error:
        result.report(str(error), options, tuple(acts))
        return
    result.endings[str(state.ended_by)] += 1
    result.lengths.append(len(acts))
    if game.replay(state.record()) != state:
        result.report("a record played again does not lead to the same position", options, tuple(acts))


def kernel_differences(by_kernel: TurnState | None, by_class: TurnState) -> Iterator[str]:
    """What kernel and class say differently about a position."""
    if by_kernel:
        yield from differences(described(by_kernel), described(by_class))


def described(state: TurnState) -> dict[str, Any]:
    """All that a state says of its position; the order of the pieces on a pad does not matter."""
    game = cast("WorkshopGame", state.game)
    table = game.table_of(state.array)
    acts = [] if table._several else sorted(map(str, state.legal_actions()))
    return {
        **table_to_json(table),
        "pad": [sorted(map(str, pad)) for pad in table.pad],
        "to_act": sorted(state.to_act),
        "ended_by": state.ended_by,
        "winners": sorted(state.winners),
        "scores": list(state.scores),
        "legal acts": acts,
    }


def differences(by_kernel: Mapping[str, Any], by_class: Mapping[str, Any], where: str = "") -> Iterator[str]:
    """What differs between two descriptions, entry by entry."""
    for name in sorted({*by_kernel, *by_class}):
        one, other = by_kernel.get(name), by_class.get(name)
        if isinstance(one, Mapping) and isinstance(other, Mapping):
            yield from differences(one, other, f"{where}{name} ")
        elif one != other:
            yield f"{where}{name}: the kernel says {one}, the class says {other}"


def _violations(game: PlainGame, state: TurnState, number: int, rng: np.random.Generator) -> Iterator[str]:
    """The contract violations at a position. After a changed table nothing else is tested."""
    changed = _changed_by_reading(game, state)
    if changed is None:
        changed = yield from _act_violations(game, state, rng)
    if changed is not None:
        yield changed
        return
    if number % SAVE_INTERVAL == 0:
        again = game.from_json(state.to_json())
        is_listed = not game.table_of(state.array)._several
        if again != state or (is_listed and again.legal_actions() != state.legal_actions()):
            yield "a saved position is not the same when it is read again"
    yield from _leaks(game, state, rng)


def _changed_by_reading(game: PlainGame, state: TurnState) -> str | None:
    """A description of a method that changes the table though it must not."""
    design, table = game.design, game.table_of(state.array)
    before = table_to_json(table)
    for what, ask in (
        ("acts", lambda: state.actor == CHANCE or table._asked or list(design.acts(table))),
        ("over", lambda: design.over(table)),
        ("why", lambda: game.is_notation(UNKNOWN_ACT) and design.why(table, UNKNOWN_ACT)),
        ("winners", lambda: list(design.winners(table))),
        ("worth", lambda: design.worth and list(design.worth(table))),
        ("scores", lambda: design.scores and list(design.scores(table))),
    ):
        with guarded(what, game.file):
            ask()
        if table_to_json(table) != before:
            return f"{what} changes the table: only start, play and reveal may"
    return None


def _act_violations(game: PlainGame, state: TurnState, rng: np.random.Generator) -> Generator[str, None, str | None]:
    """The violations by a position's acts, some of which are played. Returns a description of a changed table."""
    table = game.table_of(state.array)
    before = table_to_json(table)
    if state.actor != CHANCE and not table._asked:
        with guarded("acts", game.file):
            listed = list(game.design.acts(table))
        if len(set(listed)) < len(listed):
            yield "acts lists an act twice"
    legal = [] if table._several else state.legal_actions()
    sealed: dict[str, TurnState] = {}
    for index in rng.permutation(len(legal))[:MAX_ACTS_TRIED].tolist():
        after = state.apply(legal[index])
        if (words := game.table_of(after.array)._sealed) and not after.is_terminal:
            first = sealed.setdefault(words, after)
            if _are_distinguishable(game, first, after):
                yield f"a view tells sealed acts apart: {first.act} and {after.act}"
        if table_to_json(table) != before:
            return "play changes an earlier position: a value of the table's is shared"
    return None


def _are_distinguishable(game: PlainGame, one: TurnState, other: TurnState) -> bool:
    """Whether watchers, or more than one seat, can distinguish two acts that are sealed with the same words."""
    viewers = (None, *game.design.seats) if game.players > 1 else ()
    distinguishing = [viewer for viewer in viewers if one.view(viewer) != other.view(viewer)]
    return None in distinguishing or len(distinguishing) > 1


def _leaks(game: PlainGame, state: TurnState, rng: np.random.Generator) -> Iterator[str]:
    """The leaks of hidden information by views or acts."""
    table = game.table_of(state.array)
    if table._chosen:
        other = game.from_json(state.to_json())
        if any(other.view(seat) != state.view(seat) for seat in (None, *game.design.seats)):
            yield "a view shows a secret choice"
    if game.design.hides is not None and state.actor != CHANCE:
        with guarded("hides", game.file):
            mixed = game.position_of(shuffled(game.design, table, state.actor, rng))
        alike = game.hidden_from(state.actor, game.table_of(mixed)) == game.hidden_from(state.actor, table)
        if alike and codes_at(mixed) != codes_at(state.array):
            yield "acts depends on what the seat to act does not see"


def speed(game: WorkshopGame, rng: np.random.Generator) -> float:
    """Random acts per second."""
    acts, begun = 0, time.perf_counter()
    while (spent := time.perf_counter() - begun) < TIMED_SECONDS:
        state = game.start()
        while not state.is_terminal and acts % MAX_ACTS != MAX_ACTS - 1:
            state = state.apply(game.random_act(state, rng)).without_history()
            acts += 1
        acts += 1
    return acts / spent


def rules_in_over(info: WorkshopInfo) -> set[str]:
    """The ids of rules that occur in the game's `over`."""
    found = set()
    for node in ast.walk(ast.parse(source_of(info.design))):
        if isinstance(node, ast.FunctionDef) and node.name == "over":
            texts = {constant.value for constant in ast.walk(node) if isinstance(constant, ast.Constant)}
            found |= {rule for rule in info.design.rule_ids() if rule in texts}
    return found
