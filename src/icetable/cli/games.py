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


OPTION_FIELDS = ("name", "kind", "default", "choices", "least", "most", "help", "rule")


def add_options(parser: ArgumentParser) -> None:
    parser.add_argument("game", nargs="?", metavar="GAME", help="describe only this game")
    add_json(parser)


def run(args: Namespace) -> int:
    infos = games.list_games() if args.game is None else [games.info_of(args.game)]
    if args.json:
        print(json.dumps([to_dict(info) for info in infos], indent=1))
    else:
        print("\n\n".join("\n".join(describe(info)) for info in infos))
    return 0


def to_dict(info: GameInfo) -> dict[str, Any]:
    """Describe a game for JSON. An option whose default is null follows from the others."""
    return {
        "name": info.name,
        "title": info.title,
        "summary": info.summary,
        "turns": info.turns,
        "options": [option_to_dict(option) for option in (info.players_option, *info.options)],
        "presets": info.presets,
        "levels": [level.name for level in bots.levels(info)],
    }


def option_to_dict(option: Option) -> dict[str, Any]:
    fields = {name: getattr(option, name) for name in OPTION_FIELDS}
    return {**fields, "readings": [reading.about for reading in option.readings]}


def describe(info: GameInfo) -> Iterator[str]:
    """Format a game with its options, presets and levels as lines."""
    yield f"{in_ink(info.name, BOLD)}: {info.title}"
    yield from indented(info.summary, 2)
    yield "  options:"
    for option in (info.players_option, *info.options):
        yield f"    {option.name}={default_text(option)}"
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


def default_text(option: Option) -> str:
    """Format the default of an option as `--option` takes it."""
    if option.default is None:
        return "(follows from the other options)"
    return str(option.default).lower() if option.kind == "bool" else str(option.default)


def indented(text: str, depth: int) -> list[str]:
    """Wrap a text to indented lines of at most LINE_WIDTH characters."""
    return textwrap.wrap(text, LINE_WIDTH, initial_indent=" " * depth, subsequent_indent=" " * depth)
