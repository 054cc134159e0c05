"""The game solved: the known results, and small ends of games against the plainest of searches."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import icetable
from icetable import GameError, State
from icetable.core.turns import TurnState
from icetable.games.squad import solve as solving
from icetable.games.squad.game import BEST_SOLO_SCORES
from icetable.games.squad.solve import solve, values
from tests.both_modes import said_in_both_modes

BETTER = {"loss": 0, "draw": 1, "win": 2}


def outcome(state: State, seat: int) -> str:
    """The outcome of best play for a seat, by trying everything."""
    if state.is_terminal:
        return "draw" if len(state.winners) == 2 else "win" if seat in state.winners else "loss"
    outcomes = {outcome(state.apply(act), seat) for act in state.legal_actions()}
    choose = max if seat in state.to_act else min
    return choose(outcomes, key=BETTER.__getitem__)


def ends(count: int, acts_left: int, **options: Any) -> Iterator[State]:
    """Positions so many acts before the end of random games."""
    rng = np.random.default_rng(acts_left)
    game = icetable.load("squad", players=2, **options)
    while count:
        state = game.start()
        while not state.is_terminal:
            state = state.apply(game.random_act(state, rng))
        history = list(state.history())
        if len(history) > acts_left + 6:
            count -= 1
            yield history[-1 - acts_left]


@pytest.mark.parametrize(
    ("options", "score"),
    [
        ({}, 12),
        ({"trios": 2}, 1),
        ({"board": 6}, 12),
        ({"board": 6, "trios": 2}, 1),
        ({"captain_start": 0}, 12),
    ],
)
def test_alone(options: dict[str, Any], score: int) -> None:
    """SQ-2, SQ-16: the best score there is, and a game that reaches it."""
    solution = solve(icetable.load("squad", players=1, **options))
    assert solution.worth == score
    assert solution.end.is_terminal
    assert solution.end.scores == (score,)
    assert solution.end.game.replay(solution.end.record()) == solution.end


@pytest.mark.parametrize("captain_start", [0, 1])
@pytest.mark.parametrize("board", [4, 6])
@pytest.mark.parametrize(
    "options",
    [
        {"trios": 2},
        {"trios": 3},
        {"trios": 2, "formation": "up-to"},
        {"trios": 2, "formation": "up-to", "friends": "own"},
    ],
)
def test_the_best_score_that_is_known(board: int, captain_start: int, options: dict[str, Any]) -> None:
    """SQ-16"""
    game = icetable.load("squad", players=1, board=board, captain_start=captain_start, **options)
    best = BEST_SOLO_SCORES.get((game.options["trios"], game.options["formation"]))
    assert best == solve(game).worth


def test_the_end_names_the_best_score_if_it_is_known() -> None:
    """SQ-16"""
    for options, known in (({}, "The best known score is 12."), ({"formation": "up-to"}, "")):
        state = icetable.load("squad", players=1, **options).random_game(np.random.default_rng(5))
        reason = state.view()["reason"]
        assert f"= {state.scores[0]}." in reason
        assert known in reason
        assert bool(known) == ("best known" in reason)


def best_score(state: State) -> int:
    """The highest score that can still be reached, by trying everything."""
    if state.is_terminal:
        return int(state.scores[0])
    return max(best_score(state.apply(act)) for act in state.legal_actions())


def test_alone_by_trying_everything() -> None:
    state = icetable.load("squad", players=1).start().apply("C@d1").apply("F@c1").apply("F@b2")
    for _ in range(4):
        worths = values(state)
        assert worths == {act: best_score(state.apply(act)) for act in state.legal_actions()}
        state = state.apply(state.legal_actions()[-1])


def test_for_two() -> None:
    """The second seat wins, by a corner adjacent to the first captain's; by the opposite one it only draws."""
    game = icetable.load("squad")
    solution = solve(game)
    assert solution.worth == "loss"
    assert solution.end.winners == {1}
    state = game.start()
    assert set(values(state).values()) == {"loss"}
    assert values(state.apply("C@a1")) == {"C@d1": "win", "C@a4": "win", "C@d4": "draw"}
    assert values(state.apply("C@d4")) == {"C@d1": "win", "C@a4": "win", "C@a1": "draw"}


def test_nobody_errs_in_the_solutions_game() -> None:
    """Every act of it is one of the best."""
    for state in list(solve(icetable.load("squad")).end.history())[1:]:
        assert state.parent is not None
        assert state.act is not None
        worths = values(state.parent)
        assert worths[state.act] == max(worths.values(), key=lambda worth: BETTER[str(worth)])


@pytest.mark.parametrize(
    ("acts_left", "options"), [(5, {}), (5, {"board": 6}), (4, {"captain_start": 0}), (3, {"trios": 3})], ids=str
)
def test_ends_by_trying_everything(acts_left: int, options: dict[str, Any]) -> None:
    seen = set()
    for state in ends(12, acts_left, **options):
        (seat,) = state.to_act
        worths = values(state)
        assert worths == {act: outcome(state.apply(act), seat) for act in state.legal_actions()}
        seen |= set(worths.values())
    assert len(seen) > 1


def test_images_are_worth_the_same() -> None:
    """A position and what becomes of it in a mirror have one name, another position has another."""
    game = icetable.load("squad")
    solver = solving.solver_of(game)
    names = []
    for corner, square in (("a1", "b1"), ("a1", "a2"), ("d4", "c4"), ("d1", "d2"), ("a1", "c4")):
        opposite = {"a1": "d4", "d4": "a1", "d1": "a4"}[corner]
        state = game.start().apply(f"C@{corner}").apply(f"C@{opposite}").apply(f"F@{square}")
        words = np.zeros(2, np.int64)
        solving.write_key(solver.scratch, state.array, words)  # type: ignore[attr-defined]
        names.append(tuple(words.tolist()))
    assert len(set(names[:4])) == 1
    assert names[4] != names[0]


def test_a_table_grows() -> None:
    """A larger table keeps the entries of a small one."""
    game = icetable.load("squad")
    solver = solving.SquadSolver(game)  # type: ignore[arg-type]
    solver.table = solving.new_table(64)
    assert solver.value(game.start()) == -1
    assert len(solver.table.first) > 64
    assert 4 * int(solver.table.used[0]) <= 3 * len(solver.table.first)
    assert int((solver.table.first != 0).sum()) == int(solver.table.used[0])


def test_too_many_positions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solving, "INITIAL_SLOTS", 256)
    monkeypatch.setattr(solving, "MAX_SLOTS", 512)
    solving.cached_solver.cache_clear()
    with pytest.raises(GameError, match=r"this game has too many positions: over [\d,]+ of those that matter"):
        solve(icetable.load("squad", trios=3))
    solving.cached_solver.cache_clear()


def test_no_more_positions_than_asked() -> None:
    """Results found until then are cached, so that repeated calls get there."""
    solving.cached_solver.cache_clear()
    start = icetable.load("squad", board=6).start()
    assert isinstance(start, TurnState)
    refused = 0
    while True:
        try:
            found = values(start, 5000)
        except GameError as error:
            assert re.fullmatch(r"more than [\d,]+ positions have to be searched", str(error))  # noqa: PT017
            refused += 1
        else:
            break
    assert 3 < refused < 12
    assert found == values(start)
    assert set(found.values()) == {"draw"}
    assert solving.cached_solver(start.game).known < 60_000
    solving.cached_solver.cache_clear()


def test_a_game_that_somebody_solves_is_not_waited_for() -> None:
    start = icetable.load("squad").start()
    solver = solving.cached_solver(start.game)
    with solver._lock, pytest.raises(GameError, match="this game is being solved"):
        values(start, 10)
    assert values(start, 10_000_000) == values(start)


def test_refused() -> None:
    with pytest.raises(GameError, match="for one or two players, not for 3"):
        solve(icetable.load("squad", players=3))
    with pytest.raises(GameError, match="only games of Who's On The Squad"):
        solve(icetable.load("icefrogs"))
    with pytest.raises(GameError, match="only games of Who's On The Squad"):
        solve([])  # type: ignore[arg-type]
    with pytest.raises(GameError, match="of a State have values"):
        values("C@a1")  # type: ignore[arg-type]
    assert values(solve(icetable.load("squad")).end) == {}


ASK = """
import json
import icetable
from icetable.games.squad.solve import solve, values
state = icetable.load("squad").start()
for text in "C@d4 C@a1 F@b1 F@b2 F@d1 F@d2 J@c2 S@c4 J@b3".split():
    state = state.apply(text)
alone = solve(icetable.load("squad", players=1))
print(json.dumps([alone.worth, alone.positions, alone.end.record(), values(state)]))
"""


def test_both_modes_say_the_same() -> None:
    assert json.loads(said_in_both_modes(ASK))[0] == 12
