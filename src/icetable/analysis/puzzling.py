"""Puzzles: positions in which one act is right, and no other comes near it.

They are looked for in games of quick searches that now and then slip. Where the game can be solved, the solver judges
every act. Elsewhere the positions after all acts are searched alike; then the right act and every rival within reach of
it are searched ten times as long, and a search of the whole position, a hundred times as long, has to find it again.
"""

from __future__ import annotations

import itertools
import json
import random
from collections.abc import Iterator
from concurrent.futures import Executor
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from icetable import games
from icetable.analysis.images import image_of
from icetable.analysis.positions import check_state
from icetable.bots.levels import SearchLevel, levels
from icetable.bots.search import search
from icetable.bots.warming import make_ready
from icetable.core import jit
from icetable.core.decimals import check_whole
from icetable.core.errors import GameError
from icetable.core.game import CHANCE
from icetable.core.kernel import shares_of
from icetable.core.puzzles import Puzzle, Reply, task_of
from icetable.core.solving import best_acts, can_solve, rank, solver_of
from icetable.core.turns import TurnGame, TurnState

if TYPE_CHECKING:
    from collections.abc import Mapping

    from icetable.core.game import Action

LEAST_LEAD = 0.21
"""By how much the right act is worth more than any other, in shares of the game."""
SLACK = 0.1
"""By how much a first look may fall short of that lead."""
REACH = 0.42
"""A rival that is so far behind at first is not looked at again, unless it is the best of all."""
LEAST_ACTS = 3
"""With fewer legal acts there is nothing to find."""
PLAYED, SLIP = 30, 0.15
"""The simulations of those who play the games, and how often they do anything."""
GLANCE, LOOK, STUDY = 300, 3000, 30_000
"""The simulations that take a position for a puzzle, that judge its acts, and that find the right one again."""
SEEDS, FOUND = 10, 9
"""A level finds an act if so many of its searches do."""
LONGEST_LINE = 6
AT_ONCE = 16
"""The games that are given out together."""
MOST_POSITIONS = 1_000_000
WORTHS = {1: 1.0, 0: 0.5, -1: 0.0}
"""What the solver's ranks are worth, in shares of a game of two."""

Looks = dict["Action", Reply]
"""What the acts of a position are worth to its seat, and the play to expect after each."""


def puzzles(game: TurnGame, count: int, seed: int = 0, where: Executor | None = None) -> Iterator[Puzzle]:
    """So many puzzles of a game, no two the same but for turns and mirrors of the board.

    The same seed gives the same ones, wherever they are looked for. `where`: an executor of `concurrent.futures` whose
    workers have the same icetable. Raises GameError for games without turns or with one player.
    """
    check_state(game.start())
    check_whole("count", count, 0)
    check_whole("seed", seed, 0)
    yield from itertools.islice(_unseen(_of_games(game, seed, where)), count)


def _of_games(game: TurnGame, seed: int, where: Executor | None) -> Iterator[Puzzle]:
    name, options = game.info.name, dict(game.options)
    for first in itertools.count(0, AT_ONCE):
        seeds = jit.seeds(seed, first + AT_ONCE)[first:].tolist()
        if where is None:
            found = (puzzles_of_a_game(name, options, one) for one in seeds)
        else:
            pending = [where.submit(puzzles_of_a_game, name, options, one) for one in seeds]
            found = (one.result() for one in pending)
        for some in found:
            yield from some


def _unseen(found: Iterator[Puzzle]) -> Iterator[Puzzle]:
    """Those whose positions did not occur before, whatever the number of turns."""
    seen = set()
    for puzzle in found:
        image = image_of(check_state(puzzle.state()))
        if image not in seen:
            seen.add(image)
            yield puzzle


def puzzles_of_a_game(name: str, options: Mapping[str, Any], seed: int) -> list[Puzzle]:
    """The puzzles that one game of quick searches comes upon, no two with the same answer: what a worker does."""
    make_ready(games.info(name))
    rng = random.Random(seed)  # noqa: S311 (play, not secrets)
    state = check_state(games.load(name, **options).start())
    found: dict[tuple[int, Action], Puzzle] = {}
    while not state.is_terminal:
        if state.actor != CHANCE and (puzzle := puzzle_at(state, rng.getrandbits(30))) is not None:
            found.setdefault((puzzle.seat, puzzle.line[0]), puzzle)
        state = state.apply(_act(state, rng))
    return list(found.values())


def _act(state: TurnState, rng: random.Random) -> Action:
    """What is played: chance draws by its odds, and players slip."""
    if state.actor == CHANCE or rng.random() < SLIP:
        rules = state.game.rules
        buffer = jit.seeds(0, rules.MOST_ACTS)
        code = rules.pick(state.position.copy(), buffer, jit.seeds(rng.getrandbits(30), 1))
        return state.game.notations[int(code)]
    return search(state, simulations=PLAYED, seed=rng.getrandbits(30))[0].action


def puzzle_at(state: TurnState, seed: int) -> Puzzle | None:
    """The puzzle of a position, if it is one."""
    if len(state.codes()) < LEAST_ACTS:
        return None
    best, *others = search(state, simulations=GLANCE, seed=seed)
    if best.value - max(one.value for one in others) < LEAST_LEAD:
        return None
    act = best.action
    looks = _solved(state, seed + 1) if _is_solvable(state.game) else _judged(state, act, seed + 1)
    if looks is None:
        return None
    worth, next_best = looks[act].worth, _best_but(act, looks)
    if worth - next_best < LEAST_LEAD or worth * state.game.players < 1:
        return None
    saved = json.loads(state.to_json())
    themes = themes_of(state, act, worth, next_best)
    return Puzzle(
        state.game.info,
        saved["options"],
        saved["position"],
        state.actor,
        task_of(state.game.info, state.actor, themes),
        (act,),
        (act, *looks[act].line)[:LONGEST_LINE],
        round(worth, 3),
        round(next_best, 3),
        level_of(state, act, seed + 2),
        themes,
        replies={other: Reply(round(look.worth, 3), look.line) for other, look in looks.items() if other != act},
    )


def _best_but(act: Action, looks: Looks) -> float:
    """What any other act is worth at most."""
    return max(look.worth for other, look in looks.items() if other != act)


def _judged(state: TurnState, act: Action, seed: int) -> Looks | None:
    """What the acts are worth, if one stays far ahead of all others however long one looks."""
    looks = {one: look_at(state.apply(one), state.actor, GLANCE, seed) for one in state.legal_actions()}
    if looks[act].worth - _best_but(act, looks) < LEAST_LEAD - SLACK:
        return None
    looks[act] = look_at(state.apply(act), state.actor, LOOK, seed)
    rivals = sorted((one for one in looks if one != act), key=lambda one: -looks[one].worth)
    for number, rival in enumerate(rivals):
        if number and looks[rival].worth < looks[act].worth - REACH:
            break
        looks[rival] = look_at(state.apply(rival), state.actor, LOOK, seed)
        if looks[act].worth - looks[rival].worth < LEAST_LEAD:
            return None
    return looks if search(state, simulations=STUDY, seed=seed)[0].action == act else None


def look_at(state: TurnState, seat: int, simulations: int, seed: int) -> Reply:
    """What a position is worth to a seat by a search, and the play to expect; of chance what harms the seat most."""
    players = state.game.players
    if state.is_terminal:
        return Reply(shares_of(state.winners, players)[seat], ())
    if state.actor != CHANCE:
        best = search(state, simulations=simulations, seed=seed, lines=True)[0]
        return Reply(best.shares[seat], best.line[:LONGEST_LINE])
    if not state.codes():  # too many outcomes to list
        values = np.empty(players)
        state.game.evaluation.evaluate(state.position, values)
        return Reply(float(values[seat]), ())
    outcomes = state.chance_outcomes()
    looks = [look_at(state.apply(act), seat, simulations, seed) for act, _ in outcomes]
    worst = min(range(len(looks)), key=lambda number: looks[number].worth)
    mean = sum(odds * look.worth for (_, odds), look in zip(outcomes, looks, strict=True))
    return Reply(mean, (outcomes[worst][0], *looks[worst].line)[:LONGEST_LINE])


def _is_solvable(game: TurnGame) -> bool:
    return can_solve(game) and not jit.ALWAYS_PLAIN  # plain kernels are too slow for it


def _solved(state: TurnState, seed: int) -> Looks | None:
    """What the acts are worth in perfect play; None where that is too long to work out."""
    solver = solver_of(state.game.info)
    assert solver is not None
    try:
        values = solver.values(state, MOST_POSITIONS)
        return {act: Reply(WORTHS[rank(value)], _perfect(state.apply(act), seed)) for act, value in values.items()}
    except GameError:
        return None


def _perfect(state: TurnState, seed: int) -> tuple[Action, ...]:
    """Perfect play from a position on: of equal acts the one that a search likes best."""
    line: list[Action] = []
    while not state.is_terminal and len(line) < LONGEST_LINE:
        right = best_acts(state, MOST_POSITIONS)
        line.append(next(one.action for one in search(state, simulations=GLANCE, seed=seed) if one.action in right))
        state = state.apply(line[-1])
    return tuple(line)


def level_of(state: TurnState, act: Action, seed: int) -> str | None:
    """The weakest level whose searches find an act."""
    seeds = jit.seeds(seed, SEEDS).tolist()
    for level in levels(state.game.info.name):
        if isinstance(level, SearchLevel) and level.simulations is not None:
            missed = 0
            for one in seeds:
                missed += search(state, simulations=level.simulations, seed=one)[0].action != act
                if missed > SEEDS - FOUND:
                    break
            else:
                return level.name
    return None


def themes_of(state: TurnState, act: Action, worth: float, next_best: float) -> tuple[str, ...]:
    """What an act is about: what hangs on it, and what the game's module `themes` finds."""
    module = state.game.info.part("themes")
    own = () if module is None else module.themes(state.apply(act))
    wins, saves = worth == 1, next_best == 0 < worth < 1
    return (*(["wins"] if wins else []), *(["saves"] if saves else []), *cast("Iterator[str]", own))
