"""Stories: a drawn board, the acts that are made on it, and what the rule text says of each, worked out by hand.

Each is told to the oracle and to the product at once. The stories of a game stand in its `stories.txt`, parted by empty
lines. A story begins with its rules and what it shows, then the board is drawn; where none is drawn it is that of the
story before. Then it goes, once or several times::

    from the board, roll=away   on the board, under these settings; or `from the start, players=3`
    e7-e5; end; die:away        acts are made
    e7-e5 -> coin tails, out 1  the last causes this and no more: its effects, but for those that only name the act
    e7-e5 end break WT-5        acts are refused by a rule
    e7-e5 end are legal         acts are not refused
    only e7-e5 end              these acts are legal and no others
    seat 1 to act               or `chance to act`, or `seats 0 1 to act`
    over WT-17: winners 0, scores 1 0
    scores 13 7
    coin is tails               an entry of the view, a text or a value in JSON
    as drawn                    what stands on the board is what is drawn
"""

from __future__ import annotations

import copy
import functools
import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, Protocol, Self

import pytest

from icetable import CHANCE, BadNotation, Effect, State

from .boards import settings

OF_THE_ACT = {"moves", "swaps", "captain", "formation", "places"}
"""Effects that only say which act was made."""

HEAD = re.compile(r"(?P<rules>[A-Z]{2}-\d+[a-z]?(?: [A-Z]{2}-\d+[a-z]?)*) (?P<title>.+)")
FROM = re.compile(r"from the (?P<where>board|start)(?:, (?P<settings>.+))?")
ACTS = re.compile(r"(?P<acts>.+?)(?: +-> (?P<effects>.+))?")
OVER = re.compile(r"over (?P<rule>\S+): winners(?P<winners>[ \d]*), scores (?P<scores>[- \d]+)")


class Adapter(Protocol):
    """What a game's `product.py` says of oracle and product."""

    def state_of(self, position: Any) -> State:
        """The product's state of an oracle's position."""

    def key(self, state: State) -> tuple[object, ...]:
        """What `Oracle.key` gives, told by the product."""

    def effects(self, before: Any, act: str, after: Any) -> Collection[tuple[Effect, ...]]:
        """What the oracle says that an act caused, in the words of the product; all ways, where there are several."""


@dataclass(frozen=True)
class Pair:
    """A position of the oracle and the product's state of it: what one is asked is asked of both."""

    adapter: Adapter
    position: Any
    state: State

    @classmethod
    def of(cls, adapter: Any, position: Any) -> Self:
        """A position of the oracle, and the state that is set up like it."""
        return cls(adapter, position, adapter.state_of(position))

    def __post_init__(self) -> None:
        assert self.adapter.key(self.state) == self.position.key()
        assert self.state.scores == self.position.scores

    def legal(self) -> set[str]:
        """The legal acts."""
        legal: set[str] = self.position.legal()
        assert {str(act) for act in self.state.legal_actions()} == legal if legal else not self.state.legal_actions()
        return legal

    def fault(self, text: str) -> str | None:
        """The rule that refuses an act."""
        rule: str | None = self.position.fault(text)
        assert verdict(self.state, text) == rule, text
        return rule

    def apply(self, text: str) -> Self:
        """The pair after an act, with all that it caused."""
        after, state = self.position.apply(text), self.state.apply(text)
        assert state.effects in self.adapter.effects(self.position, text, after), text
        return type(self)(self.adapter, after, state)

    def assert_agreed(self, texts: Iterable[str]) -> None:
        """Whatever could be done here: which rule refuses it, or where it leads."""
        legal = self.legal()
        asked = type(self)(self.adapter, patient(self.position), self.state)
        assert {text for text in texts if asked.fault(text) is None} <= legal
        for text in sorted(legal):
            assert asked.fault(text) is None
            asked.apply(text)


def patient(position: Any) -> Any:
    """An oracle that answers many questions about one position: it works out each answer only once."""
    twin = copy.copy(position)
    for name in ("legal", "paths"):
        if hasattr(position, name):
            setattr(twin, name, functools.cache(getattr(position, name)))
    twin.apply = position.apply
    return twin


def verdict(state: State, text: str) -> str | None:
    """What the product says, as `Oracle.fault` does."""
    try:
        fault = state.fault(text)
    except BadNotation:
        return "notation"
    return fault.rule if fault else None


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


def tell(story: Story, begin: Callable[..., Pair]) -> None:
    """Let a story happen; `begin` makes the first pair of a drawing, or of none, under settings."""
    for where, chosen, lines in story.branches:
        pair = begin(story.drawing if where == "board" else None, **chosen)
        for line in lines:
            pair = happen(pair, line, story.drawing)


def happen(pair: Pair, line: str, drawing: str) -> Pair:
    """What a line says is so; the pair after it."""
    if line == "as drawn":
        assert str(pair.position).split() == drawing.split()
    elif line.startswith("only "):
        assert pair.legal() == set(line.split()[1:])
    elif found := re.fullmatch(r"(.+) breaks? (\S+)", line):
        refused(pair, found[1].split(), found[2])
    elif found := re.fullmatch(r"(.+) (?:is|are) legal", line):
        assert {text for text in found[1].split() if pair.fault(text) is not None} == set(), line
    elif found := re.fullmatch(r"(?:seats? ([ \d]+)|chance) to act", line):
        assert pair.state.to_act == ({int(seat) for seat in found[1].split()} if found[1] else {CHANCE}), line
    elif found := OVER.fullmatch(line):
        state = pair.state
        told = (state.ended_by, sorted(state.winners), list(state.scores))
        assert told == (found["rule"], [*map(int, found["winners"].split())], [*map(int, found["scores"].split())])
        assert not pair.legal()
    elif found := re.fullmatch(r"scores ([- \d]+)", line):
        assert list(pair.state.scores) == [*map(int, found[1].split())], line
    elif found := re.fullmatch(r"(\w+) is (.+)", line):
        assert pair.state.view()[found[1]] == value(found[2]), line
    else:
        return made(pair, line)
    return pair


def refused(pair: Pair, texts: Sequence[str], rule: str) -> None:
    """The acts break a rule, and an attempt to make them changes nothing."""
    assert {text: pair.fault(text) for text in texts} == dict.fromkeys(texts, rule)
    before = pair.position.key()
    for text in texts:
        with pytest.raises(ValueError, match=f"{re.escape(text)}: {rule}"):
            pair.position.apply(text)
    assert pair.position.key() == before


def made(pair: Pair, line: str) -> Pair:
    """The pair after acts, of the last of which the line may say what it causes."""
    found = ACTS.fullmatch(line)
    assert found
    for act in found["acts"].split("; "):
        pair = pair.apply(act)
    if found["effects"]:
        told = [str(effect) for effect in pair.state.effects if effect.kind not in OF_THE_ACT]
        assert ", ".join(told) == found["effects"].replace("nothing", ""), line
    return pair


def value(text: str) -> Any:
    """A value in JSON, else the text itself."""
    try:
        return json.loads(text)
    except ValueError:
        return text
