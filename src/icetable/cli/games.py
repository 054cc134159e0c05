"""`icetable games`: the games and their options."""

from __future__ import annotations

import json
import textwrap
from typing import TYPE_CHECKING, Any

from icetable import bots, games
from icetable.bots.levels import for_each_number, in_words
from icetable.cli.options import add_json
from icetable.cli.screen import BOLD, in_ink
from icetable.core.drawing import LINE_WIDTH

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Iterator

    from icetable.core.game import GameInfo
    from icetable.core.options import Option


OF_AN_OPTION = ("name", "kind", "default", "choices", "least", "most", "help", "rule")


def add_options(parser: ArgumentParser) -> None:
    parser.add_argument("game", nargs="?", metavar="GAME", help="describe only this game")
    add_json(parser)


def run(chosen: Namespace) -> int:
    infos = games.list_games() if chosen.game is None else [games.info_of(chosen.game)]
    if chosen.json:
        print(json.dumps([described(info) for info in infos], indent=1))
    else:
        print("\n\n".join("\n".join(describe(info)) for info in infos))
    return 0


def described(info: GameInfo) -> dict[str, Any]:
    """A game as JSON can hold it. An option with the default null follows from the other ones."""
    return {
        "name": info.name,
        "title": info.title,
        "summary": info.summary,
        "turns": info.turns,
        "options": [described_option(option) for option in (info.players_option, *info.options)],
        "presets": info.presets,
        "levels": [level.name for level in bots.levels(info.name)],
    }


def described_option(option: Option) -> dict[str, Any]:
    """An option as JSON can hold it."""
    words = {name: getattr(option, name) for name in OF_AN_OPTION}
    return {**words, "readings": [reading.about for reading in option.readings]}


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
    yield "  levels of bots:"
    for level, abouts in for_each_number(info):
        yield from indented(f"{level.name}: {in_words(abouts)}", 4)


def shown(option: Option) -> str:
    """The default of an option, as `--option` takes it."""
    if option.default is None:
        return "(follows from the other options)"
    return str(option.default).lower() if option.kind == "bool" else str(option.default)


def indented(text: str, depth: int) -> list[str]:
    """A text as indented lines of at most LINE_WIDTH characters."""
    return textwrap.wrap(text, LINE_WIDTH, initial_indent=" " * depth, subsequent_indent=" " * depth)
