"""The pieces of a view add up to the scores, as the browser counts them (IH-33)."""

from __future__ import annotations

import numpy as np
import pytest

from icetable import load

VALUES = {"S": 1, "M": 2, "L": 3}


@pytest.mark.parametrize("seed", range(6))
def test_the_pieces_that_count_add_up_to_the_scores(seed: int) -> None:
    game = load("icehouse", players=2 + seed % 3, timer=120)
    state = game.random_game(np.random.default_rng(seed))
    for one in list(state.history())[-5:]:
        view = one.view()
        iced = {piece["id"] for piece in view["field"] if piece["iced"]}
        sums = [0] * game.players
        for piece in view["field"]:
            seat = game.info.colours.index(piece["colour"])
            succeeds = not piece["iced"] if piece["standing"] else piece["valid"] and piece["points_at"] in iced
            if succeeds and seat not in view["in_icehouse"]:
                sums[seat] += VALUES[piece["size"]]
        assert sums == view["scores"]
