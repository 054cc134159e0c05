"""Players of one's own in plans: they meet others as named players do, wherever they can be sent."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

from icetable import GameError, State
from icetable.bots import Bot
from icetable.lab import Plan, match, run
from icetable.lab.comparisons import with_options


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


def test_what_is_no_function_is_named_after_its_class() -> None:
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


def test_what_is_no_player_is_refused() -> None:
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
def test_whoever_breaks_the_rules_is_named(act: str, message: str) -> None:
    def cheat(_state: State, _seat: int) -> str:
        return act

    with pytest.raises(GameError, match=f"^cheat {message}"):
        run(Plan("squad", seats=[cheat, "random"], blocks=1))
