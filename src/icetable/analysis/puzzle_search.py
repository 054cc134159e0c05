"""Puzzles: positions in which one act is clearly better than all others.

They are taken from games between fast searches that sometimes play a random act. If the game can be solved, the solver
evaluates all acts. Otherwise the positions after all acts are searched equally; then the right act and its rivals are
searched ten times longer, and a search of the whole position, forty times longer, has to find the right act again.

A game without turns finds puzzles itself, in games between bots.
"""

from __future__ import annotations

import itertools
import json
import random
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from typing import TYPE_CHECKING

import numpy as np

from icetable import games
from icetable.analysis.positions import check_state, worth_of_deals
from icetable.bots.compilation import ensure
from icetable.bots.levels import SearchLevel, level_named, levels, timeless_levels
from icetable.bots.realtime import RealTimeBot, play
from icetable.bots.search import search
from icetable.core.errors import GameError
from icetable.core.game import CHANCE
from icetable.core.options import check_whole
from icetable.core.realtime import RealTimeGame
from icetable.core.turns import TurnGame, TurnState
from icetable.extras.exercises import Puzzle, Reply, judged, task_of
from icetable.extras.strength import best_acts, can_solve, rank, solver_of
from icetable.kernels import jit
from icetable.kernels.layout import TURN, shares_of

if TYPE_CHECKING:
    from icetable.bots.trees import Candidate
    from icetable.core.game import Action, Game
    from icetable.extras.encoding import Symmetry

Permutation = tuple[int, ...]

MIN_LEAD = 0.21
"""Minimum lead of the right act over all others, in shares of the game."""
MIN_RIVALS = 2
"""Number of rivals that get a long search, whatever their worth."""
MAX_GAP_BRIEF, MAX_GAP_SHORT = 0.42, 0.31
"""An act that is further behind after a brief search gets no short one, and after a short search no long one."""
MIN_ACTS = 3
"""Minimum number of legal acts of a puzzle."""
PLAYER_SIMULATIONS, SLIP_PROBABILITY = 30, 0.15
"""Search of the players of the games, and the probability that they play a random act."""
BRIEF_SIMULATIONS, SHORT_SIMULATIONS, LONG_SIMULATIONS, FULL_SIMULATIONS = 100, 300, 3000, 12_000
"""Searches that select the acts that matter, propose a puzzle, evaluate its acts, and confirm the right one."""
SEARCHES_PER_LEVEL, MIN_FINDS = 10, 9
"""A level finds an act if at least MIN_FINDS of its searches do."""
MAX_LINE_ACTS = 6
WEAK_LEVELS = 3
"""Number of the weakest levels that play the games without turns."""
GAMES_PER_ROUND = 16
"""Number of games submitted together."""
WORTH_OF_RANK = {1: 1.0, 0: 0.5, -1: 0.0}
"""Worths of the solver's ranks, in shares of a game for two."""

TURNS_LEFT = "turns left"
"""The plane with the number of turns left."""
MAX_IMAGES = 100
"""Maximum size of a group of symmetries that is enumerated."""

Replies = dict["Action", Reply]
"""The worth of each act to its seat, with its principal variation."""


def puzzles(
    game: Game | str | type, count: int, seed: int = 0, executor: Executor | None = None, level: str | None = None
) -> Iterator[Puzzle]:
    """Find `count` puzzles of a game, all different even if the board is rotated or mirrored.

    The same seed gives the same puzzles on any machine. `executor`: one of `concurrent.futures` whose workers have
    the same icetable. `level`: only puzzles that no weaker level finds. Raises GameError for games with one player, for
    games without turns that have no puzzles, and for an unknown level.
    """
    game = games.with_options(game)
    if not isinstance(game, RealTimeGame):
        check_state(game.start())
    elif game.info.part("puzzles") is None:
        raise GameError(f"there are no puzzles of {game.info.title}")
    check_whole("count", count, 0)
    check_whole("seed", seed, 0)
    if level is not None:
        level_named(game, level)
    yield from itertools.islice(unseen(_of_games(game, seed, executor, level)), count)


def _of_games(game: Game, seed: int, executor: Executor | None, level: str | None) -> Iterator[Puzzle]:
    for first in itertools.count(0, GAMES_PER_ROUND):
        seeds = jit.seeds(seed, first + GAMES_PER_ROUND)[first:].tolist()
        if executor is None:
            found = (puzzles_of_a_game(game, game_seed, level) for game_seed in seeds)
        else:
            pending = [executor.submit(puzzles_of_a_game, game, game_seed, level) for game_seed in seeds]
            found = (future.result() for future in pending)
        for some in found:
            yield from some


def unseen(found: Iterator[Puzzle]) -> Iterator[Puzzle]:
    """The puzzles whose positions are new, up to symmetries and the number of turns."""
    seen = set()
    for puzzle in found:
        state = puzzle.state()
        image = image_of(state) if isinstance(state, TurnState) else puzzle.name
        if image not in seen:
            seen.add(image)
            yield puzzle


def puzzles_of_a_game(game: Game, seed: int, level: str | None = None) -> list[Puzzle]:
    """Find the puzzles in one game between bots, in a worker."""
    ensure(game.info)
    if isinstance(game, RealTimeGame):
        return _without_turns(game, seed, level)
    return _of_turns(check_state(game.start()), random.Random(seed), level)  # noqa: S311 (play, not secrets)


def _without_turns(game: RealTimeGame, seed: int, level: str | None) -> list[Puzzle]:
    """Find the puzzles in a game between weak bots; the game sets their levels."""
    rng = np.random.default_rng(seed)
    names = [each.name for each in levels(game)]
    players = names[int(rng.integers(WEAK_LEVELS))]
    bots = [RealTimeBot(game, players, int(rng.integers(1 << 31))) for _ in range(game.players)]
    states = list(play(game, bots, None).history())
    module = game.info.part("puzzles")
    found: list[Puzzle] = [] if module is None else list(module.found(states, rng))
    return [puzzle for puzzle in found if level is None or puzzle.level in names[names.index(level) :]]


def _of_turns(state: TurnState, rng: random.Random, level: str | None) -> list[Puzzle]:
    """Find the puzzles in a game between fast searches, no two with the same answer."""
    found: dict[tuple[int, Action], Puzzle] = {}
    while not state.is_terminal:
        seed, slips = rng.getrandbits(30), rng.random() < SLIP_PROBABILITY
        if state.actor == CHANCE:
            state = state.apply(_any_act(state, seed))
            continue
        candidates = search(state, simulations=PLAYER_SIMULATIONS, seed=seed)
        if len(candidates) >= MIN_ACTS and (level is not None or _lead(candidates) >= MIN_LEAD / 2):
            puzzle = puzzle_at(state, seed, level)
            if puzzle is not None:
                found.setdefault((puzzle.seat, puzzle.answer[0]), puzzle)
        state = state.apply(_any_act(state, seed) if slips else candidates[0].action)
    return list(found.values())


def _any_act(state: TurnState, seed: int) -> Action:
    """A random act; for chance, by its odds."""
    rules = state.game.rules
    code = rules.pick(state.array.copy(), jit.seeds(0, rules.MAX_ACTS), jit.seeds(seed, 1))
    return state.game.act_at(state.array, int(code))


def puzzle_at(state: TurnState, seed: int, level: str | None = None) -> Puzzle | None:
    """The puzzle of a position, or None if it is not one, or one that a weaker level finds."""
    if len(state.codes()) < MIN_ACTS:
        return None
    found = search(state, simulations=SHORT_SIMULATIONS, seed=seed)
    best, *others = found
    act = best.action
    others.sort(key=lambda candidate: -candidate.value)
    if _lead(found) < MIN_LEAD or (level is not None and _is_easy(state, act, level, seed + 2)):
        return None
    ranked = [act, *(candidate.action for candidate in others)]
    replies = _solved(state, act, seed + 1) if _is_solvable(state.game) else _searched(state, ranked, seed + 1)
    if replies is None:
        return None
    worth, next_best = replies[act].worth, _best_other(act, replies)
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
        (act, *replies[act].line)[:MAX_LINE_ACTS],
        round(worth, 3),
        round(next_best, 3),
        level_of(state, act, seed + 2),
        themes,
        replies={other: Reply(round(reply.worth, 3), reply.line) for other, reply in replies.items() if other != act},
    )


def _lead(found: Sequence[Candidate]) -> float:
    """The lead of the first act of a search over all others."""
    return found[0].value - max(candidate.value for candidate in found[1:])


def _best_other(act: Action, replies: Replies) -> float:
    return max(reply.worth for other, reply in replies.items() if other != act)


def _searched(state: TurnState, ranked: Sequence[Action], seed: int) -> Replies | None:
    """Evaluate all acts by searches, or return None if the first of those `ranked` does not stay far ahead.

    The next ones are searched first, as they are the likeliest to refute the puzzle. Of the others, those close enough
    get longer searches.
    """

    def evaluate(act: Action, simulations: int) -> Reply:
        return evaluate_position(state.apply(act), state.actor, simulations, seed)

    def is_behind(rival: Action, simulations: int = LONG_SIMULATIONS, lead: float = MIN_LEAD) -> bool:
        replies[rival] = evaluate(rival, simulations)
        return replies[best].worth - replies[rival].worth >= lead

    best, rivals, others = ranked[0], ranked[1 : 1 + MIN_RIVALS], ranked[1 + MIN_RIVALS :]
    replies = {best: evaluate(best, SHORT_SIMULATIONS)}
    if not all(is_behind(rival, SHORT_SIMULATIONS, MIN_LEAD / 2) for rival in rivals):
        return None
    replies[best] = evaluate(best, LONG_SIMULATIONS)
    if not all(map(is_behind, rivals)):
        return None
    replies |= {act: evaluate(act, BRIEF_SIMULATIONS) for act in others}
    close = (act for act in others if replies[act].worth > replies[best].worth - MAX_GAP_BRIEF)
    replies |= {act: evaluate(act, SHORT_SIMULATIONS) for act in close}
    if not all(is_behind(act) for act in others if replies[act].worth > replies[best].worth - MAX_GAP_SHORT):
        return None
    return replies if search(state, simulations=FULL_SIMULATIONS, seed=seed)[0].action == best else None


def evaluate_position(state: TurnState, seat: int, simulations: int, seed: int) -> Reply:
    """The worth of a position to a seat by a search, and its principal variation, with the worst acts of chance."""
    players = state.game.players
    if state.is_terminal:
        return Reply(shares_of(state.winners, players)[seat], ())
    if state.actor != CHANCE:
        best = search(state, simulations=simulations, seed=seed, lines=True)[0]
        return Reply(best.shares[seat], best.line[:MAX_LINE_ACTS])
    if not state.codes():  # too many outcomes to list
        return Reply(worth_of_deals(state)[0][seat], ())
    outcomes = state.chance_outcomes()
    replies = [evaluate_position(state.apply(act), seat, simulations, seed) for act, _ in outcomes]
    worst = min(range(len(replies)), key=lambda number: replies[number].worth)
    mean = sum(odds * reply.worth for (_, odds), reply in zip(outcomes, replies, strict=True))
    return Reply(mean, (outcomes[worst][0], *replies[worst].line)[:MAX_LINE_ACTS])


def _is_solvable(game: TurnGame) -> bool:
    return can_solve(game) and not jit.ALWAYS_PLAIN  # plain kernels are too slow


def _solved(state: TurnState, best: Action, seed: int) -> Replies | None:
    """The worth of all acts in perfect play; None if not only one is best, or if the game is too large to solve."""
    solver = solver_of(state.game.info)
    assert solver is not None
    try:
        worths = {act: WORTH_OF_RANK[rank(value)] for act, value in solver.values(state).items()}
        if worths[best] <= max(worth for act, worth in worths.items() if act != best):
            return None
        return {act: Reply(worth, _perfect(state.apply(act), seed)) for act, worth in worths.items()}
    except GameError:
        return None


def _perfect(state: TurnState, seed: int) -> tuple[Action, ...]:
    """Perfect play from a position on; among equal acts, the search's favourite."""
    line: list[Action] = []
    while not state.is_terminal and len(line) < MAX_LINE_ACTS:
        right = best_acts(state)
        ranked = (candidate.action for candidate in search(state, simulations=SHORT_SIMULATIONS, seed=seed))
        line.append(next(act for act in ranked if act in right))
        state = state.apply(line[-1])
    return tuple(line)


def level_of(state: TurnState, act: Action, seed: int) -> str | None:
    """The weakest level whose searches find an act."""
    return next((level.name for level in timeless_levels(state.game) if finds(level, state, act, seed)), None)


def _is_easy(state: TurnState, act: Action, level: str, seed: int) -> bool:
    """Whether a level weaker than this one finds an act."""
    weaker = itertools.takewhile(lambda other: other.name != level, timeless_levels(state.game))
    return any(finds(other, state, act, seed) for other in weaker)


def finds(level: SearchLevel, state: TurnState, act: Action, seed: int) -> bool:
    """Whether the searches of a level find an act."""
    missed = 0
    for search_seed in jit.seeds(seed, SEARCHES_PER_LEVEL).tolist():
        missed += search(state, simulations=level.effort.simulations, seed=search_seed)[0].action != act
        if missed > SEARCHES_PER_LEVEL - MIN_FINDS:
            return False
    return True


def themes_of(state: TurnState, act: Action, worth: float, next_best: float) -> tuple[str, ...]:
    """The themes of an act: general ones, and those of the game's module `lessons`."""
    after, module = state.apply(act), state.game.info.part("lessons")
    general = {
        "wins": worth == 1,
        "wins at once": after.winners == {state.actor},
        "saves": next_best == 0 < worth < 1,
    }
    return (*(theme for theme, holds in general.items() if holds), *(module.themes(after) if module else ()))


def holds(puzzle: Puzzle, simulations: int, seed: int = 0) -> bool:
    """Whether a puzzle is correct: by the rules, by the solver if there is one, otherwise by a search."""
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


def image_of(state: TurnState) -> bytes:
    """A key that all images of a position share, independent of the number of turns."""
    module = state.game.info.part("encoding")
    if module is None:
        position = state.array.copy()
        position[TURN] = 0
        return state.game.key(position)
    encoding = module.describe(state.game)
    planes = np.zeros((encoding.height * encoding.width, len(encoding.planes)), np.int8)
    module.observe(state.array, state.actor, planes)
    planes[:, [plane.name == TURNS_LEFT for plane in encoding.planes]] = 0
    keys = []
    for seats, cells in images(encoding.symmetries, state.game.players, len(planes)):
        image = np.empty_like(planes)
        image[list(cells)] = planes
        keys.append(bytes([seats[state.actor]]) + image.tobytes())
    return min(keys) if len(keys) <= MAX_IMAGES else np.array(sorted(planes.tolist()), np.int8).tobytes()


def images(symmetries: Sequence[Symmetry], players: int, cells: int) -> list[tuple[Permutation, Permutation]]:
    """The group that symmetries generate, as permutations of seats and of cells.

    The enumeration of a group that is too large stops early; it can exchange any two cells.
    """
    found: list[tuple[Permutation, Permutation]] = [(tuple(range(players)), tuple(range(cells)))]
    known = set(found)
    for seats, places in found:
        for symmetry in symmetries:
            after = tuple(symmetry.seats[seat] for seat in seats), tuple(symmetry.cells[list(places)].tolist())
            if after not in known and len(found) <= MAX_IMAGES:
                known.add(after)
                found.append(after)
    return found
