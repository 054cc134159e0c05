"""Options: what does not go together, and what each of them changes."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

import icetable
from icetable import BadOption


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"players": 0}, "players can't be 0; allowed: a whole number from 1 to 4"),
        ({"players": 5}, "players can't be 5; allowed: a whole number from 1 to 4"),
        ({"board": 5}, "board can't be 5; allowed: 4 or 6"),
        ({"board": "4"}, "board can't be '4'; allowed: 4 or 6"),
        ({"board": True}, "board can't be True; allowed: 4 or 6"),
        ({"board": None}, "board can't be None; allowed: 4 or 6"),
        ({"trios": 1}, "trios can't be 1; allowed: 2 or 3"),
        ({"captain_start": 2}, "captain_start can't be 2; allowed: 0 or 1"),
        ({"captain_start": False}, "captain_start can't be False; allowed: 0 or 1"),
        ({"begins": "corners"}, "begins can't be 'corners'; allowed: 'corner' or 'seat'; did you mean 'corner'?"),
        ({"stuck": "any"}, "stuck can't be 'any'; allowed: 'mover' or 'anyone'; did you mean 'anyone'?"),
        ({"tie": "every"}, "tie can't be 'every'; allowed: 'tied' or 'all'"),
        ({"friends": "all"}, "friends can't be 'all'; allowed: 'any' or 'own'"),
        ({"formation": "upto"}, "formation can't be 'upto'; allowed: 'exact' or 'up-to'; did you mean 'up-to'?"),
    ],
)
def test_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(BadOption) as refused:
        icetable.load("squad", **options)
    assert str(refused.value) == message


def test_every_combination_can_be_played() -> None:
    """SQ-1 … SQ-7: any board, any number of trios and any friends for any number of players."""
    for players in (1, 2, 3, 4):
        for board in (4, 6):
            for trios in (2, 3):
                for captain_start in (0, 1):
                    options: dict[str, Any] = {
                        "players": players,
                        "board": board,
                        "trios": trios,
                        "captain_start": captain_start,
                    }
                    for formation, friends in itertools.product(("exact", "up-to"), ("any", "own")):
                        state = icetable.load("squad", **options, formation=formation, friends=friends).start()
                        assert state.scores == (captain_start,) * players
                        while not state.is_terminal:
                            state = state.apply(state.legal_actions()[0])
                        assert state.winners


def test_texts_of_a_command_line() -> None:
    """Whole numbers with choices are read as JSON, like others."""
    options = {option.name: option for option in icetable.load("squad").info.options}
    assert options["board"].read_text("6") == 6
    with pytest.raises(BadOption, match="board can't be 5; allowed: 4 or 6"):
        options["board"].read_text("5")
    with pytest.raises(BadOption, match=r"board can't be 4\.5"):
        options["board"].read_text("4.5")
