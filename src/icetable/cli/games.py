"""The commands about what games there are: `games`, `rules`, `env`, `new`, `check` and `completion`."""

from __future__ import annotations

import json
import re
import statistics
import textwrap
from argparse import _SubParsersAction
from dataclasses import asdict
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from icetable import bots, games
from icetable.bots.levels import for_each_number, in_words, levels
from icetable.cli.options import add_game_options, add_json, game_of
from icetable.cli.output import BOLD, in_ink, new_output
from icetable.core.errors import GameError
from icetable.core.game import LINE_WIDTH
from icetable.core.options import short_repr
from icetable.extras.rulebook import Block, blocks
from icetable.workshop.files import WorkshopInfo

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Iterable, Iterator

    from icetable.core.game import GameInfo
    from icetable.core.options import Option

OPTION_FIELDS = ("name", "kind", "default", "choices", "least", "most", "help", "rule")
UNDERLINES = {"h1": "=", "h2": "-", "h3": "."}
NAME = re.compile(r"[A-Za-z][A-Za-z0-9]{1,30}")
FAILED = 1
"""The exit code for a game with mistakes."""
SHELLS = ("bash", "zsh", "fish")
FILE_METAVARS = ("FILE", "DIR", "OUT", "RECORD")


def add_games_options(parser: ArgumentParser) -> None:
    parser.add_argument("game", nargs="?", metavar="GAME", help="describe only this game")
    add_json(parser)


def run_games(args: Namespace) -> int:
    infos = games.list_games() if args.game is None else [games.info_of(args.game)]
    if args.json:
        print(json.dumps([game_to_dict(info) for info in infos], indent=1))
    else:
        print("\n\n".join("\n".join(describe_game(info)) for info in infos))
    return 0


def game_to_dict(info: GameInfo) -> dict[str, Any]:
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


def describe_game(info: GameInfo) -> Iterator[str]:
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


def add_rules_options(parser: ArgumentParser) -> None:
    parser.add_argument("game", metavar="GAME")
    parser.add_argument("rule", nargs="?", metavar="RULE", help="print only the rule with this id")
    add_json(parser)


def run_rules(args: Namespace) -> int:
    info = games.info_of(args.game)
    if args.json:
        print(json.dumps([asdict(block) for block in blocks_of(info, args.rule)], indent=1))
    else:
        print(rules_page(info, args.rule))
    return 0


def blocks_of(info: GameInfo, rule: str | None) -> list[Block]:
    """The blocks of all rules or of one. Raises GameError."""
    everything = list(blocks(info.rules()))
    return everything if rule is None else paragraph(info, everything, rule)


def rules_page(info: GameInfo, rule: str | None = None) -> str:
    """Format all rules, or one with its drawings, as text. Raises GameError."""
    shown = blocks_of(info, rule)
    text = formatted(shown[0])
    for before, block in pairwise(shown):
        text += ("\n" if before.kind == block.kind == "item" else "\n\n") + formatted(block)
    return text


def formatted(block: Block) -> str:
    if block.kind in UNDERLINES:
        return in_ink(f"{block.text}\n{UNDERLINES[block.kind] * len(block.text)}", BOLD)
    if block.kind == "fence":
        return textwrap.indent(block.text, "    ")
    first = "- " if block.kind == "item" else ""
    text = textwrap.fill(
        block.text, LINE_WIDTH, initial_indent=first, subsequent_indent=" " * len(first), break_on_hyphens=False
    )
    return text.replace(block.rule, in_ink(block.rule, BOLD), 1) if block.rule else text


def paragraph(info: GameInfo, everything: list[Block], rule: str) -> list[Block]:
    """The block that states a rule, and the blocks up to the next rule or heading."""
    starts = {block.rule.upper(): number for number, block in enumerate(everything) if block.rule}
    if rule.upper() not in starts:
        first, *_, last = starts
        raise GameError(f"{info.title} has no rule {short_repr(rule)}; its rules are {first} to {last}")
    first_block, *others = everything[starts[rule.upper()] :]
    end = next((n for n, block in enumerate(others) if block.rule or block.kind in UNDERLINES), len(others))
    return [first_block, *others[:end]]


def add_env_options(parser: ArgumentParser) -> None:
    parser.add_argument("game", metavar="GAME")
    add_game_options(parser)
    add_json(parser)


def run_env(args: Namespace) -> int:
    from icetable.envs.reference import numbers_of, page_of  # environments take a while to import

    game = game_of(args)
    if args.json:
        print(json.dumps(numbers_of(game), indent=1))
    else:
        print(page_of(game), end="")
    return 0


TEMPLATE = Path(__file__).parent.parent / "workshop" / "examples" / "first.py"


def add_new_options(parser: ArgumentParser) -> None:
    parser.add_argument("name", metavar="NAME", help="the name of the game, such as Canals; its file is canals.py")


def run_new(args: Namespace) -> int:
    if not NAME.fullmatch(args.name):
        raise GameError(f"a game's name is a word of letters and digits, such as Canals, not {short_repr(args.name)}")
    name = args.name[0].upper() + args.name[1:]
    prefix = re.sub("[a-z0-9]", "", name)[:4] if sum(map(str.isupper, name)) > 1 else name[:2].upper()
    text = TEMPLATE.read_text(encoding="utf-8").replace("FI-", f"{prefix}-").replace("First", name)
    file = f"{name.lower()}.py"
    new_output(file, "game")(text)
    print(f"{file} is a small game that runs. Try: icetable play {file}; icetable check {file}; then change it.")
    return 0


def add_check_options(parser: ArgumentParser) -> None:
    parser.add_argument("game", metavar="FILE", help="the file of the game, or the name of a game of turns")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="a seed, for other games (default: 0)")
    parser.add_argument("--json", action="store_true", help="print the findings as JSON")


def run_check(args: Namespace) -> int:
    from icetable.workshop.checking import check

    info = games.info_of(args.game)
    if not isinstance(info, WorkshopInfo):
        raise GameError(f"{short_repr(args.game)} is not a game of turns; its own tests check it")
    checked = check(info, args.seed)
    if args.json:
        findings = [{"what": each.what, "options": dict(each.options), "acts": each.acts} for each in checked.findings]
        found = {"game": info.name, "findings": findings, "lengths": checked.lengths, "endings": dict(checked.endings)}
        print(json.dumps(found | {"acts_a_second": round(checked.acts_per_second)}, indent=1))
        return FAILED if checked.findings else 0
    for finding in checked.findings:
        print(finding)
    if checked.lengths:
        median, longest = statistics.median(checked.lengths), max(checked.lengths)
        print(f"{len(checked.lengths)} random games: a median of {median:.0f} acts, {longest} at most;", end=" ")
        print("ended by " + ", ".join(f"{rule} {times}" for rule, times in checked.endings.most_common()) + ".")
    if not checked.findings:
        tests = f" Its {checked.tests} tests pass." if checked.tests > 1 else " Its test passes." * checked.tests
        print(f"{info.title} is sound.{tests} {checked.acts_per_second:,.0f} random acts per second.")
    return FAILED if checked.findings else 0


def add_completion_options(parser: ArgumentParser) -> None:
    parser.add_argument("shell", choices=SHELLS, metavar="SHELL", help=", ".join(SHELLS))


def run_completion(args: Namespace) -> int:
    import shtab

    from icetable.cli.parser import build

    parser = build()
    add_completions(parser)
    print(shtab.complete(parser, args.shell))
    return 0


def unique(names: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(names))


def add_completions(parser: ArgumentParser) -> None:
    """Complete the names of games, levels, presets, options and files in a command and its subcommands."""
    import shtab

    for action in parser._actions:
        if isinstance(action, _SubParsersAction):
            for command in action.choices.values():
                add_completions(command)
        elif action.metavar == "GAME":
            action.choices = [info.name for info in games.list_games()]
        elif "--level" in action.option_strings:
            action.choices = unique(level.name for info in games.list_games() for level in levels(info))
        elif "--preset" in action.option_strings:
            action.choices = unique(preset for info in games.list_games() for preset in info.presets)
        elif "--option" in action.option_strings:
            action.choices = unique(f"{option.name}=" for info in games.list_games() for option in info.options)
        elif action.metavar in FILE_METAVARS:
            action.complete = shtab.FILE  # type: ignore[attr-defined]
