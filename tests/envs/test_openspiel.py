"""The games in OpenSpiel: its own checks, agreement with the games and `Batch`, chance told exactly, nothing leaked."""

from __future__ import annotations

import importlib
import json
import pickle
import random
import re
import subprocess
import sys
import unittest
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pyspiel
import pytest

import icetable
from icetable import CHANCE, GameError, IllegalAction
from icetable.envs import Batch
from icetable.envs.openspiel import Node, Observer, SpielGame, SpielState
from tests.envs.cases import planes

GAMES = (
    "icefrogs(turn_limit=24)",
    "icefrogs(players=3,board=hexagon,turn_limit=20)",
    "icefrogs(players=6,turn_limit=20)",
    "wrecktangle(turn_limit=6)",
    "wrecktangle(players=3,leap=True,turn_limit=6)",
    "wrecktangle(players=4,rectangles=tilted,fallen=stay,turn_limit=6)",
    "highrise",
    "highrise(memory=off)",
    "highrise(cols=4,values=0 0 0 1 1 1 2 2 2 7 7 1000)",
    "squad",
    "squad(players=1)",
    "squad(players=3)",
    "squad(players=4,trios=2,friends=own,formation=up-to)",
)
FIVE = ("icefrogs(turn_limit=24)", "wrecktangle(turn_limit=6)", "highrise", "highrise(memory=off)", "squad")
PLAYED = {
    "icefrogs": "icefrogs(turn_limit=12)",
    "wrecktangle": "wrecktangle(turn_limit=6)",
    "highrise": "highrise(values=0 0 0 0 1 1 1 2 5)",
    "squad": "squad",
}
PLAYTHROUGHS = Path(__file__).parent / "playthroughs"
UNTOLD = re.compile(r"\W*$|# [^A]|History|Is\w+\(|\w*Observation|\w*Tensor|Information|Rewards|String|[ ◯◉]")
"""Lines of a playthrough that are the same at every state, or tested in other ways."""
each_game = pytest.mark.parametrize("text", GAMES)
each_of_five = pytest.mark.parametrize("text", FIVE)


def load(text: str) -> SpielGame:
    game = pyspiel.load_game(f"python_icetable_{text}")
    assert isinstance(game, SpielGame)
    return game


def random_states(game: SpielGame, seed: int = 1) -> Iterator[SpielState]:
    """The states of a random game, each before it changes."""
    draw = random.Random(seed)
    state = game.new_initial_state()
    yield state
    while not state.is_terminal():
        state.apply_action(draw.choice(state.legal_actions()))
        yield state


def end_of(game: SpielGame, seed: int = 1) -> SpielState:
    *_, end = random_states(game, seed)
    return end


# OpenSpiel's own checks


@each_game
def test_random_simulations(text: str) -> None:
    pyspiel.random_sim_test(load(text), 1, True, False)


@each_of_five
def test_the_checks_of_every_game_in_openspiels_own_tree(text: str) -> None:
    own_checks(load(text), text)


def own_checks(game: pyspiel.Game, name: str) -> None:
    """Run OpenSpiel's checks over a hundred states of a game, where it takes 400."""
    from open_spiel.integration_tests import api_test

    some = api_test.sample_some_states.sample_some_states
    sampling = SimpleNamespace(sample_some_states=lambda game, max_states: some(game, max_states // 4))
    members: dict[str, Any] = {"game": game, "game_name": name}
    checks = type("Checks", (api_test.EnforceAPIOnPartialTreeBase,), members)
    result = unittest.TestResult()
    random.seed(5)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(api_test, "sample_some_states", sampling)
        unittest.defaultTestLoader.loadTestsFromTestCase(checks).run(result)
    assert result.testsRun == 5
    assert result.failures == result.errors == []


@pytest.mark.parametrize("name", PLAYED)
def test_golden_playthrough(name: str) -> None:
    """Written by this test where the file is missing; read it before you keep it."""
    from open_spiel.python.algorithms import generate_playthrough

    path = PLAYTHROUGHS / f"{name}.txt"
    lines = generate_playthrough.playthrough(f"python_icetable_{PLAYED[name]}", None, seed=3).splitlines()
    played = "".join(f"{line}\n" for line in lines if not UNTOLD.match(line))
    if not path.exists():
        path.write_text(played, encoding="utf-8")
        pytest.fail(f"{path} was not there")
    assert played == path.read_text(encoding="utf-8")


# Agreement


def seen(state: SpielState, seat: int) -> Any:
    """The observation tensor in the order of `Batch`."""
    shape = state.get_game().observation_tensor_shape()
    return np.array(state.observation_tensor(seat)).reshape(shape).transpose(1, 2, 0)


@pytest.mark.parametrize("text", ["icefrogs", "wrecktangle", "highrise(numbers=unseen)", "squad"])
def test_perft(text: str) -> None:
    state = load(text).new_initial_state()
    for depth in (1, 2, 3):
        assert perft(state, depth) == icetable.perft(state.get_game().game.start(), depth)


def perft(state: SpielState, depth: int) -> int:
    if depth == 1:
        return len(state.legal_actions())
    return sum(perft(state.child(action), depth - 1) for action in state.legal_actions())


@pytest.mark.parametrize(
    "text",
    [
        *("icefrogs(turn_limit=1)", "icefrogs(players=5,turn_limit=9)", "wrecktangle(turn_limit=1)"),
        *("wrecktangle(players=4,turn_limit=7)", "highrise", "highrise(rows=4)", "squad", "squad(trios=3)"),
        *("squad(players=1,formation=up-to)", "squad(players=3)", "squad(players=4)"),
    ],
)
def test_the_longest_game_is_as_long_as_told(text: str) -> None:
    """Games between random players get that long, and no longer."""
    game = load(text)
    batch = Batch(game.game, 128, seed=1, observation=None)
    longest = chances = 0
    for _ in range(700):
        batch.step(batch.pick())
        if batch.done.any():
            longest = max(longest, int(batch.acts[batch.done].max()))
        if longest == game.max_game_length():
            break
    assert longest == game.max_game_length()
    for seed in range(3):
        played = [one.player for one in end_of(game, seed).full_history()]
        chances = max(chances, played.count(CHANCE))
        assert len(played) - played.count(CHANCE) <= game.max_game_length()
    assert chances == game.max_chance_nodes_in_history()


# Chance


@each_game
def test_chance_is_drawn_among_numbered_outcomes(text: str) -> None:
    game = load(text)
    for state in random_states(game):
        if state.is_chance_node():
            outcomes, odds = zip(*state.chance_outcomes(), strict=True)
            assert list(outcomes) == sorted(set(outcomes)) == state.legal_actions()
            assert set(outcomes) <= set(range(game.max_chance_outcomes()))
            assert sum(odds) == pytest.approx(1, abs=1e-12)
            assert min(odds) > 0


@pytest.mark.parametrize("values", ["0 0 0 0 0 0 0 0 9", "1 1 1 1 1 1 2 2 5", "3 3 3 3 3 3 3 3 3"])
def test_numbers_dealt_square_by_square_are_as_likely_as_the_deals_that_the_game_lists(values: str) -> None:
    game = load(f"highrise(values={values})")
    state = before_the_deal(game)
    told = dict(whole_deals(state, (), 1.0))
    listed = icetable_state(state).chance_outcomes()
    assert sorted(told) == sorted(str(act) for act, _ in listed)
    assert all(told[str(act)] == pytest.approx(odds) for act, odds in listed)


def before_the_deal(game: SpielGame) -> SpielState:
    """The state of a random game before what chance does last."""
    whole = (state.clone() for state in random_states(game) if state.is_chance_node() and not state.node.drawn)
    return cast("SpielState", list(whole)[-1])


def icetable_state(state: SpielState) -> Any:
    game = state.get_game().game
    return game.from_json(json.dumps(json.loads(game.start().to_json()) | {"position": position_of(state)}))


def position_of(state: SpielState) -> Any:
    return state.get_game().game.describe_position(state.node.position)


def whole_deals(state: SpielState, drawn: tuple[int, ...], odds: float) -> Iterator[tuple[str, float]]:
    act = state.get_game().game.act_of_parts(state.node.position, drawn)
    if act is not None:
        yield act, odds
        return
    for part, chance in state.chance_outcomes():
        yield from whole_deals(state.child(part), (*drawn, part), odds * chance)


def test_dice_are_told_with_their_odds() -> None:
    state = load("wrecktangle").new_initial_state()
    names = [(state.action_to_string(part), odds) for part, odds in state.chance_outcomes()]
    assert names == icetable.load("wrecktangle").start().chance_outcomes()
    dealing = before_the_deal(load("highrise(numbers=unseen)"))
    for _ in range(9):
        outcomes, odds = zip(*dealing.chance_outcomes(), strict=True)
        assert outcomes == tuple(range(6))
        assert odds == pytest.approx([1 / 6] * 6)
        dealing.apply_action(2)
    assert dealing.is_terminal()


def test_numbers_rolled_openly_are_told_smallest_first_and_dealt_as_they_are_left() -> None:
    state = load("highrise").new_initial_state()
    assert dict(state.chance_outcomes())[5] == pytest.approx(6**-9)
    for part in (0, 0, 0, 0, 0, 0, 0, 2):
        state.apply_action(part)
    assert dict(state.chance_outcomes()).keys() == {2, 3, 4, 5}
    state.apply_action(4)
    assert state.current_player() == 0
    while not state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    assert dict(state.chance_outcomes()) == pytest.approx({0: 7 / 9, 2: 1 / 9, 4: 1 / 9})
    state.apply_action(4)
    assert dict(state.chance_outcomes()) == pytest.approx({0: 7 / 8, 2: 1 / 8})


def test_states_that_differ_only_in_what_chance_will_do_are_equal() -> None:
    for text in ("highrise(memory=off)", "wrecktangle(turn_limit=6)"):
        game = load(text)
        one = before_the_deal(game)
        other = before_the_deal(load(text))
        ends = {str(play_on(one.clone(), seed)) for seed in range(4)}
        assert len(ends) > 1
        assert one.serialize() == other.serialize()
        assert str(one) == str(other)
        for seat in range(game.num_players()):
            assert one.observation_tensor(seat) == other.observation_tensor(seat)
            assert one.information_state_string(seat) == other.information_state_string(seat)


def play_on(state: SpielState, seed: int) -> SpielState:
    draw = random.Random(seed)
    while not state.is_terminal():
        state.apply_action(draw.choice(state.legal_actions()))
    return state


def test_numbers_dealt_so_far_are_shown_to_nobody() -> None:
    """They are known in one deal: no player acts between them."""
    state = before_the_deal(load("highrise(memory=off,numbers=unseen)"))
    one, other = state.child(0), state.child(5)
    assert str(one) != str(other)
    for seat in range(2):
        assert one.observation_tensor(seat) == other.observation_tensor(seat) == state.observation_tensor(seat)
        assert one.observation_string(seat) == other.observation_string(seat)


# What is seen and remembered


@each_of_five
def test_players_who_remember_all_acts_know_the_state(text: str) -> None:
    """So no two states are one to them, which is perfect recall."""
    game = load(text)
    first = begun(game)
    states, acts = [first], len(first.history())
    for state in states:
        if len(state.history()) < acts + 2:
            states += [state.child(action) for action in state.legal_actions()]
    remembered = {state.information_state_string(0) for state in states}
    assert len(remembered) == len(states)
    if game.get_type().provides_information_state_tensor:
        assert len({tuple(state.information_state_tensor(1)) for state in states[:90]}) == 90


def test_a_covered_pyramid_is_out_of_sight_with_memory_on_only() -> None:
    for memory, alike in (("on", True), ("off", False)):
        game = load(f"highrise(memory={memory})")
        one = played(game, ("S@a1", "S@b1", "L@a1", "L@b1", "M@c1"))
        other = played(game, ("M@a1", "S@b1", "L@a1", "L@b1", "S@c1"))
        assert (seen(one, 1)[0, 0] == seen(other, 1)[0, 0]).all() == alike
        assert one.information_state_string(1) != other.information_state_string(1)
        assert str(one) != str(other)


def begun(game: SpielGame) -> SpielState:
    """The first state where a player is to act."""
    return next(state for state in random_states(game) if not state.is_chance_node())


def played(game: SpielGame, acts: tuple[str, ...]) -> SpielState:
    state = begun(game)
    for act in acts:
        state.apply_action(game.space.number(act))
    return state


@each_of_five
def test_observations_have_the_names_and_values_of_the_planes(text: str) -> None:
    from open_spiel.python.observation import make_observation

    game = load(text)
    observation = make_observation(game)
    encoding = game.space.encoding
    state = end_of(game)
    observation.set_from(state, 1)
    assert list(observation.dict) == [plane.name for plane in encoding.planes]
    wanted = planes(game.space, state.node.position, 1)
    for number, plane in enumerate(encoding.planes):
        assert (observation.dict[plane.name] == wanted[..., number]).all()
    assert observation.tensor.tolist() == state.observation_tensor(1)
    assert observation.string_from(state, 1) == game.game.draw(icetable_state(state).view(1))


@each_of_five
def test_public_observations_are_those_of_no_player(text: str) -> None:
    from open_spiel.python.observation import make_observation

    game = load(text)
    kinds = pyspiel.PrivateInfoType
    public = make_observation(game, pyspiel.IIGObservationType(True, False, kinds.NONE))
    private = make_observation(game, pyspiel.IIGObservationType(False, False, kinds.SINGLE_PLAYER))
    assert private.tensor is None
    for number, state in enumerate(random_states(game)):
        if number % 7 == 0:
            shown = []
            for seat in range(game.num_players()):
                public.set_from(state, seat)
                private.set_from(state, seat)
                shown.append((public.tensor.tolist(), public.string_from(state, seat)))
                assert private.string_from(state, seat) == ""
            assert shown == shown[:1] * game.num_players()


def test_the_record_is_what_players_remember() -> None:
    rolled = begun(load("highrise")).information_state_string(0)
    assert re.fullmatch("(-1 [1-6]\n){8}-1 [1-6]", rolled)
    state = played(load("highrise(numbers=unseen)"), ("S@a1", "L@a1", "M@c3"))
    assert state.information_state_string(0) == state.information_state_string(1) == "0 S@a1\n1 L@a1\n0 M@c3"
    tensor = np.array(state.information_state_tensor(1))
    seen_part, acts = np.split(tensor, [24 * 9])
    assert (seen_part == state.observation_tensor(1)).all()
    assert np.argwhere(acts.reshape(50, 27)).tolist() == [[0, 0], [1, 18], [2, 17]]


# States


@each_game
def test_copies_are_equal_and_go_their_own_way(text: str) -> None:
    game = load(text)
    assert str(pickle.loads(pickle.dumps(game))) == str(game)
    for number, state in enumerate(random_states(game)):
        if state.is_terminal() or (number % 5 and len(state.history()) < 50):
            continue
        before, history = str(state), state.history()
        action = state.legal_actions()[-1]
        copies = [
            state.clone(),
            pickle.loads(pickle.dumps(state)),
            game.deserialize_state(state.serialize()),
            pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(game, state))[1],
            state.resample_from_infostate(0, None),
        ]
        child = state.child(action)
        for copy in copies:
            assert (str(copy), copy.history()) == (before, history)
            copy.apply_action(action)
            assert str(copy) == str(child) != before
        assert (str(state), state.history()) == (before, history)


def test_another_process_can_take_over() -> None:
    """It need not have imported the games, and ends well though OpenSpiel still knows them."""
    state = end_of(load("squad"))
    code = "import pickle, sys; print(pickle.load(sys.stdin.buffer).information_state_string(0))"
    done = subprocess.run([sys.executable, "-c", code], input=pickle.dumps(state), capture_output=True, check=True)
    assert done.stdout.decode().strip() == state.information_state_string(0)


@each_of_five
def test_structs_hold_the_whole_state(text: str) -> None:
    game = load(text)
    for number, state in enumerate(random_states(game)):
        if number % 9 == 0 or state.is_chance_node():
            struct = state.to_struct()
            for copy in (game.new_initial_state(struct.to_dict()), game.new_initial_state(struct)):
                assert str(copy) == str(copy.clone()) == str(state)
                assert copy.to_struct().to_dict() == struct.to_dict()
                assert copy.legal_actions() == state.legal_actions()
                assert copy.history() == []


def test_a_record_that_begins_later_says_where() -> None:
    game = load("squad")
    begun = game.new_initial_state(played(game, ("C@a1",)).to_struct())
    begun.apply_action(game.space.number("C@d4"))
    for state in (begun, begun.clone(), pickle.loads(pickle.dumps(begun))):
        setup, act = state.information_state_string(0).splitlines()
        assert json.loads(setup)["position"]["stacks"] == {"a1": [{"token": ["C1", 0]}]}
        assert act == "1 C@d4"
        other = state.clone()
        for one, then in ((state, "F@b1"), (other, "F@d3")):  # from here on they differ
            one.apply_action(game.space.number(then))
            assert one.information_state_string(0).splitlines() == [setup, act, f"0 {then}"]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"drawn": None}, "a state is a dict as `to_struct` makes it"),
        ({"drawn": [0]}, "empty where chance is not to act"),
        ({"drawn": [[]]}, "drawn is a list of outcomes"),
        ({"game": "go"}, "this position is of 'go'"),
        ({"position": {}}, "a position has pad, seat, stacks, turn"),
        ({"more": 1}, "a saved position has the entries"),
    ],
)
def test_wrong_structs_are_refused(change: dict[str, Any], message: str) -> None:
    game = load("squad")
    struct = game.new_initial_state().to_struct().to_dict()
    with pytest.raises(GameError, match=re.escape(message)):
        game.new_initial_state({**struct, **change})
    with pytest.raises(GameError, match="a state is a dict"):
        game.new_initial_state("C@a1")


def test_a_node_does_not_change() -> None:
    state = load("squad").new_initial_state()
    node = state.node
    position = node.position.copy()
    state.apply_action(state.legal_actions()[0])
    assert (node.position == position).all()
    assert state.node is not node
    assert isinstance(node, Node)


@each_of_five
def test_texts_tell_positions_apart(text: str) -> None:
    """OpenSpiel takes states of the same text for equal."""
    texts = [str(state) for state in random_states(load(text))]
    assert len(set(texts)) == len(texts)


# Faults


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("icefrogs(players=7)", "players can't be 7; allowed: a whole number from 2 to 6"),
        ("icefrogs(board=square)", "board can't be 'square'; allowed: 'star' or 'hexagon'"),
        ("icefrogs(turn_limit=0)", "allowed: a turn_limit from 1"),
        ("wrecktangle(turn_limit=0)", "allowed: a turn_limit from 1"),
        ("wrecktangle(turn_limit=1000000000)", "a game can have 3000000000 acts and OpenSpiel counts to 2147483647"),
        ("highrise(values=1 2 3)", "a list of 9 whole numbers"),
        ("highrise(values=one)", "values can't be 'one'; allowed: 'dice' or a list of numbers"),
        ("squad(board=5)", "board can't be 5; allowed: 4 or 6"),
        ("squad(friends=none)", "friends can't be 'none'; allowed: 'any' or 'own'"),
    ],
)
def test_wrong_options_are_refused_with_what_is_allowed(text: str, message: str) -> None:
    with pytest.raises(GameError, match=re.escape(message)):
        load(text)


def test_options_that_openspiel_refuses_itself() -> None:
    with pytest.raises(pyspiel.SpielError, match="Available parameters are: board, players, turn_limit"):
        load("icefrogs(bored=star)")
    with pytest.raises(pyspiel.SpielError, match="Expected type: kInt"):
        load("icefrogs(players=two)")


@each_of_five
def test_illegal_actions_change_nothing(text: str) -> None:
    game = load(text)
    for number, state in enumerate(random_states(game)):
        if number % 8 == 0 and not state.is_chance_node():
            before, legal = state.serialize(), state.legal_actions()
            for action in range(number % 5, game.num_distinct_actions(), 5):
                if action not in legal:
                    with pytest.raises(IllegalAction):
                        state.apply_action(action)
            assert state.serialize() == before


def test_an_illegal_action_is_refused_with_its_rule() -> None:
    state = load("squad").new_initial_state()
    with pytest.raises(IllegalAction, match="All captains have to be placed") as caught:
        state.apply_action(0)
    assert caught.value.fault.rule == "SQ-4"
    for action in (64, 10**6):
        with pytest.raises(GameError, match="an action is a whole number from 0 to 63"):
            state.apply_action(action)
    with pytest.raises(GameError, match="an action is a whole number from 0 to 63"):
        state.action_to_string(0, 64)
    end = end_of(load("squad"))
    with pytest.raises(IllegalAction, match="The game is over"):
        end.apply_action(0)


def test_outcomes_that_cannot_be_drawn_change_nothing() -> None:
    state = before_the_deal(load("highrise(values=4 4 4 4 4 4 4 4 9)"))
    state.apply_action(1)
    before = state.serialize()
    for outcome in (1, 2, 99):
        with pytest.raises(GameError, match=f"chance can't draw outcome {outcome} here; allowed: 0$"):
            state.apply_action(outcome)
    with pytest.raises(GameError, match="chance has the outcomes 0 to 1"):
        state.action_to_string(CHANCE, 2)
    assert state.serialize() == before


def test_observers_take_no_parameters() -> None:
    with pytest.raises(GameError, match="observers take no parameters"):
        load("squad").make_py_observer(None, {"planes": "all"})
    assert isinstance(load("squad").make_py_observer({}), Observer)


def test_without_openspiel_the_message_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "icetable.envs.openspiel")
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    with pytest.raises(ModuleNotFoundError, match=re.escape("install icetable[openspiel]")):
        importlib.import_module("icetable.envs.openspiel")


# Search


@pytest.mark.parametrize("text", ["squad(players=3,trios=2)", "icefrogs(players=3,turn_limit=6)"])
def test_search_in_python_plays_a_game_of_several_players(text: str) -> None:
    from open_spiel.python.algorithms import mcts

    game = load(text)
    rng = np.random.RandomState(2)
    bot = mcts.MCTSBot(game, 1.5, 3, mcts.RandomRolloutEvaluator(1, rng), solve=True, random_state=rng)
    state = game.new_initial_state()
    while not state.is_terminal():
        state.apply_action(bot.step(state))
    assert sum(state.returns()) == pytest.approx(0)


def test_search_in_c_plays_a_game_with_chance() -> None:
    game = load("wrecktangle(turn_limit=3)")
    bot = pyspiel.MCTSBot(game, pyspiel.RandomRolloutEvaluator(1, 1), 1.5, 4, 10, False, 3, False)
    state = game.new_initial_state()
    while not state.is_terminal():
        best = state.legal_actions()[0] if state.is_chance_node() else bot.mcts_search(state).best_child().action
        state.apply_action(best)
    assert sum(state.returns()) == pytest.approx(0)


def test_search_in_python_plays_a_game_of_memory() -> None:
    from open_spiel.python.algorithms import mcts

    game = load("highrise")
    rng = np.random.RandomState(2)
    bot = mcts.MCTSBot(game, 1.5, 2, mcts.RandomRolloutEvaluator(1, rng), random_state=rng)
    state = played(game, ("S@a1", "L@a1"))
    assert bot.step(state) in state.legal_actions()
