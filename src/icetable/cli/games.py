"""`icetable games`: the games and their options."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from icetable import bots, games
from icetable.cli.screen import BOLD, in_ink
from icetable.core.drawing import WIDTH

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Iterator

    from icetable.core.game import GameInfo
    from icetable.core.options import Option


def add_options(_parser: ArgumentParser) -> None:
    """This command has none."""


def run(_chosen: Namespace) -> int:
    print("\n\n".join("\n".join(describe(info)) for info in games.list_games()))
    return 0


def describe(info: GameInfo) -> Iterator[str]:
    """A game with its options, presets and levels, line by line."""
    yield f"{in_ink(info.name, BOLD)}: {info.title}"
    yield from indented(info.summary, 2)
    yield "  options:"
    for option in (info.players_option, *info.options):
        yield f"    {option.name}={shown(option)}"
        yield from indented(f"{option.help} ({option.rule}): {option.allowed}.", 8)
        for value, reading in zip(option.choices, option.readings, strict=False):
            yield from indented(f"{value}: {reading.about}", 8)
    if info.presets:
        yield "  presets:"
        for name, values in info.presets.items():
            yield f"    {name}: {', '.join(f'{option}={value}' for option, value in values.items())}"
    yield f"  levels of bots: {', '.join(level.name for level in bots.levels(info.name))}"


def shown(option: Option) -> str:
    """The default of an option, as `--option` takes it."""
    if option.default is None:
        return "(follows from the other options)"
    return str(option.default).lower() if option.kind == "bool" else str(option.default)


def indented(text: str, depth: int) -> list[str]:
    """A text as indented lines of at most WIDTH characters."""
    return textwrap.wrap(text, WIDTH, initial_indent=" " * depth, subsequent_indent=" " * depth)
