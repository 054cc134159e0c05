"""`icetable rules`: print the rules of a game, or one of them, as plain text."""

from __future__ import annotations

import json
import re
import textwrap
from dataclasses import asdict, dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from markdown_it import MarkdownIt

from icetable import games
from icetable.cli.options import add_json
from icetable.cli.screen import BOLD, in_ink
from icetable.core.drawing import LINE_WIDTH
from icetable.core.errors import GameError
from icetable.core.options import short_repr

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Iterator

    from markdown_it.token import Token

    from icetable.core.game import GameInfo

RULE_AT_START = re.compile(r"\*\*([A-Z]{2,}-\d+[a-z]?)\*\*")


@dataclass(frozen=True)
class Block:
    """A heading, a paragraph, a list item or a drawing. `rule` is the rule id at its start, or empty."""

    kind: str
    text: str
    rule: str = ""

    def __str__(self) -> str:
        if self.kind in UNDERLINES:
            return in_ink(f"{self.text}\n{UNDERLINES[self.kind] * len(self.text)}", BOLD)
        if self.kind == "fence":
            return textwrap.indent(self.text, "    ")
        first = "- " if self.kind == "item" else ""
        text = textwrap.fill(
            self.text, LINE_WIDTH, initial_indent=first, subsequent_indent=" " * len(first), break_on_hyphens=False
        )
        return text.replace(self.rule, in_ink(self.rule, BOLD), 1) if self.rule else text


UNDERLINES = {"h1": "=", "h2": "-", "h3": "."}


def add_options(parser: ArgumentParser) -> None:
    parser.add_argument("game", metavar="GAME")
    parser.add_argument("rule", nargs="?", metavar="RULE", help="print only the rule with this id")
    add_json(parser)


def run(args: Namespace) -> int:
    info = games.info_of(args.game)
    if args.json:
        print(json.dumps([asdict(block) for block in blocks_of(info, args.rule)], indent=1))
    else:
        print(page(info, args.rule))
    return 0


def blocks_of(info: GameInfo, rule: str | None) -> list[Block]:
    """The blocks of all rules or of one. Raises GameError."""
    blocks = list(read(info.rules()))
    return blocks if rule is None else paragraph(info, blocks, rule)


def page(info: GameInfo, rule: str | None = None) -> str:
    """Format all rules, or one with its drawings, as text. Raises GameError."""
    blocks = blocks_of(info, rule)
    text = str(blocks[0])
    for before, block in pairwise(blocks):
        text += ("\n" if before.kind == block.kind == "item" else "\n\n") + str(block)
    return text


def paragraph(info: GameInfo, blocks: list[Block], rule: str) -> list[Block]:
    """The block that states a rule, and the blocks up to the next rule or heading."""
    starts = {block.rule.upper(): number for number, block in enumerate(blocks) if block.rule}
    if rule.upper() not in starts:
        first, *_, last = starts
        raise GameError(f"{info.title} has no rule {short_repr(rule)}; its rules are {first} to {last}")
    first_block, *others = blocks[starts[rule.upper()] :]
    end = next((n for n, block in enumerate(others) if block.rule or block.kind in UNDERLINES), len(others))
    return [first_block, *others[:end]]


def read(text: str) -> Iterator[Block]:
    """Parse Markdown into blocks."""
    kinds = ["p"]
    for token in MarkdownIt().parse(text):
        if token.type in ("heading_open", "list_item_open"):
            kinds.append(token.tag if token.type == "heading_open" else "item")
        elif token.type in ("heading_close", "list_item_close"):
            kinds.pop()
        elif token.type == "fence":
            yield Block("fence", token.content.rstrip("\n"))
        elif token.type == "inline":
            found = RULE_AT_START.match(token.content)
            yield Block(kinds[-1], plain(token), found[1] if found else "")


def plain(token: Token) -> str:
    """The text of a paragraph without Markdown, with code in quotes."""
    words = []
    for child in token.children or ():
        if child.type == "code_inline":
            words.append(f"'{child.content}'")
        else:
            words.append(child.content or " " * child.type.endswith("break"))
    return "".join(words)
