"""The stories, which the oracle and the product both live through."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.games.pairs import Pair
from tests.games.stories import Story, each_story, tell

from . import product
from .oracle import Oracle


def begin(drawing: str | None, turns: int = 0, passes: int = 0, **settings: Any) -> Pair:
    """The pair with which a story begins, after so many turns, the last of them passes."""
    if drawing is None:
        return Pair.at_start(product, Oracle(**settings))
    position = Oracle.drawn(drawing, **settings)
    position.turns, position.passes = turns or position.turns, passes
    return Pair.of(product, position)


@each_story(Path(__file__).parent)
def test_story(story: Story) -> None:
    tell(story, begin)
