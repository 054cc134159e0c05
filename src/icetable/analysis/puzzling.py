"""Puzzles: positions in which one act is right, and no other comes near it.

They are looked for in games of quick searches that now and then slip. What a search of few simulations takes for a
puzzle is judged anew: after every legal act the position is searched alike, ten times as long and from another seed,
and where the game can be solved the solver has the last word.
"""

from __future__ import annotations

import itertools
import json
import random
from collections.abc import Iterator
from concurrent.futures import Executor
from typing import TYPE_CHECKING, Any, NamedTuple

from icetable import games
from icetable.analysis.positions import Analyst, check_state
from icetable.bots.levels import SearchLevel, levels
from icetable.bots.search import search
from icetable.bots.warming import make_ready
from icetable.core import jit
from icetable.core.decimals import check_whole
from icetable.core.errors import GameError
from icetable.core.game import CHANCE
from icetable.core.kernel import TURN
from icetable.core.solving import best_acts, can_solve
from icetable.core.turns import TurnGame, TurnState

if TYPE_CHECKING:
    from collections.abc import Mapping

    from icetable.core.game import Action

LEAST_LEAD = 0.21
"""By how much the right act is worth more than any other, in shares of the game."""
LEAST_ACTS = 3
"""With fewer legal acts there is nothing to find."""
PLAYED, SLIP = 30, 0.15
"""The simulations of those who play the games, and how often they do anything."""
GLANCE, LOOK = 300, 3000
"""The simulations that take a position for a puzzle, and those that judge each of its acts."""
SEEDS, FOUND = 10, 9
"""A level finds an act if so many of its searches do."""
AT_ONCE = 16
"""The games that are given out together."""
MOST_POSITIONS = 1_000_000


class Puzzle(NamedTuple):
    """A position in which one act is right.

    `worth`: what it is worth to the seat, in shares of the game; `next_best`: what any other act is worth at most.
    `level`: the weakest one that finds it; None where no level does without thinking by the clock. `themes`: the
    effects of the act, and whether it wins for sure or is the only one that does not lose.
    """

    game: str
    options: Mapping[str, Any]
    position: Any
    seat: int
    act: Action
    line: tuple[Action, ...]
    worth: float
    next_best: float
    level: str | None
    themes: tuple[str, ...]

    def described(self) -> dict[str, Any]:
        """The puzzle as JSON can hold it."""
        return {**self._asdict(), "options": dict(self.options), "line": list(self.line), "themes": list(self.themes)}

    def state(self) -> TurnState:
        """The position, as a state to play on from."""
        saved = {"icetable": 1, "game": self.game, "options": self.options, "position": self.position}
        return check_state(games.load(self.game, **self.options).from_saved(saved))


class Verdict(NamedTuple):
    """The act that is worth most to the seat that is to act, what it is worth, and what any other is worth at most."""

    act: Action
    worth: float
    next_best: float

    @property
    def is_clear(self) -> bool:
        """Whether no other act comes near."""
        return self.worth - self.next_best >= LEAST_LEAD


def puzzles(game: TurnGame, count: int, seed: int = 0, where: Executor | None = None) -> Iterator[Puzzle]:
    """So many puzzles of a game, no position twice. The same seed gives the same ones, wherever they are looked for.

    `where`: an executor of `concurrent.futures` whose workers have the same icetable. Raises GameError for games
    without turns or with one player.
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
        position = puzzle.state().position.copy()
        position[TURN] = 0
        if position.tobytes() not in seen:
            seen.add(position.tobytes())
            yield puzzle


def puzzles_of_a_game(name: str, options: Mapping[str, Any], seed: int) -> list[Puzzle]:
    """The puzzles that one game of quick searches comes upon: what a worker does."""
    make_ready(games.info(name))
    rng = random.Random(seed)  # noqa: S311 (play, not secrets)
    state = check_state(games.load(name, **options).start())
    found = []
    while not state.is_terminal:
        if state.actor != CHANCE and (puzzle := puzzle_at(state, rng.getrandbits(30))) is not None:
            found.append(puzzle)
        state = state.apply(_act(state, rng))
    return found


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
    verdict = judge(state, LOOK, seed + 1)
    if verdict.act != best.action or not verdict.is_clear or not _is_confirmed(state, verdict.act):
        return None
    looked = search(state, simulations=LOOK, seed=seed, lines=True)
    line = next(one.line for one in looked if one.action == verdict.act)
    saved = json.loads(state.to_json())
    return Puzzle(
        state.game.info.name,
        saved["options"],
        saved["position"],
        state.actor,
        verdict.act,
        line,
        verdict.worth,
        verdict.next_best,
        level_of(state, verdict.act, seed + 2),
        themes_of(state, verdict),
    )


def judge(state: TurnState, simulations: int, seed: int) -> Verdict:
    """Which act of a seat is best, by equal searches of the positions that all its acts lead to."""
    analyst = Analyst(simulations, seed)
    worths = {act: analyst.analyse(state.apply(act), 0).worth[state.actor] for act in state.legal_actions()}
    best, second = sorted(worths, key=lambda act: -worths[act])[:2]
    return Verdict(best, worths[best], worths[second])


def _is_confirmed(state: TurnState, act: Action) -> bool:
    """Whether the solver agrees that an act is the only right one, where the game can be solved."""
    if not can_solve(state.game) or jit.ALWAYS_PLAIN:
        return True
    try:
        return best_acts(state, MOST_POSITIONS) == {act}
    except GameError:
        return True


def level_of(state: TurnState, act: Action, seed: int) -> str | None:
    """The weakest level whose searches find an act."""
    seeds = jit.seeds(seed, SEEDS).tolist()
    for level in levels(state.game.info.name):
        if isinstance(level, SearchLevel) and level.simulations is not None:
            acts = (search(state, simulations=level.simulations, seed=one)[0].action for one in seeds)
            if sum(found == act for found in acts) >= FOUND:
                return level.name
    return None


def themes_of(state: TurnState, verdict: Verdict) -> tuple[str, ...]:
    """What an act is about: its effects, and what hangs on it."""
    kinds = dict.fromkeys(str(effect).partition(" ")[0] for effect in state.apply(verdict.act).effects)
    wins, saves = verdict.worth == 1, verdict.next_best == 0 < verdict.worth < 1
    return (*kinds, *(["wins"] if wins else []), *(["saves"] if saves else []))
