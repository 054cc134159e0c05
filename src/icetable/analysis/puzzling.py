"""Puzzles: positions in which one act is right, and no other comes near it.

They are looked for in games of quick searches that now and then slip. Where the game can be solved, the solver judges
every act. Elsewhere the positions after all acts are searched alike; then the right act and every rival within reach of
it are searched ten times as long, and a search of the whole position, forty times as long, has to find it again.

In a game without turns the game itself looks for puzzles, in games of bots.
"""

from __future__ import annotations

import itertools
import json
import random
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from typing import TYPE_CHECKING, Any

import numpy as np

from icetable import games
from icetable.analysis.images import image_of
from icetable.analysis.positions import check_state, worth_of_deals
from icetable.bots.compiling import ensure
from icetable.bots.levels import SearchLevel, level_named, levels, timeless_levels
from icetable.bots.playing import play
from icetable.bots.realtime import RealTimeBot
from icetable.bots.search import search
from icetable.core.errors import GameError
from icetable.core.game import CHANCE
from icetable.core.numbers import check_whole
from icetable.core.realtime import RealTimeGame
from icetable.core.turns import TurnGame, TurnState
from icetable.extras.puzzles import Puzzle, Reply, judged, task_of
from icetable.extras.solving import best_acts, can_solve, rank, solver_of
from icetable.kernels import jit
from icetable.kernels.layout import shares_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from icetable.bots.ranking import Candidate
    from icetable.core.game import Action, Game

MIN_LEAD = 0.21
"""By how much the right act is worth more than any other, in shares of the game."""
RIVALS = 2
"""How many rivals are looked at long, whatever they seem to be worth."""
FAR, REACH = 0.42, 0.31
"""Another act that a blink finds so far behind is not glanced at, and one that a glance does is not looked at long."""
MIN_ACTS = 3
"""With fewer legal acts there is nothing to find."""
PLAYED, SLIP = 30, 0.15
"""The simulations of those who play the games, and how often they do anything."""
BLINK, GLANCE, LOOK, STUDY = 100, 300, 3000, 12_000
"""The simulations that tell which acts matter, take a position for a puzzle, judge its acts, and find the right one."""
SEEDS, FOUND = 10, 9
"""A level finds an act if so many of its searches do."""
LONGEST_LINE = 6
WEAK = 3
"""How many of the levels, from the weakest up, play the games without turns."""
AT_ONCE = 16
"""The games that are given out together."""
WORTHS = {1: 1.0, 0: 0.5, -1: 0.0}
"""What the solver's ranks are worth, in shares of a game of two."""

Looks = dict["Action", Reply]
"""What the acts of a position are worth to its seat, and the play to expect after each."""


def puzzles(
    game: Game | str | type, count: int, seed: int = 0, where: Executor | None = None, level: str | None = None
) -> Iterator[Puzzle]:
    """`count` puzzles of a game or the game with a name, all different even if the board is turned or mirrored.

    The same seed gives the same ones, wherever they are looked for. `where`: an executor of `concurrent.futures` whose
    workers have the same icetable. `level`: only those that no weaker level finds. Raises GameError for games with one
    player, for those without turns that have no puzzles, and for no such level.
    """
    game = games.with_options(game)
    if not isinstance(game, RealTimeGame):
        check_state(game.start())
    elif game.info.part("finding") is None:
        raise GameError(f"there are no puzzles of {game.info.title}")
    check_whole("count", count, 0)
    check_whole("seed", seed, 0)
    if level is not None:
        level_named(game, level)
    yield from itertools.islice(unseen(_of_games(game, seed, where, level)), count)


def _of_games(game: Game, seed: int, where: Executor | None, level: str | None) -> Iterator[Puzzle]:
    name, options = game.info.name, dict(game.options)
    for first in itertools.count(0, AT_ONCE):
        seeds = jit.seeds(seed, first + AT_ONCE)[first:].tolist()
        if where is None:
            found = (puzzles_of_a_game(name, options, one, level) for one in seeds)
        else:
            pending = [where.submit(puzzles_of_a_game, name, options, one, level) for one in seeds]
            found = (one.result() for one in pending)
        for some in found:
            yield from some


def unseen(found: Iterator[Puzzle]) -> Iterator[Puzzle]:
    """Those whose positions did not occur before, but for turns and mirrors, whatever the number of turns."""
    seen = set()
    for puzzle in found:
        state = puzzle.state()
        image = image_of(state) if isinstance(state, TurnState) else puzzle.name
        if image not in seen:
            seen.add(image)
            yield puzzle


def puzzles_of_a_game(name: str, options: Mapping[str, Any], seed: int, level: str | None = None) -> list[Puzzle]:
    """The puzzles that one game of bots comes upon: what a worker does."""
    game = games.load(name, **options)
    ensure(game.info)
    if isinstance(game, RealTimeGame):
        return _without_turns(game, seed, level)
    return _of_turns(check_state(game.start()), random.Random(seed), level)  # noqa: S311 (play, not secrets)


def _without_turns(game: RealTimeGame, seed: int, level: str | None) -> list[Puzzle]:
    """The puzzles of a game between bots that are not too strong, which find their level by themselves."""
    rng = np.random.default_rng(seed)
    names = [one.name for one in levels(game)]
    players = names[int(rng.integers(WEAK))]
    bots = [RealTimeBot(game, players, int(rng.integers(1 << 31))) for _ in range(game.players)]
    states = list(play(game, bots, None).history())
    module = game.info.part("finding")
    found: list[Puzzle] = [] if module is None else list(module.found(states, rng))
    return [one for one in found if level is None or one.level in names[names.index(level) :]]


def _of_turns(state: TurnState, rng: random.Random, level: str | None) -> list[Puzzle]:
    """The puzzles of a game of quick searches, no two with the same answer. Chance draws by its odds."""
    found: dict[tuple[int, Action], Puzzle] = {}
    while not state.is_terminal:
        seed, slips = rng.getrandbits(30), rng.random() < SLIP
        if state.actor == CHANCE:
            state = state.apply(_any_act(state, seed))
            continue
        seen = search(state, simulations=PLAYED, seed=seed)
        if len(seen) >= MIN_ACTS and (level is not None or _lead(seen) >= MIN_LEAD / 2):
            puzzle = puzzle_at(state, seed, level)
            if puzzle is not None:
                found.setdefault((puzzle.seat, puzzle.answer[0]), puzzle)
        state = state.apply(_any_act(state, seed) if slips else seen[0].action)
    return list(found.values())


def _any_act(state: TurnState, seed: int) -> Action:
    """A random act, of chance by its odds."""
    rules = state.game.rules
    code = rules.pick(state.array.copy(), jit.seeds(0, rules.MAX_ACTS), jit.seeds(seed, 1))
    return state.game.act_at(state.array, int(code))


def puzzle_at(state: TurnState, seed: int, level: str | None = None) -> Puzzle | None:
    """The puzzle of a position, if it is one, and none that a weaker level than this one finds."""
    if len(state.codes()) < MIN_ACTS:
        return None
    found = search(state, simulations=GLANCE, seed=seed)
    best, *others = found
    act = best.action
    others.sort(key=lambda one: -one.value)
    if _lead(found) < MIN_LEAD or (level is not None and _is_easy(state, act, level, seed + 2)):
        return None
    ranked = [act, *(one.action for one in others)]
    looks = _solved(state, act, seed + 1) if _is_solvable(state.game) else _judged(state, ranked, seed + 1)
    if looks is None:
        return None
    worth, next_best = looks[act].worth, _best_but(act, looks)
    if worth - next_best < MIN_LEAD or worth * state.game.players < 1:
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


def _lead(found: Sequence[Candidate]) -> float:
    """By how much the first act that a search found seems to be worth more than any other."""
    return found[0].value - max(one.value for one in found[1:])


def _best_but(act: Action, looks: Looks) -> float:
    """What any other act is worth at most."""
    return max(look.worth for other, look in looks.items() if other != act)


def _judged(state: TurnState, ranked: Sequence[Action], seed: int) -> Looks | None:
    """What the acts are worth, if the first of those `ranked` stays far ahead of all others however long one looks.

    The next ones have to show soon that they are behind; then all others are searched alike, and those within reach
    again and again.
    """

    def look(act: Action, simulations: int) -> Reply:
        return look_at(state.apply(act), state.actor, simulations, seed)

    def is_behind(rival: Action, simulations: int = LOOK, lead: float = MIN_LEAD) -> bool:
        looks[rival] = look(rival, simulations)
        return looks[best].worth - looks[rival].worth >= lead

    best, rivals, others = ranked[0], ranked[1 : 1 + RIVALS], ranked[1 + RIVALS :]
    looks = {best: look(best, GLANCE)}
    if not all(is_behind(rival, GLANCE, MIN_LEAD / 2) for rival in rivals):
        return None
    looks[best] = look(best, LOOK)
    if not all(map(is_behind, rivals)):
        return None
    looks |= {act: look(act, BLINK) for act in others}
    looks |= {act: look(act, GLANCE) for act in others if looks[act].worth > looks[best].worth - FAR}
    if not all(is_behind(act) for act in others if looks[act].worth > looks[best].worth - REACH):
        return None
    return looks if search(state, simulations=STUDY, seed=seed)[0].action == best else None


def look_at(state: TurnState, seat: int, simulations: int, seed: int) -> Reply:
    """What a position is worth to a seat by a search, and the play to expect; of chance what harms the seat most."""
    players = state.game.players
    if state.is_terminal:
        return Reply(shares_of(state.winners, players)[seat], ())
    if state.actor != CHANCE:
        best = search(state, simulations=simulations, seed=seed, lines=True)[0]
        return Reply(best.shares[seat], best.line[:LONGEST_LINE])
    if not state.codes():  # too many outcomes to list
        return Reply(worth_of_deals(state)[0][seat], ())
    outcomes = state.chance_outcomes()
    looks = [look_at(state.apply(act), seat, simulations, seed) for act, _ in outcomes]
    worst = min(range(len(looks)), key=lambda number: looks[number].worth)
    mean = sum(odds * look.worth for (_, odds), look in zip(outcomes, looks, strict=True))
    return Reply(mean, (outcomes[worst][0], *looks[worst].line)[:LONGEST_LINE])


def _is_solvable(game: TurnGame) -> bool:
    return can_solve(game) and not jit.ALWAYS_PLAIN  # plain kernels are too slow for it


def _solved(state: TurnState, best: Action, seed: int) -> Looks | None:
    """What the acts are worth in perfect play, if one alone is best; None also where the game is too large to solve."""
    solver = solver_of(state.game.info)
    assert solver is not None
    try:
        worths = {act: WORTHS[rank(value)] for act, value in solver.values(state).items()}
        if worths[best] <= max(worth for act, worth in worths.items() if act != best):
            return None
        return {act: Reply(worth, _perfect(state.apply(act), seed)) for act, worth in worths.items()}
    except GameError:
        return None


def _perfect(state: TurnState, seed: int) -> tuple[Action, ...]:
    """Perfect play from a position on: of equal acts the one that a search likes best."""
    line: list[Action] = []
    while not state.is_terminal and len(line) < LONGEST_LINE:
        right = best_acts(state)
        line.append(next(one.action for one in search(state, simulations=GLANCE, seed=seed) if one.action in right))
        state = state.apply(line[-1])
    return tuple(line)


def level_of(state: TurnState, act: Action, seed: int) -> str | None:
    """The weakest level whose searches find an act."""
    return next((level.name for level in timeless_levels(state.game) if finds(level, state, act, seed)), None)


def _is_easy(state: TurnState, act: Action, level: str, seed: int) -> bool:
    """Whether a level weaker than this one finds an act."""
    weaker = itertools.takewhile(lambda one: one.name != level, timeless_levels(state.game))
    return any(finds(one, state, act, seed) for one in weaker)


def finds(level: SearchLevel, state: TurnState, act: Action, seed: int) -> bool:
    """Whether the searches of a level find an act."""
    missed = 0
    for one in jit.seeds(seed, SEEDS).tolist():
        missed += search(state, simulations=level.effort.simulations, seed=one)[0].action != act
        if missed > SEEDS - FOUND:
            return False
    return True


def themes_of(state: TurnState, act: Action, worth: float, next_best: float) -> tuple[str, ...]:
    """What an act is about: what hangs on it, and what the game's module `themes` finds."""
    after, module = state.apply(act), state.game.info.part("themes")
    general = {
        "wins": worth == 1,
        "wins at once": after.winners == {state.actor},
        "saves": next_best == 0 < worth < 1,
    }
    return (*(theme for theme, holds in general.items() if holds), *(module.themes(after) if module else ()))


def holds(puzzle: Puzzle, simulations: int, seed: int = 0) -> bool:
    """Whether a puzzle is as it says: by the rules, by the solver where there is one, else by so long a search."""
    state = puzzle.state()
    if isinstance(state, TurnState):
        if _is_solvable(state.game):
            return best_acts(state) == {*puzzle.answer}
        return search(state, simulations=simulations, seed=seed)[0].action in puzzle.answer
    for act in puzzle.answer:
        if state.fault(act, puzzle.seat) is not None:
            return False
        state = state.apply(act, puzzle.seat)
    return judged(puzzle, state, waits=not puzzle.answer).is_right is True
