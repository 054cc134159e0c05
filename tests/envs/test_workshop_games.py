"""Any game of the workshop as an environment: the numbers of its acts, what seats see, and the tests of its users."""

from __future__ import annotations

import pickle
import re
import warnings
from collections.abc import Iterator

import numpy as np
import pytest
from pettingzoo.test import api_test, seed_test

import icetable
from icetable import GameError
from icetable.core.turns import TurnState
from icetable.envs import Batch, space
from icetable.envs.gymnasium import Env
from icetable.envs.pettingzoo import TurnEnv, TurnGames
from icetable.workshop import Game, Table, files
from icetable.workshop.encoding import MAX_UNBLOCKED_ACTS
from icetable.workshop.examples.beacons import Beacons
from icetable.workshop.examples.cairns import Cairns
from icetable.workshop.examples.canals import Canals
from icetable.workshop.examples.first import First
from tests.workshop.designs import Duel, Hands, Knockout, Lonely, Race

EVERY = pytest.mark.parametrize("design", [Beacons, Cairns, Canals, First, Duel, Hands, Knockout, Lonely, Race])


@EVERY
def test_each_legal_act_has_a_number_of_its_own(design: type[Game]) -> None:
    spaces = space(design)
    game = spaces.game
    state = game.start()
    rng = np.random.default_rng(3)
    while not state.is_terminal:
        assert isinstance(state, TurnState)
        if state.actor >= 0:
            codes = [game.code(act) for act in state.legal_actions()]
            numbers = [spaces.codec.action_of(state.array, code) for code in codes if code is not None]
            assert len(set(numbers)) == len(codes)
            assert 0 <= min(numbers) <= max(numbers) < spaces.encoding.actions
            assert [spaces.codec.act_of(state.array, number) for number in numbers] == codes
        state = state.apply(game.random_act(state, rng))


def test_observations_of_canals() -> None:
    """Seat 1 sees the own half as seat 0 does; what seat 0 has captured lies on its pad."""
    spaces = space(Canals)
    names = [plane.name for plane in spaces.encoding.planes]
    batch = Batch(Canals, 1)
    assert spaces.encoding.shape[:2] == (6, 4)
    own = batch.observe(0, 0)[:, :, names.index("own L on top")]
    assert own.sum() == own[0, :2].sum() == 2, "a1 and b1"
    other = batch.observe(0, 1)[:, :, names.index("own L on top")]
    assert (other == own[::-1, ::-1]).all()
    assert (batch.observe(0, 1)[:, :, names.index("own zone")] == own.any()).sum() == 12
    assert batch.observe(0, 0)[:, :, names.index("own turn")].all()
    assert not batch.observe(0, 1)[:, :, names.index("own turn")].any()


def test_hidden_pieces_are_not_observed() -> None:
    """Seat 1 has 1, 2 and 3 or 3, 2 and 4: seat 0 sees the same."""
    seen = []
    for deal in (("6", "1", "5", "2", "4", "3"), ("6", "3", "5", "2", "4", "1"), ("6", "1", "5", "2", "3", "4")):
        state = icetable.load(Hands).start()
        for pips in deal:
            state = state.apply(f"draw:{pips}")
        batch = Batch(Hands, 1, autoreset="off")
        batch.set(0, state)
        seen.append([batch.observe(0, seat).tobytes() for seat in (0, 1)])
    assert seen[0][0] == seen[1][0]
    assert seen[0][1] != seen[2][1]
    assert seen[0][0] != seen[2][0]


class Wordy(First):
    """Its acts have other words in each turn: random games don't show them all."""

    def acts(self, table: Table) -> Iterator[str]:
        return (f"{act} {table.turn}:{number}" for number, act in enumerate(super().acts(table)))

    def play(self, table: Table, act: str) -> None:
        super().play(table, act.partition(" ")[0])


def test_acts_that_were_not_shown_have_numbers_where_they_are_legal() -> None:
    spaces = space(Wordy)
    text = spaces.game.start().to_json()
    late = spaces.game.from_json(re.sub(r'("turn": ?)0', r"\g<1>500", text))
    assert isinstance(late, TurnState)
    assert late.legal_actions()[0].endswith("500:0")
    codes = [spaces.game.code(act) for act in late.legal_actions()]
    numbers = [spaces.codec.action_of(late.array, code) for code in codes if code is not None]
    first = spaces.encoding.actions - MAX_UNBLOCKED_ACTS
    assert numbers == list(range(first, first + len(codes)))
    assert [spaces.codec.act_of(late.array, number) for number in numbers] == codes


@EVERY
def test_batches_and_copies(design: type[Game]) -> None:
    batch = Batch(design, 3, seed=1)
    for _ in range(30):
        batch.step(batch.pick())
    again = pickle.loads(pickle.dumps(batch))
    for _ in range(20):
        batch.step(None)
        again.step(None)
        assert (batch.observation == again.observation).all()
        assert (batch.mask == again.mask).all()
        assert (batch.reward == again.reward).all()
    assert icetable.load(design).replay(batch.record(0)) == batch.get(0)


@EVERY
@pytest.mark.filterwarnings("ignore")  # of PettingZoo, about observations that are dicts
def test_pettingzoo(design: type[Game]) -> None:
    games = TurnGames(design)
    env = games.env()
    env.reset(seed=1)
    api_test(env, num_cycles=60)
    seed_test(games.env, num_cycles=30)


def test_pettingzoo_ends_for_eliminated_players() -> None:
    env = TurnGames(Knockout).env()
    env.reset(seed=1)
    victim = env.unwrapped.possible_agents[1]
    env.step(space(Knockout).number("out:1"))
    assert env.terminations == {agent: agent == victim for agent in env.possible_agents}


def test_gymnasium() -> None:
    env = Env(Canals, seat=0, opponent="random")
    _, info = env.reset(seed=1)
    over = False
    while not over:
        _, reward, over, _, info = env.step(int(info["action_mask"].argmax()))
    assert abs(reward) <= 1


def test_options_have_their_own_numbers() -> None:
    assert space(Canals, rows=4).encoding.shape[0] == 4
    assert space(Canals).encoding.shape[0] == 6
    batches = [Batch(Canals, 2, rows=rows) for rows in (4, 6, 8)]
    for batch in batches:
        batch.step(batch.pick())
        assert batch.observation.shape[1] == batch.game.options["rows"]
    with pytest.raises(GameError, match="allowed"):
        Batch(Canals, 2, rows=5)


def test_the_vocabulary_of_a_game_is_found_once() -> None:
    vocabulary = icetable.load(Canals).vocabulary  # type: ignore[attr-defined]
    assert icetable.load(Canals).vocabulary is vocabulary  # type: ignore[attr-defined]
    assert icetable.load(Canals, rows=4).vocabulary is not vocabulary  # type: ignore[attr-defined]
    assert icetable.load(type("Canals", (Canals,), {})).vocabulary is not vocabulary  # type: ignore[attr-defined]


@EVERY
def test_openspiel(design: type[Game]) -> None:
    pyspiel = pytest.importorskip("pyspiel")
    from icetable.envs import openspiel
    from icetable.workshop.files import info_of

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        openspiel.register(info_of(design))
    spiel = pyspiel.load_game(f"python_icetable_{info_of(design).name}")
    state = spiel.new_initial_state()
    rng = np.random.default_rng(2)
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, odds = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(int(rng.choice(outcomes, p=odds)))
            continue
        player = state.current_player()
        assert state.observation_tensor(player)
        state.apply_action(int(rng.choice(state.legal_actions())))
    assert len(state.returns()) == spiel.num_players()


def test_openspiel_knows_what_a_player_does_not() -> None:
    pyspiel = pytest.importorskip("pyspiel")
    from icetable.envs import openspiel
    from icetable.workshop.files import info_of

    openspiel.register(info_of(Hands))
    spiel = pyspiel.load_game("python_icetable_hands")
    assert spiel.get_type().information == pyspiel.GameType.Information.IMPERFECT_INFORMATION
    told = []
    for deal in (("6", "1", "5", "2", "4", "3"), ("6", "3", "5", "2", "4", "1")):
        state = spiel.new_initial_state()
        for pips in deal:
            state.apply_action(
                next(one for one, _ in state.chance_outcomes() if pips in state.action_to_string(-1, one))
            )
        told.append([state.information_state_string(seat) for seat in (0, 1)])
    assert told[0][0] == told[1][0]
    assert told[0][1] != told[1][1]
    other = state.resample_from_infostate(0, lambda: 0.3)
    assert other.information_state_string(0)


def test_openspiels_own_checks_of_a_game_with_secrets() -> None:
    pyspiel = pytest.importorskip("pyspiel")
    from icetable.envs import openspiel
    from icetable.workshop.files import info_of

    from .test_openspiel import own_checks

    openspiel.register(info_of(Hands))
    own_checks(pyspiel.load_game("python_icetable_hands"), "hands")


def test_pettingzoo_by_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "REGISTERED", {})  # so that it goes again
    env = TurnEnv(str(icetable.games.info_of(Canals).file), players=2)  # type: ignore[attr-defined]
    assert env.possible_agents == ["player_0", "player_1"]
