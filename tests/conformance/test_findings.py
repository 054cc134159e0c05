"""Findings of experiments in docs/findings: each has a command that can be repeated, and is described."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any

import pytest

from icetable import games
from icetable.cli.options import game_of
from icetable.cli.parser import build
from icetable.lab.comparisons import values_of

DOCS = Path(__file__).parents[2] / "docs"
FILES = sorted((DOCS / "findings").glob("*.json"))
PAGE = (DOCS / "findings.md").read_text(encoding="utf-8")
each_file = pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)


def read(file: Path) -> Any:
    return json.loads(file.read_text(encoding="utf-8"))


@each_file
def test_the_command_can_be_given_again(file: Path) -> None:
    program, *words = shlex.split(read(file)["command"])
    assert program == "icetable"
    chosen = build().parse_args(words)
    assert game_of(chosen).info.name == file.stem.partition("-")[0]


@each_file
def test_something_was_found_and_the_page_tells_of_it(file: Path) -> None:
    assert read(file)["found"]
    assert f"`{file.stem}`" in PAGE


@pytest.mark.parametrize("file", [file for file in FILES if "-options-" in file.stem], ids=lambda file: file.stem)
def test_every_option_is_tried(file: Path) -> None:
    """Those alone of which no other value suggests itself are not."""
    game = game_of(build().parse_args(shlex.split(read(file)["command"])[1:]))
    usual = game.options
    to_try = {one.name for one in game.info.options if {*values_of(one, usual[one.name])} - {usual[one.name]}}
    found = read(file)["found"]
    assert {flip["option"] for flip in found} == to_try
    assert all(0 <= flip["changed"]["value"] <= 1 for flip in found)


@pytest.mark.parametrize("game", [info.name for info in games.list_games() if info.turns])
def test_all_options_are_tried_at_three_strengths(game: str) -> None:
    """For what holds at one strength alone is not known to hold for people. Icehouse is to be played again."""
    assert len([file for file in FILES if file.stem.startswith(f"{game}-options-")]) == 3
