"""Many games in step: equal to the states of the games, whatever the threads, and nothing half done."""

from __future__ import annotations

import contextlib
import copy
import io
import os
import pickle
import re
import subprocess
import sys
from itertools import cycle
from typing import Any

import numpy as np
import pytest

import icetable
from icetable import CHANCE, GameError, IllegalAction
from icetable.envs import Batch, space
from icetable.kernels import jit
from icetable.kernels.layout import NOBODY
from icetable.workshop.examples.canals import Canals
from tests.clusters import PATIENCE
from tests.conformance.cases import Case
from tests.envs.cases import CASES, each_case

ROWS = 3


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs processes that are forked")
def test_a_batch_with_threads_goes_on_in_a_forked_process() -> None:
    """In a process of its own, for forking goes badly with the threads of others."""
    script = """
import os
from icetable.envs import Batch
batch = Batch("squad", 256, seed=1, threads=2)
batch.step(None)
child = os.fork()
batch.step(None)
if child == 0:
    os._exit(int(batch.acts.sum()) % 251)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == batch.acts.sum() % 251)
"""
    plain = {**os.environ, "ICETABLE_JIT": "0"}
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=PATIENCE, env=plain, check=True
    )
    assert done.stdout == "True\n"


@pytest.mark.parametrize("players", [1, 2])
def test_a_player_alone_is_paid_points_unless_shares_are_asked_for(players: int) -> None:
    usual, points, shares = (
        Batch("squad", 8, seed=3, players=players, rewards=rewards) for rewards in (None, "points", "share")
    )
    paid = False
    for _ in range(40):
        for batch in (usual, points, shares):
            batch.step(None)
        assert (usual.reward == (points if players == 1 else shares).reward).all()
        paid = paid or bool(usual.reward.any())
    assert paid


@each_case
def test_the_fold_of_a_record_is_the_state(case: Case) -> None:
    batch = Batch(case.game, 3, seed=9)
    for _ in range(60):
        batch.step(batch.pick())
    for row in range(3):
        assert icetable.replay(batch.record(row)) == batch.state(row)


@each_case
def test_threads_and_rows_change_no_game(case: Case) -> None:
    batches = [Batch(case.game, rows, seed=3, threads=threads) for rows, threads in ((7, 1), (7, 3), (4, 2))]
    for _ in range(30):
        actions = batches[0].pick()
        for batch in batches:
            picked = actions if batch is batches[0] else batch.pick()
            assert (picked == actions[: batch.n]).all()
            batch.step(picked)
            assert (batch.observation == batches[0].observation[: batch.n]).all()
            assert (batch.reward == batches[0].reward[: batch.n]).all()


def test_a_finished_game_begins_again_in_the_same_step_the_next_or_never() -> None:
    batches = {mode: Batch("squad", 1, seed=4, autoreset=mode) for mode in ("same", "next", "off")}
    while not batches["off"].done[0]:
        action = batches["off"].pick()
        for batch in batches.values():
            batch.step(action)
    assert [bool(batch.done[0]) for batch in batches.values()] == [True] * 3
    assert [batch.state(0).is_terminal for batch in batches.values()] == [False, True, True]
    assert [int(batch.actor[0]) for batch in batches.values()] == [0, -2, -2]
    for batch in batches.values():
        assert (batch.final_observation == batches["off"].final_observation).all()
    assert (batches["next"].observation == batches["next"].final_observation).all()
    assert not batches["off"].mask.any()
    with pytest.raises(GameError, match="row 0 is over"):
        batches["off"].step([0])
    batches["next"].step([0])
    assert batches["next"].state(0) == batches["same"].state(0)
    assert not batches["next"].done[0]
    assert not batches["next"].reward.any()
    batches["off"].reset([True])
    assert batches["off"].state(0) == batches["same"].state(0)


def test_an_illegal_action_raises_loses_or_is_ignored() -> None:
    illegal = int(np.flatnonzero(Batch("squad", 2).mask[0] == 0)[0])
    legal = int(np.flatnonzero(Batch("squad", 2).mask[0])[0])
    strict = Batch("squad", 2)
    before = strict.states()
    with pytest.raises(IllegalAction, match=r"^Row 1, F@a1: All captains have to be placed") as caught:
        strict.step([legal, illegal])
    assert caught.value.fault.rule == "SQ-4"
    assert strict.states() == before
    ignoring = Batch("squad", 2, illegal="ignore")
    ignoring.step([legal, illegal])
    assert [state.act is None and state == other for state, other in zip(ignoring.states(), before, strict=True)] == [
        False,
        True,
    ]
    losing = Batch("squad", 2, illegal="lose", players=3)
    losing.step([0, int(np.flatnonzero(losing.mask[1])[0])])
    assert losing.done.tolist() == [True, False]
    assert losing.reward[0].tolist() == pytest.approx([-0.5, 0.25, 0.25])


@pytest.mark.parametrize(
    ("actions", "message"),
    [
        ([0], "2 whole numbers"),
        ([0.0, 1.0], "2 whole numbers"),
        ([48, 64], "from 0 to 63"),
        ([-1, 0], "from 0 to 63"),
        ([-2, 0], "from 0 to 63"),
    ],
)
def test_wrong_actions_are_refused_and_change_nothing(actions: Any, message: str) -> None:
    batch = Batch("squad", 2)
    before = batch.states()
    with pytest.raises(GameError, match=message):
        batch.step(actions)
    assert batch.states() == before


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n": 0}, "n is a whole number from 1"),
        ({"seed": -1}, "seed is a whole number from 0"),
        ({"threads": 0}, "threads"),
        ({"autoreset": "always"}, "'same', 'next', 'off'"),
        ({"illegal": "x"}, "'raise', 'lose', 'ignore'"),
        ({"rewards": "gold"}, "'share', 'points'"),
        ({"players": 9}, "players can't be 9"),
        ({"reward": "points"}, "there is no option 'reward'; allowed: players, board, .*; did you mean 'rewards'[?]"),
        ({"game": icetable.load("squad"), "thread": 2}, "there is no option 'thread'; .*; did you mean 'threads'[?]"),
        ({"formatoin": "exact"}, "there is no option 'formatoin'; .*; did you mean 'formation'[?]"),
    ],
)
def test_wrong_arguments_are_refused_with_what_is_allowed(options: dict[str, Any], message: str) -> None:
    with pytest.raises(GameError, match=message):
        Batch(**{"game": "squad", "n": 2, **options})


def test_games_of_any_length_are_kept() -> None:
    batch = Batch("squad", 1, players=4, seed=1, autoreset="off")
    assert batch.record(0).count("\n") < 20
    for wrong in (-1, 1, 0.5):
        with pytest.raises(GameError, match="a row is a whole number from 0 to 0"):
            batch.record(wrong)  # type: ignore[arg-type]
    with pytest.raises(GameError, match="no game of row 0 has ended"):
        batch.record(0, final=True)


def test_arrays_cannot_be_written_from_outside() -> None:
    batch = Batch("squad", 1)
    with pytest.raises(ValueError, match="read-only"):
        batch.mask[0, 0] = 1
    assert CHANCE not in batch.actor


@each_case
def test_every_seat_sees_its_own_planes(case: Case) -> None:
    batch = Batch(case.game, 2, seed=1)
    for _ in range(12):
        batch.step(batch.pick())
    for row in range(2):
        assert (batch.observe(row, int(batch.actor[row])) == batch.observation[row]).all()
    seats = [batch.observe(0, seat).tobytes() for seat in range(case.game.players)]
    assert len(set(seats)) == case.game.players
    with pytest.raises(GameError, match="a seat is a whole number from 0"):
        batch.observe(0, case.game.players)


def test_a_reset_with_a_seed_begins_the_same_games_again() -> None:
    batch = Batch("wrecktangle", 3, seed=5)
    first = batch.observation.copy()
    for _ in range(50):
        batch.step(batch.pick())
    batch.reset(seed=5)
    assert (batch.observation == first).all()
    batch.step(batch.pick())
    moved = batch.observation.copy()
    batch.reset(np.array([False, True, False]), seed=5)
    assert (batch.observation[1] == first[1]).all()
    assert (batch.observation[[0, 2]] == moved[[0, 2]]).all()
    for wrong in ([True], [0, 1, 1]):
        with pytest.raises(GameError, match="an array of 3 bools"):
            batch.reset(wrong)


def test_rows_that_are_not_chosen_stay_as_they_are() -> None:
    batch, other = (Batch("wrecktangle", 3, seed=5) for _ in range(2))
    chosen = np.array([True, False, True])
    for _ in range(40):
        before = [array[1].copy() for array in (batch.observation, batch.mask, batch.reward, batch.done, batch.acts)]
        actions = batch.pick(chosen)
        assert actions[1] == 0
        assert (actions[chosen] == other.pick()[chosen]).all()
        actions[1] = batch.mask[1].argmin()  # illegal, and nobody minds
        batch.step(actions, chosen)
        other.step(np.where(chosen, actions, other.mask.argmax(axis=1)))
        after = [array[1] for array in (batch.observation, batch.mask, batch.reward, batch.done, batch.acts)]
        assert all((one == two).all() for one, two in zip(before, after, strict=True))
        assert [batch.state(row) for row in (0, 2)] == [other.state(row) for row in (0, 2)]
    for wrong in ([True], [0, 1, 1]):
        with pytest.raises(GameError, match="an array of 3 bools"):
            batch.step([0, 0, 0], wrong)
        with pytest.raises(GameError, match="an array of 3 bools"):
            batch.pick(wrong)


@each_case
def test_without_actions_rows_play_what_pick_gives(case: Case) -> None:
    batch, other = (Batch(case.game, 2, seed=6) for _ in range(2))
    for _ in range(30):
        batch.step(None)
        other.step(other.pick())
    assert batch.states() == other.states()
    assert batch.record(1) == other.record(1)


def test_after_the_end_nothing_is_played_at_random() -> None:
    batch = Batch("squad", 2, autoreset="off")
    while not batch.done.any():
        batch.step(None)
    with pytest.raises(GameError, match="is over; begin a new one with reset"):
        batch.step(None)


def test_rows_can_be_looked_at_from_any_seat() -> None:
    batch = Batch("squad", 3, seed=1, observation="look")
    for _ in range(5):
        batch.step(None)
    assert not batch.observation.any()
    batch.look([1, -1, 0])
    assert [bool(seen.any()) for seen in batch.observation] == [True, False, True]
    assert (batch.observation[0] == batch.observe(0, 1)).all()
    assert (batch.observation[2] == batch.observe(2, 0)).all()
    for wrong in ([0], [0.0, 1.0, 1.0]):
        with pytest.raises(GameError, match="look takes 3 seats"):
            batch.look(wrong)
    for seat in (-2, 2):
        with pytest.raises(GameError, match="from 0 to 1, or -1 for none"):
            batch.look([0, 0, seat])
    with pytest.raises(GameError, match="nothing to look at"):
        Batch("squad", 1, observation=None).look([0])


@pytest.mark.parametrize(("case", "autoreset"), list(zip(CASES, cycle(["same", "next", "off"]))), ids=str)
def test_others_answer_the_learner_at_random(case: Case, autoreset: Any) -> None:
    """The same games as where each act of the others is a step of its own."""
    seat = case.game.players - 1
    batch = Batch(case.game, ROWS, seed=8, autoreset=autoreset, learner=seat)
    other = Batch(case.game, ROWS, seed=8, autoreset="off")
    assert (batch.learners == seat).all()
    let_others_play(other, seat)
    for _ in range(40):
        assert_rows_are_equal(batch, other, seat)
        over = batch.actor == NOBODY
        actions = batch.pick() if autoreset == "next" else batch.pick(~over)
        assert (other.pick(~over) == actions).all()
        if autoreset == "off" and over.any():
            batch.reset(over)
        batch.step(actions, ~over if autoreset == "off" else None)
        if over.any():
            other.reset(over)
        other.step(actions, ~over)
        let_others_play(other, seat)
        done = np.flatnonzero(batch.done).tolist()
        assert (batch.done == other.done).all()
        assert (batch.reward == other.reward).all()
        assert (batch.acts[done] == other.acts[done]).all()
        for row in done:
            assert (batch.final_observation[row] == other.observe(row, seat)).all()
            assert batch.record(row, final=True) == other.record(row, final=True)
        if autoreset == "same" and len(done):
            other.reset(batch.done)
            let_others_play(other, seat)


def let_others_play(batch: Batch, seat: int) -> None:
    """Step until a seat is to act in all games that are not over."""
    while (waiting := (batch.actor != seat) & (batch.actor != NOBODY)).any():
        batch.step(None, waiting)


def assert_rows_are_equal(batch: Batch, other: Batch, seat: int) -> None:
    assert (batch.actor == other.actor).all()
    assert (batch.mask == other.mask).all()
    assert batch.states() == other.states()
    for row in range(ROWS):
        assert (batch.observation[row] == other.observe(row, seat)).all()


def test_learners_are_drawn_for_each_game() -> None:
    batch, again = (Batch("squad", 40, seed=1, players=4, learner="drawn") for _ in range(2))
    assert set(batch.learners) == {0, 1, 2, 3}
    first = batch.learners.copy()
    assert (batch.actor == first).all()
    while not batch.done.any():
        batch.step(None)
        again.step(None)
        assert (batch.learners == again.learners).all()
        assert (batch.learners == first)[~batch.done].all()
        assert (batch.actor == batch.learners).all()
    assert (Batch("squad", 2).learners == -1).all()


def test_a_game_that_ends_before_its_learner_acts_does_not_count() -> None:
    batch = Batch("icefrogs", 20, players=6, turn_limit=2, learner="drawn")
    for _ in range(5):
        assert set(batch.learners) == {0, 1}
        batch.step(None)
        assert batch.done.all()
    with pytest.raises(GameError, match="the learner never comes to act"):
        Batch("icefrogs", 1, players=6, turn_limit=1, learner=1)


@pytest.mark.parametrize("learner", [2, -1, True, 0.0, "first"])
def test_a_wrong_learner_is_refused(learner: Any) -> None:
    with pytest.raises(GameError, match="learner is a seat from 0 to 1, 'drawn' or None"):
        Batch("squad", 1, learner=learner)


def test_a_learner_loses_by_an_illegal_action_or_it_is_ignored() -> None:
    losing = Batch("squad", 1, players=3, learner=1, illegal="lose", autoreset="off")
    wrong = int(losing.mask[0].argmin())
    losing.step([wrong])
    assert losing.reward[0].tolist() == [0.25, -0.5, 0.25]
    assert (losing.final_observation[0] == losing.observe(0, 1)).all()
    ignoring = Batch("squad", 1, players=3, learner=1, illegal="ignore")
    before = ignoring.states()
    ignoring.step([wrong])
    assert ignoring.states() == before
    strict = Batch("squad", 1, players=3, learner=1)
    with pytest.raises(IllegalAction, match=r"^Row 0"):
        strict.step([wrong])
    assert strict.states() == before


def test_an_action_ignored_in_the_next_step_need_not_be_one() -> None:
    batch = Batch("squad", 1, seed=4, autoreset="next")
    while not batch.done[0]:
        batch.step(None)
    batch.step([-7])
    assert (batch.acts[0], batch.state(0)) == (0, Batch("squad", 1).state(0))


@pytest.mark.parametrize(("game", "learner"), [("highrise", None), ("highrise", 0), ("wrecktangle", None)])
def test_nothing_reveals_future_chance(game: str, learner: int | None) -> None:
    """Games that are alike, and in which chance will do something else, look alike until chance has acted."""
    batch, other = (Batch(game, 8, seed=2, autoreset="off", illegal="ignore", learner=learner) for _ in range(2))
    other._rows.streams[:, 0] = jit.seeds(3, 8)
    alike = np.ones(8, np.bool_)
    began = batch._rows.streams[:, 0].copy()
    while alike.any():
        for name in ("actor", "observation", "mask", "reward", "done", "acts", "learners"):
            assert (getattr(batch, name) == getattr(other, name))[alike].all(), name
        for row in np.flatnonzero(alike).tolist():
            for seat in range(batch.game.players):
                assert (batch.observe(row, seat) == other.observe(row, seat)).all()
        actions = batch.pick()
        assert (other.pick() == actions)[alike].all()
        batch.step(actions)
        other.step(actions)
        alike &= batch._rows.streams[:, 0] == began
    assert batch.states() != other.states()


# Other shapes of the same


@each_case
def test_masks_are_told_as_booleans_and_as_lists(case: Case) -> None:
    batch = Batch(case.game, 3, seed=5, autoreset="off")
    for _ in range(20):
        assert batch.legal.dtype == np.bool_
        assert (batch.legal == (batch.mask == 1)).all()
        assert not batch.legal.flags.writeable
        for row, state in enumerate(batch.states()):
            acts = [] if state.is_terminal else state.legal_actions()
            assert batch.legal_actions(row).tolist() == sorted(map(batch.space.number, acts))
        batch.step(None, batch.actor != NOBODY)
    with pytest.raises(GameError, match="a row is"):
        batch.legal_actions(3)


@pytest.mark.parametrize("way", [copy.copy, lambda batch: pickle.loads(pickle.dumps(batch))], ids=["copy", "pickle"])
def test_planes_may_come_first(way: Any) -> None:
    last = Batch("squad", 4, seed=1, autoreset="next")
    first = way(Batch("squad", 4, seed=1, autoreset="next", channels="first"))
    planes = last.observation.shape[3]
    for _ in range(20):
        for name in ("observation", "final_observation"):
            seen = getattr(first, name)
            assert seen.shape == (4, planes, 4, 4)
            assert (seen.transpose(0, 2, 3, 1) == getattr(last, name)).all()
        assert (first.observe(1, 0).transpose(1, 2, 0) == last.observe(1, 0)).all()
        assert not first.observation.flags.writeable
        last.step(None)
        first.step(None)
    with pytest.raises(GameError, match="channels can't be 'middle'; allowed: 'last', 'first'"):
        Batch("squad", 1, channels="middle")  # type: ignore[arg-type]


def test_an_action_below_0_is_refused_and_never_played() -> None:
    batch = Batch("squad", 2, seed=3)
    for number in range(-6, 0):
        before = batch.positions()
        with pytest.raises(GameError, match="actions are whole numbers from 0 to 63"):
            batch.step([number, number])
        assert (batch.positions() == before).all()


@pytest.mark.parametrize("illegal", ["raise", "lose", "ignore"])
def test_a_game_that_is_over_takes_no_action_when_games_never_restart(illegal: Any) -> None:
    batch = Batch("squad", 2, autoreset="off", illegal=illegal, seed=3)
    while not batch.done[0]:
        batch.step(batch.pick(), batch.actor != NOBODY)
    reward = batch.reward.copy()
    for actions in ([0, 0], None):
        with pytest.raises(GameError, match="the game in row 0 is over; begin a new one with reset"):
            batch.step(actions)
        assert batch.done[0]
        assert (batch.reward == reward).all()


@pytest.mark.parametrize("learner", [None, 0, "drawn"])
def test_games_begin_with_random_acts(learner: Any) -> None:
    batch = Batch("icefrogs", 50, seed=4, openings=4, learner=learner, turn_limit=20)
    again = Batch("icefrogs", 50, seed=4, openings=4, learner=learner, turn_limit=20, threads=2)
    for _ in range(60):
        firsts = batch.acts[~batch.done]
        assert (firsts >= 4).all()
        assert len({batch.state(row).to_json() for row in range(50)}) > 40
        assert (batch.positions() == again.positions()).all()
        actions = batch.pick()
        batch.step(actions)
        again.step(again.pick())
    assert icetable.replay(batch.record(0)) == batch.get(0)
    given = Batch("icefrogs", 2, openings=4, turn_limit=20)
    given.set(0, batch.game.start())
    assert given.acts.tolist() == [0, 4], "a game that is set begins where it is"


def test_a_game_that_its_opening_ends_does_not_count() -> None:
    batch = Batch("squad", 30, seed=1, openings=8)
    for _ in range(20):
        assert (batch.actor != NOBODY).all()
        assert (batch.acts >= 8).all()
        batch.step(None)
    with pytest.raises(GameError, match="every game ends in its opening"):
        Batch("icefrogs", 1, openings=3, turn_limit=2)


@pytest.mark.parametrize("openings", [-1, 1.5, "two"])
def test_wrong_openings_are_refused(openings: Any) -> None:
    with pytest.raises(GameError, match="openings is a whole number"):
        Batch("squad", 1, openings=openings)


SHOWN = ("actor", "observation", "mask", "reward", "done", "final_observation", "acts", "learners")


def play(batch: Batch, steps: int) -> list[Any]:
    """The arrays after some steps of random play."""
    told = []
    for _ in range(steps):
        batch.step(None, batch.actor != NOBODY)
        told.append([getattr(batch, name).tobytes() for name in SHOWN])
    return [*told, *(batch.record(row) for row in range(batch.n))]


# Positions as arrays


@each_case
def test_positions_go_back_in(case: Case) -> None:
    """They have the same words, are observed alike, and are played on alike."""
    batch, other = (Batch(case.game, 4, seed=seed, autoreset="off") for seed in (1, 2))
    for steps in (0, 7, 13):
        play(batch, steps)
        going = batch.actor != NOBODY
        chosen = np.flatnonzero(going)
        other.set(chosen, batch.positions(going))
        assert (other.positions(going) == batch.positions(going)).all()
        for name in ("actor", "observation", "mask"):
            assert (getattr(other, name)[going] == getattr(batch, name)[going]).all()
        assert not other.acts[going].any()


def test_one_state_or_position_goes_into_many_rows() -> None:
    batch = Batch("icefrogs", 3, seed=1)
    play(batch, 5)
    here = batch.get(0)
    other = Batch("icefrogs", 4, seed=2)
    for given in (here, here.position, [here], batch.positions(np.arange(3) == 0)):
        other.reset()
        other.set([3, 1], given)
        assert [state == here for state in other.states()] == [False, True, False, True]
    assert other.record(1).count("\n") < here.record().count("\n"), "words tell no acts"
    other.set((0, 1, 2), [batch.get(row) for row in (0, 1, 2)])
    assert other.states()[:3] == batch.states()


@pytest.mark.parametrize("autoreset", ["same", "next", "off"])
def test_a_game_that_is_over_goes_into_a_row(autoreset: Any) -> None:
    """It stays over until the next step, or until a reset, and pays nothing once more."""
    ended = Batch("squad", 2, seed=1, autoreset="off")
    while not ended.done.all():
        ended.step(ended.pick(), ended.actor != NOBODY)
    batch = Batch("squad", 3, seed=2, autoreset=autoreset)
    batch.step(batch.pick())
    before = batch.state(2)
    batch.set([0, 1], ended.positions() if autoreset == "same" else [ended.get(row) for row in (0, 1)])
    assert batch.actor[:2].tolist() == [NOBODY, NOBODY]
    assert not batch.mask[:2].any()
    assert not batch.done.any()
    assert not batch.reward.any()
    assert batch.states() == [*ended.states(), before]
    if autoreset == "off":
        with pytest.raises(GameError, match="the game in row 0 is over"):
            batch.step(batch.pick())
        batch.reset(batch.actor == NOBODY)
    else:
        batch.step(batch.pick())
    assert batch.states()[:2] == [batch.game.start()] * 2
    batch.set(2, ended.positions()[0])
    other = Batch("squad", 3, autoreset=autoreset)
    other.load_state_dict(batch.state_dict())
    assert other.states() == batch.states()


def test_words_that_are_no_position_are_refused() -> None:
    for name in ("squad", "icefrogs", "wrecktangle", "highrise"):
        batch = Batch(name, 2, seed=1)
        play(batch, 6)
        before, words = batch.record(0), batch.positions()[0]
        wrong: list[tuple[Any, str]] = [
            (np.zeros_like(words), "these words are not a position of "),
            (np.full_like(words, -1), "these words are not a position of "),
            (words[:-1], "with these options is int64"),
            (words.astype(np.int32), "with these options is int64"),
            (words.astype(float), "with these options is int64"),
            (np.zeros((3, 2, 4), np.int64), "with these options is int64"),
        ]
        rng = np.random.default_rng(3)
        for _ in range(60):
            junk = words.copy()
            at = rng.integers(len(words))
            junk[at] += rng.choice((-(2**40), -1, 1, 5, 2**62))
            wrong.append((junk, " "))
        refused = 0
        for given, message in wrong:
            with contextlib.suppress(GameError):  # but for a word that makes another position, or that nothing reads
                batch.set(0, given)
                batch.set(0, words)
                before = batch.record(0)
                continue
            refused += 1
            assert batch.record(0) == before
            with pytest.raises(GameError, match=re.escape(message)):
                batch.set(0, given)
        assert refused > 20, name


def test_copies_of_one_pyramid_are_refused() -> None:
    """Words that describe a position well, but would break as soon as it is played on."""
    game = space("icefrogs").game
    assert game.compared_words is not None
    state = game.start().apply("S@b1").apply("S@h2").apply("S@b2")
    words = state.position.copy()
    twice = np.flatnonzero(words == words.max())
    assert len(twice) == 1
    below, above = sorted(word for word in words[game.compared_words :].tolist() if 0 <= word < 32)[-2:]
    words[words == above] = below
    with pytest.raises(GameError, match="contradict each other"):
        game.state_at(words)


@pytest.mark.parametrize(
    ("rows", "count", "message"),
    [
        ([0, 0], 1, "each row can be given once"),
        ([0, 3], 1, "a row is a whole number from 0 to 2, not 3"),
        ([0.0, 1.0], 1, "a row is a whole number from 0 to 2, not 0.0"),
        ([True, False, True], 1, "a row is a whole number from 0 to 2, not True"),
        ([[0, 1]], 1, "a row is a whole number from 0 to 2"),
        ([0, 1, 2], 2, "3 rows take one or 3, not 2"),
    ],
)
def test_wrong_rows_are_refused(rows: Any, count: int, message: str) -> None:
    batch = Batch("squad", 3)
    with pytest.raises(GameError, match=message):
        batch.set(rows, [batch.get(0)] * count)
    with pytest.raises(GameError, match=message):
        batch.copy([0] * count, rows)


# Copies of rows


@each_case
def test_a_copy_of_a_row_is_all_of_it(case: Case) -> None:
    """With the chance to come it plays on compared_words, and its record is that of the row that it is from."""
    batch = Batch(case.game, 3, seed=5)
    play(batch, 20)
    record = batch.record(1)
    batch.copy(1, [0, 2], include_rng=True)
    for _ in range(3):  # a copy of a copy
        batch.copy([2, 0], [0, 2], include_rng=True)
    assert batch.record(0) == record
    for _ in range(20):
        for name in SHOWN:
            shown = getattr(batch, name)
            assert (shown[[0, 2]] == shown[1]).all(), name
        batch.step(None)
    told = batch.record(2)
    assert told == batch.record(1)
    assert icetable.replay(told) == batch.state(0)
    if batch._rows.finals[0, 0]:
        assert batch.record(0, final=True) == batch.record(1, final=True)


def test_copies_go_their_own_ways() -> None:
    batch = Batch("wrecktangle", 6, seed=1, autoreset="off")
    play(batch, 10)
    acts = int(batch.acts[0])
    batch.copy(0, range(1, 6))
    assert (batch.acts == acts).all()
    assert len({batch.record(row) for row in range(6)}) == 1
    play(batch, 10)
    assert len({batch.record(row) for row in range(6)}) == 6
    assert (batch.acts == acts + 10).all()
    for row in range(6):
        assert icetable.replay(batch.record(row)) == batch.state(row)


def test_rows_change_places() -> None:
    batch = Batch("squad", 2, seed=1, autoreset="off")
    play(batch, 3)
    batch.step(None, np.array([True, False]))
    first, second = batch.get(0), batch.get(1)
    batch.copy([0, 1], [1, 0])
    assert (batch.get(0), batch.get(1)) == (second, first)
    assert batch.acts.tolist() == [3, 4]


def test_games_that_are_over_are_copied_too() -> None:
    batch = Batch("squad", 2, seed=1, autoreset="off")
    while not batch.done[0]:
        batch.step(None, np.array([True, False]))
    batch.copy(0, 1)
    assert batch.done.all()
    assert batch.record(1, final=True) == batch.record(0)
    assert (batch.reward[1] == batch.reward[0]).all()
    batch.reset()
    assert batch.state(1, final=True) == batch.state(0, final=True)


# What is kept


def kept(batch: Batch) -> Any:
    """The state of a batch, through a file."""
    file = io.BytesIO()
    arrays: dict[str, Any] = batch.state_dict()
    np.savez(file, **arrays)
    file.seek(0)
    return np.load(file)


@pytest.mark.parametrize("game", ["squad", "icefrogs", "wrecktangle", "highrise"])
@pytest.mark.parametrize(
    "options",
    [{}, {"autoreset": "next", "learner": "drawn", "channels": "first"}, {"autoreset": "off", "observation": "look"}],
    ids=["usual", "learner", "look"],
)
def test_a_batch_goes_on_from_what_was_kept(game: str, options: dict[str, Any]) -> None:
    check_kept(game, options | ({"turn_limit": 30} if game in ("icefrogs", "wrecktangle") else {}))


def test_games_of_plain_python_are_kept_too() -> None:
    check_kept(Canals, {})


def check_kept(game: Any, options: dict[str, Any]) -> None:
    batch = Batch(game, 3, seed=4, **options)
    again = Batch(game, 3, seed=9, threads=2, **options)
    play(again, 5)
    for steps in (3, 15, 30):
        play(batch, steps)
        again.load_state_dict(kept(batch))
        for name in SHOWN:
            assert (getattr(again, name) == getattr(batch, name)).all(), name
        assert (again.positions() == batch.positions()).all() or game is Canals
        assert again.states() == batch.states()
        copied = Batch(game, 3, **options)
        copied.load_state_dict(batch.state_dict())
        assert play(copied, 12) == play(again, 12)
        again.load_state_dict(kept(batch))
    assert play(again, 20) == play(batch, 20)
    for row in range(3):
        if batch._rows.finals[row, 0]:
            assert again.record(row, final=True) == batch.record(row, final=True)


def test_a_game_lost_by_an_illegal_action_is_kept() -> None:
    for autoreset in ("off", "same"):
        batch, again = (Batch("squad", 2, seed=1, illegal="lose", autoreset=autoreset) for _ in range(2))
        play(batch, 2)
        batch.step(np.where([True, False], batch.mask.argmin(axis=1), batch.pick()))
        again.load_state_dict(batch.state_dict())
        for name in SHOWN:
            assert (getattr(again, name) == getattr(batch, name)).all(), name
        assert again.record(0, final=True) == batch.record(0, final=True)
        assert again.get(1) == batch.get(1)


def test_a_bad_state_of_a_batch_is_refused_and_changes_nothing() -> None:
    batch = Batch("wrecktangle", 2, seed=1)
    play(batch, 5)
    before = [batch.record(0), *play(batch, 0)]
    good = batch.state_dict()
    for change, message in (
        ({"made": Batch("squad", 2).state_dict()["made"]}, "this was saved by a batch made with .*squad"),
        ({"made": Batch("wrecktangle", 3).state_dict()["made"]}, 'this was saved by a batch made with .*"n": 3'),
        ({"streams": good["streams"][:1]}, r"streams is int64\[1, 2\], and here int64\[2, 2\]"),
        ({"done": good["done"].astype(int)}, "done is int64"),
        ({"learners": good["learners"] + 5}, "contradict each other"),
        ({"current": good["current"] + 2}, "contradict each other"),
        ({"records": good["records"][:1]}, "not the state_dict of a batch"),
        ({"records": np.array([b"nothing", b"at all"])}, "record"),
        ({"records": Batch("squad", 2).state_dict()["records"]}, "squad"),
        ({"finals": good["finals"][:0]}, "contradict each other"),
    ):
        with pytest.raises(GameError, match=message):
            batch.load_state_dict({**good, **change})
    with pytest.raises(GameError, match="not the state_dict of a batch: KeyError"):
        batch.load_state_dict({})
    assert [batch.record(0), *play(batch, 0)] == before
