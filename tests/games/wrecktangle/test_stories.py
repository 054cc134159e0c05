"""The stories, which the edition and the product both live through."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.games.pairs import Pair
from tests.games.stories import Story, each_story, tell

from . import product


def begin(drawing: str | None, **settings: Any) -> Pair:
    """The pair with which a story begins."""
    if drawing is None:
        return Pair.at_start(product, product.start(**settings))
    return Pair.of(product, product.drawn(drawing, **settings))


@each_story(Path(__file__).parent)
def test_story(story: Story) -> None:
    tell(story, begin)
