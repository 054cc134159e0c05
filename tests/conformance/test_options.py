"""The suite reaches every game under every choice that its options offer."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import icetable
from icetable import BadOption, GameError, GameInfo, Option
from icetable.core.turns import TurnGame
from tests.conformance.cases import CASES, Case, cases_of, each_case, each_game, notable_values


@each_game
def test_every_choice_has_a_case(info: GameInfo) -> None:
    games = [case.game for case in cases_of(info)]
    least, most = info.players
    assert {game.players for game in games} == set(range(least, most + 1))
    for option in info.options:
        played = [game.options[option.name] for game in games]
        assert not [value for value in notable_values(option) if value not in played], option.name


def test_labels_are_unique() -> None:
    assert [label for label, count in Counter(map(str, CASES)).items() if count > 1] == []


@each_game
def test_info(info: GameInfo) -> None:
    game = icetable.load(info.name)
    least, most = info.players
    assert 1 <= least <= info.default_players <= most <= len(info.colours)
    assert game.players == info.default_players
    assert game.info == info
    assert set(game.options) == {"players", *(option.name for option in info.options)}
    for option in info.options:
        assert option.help
        assert option.default is None or option.read(option.default) == option.default
    for preset in info.presets:
        assert icetable.load(info.name, preset=preset).options.items() >= info.presets[preset].items()


@each_game
def test_refusals_name_what_is_allowed(info: GameInfo) -> None:
    nonsense: Any = object()
    for option in (info.players_option, *info.options):
        with pytest.raises(BadOption) as refused:
            icetable.load(info.name, **{option.name: nonsense})
        assert option.name in str(refused.value)
        assert option.allowed in str(refused.value)
    with pytest.raises(BadOption) as refused:
        icetable.load(info.name, nonsense=1)
    assert all(option.name in str(refused.value) for option in info.options)


@each_game
def test_values_outside_are_refused(info: GameInfo) -> None:
    for option in (info.players_option, *info.options):
        for value in outside(option):
            with pytest.raises(BadOption, match=option.name):
                info.load(**{option.name: value})


def outside(option: Option) -> Iterator[Any]:
    """Values that an option can't have."""
    if option.kind == "bool" or (option.choices and option.kind != "int"):
        yield "nonsense"
    if option.choices and option.kind == "int":
        yield max(option.choices) + 1  # type: ignore[operator]
    if option.least is not None:
        yield option.least - 1
    if option.most is not None and option.most < 100:
        yield option.most + 1


@each_case
def test_loading_again_gives_an_equal_game(case: Case) -> None:
    again = icetable.load(case.name, **case.game.options)
    assert again == case.game
    assert hash(again) == hash(case.game)
    assert again.start() == case.game.start()
    assert eval(repr(case.game), {"icetable": icetable}) == case.game
    assert [other.label for other in CASES if other.game == case.game] == [case.label]


@each_case
def test_layout(case: Case) -> None:
    layout = case.game.layout()
    assert json.dumps(layout) == json.dumps(case.game.layout())
    assert layout == case.game.layout()


@each_game
def test_games_of_turns_say_so(info: GameInfo) -> None:
    assert info.turns == isinstance(info.load(), TurnGame)


@each_game
def test_functions_that_need_turns_refuse_other_games(info: GameInfo) -> None:
    if not info.turns:
        with pytest.raises(GameError, match=f"^{info.title} has no turns"):
            icetable.perft(info.load().start(), 1)


@each_game
def test_random_games_come_to_an_end(info: GameInfo) -> None:
    game = info.load()
    last = game.random_game(np.random.default_rng(1))
    assert last.is_terminal
    assert game.replay(last.record()) == last


@each_case
def test_nobody_else_has_a_seat(case: Case) -> None:
    state = case.game.start()
    for seat in (case.game.players, -2, 0.0, "0", True, [0]):
        with pytest.raises(GameError, match="no seat"):
            state.view(seat)  # type: ignore[arg-type]
        with pytest.raises(GameError, match="no seat"):
            state.legal_actions(seat)  # type: ignore[arg-type]
