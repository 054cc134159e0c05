"""The numbers of acts and the planes of observations: they translate both ways, keep symmetries and tell no secret."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import count
from typing import Any

import numpy as np
import pytest

from icetable import CHANCE, GameError
from icetable.core.turns import TurnGame, TurnState
from icetable.envs import Spaces, space
from icetable.extras.encoding import Symmetry
from icetable.games.wrecktangle.rules import SEAT
from icetable.kernels.layout import ACTOR
from tests.conformance.cases import Case
from tests.envs.cases import each_case

EVERY = 7
"""Each seventh position is compared with its image: rolls, moves and dice in turn, as a turn has at most three acts."""


def observation(space: Spaces, state: TurnState, seat: int) -> np.ndarray[Any, np.dtype[np.int8]]:
    height, width, planes = space.encoding.shape
    seen = np.full((height * width, planes), -1, np.int8)
    space.codec.observe(state.array, seat, seen)
    return seen


def random_states(space: Spaces, games: int = 1) -> Iterator[TurnState]:
    rng = np.random.default_rng(7)
    for _ in range(games):
        state = space.game.start()
        yield state
        while not state.is_terminal:
            state = state.apply(space.game.random_act(state, rng))
            yield state


@each_case
def test_acts_and_actions_translate_both_ways(case: Case) -> None:
    numbered = space(case.game)
    for state in random_states(numbered):
        if CHANCE in state.to_act:
            continue
        acts = state.legal_actions()
        actions = [numbered.number(act) for act in acts]
        assert len(set(actions)) == len(acts)
        assert [numbered.notation(action) for action in actions] == acts


@each_case
def test_every_number_is_an_act(case: Case) -> None:
    numbered = space(case.game)
    for action in range(numbered.encoding.actions):
        act = numbered.notation(action)
        squares = re.findall("[a-z][0-9]+", act)
        if len(set(squares)) == len(squares):  # else it leads nowhere and is never legal
            assert numbered.number(act) == action
    starts = [first for first, _ in numbered.encoding.numbering]
    assert starts[0] == 0
    assert starts == sorted(set(starts))
    for wrong in (-1, numbered.encoding.actions, 0.5, "0"):
        with pytest.raises(GameError, match="whole number from 0 to"):
            numbered.notation(wrong)  # type: ignore[arg-type]


@each_case
def test_planes_stay_within_their_bounds(case: Case) -> None:
    numbered = space(case.game)
    most = np.array([plane.most for plane in numbered.encoding.planes])
    assert len({plane.name for plane in numbered.encoding.planes}) == len(most)
    for state in random_states(numbered):
        for seat in range(numbered.game.players):
            seen = observation(numbered, state, seat)
            assert seen.min() >= 0
            assert (seen <= most).all()


@each_case
def test_a_symmetry_maps_games_to_games(case: Case) -> None:
    numbered = space(case.game)
    rng = np.random.default_rng(3)
    for symmetry in numbered.encoding.symmetries:
        assert sorted(symmetry.cells) == list(range(len(symmetry.cells)))
        assert sorted(symmetry.actions) == list(range(numbered.encoding.actions))
        state = numbered.game.start()
        image = begun_by(numbered.game, symmetry.seats[0])
        for number in count():
            if number % EVERY == 0 or state.is_terminal:
                compare(numbered, symmetry, state, image)
            if state.is_terminal:
                break
            act = numbered.game.random_act(state, rng)
            state, image = state.apply(act), image.apply(image_of(numbered, symmetry, state, act))


@pytest.mark.parametrize(("game", "options", "size"), [("squad", {}, 8), ("icefrogs", {}, 4), ("wrecktangle", {}, 4)])
def test_small_groups_of_symmetries_are_listed(game: str, options: dict[str, Any], size: int) -> None:
    numbered = space(game, **options)
    group = numbered.group()
    assert group[0].name == ""
    assert (group[0].actions == np.arange(numbered.encoding.actions)).all()
    assert len(group) == size
    all_actions = {one.actions.tobytes() for one in group}
    for one in group:
        assert (one.then(one.back()).actions == group[0].actions).all()
        assert one.then(one.back()).seats == group[0].seats
        assert {one.then(other).actions.tobytes() for other in group} == all_actions
    with pytest.raises(GameError, match="there are more than 100"):
        space("highrise").group()


@each_case
def test_symmetries_turn_what_is_seen_and_what_is_told_of_actions(case: Case) -> None:
    """The image of a game sees and may do the image of what the game sees and may do."""
    numbered = space(case.game)
    height, width, planes = numbered.encoding.shape
    seen = np.random.default_rng(1).integers(0, 9, (2, 3, height, width, planes)).astype(np.int8)
    policy = np.random.default_rng(1).random((3, numbered.encoding.actions))
    for one in numbered.encoding.symmetries:
        image = one.of_observations(seen)
        for cell in range(height * width):
            there = divmod(int(one.cells[cell]), width)
            assert (image[:, :, *there] == seen[:, :, *divmod(cell, width)]).all()
        assert (one.back().of_observations(image) == seen).all()
        assert one.of_observations(seen[:0]).shape == seen[:0].shape
        assert (one.of_policies(policy)[:, one.actions] == policy).all()
        assert (one.back().of_policies(one.of_policies(policy)) == policy).all()


def begun_by(game: TurnGame, seat: int) -> TurnState:
    """The start of a game that this seat begins."""
    position = game.first_position()
    if seat == 0:
        return TurnState(game, position)
    if position[ACTOR] == CHANCE:
        position[SEAT] = seat
    else:
        position[ACTOR] = seat
    return TurnState(game, position)


def image_of(numbered: Spaces, symmetry: Symmetry, before: TurnState, act: str) -> str:
    """An act of the image. Dice fall alike, and a number goes with its square."""
    if act.startswith("deal:"):
        numbers = re.findall("[0-9]+" if "," in act else "[0-9]", act)
        return f"deal:{(',' if ',' in act else '').join(np.array(numbers)[np.argsort(symmetry.cells)])}"
    return act if CHANCE in before.to_act else numbered.notation(int(symmetry.actions[numbered.number(act)]))


def compare(numbered: Spaces, symmetry: Symmetry, state: TurnState, image: TurnState) -> None:
    for seat in range(numbered.game.players):
        seen = np.empty_like(observation(numbered, state, seat))
        seen[symmetry.cells] = observation(numbered, state, seat)
        assert (observation(numbered, image, symmetry.seats[seat]) == seen).all()
        assert image.scores[symmetry.seats[seat]] == state.scores[seat]
    assert image.winners == {symmetry.seats[seat] for seat in state.winners}
    if not state.is_terminal and CHANCE not in state.to_act:
        legal = {int(symmetry.actions[numbered.number(act)]) for act in state.legal_actions()}
        assert {numbered.number(act) for act in image.legal_actions()} == legal


@pytest.mark.parametrize(
    "options", [{}, {"memory": "off"}, {"cols": 4}, {"values": [0, 0, 1, 1, 1, 6, 7, 9, 9]}], ids=str
)
def test_planes_of_highrise_count_what_is_in_view(options: dict[str, Any]) -> None:
    """By size and seat in sight on each square, what is covered there, and the numbers that all know."""
    numbered = space("highrise", **options)
    planes = {plane.name: number for number, plane in enumerate(numbered.encoding.planes)}
    covered = 0
    for state in random_states(numbered, 3):
        view = state.view()
        for seat in (0, 1):
            seen = observation(numbered, state, seat)
            for cell, square in enumerate(numbered.game.layout()["spaces"]):
                tower = view["stacks"].get(square["name"], [])
                for whose, other in (("own", seat), ("player +1", 1 - seat)):
                    for letter, size in (("S", "small"), ("M", "medium"), ("L", "large")):
                        count = sum(one.startswith(f"{other}{letter}:") for one in tower)
                        assert seen[cell, planes[f"{whose} {size} in sight"]] == count
                unknown = tower.count("greyhidden")
                assert seen[cell, planes["covered"]] == unknown
                covered += unknown
            for face in range(1, 7):
                count = view["pool"].count(face)
                assert (seen[:, planes[f"numbers {face}"]] == count).all()
    assert bool(covered) == (numbered.game.options["memory"] == "on")


def test_planes_of_highrise_hold_a_tower_of_all_pyramids() -> None:
    numbered = space("highrise", rows=8, cols=8, numbers="unseen")
    rules = numbered.game.rules
    position, acts = numbered.game.first_position(), np.empty(rules.MAX_ACTS, np.int64)
    while position[ACTOR] != CHANCE:
        rules.legal(position, acts)
        rules.apply(position, int(acts[0]))  # the smallest pyramid that is left, on a1
    seen = observation(numbered, TurnState(numbered.game, position), 0)
    counts = {plane.name: int(seen[0, number]) for number, plane in enumerate(numbered.encoding.planes)}
    assert counts["covered"] == 127
    assert counts["own large in sight"] == counts["player +1 large in sight"] == 65


def test_a_game_brings_its_own_options() -> None:
    game = space("squad", players=3).game
    assert space(game).game is game
    with pytest.raises(GameError, match="has options already; give its name, 'squad', with players, trios"):
        space(game, players=2, trios=2)
