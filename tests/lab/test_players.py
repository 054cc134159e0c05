"""Players of plans: named ones, and one's own, which meet others as named players do, wherever they can be sent."""

from __future__ import annotations

import functools
import math
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import icetable
from icetable import CHANCE, GameError, State
from icetable.bots import Bot
from icetable.bots.levels import timeless_levels
from icetable.bots.search import search
from icetable.core.turns import TurnGame, TurnState
from icetable.extras.strength import can_solve, solver_of
from icetable.lab import Plan, match, run
from icetable.lab.comparisons import with_options
from icetable.lab.plan import seed_of
from icetable.lab.players import allowed, check_player, effects_of, hides, maker, player
from tests.conformance.material import material
from tests.fairness import assert_fair, uniform

TURN_GAMES = [game for info in icetable.list_games() if isinstance(game := info.load(), TurnGame)]
each_game = pytest.mark.parametrize("game", TURN_GAMES, ids=lambda game: game.info.name)
(REAL_TIME,) = (info.load() for info in icetable.list_games() if not info.turns)
HIDING = [game for game in TURN_GAMES if hides(game)]
OPEN = next(game for game in TURN_GAMES if not hides(game))
NAMES = ("random", "greedy", "beginner", "casual", "sims:1", "sims:20", "pure:20", "greedy/without=*@b*")
SPREAD = 6


@functools.cache
def states(game: TurnGame) -> tuple[TurnState, ...]:
    """States of some random games, at which a seat has a choice."""
    found = []
    for seed in range(4):
        walk = [one for one in game.random_game(np.random.default_rng(seed)).history() if isinstance(one, TurnState)]
        choices = [one for one in walk if one.actor >= 0 and len(one.legal_actions()) > 1]
        found += choices[:: max(1, len(choices) // SPREAD)]
    return tuple(found)


# Names


@each_game
def test_the_names_that_are_told_are_those_of_players(game: TurnGame) -> None:
    names, without, *_ = allowed(game).split("; ")
    told = [name.replace(":N", ":7") for name in names.split(", ")]
    assert {"random", "greedy", "beginner", "expert", "sims:7", "pure:7"} <= set(told)
    assert ("solver" in told) == can_solve(game)
    for name in told:
        check_player(game, name)
    kinds = effects_of(game)
    assert without.endswith(f"({', '.join(kinds)})")
    for kind in kinds:
        check_player(game, f"greedy/without={kind}")


NO_PLAYERS = [
    "",
    " random",
    "Random",
    "human",
    "merciless",
    "hands=casual+mind=expert",
    "sims",
    "sims:",
    "sims:0",
    "sims:01",
    "sims:-1",
    "sims:1.5",
    "sims:1e3",
    "sims:\u0663",
    "sims:10000001",
    "sims:99999999999999999999",
    "pure:0",
    "/without=L@*",
    "random/",
    "random/without",
    "random/without=",
    "random/without=nothing-like-it",
    "random/with=*",
    "random/memory=",
    "random/memory=-1",
    "random/memory=all",
    "random/memory=\u0663",
    "random/memory=" + "9" * 5000,
    "random/random",
    "random\n",
    "greedy/without=*/",
]


@each_game
@pytest.mark.parametrize("name", NO_PLAYERS, ids=range(len(NO_PLAYERS)))
def test_other_names_are_refused_with_the_allowed_ones(game: TurnGame, name: str) -> None:
    with pytest.raises(GameError, match=r"^there is no player .*; allowed: random, greedy, beginner, ") as error:
        check_player(game, name)
    assert str(error.value).isprintable()


def test_a_game_that_can_not_be_solved_has_no_solver() -> None:
    games = [game for game in TURN_GAMES if not can_solve(game)]
    assert games
    for game in games:
        with pytest.raises(GameError, match="there is no player 'solver'"):
            check_player(game, "solver")


def test_only_what_is_hidden_can_be_forgotten() -> None:
    assert [game.info.name for game in HIDING] == ["highrise"]
    for game in HIDING:
        assert "memory=K" in allowed(game)
        shown = game.info.load(memory="off")
        for other in (shown, OPEN):
            assert isinstance(other, TurnGame)
            assert "memory=K" not in allowed(other)
            with pytest.raises(GameError, match="there is no player 'random/memory=3'"):
                check_player(other, "random/memory=3")


@pytest.mark.parametrize(
    "name",
    ["random", "greedy", "sims:3", "master", "hands=casual", "hands=casual+mind=x", "mind=casual+hands=casual", ""],
)
def test_names_of_a_game_without_turns(name: str) -> None:
    with pytest.raises(GameError, match=r"allowed: beginner, casual, .*merciless, or hands=LEVEL"):
        check_player(REAL_TIME, name)
    with pytest.raises(GameError, match="there is no player 'beginner'; allowed: beginner"):
        player(REAL_TIME, "beginner")


def test_hands_and_minds() -> None:
    """The hands give the times, the mind the skill and what it notices."""

    def made(name: str) -> Any:
        return maker(REAL_TIME, name)(3)

    mixed, hands, mind = (made(name).level for name in ("hands=beginner+mind=expert", "beginner", "expert"))
    assert (mixed.reaction, mixed.carry, mixed.pace) == (hands.reaction, hands.carry, hands.pace)
    assert (mixed.skill, mixed.attention) == (mind.skill, mind.attention)
    assert made("hands=casual+mind=casual").level == made("casual").level


# What all players keep


@each_game
@pytest.mark.parametrize("name", NAMES)
def test_a_player_orders_the_legal_acts_and_plays_the_first(game: TurnGame, name: str) -> None:
    one = player(game, name)
    for seed, state in enumerate(states(game), 1):
        before = state.position.copy()
        order = list(one.order(state, seed))
        chosen = one.choose(state, seed)
        assert sorted(order) == sorted(state.legal_actions())
        assert order == list(one.order(state, seed))
        assert chosen == one.choose(state, seed)
        assert chosen in order if name == "random" else chosen == order[0]
        assert (state.position == before).all()


@each_game
@pytest.mark.parametrize("name", ["random", "beginner"])
def test_another_seed_is_another_choice(game: TurnGame, name: str) -> None:
    one = player(game, name)
    assert any(len({one.choose(state, seed) for seed in range(1, 20)}) > 2 for state in states(game))


@each_game
def test_random_is_even(game: TurnGame) -> None:
    """Both ways in which it draws."""
    one = player(game, "random")
    state = min(states(game), key=lambda state: len(state.codes()))
    legal = [state.game.notations[code] for code in state.codes()]
    seeds = [seed_of("even", number) for number in range(2000)]
    assert_fair((one.choose(state, seed) for seed in seeds), uniform(legal))
    assert_fair((next(one.order(state, seed)) for seed in seeds), uniform(legal))


@each_game
def test_a_forced_act_is_played(game: TurnGame) -> None:
    end = game.random_game(np.random.default_rng(5))
    forced = [one for one in end.history() if isinstance(one, TurnState) and one.actor >= 0 and len(one.codes()) == 1]
    for state in forced[:5]:
        for name in NAMES:
            assert player(game, name).choose(state, 1) == state.legal_actions()[0]


@each_game
def test_levels_play_the_best_of_what_they_notice(game: TurnGame) -> None:
    """So the place of their act in the order of the search falls off as fast as they overlook acts."""
    state = max(states(game), key=lambda state: len(state.codes()))
    level = next(iter(timeless_levels(game)))
    attention = level.effort.attention
    assert attention < 1
    assert level.effort.visit_ratio > 1
    firsts = 0
    for number in range(200):
        seed = seed_of("notice", number)
        best, *_ = search(state, simulations=level.effort.simulations, seed=seed)
        firsts += player(game, level.name).choose(state, seed) == best.action
    assert abs(firsts - 200 * attention) <= 4 * math.sqrt(200 * attention * (1 - attention)) + 2


# Searches win what can be won at once


@each_game
@pytest.mark.parametrize("name", ["greedy", "sims:50"])
def test_a_win_at_hand_is_taken(game: TurnGame, name: str) -> None:
    for state in won_at_once(game):
        after = state.apply(player(game, name).choose(state, 1))
        assert after.winners == {state.actor}
    assert won_at_once(game) or game.info.name == "highrise"  # where the deal decides


@functools.cache
def won_at_once(game: TurnGame) -> list[TurnState]:
    """States before the end of random games at which some act wins."""
    found: list[TurnState] = []
    for seed in range(15):
        walk = [one for one in game.random_game(np.random.default_rng(seed)).history() if isinstance(one, TurnState)]
        ends = ((one, [one.apply(act).winners for act in one.legal_actions()]) for one in walk[-4:-1] if one.actor >= 0)
        found += [one for one, winners in ends if {one.actor} in winners]
    return found


# The solver


def test_the_solver_never_gives_away_a_won_game() -> None:
    """Against anybody: once there is a winning act, it wins; once there is a drawing one, it does not lose."""
    (game,) = (game for game in TURN_GAMES if can_solve(game))
    solver = solver_of(game.info)
    assert solver is not None
    perfect, rest = player(game, "solver"), player(game, "random")
    won = 0
    for seed in range(1, 11):
        state, least = game.start(), -1
        seat = seed % 2
        for act in range(100):
            if state.is_terminal:
                break
            if state.actor != seat:
                state = state.apply(rest.choose(state, 100 * seed + act))
                continue
            if act < 4:  # it has to begin from anywhere
                state = state.apply(rest.choose(state, 100 * seed + act))
                continue
            worth = {"loss": -1, "draw": 0, "win": 1}
            values = {one: worth[str(value)] for one, value in solver.values(state).items()}
            order = list(perfect.order(state, seed))
            assert sorted(order) == sorted(state.legal_actions())
            assert [values[one] for one in order] == sorted(values.values(), reverse=True)
            assert max(values.values()) >= least
            least = max(values.values())
            state = state.apply(order[0])
        share = (seat in state.winners) / len(state.winners)
        assert share >= (least + 1) / 2
        won += least == 1
    assert won > 2


def test_the_solver_alone_scores_the_most() -> None:
    (info,) = (game.info for game in TURN_GAMES if can_solve(game))
    game, solver = info.load(players=1), solver_of(info)
    assert isinstance(game, TurnGame)
    assert solver is not None
    ends = set()
    for seed in (1, 2):
        state = game.start()
        while not state.is_terminal:
            state = state.apply(player(game, "solver").choose(state, seed))
        ends.add(state.scores)
    assert ends == {(solver.solve(game).worth,)}


# What a player may not do


@each_game
@pytest.mark.parametrize("free", ["random", "greedy", "sims:5"])
def test_a_player_who_avoids_an_effect_has_it_only_where_every_act_has(game: TurnGame, free: str) -> None:
    kinds = effects_of(game)
    spared = 0
    for state in states(game)[::2]:
        effects = {act: {effect.kind for effect in state.apply(act).effects} for act in state.legal_actions()}
        for kind in kinds:
            chosen = player(game, f"{free}/without={kind}").choose(state, 3)
            assert kind not in effects[chosen] or all(kind in some for some in effects.values())
            spared += kind not in effects[chosen] and any(kind in some for some in effects.values())
    assert spared > 0 or game.info.name == "highrise"  # where all acts have the same


@each_game
@pytest.mark.parametrize("free", ["random", "greedy", "sims:5"])
def test_a_player_who_avoids_a_notation_plays_it_only_where_there_is_no_other(game: TurnGame, free: str) -> None:
    for state in states(game)[::2]:
        legal = state.legal_actions()
        for act in (legal[0], legal[-1]):
            assert player(game, f"{free}/without={act}").choose(state, 3) != act
        for letter in {act[0] for act in legal}:
            chosen = player(game, f"{free}/without={letter}*").choose(state, 3)
            assert chosen[0] != letter or {act[0] for act in legal} == {letter}
        assert player(game, f"{free}/without=*").choose(state, 3) in legal


def test_a_player_may_avoid_several_things() -> None:
    game = OPEN
    for state in states(game):
        legal = sorted(state.legal_actions())
        name = "greedy" + "".join(f"/without={act}" for act in legal[1:])
        assert player(game, name).choose(state, 1) == legal[0]


@each_game
def test_avoided_acts_leave_the_others_in_order(game: TurnGame) -> None:
    for state in states(game)[::3]:
        order = list(player(game, "greedy").order(state, 1))
        last = order[0]
        assert list(player(game, f"greedy/without={last}").order(state, 1)) == [*order[1:], last]


def test_nobody_who_forgets_tells_worlds_apart_that_look_alike() -> None:
    """In games whose material has such worlds."""
    for game in HIDING:
        make = material(game.info.name).worlds
        worlds = make(game, np.random.default_rng(1)) if make else None
        assert worlds is not None
        forgetful = player(game, "sims:20/memory=0")
        for pair in list(worlds)[:30]:
            one, other = pair.one, pair.other
            assert isinstance(one, TurnState)
            assert isinstance(other, TurnState)
            if one.actor != CHANCE:
                assert forgetful.choose(one, 7) == forgetful.choose(other, 7)


def first(state: State, seat: int) -> str:
    """Plays the act that is listed first."""
    return state.legal_actions(seat)[0]


class Last:
    """Plays the act that is listed last."""

    def __call__(self, state: State, seat: int) -> str:
        return state.legal_actions(seat)[-1]


def test_they_sit_in_every_seat_after_the_same_openings() -> None:
    asked: set[int] = set()

    def asks(state: State, seat: int) -> str:
        assert state.to_act == {seat}
        asked.add(seat)
        return first(state, seat)

    plan = Plan("squad", seats=[asks, "greedy"], blocks=3, seed=1)
    rows = run(plan).rows
    assert plan.seats == ("asks", "greedy")
    assert [row.players for row in rows] == [[0, 1], [1, 0]] * 3
    assert asked == {0, 1}
    named = run(Plan("squad", seats=["random", "greedy"], blocks=3, seed=1)).rows
    assert [row.opening for row in rows] == [row.opening for row in named]


def test_one_stands_for_all_seats_and_equals_change_no_places() -> None:
    plan = Plan("wrecktangle", players=3, seats=[first], blocks=2)
    assert plan.seats == ("first",) * 3
    assert len(run(plan).rows) == plan.games == 2


def test_a_callable_object_is_named_after_its_class() -> None:
    found = match(Plan("squad", seats=[Last(), first], blocks=4))
    assert (found.step.player, found.step.against) == ("Last", "first")
    assert found.described()["plan"]["seats"] == ["Last", "first"]


def test_a_bot_is_one_too() -> None:
    assert run(Plan("squad", seats=[Bot("squad", "casual", seed=1).choose, first], blocks=1)).plan.seats[0] == "choose"


def test_plans_are_as_equal_as_their_players() -> None:
    plan = Plan("squad", seats=[first, "random"], blocks=2)
    assert plan == Plan("squad", seats=[first, "random"], blocks=2)

    def other() -> Plan:
        def first(state: State, seat: int) -> str:
            return state.legal_actions(seat)[-1]

        return Plan("squad", seats=[first, "random"], blocks=2)

    assert plan != other()
    assert plan != Plan("squad", seats=["greedy", "random"], blocks=2)
    assert pickle.loads(pickle.dumps(plan)) == plan


def test_a_match_stops_and_readings_change_with_them() -> None:
    found = match(Plan("squad", seats=[first, "greedy"], blocks=60), until=0.49)
    assert found.plan.own.keys() == {"first"}
    assert with_options(found.plan, {"tie": "all"}).choosers == {"first": first}


def test_workers_play_those_that_can_be_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ICETABLE_JIT", "0")  # so workers begin sooner
    plan = Plan("squad", seats=[first, "random"], blocks=12, seed=4)
    assert run(plan, jobs=2).hash == run(plan).hash
    with pytest.raises(GameError, match=r"<lambda> can't be sent to other processes, so use jobs=1: "):
        run(Plan("squad", seats=[lambda state, seat: first(state, seat), "random"], blocks=2), jobs=2)


def test_no_folder_keeps_their_games(tmp_path: Path) -> None:
    plan = Plan("squad", seats=[first, "random"], blocks=2)
    for keep in (lambda: run(plan, tmp_path / "run"), lambda: match(plan, until=0.4, out=tmp_path / "run")):
        with pytest.raises(GameError, match="games of custom players can't be stored, so leave out the folder: first"):
            keep()
    assert not (tmp_path / "run").exists()
    with pytest.raises(GameError, match="there is no player 'first'"):
        Plan.of(plan.described())


def test_a_seat_that_is_no_player_is_refused() -> None:
    with pytest.raises(GameError, match="a player is a name, or a callable of a state and a seat, not 7"):
        Plan("squad", seats=[first, 7])  # type: ignore[list-item]
    with pytest.raises(GameError, match="Icehouse has no turns and takes only named players: "):
        Plan("icehouse", seats=[first])


def test_names_tell_players_apart() -> None:
    def random(state: State, seat: int) -> str:
        return first(state, seat)

    with pytest.raises(GameError, match="two different players are called 'random'"):
        Plan("squad", seats=[random, "greedy"])
    with pytest.raises(GameError, match="two different players are called '<lambda>'"):
        Plan("squad", seats=[lambda state, seat: first(state, seat), lambda state, seat: first(state, seat)])


@pytest.mark.parametrize(
    ("act", "message"),
    [
        ("C@z9", "played 'C@z9', which SQ-"),
        ("go", "returned no act: 'go' is not an act"),
        (None, "returned no act: None is not an act"),
    ],
)
def test_a_player_who_breaks_the_rules_is_named(act: str, message: str) -> None:
    def cheat(_state: State, _seat: int) -> str:
        return act

    with pytest.raises(GameError, match=f"^cheat {message}"):
        run(Plan("squad", seats=[cheat, "random"], blocks=1))
