"""The stories, which the oracle and the product both live through."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.games.pairs import Pair
from tests.games.stories import Story, each_story, tell

from . import product
from .oracle import Oracle, read_rectangle
from .product import grown


def begin(drawing: str | None, last_of_0: str = "", **settings: Any) -> Pair:
    """The pair with which a story begins; `last_of_0` is a last capturing rectangle of seat 0 in a turn of seat 1."""
    if drawing is None:
        return Pair.at_start(product, Oracle(**settings))
    position = Oracle.drawn(drawing, **settings)
    if last_of_0:
        position.last = (frozenset({read_rectangle(last_of_0)}), *position.last[1:])
    return Pair.of(product, grown(position))


@each_story(Path(__file__).parent)
def test_story(story: Story) -> None:
    tell(story, begin)
