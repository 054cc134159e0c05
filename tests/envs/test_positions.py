"""Positions in arrays, copies of rows, and batches that are kept."""

from __future__ import annotations

import contextlib
import io
import re
from typing import Any

import numpy as np
import pytest

import icetable
from icetable import GameError
from icetable.envs import Batch, space
from icetable.kernels.layout import NOBODY
from icetable.workshop.examples.canals import Canals
from tests.conformance.cases import Case
from tests.envs.cases import each_case

SHOWN = ("actor", "observation", "mask", "reward", "done", "final_observation", "acts", "learners")


def play(batch: Batch, steps: int) -> list[Any]:
    """What some steps of random play show."""
    told = []
    for _ in range(steps):
        batch.step(None, batch.actor != NOBODY)
        told.append([getattr(batch, name).tobytes() for name in SHOWN])
    return [*told, *(batch.record(row) for row in range(batch.n))]


# Positions as arrays


@each_case
def test_positions_go_back_in(case: Case) -> None:
    """Whatever they were, they are the same words, see the same and are played on compared_words."""
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


def test_what_is_no_state_of_a_batch_is_refused_and_changes_nothing() -> None:
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
