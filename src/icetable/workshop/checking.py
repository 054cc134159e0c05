"""The check of a turn-based game: random games under all options, in which the contract of games is tested.

A game with a kernel is checked by its class alone, and the kernel is held to the class act by act. Some games are
played again in a second process, whose hashes of texts differ: sets iterate in another order there. That process runs
this module: it reads games, pickled with their info, and writes the deviations as JSON.
"""

from __future__ import annotations

import ast
import functools
import hashlib
import inspect
import json
import linecache
import os
import pickle
import re
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np

from icetable.core.errors import GameError
from icetable.core.game import CHANCE
from icetable.core.options import short_repr
from icetable.workshop.compiled import CompiledGame
from icetable.workshop.design import TEST_PREFIX, place_of
from icetable.workshop.design import Game as Design
from icetable.workshop.files import source_of
from icetable.workshop.guard import guarded, line_of
from icetable.workshop.hiding import shuffled
from icetable.workshop.mistakes import ends_turns, mistakes_in, place_setting
from icetable.workshop.playing import PlainGame, codes_at
from icetable.workshop.saving import is_valid, table_to_json, with_sorted_pads
from icetable.workshop.table import Table, copied

if TYPE_CHECKING:
    from icetable.core.game import State
    from icetable.core.turns import TurnState
    from icetable.workshop.files import WorkshopInfo
    from icetable.workshop.playing import WorkshopGame

MAX_SECONDS = 60.0
HASH_SEEDS = "1", "2"
"""A set of two texts has the same order in half of all processes, so games are played again in more than one."""
MAX_ACTS = 2000
"""The number of acts after which a random game is taken to be endless."""
DENSE_POSITIONS = 200
LATER_INTERVAL = 20
"""The first positions of a game are all tested; later only one per interval."""
SAVE_INTERVAL = 7
"""One position per interval is saved and loaded."""
MAX_ACTS_TRIED = 12
"""The maximum number of legal acts tried at a position."""
VALUE_OF_TABLE = re.compile(r"table\.(\w+) can't be part of a position")
UNKNOWN_ACT = "no-such-act"
GAMES_PER_VARIANT = 8
"""Random games under each changed option."""
DEFAULT_GAMES = 40
"""Random games under the default options."""
REPLAYED_GAMES = 3
"""Games of each variant that are played again in another process."""
MAX_REPLAYED_ACTS = 200
"""Longer games are not played again there."""
MAX_ACTS_SHOWN = 12
"""The maximum number of acts in the text of a finding."""
MIN_ACTS_PER_SECOND = 1000
"""Slower random play is reported."""
TIMED_SECONDS = 1.0
"""The length of the speed test."""


@dataclass(frozen=True)
class Finding:
    """A fault of a game."""

    what: str
    """What is wrong, in a sentence."""
    options: Mapping[str, Any] = field(default_factory=dict)
    """The options under which it occurs."""
    acts: tuple[str, ...] = ()
    """The acts that lead to it."""

    def __str__(self) -> str:
        under = " ".join(f"{name}={value}" for name, value in self.options.items())
        last = " ".join(self.acts[-MAX_ACTS_SHOWN:])
        many = f"{len(self.acts)} acts, the last of which are " if len(self.acts) > MAX_ACTS_SHOWN else ""
        after = f"\n    after {many}{last}" if self.acts else ""
        return f"{self.what}{f' [{under}]' if under else ''}{after}"


@dataclass
class CheckResult:
    """The result of a check."""

    findings: list[Finding] = field(default_factory=list)
    """The faults; none if the game is sound."""
    tests: int = 0
    """The number of the file's own tests."""
    played: list[ReplayedGame] = field(default_factory=list)
    """Some of the games, to be played again in another process."""
    actors: Counter[int] = field(default_factory=Counter)
    """The number of acts by seat."""
    endings: Counter[str] = field(default_factory=Counter)
    """The number of games ended by each rule."""
    lengths: list[int] = field(default_factory=list)
    """The number of acts of each game."""
    acts_per_second: float = 0.0
    """The number of acts that were played per second, by random players."""

    def report(self, what: str, options: Mapping[str, Any], acts: tuple[str, ...] = ()) -> None:
        """Add a finding, unless there is one of its kind."""
        if all(_kind_of(finding.what) != _kind_of(what) for finding in self.findings):
            self.findings.append(Finding(what, options, acts))


def check(info: WorkshopInfo, seed: int = 0) -> CheckResult:
    """Read the source, run the file's own tests, and test random games under the default options, and with one option
    changed at a time, some of them once more in another process.
    """
    result, rng = CheckResult(), np.random.default_rng(seed)
    for mistake in mistakes_in(info.design):
        result.report(str(mistake), {})
    _run_tests(info, result)
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
    if len(result.actors) == 1 and info.players[0] > 1 and not ends_turns(info.design):
        (seat,) = result.actors
        result.report(f"no act ends a turn, so that only seat {seat} acts: table.end_turn() passes the turn on", {})
    if not result.findings:
        _play_elsewhere(info, result)
    if not result.findings:
        result.acts_per_second = speed(cast("WorkshopGame", info.load()), rng)
        if result.acts_per_second < MIN_ACTS_PER_SECOND:
            result.report(f"it is slow: {result.acts_per_second:.0f} random acts a second; bots will play weakly", {})
    reached = set(result.endings)
    for rule in sorted(rules_in_over(info) - reached) if reached else ():
        result.report(f"{rule} has ended no game: it may be out of reach", {})
    return result


def _kind_of(what: str) -> str:
    """What a finding says without the act and the addresses of objects."""
    return re.sub("0x[0-9a-f]+", "", what.partition(", at the act ")[0])


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
    digests: list[str] = []
    is_kept = sum(options == other.options for other in result.played) < REPLAYED_GAMES
    before = kept_by(game.design)
    try:
        while not state.is_terminal:
            if len(acts) == MAX_ACTS:
                why = "" if type(game.design).over is not Design.over else ": it has no `over` that could end it"
                result.report(f"a game of random acts has no end after {MAX_ACTS} acts{why}", options)
                return
            if is_kept and len(acts) <= MAX_REPLAYED_ACTS:
                digests.append(digest(state))
            if state.actor >= 0:
                result.actors[state.actor] += 1
            if len(acts) < DENSE_POSITIONS or len(acts) % LATER_INTERVAL == 0:
                violations = [*_violations(game, state, len(acts), rng), *kernel_differences(by_kernel, state)]
                for what in violations:
                    result.report(what, options, tuple(acts))
                if violations:
                    return
            act = game.random_act(state, rng)
            acts.append(str(act))
            state, by_kernel = state.apply(act), by_kernel.apply(act) if by_kernel else None
        state.view(None)
    except GameError as error:
        named = VALUE_OF_TABLE.match(str(error))
        place = place_setting(game.design, named[1]) if named else ""
        result.report(f"{str(error).removesuffix(place)}{place}", options, tuple(acts))
        return
    finally:
        for name in changed(before, kept_by(game.design)):
            place = place_setting(game.design, name.rpartition(".")[2])
            result.report(
                f"playing changes {name}: a game keeps what changes on the table, where records and copies find it"
                f"{place}",
                options,
            )
    if is_kept and len(acts) <= MAX_REPLAYED_ACTS:
        result.played.append(ReplayedGame(options, acts, [*digests, digest(state)]))
    result.endings[str(state.ended_by)] += 1
    result.lengths.append(len(acts))
    if game.replay(state.record()) != state:
        result.report("a record played again does not lead to the same position", options, tuple(acts))


def kernel_differences(by_kernel: TurnState | None, by_class: TurnState) -> Iterator[str]:
    """What kernel and class say differently about a position."""
    if by_kernel:
        yield from differences(described(by_kernel), described(by_class))


def differences(by_kernel: Mapping[str, Any], by_class: Mapping[str, Any]) -> Iterator[str]:
    """What differs between the descriptions by kernel and class, entry by entry."""
    for name, one, other in entries_that_differ(by_kernel, by_class):
        yield f"{name}: the kernel says {one}, the class says {other}"


def entries_that_differ(
    one: Mapping[str, Any], other: Mapping[str, Any], where: str = ""
) -> Iterator[tuple[str, Any, Any]]:
    """The entries of two descriptions that differ, by name."""
    for name in sorted({*one, *other}):
        these, others = one.get(name), other.get(name)
        if isinstance(these, Mapping) and isinstance(others, Mapping):
            yield from entries_that_differ(these, others, f"{where}{name} ")
        elif these != others:
            yield f"{where}{name}", these, others


def _run_tests(info: WorkshopInfo, result: CheckResult) -> None:
    """Run the file's own tests: its functions `test_…`, each with the first state under the default options."""
    for name, test in own_tests(info.design).items():
        result.tests += 1
        try:
            start = info.load().start()
            with guarded(name, str(info.file)):
                test(start)
        except GameError as error:
            failed = error.__cause__
            asserted = isinstance(failed, AssertionError)
            said = f": {failed}" if asserted and str(failed) else ""
            line = line_of(failed.__traceback__, str(info.file)) if failed else ""
            source = linecache.getline(str(info.file), int(line.strip(" ()").rpartition(":")[2])) if line else ""
            result.report(f"{name}{line} fails: {source.strip()}{said}" if asserted else str(error), {})


def own_tests(design: type[Design]) -> dict[str, Callable[[State], None]]:
    """The tests in the file of a class, by name."""
    module = sys.modules.get(design.__module__)
    return {
        name: one
        for name, one in (vars(module).items() if module else ())
        if name.startswith(TEST_PREFIX) and inspect.isfunction(one) and one.__module__ == design.__module__
    }


def kept_by(design: Design) -> dict[str, Any]:
    """Copies of the lists, sets and dicts that are kept outside tables: by a game, its classes and their files."""
    bases = [base for base in type(design).__mro__ if issubclass(base, Design) and base is not Design]
    places: list[tuple[str, Mapping[str, Any]]] = [("self.", vars(design))]
    places += [(f"{base.__name__}.", vars(base)) for base in bases]
    places += [("", vars(module)) for base in bases if (module := sys.modules.get(base.__module__))]
    return {
        f"{place}{name}": copied(value)
        for place, values in places
        for name, value in values.items()
        if type(value) in (list, dict, set) and not name.startswith("__")
    }


def changed(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[str]:
    """The names of what has changed. A dict may gain keys, as one does that saves work."""
    return [
        name
        for name, value in before.items()
        if name in after
        and (
            any(after[name].get(key) != one for key, one in value.items())
            if type(value) is dict and type(after[name]) is dict
            else after[name] != value
        )
    ]


def _violations(game: PlainGame, state: TurnState, number: int, rng: np.random.Generator) -> Iterator[str]:
    """The contract violations at a position. After a wrong or changed table nothing else is tested."""
    if wrong := _wrong_on(game.table_of(state.array), state.actor):
        yield wrong
        return
    changed = _changed_by_reading(game, state)
    if changed is None:
        changed = yield from _act_violations(game, state, rng)
    if changed is not None:
        yield changed
        return
    if number % SAVE_INTERVAL == 0:
        state.view(None)  # asks for all that the page shows
        again = game.from_json(state.to_json())
        is_listed = not game.table_of(state.array)._several
        if again != state or (is_listed and again.legal_actions() != state.legal_actions()):
            yield "a saved position is not the same when it is read again"
    yield from _leaks(game, state, rng)


def _wrong_on(table: Table, actor: int) -> str | None:
    """What a game has put on the table by itself that can't be there."""
    for space in table.stacks:
        if space not in table.board.places:
            return f"table.stacks has {short_repr(space)}, which is no space of the board"
    for place, pieces in (
        *table.stacks.items(),
        *((f"the pad of seat {seat}", table.pad[seat]) for seat in table.seats),
    ):
        for piece in pieces:
            if not is_valid(piece, table):
                return (
                    f"{short_repr(piece)} on {place} is no piece of this game: colours are words or seats from 0 to "
                    f"{table.players - 1}, headings are {', '.join(table.board.rays)}"
                )
    if actor in table.out and not table._asked:
        return f"seat {actor} is out of the game and is to act: table.end_turn() passes the turn on"
    return None


def _changed_by_reading(game: PlainGame, state: TurnState) -> str | None:
    """A description of a method that changes the table though it must not."""
    design, table = game.design, game.table_of(state.array)
    before = table_to_json(table)
    for what, ask in (
        ("acts", lambda: state.actor == CHANCE or table._asked or list(design.acts(table))),
        ("over", lambda: design.over(table)),
        ("notation", lambda: game.is_notation(UNKNOWN_ACT)),
        ("allows", lambda: game.allows_unlisted(state, UNKNOWN_ACT)),
        ("why", lambda: game.is_notation(UNKNOWN_ACT) and game.explain_fault(state.array, UNKNOWN_ACT)),
        ("winners", lambda: game.winners_of(table)),
        ("worth", lambda: design.worth and game.by_seat("worth", table)),
        ("scores", lambda: design.scores and game.by_seat("scores", table)),
    ):
        with guarded(what, game.file):
            ask()
        if table_to_json(table) != before:
            return f"{what}{place_of(design, what)} changes the table: only start, play and reveal may"
    return None


def _act_violations(game: PlainGame, state: TurnState, rng: np.random.Generator) -> Generator[str, None, str | None]:
    """The violations by a position's acts, some of which are played. Returns a description of a changed table."""
    table = game.table_of(state.array)
    before = table_to_json(table)
    if state.actor != CHANCE and not table._asked:
        with guarded("acts", game.file):
            listed = list(game.design.acts(table))
        if len(set(listed)) < len(listed):
            yield f"acts{place_of(game.design, 'acts')} lists an act twice: {Counter(listed).most_common(1)[0][0]}"
        if set(listed) != set(game.acts_of(table, state.actor)):
            yield f"acts{place_of(game.design, 'acts')} lists other acts when it is asked again"
            return None
    legal = [] if table._several else state.legal_actions()
    sealed: dict[str, TurnState] = {}
    for number, index in enumerate(rng.permutation(len(legal))[:MAX_ACTS_TRIED].tolist()):
        after = state.apply(legal[index])
        if number == 0:
            once, again = (table_to_json(game.after(table, str(legal[index]))) for _ in range(2))
            if once != again:
                return f"play{place_of(game.design, 'play')} does something else when the act is played again"
            if once != table_to_json(game.table_of(after.array)):
                return "acts or over changes the table: only start, play and reveal may"
        if (words := game.table_of(after.array)._sealed) and not after.is_terminal:
            first = sealed.setdefault(words, after)
            if _are_distinguishable(game, first, after):
                yield f"a view tells sealed acts apart: {first.act} and {after.act}"
                return None
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


def _play_elsewhere(info: WorkshopInfo, result: CheckResult) -> None:
    """Report the first position that is another one where texts have other hashes."""
    for deviation in deviations_elsewhere(info, result.played)[:1]:
        options, acts, _ = result.played[deviation.game]
        acts = acts[: deviation.position]
        if isinstance(deviation.there, str):
            what = deviation.there
        else:
            here: TurnState = both_ways(info, options)[0].start()
            for act in acts:
                here = here.apply(act)
            names = [name for name, *_ in entries_that_differ(with_effects(here), deviation.there)]
            what = f"{', '.join(names) or 'the position'} would be other"
        result.report(
            f"played again in another process: {what}. The order of a set of texts, hash() and id() differ between "
            "processes: use sorted() or a list",
            options,
            tuple(acts),
        )


class ReplayedGame(NamedTuple):
    """A game that is played again in other processes."""

    options: Mapping[str, Any]
    """The options."""
    acts: Sequence[str]
    """The acts."""
    digests: Sequence[str]
    """Digests of its positions, the first one before any act."""


class Deviation(NamedTuple):
    """The first position of a game that is not the same elsewhere."""

    game: int
    """The number of the game."""
    position: int
    """The number of the position."""
    there: dict[str, Any] | str
    """What it is there, or what failed."""


def deviations_elsewhere(info: WorkshopInfo, games: Sequence[ReplayedGame]) -> list[Deviation]:
    """How games differ in other processes; empty for a class that other processes can't import."""
    try:
        task = pickle.dumps((info, [tuple(game) for game in games]))
    except (pickle.PicklingError, AttributeError, TypeError):
        return []
    with ThreadPoolExecutor(len(HASH_SEEDS)) as pool:
        answers = pool.map(functools.partial(_ask, task), HASH_SEEDS)
    return [Deviation(*one) for answer in answers for one in answer]


def _ask(task: bytes, hash_seed: str) -> list[Any]:
    """The deviations that a new process finds; none if it can't be run in time."""
    environment = os.environ | {"PYTHONHASHSEED": hash_seed, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    command = [sys.executable, "-m", "icetable.workshop.checking"]
    try:
        done = subprocess.run(  # noqa: S603 (this interpreter, with this module)
            command, input=task, capture_output=True, env=environment, timeout=MAX_SECONDS, check=True
        )
    except (OSError, subprocess.SubprocessError):
        return []
    answer: list[Any] = json.loads(done.stdout)
    return answer


def digest(state: TurnState) -> str:
    return hashlib.sha256(json.dumps(_sorted_dicts(with_effects(state)), default=str).encode()).hexdigest()


def with_effects(state: TurnState) -> dict[str, Any]:
    """What must be the same in every process, which includes the order of effects."""
    return {**described(state), "effects": list(map(str, state.effects))}


def described(state: TurnState) -> dict[str, Any]:
    """All that a state says of its position."""
    game: Any = state.game
    table = game.table_of(state.array)
    acts = [] if table._several else sorted(map(str, state.legal_actions()))
    return {
        **with_sorted_pads(table),
        "to_act": sorted(state.to_act),
        "ended_by": state.ended_by,
        "winners": sorted(state.winners),
        "scores": list(state.scores),
        "legal acts": acts,
    }


def _sorted_dicts(value: Any) -> Any:
    """A value with the pairs of its dicts sorted: a game that only looks them up doesn't depend on their order."""
    if isinstance(value, dict):
        return {
            key: sorted(map(_sorted_dicts, one), key=repr) if key == "dict" else _sorted_dicts(one)
            for key, one in sorted(value.items())
        }
    return list(map(_sorted_dicts, value)) if isinstance(value, list | tuple) else value


def _deviations(info: WorkshopInfo, games: Sequence[Sequence[Any]]) -> list[Deviation]:
    """The deviations of games in this process."""
    found = []
    for number, (options, acts, digests) in enumerate(games):
        position = 0
        try:
            loaded: Any = info.load(**options)
            state = PlainGame(info, dict(loaded.options), loaded.design).start()
            for position, expected in enumerate(digests):
                if position:
                    state = state.apply(acts[position - 1])
                if digest(state) != expected:
                    found.append(Deviation(number, position, with_effects(state)))
                    break
        except GameError as error:
            found.append(Deviation(number, position, str(error)))
    return found


if __name__ == "__main__":
    answer = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # whatever games print, and however
    json.dump(_deviations(*pickle.load(sys.stdin.buffer)), answer)  # noqa: S301 (from the process that started this)
    answer.close()
