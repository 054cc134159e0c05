"""The stories, which the edition and the product both live through."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.games.pairs import Pair
from tests.games.stories import Story, each_story, tell

from . import product


def begin(drawing: str | None, values: str = "", rolled: int | None = None, **settings: Any) -> Pair:
    """The pair with which a story begins, the numbers given by a list or by a roll."""
    if values:
        settings["values"] = [int(number) for number in values.split()]
    if drawing is None:
        return Pair.at_start(product, product.start(**settings))
    numbers = [int(number) for number in str(rolled)] if rolled else ()
    return Pair.of(product, product.drawn(drawing, numbers, **settings))


@each_story(Path(__file__).parent)
def test_story(story: Story) -> None:
    tell(story, begin)
