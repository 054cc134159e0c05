"""The stories, which the edition and the product both live through."""

from __future__ import annotations

import functools
from pathlib import Path

from tests.games.old_pairs import Pair
from tests.games.stories import Story, each_story, tell

from . import product


@each_story(Path(__file__).parent)
def test_story(story: Story) -> None:
    tell(story, functools.partial(Pair.begin, product))
