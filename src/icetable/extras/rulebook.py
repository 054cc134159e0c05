"""The rules of a game, read from their Markdown: in blocks for a terminal, and as HTML for a page.

The paragraph or list item that states a rule begins with the rule's id in bold.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from markdown_it import MarkdownIt
    from markdown_it.token import Token

RULE = re.compile(r"[A-Z]{2,}-\d+[a-z]?")
RULE_IN_TEXT = re.compile(rf"\b({RULE.pattern})\b")


@dataclass(frozen=True)
class Block:
    """A part of the rules with its text, which has no Markdown in it but for code in quotes."""

    kind: str
    """`h1` to `h6` for a heading, `p` for a paragraph, `item` for one of a list, `fence` for a drawing."""
    text: str
    """The text, without the signs of Markdown but for code in quotes."""
    rule: str = ""
    """The id of the rule that the block states; empty if it states none."""


def blocks(text: str) -> Iterator[Block]:
    kinds = ["p"]
    for token in _markdown().parse(text):
        if token.type in ("heading_open", "list_item_open"):
            kinds.append(token.tag if token.type == "heading_open" else "item")
        elif token.type in ("heading_close", "list_item_close"):
            kinds.pop()
        elif token.type == "fence":
            yield Block("fence", token.content.rstrip("\n"))
        elif token.type == "inline":
            yield Block(kinds[-1], _plain(token), _rule_at_start(token))


def html(text: str) -> str:
    """Render the rules. A paragraph or list item that states a rule has the rule's id as its HTML id.

    All other mentions of the id become links to it.
    """
    markdown = _markdown()
    tokens = markdown.parse(text)
    named: set[str] = set()
    for number, token in enumerate(tokens):
        rule = _rule_at_start(token)
        if rule and rule not in named:
            named.add(rule)
            paragraph, before = tokens[number - 1], tokens[number - 2]
            (before if paragraph.hidden else paragraph).attrSet("id", rule)
    for token in tokens:
        if token.children:
            token.children = [part for child in token.children for part in _linked(child, named)]
    return str(markdown.renderer.render(tokens, markdown.options, {}))


def _markdown() -> MarkdownIt:
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark", {"html": False}).enable("table")


def _rule_at_start(token: Token) -> str:
    """The id of the rule that a text begins with, or ""."""
    start = [child for child in (token.children or []) if child.type != "text" or child.content][:2]
    if token.type != "inline" or [child.type for child in start] != ["strong_open", "text"]:
        return ""
    return start[1].content if RULE.fullmatch(start[1].content) else ""


def _plain(token: Token) -> str:
    words = []
    for child in token.children or ():
        if child.type == "code_inline":
            words.append(f"'{child.content}'")
        else:
            words.append(child.content or " " * child.type.endswith("break"))
    return "".join(words)


def _linked(child: Token, named: set[str]) -> list[Token]:
    """A token split at the rule ids in it, which become links. A token that is only a rule id is left alone."""
    from markdown_it.token import Token

    if child.type != "text" or child.content in named:
        return [child]
    parts = []
    for number, text in enumerate(RULE_IN_TEXT.split(child.content)):
        piece = Token("text", "", 0, content=text)
        if number % 2 and text in named:
            parts += [Token("link_open", "a", 1, attrs={"href": f"#{text}"}), piece, Token("link_close", "a", -1)]
        else:
            parts.append(piece)
    return parts
