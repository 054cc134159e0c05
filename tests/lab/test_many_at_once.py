"""Players that are asked for many games at once: policies of observations, and programs."""

from __future__ import annotations

import json
import os
import pickle
import shlex
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from icetable import GameError, State, lab
from icetable.cli import main
from icetable.envs import Agent, Program, space

FIRSTS = """
import json, sys

head = json.loads(input())
assert head["icetable"] == 1 and head["game"] == "squad" and head["shape"] == [4, 4, 23], head
for line in sys.stdin:
    positions = json.loads(line)["positions"]
    print({answer}, flush=True)
"""


def firsts(observations: Any, masks: Any, _rng: Any) -> Any:
    return masks.argmax(axis=1)


def first(state: State, seat: int) -> str:
    """The legal act with the lowest number, one game at a time."""
    return min(state.legal_actions(seat), key=space(state.game).number)


def program(folder: Path, answer: str) -> Program:
    path = folder / "player.py"
    path.write_text(FIRSTS.replace("{answer}", answer))
    return Program(shlex.join([sys.executable, str(path)]))


def plan(player: Any, other: Any = "greedy", blocks: int = 20, **options: Any) -> lab.Plan:
    return lab.Plan("squad", seats=[player, other], blocks=blocks, seed=3, **options)


def games_of(played: lab.Run) -> list[tuple[str, list[float]]]:
    return [(row.log, row.shares) for row in played.rows]


def test_a_policy_plays_as_one_game_at_a_time_does() -> None:
    sizes = list[int]()

    def counted(observations: Any, masks: Any, rng: Any) -> Any:
        assert observations.shape == (len(masks), 4, 4, 23)
        sizes.append(len(masks))
        return firsts(observations, masks, rng)

    played = lab.run(plan(Agent(counted)))
    assert games_of(played) == games_of(lab.run(plan(first)))
    assert max(sizes) >= 20, "it is asked for many games at once"
    assert played.plan.seats == ("counted", "greedy")


def test_it_sees_what_the_seat_to_act_sees() -> None:
    seen = list[Any]()

    def looks(observations: Any, masks: Any, rng: Any) -> Any:
        seen.extend(zip(observations, masks, strict=True))
        return firsts(observations, masks, rng)

    states = [lab.run(plan("random", "random", blocks=3)).plan.game.start()]
    states.append(states[0].apply("C@a1"))
    acts = Agent(looks).choose_many(states)
    for state, act, (observation, mask) in zip(states, acts, seen, strict=True):
        (seat,) = state.to_act
        planes = np.empty((16, 23), np.int8)
        space("squad").codec.observe(state.array, seat, planes)  # type: ignore[attr-defined]
        assert (observation == planes.reshape(4, 4, 23)).all()
        legal = [space("squad").number(act) for act in state.legal_actions(seat)]
        assert np.flatnonzero(mask).tolist() == sorted(legal)
        assert act in state.legal_actions(seat)


def test_planes_may_come_first_and_two_may_meet() -> None:
    def checks(observations: Any, masks: Any, rng: Any) -> Any:
        assert observations.shape == (len(masks), 23, 4, 4)
        return firsts(observations, masks, rng)

    assert len(lab.run(plan(Agent(checks, "first"), Agent(firsts))).rows) == 40


@pytest.mark.parametrize(
    ("policy", "message"),
    [
        (lambda _seen, masks, _rng: masks.argmin(axis=1), "has played an illegal action: "),
        (lambda _seen, masks, _rng: [0.5] * len(masks), "must return .* whole numbers, not "),
        (lambda _seen, _masks, _rng: [1], "must return [0-9]+ whole numbers, not array.*"),
    ],
)
def test_a_bad_answer_of_a_policy_is_refused(policy: Any, message: str) -> None:
    with pytest.raises(GameError, match=message):
        lab.run(plan(Agent(policy)))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((5,), "a policy is a function"),
        ((firsts, "side"), "channels"),
        ((firsts, "last", -1), "seed is a whole number"),
    ],
)
def test_wrong_arguments_are_refused(arguments: Any, message: str) -> None:
    with pytest.raises(GameError, match=message):
        Agent(*arguments)


@pytest.mark.parametrize(
    "answer",
    [
        'json.dumps({"acts": [one["legal"][0] for one in positions]})',
        'json.dumps({"acts": [one["acts"][0] for one in positions]})',
    ],
)
def test_a_program_plays_by_numbers_or_notation(tmp_path: Path, answer: str) -> None:
    player = program(tmp_path, answer)
    assert games_of(lab.run(plan(player))) == games_of(lab.run(plan(first)))
    assert pickle.loads(pickle.dumps(player)) == player
    player.close()


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ('json.dumps({"acts": [99] * len(positions)})', "has played an illegal action: 99"),
        ('json.dumps({"acts": [[]] * len(positions)})', "must answer acts or numbers of actions"),
        ('json.dumps({"acts": ["X@z9"] * len(positions)})', "returned no act"),
        ('json.dumps({"act": 1})', "must answer .*acts"),
        ('json.dumps({"acts": []})', "must answer .*acts"),
        ('"move 1"', "must answer with JSON, not 'move 1"),
        ("sys.exit(3)", "has ended with 3 before it answered"),
    ],
)
def test_a_bad_answer_of_a_program_is_refused(tmp_path: Path, answer: str, message: str) -> None:
    with pytest.raises(GameError, match=message):
        lab.run(plan(program(tmp_path, answer)))


def test_a_program_that_is_not_there(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(GameError, match="nowhere can't be asked: No such file"):
        lab.run(plan(Program("nowhere")))
    with pytest.raises(GameError, match="a program is a command"):
        Program(" ")


def test_a_program_ends_when_its_player_is_closed(tmp_path: Path) -> None:
    player = program(tmp_path, 'json.dumps({"acts": [one["legal"][0] for one in positions]})')
    lab.run(plan(player, blocks=1))
    assert player._process is not None
    number = player._process.pid
    os.kill(number, 0)
    player.close()
    with pytest.raises(ProcessLookupError):
        os.kill(number, 0)


def test_the_command_line_names_a_program(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = program(tmp_path, 'json.dumps({"acts": [one["legal"][0] for one in positions]})').command
    assert main(["lab", "match", "squad", f"program:{command}", "random", "--blocks", "10", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["plan"]["seats"] == [command, "random"]
