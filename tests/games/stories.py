"""Stories: a drawn board, the acts that are made on it, and what the rule text says of each, worked out by hand.

Each is told to kernel and class, or to the product and an oracle, at once. The stories of a game stand in its
`stories.txt`, parted by empty lines. A story begins with its rules and what it shows, then the board is drawn; where
none is drawn it is that of the story before. Then it goes, once or several times::

    from the board, roll=away   on the board, under these settings; or `from the start, players=3`
    e7-e5; end; die:away        acts are made
    e7-e5 -> coin tails, out 1  the last causes this and no more: its effects, but for those that only name the act
    e7-e5 end break WT-5        acts are refused by a rule
    e7-e5 end are legal         acts are not refused
    only e7-e5 end              these acts are legal and no others
    seat 1 to act               or `chance to act`, or `seats 0 1 and chance to act`
    over WT-17: winners 0, scores 1 0
    scores 13 7
    coin is tails               an entry of the view, a text or a value in JSON
    as drawn                    what stands on the board is what is drawn
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Protocol, Self

import pytest

from icetable import CHANCE

from .boards import settings

HEAD = re.compile(r"(?P<rules>[A-Z]{2}-\d+[a-z]?(?: [A-Z]{2}-\d+[a-z]?)*) (?P<title>.+)")
FROM = re.compile(r"from the (?P<where>board|start)(?:, (?P<settings>.+))?")
ACTS = re.compile(r"(?P<acts>.+?)(?: +-> (?P<effects>.+))?")
OVER = re.compile(r"over (?P<rule>\S+): winners(?P<winners>[ \d]*), scores (?P<scores>[- \d]+)")


class Stage(Protocol):
    """Where a story happens: a position of which kernel and class, or product and oracle, always say the same."""

    @property
    def position(self) -> Any:
        """That position."""

    @property
    def effects(self) -> list[str]:
        """The effects of the last act, but for those that only say which act was made."""

    def acts(self, text: str) -> list[str]:
        """Several acts that are written in a row."""

    def legal(self) -> set[str]:
        """The legal acts."""

    def fault(self, text: str) -> str | None:
        """The rule that refuses an act."""

    def apply(self, text: str) -> Self:
        """The stage after an act."""

    def entry(self, name: str) -> Any:
        """The value under a name."""


class Story(NamedTuple):
    """A story: where it begins, and its lines."""

    rules: tuple[str, ...]
    title: str
    drawing: str
    branches: tuple[tuple[str, dict[str, Any], tuple[str, ...]], ...]
    """The board or the start, the settings, and the lines that follow."""


def read_stories(file: Path) -> Iterator[Story]:
    """The stories in a file."""
    drawing = ""
    for block in file.read_text(encoding="utf-8").strip().split("\n\n"):
        first, *lines = block.splitlines()
        head = HEAD.fullmatch(first)
        assert head, first
        begins = [number for number, line in enumerate(lines) if FROM.fullmatch(line)]
        drawing = "\n".join(lines[: begins[0]]) or drawing
        branches = []
        for begin, end in zip(begins, [*begins[1:], len(lines)], strict=True):
            found = FROM.fullmatch(lines[begin])
            assert found
            branches.append((found["where"], settings(found["settings"] or ""), tuple(lines[begin + 1 : end])))
        yield Story(tuple(head["rules"].split()), head["title"], drawing, tuple(branches))


def each_story(folder: Path) -> pytest.MarkDecorator:
    """A test of each story of a game, marked with its rules."""
    cases = [
        pytest.param(story, marks=pytest.mark.rule(*story.rules), id=f"{story.rules[0]} {story.title}")
        for story in read_stories(folder / "stories.txt")
    ]
    return pytest.mark.parametrize("story", cases)


def tell(story: Story, begin: Callable[..., Stage]) -> None:
    """Let a story happen; `begin` sets the stage for a drawing, or for none, under settings."""
    for where, chosen, lines in story.branches:
        stage = begin(story.drawing if where == "board" else None, **chosen)
        for line in lines:
            if line == "as drawn":
                assert stage.entry("stacks") == begin(story.drawing, **chosen).entry("stacks")
            else:
                stage = happen(stage, line)


def happen(stage: Stage, line: str) -> Stage:
    """Assert a line of a story, and return the stage after it."""
    position = stage.position
    if line.startswith("only "):
        assert stage.legal() == set(line.split()[1:])
    elif found := re.fullmatch(r"(.+) breaks? (\S+)", line):
        refused(stage, stage.acts(found[1]), found[2])
    elif found := re.fullmatch(r"(.+) (?:is|are) legal", line):
        assert {act for act in stage.acts(found[1]) if stage.fault(act) is not None} == set(), line
    elif found := re.fullmatch(r"(?:seats? ([ \d]+?))?(?: and )?(chance)? to act", line):
        assert position.to_act == {*map(int, (found[1] or "").split()), *([CHANCE] if found[2] else [])}, line
    elif found := OVER.fullmatch(line):
        told = (position.ended_by, sorted(position.winners), list(position.scores))
        assert told == (found["rule"], [*map(int, found["winners"].split())], [*map(int, found["scores"].split())])
        assert (position.to_act, stage.legal()) == (set(), set())
    elif found := re.fullmatch(r"scores ([- \d]+)", line):
        assert list(position.scores) == [*map(int, found[1].split())], line
    elif found := re.fullmatch(r"([\w ]+?) (?:is|are) (.+)", line):
        assert stage.entry(found[1]) in (value(found[2]), found[2]), line
    else:
        return made(stage, line)
    return stage


def refused(stage: Stage, acts: Sequence[str], rule: str) -> None:
    """The acts break a rule, and an attempt to make them changes nothing."""
    assert {act: stage.fault(act) for act in acts} == dict.fromkeys(acts, rule)
    before = stage.position.key()
    for act in acts:
        with pytest.raises(ValueError, match=f"{rule}$"):
            stage.apply(act)
    assert stage.position.key() == before


def made(stage: Stage, line: str) -> Stage:
    """The stage after acts, of the last of which the line may say what it causes."""
    found = ACTS.fullmatch(line)
    assert found
    for act in found["acts"].split("; "):
        stage = stage.apply(act)
    if found["effects"]:
        assert ", ".join(stage.effects) == found["effects"].replace("nothing", ""), line
    return stage


def value(text: str) -> Any:
    """A value in JSON, else the text itself."""
    try:
        return json.loads(text)
    except ValueError:
        return text
