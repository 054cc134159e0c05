"""The examples in the rules for players are true: their acts are played, and what they say after that is looked up.

An example has up to five parts: what it shows, options, acts, the field, what can be said of it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest

import icetable
from icetable import CHANCE, State
from icetable.core.record import effects_text
from tests.games.boards import code_blocks

TABLE: dict[str, Any] = {"players": 2, "width": 8.0, "height": 4.0}
"""The options of all examples of the page."""
OPTION = re.compile(r"option (\w+) (\S+)")
ACTS = re.compile(r"([*0-7]) ([^#!]+?)(?: # (.*)| ! (IH-\d+)  (.*))?")
FACTS: dict[re.Pattern[str], Callable[..., bool]] = {
    re.compile(r"(p\d+) is (iced|free)\."): lambda state, name, fate: piece(state, name)["iced"] == (fate == "iced"),
    re.compile(r"(p\d+) attacks (p\d+)(, redundant)?\."): lambda state, name, target, more: (
        piece(state, name)["points_at"] == target
        and piece(state, name)["valid"] is True
        and piece(state, name)["redundant"] == bool(more)
    ),
    re.compile(r"(p\d+) points at (p\d+|nothing), in vain\."): lambda state, name, target: (
        piece(state, name)["points_at"] == (None if target == "nothing" else target)
        and piece(state, name)["valid"] is False
    ),
    re.compile(r"Points: red (\d+), green (\d+)\."): lambda state, red, green: state.scores == (int(red), int(green)),
    re.compile(r"(red|green) has (\d+) pieces on the pad, (\d+) of them (red|green)\."): (
        lambda state, owner, count, some, colour: (
            [sum(map(sum, map(dict.values, pad(state, owner).values()))), sum(pad(state, owner)[colour].values())]
            == [int(count), int(some)]
        )
    ),
    re.compile(r"(red|green) is in the icehouse\."): lambda state, colour: seat(colour) in state.view()["in_icehouse"],
}
"""Statements about a position, with the function that says whether one is true."""


@dataclass
class Example:
    """An example, part by part."""

    head: str
    options: dict[str, str] = field(default_factory=dict)
    acts: list[str] = field(default_factory=list)
    picture: list[str] = field(default_factory=list)
    facts: list[str] = field(default_factory=list)


def examples() -> list[Example]:
    """Every code block of the page."""
    return [read(block) for block in code_blocks("icehouse")]


def read(block: str) -> Example:
    """The parts of an example."""
    head, *lines = (line for line in block.splitlines() if line)
    example = Example(head)
    for line in lines:
        if option := OPTION.fullmatch(line):
            example.options[option[1]] = option[2]
        elif line.startswith(("+", "|")):
            example.picture.append(line)
        elif re.match(r"[*0-7] ", line):
            example.acts.append(line)
        elif line.startswith("  "):
            example.acts[-1] += line
        else:
            example.facts.append(line)
    return example


def seat(colour: str) -> int:
    return ("red", "green").index(colour)


def piece(state: State, name: str) -> dict[str, Any]:
    (found,) = (piece for piece in state.view()["field"] if piece["id"] == name)
    return dict(found)


def pad(state: State, colour: str) -> dict[str, dict[str, int]]:
    return dict(state.view()["pads"][seat(colour)])


def played(example: Example) -> State:
    """The position after the acts of an example; what they say of effects and refusals is checked."""
    state: State = icetable.load("icehouse", **TABLE, **example.options).start()
    for ready in range(2):
        state = state.apply("ready", ready)
    for line in example.acts:
        parts = ACTS.fullmatch(line)
        assert parts is not None, f"the test does not understand {line!r}"
        who, texts, effects, rule, reason = parts.groups()
        *before, last = texts.split(", ")
        asking = CHANCE if who == "*" else int(who)
        for text in before:
            state = state.apply(text, asking)
        if rule is not None:
            fault = state.fault(last, asking)
            assert fault is not None, line
            assert (fault.rule, fault.message) == (rule, reason)
            continue
        state = state.apply(last, asking)
        assert effects is None or effects == effects_text(state)
    return state


def field_drawn(state: State) -> list[str]:
    return state.game.draw(state.view()).partition("\n\n")[0].splitlines()


def holds(state: State, fact: str) -> bool:
    """Whether something is so."""
    for form, is_so in FACTS.items():
        if found := form.fullmatch(fact):
            return bool(is_so(state, *found.groups()))
    raise AssertionError(f"the test does not understand {fact!r}")


def check(example: Example) -> None:
    """Try what an example says."""
    state = played(example)
    assert not example.picture or example.picture == field_drawn(state)
    for fact in example.facts:
        assert holds(state, fact), f"{example.head} {fact}"


@pytest.mark.parametrize("example", examples(), ids=lambda example: example.head)
def test_every_example_is_true(example: Example) -> None:
    assert example.acts
    assert example.facts or "!" in " ".join(example.acts)
    check(example)


def test_there_are_examples_of_what_is_hard() -> None:
    """IH-10 … IH-14, IH-18, IH-20, IH-26, IH-30 and IH-33."""
    text = "\n".join(str(example) for example in examples())
    for words in (
        "ices p",
        "spoils p",
        "renews p",
        "captures p",
        "melts p",
        "finds ",
        "false_call ",
        "crashes ",
        "ends ",
    ):
        assert words in text
    assert {"IH-12", "IH-24", "IH-26", "IH-30"} <= set(re.findall(r"! (IH-\d+)", text))
    assert sum(bool(example.picture) for example in examples()) >= 6


def test_the_checks_can_fail() -> None:
    example = next(example for example in examples() if example.picture and "iced" in str(example.facts))
    for spoilt in (
        Example("", acts=[*example.acts, "0 lift L # starts"]),
        Example("", acts=[*example.acts, "0 return ! IH-8  You have nothing in hand."]),
        Example("", acts=[*example.acts, "0 lift L ! IH-7  You already have a piece in hand."]),
        Example("", acts=["0: lift L"]),
        Example("", acts=example.acts, picture=example.picture[:-1]),
        Example("", acts=example.acts, facts=["p1 is free."]),
        Example("", acts=example.acts, facts=["p2 points at p1, in vain."]),
        Example("", acts=example.acts, facts=["Points: red 30, green 30."]),
        Example("", acts=example.acts, facts=["green is in the icehouse."]),
        Example("", acts=example.acts, facts=["The moon is cheese."]),
    ):
        with pytest.raises(AssertionError):
            check(spoilt)
