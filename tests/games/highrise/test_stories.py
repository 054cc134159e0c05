"""The stories, which kernel and class both live through."""

from __future__ import annotations

from pathlib import Path

from tests.games.stories import Story, each_story, tell

from .drawings import begin


@each_story(Path(__file__).parent)
def test_story(story: Story) -> None:
    tell(story, begin)
